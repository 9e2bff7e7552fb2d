"""What `speak` and `respond` share: the stage that their options open, and a line of progress while a film is drawn."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from heartfelt.cli.console import err
from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice
from heartfelt.expression.services.fallback import or_else
from heartfelt.expression.services.open import open_face, open_voice
from heartfelt.expression.stage import Stage


def open_stage(voice: str, face: str, *, size: int, mark: str, fall_back: bool) -> Stage:
    """The stage of these addresses. Nothing is loaded before it is used."""
    embedded = EmbeddedFace(size, mark=mark)
    speaker, shown = open_voice(voice), open_face(face, embedded=lambda: embedded, mark=mark)
    if fall_back:
        speaker = or_else(speaker, EmbeddedVoice(), notice=_note)
        shown = or_else(shown, embedded, notice=_note)
    return Stage(speaker, shown)


@contextmanager
def drawing(stage: Stage) -> Generator[None, None, None]:
    """A bar while the embedded face draws, on a real terminal."""
    face = stage.face
    if not isinstance(face, EmbeddedFace) or not err.is_terminal:
        yield
        return
    columns = (TextColumn("[dim]{task.description}"), BarColumn(bar_width=24), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("the face", total=1.0)

        def told(share: float) -> None:
            bar.update(task, completed=share)

        face.told = told
        try:
            yield
        finally:
            face.told = None


def _note(text: str) -> None:
    err.print(text, style="yellow", markup=False)
