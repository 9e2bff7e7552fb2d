"""Drafts and plain replies side by side: the best mark wins, a plain one is never late, and other languages are told so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from heartfelt import Budget
from heartfelt.agents import ForecastEmotion, Respond
from heartfelt.agents.audit import ACCEPTABLE, AuditSteps
from heartfelt.agents.bank import OFFERED, UNKNOWING, replies
from heartfelt.agents.respond import BASE, HELD, MARKED, VARIED, WEIGHED, WRITTEN
from heartfelt.edits import Edit
from heartfelt.errors import ModelTimeout
from heartfelt.events import Event, Notice, Wrote
from heartfelt.memory import HashEmbedder
from heartfelt.models import Capabilities, Completion, Request, Scripted
from heartfelt.records import Dialogue, Draft, Forecast, Plan, Readings, Reply, Sensed, Situation, StepRecord, Turn
from scripts import COMPACT, Telling, fine, turn, view_of

ASKED = Situation(message="question", distribution={"question": 0.9, "worry": 0.1})
LOSS = Situation(message="loss", distribution={"loss": 0.9, "mixed": 0.1})
ASKS = Plan(goal="explore", stance="ally", tactic="asking an open question", tone="gentle")
DRAFT = "It must have hurt to be mocked by your own father."
BANK = {reply.text: reply for reply in replies()}
HEARTFELT = Respond(sentences=3, hears=False, plain=True)


class Marking(Scripted):
    """Marks its one draft, the first plain reply and the others; thinks nothing of its few words, unless told otherwise."""

    def __init__(self, draft: float, first: float, rest: float = 1.0, *, late: bool = False, **answers: Any):
        capabilities = Capabilities(profile="compact", drafts=True, marks=True)
        script = COMPACT | {"understand": {"kind": "loss", "feeling": "sad"}, "audit": fine} | answers
        super().__init__(script, capabilities=capabilities)
        self.draft, self.first, self.rest, self.late = draft, first, rest, late

    async def complete(self, request: Request) -> Completion:
        made = await super().complete(request)
        if request.purpose != "respond":
            return made
        if self.late:
            raise ModelTimeout("It took too long.")
        if request.marked:
            return made.model_copy(update={"text": DRAFT, "drafts": (Draft(text=DRAFT, likely=-1.0, mark=1.0),)})
        marks = [self.first, *[self.rest] * len(request.offered)]
        given = [Draft(text=t, mark=m, source="bank") for t, m in zip(request.offered, marks, strict=False)]
        written = [Draft(text=DRAFT, likely=-1.0, mark=self.draft)] * request.drafts
        return made.model_copy(update={"text": DRAFT, "drafts": (*written, *given)})


async def said(model: Marking, *done: object, events: list[Event] | None = None, **view: object) -> StepRecord:
    seen = view_of(ASKED, *done, model=model, events=events, embedder=HashEmbedder(), **view)  # type: ignore[arg-type]
    return await HEARTFELT.run(replace(seen, number=1))


def words(record: StepRecord) -> str:
    assert isinstance(record.output, Reply)
    return record.output.text


async def test_the_best_mark_wins_whoever_wrote_it():
    assert words(await said(Marking(4.0, 3.0))) == DRAFT
    plain = words(await said(Marking(2.0, 3.0)))
    assert BANK[plain].kind in ("question", "worry")


async def test_all_that_could_have_been_said_stands_in_the_trace_and_the_words_come_once():
    events: list[Event] = []
    record = await said(Marking(4.0, 3.0), events=events)
    (call,) = record.calls
    assert {draft.source for draft in call.drafts} == {"written", "bank"} and call.raw == DRAFT
    assert [event.piece for event in events if isinstance(event, Wrote)] == [DRAFT]


async def test_a_plan_of_the_small_model_does_not_overrule_a_mark():
    assert words(await said(Marking(4.0, 3.0), ASKS)) == DRAFT, "though it asks nothing"


async def test_longer_drafts_are_written_where_a_reply_was_found_wanting():
    for situation in (ASKED, LOSS):
        model = Marking(4.0, 3.0)
        await HEARTFELT.run(replace(view_of(situation, model=model, embedder=HashEmbedder()), number=1))
        (request,) = model.asked("respond")
        assert request.drafts == 2 and len(request.offered) == OFFERED and "Feeling" not in request.messages[-1].text


class Sure(Telling):
    """Thinks every other feeling hardly possible."""

    def __init__(self) -> None:
        super().__init__()
        shares = {each: 0.997 if each == "sad" else 0.003 / 31 for each in self.told.feelings}
        self.told = self.told._replace(feelings=shares)


class Liking(Telling):
    """Likes only replies that ask something back."""

    def marks(self, dialogue: Dialogue, replies: Sequence[str]) -> list[float]:
        return [5.0 if reply.endswith("?") else 1.0 for reply in replies]


async def test_where_few_words_promise_little_a_plain_reply_is_chosen_by_the_classifier():
    model = Marking(4.0, 3.0)
    record = await HEARTFELT.run(view_of(LOSS, model=model, embedder=HashEmbedder(), classifier=Liking()))
    own, call = record.calls
    assert own.error and call.model == "telling" and len(call.drafts) == WEIGHED
    assert words(record).endswith("?") and BANK[words(record)].kind in ("loss", "mixed")
    marks = {draft.text: draft.mark or 0.0 for draft in call.drafts}
    assert max(marks.values()) - marks[words(record)] < VARIED + HELD


UNSURE = Situation(message="wrong", distribution={"wrong": 0.4, "good": 0.35, "bad": 0.25})


class Wary(Telling):
    """Finds no reply good."""

    def marks(self, dialogue: Dialogue, replies: Sequence[str]) -> list[float]:
        return [1.0] * len(replies)


async def test_where_nobody_can_say_what_a_message_is_the_reply_supposes_nothing():
    record = await HEARTFELT.run(view_of(UNSURE, model=Marking(4.0, 3.0), embedder=HashEmbedder(), classifier=Wary()))
    *_, call = record.calls
    assert not BANK[words(record)].kind
    assert words(record) == call.drafts[-1].text and len(call.drafts) == WEIGHED + 1, "beside what else could have been said"


@pytest.mark.parametrize(
    ("said", "known"), [("How do I get candle wax out of a tablecloth?", False), ("I asked her twice.", True)]
)
async def test_a_question_for_which_few_words_promise_little_is_told_that_nobody_knows(said: str, known: bool):
    asked = Situation(message="question", distribution={"question": 0.95, "chat": 0.05})
    view = view_of(
        asked,
        dialogue=Dialogue(turns=(Turn(speaker="User", text=said),)),
        model=Marking(4.0, 3.0),
        embedder=HashEmbedder(),
        classifier=Liking(),
    )
    assert (words(await HEARTFELT.run(view)) not in UNKNOWING) == known


async def test_a_reply_that_promises_much_is_said_though_the_kind_is_unsure():
    record = await HEARTFELT.run(view_of(UNSURE, model=Marking(4.0, 3.0), embedder=HashEmbedder(), classifier=Liking()))
    assert BANK[words(record)].kind


async def test_people_who_say_much_the_same_are_not_all_told_the_same():
    told: set[str] = set()
    for days in range(12):
        said = Dialogue(turns=(Turn(speaker="Ana", text=f"My cat died {days + 2} days ago."),))
        view = view_of(LOSS, model=Marking(4.0, 3.0), embedder=HashEmbedder(), classifier=Telling(), dialogue=said)
        told.add(words(await HEARTFELT.run(view)))
    assert len(told) > 3


async def test_a_mark_is_what_a_rater_would_give():
    (call,) = (await said(Marking(5.0, 5.0))).calls
    assert 2 < max(draft.mark or 0 for draft in call.drafts) < 4, "the model thinks too well of what it finds"


async def test_without_time_a_plain_reply_is_said_and_the_trace_says_so():
    events: list[Event] = []
    model = Marking(4.0, 3.0)
    record = await said(model, events=events, budget=Budget(ms=500))
    assert words(record) in BANK and record.calls == () and not model.asked("respond")
    assert [event.text for event in events if isinstance(event, Notice)] == [
        "There was no time to find better words: a plain reply was taken."
    ]


async def test_where_there_was_no_time_to_understand_the_reply_supposes_nothing():
    record = await HEARTFELT.run(view_of(model=Marking(4.0, 3.0), embedder=HashEmbedder(), budget=Budget(ms=0)))
    assert not BANK[words(record)].kind


async def test_a_model_that_is_late_is_not_an_error():
    assert words(await said(Marking(4.0, 3.0, late=True))) in BANK
    with pytest.raises(ModelTimeout):
        await Respond().run(view_of(model=Marking(4.0, 3.0, late=True)))


async def test_little_time_is_passed_on():
    model = Marking(4.0, 3.0)
    await said(model, budget=Budget(ms=5000))
    (request,) = model.asked("respond")
    assert request.within is not None and 0 < request.within <= 5 and request.timeout <= request.within + 3


async def test_another_language_is_answered_in_it():
    spanish = Dialogue(turns=(Turn(speaker="Ana", text="Hoy estoy muy triste y no puedo dormir por mi hijo."),))
    assert words(await said(Marking(4.0, 3.0), dialogue=spanish)).startswith("Soy un programa")


@pytest.mark.parametrize(("language", "reply"), [("de", "Ich bin ein"), ("sv", "I think that was not English.")])
async def test_what_was_heard_in_another_language_is_answered_in_it_whatever_the_words_look_like(language: str, reply: str):
    heard = Readings(duration=1, sensed=(Sensed(source="voice", language=language),))
    spoken = Dialogue(turns=(Turn(speaker="Ana", text="Nein.", readings=heard),))
    assert words(await said(Marking(4.0, 3.0), dialogue=spoken)).startswith(reply)


async def test_mending_a_step_before_leaves_words_that_stand_on_the_dialogue_alone():
    model = Marking(4.0, 3.0)
    outcome = await turn("heartfelt", model, plants=(Edit.parse("forecast.emotion=proud"),), classifier=Sure())
    first, second = outcome.passes
    assert second.started_from == "forecast" and model.calls["respond"] == 2 and not model.calls["understand"]
    assert second.steps[-1] is first.steps[-1] and outcome.reply == words(first.steps[-1])


async def test_a_small_model_that_gives_no_marks_says_the_plain_reply():
    model = Scripted(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
    record = await HEARTFELT.run(view_of(LOSS, model=model, embedder=HashEmbedder()))
    assert words(record) in BANK and not model.asked("respond")


async def test_a_small_model_leaves_out_what_it_cannot_do_and_what_nothing_stands_on():
    model = Scripted(COMPACT | {"audit": fine}, capabilities=Capabilities(profile="compact", drafts=True))
    outcome = await turn("heartfelt", model)
    assert [record.step for record in outcome.best.steps] == ["understand", "forecast", "deliver", "respond"]
    assert words(outcome.best.steps[-1]) in BANK


async def test_a_step_that_nothing_stands_on_runs_where_a_fault_is_planted_in_it():
    model = Marking(4.0, 3.0)
    outcome = await turn("heartfelt", model, plants=(Edit.parse("perceive.cues.0.quote=my dog ran away"),))
    assert [made.started_from for made in outcome.passes] == ["understand", "perceive"]
    assert outcome.passes[0].audit is not None and outcome.passes[0].audit.blamed == "perceive"


async def test_where_the_face_contradicts_the_words_the_reply_hears_what_is_not_said():
    torn = Forecast(emotion="joyful", labels="ed32", conflict="the words tell of joy while the voice shows sadness")
    fine_ = Situation(message="good", distribution={"good": 0.95, "ironic": 0.05})
    for done, kinds in (((fine_,), {"good"}), ((fine_, torn), {"good", "ironic"})):
        record = await HEARTFELT.run(view_of(*done, model=Marking(1.0, 3.0, 3.0), embedder=HashEmbedder()))
        assert {BANK[draft.text].kind for draft in record.calls[-1].drafts} == kinds


async def test_what_was_understood_counts_in_the_forecast_and_audits_it():
    told = Situation(message="loss", feelings={"sad": 0.9, "joyful": 0.1 - 1e-4, "proud": 1e-4})
    model = Scripted({"forecast": {"emotion": "joyful"}}, capabilities=Capabilities(profile="compact"))
    view, step = view_of(told, model=model), ForecastEmotion()
    record = await step.run(view)
    made = record.output
    assert isinstance(made, Forecast) and made.emotion == "sad" and sum((made.distribution or {}).values()) == pytest.approx(1)
    assert not record.findings and not model.calls["forecast"], "what was understood is not asked again"
    mended = (await step.run(replace(view, previous=made, instruction="It is not sadness."))).output
    assert isinstance(mended, Forecast) and mended.emotion == "joyful"
    (finding,) = step.check(Forecast(emotion="proud", labels="ed32"), view)
    assert "nearer to 'sad'" in finding.instruction


async def test_a_poor_mark_is_a_finding_of_the_audit():
    for expected, fault in ((ACCEPTABLE - 0.1, ["respond"]), (ACCEPTABLE + 0.1, [])):
        model = Marking((expected - BASE - WRITTEN) / MARKED, 1.0)
        view = replace(view_of(ASKED, model=model, embedder=HashEmbedder()), number=1)
        record = await HEARTFELT.run(view)
        audit = await AuditSteps().judge(view_of(model=model).__class__(view.dialogue, view.services, done=(record,)))
        assert [finding.step for finding in audit.findings] == fault
        assert not model.asked("audit"), "the mark is the verdict"
