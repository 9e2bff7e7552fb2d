"""Drafts and plain replies side by side: the best mark wins, a plain one is never late, and other languages are told so."""

import pytest

from heartfelt import Budget
from heartfelt.agents import Respond, Understand
from heartfelt.agents.audit import ACCEPTABLE, AuditSteps
from heartfelt.agents.bank import replies
from heartfelt.agents.respond import ENOUGH
from heartfelt.errors import ModelTimeout
from heartfelt.events import Event, Notice, Wrote
from heartfelt.memory import HashEmbedder
from heartfelt.models import Capabilities, Completion, Request, Scripted
from heartfelt.records import Dialogue, Draft, Forecast, Plan, Reply, Situation, StepRecord, Turn
from scripts import COMPACT, fine, view_of

LOSS = Situation(message="loss", distribution={"loss": 0.9, "mixed": 0.1})
ASKS = Plan(goal="explore", stance="ally", tactic="asking an open question", tone="gentle")
DRAFT = "It must have hurt to be mocked by your own father."
BANK = {reply.text: reply for reply in replies()}
HEARTFELT = Respond(sentences=3, hears=False, plain=True)


class Marking(Scripted):
    """Marks its one draft, the first plain reply and the others."""

    def __init__(self, draft: float, first: float, rest: float = 1.0, *, late: bool = False, **answers: object):
        capabilities = Capabilities(profile="compact", drafts=True, marks=True)
        super().__init__(COMPACT | {"audit": fine} | answers, capabilities=capabilities)  # type: ignore[arg-type]
        self.draft, self.first, self.rest, self.late = draft, first, rest, late

    async def complete(self, request: Request) -> Completion:
        made = await super().complete(request)
        if request.purpose != "respond":
            return made
        if self.late:
            raise ModelTimeout("It took too long.")
        marks = [self.first, *[self.rest] * len(request.offered)]
        given = [Draft(text=t, mark=m, source="bank") for t, m in zip(request.offered, marks, strict=False)]
        written = [Draft(text=DRAFT, likely=-1.0, mark=self.draft)] * request.drafts
        return made.model_copy(update={"text": DRAFT, "drafts": (*written, *given)})


async def said(model: Marking, *done: object, events: list[Event] | None = None, **view: object) -> StepRecord:
    seen = view_of(LOSS, *done, model=model, events=events, embedder=HashEmbedder(), **view)  # type: ignore[arg-type]
    return await HEARTFELT.run(seen)


def words(record: StepRecord) -> str:
    assert isinstance(record.output, Reply)
    return record.output.text


async def test_the_best_mark_wins_whoever_wrote_it():
    assert words(await said(Marking(4.0, 3.0))) == DRAFT
    plain = words(await said(Marking(2.0, 3.0)))
    assert BANK[plain].kind in ("loss", "mixed")


async def test_all_that_could_have_been_said_stands_in_the_trace_and_the_words_come_once():
    events: list[Event] = []
    record = await said(Marking(4.0, 3.0), events=events)
    (call,) = record.calls
    assert {draft.source for draft in call.drafts} == {"written", "bank"} and call.raw == DRAFT
    assert [event.piece for event in events if isinstance(event, Wrote)] == [DRAFT]


async def test_a_plan_of_the_small_model_does_not_overrule_a_mark():
    assert words(await said(Marking(4.0, 3.0), ASKS)) == DRAFT, "though it asks nothing"


async def test_the_model_is_told_what_is_enough():
    model = Marking(4.0, 3.0)
    await said(model)
    (request,) = model.asked("respond")
    assert request.enough == ENOUGH and len(request.offered) == 6 and "Feeling" not in request.messages[-1].text


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
    assert words(await said(Marking(4.0, 3.0), dialogue=spanish)).startswith("Gracias por escribirme.")


async def test_a_small_model_that_gives_no_marks_says_the_plain_reply():
    model = Scripted(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
    record = await HEARTFELT.run(view_of(LOSS, model=model, embedder=HashEmbedder()))
    assert words(record) in BANK and not model.asked("respond")


async def test_a_small_model_knows_the_kind_by_the_feeling():
    model = Scripted(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
    record = await Understand().run(view_of(Forecast(emotion="guilty", labels="ed32"), model=model))
    assert isinstance(record.output, Situation) and record.output.message == "fault" and not record.calls


async def test_a_poor_mark_is_a_finding_of_the_audit():
    for mark, fault in ((ACCEPTABLE - 0.1, ["respond"]), (ACCEPTABLE + 0.1, [])):
        model = Marking(mark, 1.0)
        view = view_of(LOSS, model=model, embedder=HashEmbedder())
        record = await HEARTFELT.run(view)
        audit = await AuditSteps().judge(view_of(model=model).__class__(view.dialogue, view.services, done=(record,)))
        assert [finding.step for finding in audit.findings] == fault
        assert not model.asked("audit"), "the mark is the verdict"
