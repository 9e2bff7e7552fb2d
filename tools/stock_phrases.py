"""What replies are made of, and how it is said: writes the list that the speech cache is filled from.

python tools/stock_phrases.py [--most 240]

Reads the likeliest replies in a few words among the ratings of samples/exchanges, lets the small listener say how each would be
said, and keeps the sentences, and the interjections before a first comma, that came most often. Manners that can hardly be
told apart are kept once.
"""

import argparse
import asyncio
from collections import Counter, defaultdict
from pathlib import Path

from heartfelt.agents import Respond
from heartfelt.expression.speech_cache import StockPhrase, near, opened, stepped
from heartfelt.expression.style import style_of
from heartfelt.listener import Listener
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup
from heartfelt.text import sentences_of
from heartfelt.tuning.words.exchanges import RatedReply, dialogue_of, read_ratings

ROOT = Path(__file__).parents[1]
RATINGS = ROOT / "samples" / "exchanges" / "ratings.jsonl.gz"
TARGET = ROOT / "src" / "heartfelt" / "expression" / "stock_phrases.tsv"
SOURCE = "brief likeliest"
LEAST = 2
"""A sentence that came once may never come again."""


async def counted(replies: list[RatedReply]) -> dict[StockPhrase, float]:
    async with Listener(Setup(model="embedded:small", safety=Safety(on=False))) as listener:
        found, carrying_on = defaultdict[StockPhrase, float](float), Respond.folder.wording["brief"]["carried_on"]
        for row in replies:
            style = stepped(style_of((await listener.answer(dialogue_of(row.turns))).best))
            for sentence in sentences_of(row.reply):
                found[StockPhrase(sentence, style)] += 1
            if begun := opened(row.reply)[0]:
                found[StockPhrase(begun, style)] += 1
            for sentence in carrying_on:  # one of them is said after every tenth reaction or so
                found[StockPhrase(sentence, style)] += 1 / (10 * len(carrying_on))
        return found


def merged(found: dict[StockPhrase, float]) -> Counter[StockPhrase]:
    """Each with those that sound nearly the same and came less often."""
    kept = defaultdict[StockPhrase, float](float)
    for phrase, times in sorted(found.items(), key=lambda each: -each[1]):
        alike = next((other for other in kept if other.text == phrase.text and near(other.style, phrase.style)), phrase)
        kept[alike] += times
    return Counter({phrase: round(times) for phrase, times in kept.items()})


def write(found: Counter[StockPhrase], most: int) -> None:
    rows = ["text\temotion\tintensity\ttone\ttimes"]
    for (text, style), times in found.most_common(most):
        if times >= LEAST:
            rows.append("\t".join([text, style.emotion, f"{style.intensity:g}", style.tone, str(times)]))
    TARGET.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=240)
    options = parser.parse_args()
    likeliest = [row for row in read_ratings(RATINGS) if row.source == SOURCE]
    write(merged(asyncio.run(counted(likeliest))), options.most)
