"""Heartfelt answers a person with empathy, in steps that anyone can inspect."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

# Nothing leaves the machine: onnxruntime would look up its maker's collector and write a device id to the user's cache.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

if TYPE_CHECKING:
    from heartfelt.budget import Budget
    from heartfelt.edits import Edit
    from heartfelt.errors import HeartfeltError
    from heartfelt.listener import Listener, respond
    from heartfelt.recipes import Ablation, Recipe, recipe
    from heartfelt.records import Dialogue, Identity, Outcome, Turn
    from heartfelt.setup import Setup
    from heartfelt.trace import Trace, TraceWriter

__all__ = [
    "Ablation",
    "Budget",
    "Dialogue",
    "Edit",
    "HeartfeltError",
    "Identity",
    "Listener",
    "Outcome",
    "Recipe",
    "Setup",
    "Trace",
    "TraceWriter",
    "Turn",
    "recipe",
    "respond",
]

_PLACES = {
    "budget": ("Budget",),
    "edits": ("Edit",),
    "errors": ("HeartfeltError",),
    "listener": ("Listener", "respond"),
    "recipes": ("Ablation", "Recipe", "recipe"),
    "records": ("Dialogue", "Identity", "Outcome", "Turn"),
    "setup": ("Setup",),
    "trace": ("Trace", "TraceWriter"),
}
_PLACE = {name: place for place, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Imported when it is first used: who only needs the records waits for nothing else."""
    if name not in _PLACE:
        raise AttributeError(f"module 'heartfelt' has no attribute '{name}'")
    found = getattr(import_module(f"heartfelt.{_PLACE[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
