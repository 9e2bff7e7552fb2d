"""A voice that runs as a service."""

import base64
import binascii
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from time import sleep as wait

from pydantic import ValidationError

from heartfelt.expression.persona import Persona
from heartfelt.expression.services.address import read_address
from heartfelt.expression.services.contract import MOST_SPEECH, SPEECH, SpeechAsked, ToldSpeech, ToldWord, speaker_asked
from heartfelt.expression.services.generator import ANY_VOICE, Generator, GeneratorRequest
from heartfelt.expression.services.laid import laid
from heartfelt.expression.services.wav import BadSound, read_wav
from heartfelt.expression.services.wire import ServiceAnswer, Wire
from heartfelt.expression.style import Style
from heartfelt.expression.voice.chunks import LONGEST, Chunk, chunks
from heartfelt.expression.voice.espeak import Espeak, Sounds
from heartfelt.expression.voice.normalise import ENDS, Script, SpokenPiece, normalise
from heartfelt.expression.voice.phonemes import symbols_of
from heartfelt.expression.voice.spoken import RATE, Samples, SpokenAudio
from heartfelt.expression.voice.timing import paced, phones_of, words_of

TIMEOUT = 120.0
"""Seconds for one sentence."""
_EDGE = 0.03
"""Seconds of silence before the first sound, as the embedded voice has it."""
_LATE = 0.25
"""Seconds by which a word's time may lie behind the end of the sound: services round."""
_JSON, _WAV = "application/json", ("audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave", "application/octet-stream")


class ServiceVoice:
    """Says a text sentence by sentence over HTTP, as `docs/reference/generator-contract.md` has it.

    The times of the sounds are estimated (see `laid`); those of the words too, unless the service tells them.
    """

    def __init__(
        self,
        address: str,
        *,
        generator: Generator = ANY_VOICE,
        sounds: Sounds | None = None,
        attempts: int = 2,
        sleep: Callable[[float], None] = wait,
    ):
        self.name, self.generator = generator.name, generator
        self.address = read_address(address, timeout=TIMEOUT)
        self._sounds = sounds or Espeak()
        self._wire = Wire(self.address, generator.name, attempts=attempts, sleep=sleep)

    def say(self, text: str, style: Style, persona: Persona) -> Iterator[SpokenAudio]:
        """What is wrong with the text is told at once; the service is asked when the first sentence is wanted."""
        sentences = list(_sentences(normalise(text).pieces))
        starts = [*(sentence.pieces[0].at for sentence in sentences), len(text)]
        written = [text[start:end].strip() for start, end in pairwise(starts)]
        return (
            self._said(sentence, as_written, style, persona) for sentence, as_written in zip(sentences, written, strict=True)
        )

    def __repr__(self) -> str:
        return f"ServiceVoice({self.address.url!r}, {self.name!r})"

    def _said(self, sentence: Chunk, written: str, style: Style, persona: Persona) -> SpokenAudio:
        symbols = symbols_of(sentence.pieces, self._sounds, persona.voice.accent)
        wish = self.generator.wish(style, persona, self._wire.about("voice"))
        text = Script(sentence.pieces).text
        samples, words = self._heard(self._asked(text, written or text, wish))
        placed = laid(symbols, sentence.pieces, samples, words)
        placed, samples = paced(placed, samples, 1.0, _EDGE, sentence.pause * wish.manner.pause)
        return SpokenAudio(samples, phones_of(placed), words_of(placed, sentence.pieces))

    def _asked(self, text: str, written: str, wish: GeneratorRequest) -> ServiceAnswer:
        request = SpeechAsked(
            text=text,
            written=written,
            emotion=wish.emotion,
            intensity=wish.style.intensity,
            tone=wish.style.tone,
            rate=round(wish.manner.rate, 3),
            pitch=round(wish.manner.pitch, 3),
            speaker=speaker_asked(wish.persona, self.address.reference),
            options=self.generator.options(wish),
        )
        return self._wire.ask("POST", SPEECH, most=MOST_SPEECH, json=request.model_dump())

    # ── the answer ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _heard(self, answer: ServiceAnswer) -> tuple[Samples, Sequence[ToldWord]]:
        content, words = answer.body, tuple[ToldWord, ...]()
        if answer.media_type == _JSON:
            content, words = self._told(answer.body)
        elif answer.media_type not in _WAV:
            kind = answer.media_type or "something without a content type"
            raise self._wire.refuse(f"answered with {kind} instead of audio/wav or {_JSON}")
        try:
            samples = read_wav(content)
        except BadSound as bad:
            raise self._wire.refuse(str(bad)) from None
        self._check(words, len(samples) / RATE)
        return samples, words

    def _told(self, body: bytes) -> tuple[bytes, tuple[ToldWord, ...]]:
        try:
            told = ToldSpeech.model_validate(json.loads(body))
            return base64.b64decode(told.audio, validate=True), told.words
        except ValidationError as error:
            wrong = ", ".join(".".join(map(str, each["loc"])) for each in error.errors()[:5])
            raise self._wire.refuse(f"sent speech as JSON that does not fit the contract: {wrong}") from None
        except (ValueError, binascii.Error):
            raise self._wire.refuse("sent speech as JSON that cannot be read") from None

    def _check(self, words: Sequence[ToldWord], seconds: float) -> None:
        """Times that run backwards or beyond the sound would put the lips anywhere."""
        times = [time for word in words for time in (word.start, word.end)]
        if any(later < earlier for earlier, later in pairwise(times)) or (times and times[-1] > seconds + _LATE):
            raise self._wire.refuse("sent word times that overlap, run backwards or lie behind the end of the sound")


def _sentences(pieces: Sequence[SpokenPiece]) -> Iterator[Chunk]:
    """Whole sentences where they are not too long: a network hears from the rest of a sentence how to say its beginning."""
    held: tuple[SpokenPiece, ...] = ()
    for chunk in chunks(pieces):
        if held and len(Script((*held, *chunk.pieces)).text) > LONGEST:
            yield Chunk(held, _EDGE)
            held = ()
        held = (*held, *chunk.pieces)
        if chunk.pieces[-1].mark and chunk.pieces[-1].mark in ENDS:
            yield Chunk(held, chunk.pause)
            held = ()
    if held:
        yield Chunk(held, next(reversed(list(chunks(held)))).pause)
