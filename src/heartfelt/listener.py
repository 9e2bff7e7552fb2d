"""The listener: opens what a setup names, answers dialogues, and tells its observers everything that happens."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from heartfelt.agents.audit import QUESTIONS
from heartfelt.agents.classifier import Classifier, usual_classifier
from heartfelt.agents.view import Services, View
from heartfelt.budget import Meter
from heartfelt.edits import Edit
from heartfelt.errors import BadOutput, HeartfeltError, UnknownName, UsageError
from heartfelt.events import Notice, Observer, Screened, TurnFailed, TurnFinished, TurnStarted, Wrote, to_all
from heartfelt.fusion.fuse import unsensed
from heartfelt.intake import imitates_markers, of_text
from heartfelt.memory import ExemplarStore, Memory, starter, usual_embedder
from heartfelt.models import Model, open_model
from heartfelt.pipeline import ANSWERS, changed
from heartfelt.prompts import digest, longest, readable
from heartfelt.recipes import recipe
from heartfelt.records import Alert, Audit, Dialogue, Outcome, Pass, StepRecord
from heartfelt.reflection import reflect, reflect_on
from heartfelt.reply_stream import ReplyStream
from heartfelt.safety import turn as safe_turn
from heartfelt.safety.detect.reader import Reader
from heartfelt.safety.detect.readers import open_reader
from heartfelt.safety.guard import sober
from heartfelt.safety.respond.services import known
from heartfelt.safety.screen import Screen
from heartfelt.setup import Setup
from heartfelt.version import VERSION

OnWords: TypeAlias = Callable[[str], None]
"""Gets each piece of a reply as soon as it may be said."""


class Listener:
    """Answers dialogues. Models and memory are opened once and used for every turn; close it, or use it with `async with`.

    A `model` or `memory` may be given as an object in place of the setup's address: for tests, and for back ends of one's own.
    `opening` opens the addresses that a setup names, where many listeners share their models. `reader` looks for danger in
    place of the embedded one, `classifier` tells of what kind a message is.
    """

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        model: Model | None = None,
        memory: Memory | None = None,
        observers: tuple[Observer, ...] = (),
        opening: Callable[[str], Model] | None = None,
        reader: Reader | None = None,
        classifier: Classifier | None = None,
    ):
        self.setup = setup or Setup()
        self.recipe = recipe(self.setup.recipe).ablated(self.setup.ablation)
        self._pipeline = self.recipe.pipeline(self.setup.plants)
        self._observers = observers
        opening = opening or open_model
        self.model = model or opening(self.setup.model)
        opened = {address: opening(address) for address in {*self.setup.ablation.models.values(), *self.setup.voters}}
        self._opened = opened
        self._screen = self._opened_screen(reader, opening)
        self._memory = memory
        self._opened_memory = False
        self._embedder = usual_embedder()
        self._classifier = classifier or usual_classifier()
        self._needs_memory = memory is None and "recall" in self.recipe.step_names

    async def __aenter__(self) -> "Listener":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        guard = self._screen.guard if self._screen else None
        for model in (self.model, *self._opened.values(), *filter(None, [guard])):
            await model.close()
        if isinstance(self._memory, ExemplarStore) and self._opened_memory:
            self._memory.close()

    async def answer(
        self,
        dialogue: Dialogue,
        *,
        observers: tuple[Observer, ...] = (),
        on_words: OnWords | None = None,
        aloud: bool = False,
    ) -> Outcome:
        """The whole turn. `on_words` gets the words of the reply as they may be said, to show them or, `aloud`, to speak them:
        then nothing is tried that would leave whoever listens in silence after the first sentence."""
        return await self._turn(dialogue, observers, _Begun(aloud=aloud), on_words)

    async def read_ahead(self, dialogue: Dialogue, *, whole: bool = True) -> None:
        """Read for danger and begin to write while it is not sure yet that the person has finished. Whoever then asks finds it
        half done; nobody is told of it, and whoever cancels it or asks for something else calls it off. What is not `whole`,
        since they still speak, is only read."""
        if self._screen is not None:
            await self._screen.read_ahead(dialogue)
        view = View(unsensed(dialogue, self.setup.ablation.unsensed), self._services(to_all(()), ReplyStream()))
        for step in self.recipe.steps:
            await step.begin(view, whole=whole)

    async def answer_again(
        self,
        dialogue: Dialogue,
        made: Pass,
        *,
        start: str | None = None,
        edits: tuple[Edit, ...] = (),
        observers: tuple[Observer, ...] = (),
    ) -> Outcome:
        """The turn again from `start`, keeping what `made` has before it. An edited step is kept as edited.

        A step that the turn had left out is made, and then set. With edits, another reply than that of `made` is wanted.
        """
        view = View(dialogue, Services(model=self.model, emit=to_all(()), meter=Meter(self.setup.budget)))
        self._refuse_edits(view, made, edits)
        kept = self._edited(view, made, edits)
        if edits:
            start = self._start_after(made, edits, start)
        begun = _Begun(start=start, kept=kept if start else (), edits=edits, instead_of=made.reply if edits else "")
        return await self._turn(dialogue, observers, begun)

    async def reflect_on(
        self, dialogue: Dialogue, made: tuple[StepRecord, ...], *, observers: tuple[Observer, ...] = ()
    ) -> Outcome:
        """Audit a pass that was made elsewhere, mend what is blamed, and choose the best of that history."""
        return await self._turn(dialogue, observers, _Begun(made=made))

    async def carried_on(self, dialogue: Dialogue, made: tuple[StepRecord, ...], *, after: str) -> Pass:
        """What the steps after `after` make of those before, which were made elsewhere. Nobody audits it."""
        names = self.recipe.step_names
        if after not in names:
            raise UnknownName("step", after, names, where=f"the recipe '{self.recipe.name}'")
        if after == names[-1]:
            return Pass(number=0, started_from=after, steps=made)
        view = View(unsensed(dialogue, self.setup.ablation.unsensed), self._services(to_all(()), ReplyStream()))
        return await self._pipeline.run(view, start=names[names.index(after) + 1], kept=made)

    async def verdicts(self, dialogue: Dialogue, made: tuple[StepRecord, ...]) -> Audit:
        """What the audit says of a pass. Nothing is mended, and code checks nothing again: the findings are those given."""
        if self.recipe.audit is None:
            raise UsageError(f"The recipe '{self.recipe.name}' has no audit. Use one that has: heartfelt or reflective.")
        view = View(unsensed(dialogue, self.setup.ablation.unsensed), self._services(to_all(()), ReplyStream()), done=made)
        return await self.recipe.audit.judge(view)

    def _refuse_edits(self, view: View, made: Pass, edits: tuple[Edit, ...]) -> None:
        steps = {step.name: step for step in self.recipe.steps}
        names, had = self.recipe.step_names, {record.step for record in made.steps}
        for edit in edits:
            if edit.step not in names:
                raise UnknownName("step", edit.step, names, where=f"the recipe '{self.recipe.name}'")
            if edit.step == names[-1]:
                raise UsageError(f"Nothing comes after '{names[-1]}': an edit there changes nothing.")
            if edit.step not in had and not steps[edit.step].can_run(view):
                raise UsageError(f"{self.model.name} cannot do '{edit.step}', so there is nothing to edit. Edit another step.")

    def _edited(self, view: View, made: Pass, edits: tuple[Edit, ...]) -> tuple[StepRecord, ...]:
        """The steps of `made` as edited."""
        steps = {step.name: step for step in self.recipe.steps}
        done: tuple[StepRecord, ...] = ()
        for record in made.steps:
            own = tuple(edit for edit in edits if edit.step == record.step)
            seen = replace(view, done=done)
            done = (*done, changed(record, steps[record.step], seen, own, edited=True) if own else record)
        return done

    def _start_after(self, made: Pass, edits: tuple[Edit, ...], start: str | None) -> str:
        """Right after what was edited; at the first step that is edited but has yet to be made, if that comes before."""
        names, had = self.recipe.step_names, {record.step for record in made.steps}
        places = sorted({names.index(edit.step) for edit in edits})
        kept, unmade = ([at for at in places if (names[at] in had) is known] for known in (True, False))
        if start is None:
            return names[min([*unmade, *(at + 1 for at in kept[-1:])])]
        if start in names and kept and names.index(start) <= kept[-1]:
            raise UsageError(f"The edit is on '{names[kept[-1]]}', which '--from {start}' would make again. Start later.")
        if start in names and unmade and unmade[0] < names.index(start):
            raise UsageError(
                f"The turn had left out '{names[unmade[0]]}', and '--from {start}' would not make it. Start there."
            )
        return start

    async def _turn(
        self, dialogue: Dialogue, observers: tuple[Observer, ...], begun: "_Begun", on_words: OnWords | None = None
    ) -> Outcome:
        """A turn, from whatever it starts with, while the observers are told of it."""
        emit = to_all((*self._observers, *observers))
        dialogue = unsensed(dialogue, self.setup.ablation.unsensed)
        emit(self._started(dialogue))
        for text in self._notices(dialogue):
            emit(Notice(text=text))
        try:
            outcome = await self._outcome(dialogue, emit, begun, on_words)
        except BaseException as error:
            emit(_failure(error))
            raise
        emit(TurnFinished.of(outcome))
        return outcome

    async def _outcome(self, dialogue: Dialogue, emit: Observer, begun: "_Begun", on_words: OnWords | None) -> Outcome:
        """Screened before the first step, guarded after the last."""
        tell = partial(_tell, emit, on_words)
        if self._screen is None:
            view = begun.view(dialogue, self._services(emit, ReplyStream(tell, aloud=begun.aloud)))
            return await self._reflected(view, begun)
        alert = await self._screen.look(dialogue)
        emit(Screened(alert=alert))
        if alert.state:
            outcome = await self._in_danger(self._screen, alert, View(dialogue, self._services(emit, ReplyStream(tell))))
        else:
            stream = ReplyStream(tell, safe_turn.held_back(dialogue), aloud=begun.aloud)
            view = begun.view(dialogue, self._services(emit, stream, alert.unease))
            outcome = await self._guarded(await self._reflected(view, begun), view)
        return outcome.model_copy(update={"alert": alert})

    async def _reflected(self, view: View, begun: "_Begun") -> Outcome:
        pipeline, reflection = self._pipeline, self.recipe.reflection
        if begun.made is not None:
            return await reflect_on(pipeline, reflection, view, begun.made)
        return await reflect(pipeline, reflection, view, start=begun.start, kept=begun.kept)

    async def _in_danger(self, screen: Screen, alert: Alert, view: View) -> Outcome:
        words = await screen.words(alert, view.dialogue)
        return safe_turn.in_danger(alert, view, country=self.setup.safety.country, words=words)

    async def _guarded(self, outcome: Outcome, view: View) -> Outcome:
        if not outcome.reply:
            return outcome

        async def again(made: Pass, instruction: str) -> Pass:
            again = replace(view, number=len(outcome.passes), instruction=instruction)
            return await self._pipeline.run(again, start=ANSWERS, kept=made.steps, before=made)

        return await safe_turn.guarded(outcome, view, again)

    def _opened_screen(self, reader: Reader | None, opening: Callable[[str], Model]) -> Screen | None:
        safety = self.setup.safety
        known(safety.country)
        if not safety.on:
            return None
        return Screen(safety, reader or open_reader(safety.reader), opening(safety.guard) if safety.guard else None)

    def _started(self, dialogue: Dialogue) -> TurnStarted:
        audits = self.recipe.audit is not None
        return TurnStarted(
            version=VERSION,
            setup=self.setup.told(),
            dialogue=dialogue,
            dialogue_hash=digest(dialogue.model_dump_json()),
            steps=self.recipe.step_names,
            audited=tuple(step.name for step in self.recipe.steps if step.name in QUESTIONS) if audits else (),
            model=self.model.name,
        )

    def _notices(self, dialogue: Dialogue) -> list[str]:
        notices: list[str] = []
        if why := getattr(self.model, "instead", ""):
            notices.append(f"The small model answers in place of the large one. {why}")
        if len(dialogue.last.text) > (room := longest(self.model.capabilities.context)):
            notices.append(
                f"The last message has more than {room:,} characters: {self.model.name} reads how it begins and ends."
            )
        unread = len(dialogue.turns) - len(readable(dialogue, self.model.capabilities.context))
        if unread:
            notices.append(f"The dialogue is longer than {self.model.name} can read: the first {unread} turns are left out.")
        if dialogue.keyframes and not self.model.capabilities.images and not dialogue.last.readings:
            notices.append(f"{self.model.name} cannot see pictures; they are left out.")
        if any(imitates_markers(words) for turn in dialogue.turns for words in (turn.speaker, turn.text)):
            notices.append("The text imitates prompt markers; they are read as plain words.")
        return notices

    def _services(self, emit: Observer, reply: ReplyStream, unease: float = 0.0) -> Services:
        setup = self.setup
        if self._needs_memory:
            self._memory, self._needs_memory, self._opened_memory = open_memory(setup.memory), False, True
        return Services(
            model=self.model,
            emit=emit,
            meter=Meter(setup.budget),
            reply=reply,
            memory=self._memory,
            embedder=self._embedder,
            classifier=self._classifier,
            models={step: self._opened[address] for step, address in setup.ablation.models.items()},
            voters=tuple(self._opened[address] for address in setup.voters),
            scored=frozenset(setup.scored),
            identity=setup.identity,
            temperature=setup.ablation.temperature,
            seed=setup.seed,
            tries=setup.tries,
            timeout=setup.timeout,
            forbidden=sober.problems(unease) if setup.safety.on else None,
        )


@dataclass(frozen=True)
class _Begun:
    """What a turn starts with."""

    start: str | None = None
    """The step, where it is not the first."""
    kept: tuple[StepRecord, ...] = ()
    """What stands before it."""
    made: tuple[StepRecord, ...] | None = None
    """A whole pass that was made elsewhere: it is audited first, and nothing is run before that."""
    edits: tuple[Edit, ...] = ()
    instead_of: str = ""
    aloud: bool = False

    def view(self, dialogue: Dialogue, services: Services) -> View:
        return View(dialogue, services, edits=self.edits, instead_of=self.instead_of)


def _tell(emit: Observer, on_words: OnWords | None, number: int, piece: str) -> None:
    emit(Wrote(number=number, piece=piece))
    if on_words is not None:
        on_words(piece)


def respond(said: str | Dialogue, **setup: Any) -> Outcome:
    """Answer a text or a dialogue, once: `respond("I failed my exam.", recipe="trace").reply`."""

    async def once() -> Outcome:
        async with Listener(Setup(**setup)) as listener:
            return await listener.answer(said if isinstance(said, Dialogue) else of_text(said))

    return asyncio.run(once())


def open_memory(name: str) -> Memory | None:
    if name == "none":
        return None
    embedder = usual_embedder()
    if name == "starter":
        return starter(embedder)
    if not Path(name).is_file():
        raise UsageError(f"There is no memory at {name}. Build one with: heartfelt memory build FILE --to {name}")
    return ExemplarStore(Path(name), embedder)


def _failure(error: BaseException) -> TurnFailed:
    if not isinstance(error, HeartfeltError):
        known = isinstance(error, KeyboardInterrupt | asyncio.CancelledError)
        return TurnFailed(error=type(error).__name__, message="The turn was interrupted." if known else str(error))
    notes = getattr(error, "__notes__", [])
    raw = error.raw if isinstance(error, BadOutput) else ""
    return TurnFailed(error=type(error).__name__, message=str(error), step=notes[0] if notes else "", raw=raw)
