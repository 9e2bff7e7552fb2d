"""A face in crayon: enough of one for the real detector, and nobody's likeness."""

import numpy as np
from numpy.typing import NDArray

Canvas = NDArray[np.float32]


def drawn(
    height: int = 480,
    width: int = 640,
    *,
    x: float = 320,
    y: float = 240,
    size: float = 220,
    smile: float = 0.0,
    open_eyes: float = 1.0,
    look: float = 0.0,
    grin: bool = False,
) -> NDArray[np.uint8]:
    """`size` is the height of the face in pixels; `look` moves the irises to the right of the picture, in widths of an eye;
    a `grin` shows teeth, cheeks and narrowed eyes, as a camera would see them."""
    canvas = np.full((height, width, 3), 90, np.float32)
    draw_on(canvas, x=x, y=y, size=size, smile=smile, open_eyes=open_eyes, look=look, grin=grin)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def draw_on(
    canvas: Canvas,
    *,
    x: float,
    y: float,
    size: float,
    smile: float = 0.0,
    open_eyes: float = 1.0,
    look: float = 0.0,
    grin: bool = False,
) -> None:
    rows, columns = np.mgrid[: canvas.shape[0], : canvas.shape[1]].astype(np.float32)
    u, v = (columns - x) / size, (rows - y) / size
    _paint(canvas, _oval(u, v, 0, -0.06, 0.42, 0.56), (58, 40, 30))  # hair
    _paint(canvas, _oval(u, v, 0, 0.02, 0.355, 0.48), (214, 168, 140))  # face
    _paint(canvas, _oval(u, v, 0, 0.02, 0.355, 0.48) * np.clip(np.abs(u) / 0.355, 0, 1) ** 3, (150, 105, 85))  # rounding
    for side in (-1, 1):
        _paint(canvas, 0.45 * _oval(u, v, side * 0.16, -0.09, 0.11, 0.07, 6), (150, 105, 88))  # socket
        eye = _oval(u, v, side * 0.16, -0.085, 0.075, 0.034 * open_eyes, 1.5)
        _paint(canvas, eye, (238, 234, 230))
        iris = _oval(u, v, side * 0.16 + 0.15 * look, -0.087, 0.034, 0.034) * eye
        _paint(canvas, iris, (70, 48, 36))
        _paint(canvas, _oval(u, v, side * 0.16 + 0.15 * look, -0.087, 0.014, 0.014) * eye, (8, 8, 8))
        _paint(canvas, _line(u, v, side * 0.16, -0.085 - 0.034 * open_eyes, 0.08, 0.35 * open_eyes, 0.007), (45, 30, 26))  # lid
        _paint(canvas, _line(u, v, side * 0.165, -0.165, 0.095, 0.25, 0.014), (62, 42, 32))  # brow
        _paint(canvas, 0.8 * _oval(u, v, side * 0.035, 0.115, 0.018, 0.011, 2), (95, 55, 48))  # nostril
        _paint(canvas, 0.4 * _oval(u, v, side * 0.062, 0.09, 0.012, 0.04, 3), (150, 100, 84))  # wing of the nose
    _paint(canvas, 0.35 * _oval(u, v, -0.035, 0.0, 0.014, 0.1, 4), (165, 118, 98))  # bridge
    _paint(canvas, 0.35 * _oval(u, v, 0, 0.085, 0.03, 0.025, 4), (240, 205, 180))  # tip
    if grin:
        _grin(canvas, u, v)
        return
    half = 0.105 * (1 + 0.45 * smile)
    bend = -(0.05 + 0.45 * smile)
    _paint(canvas, _line(u, v, 0, 0.232, half, bend * 0.5, 0.021), (176, 92, 90))  # lips
    _paint(canvas, _line(u, v, 0, 0.258, half * 0.85, bend * 0.9, 0.02), (186, 100, 98))
    _paint(canvas, _line(u, v, 0, 0.245, half, bend * 0.7, 0.005), (96, 38, 40))
    _paint(canvas, 0.35 * _oval(u, v, 0, 0.325, 0.1, 0.016, 4), (160, 112, 94))  # below the lip


def _grin(canvas: Canvas, u: Canvas, v: Canvas) -> None:
    for side in (-1, 1):
        _paint(canvas, 0.5 * _oval(u, v, side * 0.2, 0.08, 0.1, 0.075, 5), (236, 190, 165))  # cheek
        _paint(canvas, 0.55 * _line(u, v, side * 0.16, -0.03, 0.09, 0.3, 0.012), (150, 100, 85))  # below the eye
        fold = np.abs((u - side * (0.085 + 0.55 * (v - 0.1))) / 0.012)
        _paint(canvas, 0.6 * np.clip(1.5 - fold, 0, 1) * ((v > 0.1) & (v < 0.24)), (140, 92, 76))  # from nose to mouth
    mouth = _oval(u, v, 0, 0.205, 0.185, 0.13) * (v > 0.205 + 0.6 * u**2 - 0.025)
    _paint(canvas, mouth, (176, 88, 86))  # lips
    inside = _oval(u, v, 0, 0.205, 0.165, 0.108) * (v > 0.222 + 0.6 * u**2 - 0.025)
    _paint(canvas, inside, (90, 34, 36))
    _paint(canvas, inside * (v < 0.275), (246, 243, 238))  # teeth


def _oval(u: Canvas, v: Canvas, x: float, y: float, a: float, b: float, soft: float = 1.0) -> Canvas:
    """1 within, 0 outside, and a soft edge."""
    distance = np.hypot((u - x) / a, (v - y) / max(b, 1e-3))
    return np.clip((1 - distance) * 12 / soft, 0, 1)


def _line(u: Canvas, v: Canvas, x: float, y: float, half: float, bend: float, thick: float) -> Canvas:
    """A stroke that bends upwards to its ends where `bend` is negative, and is thin there."""
    along = (u - x) / half
    middle = y + bend * half * np.clip(along, -1, 1) ** 2
    width = thick * np.sqrt(np.clip(1 - along**2, 0, 1)) + 1e-4
    return np.clip((1 - np.abs(v - middle) / width) * 2, 0, 1) * (np.abs(along) < 1)


def _paint(canvas: Canvas, cover: Canvas, colour: tuple[int, int, int]) -> None:
    canvas += cover[..., None] * (np.array(colour, np.float32) - canvas)
