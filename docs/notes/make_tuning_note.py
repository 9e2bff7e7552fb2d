"""Fills the made parts of `tuning.md` and of the model card: tables, plots, and replies as they come.

    heartfelt tune evaluate --data DIR --run figures --split test --turns 800 --replies 800 --model embedded:
    heartfelt tune evaluate --data DIR --run figures --split test --turns 200 --replies 20 --model embedded:base
    python docs/notes/make_tuning_note.py figures

A made part stands between `<!-- made: NAME -->` and `<!-- end -->`. The rest of the files is written by hand.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heartfelt import Listener, Setup
from heartfelt.edits import Edit
from heartfelt.intake import of_text
from heartfelt.models.embedded import EmbeddedModel, builds
from heartfelt.records import Forecast, Outcome
from heartfelt.tuning.card import rows
from heartfelt.tuning.plots import calibration_plot, confusion_plot, label_plot

HERE = Path(__file__).parent
NOTE, CARD = HERE / "tuning.md", HERE.parent / "models" / f"{builds.TUNED.stem}.md"
PICTURES = HERE.parent / "pictures"
OPENINGS = (
    ("failure", "I failed the exam I studied three months for."),
    ("grief", "My grandmother died last night and I wasn't there."),
    ("joy", "I got the job! I start on Monday!"),
    ("anger", "My flatmate ate my food again and lied about it."),
    ("shame", "I shouted at my daughter and I can't stop thinking about her face."),
    ("loneliness", "Everyone left the city this summer and I eat dinner alone every night."),
    ("fear", "The doctor wants to see me again next week and won't say why."),
    ("pride", "My son read his first book to me tonight, all by himself."),
    ("sarcasm", "Oh great, another Monday. Just what I needed."),
    ("mixed", "I'm moving abroad for my dream job, but I'll be leaving my best friend behind."),
    ("suspicion", "I think my husband is hiding something from me."),
    ("loss", "My dog ran away this morning."),
    ("relief", "I finally paid off all my debts."),
    ("embarrassment", "I wet myself laughing in front of my boss."),
    ("rejection", "Nobody came to my birthday party."),
    ("emptiness", "I don't know what I'm doing with my life anymore."),
    ("jealousy", "My ex is getting married and I found out on Facebook."),
    ("courage", "I gave a talk today and my voice was shaking, but I did it."),
    ("fright", "Somebody broke into our house while we were asleep."),
    ("hiding", "It's nothing really, I'm just tired."),
)
STEERED, FEELINGS = "My brother called me out of the blue.", ("joyful", "furious", "afraid", "lonely")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="the folder that the two evaluations were written into")
    given = parser.parse_args()
    tuned, base = (_report(given.run, name) for name in (builds.TUNED.stem, "base"))
    label_plot(tuned["chosen"]["ed32"], PICTURES / "tuning-emotions.png", before=base["chosen"]["ed32"])
    confusion_plot(tuned["chosen"]["ed32"], PICTURES / "tuning-confusion.png")
    calibration_plot(tuned["chosen"]["ed32"], PICTURES / "tuning-calibration.png")
    asyncio.run(_fill(tuned, base))


def _report(run: Path, name: str) -> dict[str, Any]:
    return json.loads((run / f"evaluation-test-{name}.json").read_text("utf-8"))


async def _fill(tuned: dict[str, Any], base: dict[str, Any]) -> None:
    figures = _table(("task", "figure", "untuned", "tuned"), _beside(tuned, base))
    _put(CARD, "figures", _table(("task", "figure", "value"), rows(tuned)))
    _put(NOTE, "figures", figures)
    async with Listener(model=EmbeddedModel()) as after, Listener(model=EmbeddedModel(adapter=None)) as before:
        _put(NOTE, "replies", _table(("", "said", "untuned", "tuned"), [line async for line in _replies(before, after)]))
    async with Listener(Setup(), model=EmbeddedModel()) as listener:
        _put(NOTE, "control", _table(("taken to feel", "reply"), [line async for line in _steered(listener)]))


def _beside(tuned: dict[str, Any], base: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    before = {(task, name): value for task, name, value in rows(base)}
    for task, name, value in rows(tuned):
        yield task, name, before.get((task, name), "–"), value


async def _replies(before: Listener, after: Listener):
    for kind, said in OPENINGS:
        first, second = await before.answer(of_text(said)), await after.answer(of_text(said))
        yield kind, said, first.reply, f"{second.reply} *({_felt(second)})*"


async def _steered(listener: Listener):
    """The same words, and another feeling set by hand where the forecast stood."""
    dialogue = of_text(STEERED)
    first = await listener.answer(dialogue)
    for emotion in FEELINGS:
        again = await listener.answer_again(dialogue, first.best, edits=(Edit.parse(f"forecast.emotion={emotion}"),))
        yield emotion, again.reply


def _felt(outcome: Outcome) -> str:
    forecast = next(record.output for record in outcome.best.steps if isinstance(record.output, Forecast))
    return f"{forecast.emotion}, {forecast.confidence:.0%}"


def _put(path: Path, name: str, text: str) -> None:
    whole = path.read_text("utf-8")
    made, count = re.subn(
        rf"(<!-- made: {name} -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{text}\n{found[2]}", whole, flags=re.S
    )
    if not count:
        raise SystemExit(f"{path} has no part named {name}.")
    path.write_text(made, "utf-8")


def _table(head: tuple[str, ...], lines: Any) -> str:
    told = [head, ("---",) * len(head), *lines]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in told)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    main()
