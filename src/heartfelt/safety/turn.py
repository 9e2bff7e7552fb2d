"""A turn made safe: what is said to somebody in danger, and what becomes of a reply that must not be said as it is."""

from collections.abc import Awaitable, Callable

from heartfelt.agents.deliver import Deliver
from heartfelt.agents.view import View
from heartfelt.events import Guarded, Observer, PassStarted, StepFinished, StepStarted
from heartfelt.pipeline import ANSWERS
from heartfelt.records import Alert, Delivery, Dialogue, Identity, Outcome, Output, Pass, Reply, RiskState, StepRecord
from heartfelt.safety.guard.forbidden import faults, may_not_be_said
from heartfelt.safety.honesty import BEING, PRIVACY, asks_what_it_is, asks_who_reads_it
from heartfelt.safety.respond import crisis_plan
from heartfelt.text import sentences_of

CALM, CALMLY = "caring", 0.35
"""How a reply to somebody in danger is spoken."""
ENOUGH = 4
"""Words of a reply that are worth keeping where the rest may not be said."""

_REASONS: dict[RiskState, str] = {
    "doubt": "A reviewed question, since something gives concern ({danger}).",
    "opened": "A reviewed reply, since somebody may be in danger ({danger}, {tier}).",
    "open": "A reviewed reply, since a danger is being talked about ({danger}, {tier}).",
    "checked": "A reviewed question before the danger is let go ({danger}).",
    "turned": "A reviewed question, since a danger was left open ({danger}).",
    "heard": "A reviewed reply, since it was said that there is no danger.",
}

Again = Callable[[Pass, str], Awaitable[Pass]]
"""Makes the reply of a pass again, told what to do better."""


def in_danger(alert: Alert, view: View, *, country: str, words: str = "") -> Outcome:
    """No step is run and no model writes: a reply of the reviewed plan, spoken calmly. `words`: of the bank, found to fit."""
    emit, text = view.services.emit, crisis_plan.reply(alert, view.dialogue, country, words)
    view.services.reply.start(0)
    emit(PassStarted(number=0, started_from=ANSWERS))
    emit(StepStarted(number=0, step=ANSWERS))
    delivered = _made(Deliver.name, calm(view.services.identity))
    emit(StepFinished(number=0, record=delivered))
    view.services.reply.write(text)
    said = _made(ANSWERS, Reply(text=text))
    emit(StepFinished(number=0, record=said))
    return Outcome(
        reply=text,
        chosen=0,
        why_chosen=_REASONS[alert.state].format(danger=alert.danger, tier=alert.tier),
        stopped="danger",
        passes=(Pass(number=0, started_from=ANSWERS, steps=(delivered, said)),),
        ms=view.services.meter.ms,
    )


def calm(identity: Identity) -> Delivery:
    """The map of the bank takes caring for happy, which nobody in danger should see: a bank's neutral is calmer."""
    return Delivery(emotion=CALM, bank="neutral", mapping="reviewed", intensity=CALMLY, identity=identity)


def held_back(dialogue: Dialogue) -> Callable[[str], bool]:
    """Which sentences of a reply are not told. Who only asks what this is hears nothing but that."""
    return (lambda _sentence: True) if _asks_only_that(dialogue) else may_not_be_said


async def guarded(outcome: Outcome, view: View, again: Again) -> Outcome:
    """The outcome as it may be said: left as it is, remade, cut, or replaced."""
    found = faults(outcome.reply)
    if found and not _kept(outcome.reply):
        outcome = _with_pass(outcome, await again(outcome.best, " ".join(dict.fromkeys(fault.instruction for fault in found))))
    reply = _kept(outcome.reply) or crisis_plan.instead() if faults(outcome.reply) else outcome.reply
    added = _honest(view.dialogue)
    if added:
        reply = " ".join([*_beside(reply, view.dialogue), *(text for text, _ in added)])
    if reply != outcome.reply:
        outcome = _said_instead(
            outcome, reply, [*(fault.problem for fault in found), *(why for _, why in added)], view.services.emit
        )
    view.services.reply.add(outcome.best.number, reply)
    return outcome.model_copy(update={"guarded": tuple(dict.fromkeys(fault.problem for fault in found))})


def _honest(dialogue: Dialogue) -> list[tuple[str, str]]:
    said = dialogue.last.text
    added = [(BEING, "It was asked what it is.")] if asks_what_it_is(said) else []
    return [*added, *([(PRIVACY, "It was asked who reads what is written.")] if asks_who_reads_it(said) else [])]


def _asks_only_that(dialogue: Dialogue) -> bool:
    return "only" in (asks_what_it_is(dialogue.last.text), asks_who_reads_it(dialogue.last.text))


def _beside(reply: str, dialogue: Dialogue) -> list[str]:
    """What of a model's reply stands before what is added: nothing where only honesty was asked for."""
    if _asks_only_that(dialogue):
        return []
    return sentences_of(reply)


def _kept(reply: str) -> str:
    """The sentences before the first that may not be said: they may have been heard already."""
    kept: list[str] = []
    for sentence in sentences_of(reply):
        if may_not_be_said(sentence):
            break
        kept.append(sentence)
    text = " ".join(kept)
    return text if len(text.split()) >= ENOUGH else ""


def _with_pass(outcome: Outcome, made: Pass) -> Outcome:
    """One more pass, which is the chosen one: the one before may not be said."""
    why = f"Pass {made.number} was made because the reply of pass {outcome.best.number} may not be said."
    passes = (*outcome.passes, made)
    return outcome.model_copy(update={"reply": made.reply, "passes": passes, "chosen": len(passes) - 1, "why_chosen": why})


def _said_instead(outcome: Outcome, reply: str, reasons: list[str], emit: Observer) -> Outcome:
    why = " ".join(dict.fromkeys(reasons))
    back = " ".join(part for part in sentences_of(outcome.reply) if part not in reply)
    emit(Guarded(number=outcome.best.number, why=why, kept_back=back, reply=reply))
    best = outcome.best.saying(reply)
    passes = tuple(best if made.number == best.number else made for made in outcome.passes)
    return outcome.model_copy(update={"reply": reply, "passes": passes})


def _made(step: str, output: Output) -> StepRecord:
    return StepRecord(step=step, made_in=0, output=output)
