"""Weights: what Heartfelt needs and does not ship, fetched once from one of its sources and pinned by SHA-256.

`artefacts.toml` lists everything. Tests and machines without a network put a `FolderClient` in the clients' place, and a
`FolderHub` in the hub's.
"""

from heartfelt.weights.artefact import Artefact, FilePiece, Member, artefacts, find
from heartfelt.weights.client import Client, FolderClient, NpmClient, PipClient
from heartfelt.weights.hub import FolderHub, Hub, HuggingFaceHub
from heartfelt.weights.store import Notice, Progress, Store

__all__ = [
    "Artefact",
    "Client",
    "FilePiece",
    "FolderClient",
    "FolderHub",
    "Hub",
    "HuggingFaceHub",
    "Member",
    "Notice",
    "NpmClient",
    "PipClient",
    "Progress",
    "Store",
    "artefacts",
    "find",
]
