"""What a talk can teach: every step of every recipe, with the notes that it would see there.

Which lessons are taken is drawn by a seed and the talk's own id, so the same talk teaches the same in any order of work.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from heartfelt.agents import (
    AuditSteps,
    ChooseStrategy,
    FindCause,
    ForecastEmotion,
    MakePlan,
    Perceive,
    Respond,
    SetGoal,
    TellScenario,
    View,
)
from heartfelt.agents.manner import attentive
from heartfelt.evaluation.planting import STEPS, AuditCase, Faults, near_emotion, right
from heartfelt.evaluation.weak import EIGHT_TO_THREE, WeakLabels, gold, worth
from heartfelt.labels import label_set, translate
from heartfelt.models.seam import fields, one_of
from heartfelt.records import Cue, Dialogue, Evidence, Exemplar, Exemplars, Forecast, Output, Turn
from heartfelt.tuning.corpora import Talk
from heartfelt.tuning.readings import TeacherReadings
from heartfelt.tuning.scribe import Example, Scribe, verdict_form

HISTORY = 8
"""Turns before the one in question, at most: MELD's scenes and ESConv's talks are longer than a small model should read."""


@dataclass(frozen=True)
class LessonShares:
    """How many of a turn's possible lessons are taken, as a probability or, over 1, as a count."""

    recognise: float = 1.0
    recognise_again: float = 0.5
    """At the last and the first turn, which matter most, also after a scenario."""
    situation: float = 1.0
    """What the speaker wrote down beforehand, read as an opening."""
    forecast: float = 0.45
    after_cues: float = 0.5
    ekman: float = 0.28
    mead: float = 0.2
    iemocap: float = 0.12
    perceive: float = 0.35
    scenario: float = 0.12
    cause: float = 0.32
    plan: float = 1.0
    """Of a reply that is worth writing like, as the next."""
    strategy: float = 0.2
    goal: float = 0.12
    respond: float = 1.5
    """Of a reply that is worth no more and no less than another."""
    audit: float = 1.0
    revise: float = 0.25
    meld: float = 2.5
    meld_forecast: float = 2.0
    meld_other: float = 0.25
    goemotions: float = 0.85
    goemotions_other: float = 0.1


NAMES = ("Ana", "Ben", "Chris", "Dana", "Eli", "Fatima", "Grace", "Hugo", "Ines", "Jon", "Kim", "Leo", "Maya", "Noor", "Sam")
RENAMED = 0.12
"""The share of dialogues whose speakers have names of their own, as a user's file may give them."""
DOUBTFUL_CUES = 0.35
"""The share of forecasts before which the cues are read as a near feeling: the forecast must weigh them, not copy them."""


@dataclass
class TalkLessons:
    """Everything that one talk can teach."""

    scribe: Scribe
    faults: Faults
    exemplars: dict[str, list[Exemplar]]
    shares: LessonShares = field(default_factory=LessonShares)
    seed: int = 0
    readings: TeacherReadings | None = None

    def of(self, talk: Talk) -> Iterator[Example]:
        random = Random(f"{self.seed}/{talk.dialogue.split}/{talk.dialogue.id}")
        for example in self._taught(talk, random):
            row = self.readings.row(example.task, example.asked) if self.readings and example.reading < 0 else -1
            yield example if row < 0 else replace(example, reading=row)

    def _taught(self, talk: Talk, random: Random) -> Iterator[Example]:
        match talk.dialogue.split.split("/")[0]:
            case "meld":
                yield from self._meld(talk, random)
            case "goemotions":
                yield from self._single(talk, random)
            case _:
                yield from self._support(talk, random)

    # ── talks with a listener ──

    def _support(self, talk: Talk, random: Random) -> Iterator[Example]:
        yield from self._situation(talk, random)
        turns = list(golds(talk, random))
        for place, each in enumerate(turns):
            if not talk.strategies:  # ESConv names the emotion of a talk, not of its turns
                important = place in (0, len(turns) - 1)
                yield from self._emotions(each, random, important=important, last=place == len(turns) - 1)
            yield from self._steps(each, random)
            if each.plan:
                yield from self._planned(each, random)
                yield from self._replies(each, random)
                yield from self._audits(each, random)
                yield from self._revisions(each, random)

    def _situation(self, talk: Talk, random: Random) -> Iterator[Example]:
        emotion = talk.dialogue.turns[0].emotion
        if not talk.situation or not emotion:
            return
        opening = talk.dialogue.turns[0].model_copy(update={"text": talk.situation})
        view = self.scribe.view(talk.dialogue.model_copy(update={"turns": (opening,)}))
        for _ in _times(self.shares.situation, random):
            agent = ForecastEmotion(recognise=True)
            yield self.scribe.ask("recognise_situation", agent, view, {"emotion": emotion}, emotion)

    def _emotions(self, each: WeakLabels, random: Random, *, important: bool, last: bool) -> Iterator[Example]:
        shares, view = self.shares, self.scribe.view(each.dialogue)
        fine, emotion = ForecastEmotion(recognise=True), {"emotion": each.emotion}
        more = 1.5 if last else 1.0
        for _ in _times(shares.recognise, random):
            yield self.scribe.ask("recognise_ed32", fine, view, emotion, each.emotion)
        if important and _taken(shares.recognise_again * more, random):
            told = self.scribe.view(each.dialogue, each.scenario)
            yield self.scribe.ask("recognise_ed32", fine, told, emotion, each.emotion)
        if _taken(shares.forecast * (more if important else 0.5), random):
            yield self.scribe.ask("forecast_ed32", ForecastEmotion(), view, emotion, each.emotion)
        if _taken(shares.after_cues * more, random):
            row = self._reading(view, fine, emotion)
            cued = self.scribe.view(each.dialogue, self._cues_as_read(each, row, random))
            example = self.scribe.ask("forecast_ed32", ForecastEmotion(), cued, emotion, each.emotion)
            yield replace(example, reading=row)  # such cues say nothing that the words did not
        for labels, share in (("ekman", shares.ekman), ("mead", shares.mead), ("iemocap", shares.iemocap)):
            if _taken(share, random):
                yield from self._coarse(view, each.emotion, "ed32", labels)

    def _reading(self, view: View, agent: ForecastEmotion, emotion: dict[str, str]) -> int:
        if not self.readings:
            return -1
        return self.readings.row("recognise_ed32", self.scribe.ask("", agent, view, emotion).asked)

    def _cues_as_read(self, each: WeakLabels, row: int, random: Random) -> Evidence:
        """As a teacher read the turn; where none did, in a third of the cases as a near feeling."""
        if row >= 0 and self.readings:
            meaning = self.readings.drawn(row, random, self.scribe.tokens)
        elif random.random() < DOUBTFUL_CUES:
            meaning = near_emotion(each.emotion, random)
        else:
            return each.evidence
        return Evidence(cues=tuple(Cue(quote=cue.quote, meaning=meaning) for cue in each.evidence.cues))

    def _coarse(self, view: View, emotion: str, source: str, labels: str) -> Iterator[Example]:
        """The same emotion in a coarser set, where it has a place there. HIT is measured through E3RG's map."""
        found = translate(emotion, source, labels, via="e3rg" if labels == "mead" else "trace_fixed", missing="none")
        agent = ForecastEmotion(labels=labels, recognise=True)
        if found:
            yield self.scribe.ask(f"recognise_{labels}", agent, view, {"emotion": found}, found)

    def _steps(self, each: WeakLabels, random: Random) -> Iterator[Example]:
        """perceive, scenario and cause. A turn of a word or two has little to point at."""
        telling = 1.0 if len(each.dialogue.last.text.split()) > 4 else 0.25
        scribe, shares, felt = self.scribe, self.shares, _felt(each)
        if _taken(shares.perceive * telling, random):
            value = {"cues": [{"quote": cue.quote, "meaning": cue.meaning} for cue in each.evidence.cues]}
            yield scribe.ask("perceive", Perceive(), scribe.view(each.dialogue), value, str(len(each.evidence.cues)))
        if _taken(shares.scenario * telling, random):
            value = {"event": each.scenario.event}
            yield scribe.ask("scenario", TellScenario(), scribe.view(each.dialogue), value)
        if _taken(shares.cause * telling, random):
            ways = ((each.evidence, felt), (each.evidence, felt), (_felt(each, "ekman"),), (each.scenario, felt), ())
            view = scribe.view(each.dialogue, *random.choice(ways))
            value = {"spans": list(each.cause.spans), "category": each.cause.category}
            yield scribe.ask("cause", FindCause(), view, value, each.cause.category)

    def _planned(self, each: WeakLabels, random: Random) -> Iterator[Example]:
        assert each.plan and each.strategy and each.goal
        scribe, shares, felt = self.scribe, self.shares, _felt(each)
        if attentive(each.reply, each.emotion) and _taken(shares.plan, random):
            ways = ((each.evidence, felt, each.cause), (each.evidence, felt, each.cause), (each.evidence, felt), (felt,), ())
            view = scribe.view(each.dialogue, *random.choices(ways, (6, 4, 4, 1, 1))[0])
            value = each.plan.model_dump(include={"goal", "stance", "tactic", "tone"})
            yield scribe.ask("plan", MakePlan(), view, value, each.plan.tactic)
        view = scribe.view(each.dialogue, _felt(each, "ekman"), each.cause)
        three = EIGHT_TO_THREE.get(each.eight) if each.eight else each.strategy.choice
        if three and (each.eight or _taken(shares.strategy, random)):
            yield scribe.ask("strategy", ChooseStrategy(), view, {"choice": three}, three)
        if each.eight:
            form = fields(choice=one_of(label_set("esconv").labels))
            yield scribe.answer("strategy_esconv", ChooseStrategy(), view, form, {"choice": each.eight}, each.eight)
        if _taken(shares.goal, random):
            view = scribe.view(each.dialogue, each.scenario, felt, each.cause)
            yield scribe.ask("goal", SetGoal(), view, {"goal": each.goal.goal}, each.plan.goal)

    def _replies(self, each: WeakLabels, random: Random) -> Iterator[Example]:
        """The reply after the notes of one recipe or another; the first time after Heartfelt's own."""
        share = self.shares.respond * worth(each.reply, each.emotion, each.dialogue)
        for number, _ in enumerate(_times(share, random)):
            way = "heartfelt" if number == 0 else random.choices(list(_WAYS), list(_WAYS.values()))[0]
            view = self.scribe.view(each.dialogue, *self._way(way, each, random))
            yield self.scribe.reply("respond", Respond(), view, each.reply)

    def _way(self, way: str, each: WeakLabels, random: Random) -> tuple[Output | None, ...]:
        felt = _felt(each)
        match way:
            case "heartfelt":
                return each.evidence, felt, each.cause, each.plan, self._recalled(each, random.choice((0, 1)), random)
            case "reflective":
                return each.evidence, felt, each.plan, self._recalled(each, random.choice((0, 1)), random)
            case "trace":
                strategy = each.strategy
                if each.eight and strategy:
                    strategy = strategy.model_copy(update={"choice": each.eight})
                return _felt(each, "ekman"), each.cause, strategy, self._recalled(each, random.choice((0, 1, 2)), random)
            case "empatheia":
                return each.scenario, felt, each.cause, each.goal
            case "e3rg":
                return felt, self._recalled(each, random.choice((0, 1, 2)), random)
            case "fewer":
                notes = (each.evidence, felt, each.cause, each.plan)
                return tuple(output for output in notes if random.random() < 0.5)
            case _:
                return ()

    def _recalled(self, each: WeakLabels, count: int, random: Random) -> Exemplars | None:
        """Exchanges of other talks in which the same was felt."""
        pool = [
            random.choice(found) for found in (self.exemplars.get(each.emotion, ()),) * (count * 2) if found
        ]  # twice as many as needed, for some may be of this very talk
        fit = [one for one in pool if one.dialogue != each.dialogue.id and one.reply != each.reply]
        return Exemplars(found=tuple(dict.fromkeys(fit))[:count]) if count and fit else None

    def _audits(self, each: WeakLabels, random: Random) -> Iterator[Example]:
        for _ in _times(self.shares.audit if len(each.reply.split()) > 4 else 0, random):
            recipe = random.choices(list(STEPS), (0.7, 0.3))[0]
            yield audit_example(self.scribe, each, self.faults.audited(each, recipe, random))

    def _revisions(self, each: WeakLabels, random: Random) -> Iterator[Example]:
        """A step that is told that it was wrong, and does it right."""
        if not _taken(self.shares.revise, random):
            return
        step = random.choice(("perceive", "forecast", "forecast", "cause", "plan", "plan", "respond"))
        wrong, _ = self.faults.wrong(step, each, random)
        before = [right(name, each) for name in STEPS["heartfelt"][: STEPS["heartfelt"].index(step)]]
        agent = _AGENTS[step]
        view = self.scribe.mended(self.scribe.view(each.dialogue, *before), agent, wrong)
        if isinstance(agent, Respond):
            if attentive(each.reply, each.emotion):
                yield self.scribe.reply("revise", agent, view, each.reply)
        elif (value := _value(step, each)) and wrong != right(step, each):
            yield self.scribe.ask("revise", agent, view, value, step)

    # ── talks without one ──

    def _meld(self, talk: Talk, random: Random) -> Iterator[Example]:
        turns = talk.dialogue.turns
        for place, turn in enumerate(turns):
            following = turns[place + 1] if place + 1 < len(turns) else None
            for time_, _ in enumerate(_times(self.shares.meld, random)):
                view = self.scribe.view(meld_dialogue(talk, place, history=HISTORY if time_ < 2 else random.randrange(8)))
                agent = ForecastEmotion(labels="meld", recognise=True)
                yield self.scribe.ask("recognise_meld", agent, view, {"emotion": turn.emotion}, turn.emotion or "")
            view = self.scribe.view(meld_dialogue(talk, place, history=random.randrange(HISTORY + 1)))
            for labels in ("ekman", "mead", "iemocap"):
                if _taken(self.shares.meld_other, random):
                    yield from self._coarse(view, turn.emotion or "", "meld", labels)
            for time_, _ in enumerate(_times(self.shares.meld_forecast if following else 0, random)):
                listener = following.speaker if following and time_ == 0 else ""
                view = self.scribe.view(meld_dialogue(talk, place, history=HISTORY, listener=listener))
                assert following
                yield meld_forecast(self.scribe, view, following)

    def _single(self, talk: Talk, random: Random) -> Iterator[Example]:
        emotion, view = talk.dialogue.last.emotion or "", self.scribe.view(talk.dialogue)
        if _taken(self.shares.goemotions, random):
            agent = ForecastEmotion(labels="meld", recognise=True)
            yield self.scribe.ask("recognise_goemotions", agent, view, {"emotion": emotion}, emotion)
        for labels in ("mead", "iemocap"):
            if _taken(self.shares.goemotions_other, random):
                yield from self._coarse(view, emotion, "meld", labels)


_WAYS = {"heartfelt": 10, "reflective": 25, "trace": 22, "empatheia": 12, "e3rg": 12, "direct": 9, "fewer": 10}
_AGENTS: dict[str, Any] = {
    "perceive": Perceive(),
    "forecast": ForecastEmotion(),
    "cause": FindCause(),
    "plan": MakePlan(),
    "respond": Respond(),
}


def golds(talk: Talk, random: Random) -> Iterator[WeakLabels]:
    """What the speaker's turns of a talk should give, one after the other."""
    names = random.sample(NAMES, 2) if random.random() < RENAMED else None
    dialogue = _renamed(talk.dialogue, *names) if names else talk.dialogue
    for place, turn in enumerate(dialogue.turns):
        if turn.emotion is None or ((following := dialogue.turns[place + 1 : place + 2]) and following[0].emotion):
            continue  # the listener's, or one that the speaker goes on after
        told = dialogue.model_copy(update={"turns": dialogue.turns[max(0, place - HISTORY) : place + 1]})
        eight = talk.strategies[place + 1] if talk.strategies and following else ""
        yield gold(told, turn.emotion, following[0].text if following else "", eight=eight)


def _renamed(dialogue: Dialogue, speaker: str, listener: str) -> Dialogue:
    turns = tuple(
        turn.model_copy(update={"speaker": listener if turn.speaker == dialogue.listener else speaker})
        for turn in dialogue.turns
    )
    return dialogue.model_copy(update={"turns": turns, "listener": listener})


def meld_dialogue(talk: Talk, place: int, *, history: int, listener: str = "") -> Dialogue:
    """Up to the turn at `place`. The listener is the one who speaks next, where that may be known."""
    turns = talk.dialogue.turns[max(0, place - history) : place + 1]
    known = {"listener": listener} if listener and listener != turns[-1].speaker else {}
    return talk.dialogue.model_copy(update={"turns": turns, **known})


def meld_forecast(scribe: Scribe, view: View, following: Turn) -> Example:
    agent = ForecastEmotion(labels="meld", recognise=False)
    return scribe.ask("forecast_meld", agent, view, {"emotion": following.emotion}, following.emotion or "")


def audit_example(scribe: Scribe, each: WeakLabels, planted: AuditCase) -> Example:
    view = scribe.view(each.dialogue, *(record.output for record in planted.done))
    form = verdict_form(planted.verdicts)
    return scribe.answer("audit", AuditSteps(), view, form, planted.verdicts, planted.blamed or "clean")


def _felt(each: WeakLabels, labels: str = "ed32") -> Forecast:
    return Forecast(emotion=translate(each.emotion, "ed32", labels), labels=labels)


def _value(step: str, each: WeakLabels) -> dict[str, Any]:
    assert each.plan
    match step:
        case "perceive":
            return {"cues": [{"quote": cue.quote, "meaning": cue.meaning} for cue in each.evidence.cues]}
        case "forecast":
            return {"emotion": each.emotion}
        case "cause":
            return {"spans": list(each.cause.spans), "category": each.cause.category}
        case _:
            return each.plan.model_dump(include={"goal", "stance", "tactic", "tone"})


def _taken(share: float, random: Random) -> bool:
    return random.random() < share


def _times(share: float, random: Random) -> range:
    return range(int(share) + (random.random() < share - int(share)))
