"""The screen: everything that was said goes past all detectors before the first step. The gravest sign counts."""

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass

from heartfelt.errors import HeartfeltError
from heartfelt.models.seam import Model
from heartfelt.records import Alert, Danger, Dialogue, Sign, Tier
from heartfelt.safety.detect import bodily, guard_model, phrases, rules
from heartfelt.safety.detect.answers import answered
from heartfelt.safety.detect.frame import windows
from heartfelt.safety.detect.reader import Read, Reader
from heartfelt.safety.settings import Safety
from heartfelt.safety.tiers import alarms, gravest

ALARM, CONCERN = 0.3, 0.5
"""How likely the reader must find danger, and danger or concern; chosen on validation messages (docs/design/safety.md)."""
HELD: dict[Tier, int] = {"active": 1, "imminent": 2}
"""Turns for which an alarm stands, whatever is said next: nobody is well again after one sentence. Then it is a concern."""
LOOKED_BACK = 12
"""Turns of the person that the reader reads again; rules read all of them."""
LOADING = 60.0
"""Seconds that the first message of a process may wait for the reader."""
SHORT = 8
"""Words of a turn that is also read together with what was said before it."""


@dataclass(frozen=True)
class Screen:
    safety: Safety
    reader: Reader | None = None
    guard: Model | None = None

    async def look(self, dialogue: Dialogue) -> Alert:
        started = time.perf_counter()
        said = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.last.speaker]
        signs = [
            *rules.signs(said[-1]),
            *filter(None, [answered(dialogue)]),
            *_before([rules.signs(text) for text in said[:-1]]),
        ]
        if self.safety.deployment == "private":
            signs += bodily.signs(dialogue.last.readings)
        found, failed = await self._asked(said)
        if self.reader is None or any(failure.startswith("reader") for failure in failed):
            signs += phrases.signs(said[-1])
        signs = gravest([*signs, *found])
        first = signs[0] if signs else None
        return Alert(
            tier=first.tier if first else "none",
            danger=first.danger if first else None,
            signs=tuple(signs),
            failed=tuple(failed),
            ms=round((time.perf_counter() - started) * 1000, 1),
        )

    async def _asked(self, said: list[str]) -> tuple[list[Sign], list[str]]:
        """The detectors that ask a model. One that fails or takes too long is left out, and the alert says so."""
        asked: dict[str, Awaitable[list[Sign]]] = {}
        if self.reader is not None:
            asked["reader"] = self._read(self.reader, said)
        if self.guard is not None:
            asked["guard"] = self._guarded(self.guard, said[-1])
        loads = self.reader is not None and not self.reader.loaded
        limit = self.safety.seconds + (LOADING if loads else 0)
        limited = [asyncio.wait_for(work, limit) for work in asked.values()]
        results = await asyncio.gather(*limited, return_exceptions=True)
        signs, failed = list[Sign](), list[str]()
        for name, result in zip(asked, results, strict=True):
            if isinstance(result, list):
                signs += result
            elif isinstance(result, Exception):
                failed.append(f"{name}: {_why(result, self.safety.seconds)}")
            else:
                raise result
        return signs, failed

    async def _read(self, reader: Reader, said: list[str]) -> list[Sign]:
        last = [_sign(piece, await reader.read(piece)) for piece in windows(said[-1])]
        if len(said) > 1 and len(said[-1].split()) < SHORT:
            together = f"{said[-2]} {said[-1]}"
            last += [_sign(said[-1], await reader.read(piece)) for piece in windows(together)[:1]]
        earlier = [[_sign(piece, await reader.read(piece)) for piece in windows(text)] for text in said[-LOOKED_BACK:-1]]
        found = gravest(filter(None, last))[:1]
        return [*found, *_before([list(filter(None, signs)) for signs in earlier])]

    async def _guarded(self, model: Model, text: str) -> list[Sign]:
        sign = await guard_model.ask(model, text, seconds=self.safety.seconds)
        return [sign] if sign else []


def _sign(text: str, read: Read) -> Sign | None:
    if read.alarm >= ALARM:
        tier: Tier = "imminent" if read.tiers["imminent"] > read.tiers["active"] else "active"
        share = read.alarm
    elif read.alarm + read.tiers["concern"] >= CONCERN:
        tier, share = "concern", read.alarm + read.tiers["concern"]
    else:
        return None
    danger: Danger = read.danger
    return Sign(by="reader", tier=tier, danger=danger, quote=text, confidence=round(share, 3))


def _before(earlier: list[list[Sign]]) -> list[Sign]:
    """What earlier turns leave behind: an alarm stands for some turns and is a concern for good."""
    found: list[Sign] = []
    for back, signs in enumerate(reversed(earlier), 1):
        grave = [sign for sign in signs if alarms(sign.tier)]
        if grave:
            first = gravest(grave)[0]
            tier: Tier = first.tier if back <= HELD[first.tier] else "concern"
            when = "in the turn before" if back == 1 else f"{back} turns ago"
            found.append(first.model_copy(update={"by": "before", "tier": tier, "why": f"{first.by}, {when}"}))
    return found


def _why(error: Exception, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    return str(error) if isinstance(error, HeartfeltError) else type(error).__name__
