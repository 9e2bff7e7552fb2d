"""Heartfelt answers a person with empathy, in steps that anyone can inspect."""

import os

# Nothing leaves the machine: onnxruntime would look up its maker's collector and write a device id to the user's cache.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

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
