"""How well the marks that the embedded model gives short replies agree with raters', on writers of whom nothing was taught.

    python bench/words_marks.py [--openings 60]    # 315 are all

Of each message's rated drafts (samples/exchanges) it also says what raters gave the one that the model marks best, and what the
best of them all has. Some three seconds a message on two cores.
"""

import argparse
import asyncio
import gzip
import json
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import correlation, fmean

from heartfelt.agents import Respond, Services, View
from heartfelt.budget import Budget, Meter
from heartfelt.models import open_model
from heartfelt.models.seam import Model
from heartfelt.tuning.words.corpus import LEFT_OUT
from heartfelt.tuning.words.exchanges import RatedReply, dialogue_of

RATINGS = Path(__file__).parent.parent / "samples" / "exchanges" / "ratings.jsonl.gz"
WRITERS = ("words-6b", "words-6c", "words-6d")
"""Who wrote the drafts of the last round."""
STEP = Respond(brief=True, hears=False, plain=True)


async def marks(model: Model, turns: tuple[str, ...], replies: list[str]) -> list[float]:
    view = View(dialogue_of(turns), Services(model=model, emit=lambda _event: None, meter=Meter(Budget())))
    request = STEP.request(STEP.prompt(view, model, None), view, answer=None, seed=0, limit=1)
    made = await model.complete(request.model_copy(update={"drafts": 0, "offered": tuple(replies), "marked": True}))
    return [draft.mark or 0.0 for draft in made.drafts]


async def main(most: int) -> None:
    rows = [RatedReply.model_validate_json(line) for line in gzip.decompress(RATINGS.read_bytes()).splitlines()]
    messages = defaultdict[tuple[str, ...], dict[str, float]](dict)
    for row in rows:
        if row.writer in LEFT_OUT and row.source.startswith(WRITERS):
            messages[row.turns][row.reply] = row.mark
    chosen = Random(1).sample(sorted(messages), min(most, len(messages)))
    model, raters, own, picked, best = open_model("embedded:"), list[float](), list[float](), list[float](), list[float]()
    for turns in chosen:
        given = messages[turns]
        found = dict(zip(given, await marks(model, turns, list(given)), strict=True))
        raters += given.values()
        own += found.values()
        picked.append(given[max(found, key=found.__getitem__)])
        best.append(max(given.values()))
    await model.close()
    found_out = {
        "messages": len(chosen),
        "replies": len(raters),
        "agreement, r": round(correlation(raters, own), 3),
        "marked by raters": round(fmean(raters), 2),
        "marked by the model": round(fmean(own), 2),
        "raters' mark of its best": round(fmean(picked), 2),
        "lowest mark among them": round(fmean(mark == 1 for mark in picked), 3),
        "best of all": round(fmean(best), 2),
    }
    print(json.dumps(found_out, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=60)
    asyncio.run(main(parser.parse_args().openings))
