"""One worker: what it has opened, and how it answers a unit. Every process has its own."""

import time
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from heartfelt.errors import EngineError, HeartfeltError, InputError, LeakError, MissingExtra, StoreError
from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, Failed, GridPlace, StepTimes, WorkUnit, told
from heartfelt.evaluation.experiments.experiment import ENDS, Condition
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.remembering import Remembering
from heartfelt.evaluation.experiments.watch import Watch, Withholding
from heartfelt.evaluation.tasks.item import Item
from heartfelt.listener import Listener
from heartfelt.memory import ExemplarStore, Memory, MiniLM, starter
from heartfelt.models import Model, open_model
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.records import Dialogue, Identity, Outcome, Performance, Turn
from heartfelt.safety.settings import Safety
from heartfelt.setup import Setup

if TYPE_CHECKING:
    from heartfelt.expression.stage import Stage

KEYFRAMES, FILM_SIZE = 4, 256
FATAL = (LeakError, EngineError, StoreError, MissingExtra)
"""What no other turn would survive: the run ends with it instead of filling up with it."""


class Workbench:
    def __init__(self, path: Path, *, threads: int | None = None):
        folder = RunFolder.existing(path)
        self.path, self.threads = path, threads
        self.experiment, self.items = folder.experiment, folder.items()
        self.watch = Watch()
        self._models: dict[str, Remembering] = {}
        self._memories: dict[str, Memory | None] = {}
        self._stages: dict[tuple[str, str], Stage] = {}
        self._heard: tuple[str, Dialogue | None] = ("", None)
        self._heard_ms = 0.0

    async def answer(self, unit: WorkUnit) -> Done:
        """All conditions of an item, one after the other, from the same clean start."""
        for model in self._models.values():
            model.forget()
        item = self.items[unit.task][unit.item]
        made = [await self._row(unit, name, item) for name in unit.conditions]
        return Done(unit=unit.key, rows=tuple(row for row, _ in made), times=tuple(times for _, times in made))

    def model(self, address: str) -> Model:
        """The model at an address, opened once."""
        if address not in self._models:
            inner = open_model(address)
            if isinstance(inner, EmbeddedModel) and self.threads:
                inner = EmbeddedModel(adapter=inner.adapter, threads=self.threads)
            self._models[address] = Remembering(inner, self.watch.call)
        return self._models[address]

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()

    async def _row(self, unit: WorkUnit, name: str, item: Item) -> tuple[AnsweredRow, StepTimes]:
        place = GridPlace(task=unit.task, model=unit.model, seed=unit.seed, condition=name)
        try:
            condition = self.experiment.conditions[name]
            outcome = await self._turn(unit, condition, item)
            row, times = told(place, item.id, outcome, self._performed(condition, outcome, item))
            sensed = {"sense": round(self._heard_ms, 1)} if self._heard[0] == item.id else {}
            return row, times.model_copy(update={"ms": sensed | times.ms})
        except FATAL:
            raise
        except Exception as error:  # noqa: BLE001 - whatever goes wrong with one turn is a row, and the others go on
            return _failed(place, item, error)

    async def _turn(self, unit: WorkUnit, condition: Condition, item: Item) -> Outcome:
        self.watch.begin(item)
        listener = Listener(self._setup(unit, condition, item), opening=self.model, memory=self._memory(unit.task))
        return await listener.answer(await self._sensed(unit, item), observers=(self.watch,))

    def _setup(self, unit: WorkUnit, condition: Condition, item: Item) -> Setup:
        asked, plan = self.experiment.tasks[unit.task], self.experiment
        end = condition.until or ENDS.get(asked.task, "")
        return Setup(
            recipe=condition.recipe,
            model=unit.model,
            voters=condition.voters,
            ablation=condition.ablation.model_copy(update={"until": end}),
            memory="none" if asked.memory == "none" else "starter",
            scored=(asked.protocol.scored,),
            identity=item.listener or Identity(),
            budget=condition.budget,
            seed=unit.seed,
            tries=plan.tries,
            timeout=plan.timeout,
            safety=Safety(on=plan.safety),
        )

    def _memory(self, task: str) -> Memory | None:
        """What is remembered for a task, opened once."""
        if task not in self._memories:
            named = self.experiment.tasks[task].memory
            opened = None if named == "none" else self._opened_memory(named, task)
            self._memories[task] = Withholding(opened, self.watch) if opened else None
        return self._memories[task]

    def _opened_memory(self, named: str, task: str) -> Memory:
        return starter(self._embedder) if named == "starter" else ExemplarStore(memory_path(self.path, task), self._embedder)

    @cached_property
    def _embedder(self) -> MiniLM:
        return MiniLM()

    async def _sensed(self, unit: WorkUnit, item: Item) -> Dialogue:
        """What was seen and heard of the turn, where its recording is there; once for all conditions."""
        clip = item.clips[-1] if item.clips else None
        source = clip and (
            clip.video if clip.video and clip.start is None else clip.audio
        )  # a film of the whole dialogue is not it
        if source is None or not source.is_file():
            return _shown(item)
        if self._heard[0] != item.id:
            began = time.perf_counter()
            self._heard = (item.id, await self._with_readings(unit, item, source))
            self._heard_ms = (time.perf_counter() - began) * 1000
        return self._heard[1] or _shown(item)

    async def _with_readings(self, unit: WorkUnit, item: Item, clip: Path) -> Dialogue:
        from heartfelt.senses.default import usual_senses  # slow to import, and few corpora come with recordings
        from heartfelt.senses.media.media import open_media

        last = item.dialogue.last
        try:
            senses = usual_senses(self.model(unit.model), keyframes=KEYFRAMES)
            impression = await senses.sense(open_media(clip), text=last.text)
        except InputError:
            return _shown(item)  # a clip that cannot be played; `data check` names it
        seen = last.model_copy(update={"readings": impression.readings, "keyframes": impression.keyframes})
        return item.dialogue.model_copy(update={"turns": (*_shown(item).turns[:-1], seen)})

    def _performed(self, condition: Condition, outcome: Outcome, item: Item) -> Performance | None:
        """The reply spoken and shown, and measured; the media themselves are not kept."""
        if condition.media == "none" or not outcome.reply:
            return None
        # slow to import, and who answers in words alone does without
        from heartfelt.expression.persona import persona_of
        from heartfelt.expression.style import style_of

        with TemporaryDirectory(prefix="heartfelt-") as folder:
            return self._stage(condition.voice, condition.face).perform(
                outcome.reply,
                style_of(outcome.best),
                persona_of(item.listener or Identity()),
                Path(folder),
                film=condition.media == "film",
            )

    def _stage(self, voice: str, face: str) -> "Stage":
        from heartfelt.expression.embedded import EmbeddedFace
        from heartfelt.expression.services.open import open_face, open_voice
        from heartfelt.expression.stage import Stage

        if (voice, face) not in self._stages:
            shown = open_face(face, embedded=lambda: EmbeddedFace(FILM_SIZE))
            self._stages[voice, face] = Stage(open_voice(voice), shown)
        return self._stages[voice, face]


def _shown(item: Item) -> Dialogue:
    """What the system sees; a written situation, where the protocol gives it, as the first thing that was said."""
    if not item.situation:
        return item.dialogue
    told = Turn(speaker=item.dialogue.last.speaker, text=item.situation)
    return item.dialogue.model_copy(update={"turns": (told, *item.dialogue.turns)})


def memory_path(run: Path, task: str) -> Path:
    """Where the memory of a task lies."""
    return run / "memory" / f"{task}.sqlite"


def _failed(place: GridPlace, item: Item, error: Exception) -> tuple[AnsweredRow, StepTimes]:
    notes = getattr(error, "__notes__", [])
    message = str(error) if isinstance(error, HeartfeltError) else f"{type(error).__name__}: {error}"
    failed = Failed(error=type(error).__name__, message=message, step=notes[0] if notes else "")
    row = AnsweredRow(place=place, item=item.id, failed=failed)
    return row, StepTimes(id=row.id, ms={})
