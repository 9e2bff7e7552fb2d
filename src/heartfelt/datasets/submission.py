"""The AvaMERG challenge's own form: `[{conversation_id, emotion, turns: [{turn_id, response}]}]` and media beside it."""

import json
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field

from heartfelt.errors import InputError
from heartfelt.files import whole
from heartfelt.records import Record


class AnsweredTurn(Record):
    turn_id: str | int
    response: str = Field(min_length=1)


class Submitted(Record):
    """The answers to one conversation."""

    conversation_id: str | int
    emotion: str
    turns: tuple[AnsweredTurn, ...] = Field(min_length=1)


def write_submission(path: Path, answers: Iterable[Submitted]) -> int:
    """Write the file whole or not at all; how many conversations it holds."""
    rows, seen = list[dict[str, object]](), set[str]()
    for each in answers:
        if str(each.conversation_id) in seen:
            raise InputError(f"Conversation {each.conversation_id} is answered twice. Give one answer to each.")
        seen.add(str(each.conversation_id))
        rows.append(each.model_dump())
    if not rows:
        raise InputError("There is no answer to submit.")
    with whole(path) as draft:
        draft.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return len(rows)


def response_media(folder: Path, conversation_id: str | int, utterance: int, kind: str) -> Path:
    """Where the voice (`wav`) or the face (`mp4`) of a response belongs: `dia00001utt1.wav`."""
    if kind not in ("wav", "mp4"):
        raise InputError(f"The challenge takes wav and mp4, not {kind}.")
    return folder / f"dia{int(conversation_id):05}utt{utterance}.{kind}"
