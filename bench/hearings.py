"""Speech to try ears on: sentences of the samples in the embedded voice's many voices, and what rooms and lines do to them."""

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.measure import at_rate
from heartfelt.records import Word
from heartfelt.senses.media.media import open_media
from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.senses.voice.sense import VoiceSense
from heartfelt.senses.voice.transcribe import Transcript
from heartfelt.text import sentences_of

EXCHANGES = Path(__file__).parent.parent / "samples" / "exchanges" / "exchanges.jsonl.gz"
WOMEN, MEN = ("heart", "bella", "sarah", "kore", "nicole"), ("michael", "fenrir", "onyx", "puck", "santa")
BRITISH = ("emma", "isabella", "fable", "george", "lewis")
VOICES = (*WOMEN, *MEN, *BRITISH)
"""All timbres that were recorded."""
SHORT = (
    "Yes.",
    "No.",
    "Okay.",
    "Hi.",
    "Hello there.",
    "Thanks.",
    "Maybe.",
    "Fine.",
    "Really?",
    "Not really.",
    "I don't know.",
    "My mum.",
    "No way!",
    "Tired.",
    "Good, you?",
)
"""What people say in a word or two; each voice says all of them."""
RAVDESS = {"01": "Kids are talking by the door.", "02": "Dogs are sitting by the door."}
_PLAIN = re.compile(r"(?!.*[A-Z]{2})[A-Z][a-zA-Z ,.'’!?-]+[.!?]")
_SLOPPY = re.compile(
    r"\b(im|ive|id|ill|its|dont|cant|wont|didnt|isnt|doesnt|wasnt|hes|shes|youre|theyre|thats|whats|lets|theres|u|ur)\b", re.I
)
"""Written without their apostrophes, or in a chat's short forms: nobody hears that."""


@dataclass(frozen=True)
class Utterance:
    sound: Samples
    text: str


def sentences(count: int) -> list[str]:
    """Well written ones of 5 to 24 words, from as many writers as there are, in turn."""
    by_writer: dict[str, list[str]] = defaultdict(list)
    with gzip.open(EXCHANGES, "rt", encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            said = sentences_of(line["turns"][0])
            by_writer[line["writer"]] += [text for text in said if _well_written(text)]
    shuffled = [list(np.random.default_rng(0).permutation(texts)) for texts in by_writer.values() if texts]
    in_turn = (str(texts.pop()) for texts in cycle(shuffled) if texts)
    return list(islice(in_turn, count))


def spoken(texts: Iterable[str]) -> Iterator[Utterance]:
    """Each sentence in the next voice."""
    kokoro = Kokoro()
    for text, voice in zip(texts, cycle(VOICES), strict=False):
        yield _said(kokoro, text, voice)


def single_words() -> Iterator[Utterance]:
    kokoro = Kokoro()
    return (_said(kokoro, text, voice) for voice in VOICES for text in SHORT)


def ravdess(folder: Path) -> Iterator[Utterance]:
    """Of each actor one utterance of every feeling and strength, the two sentences in turn."""
    for number, path in enumerate(sorted(folder.glob("03-01-*-01-*.*"))):
        sentence = path.stem.split("-")[4]
        if (number // len(RAVDESS) + int(sentence)) % 2:
            yield Utterance(_recorded(path), RAVDESS[sentence])


def recordings(folder: Path) -> Iterator[Utterance]:
    """All sound files of a folder; what is said in them is not known."""
    return (Utterance(_recorded(path), "") for path in sorted(folder.iterdir()) if path.is_file())


def _said(kokoro: Kokoro, text: str, voice: str) -> Utterance:
    made = kokoro.say(text, voice=voice)
    return Utterance(at_rate(made.samples, made.rate), text)


def _recorded(path: Path) -> Samples:
    return np.concatenate([piece.samples for piece in open_media(path).audio()])


# ── what may happen on the way to the ears ──────────────────────────────────────────────────────────────────────────


def clean(sound: Samples, _chance: np.random.Generator) -> Samples:
    return sound


def noise(decibels: float) -> Callable[[Samples, np.random.Generator], Samples]:
    """Steady noise with the colour of speech, so many decibels below it."""

    def noisy(sound: Samples, chance: np.random.Generator) -> Samples:
        spectrum = np.fft.rfft(sound)
        smooth = np.convolve(np.abs(spectrum), np.ones(201) / 201, mode="same")
        made = np.fft.irfft(smooth * np.exp(2j * np.pi * chance.random(len(smooth))), len(sound))
        return (sound + made * loudness(sound) / loudness(made) * 10 ** (-decibels / 20)).astype(np.float32)

    return noisy


def room(sound: Samples, chance: np.random.Generator) -> Samples:
    """A bare room: its echo is as strong as the voice itself and takes 0.6 s to fall by 60 decibels."""
    fall = np.exp(-np.arange(int(0.6 * RATE)) / RATE * np.log(1000) / 0.6)
    echo = chance.standard_normal(len(fall)) * fall
    echo[: int(0.003 * RATE)] = 0
    echo /= np.sqrt(np.sum(np.square(echo)))
    echo[0] = 1
    whole = len(sound) + len(echo)
    return np.fft.irfft(np.fft.rfft(sound, whole) * np.fft.rfft(echo, whole), whole)[: len(sound)].astype(np.float32)


def telephone(sound: Samples, _chance: np.random.Generator) -> Samples:
    """300 to 3,400 hertz in 8 bits, by the μ-law."""
    spectrum = np.fft.rfft(sound)
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    narrow = np.fft.irfft(np.where((hertz >= 300) & (hertz <= 3400), spectrum, 0), len(sound))
    level = np.sign(narrow) * np.log1p(255 * np.abs(np.clip(narrow, -1, 1))) / np.log(256)
    coarse = np.round(level * 127) / 127
    return (np.sign(coarse) * np.expm1(np.abs(coarse) * np.log(256)) / 255).astype(np.float32)


HEARINGS: dict[str, Callable[[Samples, np.random.Generator], Samples]] = {
    "clean": clean,
    "10 dB": noise(10),
    "0 dB": noise(0),
    "room": room,
    "telephone": telephone,
}


def loudness(sound: Samples) -> float:
    """Root mean square where there is sound: silence around a word makes it no quieter."""
    rows = np.square(sound[: len(sound) // 320 * 320].reshape(-1, 320)).mean(axis=1)
    return float(np.sqrt(rows[rows > rows.max() / 1000].mean()))


def stretches(sound: Samples, hearing: str, number: int) -> list[Samples]:
    """The sound with a second of quiet around it, heard so, as the voice sense cuts it for a recogniser."""
    quiet = np.random.default_rng(number).standard_normal(len(sound) + 2 * RATE).astype(np.float32) * np.float32(1e-4)
    quiet[RATE:-RATE] += sound
    taking = _Taking()
    voice = VoiceSense(transcriber=taking)
    voice.hear(HEARINGS[hearing](quiet, np.random.default_rng(number)))
    voice.finish()
    return taking.taken


class _Taking:
    """A recogniser that keeps what it is given."""

    name = "taking"

    def __init__(self) -> None:
        self.taken: list[Samples] = []

    def transcribe(self, samples: Samples) -> Transcript:
        self.taken.append(samples)
        return Transcript(tuple[Word, ...]())


def _well_written(text: str) -> bool:
    return 5 <= len(text.split()) <= 24 and bool(_PLAIN.fullmatch(text)) and not _SLOPPY.search(text)
