"""What a person allows to be inferred, from their voice and from their face: each is off until it is given.

The words of a recording are always understood, for that is what it was sent for. How they sounded, and what a face showed, is
measured only where the person said so, and never where the deployment forbids it.
"""

from dataclasses import dataclass, replace

from heartfelt.errors import InputError
from heartfelt.senses.media.media import Media
from heartfelt.senses.sense import Impression, Senses
from heartfelt.server.settings import ServerSettings
from heartfelt.server.words_only import WordsOnly


class NotInferred(InputError):
    """At work and in schools, whoever allows it."""

    def __init__(self, what: str):
        super().__init__(f"Nothing is inferred from {what} here: this server is for work or school. Type, or send sound alone.")


@dataclass(frozen=True)
class Consent:
    voice: bool = False
    """To how it sounds, beyond the words."""
    face: bool = False
    """To being seen."""

    def check(self, settings: ServerSettings) -> None:
        """Refuses what is given and may not be taken."""
        if not settings.infers and (self.voice or self.face):
            raise NotInferred("a face" if self.face else "the sound of a voice")

    def senses(self, senses: Senses) -> Senses:
        """The senses as far as they were allowed. Eyes need no bounds of their own: without leave no picture comes to them."""
        return senses if self.voice else replace(senses, ears=lambda: WordsOnly(senses.ears()))

    async def sense(self, senses: Senses, media: Media, settings: ServerSettings, *, text: str = "") -> Impression:
        """What a recording tells, as far as it may be looked at and listened to."""
        if not settings.senses:
            raise InputError("This server neither looks nor listens. Send text.")
        self.check(settings)
        if media.clip.picture is not None and not settings.infers:
            raise NotInferred("a face")
        if media.clip.picture is not None and not self.face:
            _look_away(media)
        return await self.senses(senses).sense(media, text=text)


def _look_away(media: Media) -> None:
    """Its sound is all that is left of it."""
    if media.clip.sound is None:
        raise InputError(f"{media.clip.name} is a picture, and may not be looked at: send it with `face` as true if it may.")
    media.clip = media.clip.model_copy(update={"picture": None})
