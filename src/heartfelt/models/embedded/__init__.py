"""The embedded language models: no key, no GPU, no hub."""

import os

from heartfelt.models.embedded import builds
from heartfelt.models.embedded.machine import free_memory
from heartfelt.models.embedded.model import CONTEXT_BESIDE, EmbeddedModel
from heartfelt.models.embedded.pair import EmbeddedPair
from heartfelt.weights import Store

NEEDED = 2_500_000_000
"""Bytes of memory for both models."""

ASKED_FOR = "The small one alone was asked for."

__all__ = ["EmbeddedModel", "EmbeddedPair", "open_default", "why_not_large"]


def open_default() -> EmbeddedModel | EmbeddedPair:
    """Both models, or the small one alone where the large one cannot run; a notice of the turn says why.

    `HEARTFELT_EMBEDDED=small` asks for the small one alone on a machine that could run both.
    """
    if why := why_not_large():
        return EmbeddedModel(instead="" if why == ASKED_FOR else why)
    labels = EmbeddedModel(context=CONTEXT_BESIDE)
    return EmbeddedPair(labels=labels, words=EmbeddedModel(size="large", adapter=builds.WORDS))


def why_not_large() -> str:
    """Why the large model cannot run here; empty where it can."""
    if os.environ.get("HEARTFELT_EMBEDDED") == "small":
        return ASKED_FOR
    if not Store().has("qwen"):
        return "Its weights are not here. Fetch them with: heartfelt models pull qwen"
    if (free := free_memory()) < NEEDED:
        needs = f"It needs {NEEDED / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free."
        return f"{needs} Close other programs, or ask for the small one: --model embedded:small"
    return ""
