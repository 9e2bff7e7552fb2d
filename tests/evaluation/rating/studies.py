"""Made-up studies: openings, systems that reply to them, and raters who know what they like. Every sentence is our own."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from heartfelt.evaluation.rating.sheets.given import SheetOpening
from heartfelt.evaluation.rating.sheets.key import Key, lay_out, read_key, write_sheets

OPENINGS = [
    {"id": "kite", "turns": ["My kite tore."], "reference": "What a pity. Was it a good one?", "set": "choose"},
    {"id": "cat", "turns": ["The cat ran off.", "When?", "At noon."], "reference": "So long already!"},
    {"id": "boat", "turns": ["I passed the boat test!"], "reference": "Well done, captain!"},
    {"id": "bakery", "turns": ["The bakery closed."], "reference": "Where do you go now?"},
]


def write(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def replies(said: str) -> list[dict[str, Any]]:
    return [{"id": each["id"], "reply": f"{said} {each['id'].title()}!"} for each in OPENINGS]


def study(folder: Path, *, per: int = 25, **said: str) -> Key:
    """Sheets of systems that always say the same."""
    openings = [SheetOpening.model_validate(each) for each in OPENINGS]
    systems = {name: {each.id: words for each in openings} for name, words in said.items()}
    write_sheets(lay_out(openings, systems, per=per), folder)
    return read_key(folder)


def rated(folder: Path, rater: str, marks: dict[str, int], *, flags: str = "", skip: int = 0) -> None:
    """A rater who gives each system the same mark, raises flags at the worst, and leaves out the last `skip` replies."""
    for sheet, items in read_key(folder).sheets().items():
        given: list[str] = []
        for item in items:
            for letter, shown in item.replies.items():
                mark = marks[shown.systems[0]]
                given.append(f"{item.number} {letter} {mark} {flags if mark == 1 else ''}")
        kept, skip = given[: len(given) - skip], 0
        (folder / "sheets" / f"{sheet}.{rater}").write_text("\n".join(kept), "utf-8")
