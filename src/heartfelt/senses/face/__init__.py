"""Faces, really measured: who is there, where they look, what their muscles do, and how far the picture can be trusted.

The order of the parts is the order of a frame: `frame` checks it, `detect` and `track` find the faces, `mesh` lays 478 points
over each, `pose` and `gaze` say where it is turned, `shape`, `neutral` and `units` what it does against its own rest, `signs`
and `cues` put that into sentences over time, `align` and `moments` serve the expression network, and `sense` leads through all.
"""

from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.detect import Box, Detection, detect
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.gaze import Gaze
from heartfelt.senses.face.networks import FaceNetworks, MediaPipeNetworks
from heartfelt.senses.face.pose import HeadPose
from heartfelt.senses.face.seen import Face, SeenFrame
from heartfelt.senses.face.sense import Expression, FaceSense
from heartfelt.senses.face.units import NAMES, Units

__all__ = [
    "NAMES",
    "Box",
    "Detection",
    "Expression",
    "Face",
    "FaceNetworks",
    "FaceSense",
    "Gaze",
    "HeadPose",
    "MediaPipeNetworks",
    "OneFace",
    "SeenFrame",
    "Units",
    "aligned",
    "detect",
]
