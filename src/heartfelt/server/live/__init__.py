"""The live socket.

`pieces` are its binary messages, `outbox` sends, `senses` look and listen, `talk` takes turns with the person and gives a
`reply`, `socket` leads.
"""

from heartfelt.server.live.socket import converse

__all__ = ["converse"]
