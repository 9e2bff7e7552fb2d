"""Honesty about what is talking and who can read it: said at the start, when asked in any wording, and again in long talks."""

import re
from typing import Literal, TypeAlias

Asked: TypeAlias = Literal["", "beside", "only"]

DISCLOSURE = (
    "You are talking with an AI, not with a person. It is not therapy and not for emergencies. "
    "If you or somebody else is in danger, call your local emergency number."
)
BEING = (
    "I'm an AI: a program, not a human being, and no therapist or doctor. "
    "I don't feel as you do, and I do take what you tell me seriously."
)
PRIVACY = (
    "I'm a program: I pass nothing on, and I can't call or message anybody. "
    "The app may keep what you write, and whoever can open it may be able to read it."
)
BREAK = (
    "We have been talking for a long while. A pause may do you good: stand up, drink something, talk with somebody near you. "
    "I'm an AI, and what you wrote will still be here."
)
SHORT = 14
"""Words of a message that asks nothing else."""

_HUMAN = r"(real |actual |living |true |human )*(human|person|people|being|man|woman|girl|guy|somebody|someone)"
_MACHINE = (
    r"(a\.?i\.?|artificial( intelligence)?|chat ?bot|bot|robot|machine|computer|program|software|algorithm|script|llm|"
    r"language model|gpt|chatgpt|automated)( \w+)?"
)
_TRADE = r"(licensed |real |actual |trained )*(therapist|counsell?or|doctor|psychologist|psychiatrist|nurse)"
_THING = rf"((an? |my |the )?({_HUMAN}|{_MACHINE}|{_TRADE})|real|alive|sentient|conscious)"
_REALLY = r"(really |actually |even |just |only |truly |like |not |still |maybe |sure you'?re |by any chance |some kind of )*"
_YOU, _ARE = r"(you|u|ya)", r"(are|r)"
_ASKS = re.compile(
    "|".join(
        (
            rf"\b{_ARE} {_YOU} {_REALLY}{_THING}\b",
            rf"\b{_YOU}('re|r| are| is)? {_REALLY}{_THING}( or \w+)?\b[^.!?]{{0,24}}\?",
            rf"\bis (this|that|there) {_REALLY}{_THING}\b[^.!?]{{0,40}}\?",
            rf"\bam i {_REALLY}(talking|speaking|chatting|writing|typing) (to|with) {_REALLY}{_THING}\b",
            rf"\b(talking|speaking|chatting) (to|with) {_REALLY}{_THING}\b[^.!?]{{0,24}}\?",
            rf"\b(who|what) ({_ARE} {_YOU}|is this)( {_REALLY.rstrip('*')}| exactly)?\s*(\?|$|,)",
            rf"\bwhat (kind|sort) of (thing|being|person|program|ai|bot) {_ARE} {_YOU}\b",
            rf"\b(who|what) am i {_REALLY}(talking|speaking|chatting) (to|with)\b",
            rf"\b(do|can) {_YOU} {_REALLY}have (feelings|emotions|a (body|soul|heart|family|life))\b",
            rf"\b(do|can) {_YOU} {_REALLY}(feel( anything| things| pain| emotions?)?|breathe|sleep|exist|get tired)\s*\?",
            rf"\bis (somebody|someone|anyone|anybody|a (person|human)) {_REALLY}(there|reading|typing|behind|on the other)",
            r"\b(tell|be honest)\b[^.!?]{0,30}\b(human|bot|a\.?i\.?|robot|machine|real person)\b",
            r"\bprove (that )?(you'?re|you are|to me)\b[^.!?]{0,20}\b(human|real|person)\b",
        )
    ),
    re.I,
)
_ENDS = r"(?=\s*[?.,!]|\s*$| or\b)"
_SAID = (
    r"(what (i|we|you) (write|type|say|said|tell|told|wrote)|my (messages|chats?)|our (chats?|talks?|conversations?)|"
    r"(these|this|your) (messages?|chats?|talks?|conversations?))"
)
_HERE = rf"((this|it)( chat| talk| conversation| page| app)?{_ENDS}|{_SAID})"
_THEY = r"((my|the|our) \w+|he|she|they|anyone|anybody|somebody|someone)( else)?"
_ANYBODY = r"(anyone|anybody|someone|somebody|others|people|my \w+|the (police|cops|school|authorities))"
_SEES = re.compile(
    "|".join(
        (
            rf"\b(is|are|will|would) ({_SAID}|this|it|that) (all |really |completely |totally |be |stay |kept )*"
            rf"(a )?(secret|private|confidential|anonymous|between us|saved|stored|recorded|deleted|gone)"
            rf"( (any|some)where)?{_ENDS}",
            r"^saved\b[^.!]{0,30}\?",
            r"\b(it|this|that) (really )?(stays?|remains?) (here|between us|secret|private|with you)\b[^.!]{0,20}\?",
            rf"\b(do|will|would|are|can) {_YOU} (going to |gonna |ever |really |have to )*(tell|telling|report this to|inform) "
            rf"{_ANYBODY}( (about|what) (this|it|me|i)\b[^.?!]{{0,20}})?{_ENDS}",
            rf"\b(asked|ask|know) if {_YOU} tell {_ANYBODY}{_ENDS}",
            rf"\b(can|could|will|might) {_THEY} (see|read) {_HERE}",
            rf"\bwho( else)? (can |could |will )?(sees?|reads?) {_HERE}",
            rf"\bdo(es)? ({_YOU}|this|it|the app|this app) (save|store|keep|record) (this{_ENDS}|{_SAID}|everything i)",
        )
    ),
    re.I,
)


def asks_what_it_is(text: str) -> Asked:
    """Whether somebody asks if they talk to a machine: beside other things, or only that."""
    return _asks(_ASKS, text)


def asks_who_reads_it(text: str) -> Asked:
    """Whether somebody asks if what they write is kept, passed on or seen."""
    return _asks(_SEES, text)


def _asks(pattern: re.Pattern[str], text: str) -> Asked:
    plain = text.replace("’", "'")
    if not pattern.search(plain):
        return ""
    return "only" if len(plain.split()) <= SHORT else "beside"
