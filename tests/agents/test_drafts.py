"""A reply chosen among drafts."""

from heartfelt.agents import Respond
from heartfelt.agents.manner import attentive, grounded, stock
from heartfelt.events import Event, Wrote
from heartfelt.models import Capabilities, Completion, Request, Scripted
from heartfelt.records import Draft, Forecast, Plan, Reply
from scripts import COMPACT, DIALOGUE, SAID, view_of

ASHAMED = Forecast(emotion="ashamed", labels="ed32")
PLAN = Plan(goal="comfort", stance="ally", tactic="naming what was hard", tone="gentle")
KIND = "It must have hurt to be mocked by your own father."
STOCK = "I am so sorry to hear that happened to you."
JARS = "That is so funny, I hope you enjoyed your driving test!"
DENIES = "You must be proud of your driving test today, I am sure."


class Drafting(Scripted):
    """Gives these drafts, each as (text, likely, had nothing been said)."""

    def __init__(self, *drafts: tuple[str, float, float]):
        super().__init__(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
        self.drafts = tuple(Draft(text=text, likely=likely, unheard=unheard) for text, likely, unheard in drafts)

    async def complete(self, request: Request) -> Completion:
        made = await super().complete(request)
        return made.model_copy(update={"text": self.drafts[0].text, "drafts": self.drafts if request.drafts > 1 else ()})


async def chosen(*drafts: tuple[str, float, float], **changes: int) -> str:
    view = view_of(ASHAMED, PLAN, model=Drafting(*drafts))
    record = await Respond(**changes).run(view)  # type: ignore[arg-type]
    assert isinstance(record.output, Reply)
    return record.output.text


async def test_what_was_said_decides_between_two_that_are_as_likely():
    assert await chosen((STOCK, -1.0, -1.0), (KIND, -1.0, -2.0)) == KIND
    assert await chosen((STOCK, -0.2, -1.0), (KIND, -3.0, -3.5)) == STOCK, "but not against all likelihood"


async def test_manner_comes_before_likelihood_and_a_fault_before_both():
    assert await chosen((JARS, -0.1, -3.0), (STOCK, -2.0, -2.0)) == STOCK
    assert await chosen((DENIES, -0.1, -3.0), (JARS, -2.0, -2.0)) == JARS, "it tells an ashamed person that they are proud"
    assert await chosen(("", -0.1, -3.0), (JARS, -2.0, -2.0)) == JARS


async def test_the_drafts_are_kept_and_the_words_come_once():
    model = Drafting((STOCK, -1.0, -1.0), (KIND, -1.0, -2.0))
    said: list[Event] = []
    record = await Respond().run(view_of(ASHAMED, PLAN, model=model, events=said))
    (call,) = record.calls
    assert call.raw == KIND and [draft.text for draft in call.drafts] == [STOCK, KIND]
    assert [event.piece for event in said if isinstance(event, Wrote)] == [KIND]


async def test_had_nothing_been_said_the_prompt_holds_the_plan_and_no_word_of_the_person():
    model = Drafting((KIND, -1.0, -2.0))
    await Respond().run(view_of(ASHAMED, PLAN, model=model))
    (request,) = model.asked("respond")
    heard, unheard = request.messages[-1].text, request.unheard[-1].text
    assert request.drafts == Respond().drafts > 1 and SAID in heard
    assert not any(turn.text in unheard for turn in DIALOGUE.turns) and "ashamed" in unheard and "gentle" in unheard


async def test_one_draft_is_streamed_as_it_comes():
    model = Drafting((STOCK, -1.0, -1.0))
    record = await Respond(drafts=1).run(view_of(ASHAMED, PLAN, model=model))
    assert record.calls[0].drafts == () and model.asked("respond")[0].drafts == 1


def test_the_rules_of_manner():
    assert attentive(KIND, "ashamed") and grounded(KIND, DIALOGUE) and not stock(KIND)
    assert stock(STOCK) and not grounded(STOCK, DIALOGUE)
    assert not attentive("My dog did the same to me once, you know.", "ashamed"), "a story of its own"
    assert not attentive("How old is he?", "proud") and not attentive(JARS, "sad")
