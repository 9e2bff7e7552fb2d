"""Memory: exemplars of exchanges that went well, found by meaning and emotion, and never of what is being scored."""

from heartfelt.memory.build import Built, build
from heartfelt.memory.embed import DIMENSIONS, Embedder, HashEmbedder, MiniLM, usual_embedder
from heartfelt.memory.exemplars import ExemplarStore, Memory
from heartfelt.memory.guard import Guard
from heartfelt.memory.starter import exchanges, starter

__all__ = [
    "DIMENSIONS",
    "Built",
    "Embedder",
    "ExemplarStore",
    "Guard",
    "HashEmbedder",
    "Memory",
    "MiniLM",
    "build",
    "exchanges",
    "starter",
    "usual_embedder",
]
