"""cause (TRACE's Causal Analysis Engine, CAE): what set the emotion off, in the speaker's own words."""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.quotes import pieces, said
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.labels import label_set
from heartfelt.models.seam import Schema, fields, many, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Cause, Finding, Output


@dataclass(frozen=True, kw_only=True)
class FindCause(Agent):
    name: ClassVar[str] = "cause"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def informs(self, view: View) -> bool:
        return False

    def schema(self, view: View, *, compact: bool) -> Schema:
        categories = one_of(label_set("trace_causes").labels)
        if compact:
            quotable = pieces(view.dialogue.last.text)[-24:]
            return fields(spans=many(one_of(quotable), least=1, most=min(2, len(quotable))), category=categories)
        return fields(
            spans=many(text(120, hint=self.folder.hint("spans")), least=1, most=2),
            summary=text(240, hint=self.folder.hint("summary")),
            category=categories,
        )

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        category = str(answer.value["category"]).strip()
        known = {label.lower(): label for label in label_set("trace_causes").labels}
        if category.lower() not in known:
            raise BadOutput(f"'{category}' is not one of the cause categories.", raw=category)
        return Cause(
            spans=tuple(span.strip() for span in answer.value["spans"][:2]),
            category=known[category.lower()],
            summary=str(answer.value.get("summary", "")).strip(),
        )

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Cause)
        return tuple(self.finding("never_said", span=span) for span in output.spans if not said(span, view.said))
