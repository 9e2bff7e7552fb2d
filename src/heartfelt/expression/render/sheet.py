"""All looks with all emotions on one picture, to be judged by eye."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from heartfelt.expression.face.emotions import emotion, emotion_names
from heartfelt.expression.face.head import Head, open_head
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.people import looks
from heartfelt.expression.render.renderer import Renderer


def contact_sheet(
    target: Path,
    people: Iterable[Look] | None = None,
    shown: Iterable[str] | None = None,
    *,
    size: int = 256,
    head: Head | None = None,
) -> None:
    """Write a PNG: a row for each person, a column for each emotion, with their names."""
    head, names = head or open_head(), tuple(shown or emotion_names())
    rows: list[NDArray[np.uint8]] = []
    for person in people or looks().values():
        renderer = Renderer(person, size, head=head)
        frames = [_named(renderer.frame(emotion(name)), f"{person.name}: {name}") for name in names]
        rows.append(np.concatenate(frames, axis=1))
    Image.fromarray(np.concatenate(rows, axis=0)).save(target)


def _named(frame: NDArray[np.uint8], text: str) -> NDArray[np.uint8]:
    picture = Image.fromarray(frame)
    ImageDraw.Draw(picture).text((6, 4), text, fill=(255, 255, 255))
    return np.asarray(picture)
