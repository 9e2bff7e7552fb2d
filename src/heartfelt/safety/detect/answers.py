"""A direct question that was answered with yes. «Are you thinking of ending your life?» «Sometimes.» is no small talk."""

import re

from heartfelt.records import Sign
from heartfelt.safety.detect.acts import ASKED
from heartfelt.safety.detect.message import PersonMessage

_YES = re.compile(
    r"^\W*(yes|yeah|yea|yep|yup|ya|i am|i do|i have( been)?|i think so|i guess( so)?|sometimes|kind of|kinda|sort of|maybe|"
    r"a lot|often|every (day|night)|most days|all the time|lately|probably|honestly,? yes|mhm|it is|(s?he|they) do(es)?)\b",
    re.I,
)
_NO = re.compile(r"^\W*(no\b|nope|not at all|never|i'm not|i am not|of course not)", re.I)
_NOT_SAFE = re.compile(r"^\W*(no\b|nope|not really|i'm not|i am not|never)", re.I)
_LONGEST = 12
"""Words of an answer that is read as yes or no; a longer one says itself what it means."""


def says_yes(message: PersonMessage) -> Sign | None:
    """Whether a message says yes to a question about danger that was asked right before it."""
    asked, said = message.asked.lower(), message.text
    questions = " ".join(part for part in re.findall(r"[^.?!]*\?", asked))
    if not questions or len(said.split()) > _LONGEST:
        return None
    for danger, pattern in ASKED:
        if not (found := re.search(pattern, questions)):
            continue
        means = _NOT_SAFE if "safe" in found[0] else _YES
        if means.search(said) and not (means is _YES and _NO.search(said)):
            return Sign(by="answer", tier="active", danger=danger, quote=said, why="says yes to a direct question")
    return None
