"""Language models by address: `embedded:`, `ollama:NAME`, `openai:URL#NAME`, `scripted:FILE`."""

from collections.abc import Callable
from pathlib import Path

from heartfelt.errors import UnknownName, UsageError
from heartfelt.models.scripted import Scripted
from heartfelt.models.seam import Capabilities, Completion, Message, Model, Request, Usage
from heartfelt.plugins import Registry

__all__ = ["Capabilities", "Completion", "Message", "Model", "Request", "Scripted", "Usage", "open_model"]

_PARTS = ("name", "capabilities", "complete", "stream", "close")
"""What a model has. Asked of its class first: a property may load or connect."""


def open_model(address: str) -> Model:
    """The model at `address`. Nothing is loaded or connected before the first request."""
    scheme, _, rest = address.partition(":")
    if scheme not in _OPENERS:
        raise UnknownName("model back end", scheme, [f"{name}:" for name in _OPENERS])
    model = _OPENERS[scheme](rest)
    if missing := [part for part in _PARTS if not (hasattr(type(model), part) or hasattr(model, part))]:
        raise UsageError(
            f"What the package {_OPENERS.package(scheme)} opens for '{scheme}:' is no model: "
            f"it has no {', '.join(f'`{part}`' for part in missing)}. See docs/how-to/add-a-back-end.md."
        )
    return model


def _embedded(rest: str) -> Model:
    from heartfelt.models.embedded import EmbeddedModel, open_default

    if rest == "":
        return open_default()
    if rest == "small":
        return EmbeddedModel()
    if rest == "base":
        return EmbeddedModel(adapter=None)
    adapter = Path(rest).expanduser()
    if not adapter.is_file():
        raise UsageError(
            f"There is no adapter file at {adapter}. Use `embedded:` for the default, "
            "`embedded:small` for the small model alone, or give a .gguf adapter."
        )
    return EmbeddedModel(adapter=adapter)


def _ollama(rest: str) -> Model:
    from heartfelt.models.ollama import OllamaModel

    return OllamaModel.at(rest)


def _openai(rest: str) -> Model:
    from heartfelt.models.openai import OpenAIModel

    return OpenAIModel.at(rest)


def _scripted(rest: str) -> Model:
    if not rest:
        raise UsageError("Name a file after `scripted:`, for example `scripted:answers.json`.")
    return Scripted.load(Path(rest))


_OPENERS = Registry[Callable[[str], Model]](
    "heartfelt.models", {"embedded": _embedded, "ollama": _ollama, "openai": _openai, "scripted": _scripted}
)
"""By scheme: what opens the model whose address goes on so."""
