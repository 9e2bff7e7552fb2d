"""How long a person waits for words from the embedded models, and what they take of memory.

    python bench/words.py [--openings 30] [--model embedded:]

Openings of the set `choose`, one after the other, models warm, safety on as it is by default. «First word» is the first that is
told; «second turn» goes on from the first one's reply.
"""

import argparse
import asyncio
import gzip
import json
import resource
import statistics
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from heartfelt import Dialogue, Listener, Setup, Turn
from heartfelt.events import Event, Wrote

TARGETS = {
    "words: first word, s": lambda s: s <= 3,
    "words: whole turn, s": lambda s: s <= 8,
    "words: second turn over first": lambda ratio: ratio <= 1.1,
    "words: resident at most, GB": lambda gigabytes: gigabytes <= 2.5,
}
OPENINGS = Path(__file__).parent.parent / "samples" / "exchanges" / "openings.jsonl.gz"


async def measure(model: str = "embedded:", openings: int = 30) -> dict[str, Any]:
    rows = map(json.loads, gzip.decompress(OPENINGS.read_bytes()).decode().splitlines())
    talks = [row["turns"] for row in rows if row["set"] == "choose"][:openings]
    first, whole, second, steps = list[float](), list[float](), list[float](), defaultdict[str, list[float]](list)
    async with Listener(Setup(model=model)) as listener:
        await listener.model.warm()  # type: ignore[attr-defined]
        await _answered(listener, ["Hello there."])
        for turns in talks:
            words, took, made, reply = await _answered(listener, turns)
            if not made:
                continue  # an alarm: nothing was reasoned
            first.append(words)
            whole.append(took)
            for step, ms in made.items():
                steps[step].append(ms / 1000)
            if len(second) < 10:
                second.append((await _answered(listener, [*turns, reply, "I don't know. I keep thinking about it."]))[1])
    found = {
        "model": model,
        "turns": len(whole),
        "first word, s": round(statistics.median(first), 2),
        "whole turn, s": round(statistics.median(whole), 2),
        "nine in ten within, s": round(statistics.quantiles(whole, n=10)[-1], 2),
        "second turn over first": round(statistics.median(second) / statistics.median(whole[: len(second)]), 2),
        "steps, s": {step: round(statistics.median(times), 2) for step, times in steps.items()},
        "resident at most, GB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }
    return {f"words: {name}": value for name, value in found.items()}


async def _answered(listener: Listener, turns: list[str]) -> tuple[float, float, dict[str, float], str]:
    """Seconds to the first word and to the end of the turn, milliseconds by step, and the reply."""
    said = Dialogue(turns=tuple(Turn(speaker=("User", "Listener")[i % 2], text=text) for i, text in enumerate(turns)))
    began, told = time.perf_counter(), list[float]()

    def watch(event: Event) -> None:
        if isinstance(event, Wrote):
            told.append(time.perf_counter() - began)

    outcome = await listener.answer(said, observers=(watch,))
    took = time.perf_counter() - began
    steps = {record.step: record.ms for record in outcome.best.steps if record.calls or record.step == "respond"}
    if not told:
        return took, took, {}, outcome.reply
    audits = sum(made.audit.ms for made in outcome.passes if made.audit)
    return told[0], took, steps | {"audit": audits}, outcome.reply


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--openings", type=int, default=30)
    parser.add_argument("--model", default="embedded:")
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.model, given.openings)), indent=1))
