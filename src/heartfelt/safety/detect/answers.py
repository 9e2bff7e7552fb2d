"""A direct question that was answered with yes. «Are you thinking of ending your life?» «Sometimes.» is no small talk."""

import re

from heartfelt.records import Danger, Dialogue, Sign

_ASKED: tuple[tuple[Danger, str], ...] = (
    ("suicide", r"suicid|end(ing)? (your|it|things)|tak(e|ing) your (own )?life|kill(ing)? yourself|want(ing)? to (die|live)"),
    ("self-harm", r"(hurt(ing)?|harm(ing)?|cut(ting)?) yourself"),
    ("violence", r"(hurt(ing)?|harm(ing)?|kill(ing)?) (someone|somebody|anyone|anybody|him|her|them|other)"),
    ("child", r"is (the|your) (child|kid|baby|son|daughter) safe"),
    ("abuse", r"(hurt(s|ing)?|hit(s|ting)?|threaten(s|ed|ing)?|afraid of|are you safe|do you feel safe)"),
)
_YES = re.compile(
    r"^\W*(yes|yeah|yea|yep|yup|ya|i am|i do|i have( been)?|i think so|i guess( so)?|sometimes|kind of|kinda|sort of|maybe|"
    r"a lot|often|every (day|night)|most days|all the time|lately|probably|honestly,? yes|mhm|it is|(s?he|they) do(es)?)\b",
    re.I,
)
_NO = re.compile(r"^\W*(no\b|nope|not at all|never|i'm not|i am not|of course not)", re.I)
_NOT_SAFE = re.compile(r"^\W*(no\b|nope|not really|i'm not|i am not|never)", re.I)
_LONGEST = 12
"""Words of an answer that is read as yes or no; a longer one says itself what it means."""


def answered(dialogue: Dialogue) -> Sign | None:
    """Whether the last turn says yes to a question about danger in the turn before it."""
    if len(dialogue.turns) < 2 or dialogue.turns[-2].speaker != dialogue.listener:
        return None
    asked, said = dialogue.turns[-2].text.lower(), dialogue.last.text
    questions = " ".join(part for part in re.findall(r"[^.?!]*\?", asked))
    if not questions or len(said.split()) > _LONGEST:
        return None
    for danger, pattern in _ASKED:
        if not (found := re.search(pattern, questions)):
            continue
        means = _NOT_SAFE if "safe" in found[0] else _YES
        if means.search(said) and not (means is _YES and _NO.search(said)):
            return Sign(by="rules", tier="active", danger=danger, quote=said, why="says yes to a direct question")
    return None
