"""Draws the avatar on the processor and writes it as a film: no display, no graphics card.

`raster` finds what is seen and `shade` its colour (both compiled, see `compile`); `atlas` and `skin` paint the skin, `bake`
finds where light comes, `person` holds all of one look together, `renderer` makes frames of it, and `video` makes a file of
frames.
"""

from heartfelt.expression.render.renderer import Frame, Renderer
from heartfelt.expression.render.sheet import contact_sheet
from heartfelt.expression.render.video import write_video

__all__ = ["Frame", "Renderer", "contact_sheet", "write_video"]
