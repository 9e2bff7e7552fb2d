"""What a recording holds, as far as its headers and its first frame tell."""

from typing import Literal

from pydantic import Field

from heartfelt.records import Record


class PictureTrack(Record):
    """The track that the frames come from."""

    width: int = Field(ge=1)
    """Pixels as shown: turned upright, with square pixels, before any scaling."""
    height: int = Field(ge=1)
    rate: float | None = None
    """Frames a second on average; none for a still picture or where the file does not say."""
    rotation: Literal[0, 90, 180, 270] = 0
    """By how many degrees clockwise the stored picture is turned to stand upright."""
    mirrored: bool = False
    """Whether the stored picture is mirrored left to right before it is turned."""
    codec: str = ""


class SoundTrack(Record):
    """The track that the sound comes from."""

    number: int = Field(ge=1)
    """Which of the sound tracks it is, counted from 1."""
    tracks: int = Field(ge=1)
    """How many sound tracks there are."""
    why: str
    """Why this one was chosen, in a few words."""
    channels: int = Field(ge=1)
    sample_rate: int = Field(ge=1)
    """As recorded; what is yielded has always 16,000."""
    language: str = ""
    codec: str = ""


class Clip(Record):
    """What is in a recording."""

    name: str
    kind: Literal["video", "sound", "picture"]
    duration: float | None = None
    """Seconds; as the file claims it, or measured where it claims nothing. None for a still picture."""
    start: float = 0.0
    """The file's own time of the clip's first moment. All times that are yielded count from there."""
    picture: PictureTrack | None = None
    sound: SoundTrack | None = None
    notes: tuple[str, ...] = ()
    """What was odd when it was opened, each in a sentence."""
