"""Where the time and the memory of a turn go. Everything is measured in one run and printed as ratios; saved as JSON.

make bench            all of it, with the embedded model
bench/run.py --engines  also compare the builds of the engine and the number formats (docs/design/engine.md)
"""

import argparse
import asyncio
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from heartfelt import Dialogue, Listener, Outcome, Setup, Trace, Turn
from heartfelt.memory import MiniLM
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.records import Call

OUT = Path(__file__).parent.parent / "out" / "bench.json"
DIALOGUE = Dialogue(
    turns=(
        Turn(speaker="Mira", text="Do you have a minute? I don't really know who else to tell."),
        Turn(speaker="Listener", text="Of course I do. Take your time. What is on your mind tonight?"),
        Turn(speaker="Mira", text="It's about the anatomy exam. I studied for it all summer, every single evening after work."),
        Turn(speaker="Listener", text="All summer after work, that is a lot of evenings. How did the exam go for you?"),
        Turn(
            speaker="Mira",
            text="The results came this morning and I failed by two points. Two points, after all those months.",
        ),
        Turn(speaker="Listener", text="Two points. That must be hard to look at, after everything that you put into it."),
        Turn(
            speaker="Mira",
            text="My parents are furious, they paid for the course. I don't know how to face them at dinner tonight.",
        ),
    )
)


def _forget(model: EmbeddedModel) -> None:
    """As if the dialogue were new: nothing of an earlier turn helps."""
    engine = model.load()
    for kept in engine._kept:
        engine.drop(kept.id)
        kept.tokens = []


class Uncached(EmbeddedModel):
    """The embedded model without its shared prefix: every prompt is read from the start."""

    def load(self):
        engine = super().load()
        for kept in engine._kept:
            engine.drop(kept.id)
            kept.tokens = []
        return engine


async def turn(model: EmbeddedModel, recipe: str, **setup: Any) -> tuple[Outcome, Trace, float]:
    trace, listener = Trace(), Listener(Setup(recipe=recipe, **setup), model=model)
    started = time.perf_counter()
    outcome = await listener.answer(DIALOGUE, observers=(trace,))
    return outcome, trace, (time.perf_counter() - started) * 1000


def calls_of(outcome: Outcome) -> list[Call]:
    made = [(r, p) for p in outcome.passes for r in p.steps if r.made_in == p.number]
    audits = [call for p in outcome.passes if p.audit for call in p.audit.calls]
    return [call for record, _ in made for call in record.calls] + audits


def read_tokens(calls: list[Call]) -> int:
    return sum(call.prompt_tokens - call.cached_tokens for call in calls)


async def measure_senses(model: EmbeddedModel) -> dict[str, Any]:
    """Faces and voices are made by what stands with the tests; a copy of the package alone does not have it."""
    try:
        import senses
    except ImportError as missing:
        return {"senses": f"not measured: {missing}. Run it in a clone of the project."}
    TARGETS.update(senses.TARGETS)
    return await senses.measure(model)


def measured_apart(name: str) -> dict[str, Any]:
    """In a process of its own: its memory is measured too."""
    TARGETS.update(import_module(name).TARGETS)
    script = Path(__file__).with_name(f"{name}.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    if done.returncode:
        return {name: f"not measured: {done.stderr.strip().splitlines()[-1]}"}
    return json.loads(done.stdout)


async def median_ms(repeat: int, run: Callable[[int], Awaitable[float]]) -> float:
    return statistics.median([await run(i) for i in range(repeat)])


async def measure(repeat: int) -> dict[str, Any]:
    plain = {"ablation": {"refinements": 0}}
    model, uncached = EmbeddedModel(), Uncached()
    await turn(model, "direct")  # the models are warm from here on
    await turn(uncached, "direct")

    _forget(model)
    shared, _, _ = await turn(model, "reflective", **plain)
    alone, _, _ = await turn(uncached, "reflective", **plain)
    calls = calls_of(shared)
    later = calls[1:]
    cached = sum(call.cached_tokens for call in later) / sum(call.prompt_tokens for call in later)

    async def timed(which: EmbeddedModel, recipe: str, seed: int, **setup: Any) -> float:
        _forget(which)
        return (await turn(which, recipe, seed=seed, **setup))[2]

    first_pass = await median_ms(repeat, lambda i: timed(model, "reflective", i, **plain))
    direct = await median_ms(repeat, lambda i: timed(model, "direct", i))
    default = await median_ms(repeat, lambda i: timed(model, "heartfelt", i))
    unshared = await median_ms(repeat, lambda i: timed(uncached, "reflective", i, **plain))

    outcome, _, wall = await turn(model, "reflective", **plain)
    in_model = sum(call.ms for call in calls_of(outcome))
    recall = sum(record.ms for record in outcome.best.steps if record.step == "recall")
    by_step = {record.step: round(record.ms) for record in outcome.best.steps}
    by_step["audit"] = round(outcome.best.audit.ms) if outcome.best.audit else 0

    embedder = MiniLM()
    sentence = DIALOGUE.last.text
    embedder.embed([sentence])
    began = time.perf_counter()
    for i in range(20):
        embedder.embed([f"{sentence} {i}"])
    sentence_ms = (time.perf_counter() - began) / 20 * 1000

    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - _python_alone(uncached)
    untuned = EmbeddedModel(adapter=None)  # loaded after the memory was looked at
    await turn(untuned, "direct")
    untuned_pass = await median_ms(repeat, lambda i: timed(untuned, "reflective", i, **plain))

    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "model": model.name,
        "prompt tokens read, shared prefix / none": round(read_tokens(calls) / read_tokens(calls_of(alone)), 3),
        "prompt tokens from cache after the first step": round(cached, 3),
        "wall time, reflective's first pass / direct": round(first_pass / direct, 2),
        "wall time, shared prefix / none (reflective's first pass)": round(first_pass / unshared, 2),
        "overhead outside the models / turn": round((wall - in_model - recall) / wall, 4),
        "wall time, reflective's first pass, tuned / untuned": round(first_pass / untuned_pass, 2),
        "resident memory, MB": round(resident),
        "a turn of the default recipe, s": round(default / 1000, 2),
        "embedding a sentence, ms": round(sentence_ms, 1),
        "where the time of a first pass goes, ms": by_step,
    }
    result |= await measure_senses(model)
    await model.close()
    await uncached.close()
    await untuned.close()
    return (
        result
        | measured_apart("words")
        | measured_apart("expression")
        | measured_apart("server")
        | measured_apart("turns")
        | measured_apart("talks")
        | measured_apart("pieces")
        | measured_apart("memory")
        | measured_apart("laboratory")
    )


def _python_alone(second: EmbeddedModel) -> float:
    """The second model is only there for the comparison; its memory is not a user's."""
    before = _resident()
    second._unload()
    return max(0.0, before - _resident())


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


TARGETS: dict[str, Callable[[Any], bool]] = {
    "prompt tokens read, shared prefix / none": lambda share: share <= 0.40,
    "prompt tokens from cache after the first step": lambda share: share >= 0.70,
    "overhead outside the models / turn": lambda share: share < 0.02,
    "wall time, reflective's first pass, tuned / untuned": lambda ratio: ratio <= 1.25,
    "resident memory, MB": lambda mb: mb < 900,
    "a turn of the default recipe, s": lambda s: s <= 5,
    "embedding a sentence, ms": lambda ms: ms <= 20,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--engines", action="store_true", help="compare the engine's builds and number formats")
    options = parser.parse_args()
    if options.engines:
        from engines import compare

        result = compare()
    else:
        result = asyncio.run(measure(options.repeat))
    for name, value in result.items():
        mark = "" if name not in TARGETS else "  ✓" if TARGETS[name](value) else "  ✗ misses its target"
        print(f"{name:60} {value}{mark}")
    target = OUT.with_name("engines.json") if options.engines else OUT
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    print(
        f"saved: {target.relative_to(Path.cwd())}" if target.is_relative_to(Path.cwd()) else f"saved: {target}", file=sys.stderr
    )


if __name__ == "__main__":
    main()
