"""Files of avatars and portraits that were made once and are kept in the store, beside the head they were made of.

Drawing loads a compiler and takes a hundred megabytes: whoever only serves what is kept does without.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from heartfelt.expression.face.head import ARTEFACT, head_file, open_head
from heartfelt.expression.face.look import Look
from heartfelt.weights import Store

VERSION, PORTRAIT_VERSION = 4, 3
"""Each goes up whenever the same look gives another file: files are kept under it."""
Mood: TypeAlias = Literal["friendly", "serious"]
MOODS: tuple[Mood, ...] = get_args(Mood)


def avatar_file(look: Look, store: Store | None = None) -> Path:
    """The file of `avatar_bytes`, made at the first call."""
    store = store or Store()
    head_file(store)  # made before: it lies under the same lock

    def make(target: Path) -> None:
        from heartfelt.expression.browser import avatar

        target.write_bytes(avatar.avatar_bytes(look, head=open_head(store)))

    return store.converted(ARTEFACT, f"avatar-{VERSION}-{_print(look)}.bin", make)


def portrait_file(look: Look, size: int = 384, store: Store | None = None, *, mood: Mood = "friendly") -> Path:
    """The file of `portrait_jpeg`, made at the first call."""
    store = store or Store()
    head_file(store)

    def make(target: Path) -> None:
        from heartfelt.expression.browser import portrait

        target.write_bytes(portrait.portrait_jpeg(look, size, mood=mood, head=open_head(store)))

    return store.converted(ARTEFACT, f"portrait-{PORTRAIT_VERSION}-{mood}-{size}-{_print(look)}.jpg", make)


def draw_people(looks: Iterable[Look], store: Store | None = None) -> None:
    """All that a browser shows of these people, so that nobody has to wait for a face; what is there is left alone."""
    for look in looks:
        for mood in MOODS:
            portrait_file(look, store=store, mood=mood)
        avatar_file(look, store)


def _print(look: Look) -> str:
    return hashlib.sha256(look.model_dump_json().encode()).hexdigest()[:16]
