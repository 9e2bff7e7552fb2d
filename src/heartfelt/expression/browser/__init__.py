"""The avatar for a browser: one file with everything that is drawn of a person, and a portrait to choose them by.

`avatar` gathers a person's file from `flesh` (what moves by itself), `pieces` (what hangs on it), `pictures` and `rules`;
`layout` is the file's form, and `kept` stores what was made.
"""

from heartfelt.expression.browser.kept import VERSION, Mood, avatar_file, draw_people, portrait_file

__all__ = ["VERSION", "Mood", "avatar_file", "draw_people", "portrait_file"]
