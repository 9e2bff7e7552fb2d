"""Draws the avatar on the processor: no display, no graphics card.

`raster` finds what is seen and `shade` its colour (both compiled, see `compile`); `atlas` and `skin` paint the skin, `bake`
finds where light comes, `person` holds all of one look together, and `renderer` makes frames of it.
"""

from heartfelt.expression.render.renderer import Frame, Renderer

__all__ = ["Frame", "Renderer"]
