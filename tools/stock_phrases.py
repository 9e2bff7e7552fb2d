"""Which sentences replies begin with, and how they are said: writes the list that the speech cache is filled from.

python tools/stock_phrases.py EMPATHETIC_DIALOGUES [--dialogues 1200] [--most 120]

Reads the training dialogues of a folder with EmpatheticDialogues, lets the embedded listener answer the first message of some
and the third of others, and keeps the sentences that came first most often.
"""

import argparse
import asyncio
import random
from collections import Counter
from pathlib import Path

from heartfelt.datasets import dataset
from heartfelt.expression.speech_cache import StockPhrase, stepped
from heartfelt.expression.style import style_of
from heartfelt.listener import Listener
from heartfelt.records import Dialogue
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup
from heartfelt.text import sentences_of

TARGET = Path(__file__).parents[1] / "src" / "heartfelt" / "expression" / "stock_phrases.tsv"
LEAST = 2
"""A sentence that came once may never come again."""


def dialogues(folder: Path, count: int) -> list[Dialogue]:
    """Half of them with one message, half with three."""
    talks = list(dataset("empathetic_dialogues").read(folder, "train"))
    random.Random(5).shuffle(talks)
    whole = [talk.dialogue for talk in talks if len(talk.dialogue.turns) >= 3][:count]
    return [each.model_copy(update={"turns": each.turns[: 1 if place % 2 else 3]}) for place, each in enumerate(whole)]


async def counted(said: list[Dialogue]) -> Counter[StockPhrase]:
    async with Listener(Setup(safety=Safety(on=False))) as listener:
        found = Counter[StockPhrase]()
        for dialogue in said:
            outcome = await listener.answer(dialogue)
            found[StockPhrase(sentences_of(outcome.reply)[0], stepped(style_of(outcome.best)))] += 1
        return found


def write(found: Counter[StockPhrase], most: int) -> None:
    rows = ["text\temotion\tintensity\ttone\ttimes"]
    for (text, style), times in found.most_common(most):
        if times >= LEAST:
            rows.append("\t".join([text, style.emotion, f"{style.intensity:g}", style.tone, str(times)]))
    TARGET.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dialogues", type=int, default=1200)
    parser.add_argument("--most", type=int, default=120)
    options = parser.parse_args()
    write(asyncio.run(counted(dialogues(options.folder, options.dialogues))), options.most)
