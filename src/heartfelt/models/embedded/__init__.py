"""The embedded language model: no key, no GPU, no hub."""

from heartfelt.models.embedded.model import EmbeddedModel

__all__ = ["EmbeddedModel"]
