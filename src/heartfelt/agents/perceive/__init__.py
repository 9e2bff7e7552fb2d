"""perceive (A1, the Multimodal Perception Agent): which cues matter, each grounded in a quote or a moment."""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.quotes import pieces, said
from heartfelt.agents.view import View
from heartfelt.fusion.tell import measured_cues
from heartfelt.labels import label_set
from heartfelt.models.seam import Schema, fields, many, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Cue, Evidence, Finding, Output

SOURCES = ("words", "face", "voice", "picture")
MOST_CUES = 3
MOST_PIECES = 24


@dataclass(frozen=True, kw_only=True)
class Perceive(Agent):
    name: ClassVar[str] = "perceive"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def informs(self, view: View) -> bool:
        """What was measured in a voice or a face changes the forecast; the words themselves it reads as they are."""
        return view.dialogue.last.readings is not None

    def schema(self, view: View, *, compact: bool) -> Schema:
        if compact:  # the model may only point at what was really said
            quotable = pieces(view.dialogue.last.text)[-MOST_PIECES:]
            cue = fields(quote=one_of(quotable), meaning=one_of(label_set("ed32").labels))
            return fields(cues=many(cue, least=1, most=min(MOST_CUES, len(quotable))))
        cue = fields(
            source=one_of(SOURCES),
            quote=text(200, hint=self.folder.hint("quote")),
            meaning=text(120, hint=self.folder.hint("meaning")),
        )
        return fields(cues=many(cue, least=1, most=6), summary=text(300, hint=self.folder.hint("summary")))

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        cues = tuple(
            Cue(
                source=cue.get("source") if cue.get("source") in SOURCES else "words",
                quote=cue["quote"].strip(),
                meaning=cue["meaning"].strip(),
            )
            for cue in answer.value["cues"]
        )
        known = {(cue.source, cue.quote) for cue in cues}
        measured = tuple(cue for cue in measured_cues(view.dialogue.last.readings) if (cue.source, cue.quote) not in known)
        return Evidence(cues=(*cues, *measured), summary=answer.value.get("summary", ""))

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Evidence)
        invented = [cue.quote for cue in output.cues if cue.source == "words" and not said(cue.quote, view.said)]
        unseen = [cue.source for cue in output.cues if cue.source not in _at_hand(view)]
        findings = [self.finding("never_said", quote=quote) for quote in invented]
        if unseen:
            findings.append(self.finding("unseen", source=unseen[0], at_hand=sorted(_at_hand(view))))
        return tuple(findings)


def _at_hand(view: View) -> set[str]:
    """The senses that had something to go by; pictures show a face."""
    readings = view.dialogue.last.readings
    sensed = {each.source for each in readings.sensed if each.moments or each.cues} if readings else set[str]()
    return {"words", *sensed, *(("picture", "face") if view.dialogue.keyframes else ())}
