"""A reply in a few words: its reaction is told at once, the rest is chosen, and nothing that promises little is said."""

from collections.abc import AsyncGenerator

from heartfelt import Budget
from heartfelt.agents import Respond
from heartfelt.agents.bank import replies
from heartfelt.agents.classifier import usual_classifier
from heartfelt.agents.respond.brief import BASE, CHEER, GOOD, LIKELY, MARK, OTHERS, OWN, WORTH
from heartfelt.errors import ModelTimeout
from heartfelt.events import Event, Notice, Wrote
from heartfelt.memory import HashEmbedder
from heartfelt.models import Capabilities, Completion, Request, Scripted
from heartfelt.models.seam import MarkedPiece
from heartfelt.records import Dialogue, Draft, Reply, Situation, StepRecord, Turn
from heartfelt.text import sentences_of
from scripts import COMPACT, view_of

LOSS = Situation(message="loss", distribution={"loss": 0.9, "mixed": 0.1})
STEP = Respond(sentences=3, hears=False, plain=True)
BANK = {reply.text for reply in replies()}
FIRST, SECOND = "Oh no, I'm so sorry.", "What was her name?"


class Brief(Scripted):
    """Its likeliest words, with what a rater would give them, and the others that it writes then."""

    def __init__(self, likeliest: tuple[str, float], *others: tuple[str, float], late: bool = False, reaction: float = 3.0):
        super().__init__(COMPACT, capabilities=Capabilities(profile="compact", drafts=True, marks=True))
        self.likeliest, self.others, self.late, self.reaction = likeliest, others, late, reaction

    async def stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        made = await self.complete(request)
        first, *rest = sentences_of(made.text)
        yield first
        if rest:
            yield MarkedPiece("", self.reaction)
            yield " " + " ".join(rest)
        yield made

    async def complete(self, request: Request) -> Completion:
        made = await super().complete(request)
        if self.late:
            raise ModelTimeout("It took too long.")
        told = [self.likeliest] if request.drafts == 1 else [(request.begun + text, mark) for text, mark in self.others]
        drafts = tuple(Draft(text=text, likely=-1.0, mark=(mark - BASE + LIKELY) / MARK) for text, mark in told)
        return made.model_copy(update={"text": told[0][0] if told else "", "drafts": drafts})


async def said(model: Brief, *done: object, events: list[Event] | None = None, **view: object) -> StepRecord:
    return await STEP.run(view_of(LOSS, *done, model=model, embedder=HashEmbedder(), events=events, **view))  # type: ignore[arg-type]


def words(record: StepRecord) -> str:
    assert isinstance(record.output, Reply)
    return record.output.text


async def test_the_reaction_is_told_before_the_rest_and_good_words_stand():
    events, model = list[Event](), Brief((f"{FIRST} {SECOND}", GOOD))
    assert words(await said(model, events=events)) == f"{FIRST} {SECOND}"
    assert [event.piece for event in events if isinstance(event, Wrote)] == [FIRST, f" {SECOND}"]
    (request,) = model.asked("respond")
    assert "a few short, warm words" in request.messages[0].text


async def test_where_the_likeliest_promise_little_others_go_on_from_the_same_reaction():
    model = Brief((f"{FIRST} Did she win?", GOOD - 0.5), (" Where did she go?", 2.0), (f" {SECOND}", 3.5))
    record = await said(model)
    assert words(record) == f"{FIRST} {SECOND}"
    _, again = model.asked("respond")
    assert again.begun == FIRST and again.drafts == OTHERS
    (call,) = record.calls
    assert len(call.drafts) == 3 and call.raw == words(record)


async def test_a_reaction_that_was_told_is_carried_on_without_supposing_anything():
    record = await said(Brief((f"{FIRST} Did she win?", WORTH - 0.5), (" Is it blue?", WORTH - 0.3)))
    carried_on = STEP.folder.wording["brief"]["carried_on"]
    assert words(record) in {f"{FIRST} {each}" for each in carried_on}
    before = Dialogue(
        turns=(
            Turn(speaker="Ana", text="My cat died."),
            Turn(speaker="Listener", text=words(record)),
            Turn(speaker="Ana", text="My cat died."),
        )
    )
    again = await said(Brief((f"Oh, poor you. {SECOND}", WORTH - 0.5)), dialogue=before)
    assert words(again).startswith("Oh, poor you.") and words(again).split(". ", 1)[1] not in words(record)


async def test_a_reaction_that_may_be_wrong_waits_for_the_rest():
    events, model = list[Event](), Brief((f"{FIRST} {SECOND}", GOOD), reaction=1.5)
    assert words(await said(model, events=events)) == f"{FIRST} {SECOND}"
    assert "".join(event.piece for event in events if isinstance(event, Wrote)) == f"{FIRST} {SECOND}"
    model = Brief((f"{FIRST} Did she win?", OWN - 0.1), (f"Oh, how sad. {SECOND}", OWN), reaction=1.5)
    assert words(await said(model)) == f"Oh, how sad. {SECOND}"
    assert model.asked("respond")[-1].begun == ""
    model = Brief((f"{FIRST} Did she win?", OWN - 0.2), (f"Oh, how sad. {SECOND}", OWN - 0.1), reaction=1.5)
    assert words(await said(model)) in BANK


async def test_where_no_other_was_whole_in_time_the_first_stands():
    model = Brief((f"{FIRST} {SECOND}", GOOD - 0.2))
    assert words(await said(model, classifier=usual_classifier())).startswith(FIRST)
    assert len(model.asked("respond")) == 2


async def test_aloud_no_others_are_written():
    model = Brief((f"{FIRST} {SECOND}", GOOD - 0.2), (" Where did she go?", 4.5))
    view = view_of(LOSS, model=model, embedder=HashEmbedder())
    view.services.reply.aloud = True
    assert words(await STEP.run(view)) == f"{FIRST} {SECOND}"
    assert len(model.asked("respond")) == 1


async def test_one_sentence_that_promises_little_is_not_told():
    events: list[Event] = []
    record = await said(Brief(("Is it blue?", WORTH - 0.5), ("Did she win?", WORTH - 0.1)), events=events)
    assert words(record) in BANK and [e.piece for e in events if isinstance(e, Wrote)] == [words(record)]


async def test_what_code_finds_fault_with_is_neither_told_nor_chosen():
    record = await said(Brief(("As a language model I feel for you. Well done!", 4.5), (f"{FIRST} {SECOND}", 3.0)))
    assert words(record) == f"{FIRST} {SECOND}"


async def test_a_sentence_that_was_said_before_is_said_no_more():
    turns = [
        Turn(speaker="User", text="My cat died."),
        Turn(speaker="Listener", text=FIRST),
        Turn(speaker="User", text="She was old."),
    ]
    fresh = "Of course it hurts. Was she with you long?"
    record = await said(Brief((f"{FIRST} {SECOND}", GOOD), (fresh, 4.0)), dialogue=Dialogue(turns=tuple(turns)))
    assert words(record) == fresh


async def test_gladness_where_nothing_glad_was_seen_waits_and_counts_for_less():
    events, glad = list[Event](), "I'm so happy for you!"
    model = Brief((f"{glad} {SECOND}", GOOD), (f"{FIRST} {SECOND}", GOOD - CHEER + 0.1))
    assert words(await said(model, events=events)) == f"{FIRST} {SECOND}"
    assert glad not in [event.piece for event in events if isinstance(event, Wrote)]
    assert words(await said(Brief((f"{glad} {SECOND}", GOOD + CHEER)))) == f"{glad} {SECOND}"


async def test_little_time_leaves_no_room_for_others_and_none_for_a_few_words():
    model = Brief((f"{FIRST} {SECOND}", GOOD - 0.3))
    assert words(await said(model, budget=Budget(ms=3000))) == f"{FIRST} {SECOND}" and len(model.asked("respond")) == 1
    assert words(await said(Brief((FIRST, 4.0)), budget=Budget(ms=500))) in BANK


async def test_a_model_that_is_late_is_no_error():
    events: list[Event] = []
    assert words(await said(Brief((FIRST, 4.0), late=True), events=events)) in BANK
    assert not [event for event in events if isinstance(event, Notice)]


async def test_what_is_begun_before_the_person_has_surely_finished_is_what_is_asked_for_then():
    class Ahead(Brief):
        begun: Request | None = None

        async def begin(self, request: Request) -> None:
            self.begun = request

    model = Ahead((f"{FIRST} {SECOND}", GOOD))
    await STEP.begin(view_of(model=model))
    assert model.begun is not None and not model.asked("respond")
    await said(model)
    (request,) = model.asked("respond")
    assert request.model_copy(update={"within": None, "timeout": 0.0}) == model.begun.model_copy(update={"timeout": 0.0})
