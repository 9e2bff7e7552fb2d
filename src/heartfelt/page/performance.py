"""The reply as it was spoken and shown: the film, what voice and face were to carry, and what arrived of it."""

from dataclasses import dataclass
from pathlib import Path

from heartfelt.page.channels import Channel, channel_of
from heartfelt.page.media import PageMedia, media_beside
from heartfelt.records import Finding, Identity, Performance, Scores

_PARTS = {"voice": "speaking", "face": "drawing", "proof": "checking"}
"""What the parts of a performance do."""


@dataclass(frozen=True)
class PerformancePart:
    """A part of the performance, and how long it took."""

    name: str
    ms: float
    percent: float
    """Of the part that took longest."""


@dataclass(frozen=True)
class Panel:
    made: Performance
    who: str
    media: PageMedia
    channels: tuple[Channel, ...]
    parts: tuple[PerformancePart, ...]
    findings: tuple[Finding, ...]

    @property
    def ms(self) -> float:
        return sum(part.ms for part in self.parts)

    @property
    def plain(self) -> bool:
        """Whether there is no feeling to carry."""
        return self.made.emotion == "neutral" or self.made.intensity <= 0

    @property
    def clauses(self) -> list[str]:
        """What became of it, as parts of a sentence."""
        measured = {channel.name for channel in self.channels}
        said = [] if "voice" in measured else ["the voice was not measured"]
        said += [channel.clause for channel in self.channels]
        if "face" not in measured:
            said.append("the face was not looked at" if self.made.face else "no face was shown")
        return said

    def told(self, note: str) -> bool:
        """Whether a finding says the same as a note."""
        return any(_same(note, finding.problem) for finding in self.findings)


def panel(made: Performance | None, folder: Path | None, text: str) -> Panel | None:
    """`folder` is where the page will lie; without one the panel has nothing to play."""
    if made is None:
        return None
    generators = {"voice": made.voice, "face": made.face}
    return Panel(
        made=made,
        who=who(made.identity),
        media=media_beside(made.files, folder, seconds=made.seconds, text=text),
        channels=tuple(channel_of(carried, generators[carried.channel]) for carried in made.carried),
        parts=_parts(made.ms),
        findings=made.findings,
    )


def who(identity: Identity) -> str:
    """«Maya», «Somebody from seed 7», «An elderly man»: as a sentence begins."""
    kind, colon, number = identity.name.partition(":")
    if colon:
        return f"Somebody from {kind} {number}"
    if identity.name:
        return identity.name[0].upper() + identity.name[1:]
    if identity.age == "child":
        return "A child"
    return f"{'An' if identity.age == 'elderly' else 'A'} {identity.age} {'man' if identity.gender == 'male' else 'woman'}"


def _parts(ms: Scores) -> tuple[PerformancePart, ...]:
    longest = max(ms.values(), default=0.0)
    return tuple(
        PerformancePart(_PARTS.get(name, name), took, 100 * took / longest if longest > 0 else 0.0) for name, took in ms.items()
    )


def _same(one: str, other: str) -> bool:
    return one.strip(" .").casefold() == other.strip(" .").casefold()
