"""What all plots share: colours, type, and the way into files and pages."""

import io
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from heartfelt.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, LINE, PAPER = "#2c2622", "#685d54", "#e3d9cc", "#fffdfa"
"""Those of the page; on a page they follow its light or dark."""
BLUE, ORANGE, GREEN, PINK, SKY, RUST, YELLOW = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"
STEPS = (BLUE, ORANGE, SKY, PINK, GREEN, YELLOW, "#8a7967", "#c9bfb2")
"""Okabe and Ito's colours, in an order in which neighbours differ in lightness too."""
HATCHES = ("", "////", "", "||||", "\\\\\\\\", "", "----", "")
WIDE = 7.2
"""Inches: the width of a page's text."""
_PAGE = {INK: "var(--ink)", SOFT: "var(--soft)", LINE: "var(--line)", PAPER: "var(--card)"}
_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 9,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": SOFT,
    "axes.titlecolor": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": INK,
    "axes.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "heartfelt",
    "svg.fonttype": "path",
}


@dataclass(frozen=True)
class PlotPicture:
    name: str
    """Of its files: small letters, digits and hyphens."""
    title: str
    caption: str
    svg: str
    png: bytes


def needs_drawing() -> None:
    """Refuse early where nothing can be drawn."""
    try:
        import matplotlib.figure  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise MissingExtra("Drawing the plots of a report", "lab") from None


@contextmanager
def drawing() -> Generator[None, None, None]:
    """Within it everything is drawn in the report's own style."""
    needs_drawing()
    from matplotlib import rc_context

    with rc_context(cast(Any, _STYLE)):
        yield


def canvas(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def saved(figure: "Figure", name: str, title: str, caption: str) -> PlotPicture:
    svg, png = io.StringIO(), io.BytesIO()
    figure.savefig(svg, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    figure.savefig(png, format="png", dpi=200, facecolor="white")
    return PlotPicture(name=name, title=title, caption=caption, svg=svg.getvalue(), png=png.getvalue())


def inlined(picture: PlotPicture) -> str:
    """The drawing as a part of a page: its ink follows the page's, and its names are its own."""
    svg = picture.svg[picture.svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    for drawn, on_page in _PAGE.items():
        svg = svg.replace(drawn, on_page)
    svg = re.sub(r"^<svg [^>]*>", _opening, svg)
    svg = re.sub(r'\bid="', f'id="{picture.name}-', svg)
    svg = re.sub(r"url\(#", f"url(#{picture.name}-", svg)
    return re.sub(r'xlink:href="#', f'xlink:href="#{picture.name}-', svg)


def _opening(found: re.Match[str]) -> str:
    """As wide as the page allows, within bounds that its own width sets: so letters are of one size in all plots."""
    width = re.search(r'width="([\d.]+)pt"', found[0])
    box = re.search(r'viewBox="[^"]*"', found[0])
    natural = float(width[1]) / 16 if width else 32.0
    return f'<svg aria-hidden="true" focusable="false" {box[0] if box else ""} style="--natural: {natural:.1f}rem">'


def plain(axes: "Axes", *, grid: str = "") -> None:
    """Nothing that carries no meaning."""
    axes.spines[["top", "right"]].set_visible(False)
    if grid:
        axes.grid(axis=grid, color=LINE, linewidth=0.7)  # pyright: ignore[reportArgumentType]
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
