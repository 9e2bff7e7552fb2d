"""The proof over many: every identity with every emotion says every sentence, and all is measured on the films themselves.

Cells are written to a file one by one, so that a run that was stopped goes on where it was.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice, manner_for
from heartfelt.expression.persona import Persona
from heartfelt.expression.proof.build import Drift, drift, nearest
from heartfelt.expression.proof.heard import asked, directions, shifted
from heartfelt.expression.proof.likeness import Likeness, Margin, apart
from heartfelt.expression.proof.reader import FaceReader, seen_as
from heartfelt.expression.proof.seen import Onlooker
from heartfelt.expression.proof.step import IN_STEP, in_step, pooled
from heartfelt.expression.style import Style
from heartfelt.expression.voice.measure import Measures, measured
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.files import writing
from heartfelt.records import Record, Scores

EMOTIONS = ("neutral", "happy", "sad", "anger", "fear", "surprise", "disgust")
SENTENCES = ("I never thought that it would come to this.", "You know what they told me when I called about the letter.")
"""Sentences that can be said with any feeling: none of their words takes sides."""
_RESAMPLED = 2000


class FilmCell(Record):
    """One film: what was intended, and what was measured."""

    persona: str
    emotion: str
    sentence: int
    intensity: float
    intended: str
    """The class of the senses that the emotion should be recognised as."""
    shares: Scores
    """What the reader makes of the film: see `reader`."""
    network: Scores
    """What the face network alone makes of it."""
    wanted: Scores
    measured: Scores
    """Changes of the voice against the same sentence at rest, in steps to the ear."""
    offset: float
    """Seconds by which the mouth comes after the sound."""
    curve: tuple[float, ...]
    """How much mouth and sound have in common at each offset: see `step`."""
    build: tuple[float, ...] = ()
    """How the face is built: see `build`."""
    speaker: tuple[float, ...]
    """The direction of the voice: see `Likeness`."""

    @property
    def recognised(self) -> str:
        return _best(self.shares)

    @property
    def key(self) -> tuple[str, str, int, float]:
        return self.persona, self.emotion, self.sentence, self.intensity


@dataclass(frozen=True)
class Rate:
    """A share with its 95 % interval, resampled over whole people: films of one person are not independent."""

    share: float
    low: float
    high: float
    count: int

    def __str__(self) -> str:
        return f"{self.share:.3f} [{self.low:.3f}, {self.high:.3f}], {self.count}"


class ProofGrid:
    def __init__(self, folder: Path, *, intensity: float = 1.0, size: int = 512, voice: EmbeddedVoice | None = None):
        self.folder, self.intensity = folder, intensity
        self.voice, self.face = voice or EmbeddedVoice(), EmbeddedFace(size)
        self.onlooker, self.reader, self.likeness = Onlooker(), FaceReader(), Likeness()

    def run(self, people: Sequence[Persona], told: Callable[[FilmCell], None]) -> list[FilmCell]:
        """All cells, those of an earlier run of the same folder among them."""
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / "cells.jsonl"
        done = {cell.key: cell for cell in read_cells(file)} if file.is_file() else {}
        cells: list[FilmCell] = []
        for persona, sentence in product(people, range(len(SENTENCES))):
            keys = [(persona.name, emotion, sentence, self.intensity) for emotion in EMOTIONS]
            missing = [key[1] for key in keys if key not in done]
            for cell in self._cells(persona, sentence, missing) if missing else ():
                done[cell.key] = cell
                with writing(file), file.open("a", encoding="utf-8") as lines:
                    lines.write("\n" + cell.model_dump_json())  # on a line of its own, whatever a kill left before
                told(cell)
            cells += (done[key] for key in keys)
        return cells

    def _cells(self, persona: Persona, sentence: int, emotions: Iterable[str]) -> Iterator[FilmCell]:
        rest = measured(self._said(sentence, Style(intensity=0.0), persona))
        for emotion in emotions:
            yield self._cell(persona, sentence, Style(emotion=emotion, intensity=self.intensity), rest)

    def _cell(self, persona: Persona, sentence: int, style: Style, rest: Measures) -> FilmCell:
        spoken = self._said(sentence, style, persona)
        film = self.face.film(spoken, style, persona, self.folder / f"{persona.name}-{style.emotion}-{sentence}.mp4")
        together = in_step(film, self.onlooker.networks)
        look = self.onlooker.film(film, self.face.renderer(persona).frame())
        return FilmCell(
            persona=persona.name,
            emotion=style.emotion,
            sentence=sentence,
            intensity=style.intensity,
            intended=seen_as(style.emotion, style.intensity),
            shares=self.reader.read(look) if look else {},
            network=look.shares if look else {},
            build=look.build if look else (),
            wanted=asked(manner_for(style, persona), persona.manner),
            measured=shifted(measured(spoken), rest),
            offset=together.offset,
            curve=together.curve,
            speaker=tuple(np.round(self.likeness.of(spoken.samples, spoken.rate), 5).tolist()),
        )

    def _said(self, sentence: int, style: Style, persona: Persona) -> SpokenAudio:
        return joined(list(self.voice.say(SENTENCES[sentence], style, persona)))


def read_cells(file: Path) -> list[FilmCell]:
    """The cells of a file. A line that a kill cut short is left out, and made again."""
    cells: list[FilmCell] = []
    for line in file.read_text("utf-8", errors="replace").splitlines():
        with suppress(ValidationError):
            cells.append(FilmCell.model_validate_json(line))
    return cells


def face_rate(cells: Sequence[FilmCell]) -> Rate:
    """How often what was intended is recognised by the reader, which knows the person at rest."""
    return _rate(cells, lambda cell: [cell.recognised == cell.intended])


def network_rate(cells: Sequence[FilmCell]) -> Rate:
    """The same by the face network alone, which was taught on photographs and knows nobody."""
    return _rate(cells, lambda cell: [_best(cell.network) == cell.intended])


def voice_rate(cells: Sequence[FilmCell]) -> Rate:
    """How often a change that can be heard went the way it was meant to: pairs of a film and a quality of the voice."""
    return _rate(cells, lambda cell: list(directions(cell.wanted, cell.measured).values()))


def step_rate(cells: Sequence[FilmCell]) -> Rate:
    """How often mouth and sound are within 40 ms of each other, over all that a person says with an emotion."""
    spoken: dict[tuple[str, str], list[FilmCell]] = {}
    for cell in cells:
        spoken.setdefault((cell.persona, cell.emotion), []).append(cell)
    first = [found[0].model_copy(update={"offset": whole_offset(found)}) for found in spoken.values()]
    return _rate(first, lambda cell: [abs(cell.offset) <= IN_STEP + 1e-9])


def film_step_rate(cells: Sequence[FilmCell]) -> Rate:
    """The same for each film alone."""
    return _rate(cells, lambda cell: [abs(cell.offset) <= IN_STEP + 1e-9])


def whole_offset(cells: Sequence[FilmCell]) -> float:
    """Seconds by which the mouth comes after the sound, over all of these."""
    return pooled([cell.curve for cell in cells]).offset


def likeness(cells: Sequence[FilmCell]) -> Margin:
    """How much one person's voice stays the same over all emotions, against other people's."""
    groups: dict[str, list[NDArray[Any]]] = {}
    for cell in cells:
        groups.setdefault(cell.persona, []).append(np.array(cell.speaker))
    return apart(groups)


def faces(cells: Sequence[FilmCell]) -> tuple[Drift, float]:
    """How much one person's face stays the same over all emotions, and how often a film is nearest to its own person."""
    groups: dict[str, list[NDArray[Any]]] = {}
    for cell in cells:
        if cell.build:
            groups.setdefault(cell.persona, []).append(np.array(cell.build))
    return drift(groups), nearest(groups)


def confusion(cells: Sequence[FilmCell]) -> dict[str, dict[str, int]]:
    """For each emotion how often the senses took it for which."""
    found: dict[str, dict[str, int]] = {}
    for cell in cells:
        row = found.setdefault(cell.intended, {})
        row[cell.recognised] = row.get(cell.recognised, 0) + 1
    return found


def _best(shares: Scores) -> str:
    return max(shares, key=lambda label: shares[label]) if shares else ""


def _rate(cells: Sequence[FilmCell], hits: Callable[[FilmCell], list[bool]]) -> Rate:
    people: dict[str, list[bool]] = {}
    for cell in cells:
        people.setdefault(cell.persona, []).extend(hits(cell))
    right, all_of = (np.array([part(found) for found in people.values()]) for part in (sum, len))
    chance = np.random.default_rng(0)
    drawn = chance.integers(len(right), size=(_RESAMPLED, len(right)))
    rates = right[drawn].sum(1) / np.maximum(all_of[drawn].sum(1), 1)
    low, high = np.quantile(rates, (0.025, 0.975))
    return Rate(float(right.sum() / all_of.sum()), float(low), float(high), int(all_of.sum()))
