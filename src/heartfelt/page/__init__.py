"""The trace page: one HTML file, without anything from the network, that shows a turn's reasoning to anyone."""

from heartfelt.page.render import render, write_page

__all__ = ["render", "write_page"]
