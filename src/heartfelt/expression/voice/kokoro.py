"""Kokoro-82M: the embedded voice, English, on two cores."""

import threading
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.expression.voice.chunks import Chunk, chunks
from heartfelt.expression.voice.espeak import Accent, Espeak, Sounds
from heartfelt.expression.voice.kokoro_graph import DURATIONS, RANGE, SHIFT, STRETCH, TREMOR, join, write_speaker
from heartfelt.expression.voice.manner import NEUTRAL, Manner
from heartfelt.expression.voice.normalise import SpokenPiece, normalise
from heartfelt.expression.voice.phonemes import Symbol, symbols_of
from heartfelt.expression.voice.sound import brightened, louder
from heartfelt.expression.voice.spoken import Samples, SpokenAudio, joined
from heartfelt.expression.voice.symbols import NUMBERS, PAD
from heartfelt.expression.voice.timing import heard, paced, phones_of, sounds_of, words_of
from heartfelt.expression.voice.voices import DEFAULT, ROWS, Voice, style
from heartfelt.expression.voice.voices import voice as voice_named
from heartfelt.weights import Store
from heartfelt.weights.right_of_way import RIGHT_OF_WAY
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

# A conversion is found by its name, so the number goes up whenever `kokoro_graph` changes what it writes.
_SPEAKER = "speaker-3.onnx"
_THREADS = 2
_MOST_SYMBOLS = 500
"""Of the 510 that the network takes."""
MOST_WORDS = 1500
"""Of a text that is said at once: about ten minutes, 60 MB."""
_EDGE = 0.03
"""Seconds of silence before the first sound, so that it does not click."""
_SEMITONE = log(2) / 12


class Kokoro:
    """Loaded at the first words; safe to share between threads. One stretch is made at a time, so memory stays bounded."""

    name = "kokoro-82m"

    def __init__(self, store: Store | None = None, *, sounds: Sounds | None = None):
        self.store = store or Store()
        self.sounds = sounds or Espeak()
        self._loading, self._speaking = threading.Lock(), threading.Lock()
        self._styles: dict[str, Samples] = {}

    def say(self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL) -> SpokenAudio:
        """All of a text at once; one of more than 1,500 words is refused, since its sound would fill the memory."""
        if (words := normalise(text).words) > MOST_WORDS:
            raise InputError(
                f"A text of {words:,} words is too long to be said at once; {MOST_WORDS:,} are the most. "
                "Use stream(), which gives it sentence by sentence, or say it in parts."
            )
        return joined(list(self.stream(text, voice=voice, manner=manner)))

    def stream(self, text: str, *, voice: Voice | str = DEFAULT, manner: Manner = NEUTRAL) -> Iterator[SpokenAudio]:
        """Stretch by stretch, each as soon as it is made. The times of each count from its own start.

        What is wrong with the text or the voice is told at once and not at the first stretch.
        """
        script, speaker = normalise(text), voice_named(voice) if isinstance(voice, str) else voice
        return (spoken for chunk in chunks(script.pieces) for spoken in self._chunk(chunk, speaker, manner))

    def load(self) -> "InferenceSession":
        """Done at the first words unless it was done before: whoever cannot wait then calls this at the start."""
        with self._loading:
            return self._session

    def graph(self) -> Path:
        """The network as one file, converted at the first call."""
        parts = sorted(self.store.path("kokoro").glob("*.bin"))
        return self.store.converted("kokoro", _SPEAKER, lambda target: write_speaker(join(parts), target))

    @cached_property
    def _session(self) -> "InferenceSession":
        return open_session(self.graph(), _THREADS)

    def _chunk(self, chunk: Chunk, voice: Voice, manner: Manner) -> Iterator[SpokenAudio]:
        fitting = list(self._fitting(chunk.pieces, voice.accent))
        for index, (pieces, symbols) in enumerate(fitting):
            last = index == len(fitting) - 1
            yield self._spoken(pieces, symbols, voice, manner, after=chunk.pause if last else _EDGE)

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

    def _spoken(
        self, pieces: Sequence[SpokenPiece], symbols: tuple[Symbol, ...], voice: Voice, manner: Manner, *, after: float
    ) -> SpokenAudio:
        samples, durations = self._run(symbols, self._style(voice), manner)
        sounds = heard(sounds_of(symbols, durations), samples)
        sounds, samples = paced(sounds, samples, manner.pause, _EDGE, after * manner.pause)
        samples = louder(brightened(samples, manner.brightness), manner.energy)
        return SpokenAudio(samples, phones_of(sounds), words_of(sounds, pieces))

    def _run(self, symbols: Sequence[Symbol], styles: Samples, manner: Manner) -> tuple[Samples, NDArray[np.int64]]:
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
        session = self.load()
        with self._speaking:
            RIGHT_OF_WAY.settled()
            sound, durations = cast(list[Samples], session.run(["waveform", DURATIONS], inputs, _gives_back()))
        return sound[0], durations[0].astype(np.int64)

    def _style(self, voice: Voice) -> Samples:
        key = repr(voice.mix)
        if key not in self._styles:
            if len(self._styles) > 31:  # half a megabyte each
                self._styles.clear()
            self._styles[key] = style(voice, self.store.path("kokoro-voices"))
        return self._styles[key]


@cache
def _gives_back() -> Any:
    """The memory of a stretch goes back to the system after it; a longer one later would not fit into it anyway."""
    from onnxruntime import RunOptions  # pyright: ignore[reportAttributeAccessIssue]

    options = RunOptions()
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options
