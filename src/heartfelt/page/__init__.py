"""The trace page: one HTML file, without anything from the network, that shows a turn's reasoning to anyone."""

from heartfelt.page.render import policy, render, write_page

__all__ = ["policy", "render", "write_page"]
