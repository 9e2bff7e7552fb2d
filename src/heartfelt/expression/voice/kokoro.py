"""Kokoro-82M: the embedded voice, English, on two cores.

A stretch that somebody waits for is made piece by piece: its melody is that of the whole, and the first words of it are heard
after a third of the time that all of it takes.
"""

import hashlib
import platform
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from itertools import pairwise
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast
from zipfile import BadZipFile

import numpy as np

from heartfelt.errors import InputError
from heartfelt.expression.voice import vocoder
from heartfelt.expression.voice.chunks import Chunk, chunks
from heartfelt.expression.voice.espeak import Accent, Espeak, Sounds
from heartfelt.expression.voice.kokoro_graph import (
    DURATIONS,
    FEATURES,
    RANGE,
    SHIFT,
    SOURCE,
    STRETCH,
    STYLE,
    TREMOR,
    join,
    write_speaker,
    write_vocoder,
)
from heartfelt.expression.voice.manner import NEUTRAL, Manner
from heartfelt.expression.voice.normalise import SpokenPiece, normalise
from heartfelt.expression.voice.phonemes import Symbol, symbols_of
from heartfelt.expression.voice.sound import brightener, louder
from heartfelt.expression.voice.spoken import Samples, SpokenAudio, joined
from heartfelt.expression.voice.symbols import NUMBERS, PAD
from heartfelt.expression.voice.timing import TimedSound, heard, moved, paced, phones_of, places, sounds_of, words_of
from heartfelt.expression.voice.vocoder import Features, UsualNorms
from heartfelt.expression.voice.voices import DEFAULT, ROWS, Voice, style
from heartfelt.expression.voice.voices import voice as voice_named
from heartfelt.weights import Store
from heartfelt.weights.right_of_way import RIGHT_OF_WAY
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# A conversion is found by its name, so the number goes up whenever `kokoro_graph` changes what it writes.
_SPEAKER, _VOCODER, _WIDE, _NORMS = "speaker-4.onnx", "vocoder-4.onnx", "vocoder-4-wide.onnx", "norms-4-{}.npz"
_ROUNDED = platform.machine().lower() in ("aarch64", "arm64")
"""Whether the vocoder is quicker in whole numbers: twice on ARM, a third as quick on x86, where onnxruntime has no quick way
for them (docs/design/expression-voice.md)."""
_THREADS = 2
_MOST_SYMBOLS = 500
"""Of the 510 that the network takes."""
MOST_WORDS = 1500
"""Of a text that is said at once: about ten minutes, 60 MB."""
_EDGE = 0.03
"""Seconds of silence before the first sound, so that it does not click."""
_SEMITONE = log(2) / 12
_SAMPLE = (
    "I'm so sorry, that must have been a hard week for all of you.",
    "Good for you!",
    "What did your sister say when you told her about the letter?",
    "It makes sense that you are tired, with the baby up every two hours and nobody there to help.",
    "Oh no, not again.",
    "You walked back in there, after everything that he had said, and you stayed calm.",
)
"""Sentences from which is learnt what is usual when a voice speaks."""

Result = TypeVar("Result")


class Kokoro:
    """Loaded at the first words; safe to share between threads. One stretch is made at a time, so memory stays bounded."""

    name = "kokoro-82m"

    def __init__(self, store: Store | None = None, *, sounds: Sounds | None = None):
        self.store = store or Store()
        self.sounds = sounds or Espeak()
        self._loading, self._speaking = threading.Lock(), threading.Lock()
        self._styles: dict[str, Samples] = {}
        self._norms: dict[str, UsualNorms] = {}

    def say(self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL) -> SpokenAudio:
        """All of a text at once; one of more than 1,500 words is refused, since its sound would fill the memory."""
        if (words := normalise(text).words) > MOST_WORDS:
            raise InputError(
                f"A text of {words:,} words is too long to be said at once; {MOST_WORDS:,} are the most. "
                "Use stream(), which gives it sentence by sentence, or say it in parts."
            )
        return joined(list(self.stream(text, voice=voice, manner=manner)))

    def stream(
        self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL, piecewise: bool = False
    ) -> Iterator[SpokenAudio]:
        """Stretch by stretch, each as soon as it is made. The times of each count from its own start.

        `piecewise`: somebody waits, so a stretch may come in pieces, once the voice was prepared for that.
        What is wrong with the text or the voice is told at once and not at the first stretch.
        """
        script, speaker = normalise(text), voice_named(voice) if isinstance(voice, str) else voice
        usual = self._usual(speaker) if piecewise else None
        return (spoken for chunk in chunks(script.pieces) for spoken in self._chunk(chunk, speaker, manner, usual=usual))

    def load(self) -> None:
        """Done at the first words unless it was done before: whoever cannot wait then calls this at the start."""
        with self._loading:
            _ = self._speaker, self._vocoder

    def prepare(self, voice: Voice) -> Iterator[None]:
        """Learn once what is usual for a voice, so that what it says can be heard piece by piece. A sentence at a time."""
        if self._usual(voice) is not None:
            return
        said: list[tuple[Features, Samples, Samples]] = []
        for text in _SAMPLE:
            symbols = symbols_of(normalise(text).pieces, self.sounds, voice.accent)
            features = self._features(symbols, self._style(voice), NEUTRAL)
            said.append((features, *self._run(partial(vocoder.whole, self._vocoder, features))))
            yield
        usual = UsualNorms(np.mean([norms for _, _, norms in said], axis=0))
        gains: list[float] = []
        for features, sound, _ in said:
            again = self._run(partial(vocoder.piece, self._vocoder, features, 0, features.length, usual))
            gains.append(float(np.sqrt(np.mean(np.square(sound)) / np.mean(np.square(again)))))
            yield
        usual = replace(usual, gain=float(np.mean(gains)))
        self.store.converted("kokoro", _name(voice), usual.write)

    def graph(self) -> Path:
        """The first network as one file, converted at the first call."""
        return self._converted(_SPEAKER, write_speaker)

    def _converted(self, name: str, write: Callable[[bytes, Path], None]) -> Path:
        parts = sorted(self.store.path("kokoro").glob("*.bin"))
        return self.store.converted("kokoro", name, lambda target: write(join(parts), target))

    @cached_property
    def _speaker(self) -> "InferenceSession":
        return open_session(self.graph(), _THREADS)

    @cached_property
    def _vocoder(self) -> "InferenceSession":
        write = partial(write_vocoder, rounded=_ROUNDED)
        return open_session(self._converted(_VOCODER if _ROUNDED else _WIDE, write), _THREADS)

    def _chunk(self, chunk: Chunk, voice: Voice, manner: Manner, *, usual: UsualNorms | None = None) -> Iterator[SpokenAudio]:
        fitting = list(self._fitting(chunk.pieces, voice.accent))
        for index, (pieces, symbols) in enumerate(fitting):
            after = (chunk.pause if index == len(fitting) - 1 else _EDGE) * manner.pause
            features = self._features(symbols, self._style(voice), manner)
            for sounds, samples in self._sounding(features, sounds_of(symbols, features.durations), manner, usual):
                sounds, samples = paced(heard(sounds, samples), samples, manner.pause, _EDGE, after)
                yield SpokenAudio(louder(samples, manner.energy), phones_of(sounds), words_of(sounds, pieces))

    def _fitting(
        self, pieces: Sequence[SpokenPiece], accent: Accent
    ) -> Iterator[tuple[Sequence[SpokenPiece], tuple[Symbol, ...]]]:
        """In halves where it has more symbols than the network takes, as letters do that are read one by one."""
        symbols = symbols_of(pieces, self.sounds, accent)
        if len(symbols) > _MOST_SYMBOLS and len(pieces) > 1:
            middle = len(pieces) // 2
            yield from self._fitting(pieces[:middle], accent)
            yield from self._fitting(pieces[middle:], accent)
        else:
            yield pieces, symbols[:_MOST_SYMBOLS]

    def _sounding(
        self, features: Features, sounds: list[TimedSound], manner: Manner, usual: UsualNorms | None
    ) -> Iterator[tuple[list[TimedSound], Samples]]:
        """The sounds and how they sound: in pieces, if it is known what is usual for the voice."""
        brighten = brightener(manner.brightness)
        if usual is None:
            samples, _ = self._run(partial(vocoder.whole, self._vocoder, features))
            yield sounds, brighten(samples)
            return
        sounds, starts = places(sounds)
        ends = [*(sounds[start].start for start in starts), sounds[-1].end]
        making = vocoder.pieces(self._vocoder, features, [sounds[0].start, *ends], usual, brighten)
        for first, last in pairwise((0, *starts, len(sounds))):
            samples = self._run(lambda: next(making))
            yield moved(sounds[first:last], -sounds[first].start), samples

    def _features(self, symbols: Sequence[Symbol], styles: Samples, manner: Manner) -> Features:
        numbers = [PAD, *(NUMBERS[symbol.text] for symbol in symbols), PAD]
        row = min(max(len(symbols) - 1, 0), ROWS - 1)
        inputs = {
            "input_ids": np.array([numbers], np.int64),
            "style": styles[row : row + 1],
            "speed": np.ones(1, np.float32),
            STRETCH: np.full((1, len(numbers)), 1 / manner.rate, np.float32),
            SHIFT: np.array([manner.pitch * _SEMITONE], np.float32),
            RANGE: np.array([manner.range], np.float32),
            TREMOR: np.array([manner.tremor * _SEMITONE], np.float32),
        }
        wanted = [FEATURES, SOURCE, STYLE, DURATIONS]
        made = self._run(lambda: cast(list[Samples], self._speaker.run(wanted, inputs, vocoder.gives_back())))
        columns, source, style, durations = made
        return Features(columns, source, style, durations[0].astype(np.int64))

    def _run(self, work: Callable[[], Result]) -> Result:
        """One after the other, and when whoever has the right of way is done."""
        self.load()
        with self._speaking:
            RIGHT_OF_WAY.settled()
            return work()

    def _usual(self, voice: Voice) -> UsualNorms | None:
        """None until `prepare` was called for this voice, on this machine, once."""
        if (name := _name(voice)) not in self._norms and (file := self.store.made("kokoro", name)):
            with suppress(OSError, ValueError, KeyError, BadZipFile):  # damaged: all comes whole, as before it was learnt
                self._norms[name] = UsualNorms.read(file)
        return self._norms.get(name)

    def _style(self, voice: Voice) -> Samples:
        key = repr(voice.mix)
        if key not in self._styles:
            if len(self._styles) > 31:  # half a megabyte each
                self._styles.clear()
            self._styles[key] = style(voice, self.store.path("kokoro-voices"))
        return self._styles[key]


def _name(voice: Voice) -> str:
    return _NORMS.format(hashlib.sha256(repr(voice.mix).encode()).hexdigest()[:12])
