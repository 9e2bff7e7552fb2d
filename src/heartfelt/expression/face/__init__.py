"""The avatar's face: who it is, what it does, and how emotions look on it. `heartfelt.expression.render` draws it.

`head` is the pinned mesh, `shape` makes it a person of a `Look`, `rig` moves it by a `Pose`; `hair`, `brows`, `lashes`, `eyes`,
`glasses` and `clothes` are made for a look by the project itself.
"""

from heartfelt.expression.face.head import open_head
from heartfelt.expression.face.people import looks
from heartfelt.expression.face.pose import Pose

__all__ = ["Pose", "looks", "open_head"]
