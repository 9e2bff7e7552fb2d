"""What a face and a voice add. They may raise an alert, never lower one, and alone they only ask for a caring question."""

from heartfelt.records import Readings, Sign, Source

DISTRESS = ("sadness", "sad", "fear", "fearful")
STRONG = 0.75
"""The share of sadness and fear, weighed by how far each moment can be trusted, from which a sense counts."""
TRUSTED = 0.5


def signs(readings: Readings | None) -> list[Sign]:
    """Both must agree: a network that reads a face is wrong too often to be believed alone."""
    if readings is None:
        return []
    found = {source: _distress(readings, source) for source in ("face", "voice")}
    if any(share is None or share < STRONG for share in found.values()):
        return []
    why = "face and voice both show strong sadness or fear"
    return [Sign(by=source, tier="concern", danger="despair", why=why, confidence=share) for source, share in found.items()]


def _distress(readings: Readings, source: Source) -> float | None:
    sensed = readings.of(source)
    trusted = [moment for moment in sensed.moments if moment.reliability >= TRUSTED] if sensed else []
    weight = sum(moment.reliability for moment in trusted)
    if not weight:
        return None
    return sum(moment.reliability * sum(moment.shares.get(name, 0.0) for name in DISTRESS) for moment in trusted) / weight
