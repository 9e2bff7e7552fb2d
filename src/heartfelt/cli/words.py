"""Records in a line of plain words, for the terminal."""

from heartfelt.agents.notes import gist
from heartfelt.records import (
    Alert,
    Audit,
    Carried,
    Delivery,
    Exemplars,
    Forecast,
    Output,
    Performance,
    Reply,
    Situation,
    StepRecord,
)


def in_words(output: Output) -> str:
    match output:
        case Forecast(emotion=emotion, confidence=confidence):
            sure = f" ({confidence:.0%})" if confidence is not None else ""
            return f"{emotion}{sure}" + (f"; against it: {output.conflict}" if output.conflict else "")
        case Situation(message=message, confidence=confidence):
            sure = f" ({confidence:.0%})" if confidence is not None else ""
            return f"{message}{sure}" + (f": {output.meaning}" if output.meaning else "")
        case Exemplars(found=found):
            return "; ".join(f"{e.match}, {e.similarity:.2f}: “{_short(e.situation)}”" for e in found) or "nothing near enough"
        case Delivery():
            who = output.identity
            shown = f"{output.emotion} at {output.intensity:.0%}, by {who.name or who.words}"
            return f"{shown} ({output.bank} in the bank of eight)"
        case Reply(text=text):
            return text
        case _:
            return gist(output)


def findings_in_words(record: StepRecord) -> list[str]:
    return [finding.problem for finding in record.findings]


def alert_in_words(alert: Alert) -> str:
    """Such as «active, suicide (rules: wish to be dead; reader)»."""
    by = dict.fromkeys(f"{sign.by}: {sign.why}" if sign.why else sign.by for sign in alert.signs)
    return f"{alert.tier}, {alert.danger} ({'; '.join(by)})"


def audit_in_words(audit: Audit) -> str:
    if audit.blamed is None:
        return f"all {len(audit.verdicts)} checks passed"
    problem = next(finding for finding in audit.findings if finding.step == audit.blamed)
    return f"blames {audit.blamed}: {problem.problem}"


def performance_in_words(made: Performance) -> str:
    """What was made, and what the senses make of it."""
    who = made.identity.name or made.identity.words
    carried = [f"{each.channel} {_arrived(each)}" for each in made.carried]
    tried = f", the better of {len(made.attempts)}" if made.attempts else ""
    told = "; ".join([*carried, ", ".join(made.files)])
    return f"{made.emotion} at {made.intensity:.0%}{tried} by {who}, {made.seconds:.1f} s: {told}"


def _arrived(carried: Carried) -> str:
    if carried.recognised:
        return f"seen as {carried.recognised} ({carried.shares[carried.recognised]:.0%})"
    return carried.note or "changed as intended"


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
