"""The avatar for a browser: one file with everything that is drawn of a person, and a portrait to choose them by.

`avatar` gathers a person's file from `flesh` (what moves by itself), `pieces` (what hangs on it), `pictures` and `rules`;
`layout` is the file's form, and `kept` stores what was made.
"""

from heartfelt.expression.browser.avatar import VERSION, avatar_bytes
from heartfelt.expression.browser.kept import avatar_file, draw_people, portrait_file
from heartfelt.expression.browser.portrait import Mood, portrait_jpeg

__all__ = ["VERSION", "Mood", "avatar_bytes", "avatar_file", "draw_people", "portrait_file", "portrait_jpeg"]
