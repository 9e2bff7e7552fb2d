"""What somebody does with their words while a danger is talked about: says no, or safe, asks for secrecy, names a helper.

The reader is taught to tell these acts (docs/design/safety.md). What stands here is read from words alone: which danger a
question was about, which means is named, and, where the reader could not look, a bare yes or no.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

from heartfelt.records import Danger, DialogueAct
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.plain import plain

PLAN = Path(__file__).parent.parent / "respond" / "crisis_plan.toml"
LOWERING: tuple[DialogueAct, ...] = ("denied", "safe", "joke", "stop", "fiction")
"""Acts after which a danger is let go, unless the same words tell of it again."""
EASING: tuple[DialogueAct, ...] = (
    "",
    "off_topic",
    "tells_more",
    "brief",
    "thanks",
    "better",
    "agrees",
    "did_it",
    "helper_coming",
    "help_coming",
    "means_away",
    "walked_away",
    "they_said_no",
    "reason_to_live",
    "going_to_sleep",
    "not_now",
    "asks_else",
    "corrects",
)
"""Acts that do not speak of the danger as something that goes on: after a few of them it no longer stands."""
GRAVE: tuple[DialogueAct, ...] = ("swallowed", "when", "goodbye", "worse", "not_answering", "he_is_here")
"""Acts that bring a danger which is being talked about close."""
ABOUT_OTHER: tuple[DialogueAct, ...] = (
    "not_me",
    "they_refuse",
    "promised_them",
    "not_answering",
    "with_them",
    "they_said_yes",
    "they_said_no",
    "far_away",
)
"""Acts of somebody who speaks of another person."""
QUESTIONS: tuple[DialogueAct, ...] = (
    "asks_call",
    "medical_question",
    "secrecy",
    "what_if_call",
    "words_for_me",
    "words_for_other",
    "wants_service",
    "just_a_bot",
    "coping",
    "private_here",
    "must_tell",
    "locked_up",
    "bother",
    "does_asking_harm",
    "asks_wait",
    "asks_drive",
)
"""What somebody asks: it is answered before anything else that the same message does."""
DARK: tuple[DialogueAct, ...] = (
    "burden",
    "nothing_helps",
    "missing_the_dead",
    "part_of_me",
    "past_attempt",
    "when",
    "means_near",
    "goodbye",
    "worse",
)
"""Acts that, after a doubt, are an answer to it."""
BUTTONS: dict[str, DialogueAct] = {
    "This is not about me, it is about somebody else.": "not_me",
    "I didn't mean it like that.": "joke",
}
"""What the buttons beside the help card say (web/src/help/NotSo.tsx): heard whatever the reader makes of it."""
ASKED: tuple[tuple[Danger, str], ...] = (
    ("suicide", r"suicid|end(ing)? (your|it|things)|tak(e|ing) your (own )?life|kill(ing)? yourself|want(ing)? to (die|live)"),
    ("self-harm", r"(hurt(ing)?|harm(ing)?|cut(ting)?) yourself"),
    ("violence", r"(hurt(ing)?|harm(ing)?|kill(ing)?) (someone|somebody|anyone|anybody|him|her|them|other)"),
    ("child", r"is (the|your) (child|kid|baby|son|daughter) safe"),
    ("abuse", r"(hurt|hit|threaten)(s|ed|ing|ting)? you|afraid of (him|her|them|this)|are you safe|do you feel safe"),
)
"""How it is seen that a question asks about a danger."""
BARE = 3
"""Words of an answer that is nothing but a yes or a no."""
_FIRST = r"^(?:(?:oh|god|well|what|wait|honestly|i mean|ok|okay|lol|haha) |[.,] )*"
_NO = re.compile(_FIRST + r"(no|nope|nah|not at all|never|of course not)(?= [.,]|$)")
_YES = re.compile(_FIRST + r"(yes|yeah|yea|yep|yup|i do|sometimes|kind of|i think so)(?= [.,]|$)")
_BEGINS_WITH_NO = re.compile(_FIRST + r"(no|nope|nah|lmao|not at all|god no)\b(?! (one|body))")
_YES_OR_NO = re.compile(
    r"^(?:\w+[,:]? ){0,12}?(are|is|do|does|did|have|has|had|can|could|will|would|was|were|any(thing|one|body)?)\b", re.I
)


def bare_act(message: PersonMessage) -> DialogueAct:
    """A yes or a no and nothing else, after a question that can be answered so."""
    read = plain(message.text).text
    if len(read.split()) > BARE or not answers_yes_or_no(message):
        return ""
    return "denied" if _NO.search(read) else "confirmed" if _YES.search(read) else ""


def says_no(text: str) -> bool:
    """Whether it begins with a no or a laugh, however it goes on."""
    return bool(_BEGINS_WITH_NO.search(plain(text).text))


def answers_yes_or_no(message: PersonMessage) -> bool:
    return bool(_YES_OR_NO.search(_last_question(message.asked)))


def question_about(message: PersonMessage) -> Danger | None:
    """The danger that was asked about right before the message."""
    question = _last_question(message.asked).lower()
    return next((danger for danger, pattern in ASKED if question and re.search(pattern, question)), None)


def _last_question(asked: str) -> str:
    return next(iter(re.findall(r"[^.?!:]*\?", asked)[::-1]), "").strip()


def means_in(text: str) -> str:
    """A means that is named, such as `gun`; empty where there is none."""
    read = plain(text).text
    return next((name for name, pattern in _means() if pattern.search(read)), "")


@cache
def _means() -> list[tuple[str, re.Pattern[str]]]:
    """Line breaks in the table are there for the eye."""
    table = tomllib.loads(PLAN.read_text("utf-8"))["means"]
    return [(name, re.compile(pattern.replace("\n", ""))) for name, pattern in table.items()]
