"""faster-whisper behind the same seam, for whoever has it and its weights: any language, better words, more time."""

from typing import Any

from heartfelt.errors import MissingExtra
from heartfelt.records import Word
from heartfelt.senses.voice.samples import Samples, checked
from heartfelt.senses.voice.transcribe import Transcript


class FasterWhisper:
    """`model` is a name or a folder, as faster-whisper takes it; it is loaded at once, since it may have to be fetched."""

    def __init__(self, model: str, *, language: str | None = None):
        try:
            from faster_whisper import WhisperModel  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise MissingExtra("Transcribing with faster-whisper", "whisper") from None
        self.name = f"faster-whisper:{model}"
        self._language = language
        self._model: Any = WhisperModel(model, device="cpu", compute_type="int8")

    def transcribe(self, samples: Samples) -> Transcript:
        segments, told = self._model.transcribe(checked(samples), language=self._language, word_timestamps=True)
        words = tuple(
            Word(start=word.start, end=word.end, text=word.word.strip(), confidence=word.probability)
            for segment in segments
            for word in segment.words or ()
        )
        return Transcript(words, "" if told.language == "en" else told.language)
