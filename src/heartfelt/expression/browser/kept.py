"""Files of avatars and portraits that were made once and are kept in the store, beside the head they were made of."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from heartfelt.expression.browser import avatar, portrait
from heartfelt.expression.browser.portrait import MOODS, Mood
from heartfelt.expression.face.head import ARTEFACT, head_file, open_head
from heartfelt.expression.face.look import Look
from heartfelt.weights import Store


def avatar_file(look: Look, store: Store | None = None) -> Path:
    """The file of `avatar_bytes`, made at the first call."""
    store = store or Store()
    head_file(store)  # made before: it lies under the same lock
    name = f"avatar-{avatar.VERSION}-{_print(look)}.bin"
    return store.converted(ARTEFACT, name, lambda target: _write(target, avatar.avatar_bytes(look, head=open_head(store))))


def portrait_file(look: Look, size: int = 384, store: Store | None = None, *, mood: Mood = "friendly") -> Path:
    """The file of `portrait_jpeg`, made at the first call."""
    store = store or Store()
    head_file(store)
    name = f"portrait-{portrait.VERSION}-{mood}-{size}-{_print(look)}.jpg"
    return store.converted(
        ARTEFACT, name, lambda target: _write(target, portrait.portrait_jpeg(look, size, mood=mood, head=open_head(store)))
    )


def draw_people(looks: Iterable[Look], store: Store | None = None) -> None:
    """All that a browser shows of these people, so that nobody has to wait for a face; what is there is left alone."""
    for look in looks:
        for mood in MOODS:
            portrait_file(look, store=store, mood=mood)
        avatar_file(look, store)


def _write(target: Path, data: bytes) -> None:
    target.write_bytes(data)


def _print(look: Look) -> str:
    return hashlib.sha256(look.model_dump_json().encode()).hexdigest()[:16]
