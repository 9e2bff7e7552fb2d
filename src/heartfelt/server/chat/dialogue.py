"""The messages of a request as a dialogue: what user and assistant said, with sound heard and pictures looked at."""

import asyncio
import base64
import binascii
from collections.abc import Callable

from heartfelt.errors import InputError
from heartfelt.intake import PERSON, _name, _seen, cleaned
from heartfelt.records import Dialogue, Turn
from heartfelt.senses.sense import Senses
from heartfelt.server.chat.request import AudioPart, ChatMessage, ChatRequest, ImagePart
from heartfelt.server.consent import Consent
from heartfelt.server.recordings import Recordings
from heartfelt.server.turns import LISTENER, LONGEST_TALK

MOST_MEDIA = 8


class BadField(InputError):
    """What a request says cannot be used; `param` is where."""

    def __init__(self, message: str, param: str):
        super().__init__(message)
        self.param = param


class TooLong(InputError):
    """More than is read in one go."""

    param = "messages"

    def __init__(self, characters: int):
        super().__init__(
            f"The messages have {characters:,} characters together; at most {LONGEST_TALK:,} are read. Leave out the oldest."
        )


async def dialogue_of(asked: ChatRequest, senses: Callable[[], Senses], recordings: Recordings) -> Dialogue:
    """`senses` are opened only where there is something to hear or to see."""
    _check(asked)
    turns: list[Turn] = []
    for number, message in enumerate(asked.messages):
        where = f"messages[{number}]"
        if message.role == "user":
            turns.append(await _said(message, where, senses, asked, recordings))
        elif message.role == "assistant" and message.text:
            text = await asyncio.to_thread(_clean, message.text, "An assistant's message", where)
            turns.append(Turn(speaker=LISTENER, text=text))
    return Dialogue(turns=tuple(turns), listener=LISTENER)


def _check(asked: ChatRequest) -> None:
    characters = sum(len(message.text) for message in asked.messages)
    if characters > LONGEST_TALK:
        raise TooLong(characters)
    if asked.unread and asked.heartfelt.system == "refuse":
        raise BadField(
            "No recipe reads system or developer messages: how to answer is decided by the recipe that `model` names. Leave "
            'them out, or go on without them by `"heartfelt": {"system": "ignore"}`.',
            "messages",
        )
    if sum(len(message.media) for message in asked.messages) > MOST_MEDIA:
        raise BadField(f"At most {MOST_MEDIA} pictures and sounds are taken in one request.", "messages")
    for number, message in enumerate(asked.messages):
        if message.role != "user" and message.media:
            raise BadField("Only a user's message may have sound and pictures.", f"messages[{number}].content")
    spoken = [message.role for message in asked.messages if message.role in ("user", "assistant")]
    if spoken[-1:] != ["user"]:
        raise BadField("The last message must be the user's: there is nothing to answer otherwise.", "messages")


async def _said(
    message: ChatMessage, where: str, senses: Callable[[], Senses], asked: ChatRequest, recordings: Recordings
) -> Turn:
    consent = Consent(voice=asked.heartfelt.voice, face=asked.heartfelt.face)
    text, turn = message.text, Turn(speaker=_speaker(message, where), text="…")
    for part in message.media:
        name = "The picture" if isinstance(part, ImagePart) else "The sound"
        data = await asyncio.to_thread(_bytes, part, where)
        found = await recordings.sensed(data, senses(), consent, name=name, text=text)
        text = found.text or text
        turn = turn.model_copy(update={"readings": found.readings, "keyframes": (*turn.keyframes, *found.keyframes)})
    return turn.model_copy(update={"text": await asyncio.to_thread(_clean, text, "A user's message", where)})


def _speaker(message: ChatMessage, where: str) -> str:
    if not message.name:
        return PERSON
    name = _name(message.name, "The name of a user")
    if _seen(name) == LISTENER:
        raise BadField(f"'{LISTENER}' is whoever answers. Give the user another name.", f"{where}.name")
    return name


def _clean(text: str, what: str, where: str) -> str:
    if not text:
        raise BadField(f"{what} is empty. Give it words, or leave it out.", f"{where}.content")
    try:
        return cleaned(text, what)
    except InputError as error:
        raise BadField(str(error), f"{where}.content") from None


def _bytes(part: ImagePart | AudioPart, where: str) -> bytes:
    data = _data_of(part.image_url.url, where) if isinstance(part, ImagePart) else part.input_audio.data
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise BadField("The picture or sound is not valid base64.", f"{where}.content") from None


def _data_of(url: str, where: str) -> str:
    head, comma, data = url.partition(";base64,")
    if not head.startswith("data:") or not comma:
        raise BadField(
            "Pictures are taken as data: URLs in base64; nothing is fetched from other addresses.", f"{where}.content"
        )
    return data
