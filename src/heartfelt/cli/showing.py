"""What `respond` makes of its reply beside the text: a sound or a film, in the folder that was asked for."""

from dataclasses import dataclass
from pathlib import Path

from heartfelt.cli.console import err
from heartfelt.errors import HeartfeltError, MissingExtra, StoreError, UnknownName
from heartfelt.records import Identity, Outcome, Performance

MEDIA = ("auto", "film", "sound", "none")


@dataclass(frozen=True)
class Showing:
    media: str = "auto"
    size: int = 512
    mark: str = ""
    voice: str = "embedded:"
    face: str = "embedded:"
    fall_back: bool = False

    def __post_init__(self) -> None:
        if self.media not in MEDIA:
            raise UnknownName("kind of media", self.media, MEDIA)


def show(outcome: Outcome, identity: Identity, folder: Path, showing: Showing) -> Performance | None:
    """Speak the reply and show it. Left to itself it does without what is not installed, and says so."""
    if showing.media == "none":
        return None
    try:
        return _shown(outcome, identity, folder, showing)
    except (MissingExtra, StoreError) as error:
        if showing.media != "auto":
            raise
        _note(error)
        return None


def _shown(outcome: Outcome, identity: Identity, folder: Path, showing: Showing) -> Performance:
    # all of it is slow to import, and who answers in words alone does without
    from heartfelt.cli.stage import drawing, open_stage
    from heartfelt.expression.persona import persona_of
    from heartfelt.expression.style import style_of

    stage = open_stage(showing.voice, showing.face, size=showing.size, mark=showing.mark, fall_back=showing.fall_back)
    with drawing(stage):
        return stage.perform(
            outcome.reply, style_of(outcome.best), persona_of(identity), folder, film=showing.media in ("auto", "film")
        )


def _note(error: HeartfeltError) -> None:
    err.print(f"The reply is not spoken: {error}", style="yellow", markup=False)
