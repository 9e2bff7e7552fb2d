"""A face that runs as a service."""

import io
import tempfile
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path
from time import sleep as wait

from PIL import Image

from heartfelt.errors import GeneratorError, InputError
from heartfelt.expression.persona import Persona
from heartfelt.expression.services.address import read_address
from heartfelt.expression.services.contract import FILM, MOST_FILM, FilmAsked, speaker_asked
from heartfelt.expression.services.generator import ANY_FACE, Generator, GeneratorRequest
from heartfelt.expression.services.wire import Wire
from heartfelt.expression.sound import wav_of
from heartfelt.expression.style import Style
from heartfelt.expression.video import FPS, Frame, write_video
from heartfelt.expression.voice.spoken import SpokenAudio
from heartfelt.senses.media.media import open_media
from heartfelt.senses.media.pieces import Picture

SIZE = 512


def drawn(persona: Persona) -> bytes:
    """A PNG of the person who looks at us and feels nothing much."""
    from heartfelt.expression.render import Renderer  # compiles, so only who needs a portrait waits for it

    file = io.BytesIO()
    Image.fromarray(Renderer(persona.look, SIZE).frame()).save(file, "PNG")
    return file.getvalue()


TIMEOUT = 900.0
"""Seconds for one film: diffusion takes minutes."""
LONG_SIDE = 1920
"""Pixels that are kept of the long side of a picture."""
_PNG = b"\x89PNG\r\n\x1a\n"
_KEPT = 8

Portrait = Callable[[Persona], bytes]
"""Gives the PNG of a person."""


class ServiceFace:
    """Has a film made over HTTP, as `docs/reference/generator-contract.md` has it.

    Only the pictures are the service's. They are read, checked and written again beside the very sound that was spoken, so that
    lips and words belong together and the file says of itself that it is synthetic.
    """

    def __init__(
        self,
        address: str,
        *,
        generator: Generator = ANY_FACE,
        portrait: Portrait = drawn,
        mark: str = "",
        attempts: int = 2,
        sleep: Callable[[float], None] = wait,
    ):
        self.name, self.generator, self.portrait, self.mark = generator.name, generator, portrait, mark
        self.address = read_address(address, timeout=TIMEOUT)
        self._wire = Wire(self.address, generator.name, attempts=attempts, sleep=sleep)
        self._portraits: dict[str, bytes] = {}

    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        if target.suffix.lower() != ".mp4" or not target.parent.is_dir():
            raise InputError(f"A film cannot be written to {target}: give a name that ends in .mp4, in a folder that exists.")
        if not spoken.samples.size:
            raise InputError("There is no sound to make a film of. Have something said first.")
        wish = self.generator.wish(style, persona, self._wire.about("face"), seconds=spoken.seconds)
        with tempfile.TemporaryDirectory(prefix="heartfelt-film-") as folder:
            received = Path(folder) / "received.mp4"
            self._receive(spoken, wish, received)
            return self._written(received, spoken, persona, target)

    def __repr__(self) -> str:
        return f"ServiceFace({self.address.url!r}, {self.name!r})"

    def _receive(self, spoken: SpokenAudio, wish: GeneratorRequest, received: Path) -> None:
        request = FilmAsked(
            emotion=wish.emotion,
            intensity=wish.style.intensity,
            tone=wish.style.tone,
            lively=wish.persona.lively,
            seconds=round(spoken.seconds, 3),
            speaker=speaker_asked(wish.persona, self.address.reference),
            options=self.generator.options(wish),
        )
        parts = {
            "request": ("request.json", request.model_dump_json().encode(), "application/json"),
            "audio": ("speech.wav", wav_of(spoken.samples, spoken.rate), "audio/wav"),
            "portrait": ("portrait.png", self._portrait(wish.persona), "image/png"),
        }
        with received.open("w+b") as file:
            answer = self._wire.ask("POST", FILM, most=MOST_FILM, into=file, files=parts)
        if answer.media_type not in ("video/mp4", "application/octet-stream"):
            kind = answer.media_type or "something without a content type"
            raise self._wire.refuse(f"answered with {kind} instead of video/mp4")

    def _portrait(self, persona: Persona) -> bytes:
        """Drawing somebody takes seconds, and the look of a person never changes."""
        key = persona.look.model_dump_json()
        if key not in self._portraits:
            picture = self.portrait(persona)
            if not picture.startswith(_PNG):
                raise InputError(f"The portrait of {persona.name} is no PNG. Let `portrait` give the bytes of a PNG file.")
            while len(self._portraits) >= _KEPT:
                self._portraits.pop(next(iter(self._portraits)))
            self._portraits[key] = picture
        return self._portraits[key]

    # ── the answer ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _written(self, received: Path, spoken: SpokenAudio, persona: Persona, target: Path) -> Path:
        title = f"{persona.name}, pictures by {self.name}"
        try:
            frames = self._frames(received, spoken.seconds)
            return write_video(frames, spoken.samples, spoken.rate, target, fps=FPS, mark=self.mark or None, title=title)
        except InputError as error:
            reason = str(error).partition(". ")[0].rstrip(".").replace(str(received), "it")
            raise self._wire.refuse(f"sent a film that cannot be used: {reason}") from None

    def _frames(self, received: Path, seconds: float) -> Iterator[Frame]:
        """As many pictures as the sound is long. A film that ends a little early keeps its last one."""
        media = open_media(received, name="the film")
        if media.clip.kind != "video" or media.clip.picture is None:
            raise self._wire.refuse("sent a film without moving pictures")
        if media.clip.duration and media.clip.duration > 2 * seconds + 2:
            raise self._off(media.clip.duration, seconds)
        pictures, count = media.frames(rate=FPS, long_side=LONG_SIDE), max(ceil(seconds * FPS), 1)
        shown, coming = next(pictures), next(pictures, None)
        for index in range(count):
            while coming is not None and coming.time <= (index + 0.5) / FPS:
                shown, coming = coming, next(pictures, None)
            self._reaches(shown, coming, index / FPS, seconds)
            yield shown.pixels

    def _reaches(self, shown: Picture, coming: Picture | None, time: float, seconds: float) -> None:
        ended = shown.time + 1 / FPS
        if coming is None and time > ended and ended < 0.9 * seconds - 0.2:
            raise self._off(ended, seconds)

    def _off(self, film: float, sound: float) -> GeneratorError:
        then = "Let it make one as long as the sound that it gets, and look at its own log."
        return self._wire.refuse(f"sent a film of {film:.1f} seconds for {sound:.1f} seconds of sound", then=then)
