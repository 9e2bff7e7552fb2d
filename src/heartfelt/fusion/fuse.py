"""Senses together: one distribution, each sense by how far it can be trusted, and where they contradict each other.

A sense that had nothing to go by casts no vote. Averaging would hide a contradiction, so it is reported beside the vote.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from heartfelt.labels import label_set
from heartfelt.labels.leaning import leaning
from heartfelt.records import Conflict, Dialogue, Moment, Readings, Scores, Sensed, Source, Word
from heartfelt.voting import Tally, Vote, disagreement, weighted

LABELS = "meld"
"""The label set in which all senses speak: seven emotions that a face, a voice and words can show alike."""
TRUST: dict[Source, float] = {"words": 1.0, "face": 0.8, "voice": 0.6}
"""What a sense counts at its best. Voices are the least sure: the network that reads them has heard actors only."""
CONTRADICTS = 0.25
"""The disagreement from which two senses that lean to opposite sides are called in conflict."""
SURE = 0.4
"""The share that a sense must give its emotion before it can contradict another."""
TRUSTED = 0.2
"""And how reliable it must be, there and where its emotion is told with its cues."""
TRUSTED_AGAINST: dict[Source, float] = {"voice": 0.9}
"""More for the voice, before it contradicts another: where it is sure of something unpleasant it is wrong three times in ten,
and people whose voice says the opposite of their words are rarer than that."""
LEAST = 0.5
"""Seconds that a contradiction lasts; a picture, which has no length, counts as this long."""
_SAYS: dict[Source, str] = {
    "words": "the words tell of {}",
    "voice": "the voice sounds of {}",
    "face": "the face shows {}",
    "picture": "the picture shows {}",
}


def fuse(sensed: Sequence[Sensed], *, duration: float, words: tuple[Word, ...] = ()) -> Readings:
    """What all senses say of a turn."""
    voted = tally(sensed)
    shares: Scores = voted.scores if voted else {}
    return Readings(duration=duration, sensed=tuple(sensed), words=words, shares=shares, conflict=_conflict(sensed))


def tally(sensed: Sequence[Sensed]) -> Tally | None:
    """The vote of the senses: who voted for what, and with what weight. None where none had anything to go by."""
    votes = [_vote(each) for each in sensed]
    if not any(vote.ballot is not None and vote.weight > 0 for vote in votes):
        return None
    return weighted(votes, label_order=label_set(LABELS).labels)


def without(readings: Readings, sources: Iterable[Source]) -> Readings:
    """The same turn, had these senses been missing."""
    gone = set(sources)
    left = tuple(each for each in readings.sensed if each.source not in gone)
    return fuse(left, duration=readings.duration, words=() if "voice" in gone else readings.words)


def unsensed(dialogue: Dialogue, sources: Collection[Source]) -> Dialogue:
    """The dialogue as it would be had its last turn been met without these senses."""
    last = dialogue.last
    if not sources or not (last.readings or last.keyframes):
        return dialogue
    left = last.model_copy(
        update={
            "readings": without(last.readings, sources) if last.readings else None,
            "keyframes": () if "face" in sources else last.keyframes,
        }
    )
    return dialogue.model_copy(update={"turns": (*dialogue.turns[:-1], left)})


def overall(moments: Sequence[Moment]) -> tuple[Scores, float]:
    """The shares over all moments, by how long and how reliable each is, and how reliable they are altogether."""
    lengths = [max(moment.end - moment.start, 1e-3) for moment in moments]
    weights = [length * moment.reliability for length, moment in zip(lengths, moments, strict=True)]
    total = sum(weights)
    if not total:
        return {}, 0.0
    shares: Scores = {}
    for moment, weight in zip(moments, weights, strict=True):
        for label, share in moment.shares.items():
            shares[label] = shares.get(label, 0.0) + share * weight / total
    return shares, total / sum(lengths)


def _vote(sensed: Sensed) -> Vote:
    shares, reliability = overall(sensed.moments)
    return Vote(voter=sensed.source, ballot=shares or None, weight=TRUST.get(sensed.source, 0.5) * reliability)


def _conflict(sensed: Sequence[Sensed]) -> Conflict | None:
    """The two senses that contradict each other for longest, if any do for long enough."""
    pairs = [(one, other) for i, one in enumerate(sensed) for other in sensed[i + 1 :]]
    found = [clashes for one, other in pairs if (clashes := _clashes(one, other)).seconds >= LEAST]
    return max(found, key=lambda clashes: clashes.seconds).told() if found else None


@dataclass
class _Clashes:
    """Where two senses contradict each other."""

    one: Source
    other: Source
    seconds: float = 0.0
    score: float = 0.0
    """Times seconds."""
    start: float = 0.0
    end: float = 0.0
    said: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def add(self, first: Moment, second: Moment, score: float) -> None:
        start, end = max(first.start, second.start), min(first.end, second.end)
        self.start = min(self.start, start) if self.seconds else start
        self.end = max(self.end, end)
        length = end - start if end > start else LEAST
        self.seconds += length
        self.score += score * length
        self.said[_best(first), _best(second)] += 1

    def told(self) -> Conflict:
        (first, second), _ = self.said.most_common(1)[0]
        text = f"{_SAYS[self.one].format(first)} while {_SAYS[self.other].format(second)}"
        return Conflict(start=self.start, end=self.end, score=round(self.score / self.seconds, 4), text=text)


def _clashes(one: Sensed, other: Sensed) -> _Clashes:
    """Both are walked once: moments follow each other in time."""
    found, i, j = _Clashes(one.source, other.source), 0, 0
    while i < len(one.moments) and j < len(other.moments):
        first, second = one.moments[i], other.moments[j]
        trusted = all(
            moment.reliability >= TRUSTED_AGAINST.get(sensed.source, TRUSTED)
            for moment, sensed in ((first, one), (second, other))
        )
        meet = first.start <= second.end and second.start <= first.end
        if trusted and meet and (score := _contradiction(first, second)):
            found.add(first, second, score)
        i, j = (i + 1, j) if first.end <= second.end else (i, j + 1)
    return found


def _contradiction(first: Moment, second: Moment) -> float:
    """How far two moments contradict each other: 0 unless both are sure enough and on opposite sides."""
    labels = _best(first), _best(second)
    sure = all(moment.shares[label] >= SURE for moment, label in zip((first, second), labels, strict=True))
    if not sure or leaning(labels[0]) * leaning(labels[1]) >= 0:
        return 0.0
    score = disagreement([Vote(voter="one", ballot=first.shares), Vote(voter="other", ballot=second.shares)]).score
    return score if score >= CONTRADICTS else 0.0


def _best(moment: Moment) -> str:
    return max(moment.shares, key=lambda label: moment.shares[label])
