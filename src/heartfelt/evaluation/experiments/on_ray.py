"""Units on a Ray cluster, or on this machine through Ray: the same workers, each an actor, over the same units.

What is done is written down by the process that asks, as with the local engine, so a run may be begun here and finished there.
The run's folder must be readable from every node.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heartfelt.errors import MissingExtra
from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.workbench import Workbench
from heartfelt.recipes import load_own


class RayWorker:
    """What Ray Data puts into each of its processes."""

    def __init__(self, path: str):
        load_own()
        self._bench, self._runner = Workbench(Path(path), threads=1), asyncio.Runner()

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        units = (WorkUnit.model_validate_json(each) for each in batch["unit"])
        return {"done": [self._runner.run(self._bench.answer(unit)).model_dump_json() for unit in units]}


def answer_on_ray(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
    """Each unit as it gets done, from as many actors as there are slots."""
    try:
        import ray
        from ray import data
    except ImportError as error:
        raise MissingExtra("The engine 'ray'", "ray") from error
    if not units:
        return
    started = not ray.is_initialized()
    if started:  # the cluster that RAY_ADDRESS names, or one on this machine
        own: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": slots, "include_dashboard": False}
        ray.init(log_to_driver=False, configure_logging=False, **own)
    try:
        rows = data.from_items([{"unit": unit.model_dump_json()} for unit in units], override_num_blocks=len(units))
        done = rows.map_batches(
            RayWorker,
            fn_constructor_args=(str(path.resolve()),),
            batch_size=1,
            compute=data.ActorPoolStrategy(size=min(slots, len(units))),
        )
        for row in done.iter_rows():
            yield Done.model_validate_json(row["done"])
    finally:
        if started:
            ray.shutdown()
