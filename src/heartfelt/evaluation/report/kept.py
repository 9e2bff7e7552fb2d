"""Results whose runs are made once: each figure, interval, test and slice asks for the same ones again."""

from pydantic import ValidationError

from heartfelt.errors import DamagedError
from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.results import Results, Whose, labels_of
from heartfelt.evaluation.metrics.metric import Metric
from heartfelt.evaluation.metrics.run import Run


class KeptResults(Results):
    def __init__(self, folder: RunFolder):
        try:
            super().__init__(folder)
        except ValidationError as error:
            where = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise DamagedError(f"{folder.path}/experiment.json is damaged at {where}: {error.errors()[0]['msg']}.") from error
        self._refuse_strangers()
        self._runs: dict[tuple[GridPlace, str, Whose, frozenset[str] | None], Run] = {}

    def _refuse_strangers(self) -> None:
        """A row whose item is not written down has no gold, and nothing to be measured against."""
        for row in (row for place in self.places for row in self.answered(place)):
            if row.item not in self.items.get(row.place.task, {}):
                raise DamagedError(
                    f"{self.folder.path}/items.jsonl is damaged: it lacks '{row.item}', which was answered. "
                    "Start again in another folder."
                )

    def run(
        self, place: GridPlace, metric: Metric | None = None, of: Whose = "speaker", *, among: set[str] | None = None
    ) -> Run:
        whole = among is not None and all(row.item in among for row in self.answered(place) if row.failed is None)
        wanted = None if among is None or whole else frozenset(among)
        key = (place, labels_of(metric) if metric else "", of, wanted)
        if key not in self._runs:
            self._runs[key] = super().run(place, metric, of, among=set(wanted) if wanted is not None else None)
        return self._runs[key]
