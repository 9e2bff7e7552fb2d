"""Blind sheets: several systems' replies to the same openings side by side, as plain text, for any rater.

| in the folder | holds |
|---|---|
| `sheets/brief.md` | how to rate |
| `sheets/sheet-01.txt` … | what is rated |
| `sheets/sheet-01.RATER` … | the answers: a line `ITEM LETTER MARK FLAGS` for each reply |
| `key.json` | who wrote which; a rater does not open it |
"""

from heartfelt.evaluation.rating.sheets.answers import FLAGS, Answers, SheetAnswer, read_answers
from heartfelt.evaluation.rating.sheets.given import SheetOpening, read_openings, read_systems
from heartfelt.evaluation.rating.sheets.key import Key, is_sheets, lay_out, read_key, write_sheets
from heartfelt.evaluation.rating.sheets.summary import SideBySide, side_by_side

__all__ = [
    "FLAGS",
    "Answers",
    "Key",
    "SheetAnswer",
    "SheetOpening",
    "SideBySide",
    "is_sheets",
    "lay_out",
    "read_answers",
    "read_key",
    "read_openings",
    "read_systems",
    "side_by_side",
    "write_sheets",
]
