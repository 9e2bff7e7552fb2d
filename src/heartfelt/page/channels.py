"""Voice and face, intended against recognised: what the senses make of each, and which way each quality of the voice went."""

from dataclasses import dataclass
from math import ceil, isfinite
from typing import Literal, TypeAlias

from heartfelt.records import Carried, Scores

AUDIBLE = 0.5
"""Steps: a change that is asked for and smaller than this is not judged; the proof has it so."""
TOP = 5
"""Emotions in a bar list, beside the intended one."""
UNCHANGED = 0.05
"""Steps that are written as none."""
QUALITIES = {
    "pitch": ("pitch", "lower", "higher"),
    "range": ("melody", "flatter", "livelier"),
    "rate": ("pace", "slower", "faster"),
    "energy": ("loudness", "softer", "louder"),
    "brightness": ("brightness", "darker", "brighter"),
}
"""What people call a quality of the voice, and its two directions."""

State: TypeAlias = Literal["ok", "not-ok", "open"]
SIGNS: dict[State, str] = {"ok": "✓", "not-ok": "✗", "open": "–"}


@dataclass(frozen=True)
class Bar:
    """One emotion as the senses find it."""

    emotion: str
    share: float
    recognised: bool
    intended: bool


@dataclass(frozen=True)
class ScaleBar:
    """A bar from the middle of a scale to one side, in percent of its length."""

    left: float
    width: float


@dataclass(frozen=True)
class Quality:
    """One quality of the voice: the change that was asked for, and the one that was measured, in steps to the ear."""

    name: str
    low: str
    high: str
    asked: float
    measured: float | None
    scale: int

    @property
    def state(self) -> State:
        if self.measured is None or abs(self.asked) < AUDIBLE:
            return "open"
        return "ok" if self.measured * self.asked > 0 else "not-ok"

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured"
        return {"ok": "the right way", "not-ok": "the other way", "open": "hardly asked for"}[self.state]

    @property
    def told(self) -> str:
        """Such as «asked 1.8 lower, measured 1.2 lower»."""
        asked = f"asked {self._way(self.asked)}"
        return asked if self.measured is None else f"{asked}, measured {self._way(self.measured)}"

    @property
    def wanted(self) -> ScaleBar:
        return self._stretch(self.asked)

    @property
    def got(self) -> ScaleBar | None:
        return None if self.measured is None else self._stretch(self.measured)

    def _way(self, steps: float) -> str:
        if abs(steps) < UNCHANGED:
            return "no change"
        return f"{abs(steps):.{1 if abs(steps) >= 1 else 2}f} {self.high if steps > 0 else self.low}"

    def _stretch(self, steps: float) -> ScaleBar:
        long = 50 * abs(steps) / self.scale
        return ScaleBar(round(50 - long if steps < 0 else 50.0, 2), round(long, 2))


@dataclass(frozen=True)
class Channel:
    name: Literal["voice", "face"]
    made_by: str
    intended: str
    meant: str
    """The senses' own class for what was intended; empty where they have none."""
    recognised: str
    share: float
    state: State
    verdict: str
    clause: str
    """The verdict as a part of a sentence."""
    note: str
    bars: tuple[Bar, ...] = ()
    qualities: tuple[Quality, ...] = ()

    @property
    def sign(self) -> str:
        return SIGNS[self.state]

    @property
    def judged(self) -> list[Quality]:
        """The qualities that were to change so much that it can be heard."""
        return [quality for quality in self.qualities if quality.state != "open"]

    @property
    def scale(self) -> int:
        return self.qualities[0].scale if self.qualities else 1


def channel_of(carried: Carried, made_by: str) -> Channel:
    state = state_of(carried)
    verdict, clause = _words(carried, state)
    return Channel(
        name=carried.channel,
        made_by=made_by,
        intended=carried.intended,
        meant=carried.expected,
        recognised=carried.recognised,
        share=carried.shares.get(carried.recognised, 0.0),
        state=state,
        verdict=verdict,
        clause=clause,
        note=_sentence(carried.note),
        bars=_bars(carried),
        qualities=_qualities(carried),
    )


def state_of(carried: Carried) -> State:
    """What could not be measured agrees with nothing: it is open."""
    if not carried.agrees:
        return "not-ok"
    return "open" if carried.note else "ok"


def _words(carried: Carried, state: State) -> tuple[str, str]:
    """The verdict alone, and as a part of a sentence."""
    channel, by = carried.channel, "seen as" if carried.channel == "face" else "heard as"
    if carried.recognised:
        meant = carried.expected
        instead = f", and {meant} was intended" if meant else ", which was not intended"
        rest = {"ok": ", as intended", "not-ok": instead, "open": ""}[state]
        found = f"{by} {carried.recognised}{rest}"
        return f"{found}, not judged" if state == "open" else found, f"the {channel} is {found}"
    if carried.wanted and state != "open":
        changed = "changed as intended" if state == "ok" else "did not change as intended"
        return changed, f"the {channel} {changed}"
    if state == "ok":
        return "nothing was measured", f"nothing was measured of the {channel}"
    open_ = {"not-ok": "not as intended", "open": "not judged"}[state]
    return open_, f"the {channel} is {open_} ({carried.note.rstrip('.')})" if carried.note else f"the {channel} is {open_}"


def _bars(carried: Carried) -> tuple[Bar, ...]:
    meant = carried.expected
    order = sorted(_finite(carried.shares).items(), key=lambda item: -item[1])
    kept = [(label, share) for place, (label, share) in enumerate(order) if place < TOP or label == meant]
    return tuple(
        Bar(label, min(max(share, 0.0), 1.0), recognised=label == carried.recognised, intended=label == meant)
        for label, share in kept
    )


def _qualities(carried: Carried) -> tuple[Quality, ...]:
    wanted, measured = _finite(carried.wanted), _finite(carried.measured)
    scale = max(1, ceil(max(map(abs, (*wanted.values(), *measured.values())), default=1.0)))
    known = [name for name in QUALITIES if name in wanted] + [name for name in wanted if name not in QUALITIES]
    return tuple(
        Quality(*QUALITIES.get(name, (name, "less", "more")), wanted[name], measured.get(name), scale) for name in known
    )


def _finite(scores: Scores) -> Scores:
    return {name: value for name, value in scores.items() if isfinite(value)}


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:].rstrip('.')}." if note else ""
