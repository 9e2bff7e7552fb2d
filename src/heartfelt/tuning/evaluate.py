"""A model measured on a held-out split, part by part. What is measured is kept, so that an interrupted measure goes on."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from heartfelt.errors import InputError
from heartfelt.files import whole
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.guided import softmax
from heartfelt.tuning.chain import as_choices
from heartfelt.tuning.measure import Told, choice_figures, chosen, closed_choice, measure_audit, option_logs
from heartfelt.tuning.replies import answered, reply_figures

CHOICES = {"ed32": "recognise", "own": "recognise", "meld": "recognise", "meld_forecast": "forecast"}
"""Evaluation sets with one closed choice a turn, and the prompt that they ask with."""
Part: TypeAlias = Callable[[], dict[str, Any]]
"""Measures something, and tells it under the names of a report."""


@dataclass(frozen=True)
class Measure:
    """What is measured of a model, and where it is kept."""

    model: EmbeddedModel
    sets: Path
    """The folder of the evaluation sets."""
    target: Path
    split: str
    turns: int
    """Of each set, at most."""
    seed: int
    told: Told
    replies: int = 0
    """Turns of EmpatheticDialogues that the whole default recipe answers; they need the `data`."""
    data: Path | None = None

    def go(self, about: dict[str, Any]) -> dict[str, Any]:
        """The report: by task, figures with their intervals; under `chosen`, what was chosen for each turn, for plots.

        `about` is all that decides the figures. Parts that were measured of the same are not measured again.
        """
        head = {"model": self.model.name, "split": self.split, "seed": self.seed, "turns": self.turns, "about": about}
        report: dict[str, Any] = kept(self.partial, about) or head | {"parts": [], "chosen": {}}
        for name, part in self._parts().items():
            if name not in report["parts"]:
                found = part()
                report["chosen"] |= found.pop("chosen", {})
                report |= found | {"parts": [*report["parts"], name]}
                _write(self.partial, report)
        _write(self.target, {name: value for name, value in report.items() if name != "parts"})
        self.partial.unlink(missing_ok=True)
        return kept(self.target, about)

    @property
    def partial(self) -> Path:
        return self.target.with_suffix(".partial.json")

    def _parts(self) -> dict[str, Part]:
        parts: dict[str, Part] = {}
        for task in CHOICES:
            if self._set(task).exists():
                parts[task] = lambda task=task: self._choice(task)
        if self._set("audit").exists():
            parts["audit"] = self._audit
        if not parts:
            raise InputError(
                f"{self.sets} has no evaluation set of the {self.split} split. Write them: heartfelt tune examples"
            )
        return parts | ({"replies": self._replies} if self.replies else {})

    def _set(self, task: str) -> Path:
        return self.sets / f"eval_{self.split}_{task}.npz"

    def _choice(self, task: str) -> dict[str, Any]:
        known = closed_choice(self._set(task), self.turns, self.seed)
        logs = option_logs(self.model.load(), known.prompts, known.options, f"{self.split} {task}", self.told)
        found = softmax(logs / self.model.calibrated.of(known.names, CHOICES[task]))
        return {task: choice_figures(found, known, plain=softmax(logs)), "chosen": {task: chosen(found, known)}}

    def _audit(self) -> dict[str, Any]:
        return {"audit": measure_audit(self.model.load(), self._set("audit"), self.turns, self.seed, self.told)}

    def _replies(self) -> dict[str, Any]:
        """The default recipe from end to end; its first forecast stands after cues that the model itself has read."""
        assert self.data
        asked = answered(self.model, self.data, split=self.split, turns=self.replies, seed=self.seed, told=self.told)
        found, known = as_choices(asked.forecasts, asked.gold)
        return {"ed32_after_cues": choice_figures(found, known), "replies": reply_figures(asked, self.data)}


def kept(path: Path, about: dict[str, Any]) -> dict[str, Any]:
    """A report of the same; empty where there is none."""
    report: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return report if report.get("about") == about else {}


def _write(path: Path, report: dict[str, Any]) -> None:
    with whole(path) as draft:
        draft.write_text(json.dumps(report, indent=1, ensure_ascii=False), "utf-8")
