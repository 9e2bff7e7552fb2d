"""perceive (A1, the Multimodal Perception Agent): which cues matter, each grounded in a quote or a moment."""

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer, finished
from heartfelt.agents.classifier import Classifier
from heartfelt.agents.quotes import pieces, said
from heartfelt.agents.view import View, classified
from heartfelt.fusion.tell import measured_cues
from heartfelt.labels import label_set
from heartfelt.models.seam import Schema, fields, many, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Cue, Dialogue, Evidence, Finding, Output, StepRecord
from heartfelt.text import sentences_of

SOURCES = ("words", "face", "voice", "picture")
MOST_CUES = 3
MOST_PIECES = 24


@dataclass(frozen=True, kw_only=True)
class Perceive(Agent):
    name: ClassVar[str] = "perceive"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)
    by_classifier: bool = False
    """Whether the classifier may be asked in place of a model that it knows as much as."""

    def informs(self, view: View) -> bool:
        """What was measured in a voice or a face changes the forecast; the words themselves it reads as they are."""
        return view.dialogue.last.readings is not None

    async def run(self, view: View) -> StepRecord:
        classifier = view.services.classifier
        if classifier is None or not self._classified(view):
            return await super().run(view)
        started = time.perf_counter()
        cues = await asyncio.to_thread(_felt_in, classifier, view.dialogue)
        evidence = Evidence(cues=(*cues, *measured_cues(view.dialogue.last.readings)))
        return finished(self.name, view, evidence, [], self.check(evidence, view), started)

    def costs(self, view: View) -> int:
        return 0 if self._classified(view) else 1

    def _classified(self, view: View) -> bool:
        return self.by_classifier and classified(view, self.name)

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


def _felt_in(classifier: Classifier, dialogue: Dialogue) -> tuple[Cue, ...]:
    """The last sentences, and what is felt in each."""
    last = dialogue.last
    said = [sentence for sentence in sentences_of(last.text) if sentence.strip()][-MOST_CUES:]
    alone = [last.model_copy(update={"text": sentence}) for sentence in said]
    felt = [classifier.classify(dialogue.model_copy(update={"turns": (turn,)})).feelings for turn in alone]
    return tuple(
        Cue(source="words", quote=sentence, meaning=max(shares, key=lambda each: shares[each]))
        for sentence, shares in zip(said, felt, strict=True)
    )


def _at_hand(view: View) -> set[str]:
    """The senses that had something to go by; pictures show a face."""
    readings = view.dialogue.last.readings
    sensed = {each.source for each in readings.sensed if each.moments or each.cues} if readings else set[str]()
    return {"words", *sensed, *(("picture", "face") if view.dialogue.keyframes else ())}
