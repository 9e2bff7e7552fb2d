"""What a face can be seen to do, as sentences: each with the number that it is read from and when it counts.

The numbers are those of one `Face`, against its owner's own rest, so that a sentence speaks of a change and not of a character.
"""

from collections.abc import Callable
from dataclasses import dataclass

from heartfelt.senses.face.seen import Face


@dataclass(frozen=True)
class FaceSign:
    """One sentence."""

    text: str
    value: Callable[[Face], float]
    """From 0 to 1 (kept there by whoever reads it)."""
    telling: float = 1.0
    """How much it says about how somebody feels, against the others, and how surely points can show it."""
    begins: float = 0.45
    ends: float = 0.3
    """It begins above the one and ends below the other: a value that trembles about one bound would flicker."""
    least: float = 0.35
    """Seconds; what is shorter is a twitch or noise."""


def _unit(*names: str) -> Callable[[Face], float]:
    """All of them at once: the weakest counts."""
    return lambda face: min(face.units[name] for name in names)


def _degrees(angle: float, full: float) -> float:
    """How far an angle goes on its way to `full`."""
    return angle / full


def _looks(face: Face) -> tuple[float, float]:
    """Where the person looks, head and eyes together, against where they usually look: to the side, and up."""
    return face.away["yaw"] + face.away["gaze yaw"], face.away["pitch"] + face.away["gaze pitch"]


def _smile_of_mouth(face: Face) -> float:
    return face.units["AU12"] * (1 - min(1.0, 1.5 * face.units["AU6"]))


def _worry(face: Face) -> float:
    return face.units["AU1"] - 0.8 * face.units["AU2"]


def _tight_lids(face: Face) -> float:
    return face.units["AU7"] - face.units["AU12"]


def _aside(face: Face) -> float:
    return _degrees(abs(_looks(face)[0]), 40)


def _down(face: Face) -> float:
    # Lids that are shut hide the iris, and a gaze read from them would always point down.
    return 0.0 if min(face.closure) > 0.6 else _degrees(-_looks(face)[1], 35)


def _up(face: Face) -> float:
    return 0.0 if min(face.closure) > 0.6 else _degrees(_looks(face)[1], 35)


SIGNS = (
    FaceSign("smiles with the eyes too", _unit("AU12", "AU6"), telling=1.0, begins=0.4, ends=0.25),
    FaceSign("smiles with the mouth only", _smile_of_mouth, telling=0.8, begins=0.35, ends=0.22),
    FaceSign("brows drawn together", _unit("AU4"), telling=1.0),
    FaceSign("inner brows raised", _worry, telling=1.0, begins=0.35, ends=0.22),
    FaceSign("brows raised", _unit("AU1", "AU2"), telling=0.7),
    FaceSign("eyes widened", _unit("AU5"), telling=0.8, begins=0.5),
    FaceSign("lids tightened", _tight_lids, telling=0.6, begins=0.55, ends=0.4),
    FaceSign("nose wrinkled", _unit("AU9"), telling=0.9, begins=0.5),
    FaceSign("upper lip raised", _unit("AU10"), telling=0.4, begins=0.5),
    FaceSign("one corner of the mouth tightened", _unit("AU14"), telling=0.6, begins=0.55, ends=0.4),
    FaceSign("corners of the mouth pulled down", _unit("AU15"), telling=1.0),
    FaceSign("chin raised", _unit("AU17"), telling=0.4, begins=0.5),
    FaceSign("lips stretched", _unit("AU20"), telling=0.5, begins=0.6, ends=0.4),
    FaceSign("lips pressed", _unit("AU24"), telling=0.5),
    FaceSign("mouth open", _unit("AU26"), telling=0.3, begins=0.5, least=0.8),
    FaceSign("eyes closed", _unit("AU43"), telling=0.7, begins=0.7, ends=0.5, least=0.5),
    FaceSign("looks away, to the side", _aside, telling=0.7, least=0.6),
    FaceSign("looks away, down", _down, telling=0.9, least=0.6),
    FaceSign("looks up", _up, telling=0.4, least=0.6),
    FaceSign("head sinks", lambda face: _degrees(-face.away["pitch"], 30), telling=0.9, least=0.6),
    FaceSign("head raised", lambda face: _degrees(face.away["pitch"], 30), telling=0.4, least=0.6),
    FaceSign("head turned away", lambda face: _degrees(abs(face.away["yaw"]), 45), telling=0.6, least=0.6),
    FaceSign("head tilted", lambda face: _degrees(abs(face.away["roll"]), 30), telling=0.4, least=0.6),
)
"""Everything that is looked for."""
