"""A guard model through any back end: one that answers as Qwen3Guard does, with a line of safety and one of categories."""

import re

from heartfelt.errors import BadOutput
from heartfelt.models.seam import Message, Model, Request
from heartfelt.records import Danger, Sign, Tier

_SAFETY = re.compile(r"safety:\s*(safe|unsafe|controversial)", re.I)
_CATEGORIES = re.compile(r"categor(?:y|ies):\s*(.+)", re.I)
_DANGERS: tuple[tuple[str, Danger], ...] = (("suicide", "suicide"), ("self-harm", "suicide"), ("violent", "violence"))
"""Categories that tell of somebody in danger; others, such as copyright, are no concern here."""


async def ask(model: Model, text: str, *, seconds: float) -> Sign | None:
    request = Request(
        messages=(Message(role="user", text=text),), purpose="guard", temperature=0.0, max_tokens=64, timeout=seconds
    )
    raw = (await model.complete(request)).text
    safety = _SAFETY.search(raw)
    if safety is None:
        raise BadOutput(f"{model.name} did not answer as a guard model does («Safety: …»).", raw=raw)
    named = (_CATEGORIES.search(raw) or [raw, ""])[1].lower()
    danger: Danger | None = next((danger for word, danger in _DANGERS if word in named), None)
    if safety[1].lower() == "safe" or danger is None:
        return None
    tier: Tier = "active" if safety[1].lower() == "unsafe" else "concern"
    return Sign(by="guard", tier=tier, danger=danger, why=f"{model.name}: {' '.join(raw.split())[:120]}")
