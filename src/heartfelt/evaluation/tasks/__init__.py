"""Tasks: what is asked of a system on a corpus, with the gold kept aside and guards against leaks."""

from heartfelt.evaluation.tasks.draw import draw, manifest
from heartfelt.evaluation.tasks.protocol import Protocol

__all__ = ["Protocol", "draw", "manifest"]
