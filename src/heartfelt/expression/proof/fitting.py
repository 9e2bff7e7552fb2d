"""Fits the reader on people by chance: each shows each emotion at two strengths while a sentence is said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice
from heartfelt.expression.persona import persona_from, persona_named
from heartfelt.expression.proof.reader import CLASSES, fit, write_reader
from heartfelt.expression.proof.seen import Onlooker, SeenLook
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import compose
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.files import writing

SENTENCE = "We were on the way to the station when the phone rang, and nobody wanted to pick it up."
"""Another than those of the proof."""
STRENGTHS = (1.0, 0.6)
SIZE = 256
_MOMENTS = np.arange(0.5, 3.6, 0.5)


def fit_reader(seeds: range, target: Path, told: Callable[[int], None]) -> int:
    """Fit on the people of these seeds and write the weights; gives the number of looks."""
    spoken = joined(list(EmbeddedVoice().say(SENTENCE, Style(intensity=0.0), persona_named("maya"))))
    face, onlooker = EmbeddedFace(SIZE), Onlooker()
    looks, classes = list[SeenLook](), list[str]()
    for seed in seeds:
        for name, look in looks_of(seed, spoken, face, onlooker):
            looks.append(look)
            classes.append(name)
        told(seed)
    about = {
        "people": f"seeds {seeds.start} to {seeds.stop - 1}",
        "strengths": STRENGTHS,
        "looks": len(looks),
        "sentence": SENTENCE,
    }
    with writing(target):
        write_reader(fit(looks, classes), about, target)
    return len(looks)


def looks_of(seed: int, spoken: SpokenAudio, face: EmbeddedFace, onlooker: Onlooker) -> Iterator[tuple[str, SeenLook]]:
    """One person with each class at each strength; those in which no face is found are left out."""
    persona = persona_from(seed)
    renderer = face.renderer(persona)
    rest = renderer.frame()
    for name in CLASSES:
        for strength in STRENGTHS:
            timeline = compose(spoken, Style(emotion=name, intensity=strength), persona, seed=seed)
            look = onlooker.pictures((renderer.frame(timeline.pose(float(moment))) for moment in _MOMENTS), rest)
            if look is not None:
                yield name, look
