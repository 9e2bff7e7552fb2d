"""Weak labels: what every step should have made of a turn, told by rule from the gold emotion and the true reply.

The corpora name an emotion and hold a reply; the steps between are not annotated. The rules, each tested:

- cues: up to three pieces of the last turn that name a feeling, else the piece with most content; at least one is read as the
  gold emotion, and one that names a feeling of the other side is read as what it names.
- cause: one or two pieces that tell what happened rather than what was felt; the category by the emotion and by keywords.
- strategy: a reply that mostly asks explores (EX), one that says what it is like interprets (IP), the others react (ER).
- plan: the tactic from the reply's wording, then goal, stance and tone from tactic, emotion and wording. What MakePlan's own
  check calls unfit is never chosen.
- scenario and goal: one line each, by template.
- a reply is worth writing like by the rules of `agents/manner.py`: it answers the person and claims no life of its own.

The word lists are in `weak.toml`.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from heartfelt.agents import manner
from heartfelt.agents.manner import attentive, grounded, stock
from heartfelt.agents.perceive import MOST_CUES, MOST_PIECES
from heartfelt.agents.plan import UNFIT_FOR_JOY, UNFIT_FOR_PAIN
from heartfelt.agents.quotes import pieces
from heartfelt.agents.respond import Respond
from heartfelt.agents.speech import bare
from heartfelt.agents.wordlists import WordLists, plain
from heartfelt.labels import fold, label_set, project
from heartfelt.labels.leaning import leaning
from heartfelt.records import Cause, Cue, Dialogue, Evidence, Goal, Plan, Scenario, Strategy
from heartfelt.text import sentences_of, within

FEAR = frozenset({"afraid", "terrified", "anxious", "apprehensive"})
ANGER = frozenset({"angry", "furious", "annoyed", "disgusted", "jealous"})
SHAME = frozenset({"ashamed", "guilty", "embarrassed"})
TIES = frozenset({"caring", "faithful", "trusting", "sentimental", "nostalgic", "grateful", "lonely", "content"})
DOING = frozenset({"confident", "prepared", "hopeful", "anticipating"})


@dataclass(frozen=True)
class WeakLabels:
    """A dialogue up to a turn of the speaker, and what each step should make of it. No reply: no plan, no strategy, no goal."""

    dialogue: Dialogue
    emotion: str
    """In ED-32."""
    evidence: Evidence
    scenario: Scenario
    cause: Cause
    reply: str = ""
    strategy: Strategy | None = None
    eight: str = ""
    """ESConv's own strategy."""
    plan: Plan | None = None
    goal: Goal | None = None


def gold(dialogue: Dialogue, emotion: str, reply: str, *, eight: str = "") -> WeakLabels:
    """All weak labels of a turn. `reply` is what the true listener said next, or empty."""
    text = answerable(reply, dialogue)
    cause = cause_of(dialogue, emotion)
    plan = plan_of(emotion, text) if text else None
    return WeakLabels(
        dialogue=dialogue,
        emotion=emotion,
        evidence=evidence_of(dialogue, emotion),
        scenario=scenario_of(dialogue, cause),
        cause=cause,
        reply=text,
        strategy=Strategy(choice=strategy_of(text)) if text else None,
        eight=eight if text else "",
        plan=plan,
        goal=goal_of(plan, emotion, dialogue) if plan else None,
    )


# ── replies ─────────────────────────────────────────────────────────────────────────────────────────────────────────

SHORTEST_REPLY, LONGEST_REPLY = 4, 40
"""Words."""


def answerable(reply: str, dialogue: Dialogue) -> str:
    """The reply as it is taught: at most two sentences, written out; empty where it is not worth learning."""
    text = written_out(within(bare(reply, dialogue), sentences=Respond().sentences)) if reply.strip() else ""
    if not SHORTEST_REPLY <= len(text.split()) <= LONGEST_REPLY or has(text, "profane") or has(text, "machine"):
        return ""
    return text


def written_out(text: str) -> str:
    """Capitals at the start of sentences and for I, a mark at the end, no space before marks: people type in haste."""
    text = re.sub(r"\s+([.,!?;:])(?=\s|$)", r"\1", text)
    text = re.sub(r"\bi(?=$|\s|'(?:m|ve|ll|d)\b|[.,!?])", "I", text)
    text = re.sub(r"\b([Ii])m\b", "I'm", text)
    text = re.sub(r"\b(can|don|didn|isn|doesn|wasn|couldn|wouldn)t\b", r"\1't", text)
    text = re.sub(r"\b([Tt]hat|[Tt]here|[Ww]hat|[Hh]e|[Ss]he)s\b", r"\1's", text)
    text = re.sub(r"\b([Yy]ou|[Tt]hey)re\b", r"\1're", text)
    text = re.sub(r"(^|[.!?]\s+)([a-z])", lambda found: found[1] + found[2].upper(), text)
    return text if not text or text[-1] in ".!?…\"'”’):" else f"{text}."


def worth(reply: str, emotion: str, dialogue: Dialogue) -> float:
    """How often a reply is taught: often where it takes up a word of the speaker, seldom where it is a stock phrase.

    The replies of crowd workers are real, but many are about the worker's own dog, some are a bare question after the age of
    the child, and some joke about another's grief.
    """
    if not attentive(reply, emotion):
        return 0.0
    return (3.0 if grounded(reply, dialogue) else 1.0) * (0.4 if stock(reply) else 1.0)


# ── cues ────────────────────────────────────────────────────────────────────────────────────────────────────────────


TELLING = 4.5
"""Content of a piece that is worth a second cue."""


def evidence_of(dialogue: Dialogue, emotion: str) -> Evidence:
    quotable = pieces(dialogue.last.text)[-MOST_PIECES:]
    feels = {piece: found for piece in quotable if (found := named(piece))}
    same = [piece for piece, found in feels.items() if _same_side(found, emotion)]
    other = [piece for piece in feels if piece not in same]
    chosen = (same or [max(quotable, key=content)])[:MOST_CUES]
    telling = [piece for piece in sorted(quotable, key=content, reverse=True) if content(piece) >= TELLING]
    chosen += [piece for piece in (*other, *telling) if piece not in chosen][: max(0, min(2, len(quotable) - 1) - len(chosen))]
    cues = (
        Cue(quote=piece, meaning=feels[piece] if piece in other and piece in chosen[1:] else emotion)
        for piece in quotable
        if piece in chosen
    )
    return Evidence(cues=tuple(cues))


@lru_cache(maxsize=100_000)
def named(piece: str) -> str | None:
    """The ED-32 feeling that a piece names, if it does."""
    return fold(piece, "ed32").label


def content(piece: str) -> float:
    """How much a piece tells: its longer words, and few of the shortest ones."""
    words = plain(piece).split()
    return sum(len(word) > 3 for word in words) + 0.2 * len(words) - (0.5 if words[:1] in (["i"], ["it"]) else 0)


def _same_side(found: str, emotion: str) -> bool:
    """The same coarse class, or the same side of pleasant and unpleasant."""
    return coarse(found) == coarse(emotion) or leaning(found) * leaning(emotion) > 0


@cache
def coarse(emotion: str) -> str:
    return project(emotion, "trace_fixed")


# ── cause ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_PRIOR: dict[str, dict[str, float]] = {
    "Threat & Potential Danger": dict.fromkeys(FEAR, 2.0),
    "Conflict & Injustice": dict.fromkeys(ANGER, 1.6) | {"guilty": 0.9, "ashamed": 0.6},
    "Loss & Failure": {"sad": 1.4, "devastated": 2.0, "disappointed": 1.8, "ashamed": 1.3, "embarrassed": 1.3, "guilty": 1.2}
    | {"lonely": 0.8, "nostalgic": 0.3},
    "Achievement & Success": {"proud": 2.0, "confident": 2.0, "prepared": 2.0, "impressed": 0.9, "hopeful": 0.8, "joyful": 0.6},
    "Unexpectedness & Novelty": {"surprised": 2.0, "anticipating": 1.4, "excited": 1.1, "impressed": 1.2, "hopeful": 0.5}
    | {"joyful": 0.4, "embarrassed": 0.3},
    "Social Connection & Affection": dict.fromkeys(TIES, 1.7)
    | {"joyful": 0.7, "lonely": 1.4, "excited": 0.4, "sad": 0.4, "content": 0.9, "hopeful": 0.3},
}


def cause_of(dialogue: Dialogue, emotion: str) -> Cause:
    quotable = pieces(dialogue.last.text)[-MOST_PIECES:]
    ranked = sorted(quotable, key=lambda piece: -_event(piece))
    best = ranked[:1] + [piece for piece in ranked[1:2] if _event(piece) >= max(1.5, 0.75 * _event(ranked[0]))]
    return Cause(spans=tuple(piece for piece in quotable if piece in best), category=category_of(dialogue, emotion))


def category_of(dialogue: Dialogue, emotion: str) -> str:
    """The emotion speaks first; each keyword of the last turn adds one, of the speaker's earlier turns half, at most two."""
    earlier = " ".join(turn.text for turn in dialogue.turns[:-1] if turn.speaker == dialogue.last.speaker)

    def weight(category: str) -> float:
        words = _count(dialogue.last.text, category) + 0.5 * _count(earlier, category)
        return _PRIOR[category].get(emotion, 0.0) + min(2.0, words) * 0.8

    return max(label_set("trace_causes").labels, key=weight)


@lru_cache(maxsize=20_000)
def _event(piece: str) -> float:
    """How much a piece tells what happened."""
    score = min(2, _count(piece, "happened")) * 1.0 + min(2, _count(piece, "about")) * 0.5
    score += 0.8 * bool(re.search(r"\b[a-z]{3,}ed\b", plain(piece)) and not named(piece))
    score -= 1.5 * has(piece, "feels") + 0.8 * bool(named(piece))
    return score + min(8, len(piece.split())) * 0.12


# ── scenario and goal ───────────────────────────────────────────────────────────────────────────────────────────────

_THIRD = {
    "i": "they", "i'm": "they are", "im": "they are", "i've": "they have", "i'd": "they would", "i'll": "they will",
    "my": "their", "me": "them", "mine": "theirs", "myself": "themselves", "we": "they", "our": "their", "us": "them",
    "we're": "they are", "we've": "they have", "am": "are",
}  # fmt: skip
_SMALL = {
    "they",
    "their",
    "the",
    "a",
    "an",
    "it",
    "he",
    "she",
    "this",
    "that",
    "there",
    "someone",
    "some",
    "his",
    "her",
    "what",
}
_LEADING = re.compile(r"^(?:and|but|because|so|when|while|although|though|since|until|or|that|well|yes|yeah|no|oh)\s+", re.I)
_SUBJECT = re.compile(r"^(?:\w+ly )?(?:they|he|she|it|someone|the|their|this|that|there|a|an|his|her|everyone|people)\b", re.I)
LONGEST_LINE = 18
"""Words of a span in a one-liner: the runtime gives it thirty tokens."""


def scenario_of(dialogue: Dialogue, cause: Cause) -> Scenario:
    told = third_person(_LEADING.sub("", _LEADING.sub("", cause.spans[0])).replace('"', ""))
    told = " ".join(told.split()[:LONGEST_LINE]) or "something"
    how = "says that" if _SUBJECT.match(told) else "tells of this:"
    return Scenario(event=f"{dialogue.last.speaker} {how} {told}.")


def third_person(text: str) -> str:
    words = [_THIRD.get(word.lower().replace("’", "'"), word) for word in text.split()]
    text = " ".join(words).replace("they was", "they were")
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first.lower().split("'")[0] in _SMALL else text


_GOALS = (
    "{Goal} {name} by {tactic}.",
    "{Goal} someone who feels {emotion}, {tactic}.",
    "{Goal} {name} in a {tone} tone, {tactic}.",
    "{Goal} {name} as {stance} would, {tactic}.",
)
_DOES = {"explore": "explore with", "celebrate": "celebrate with", "connect": "connect with"}


def goal_of(plan: Plan, emotion: str, dialogue: Dialogue) -> Goal:
    pick = sha256(dialogue.last.text.encode()).digest()[0] % len(_GOALS)
    does = _DOES.get(plan.goal, plan.goal)
    name = dialogue.last.speaker
    line = _GOALS[pick].format(
        Goal=does.capitalize(), name=name, tactic=plan.tactic, emotion=emotion, tone=plan.tone, stance=_a(plan.stance)
    )
    return Goal(goal=line)


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


# ── strategy and plan ───────────────────────────────────────────────────────────────────────────────────────────────

EIGHT_TO_THREE = {
    "Question": "EX",
    "Restatement or Paraphrasing": "IP",
    "Reflection of feelings": "IP",
    "Self-disclosure": "IP",
    "Affirmation and Reassurance": "ER",
}


def strategy_of(reply: str) -> str:
    """ER, IP or EX by what takes most of the reply."""
    if _asks(reply) > 0.5:
        return "EX"
    if has(reply, "interprets"):
        return "IP"
    if has(reply, "warm"):
        return "ER"
    return "EX" if "?" in reply else "ER"


def plan_of(emotion: str, reply: str) -> Plan:
    """The four dimensions, each from the ones before it; then whatever does not fit the emotion gives way."""
    leans, tactic = leaning(emotion), _tactic(emotion, reply)
    chosen = {
        "goal": _goal(emotion, tactic, reply),
        "stance": _stance(emotion, tactic, reply),
        "tactic": tactic,
        "tone": _tone(emotion, reply),
    }
    unfit = UNFIT_FOR_PAIN if leans < 0 else UNFIT_FOR_JOY if leans > 0 else set[tuple[str, str]]()
    instead = {"goal": "validate", "stance": "friend", "tactic": "reflecting the feeling", "tone": "warm"}
    fit = {name: instead[name] if (name, choice) in unfit else choice for name, choice in chosen.items()}
    return Plan.model_validate(fit)


def _tactic(emotion: str, reply: str) -> str:
    hurts = leaning(emotion) < 0
    rules: tuple[tuple[str, bool], ...] = (
        ("asking an open question", _asks(reply) > 0.5),
        ("thanking for the trust", has(reply, "thanks")),
        ("affirming a strength", has(reply, "strength")),
        ("normalising the reaction", has(reply, "normal") or (hurts and has(reply, "own_story"))),
        ("reflecting the feeling", has(reply, "feeling")),
        ("sharing the joy", not hurts and has(reply, "joy")),
        ("naming what was hard", leaning(emotion) <= 0 and has(reply, "hard")),
        ("offering a perspective", has(reply, "perspective")),
        ("asking an open question", "?" in reply),
    )
    glad = leaning(emotion) > 0 and "!" in reply
    return next((tactic for tactic, holds in rules if holds), "sharing the joy" if glad else "reflecting the feeling")


def _goal(emotion: str, tactic: str, reply: str) -> str:
    if tactic == "asking an open question":
        return "explore"
    if leaning(emotion) < 0:
        return _goal_in_pain(emotion, tactic, reply)
    if emotion in TIES:
        return "connect" if tactic != "affirming a strength" else "validate"
    if tactic == "sharing the joy" or (tactic == "affirming a strength" and emotion not in DOING):
        return "celebrate"
    if emotion in DOING or tactic == "offering a perspective":
        return "encourage"
    return "validate" if tactic in ("reflecting the feeling", "normalising the reaction") else "connect"


def _goal_in_pain(emotion: str, tactic: str, reply: str) -> str:
    if tactic in ("affirming a strength", "offering a perspective"):
        return "reassure" if emotion in FEAR | SHAME else "encourage"
    if emotion in FEAR:
        return "calm" if has(reply, "safe") or emotion == "terrified" else "reassure"
    if emotion in ANGER:
        return "validate" if emotion != "furious" or tactic == "normalising the reaction" else "calm"
    if emotion == "lonely":
        return "connect"
    if emotion in SHAME:
        return "reassure"
    return "validate" if tactic == "normalising the reaction" else "comfort"


def _stance(emotion: str, tactic: str, reply: str) -> str:
    hurts = leaning(emotion) < 0
    rules: tuple[tuple[str, bool], ...] = (
        ("peer", has(reply, "own_story")),
        ("admirer", leaning(emotion) > 0 and tactic == "affirming a strength"),
        ("admirer", emotion in ("proud", "impressed") and tactic == "sharing the joy"),
        ("coach", has(reply, "advice") and (emotion in DOING or tactic == "offering a perspective")),
        ("ally", hurts and (emotion in ANGER or tactic == "affirming a strength")),
        ("confidant", emotion in SHAME | {"jealous", "trusting", "faithful"}),
        ("witness", hurts and tactic == "naming what was hard"),
        ("companion", emotion in ("sad", "lonely", "devastated", "sentimental", "nostalgic", "caring") or emotion in FEAR),
    )
    return next((stance for stance, holds in rules if holds), "friend")


def _tone(emotion: str, reply: str) -> str:
    if leaning(emotion) < 0:
        if emotion in FEAR:
            return "steady" if has(reply, "perspective") or has(reply, "strength") else "calm"
        if emotion in ANGER:
            return "sincere" if has(reply, "hard") else "steady"
        if emotion in ("lonely", "devastated"):
            return "tender"
        return "warm" if emotion == "embarrassed" else "gentle"
    if has(reply, "laughs"):
        return "playful"
    if emotion in ("grateful", "trusting", "faithful", "impressed", "sentimental"):
        return "sincere" if "!" not in reply else "warm"
    if "!" in reply or emotion in ("excited", "joyful"):
        return "bright"
    return "warm"


def _asks(reply: str) -> float:
    """The share of its words that stand in questions."""
    asked = sum(len(part.split()) for part in sentences_of(reply) if "?" in part[-3:])
    return asked / max(1, len(reply.split()))


# ── word lists ──────────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _own() -> WordLists:
    return WordLists(Path(__file__).with_name("weak.toml"))


def has(text: str, words: str) -> bool:
    """In the lists of how one answers, or else in those of the weak labels."""
    return (manner.lists() if words in manner.lists() else _own()).has(text, words)


def _count(text: str, words: str) -> int:
    return _own().count(text, words)
