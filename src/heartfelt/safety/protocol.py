"""The published protocol: what is looked for, what happens then, which services are named, what is stored. Made from the
configuration itself, so that the page cannot say anything else than what is done."""

from collections.abc import Iterator
from typing import Any, cast

from heartfelt.safety.detect.rules import named_rules
from heartfelt.safety.guard.forbidden import kinds
from heartfelt.safety.honesty import BEING, BREAK, DISCLOSURE, PRIVACY
from heartfelt.safety.respond import crisis_plan
from heartfelt.safety.respond.answers import answers
from heartfelt.safety.respond.services import Country, checked, countries, country
from heartfelt.safety.risk import PATIENCE
from heartfelt.safety.screen import AGREES, DOUBTS, LOOKED_BACK, SURE
from heartfelt.safety.settings import Safety

_TIERS = {
    "none": "No sign of danger. The ordinary reply.",
    "concern": "A doubt: one kind, open question in reviewed words, once in a talk. After that the ordinary reply.",
    "active": "Present danger: no model writes. A reply of the reviewed plan is spoken calmly, with services of the country.",
    "imminent": "Danger within minutes or hours: the same, with the emergency number first.",
}


def protocol(safety: Safety, *, stored: str = "") -> str:
    """The page in Markdown. `stored`: what a deployment keeps, in its own words."""
    where = country(safety.country)
    return "\n\n".join(
        part
        for part in (
            "# Safety protocol",
            "Made from the configuration that is running. " + DISCLOSURE,
            _switched(safety),
            "## What is looked for",
            "Everything that a person types or says goes past these detectors before anything is reasoned. Words that leave no "
            "doubt, a reader that is sure, or two that agree raise an alarm; one that is half sure raises a doubt. A danger is "
            f"followed over the last {LOOKED_BACK} messages. It falls when somebody says no, safe, not meant so, or stop (an "
            f"imminent one after one more question), and after {PATIENCE} messages that tell of nothing.",
            _detectors(safety),
            "## What happens then",
            _table(("tier", "what happens"), list(_TIERS.items())),
            f"The sentences were reviewed: {crisis_plan.reviewed()}. Recall of examples, strategies and humour play no part. "
            "Numbers come from the table below and never from a model.",
            *_replies(),
            "## What a reply never says",
            "Looked for in every sentence after it was written and before anybody hears it; the reply is then remade, cut "
            "short or replaced, and the trace says so.",
            _table(("kind", "what it is"), list(kinds().items())),
            "## Honesty",
            f"At the start: «{DISCLOSURE}»",
            f"When asked in any wording: «{BEING}»",
            f"When asked who reads what is written: «{PRIVACY}»",
            f"In long talks: «{BREAK}»",
            "## What is stored",
            stored or "The library and the command line store nothing unless told to write a trace.",
            "Exports leave out names, numbers and addresses unless asked otherwise.",
            "## Services",
            f"The table is of {checked():%d %B %Y}. "
            + (
                f"This deployment is set to {where.name}."
                if where
                else "No country is set: people are told how to find help anywhere."
            ),
            _services(countries() if where is None else [where]),
        )
        if part
    )


def _switched(safety: Safety) -> str:
    if not safety.on:
        return "**The screen and the guard are switched off.** Nobody should talk to this deployment."
    if safety.deployment != "private":
        return f"Set for {safety.deployment}: nothing is inferred from faces and voices."
    return ""


def _detectors(safety: Safety) -> str:
    body = (
        "Not used in this deployment."
        if safety.deployment != "private"
        else ("Strong sadness or fear in face and voice together gives concern. They never lower an alert.")
    )
    rows = [
        (
            "rules",
            "Phrases, direct and indirect, with negation, quotation, fiction, past and other people told apart: "
            + ", ".join(named_rules()),
        ),
        (
            "reader",
            f"A sentence encoder taught on labelled messages: an alarm from {SURE:g}, agreement with a rule from {AGREES:g}, "
            f"a doubt from {DOUBTS:g}. "
            "It also tells whether the person or somebody else is in danger, and what a message does in a talk about one.",
        ),
        ("phrases", "Weighed runs of words: a second opinion beside the reader, and alone where it cannot be asked."),
        ("guard", f"A guard model, `{safety.guard}`." if safety.guard else "A guard model can be added; none is set."),
        ("face, voice", body),
    ]
    late = f"Who asks a model has {safety.seconds:g} s; where that fails, rules and phrases decide alone and the alert says so."
    return _table(("detector", "how"), rows) + "\n\n" + late


def _replies() -> list[str]:
    """Every sentence of the plan, under the place where it is said, and every answer, under what is asked."""
    said = [f"**{' · '.join(path)}.** " + " / ".join(texts) for path, texts in _sentences(crisis_plan.sections())]
    return [*said, *(f"**asked · {one.name}.** " + " / ".join(one.says) for one in answers())]


def _sentences(part: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    questions = [given for given in part.values() if isinstance(given, str)]
    if questions:
        yield path, questions
    for name, given in part.items():
        if isinstance(given, dict):
            yield from _sentences(cast(dict[str, Any], given), (*path, name))
        elif isinstance(given, list):
            yield (*path, name), cast(list[str], given)


def _services(shown: list[Country]) -> str:
    rows = [
        (one.name, one.emergency, f"[{line.name}]({line.source}): {line.how}", ", ".join(line.dangers), line.hours)
        for one in shown
        for line in one.lines
    ]
    return _table(("country", "emergency", "service", "for", "hours"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in line) + " |" for line in lines)
