"""Pages that are made here, without a script: for those who read, not for the app."""

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

_PAGES = Environment(loader=PackageLoader("heartfelt.server"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
_MARKDOWN = MarkdownIt().enable("table")


def page(template: str, **given: object) -> str:
    return _PAGES.get_template(template).render(given)


def markdown(text: str) -> Markup:
    return Markup(_MARKDOWN.render(text))


def inline(text: str) -> Markup:
    """A line of Markdown, without a paragraph around it."""
    return Markup(_MARKDOWN.renderInline(" ".join(text.split())))
