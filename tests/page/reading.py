"""A written page, read again: its tags, the policy that it gives the browser, and the data that it holds."""

import json
from html.parser import HTMLParser
from typing import Any

from heartfelt import Trace
from heartfelt.page.render import page_data

VOID = {"meta", "img", "br", "link", "input", "hr", "track"}
HOSTILE = (
    "</script><script>alert(1)</script> <!-- \" ' & <img src=x onerror=alert(1)> </style> "
    "</noscript> %TRACE% {{ 7 * 7 }} \u2028 ‮שלום"
)


class Page(HTMLParser):
    """Checks that tags are balanced, and gathers what tests ask for."""

    def __init__(self, page: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, tag: str) -> list[str]:
        """What stands directly in such tags."""
        return [text for name, text in self.texts if name == tag]

    @property
    def policy(self) -> str:
        return next(meta["content"] or "" for meta in self.named("meta") if "http-equiv" in meta)

    @property
    def data(self) -> dict[str, Any]:
        """What the script of the page finds in it."""
        return json.loads("".join(self.text("script")[:1]))


def data(trace: Trace) -> dict[str, Any]:
    return json.loads(page_data(trace))
