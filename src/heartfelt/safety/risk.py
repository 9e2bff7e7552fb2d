"""How a danger goes on over a talk: it opens, is asked about, confirmed or denied, and falls again by the rules written here.

Nothing is remembered between turns but the talk itself: the state is folded again over what was observed in each message, so a
talk that is loaded from a file stands where it stood.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from heartfelt.records import Danger, DialogueAct, RiskState, Tier, Who
from heartfelt.safety.detect.acts import ABOUT_OTHER, DARK, EASING, GRAVE, LOWERING
from heartfelt.safety.tiers import alarms

SHORT = 3
"""Words of an answer that says little: while a danger stands, it stands on."""
CLEARS_UP = ("joke", "corrects")
"""What takes an imminent danger back without a further question, where a reader that knows the whole talk finds nothing in it:
it was the dog, or a game. A denial, or being safe now, is asked about once more."""
PATIENCE = 3
"""Messages without a sign of danger after which it no longer stands, whatever they do."""


@dataclass(frozen=True)
class Observation:
    """What the detectors found in one message."""

    tier: Tier = "none"
    danger: Danger | None = None
    who: Who | None = None
    act: DialogueAct = ""
    outright: bool = False
    """Whether the danger is said in words that leave no doubt: a denial in the same message does not take it back."""
    ruled: bool = False
    """Whether a rule found it, not the reader alone."""
    again: bool = False
    """Whether a reader that knows the whole talk, the no in it too, is sure of it."""
    kind: Danger | None = None
    """What the danger is, where such a reader is sure of that."""
    weak: bool = False
    """Whether there is at least a weak sign."""
    nothing: bool = False
    """Whether a reader that knows the whole talk finds nothing at all: then a correction clears up what was before."""
    whose: Who | None = None
    """Whose danger the message speaks of, where that is clear."""
    put_right: Who | None = None
    """Whose it is, where the person puts that right: «not me, HIM»."""
    cared_for: bool = False
    """Whether those whose work it is have whoever was in danger."""
    about: Danger | None = None
    """The danger that was asked about right before it: a no to that says nothing of another."""
    means: bool = False
    words: int = 0


@dataclass(frozen=True)
class Risk:
    tier: Tier = "none"
    danger: Danger | None = None
    who: Who | None = None
    state: RiskState = ""
    act: DialogueAct = ""
    checked: bool = False
    doubted: bool = False
    """Whether an open question was asked already in this talk: it is not asked twice."""
    settled: bool = False
    """Whether a clear no was heard: from then on only words that leave no doubt count, or a reader that heard the no."""
    put_right: Who | None = None
    """Whose it is, as the person put it right: from then on nobody else decides it."""
    cared_for: bool = False
    """Whether those whose work it is have them: what a body does then is theirs to watch."""
    quiet: int = 0
    """Messages since the last sign of danger, while it stands."""
    plain: bool = False
    """Whether it stands on words that leave no doubt, and not on what the reader makes of them alone."""

    @property
    def stands(self) -> bool:
        return self.state in ("opened", "open", "checked", "turned")

    def after(self, seen: Observation) -> "Risk":
        if seen.put_right and self.stands and self.put_right != seen.put_right:
            return replace(self, put_right=seen.put_right, who=seen.put_right).after(seen)
        if seen.act == "not_me" and self.stands:
            return replace(self, who="other", put_right="other", state="open", act=seen.act, quiet=0)
        if self.stands and self._turns_to(seen) != self.who:
            return replace(self, who=self._turns_to(seen)).after(seen)
        if seen.cared_for and self.stands and self.danger == "medical" and not seen.ruled:
            return replace(self, tier="concern", state="heard", act="safe", settled=True, cared_for=True)
        if self.cared_for and seen.danger == "medical" and not (seen.ruled or self.stands):
            return self._calm()
        evades = seen.act == "joke" and seen.about is not None and seen.weak
        taken_back = (seen.act in LOWERING and not evades) or (seen.act == "corrects" and seen.nothing)
        lowers = taken_back and not (seen.outright or self._about_another(seen) or self._only_for_now(seen))
        if alarms(seen.tier) and not lowers and not (self.settled and not (seen.outright or seen.again)):
            return self._raised(seen)
        if self.stands:
            return self._lowered(seen) if lowers else self._quieter(seen)
        if self.doubted and not self.settled and not lowers and (seen.act in DARK or seen.tier == "concern") and seen.weak:
            return replace(
                self._raised(seen), tier="active", danger=seen.danger or "despair", who=seen.who or seen.whose or "self"
            )
        if seen.tier == "none" or lowers or self.settled:
            return self._calm()
        return Risk("concern", seen.danger, seen.who, "" if self.doubted else "doubt", doubted=True)

    def _turns_to(self, seen: Observation) -> Who | None:
        """Who is spoken of: as it was put right; else somebody else where act and reading say so, the person again where it is
        clearly them."""
        if self.put_right and not (seen.ruled and seen.whose == "self"):
            return self.put_right
        if seen.act in ABOUT_OTHER and seen.whose == "other":
            return "other"
        return "self" if seen.whose == "self" and seen.act not in ABOUT_OTHER and seen.weak else self.who

    def _about_another(self, seen: Observation) -> bool:
        """«Are you also thinking of ending your life?» «No.» does not heal a wound."""
        return seen.act == "denied" and seen.about == "suicide" and self.danger not in (None, "suicide", "despair")

    def _only_for_now(self, seen: Observation) -> bool:
        """A child or a beaten person may be safe at this moment and in danger tonight."""
        return seen.act == "safe" and self.danger in ("child", "abuse")

    def _raised(self, seen: Observation) -> "Risk":
        """What stands already keeps its danger and whose it is, unless other words leave no doubt."""
        if not self.stands:
            who = seen.put_right or seen.who
            plain = seen.ruled or seen.outright
            return Risk(seen.tier, seen.danger, who, "opened", seen.act, doubted=True, put_right=seen.put_right, plain=plain)
        outright = seen.danger if seen.ruled and seen.danger == "suicide" and self.who == "self" else None
        said = seen.danger if seen.ruled and self.who == "other" else None
        danger = outright or said or seen.kind or self.danger
        tier = "imminent" if self._nearer(seen) == "imminent" and seen.act in GRAVE else seen.tier
        if seen.act and seen.act in EASING and not seen.ruled:
            tier = self.tier
        plain = self.plain or seen.ruled or seen.outright
        return replace(self, tier=tier, danger=danger, state="open", act=seen.act, quiet=0, checked=False, plain=plain)

    def _lowered(self, seen: Observation) -> "Risk":
        if self.tier == "imminent" and not self.checked and not (seen.act in CLEARS_UP and seen.nothing):
            return replace(self, tier="active", state="checked", act=seen.act, checked=True)
        return replace(self, tier="concern", state="heard", act=seen.act, settled=True)

    def _quieter(self, seen: Observation) -> "Risk":
        """While the danger is spoken of, it stands. The first message that does not is taken for an answer, a second one
        for another subject. What the reader alone took for danger, and no longer does now that it has read on, was none."""
        if seen.nothing and not self.plain and self.tier == "active" and self.danger != "medical":
            return self._calm()
        speaks = seen.act not in EASING or seen.weak or seen.tier == "concern"
        quiet, asked_last = 0 if speaks else self.quiet + 1, self.state in ("checked", "turned")
        if (asked_last and not speaks and seen.act in ("", "off_topic", "thanks", "better")) or quiet > PATIENCE:
            return self._calm()
        if self.danger == "medical":  # a body does not heal by another subject
            return replace(self, state="open", act=seen.act, quiet=quiet)
        if seen.act == "off_topic" or (quiet > 1 and not seen.act and seen.words > SHORT):
            return replace(self, tier="active", state="turned", act="", quiet=quiet)
        tier = "active" if quiet > 1 else self._nearer(seen)
        return replace(self, tier=tier, state="open", act=seen.act, quiet=quiet)

    def _nearer(self, seen: Observation) -> Tier:
        """A plan, a time or a goodbye brings only that close which somebody would do to themselves."""
        if seen.act in ("when", "goodbye") and (not seen.weak or self.danger not in ("suicide", "despair", "self-harm")):
            return self.tier
        return "imminent" if seen.act in GRAVE else self.tier

    def _calm(self) -> "Risk":
        return Risk(doubted=self.doubted, settled=self.settled, cared_for=self.cared_for)


def followed(observations: Iterable[Observation]) -> Risk:
    """Where it stands after the last message."""
    risk = Risk()
    for seen in observations:
        risk = risk.after(seen)
    return risk
