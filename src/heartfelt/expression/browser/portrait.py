"""A portrait to choose somebody by."""

from io import BytesIO

from PIL import Image

from heartfelt.expression.browser.kept import Mood
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.pose import Pose
from heartfelt.expression.render.renderer import Renderer

POSES: dict[Mood, Pose] = {
    "friendly": Pose(
        units={
            "mouthSmileLeft": 0.36, "mouthSmileRight": 0.34, "mouthDimpleLeft": 0.08, "mouthDimpleRight": 0.08,
            "cheekSquintLeft": 0.28, "cheekSquintRight": 0.27, "eyeSquintLeft": 0.06, "eyeSquintRight": 0.06,
            "browInnerUp": 0.10, "browOuterUpLeft": 0.12, "browOuterUpRight": 0.10,
        },
        yaw=5, pitch=-1, roll=-3, gaze_yaw=-5, gaze_pitch=1,
    ),
    "serious": Pose(
        units={
            "browInnerUp": 0.40, "browDownLeft": 0.08, "browDownRight": 0.08, "eyeSquintLeft": 0.05, "eyeSquintRight": 0.05,
            "mouthFrownLeft": 0.24, "mouthFrownRight": 0.24, "mouthShrugLower": 0.06,
        },
        yaw=5, pitch=1, roll=-4, gaze_yaw=-5, gaze_pitch=-1,
    ),
}  # fmt: skip
_FINER = 2
"""Drawn so many times larger and made smaller, which is finer than four samples a pixel."""


def portrait_jpeg(look: Look, size: int = 384, *, mood: Mood = "friendly", head: Head | None = None) -> bytes:
    """This person looking at us: with a slight smile, or as one looks at somebody who is in need."""
    frame = Renderer(look, min(_FINER * size, 2048), head=head).frame(POSES[mood])
    picture = Image.fromarray(frame).resize((size, size), Image.Resampling.LANCZOS)
    buffer = BytesIO()
    picture.save(buffer, "JPEG", quality=88, optimize=True, progressive=True)
    return buffer.getvalue()
