"""Trials one after the other, each written down at once, so that a stopped run goes on where it was.

| file | holds |
|---|---|
| `manifest.json` | the passes, the recipe and the model that the trials are of |
| `trials.jsonl` | a line for each pass that was judged; one that failed is tried again by the next run |
| `faults.json` | the figures |
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from heartfelt.errors import UsageError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.faults.figures import AuditFigures
from heartfelt.evaluation.faults.passes import Passes
from heartfelt.evaluation.faults.trial import Trial, trial
from heartfelt.evaluation.lines import Lines
from heartfelt.listener import Listener
from heartfelt.setup import Setup
from heartfelt.version import VERSION

Told = Callable[[Trial, int, int, float], None]
"""Told of each trial: which, how many are done of how many, and the seconds that the rest will take."""


class FaultsFolder:
    def __init__(self, path: Path):
        self.path, self._files = path, RunFolder(path)
        self.lines = Lines(path / "trials.jsonl", Trial)

    def begin(self, found: Passes, setup: Setup) -> None:
        """Write down what the trials are of. A folder with trials of something else is refused; more of the same is not."""
        wanted = _identity(found, setup)
        if self._files.begun:
            held = self._files.manifest
            if {**held, "version": VERSION} != wanted:
                other = [name for name in wanted if name != "version" and held.get(name) != wanted[name]]
                names = " and ".join(other)
                raise UsageError(f"{self.path} holds trials with other {names} settings. Give another folder with --out.")
            return
        self._files.write("manifest.json", _json(wanted))

    def trials(self) -> dict[str, Trial]:
        """By item; of one that was tried again, the last."""
        return {each.item: each for each in self.lines}

    def finish(self, figures: AuditFigures) -> Path:
        return self._files.write("faults.json", _json(self._files.manifest | {"figures": figures.model_dump(mode="json")}))


async def run(folder: FaultsFolder, found: Passes, listener: Listener, told: Told | None = None) -> list[Trial]:
    """The trials of all items, in their order; only those that are not written down yet are made."""
    folder.begin(found, listener.setup)
    done = {key: each for key, each in folder.trials().items() if each.failed is None}
    open_ones = [item for item in found.items if item.id not in done]
    started = time.perf_counter()
    with folder.lines.writing() as pen:
        for number, item in enumerate(open_ones, 1):
            made = await trial(listener, item, exact=found.exact, carried=found.carried)
            pen.add(made)
            done[item.id] = made
            left = (time.perf_counter() - started) / number * (len(open_ones) - number)
            if told:
                told(made, len(found.items) - len(open_ones) + number, len(found.items), left)
    return [done[item.id] for item in found.items]


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)


def _identity(found: Passes, setup: Setup) -> dict[str, Any]:
    """What changes a trial. The limit does not: the first hundred of three hundred are the same hundred."""
    return {
        "version": VERSION,
        "passes": found.protocol.model_dump(mode="json", exclude={"limit"}) | {"carried": found.carried},
        "setup": setup.told(),
    }
