"""audit (A5, the Global Reflection Agent): each step checked in order; the earliest faulty one is to blame.

What code can verify it has verified already: those findings stand. The model judges the rest, unless the first step is
already known to be faulty, for then nothing that the model could say would change who is blamed.
"""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from heartfelt.agents.agent import ParsedAnswer, PromptCaller
from heartfelt.agents.step import MENDING, QUESTIONS
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.models.seam import fields, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Audit, Call, Finding, Situation, StepRecord, Verdict

ACCEPTABLE = 2.2
"""The mark below which a reply is to be mended, where the model that chose it gives marks."""


@dataclass(frozen=True, kw_only=True)
class AuditSteps(PromptCaller):
    name: ClassVar[str] = "audit"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def values(self, view: View) -> dict[str, Any]:
        return {"questions": {r.step: QUESTIONS[r.step] for r in audited(view.done) if not r.edited}}

    async def judge(self, view: View) -> Audit:
        """The verdict on the steps in `view.done`."""
        started, calls = time.perf_counter(), list[Call]()
        steps = audited(view.done)
        judged = [record for record in steps if not record.edited]  # what a person has set stands
        findings = [finding for record in judged for finding in record.findings]
        sure: dict[str, float] = {}
        marked = {record.step: mark for record in judged if (mark := _mark(record)) is not None}
        findings += [_poor(step, mark) for step, mark in marked.items() if mark < ACCEPTABLE]
        known = marked.keys() | ({"forecast"} if _understood(view) else set())  # its own check has held it against that
        unmarked = [record.step for record in judged if record.step not in known]
        if unmarked and not judged[0].findings:
            asked, sure = await self._ask_model(view, unmarked, calls)
            findings += asked
        faulty = {finding.step for finding in findings}
        by_code = {record.step for record in judged if record.findings}
        verdicts = tuple(
            Verdict(step=r.step, ok=r.step not in faulty, confidence=None if r.step in by_code else sure.get(r.step))
            for r in steps
        )
        ms = (time.perf_counter() - started) * 1000
        return Audit(verdicts=verdicts, findings=tuple(findings), calls=tuple(calls), ms=ms)

    async def _ask_model(self, view: View, steps: list[str], calls: list[Call]) -> tuple[list[Finding], dict[str, float]]:
        model = view.model_for(self.name)
        if model.capabilities.profile == "compact":
            form = fields(**{step: one_of(("right", "wrong")) for step in steps})
            return await self.ask(view, model, calls, form, lambda answer: _short_verdicts(answer, steps))
        verdict = fields(
            ok=one_of(("yes", "no")),
            finding=text(200, hint=self.folder.hint("finding")),
            instruction=text(200, hint=self.folder.hint("instruction")),
        )
        form = fields(**dict.fromkeys(steps, verdict))
        return await self.ask(view, model, calls, form, lambda answer: (_full_verdicts(answer, steps), {}))


def _mark(record: StepRecord) -> float | None:
    """The mark that the words got from the model that chose them, if it gives marks."""
    taken = [draft.mark for call in record.calls[-1:] for draft in call.drafts if draft.text == call.raw]
    return taken[0] if taken else None


def _understood(view: View) -> bool:
    situation = view.find(Situation)
    return situation is not None and situation.feelings is not None


def _poor(step: str, mark: float) -> Finding:
    return Finding(step=step, problem=f"A rater would give it {mark:.1f} of 5.", instruction=MENDING[step], by="model")


def audited(done: tuple[StepRecord, ...]) -> list[StepRecord]:
    """The steps that an audit judges, in order: those that a model makes."""
    return [record for record in done if record.step in QUESTIONS]


def _short_verdicts(answer: ParsedAnswer, steps: list[str]) -> tuple[list[Finding], dict[str, float]]:
    """One word a step; what to mend is said by rule, for a small model has no words to spare."""
    for step in steps:
        if answer.value[step] not in ("right", "wrong"):
            raise BadOutput(f"'{answer.value[step]}' is no verdict on {step}. Say right or wrong.", raw=answer.value[step])
    findings = [
        Finding(step=step, problem="Looked over, it does not hold.", instruction=MENDING[step], by="model")
        for step in steps
        if answer.value[step] == "wrong"
    ]
    sure = {step: answer.probabilities[step][answer.value[step]] for step in steps if step in answer.probabilities}
    return findings, sure


def _full_verdicts(answer: ParsedAnswer, steps: list[str]) -> list[Finding]:
    findings: list[Finding] = []
    for step in steps:
        verdict = answer.value[step]
        word = verdict["ok"].strip().lower().rstrip(".!")
        if word not in ("yes", "true", "no", "false"):
            raise BadOutput(f"'{verdict['ok']}' is no verdict on {step}. Say yes or no.", raw=verdict["ok"])
        if word in ("no", "false"):
            told = verdict["instruction"].strip()
            mend = MENDING[step] if told.lower().rstrip(".") in ("none", "") else told
            findings.append(Finding(step=step, problem=verdict["finding"].strip(), instruction=mend, by="model"))
    return findings
