"""The avatar's face: who it is, what it does, and how emotions look on it. `heartfelt.expression.render` draws it.

`head` is the pinned mesh, `shape` makes it a person of a `Look`, `rig` moves it by a `Pose`; `hair`, `brows`, `lashes`, `eyes`,
`glasses` and `clothes` are made for a look by the project itself.
"""

from heartfelt.expression.face.emotions import dynamics_of, expression_of
from heartfelt.expression.face.head import Head, open_head
from heartfelt.expression.face.look import Ancestry, Look
from heartfelt.expression.face.names import PROPORTIONS, UNITS
from heartfelt.expression.face.people import look_from, look_named, looks
from heartfelt.expression.face.pose import Pose

__all__ = [
    "PROPORTIONS",
    "UNITS",
    "Ancestry",
    "Head",
    "Look",
    "Pose",
    "dynamics_of",
    "expression_of",
    "look_from",
    "look_named",
    "looks",
    "open_head",
]
