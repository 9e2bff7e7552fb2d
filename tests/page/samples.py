"""Traces to show: made of events, as a real turn makes them, with whatever a test wants to put into them."""

from heartfelt import Setup, Trace
from heartfelt.events import Audited, Notice, PassStarted, StepFinished, StepSkipped, TurnFailed, TurnFinished, TurnStarted
from heartfelt.records import (
    Audit,
    Call,
    Cause,
    Cue,
    Delivery,
    Dialogue,
    Evidence,
    Exemplar,
    Exemplars,
    Finding,
    Forecast,
    Goal,
    Identity,
    Output,
    Plan,
    Reply,
    Scenario,
    StepRecord,
    Strategy,
    Turn,
    Verdict,
)

STEPS = ("perceive", "forecast", "cause", "plan", "recall", "respond", "deliver")
AUDITED = ("perceive", "forecast", "cause", "plan", "respond")
SAID = "I failed my exam and my parents are furious. I don't know how to face them tonight."
MENDED = "plan"


def outputs(*, text: str = "That is a hard evening to walk into.", goal: str = "comfort") -> dict[str, Output]:
    return {
        "perceive": Evidence(cues=(Cue(quote="my parents are furious", meaning="dread"),), summary="Two blows at once."),
        "forecast": Forecast(emotion="ashamed", labels="ed32", confidence=0.6, distribution={"ashamed": 0.6, "afraid": 0.4}),
        "cause": Cause(spans=("I failed my exam",), category="Loss & Failure", summary="The exam was failed."),
        "plan": Plan(goal=goal, stance="friend", tactic="naming what was hard", tone="gentle", why="It is a lot."),
        "recall": Exemplars(found=(Exemplar(situation="I lost.", reply="Sorry.", emotion="sad", similarity=0.5),)),
        "respond": Reply(text=text),
        "deliver": Delivery(emotion="ashamed", bank="sad", mapping="e3rg", intensity=0.4, identity=Identity()),
    }


def other_outputs() -> tuple[Output, ...]:
    """The kinds that Heartfelt's own recipe does not make."""
    return Scenario(event="A failed exam."), Strategy(choice="ER", why="It hurts."), Goal(goal="Be with them.")


def call(**changes: object) -> Call:
    values: dict[str, object] = {"model": "double", "template": "aa11", "prompt": "bb22", "sent": "What now?", "raw": "{}"}
    return Call.model_validate(values | {"temperature": 0.0, "seed": 7, "prompt_tokens": 90, "cached_tokens": 60} | changes)


def record(step: str, output: Output, number: int = 0, **changes: object) -> StepRecord:
    made = StepRecord(step=step, made_in=number, output=output, calls=(call(),), ms=100.0)
    return made.model_copy(update=changes)


def audit(blamed: str | None = None) -> Audit:
    verdicts = tuple(Verdict(step=step, ok=step != blamed, confidence=0.75) for step in AUDITED)
    findings = (Finding(step=blamed, problem="It rushes.", instruction="Slow down.", by="model"),) if blamed else ()
    return Audit(verdicts=verdicts, findings=findings, calls=(call(),), ms=50.0)


def begun(dialogue: Dialogue | None = None, **setup: object) -> Trace:
    trace = Trace()
    trace(
        TurnStarted(
            version="0.0.0",
            setup=Setup.model_validate(setup).model_dump(mode="json"),
            dialogue=dialogue or Dialogue(turns=(Turn(speaker="Ana", text=SAID),)),
            dialogue_hash="cc33",
            steps=STEPS,
            audited=AUDITED,
            model="double",
        )
    )
    return trace


def walk(trace: Trace, made: dict[str, Output], *, number: int = 0, start: str = "perceive", until: str = "deliver") -> None:
    """One pass from `start` to `until`, with the steps before kept."""
    first, last = STEPS.index(start), STEPS.index(until)
    trace(PassStarted(number=number, started_from=start, kept=STEPS[:first], instruction="Slow down." if number else ""))
    for step in STEPS[first : last + 1]:
        trace(StepFinished(number=number, record=record(step, made[step], number)))


def finish(trace: Trace, *, chosen: int = 0) -> Trace:
    best = trace.passes[chosen]
    trace(
        TurnFinished(
            reply=best.reply, chosen=chosen, why_chosen=f"Pass {chosen} it is.", stopped="no audit", left_out=(), ms=1234.0
        )
    )
    return trace


def one_pass(made: dict[str, Output] | None = None, dialogue: Dialogue | None = None) -> Trace:
    """Finished, and never audited."""
    trace = begun(dialogue)
    walk(trace, made or outputs())
    return finish(trace)


def mended(passes: int = 2) -> Trace:
    """The plan is blamed again and again; the last pass holds and is chosen."""
    trace = begun()
    for number in range(passes):
        goal = "celebrate" if number == 0 else "comfort"
        made = outputs(goal=goal, text=f"Words of the attempt {number}, and more.")
        walk(trace, made, number=number, start=MENDED if number else "perceive")
        trace(Audited(number=number, audit=audit(MENDED if number < passes - 1 else None)))
    return finish(trace, chosen=passes - 1)


def unfinished() -> Trace:
    trace = begun()
    trace(Notice(text="The first 3 turns are left out."))
    walk(trace, outputs(), until="cause")
    trace(StepSkipped(number=0, step="plan", why="the budget is spent"))
    return trace


def failed() -> Trace:
    trace = begun()
    walk(trace, outputs(), until="forecast")
    trace(TurnFailed(error="BadOutput", message="The model gave no usable answer.", step="cause", raw="<oops>"))
    return trace
