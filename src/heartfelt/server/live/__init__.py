"""The live socket. `pieces` are its binary messages, `outbox` sends, `talk` takes turns with the person, `socket` leads."""

from heartfelt.server.live.socket import converse

__all__ = ["converse"]
