"""How raters marked glad replies in a few words, where the classifier saw something glad and where it did not.

python bench/gladness.py
"""

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

from heartfelt import Dialogue, Turn
from heartfelt.agents.cheer import cheers, gladness_fits
from heartfelt.agents.classifier import usual_classifier
from heartfelt.records import Situation

RATINGS = Path(__file__).parent.parent / "samples" / "exchanges" / "ratings.jsonl.gz"
WRITERS = ("brief", "words-4", "words-5", "before words-5", "words-6")


@cache
def fits(turns: tuple[str, ...]) -> bool:
    speakers = ("User", "Listener")
    said = [Turn(speaker=speakers[(len(turns) - 1 - at) % 2], text=text) for at, text in enumerate(turns)]
    found = usual_classifier().classify(Dialogue(turns=tuple(said)))
    return gladness_fits(Situation(message="", distribution=found.kinds, feelings=found.feelings))


def main() -> None:
    rows = map(json.loads, gzip.decompress(RATINGS.read_bytes()).decode().splitlines())
    marks = defaultdict[str, list[int]](list)
    for row in rows:
        if row["source"].startswith(WRITERS):
            glad = cheers(row["reply"])
            seen = "something glad was seen" if fits(tuple(row["turns"])) else "nothing glad was seen"
            marks[f"{'glad' if glad else 'other'} replies, {seen}"].append(row["mark"])
    for name, given in sorted(marks.items()):
        mean, lowest = sum(given) / len(given), sum(mark == 1 for mark in given) / len(given)
        print(f"{name}: mean {mean:.2f}, mark 1 {lowest:.2f}, {len(given):,} ratings")


if __name__ == "__main__":
    main()
