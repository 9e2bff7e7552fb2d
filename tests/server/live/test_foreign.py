"""Somebody speaks another language than English: the page is told, and the answer says in it what is understood."""

from pathlib import Path

from heartfelt.models import Capabilities, Scripted
from heartfelt.models.seam import Model
from heartfelt.records import Word
from heartfelt.senses.sense import Senses
from heartfelt.senses.voice.samples import Samples
from heartfelt.senses.voice.transcribe import Transcript
from scripts import COMPACT
from senses.test_live import Face

from ..serving import Ears, serving
from .person import person

SAID = "Ach je."
"""Too little to tell the language by its words."""


class GermanEars(Ears):
    name = "german"

    def __init__(self) -> None:
        super().__init__()
        self.voice.transcriber = self

    def transcribe(self, samples: Samples) -> Transcript:
        return Transcript((Word(start=0.1, end=0.4, text=SAID),), "de")


def senses(model: Model) -> Senses:
    return Senses(model=model, eyes=Face, ears=GermanEars)  # type: ignore[arg-type]


async def test_german_is_told_and_answered_in_german_though_only_the_words_may_be_taken(tmp_path: Path):
    model = Scripted(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
    with serving(tmp_path, model=model, sensing=senses) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", microphone=True, voice=False)
            await ana.speak(1.0)
            await ana.speak(1.5, loud=False)
            turn = await ana.turn("answered")
            heard = [each["event"]["heard"] for each in ana.told if each["kind"] == "sensing" and "heard" in each["event"]]
    assert [each["language"] for each in heard] == ["de"]
    assert turn["language"] == "de", "the page cannot tell in German what can be had in it"
    assert turn["said"] == SAID and turn["reply"].startswith("Ich bin ein KI-Programm")
