"""Planted faults: passes in which a known step is wrong, and clean ones, to teach and to measure the audit.

A fault is planted into one or two steps and nothing after it is made again, so the verdict of every other step stays `right`
and the earliest wrong one is to blame.

- perceive: a cue that nobody said, or cues read as a feeling that they do not show.
- forecast: another emotion; half of them of another coarse class, half near.
- cause: words of another talk, or a category that fits the other side.
- plan: the plan of someone who feels the opposite, whole or in part.
- respond: a reply from another talk, from a talk of the opposite feeling, or one that says nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from heartfelt.agents.manner import telling
from heartfelt.agents.perceive import MOST_PIECES
from heartfelt.agents.plan import UNFIT_FOR_JOY, UNFIT_FOR_PAIN
from heartfelt.agents.quotes import pieces, said
from heartfelt.evaluation.weak import WeakLabels, coarse, leaning
from heartfelt.labels import affect, label_set
from heartfelt.records import Cause, Cue, Evidence, Forecast, Output, Plan, Reply, StepRecord

STEPS = {
    "heartfelt": ("perceive", "forecast", "cause", "plan", "respond"),
    "reflective": ("perceive", "forecast", "plan", "respond"),
}
"""The steps that each recipe's audit judges, in order."""
CLEAN, TWO_FAULTS = 0.45, 0.15
"""Shares of the passes without a fault, and with two."""
VARIED = 0.25
"""The share of right outputs that differ from the rule's own: a good plan is not the only one."""

GENERIC = (
    "Okay, thank you for letting me know about that.",
    "I see. Let me know if there is anything else.",
    "That is interesting. What else is new with you?",
    "Sure, sounds good to me. Have a nice day.",
    "Alright then, anything else you want to talk about?",
    "I do not really have an opinion about that.",
    "Well, that is just how things are, I suppose.",
    "Right. I have to get back to what I was doing.",
    "Many people say things like that all the time.",
    "Cool. By the way, did you see the game last night?",
    "I am not sure what you want me to say.",
    "Hello there! How can I help you today?",
)


@dataclass(frozen=True)
class AuditCase:
    """A pass as the audit sees it, and what it should say."""

    done: tuple[StepRecord, ...]
    verdicts: dict[str, str]
    kinds: tuple[str, ...]
    """What was planted, `step: how`; empty for a clean pass."""

    @property
    def blamed(self) -> str | None:
        return next((step for step, verdict in self.verdicts.items() if verdict == "wrong"), None)


@dataclass(frozen=True)
class Faults:
    """Makes wrong outputs, out of other talks of the same split."""

    others: tuple[WeakLabels, ...]
    _by_side: dict[int, list[WeakLabels]]
    _by_emotion: dict[str, list[WeakLabels]]

    @classmethod
    def of(cls, others: Iterable[WeakLabels]) -> "Faults":
        answered = tuple(gold for gold in others if gold.plan)
        sides: dict[int, list[WeakLabels]] = {}
        emotions: dict[str, list[WeakLabels]] = {}
        for each in answered:
            sides.setdefault(leaning(each.emotion), []).append(each)
            emotions.setdefault(each.emotion, []).append(each)
        return cls(answered, sides, emotions)

    def audited(self, gold: WeakLabels, recipe: str, random: Random) -> AuditCase:
        """A clean pass or one with faults, by the shares above."""
        steps, drawn = STEPS[recipe], random.random()
        count = 0 if drawn < CLEAN else 2 if drawn > 1 - TWO_FAULTS else 1
        faulty = sorted(random.sample(steps, count), key=steps.index)
        outputs = {step: self.varied(step, gold, random) for step in steps}
        kinds: list[str] = []
        for step in faulty:
            outputs[step], how = self.wrong(step, gold, random)
            kinds.append(f"{step}: {how}")
        done = tuple(StepRecord(step=step, made_in=0, output=output) for step, output in outputs.items())
        return AuditCase(done, {step: "wrong" if step in faulty else "right" for step in steps}, tuple(kinds))

    def varied(self, step: str, gold: WeakLabels, random: Random) -> Output:
        """What the step should have made, or now and then what it might have made as well: other words that were said, the
        stance and tone of another plan for the same emotion."""
        output = right(step, gold)
        if random.random() >= VARIED:
            return output
        if isinstance(output, Evidence):
            quotable = pieces(gold.dialogue.last.text)[-MOST_PIECES:]
            return Evidence(cues=(Cue(quote=random.choice(quotable), meaning=gold.emotion),))
        if isinstance(output, Plan) and (other := random.choice(self._by_emotion.get(gold.emotion) or [gold]).plan):
            return output.model_copy(update={"stance": other.stance, "tone": other.tone})
        return output

    def wrong(self, step: str, gold: WeakLabels, random: Random) -> tuple[Output, str]:
        """A wrong output of the step, and what is wrong with it."""
        match step:
            case "perceive":
                return self._evidence(gold, random)
            case "forecast":
                emotion, how = other_emotion(gold.emotion, random)
                return Forecast(emotion=emotion, labels="ed32"), how
            case "cause":
                return self._cause(gold, random)
            case "plan":
                return self._plan(gold, random)
            case _:
                return self._reply(gold, random)

    def _evidence(self, gold: WeakLabels, random: Random) -> tuple[Evidence, str]:
        if random.random() < 0.4:
            quote = self._foreign(gold, random).evidence.cues[0].quote
            cues = [*gold.evidence.cues]
            cues[random.randrange(len(cues))] = Cue(quote=quote, meaning=gold.emotion)
            return Evidence(cues=tuple(cues)), "ungrounded"
        meaning = far_emotion(gold.emotion, random)
        return Evidence(cues=tuple(Cue(quote=cue.quote, meaning=meaning) for cue in gold.evidence.cues)), "misread"

    def _cause(self, gold: WeakLabels, random: Random) -> tuple[Cause, str]:
        if random.random() < 0.6:
            other = self._foreign(gold, random).cause
            category = gold.cause.category if random.random() < 0.5 else other.category
            return Cause(spans=other.spans[:1], category=category), "ungrounded"
        labels = {each.cause.category for each in self._opposite(gold)} - {gold.cause.category}
        unlike = _UNLIKE.get(gold.cause.category, ())
        options = sorted(label for label in labels if label in unlike) or sorted(labels) or [_any_other(gold.cause.category)]
        return gold.cause.model_copy(update={"category": random.choice(options)}), "category"

    def _plan(self, gold: WeakLabels, random: Random) -> tuple[Plan, str]:
        assert gold.plan is not None
        other = self._different_plan(gold, random)
        if random.random() < 0.3:
            return gold.plan.model_copy(update={"goal": other.goal, "tactic": other.tactic}), "partly of the opposite"
        return other, "of the opposite"

    def _different_plan(self, gold: WeakLabels, random: Random) -> Plan:
        """Of someone on the other side, and really another one: both sides may ask a question."""
        assert gold.plan is not None
        for _ in range(20):
            plan = random.choice(self._opposite(gold)).plan
            if plan and plan.goal != gold.plan.goal and plan.tactic != gold.plan.tactic and _marked(plan, gold.emotion):
                return plan
        hurts = leaning(gold.emotion) < 0
        given = ("celebrate", "admirer", "sharing the joy", "playful") if hurts else ("comfort", "witness", *_FOR_PAIN)
        return Plan(goal=given[0], stance=given[1], tactic=given[2], tone=given[3])

    def _reply(self, gold: WeakLabels, random: Random) -> tuple[Reply, str]:
        drawn = random.random()
        if drawn < 0.15:
            return Reply(text=random.choice(GENERIC)), "generic"
        if drawn < 0.5 and leaning(gold.emotion):
            return Reply(text=self._foreign(gold, random, self._opposite(gold)).reply), "of the opposite"
        return Reply(text=self._foreign(gold, random).reply), "foreign"

    def _opposite(self, gold: WeakLabels) -> list[WeakLabels] | tuple[WeakLabels, ...]:
        side = leaning(gold.emotion)
        return self._by_side.get(-side or -1) or self.others

    def _foreign(
        self, gold: WeakLabels, random: Random, among: "list[WeakLabels] | tuple[WeakLabels, ...] | None" = None
    ) -> WeakLabels:
        """Another talk whose reply has words of its own, none of them of this talk."""
        talk = "\n".join(turn.text for turn in gold.dialogue.turns)
        here, found = telling(f"{talk} {gold.reply}"), gold
        for _ in range(30):
            found = random.choice(among or self.others)
            words = telling(found.reply)
            apart = found.dialogue.id != gold.dialogue.id and not said(found.evidence.cues[0].quote, talk)
            if apart and len(words) >= 2 and not words & here and not said(found.cause.spans[0], talk):
                break
        return found


def right(step: str, gold: WeakLabels) -> Output:
    """What the step should have made."""
    assert gold.plan is not None
    match step:
        case "perceive":
            return gold.evidence
        case "forecast":
            return Forecast(emotion=gold.emotion, labels="ed32")
        case "cause":
            return gold.cause
        case "plan":
            return gold.plan
        case _:
            return Reply(text=gold.reply)


def other_emotion(emotion: str, random: Random) -> tuple[str, str]:
    return (far_emotion(emotion, random), "far") if random.random() < 0.5 else (near_emotion(emotion, random), "near")


def far_emotion(emotion: str, random: Random) -> str:
    """Of another coarse class, and on the other side where there is one."""
    others = [label for label in label_set("ed32").labels if coarse(label) != coarse(emotion)]
    opposite = [label for label in others if leaning(label) * leaning(emotion) < 0]
    return random.choice(opposite or others)


def near_emotion(emotion: str, random: Random) -> str:
    """One of the four that lie nearest, of the same coarse class where it has others."""
    here = affect(emotion)
    others = [label for label in label_set("ed32").labels if label != emotion]
    same = [label for label in others if coarse(label) == coarse(emotion)] or others

    def distance(label: str) -> float:
        there = affect(label)
        return (here.valence - there.valence) ** 2 + (here.arousal - there.arousal) ** 2

    return random.choice(sorted(same, key=distance)[:4])


_MARKS_OF_JOY = UNFIT_FOR_PAIN | {"connect"}
_MARKS_OF_PAIN = UNFIT_FOR_JOY | {"reassure", "gentle", "tender", "witness", "ally", "steady"}
_FOR_PAIN = ("naming what was hard", "tender")
_UNLIKE = {
    "Social Connection & Affection": ("Threat & Potential Danger", "Conflict & Injustice"),
    "Conflict & Injustice": ("Achievement & Success", "Social Connection & Affection"),
    "Loss & Failure": ("Achievement & Success", "Unexpectedness & Novelty"),
    "Achievement & Success": ("Loss & Failure", "Threat & Potential Danger", "Conflict & Injustice"),
    "Threat & Potential Danger": ("Achievement & Success", "Social Connection & Affection"),
    "Unexpectedness & Novelty": ("Conflict & Injustice", "Loss & Failure"),
}


def _marked(plan: Plan, emotion: str) -> bool:
    """Whether a plan shows, by two choices, that it was made for the other side."""
    marks = _MARKS_OF_JOY if leaning(emotion) < 0 else _MARKS_OF_PAIN
    return len({plan.goal, plan.stance, plan.tactic, plan.tone} & marks) >= 2


def _any_other(category: str) -> str:
    return next(label for label in label_set("trace_causes").labels if label != category)
