"""Blind sheets: several systems' replies to the same openings side by side, as plain text, for any rater.

| in the folder | holds |
|---|---|
| `sheets/brief.md` | how to rate |
| `sheets/sheet-01.txt` … | what is rated |
| `sheets/sheet-01.RATER` … | the answers: a line `ITEM LETTER MARK FLAGS` for each reply |
| `key.json` | who wrote which; a rater does not open it |
"""
