"""Senses together: who counts how much, and who contradicts whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.fusion.fuse import TRUST, fuse, overall, unsensed, without
from heartfelt.fusion.tell import measured_cues, measured_lines, sentence
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Keyframe, Measured, Moment, Readings, Sensed, Source, Turn

LABELS = label_set("meld").labels


def sense(
    source: Source, emotion: str, share: float = 0.8, *, start: float = 0.0, end: float = 4.0, trust: float = 1.0
) -> Sensed:
    rest = (1 - share) / (len(LABELS) - 1)
    shares = {label: share if label == emotion else rest for label in LABELS}
    cue = Measured(source=source, text=f"{emotion} in the {source}", start=start, end=end, strength=0.7)
    return Sensed(source=source, moments=(Moment(start=start, end=end, shares=shares, reliability=trust),), cues=(cue,))


def test_a_smile_over_a_sad_sentence_is_news():
    found = fuse([sense("words", "sadness"), sense("face", "joy", start=1.0, end=3.0)], duration=4).conflict
    assert found and found.text == "the words tell of sadness while the face shows joy"
    assert (found.start, found.end) == (1.0, 3.0) and 0.25 < found.score <= 1


def test_a_passing_smile_is_news_too_and_a_twitch_is_not():
    quiet = sense("face", "neutral", start=0, end=8).moments[0]
    for seconds, told in ((1.0, True), (0.2, False)):
        smile = sense("face", "joy", start=8, end=8 + seconds).moments[0]
        face = Sensed(source="face", moments=(quiet, smile))
        found = fuse([sense("words", "sadness", end=10.0), face], duration=10).conflict
        assert (found is not None) is told
        assert found is None or (found.start, found.end) == (8.0, 9.0)


def test_a_picture_has_no_length_and_still_contradicts():
    found = fuse([sense("words", "sadness", end=0.0), sense("face", "joy", end=0.0)], duration=0).conflict
    assert found and (found.start, found.end) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (sense("words", "sadness"), sense("face", "fear")),  # both unpleasant
        (sense("words", "sadness"), sense("face", "neutral")),  # a straight face contradicts nothing
        (sense("words", "sadness", 0.3), sense("face", "joy")),  # hardly a claim
        (sense("words", "joy"), sense("face", "joy")),
    ],
)
def test_what_is_no_contradiction(first: Sensed, second: Sensed):
    assert fuse([first, second], duration=4).conflict is None


def test_a_voice_must_be_very_sure_to_contradict_and_counts_in_the_vote_all_the_same():
    words = sense("words", "joy")
    assert fuse([words, sense("voice", "anger", 0.85, trust=0.85)], duration=4).conflict is None
    assert fuse([words, sense("voice", "anger", 0.95, trust=0.95)], duration=4).conflict is not None
    alone, beside = (
        fuse([words, *more], duration=4).shares["joy"] for more in ((), (sense("voice", "anger", 0.85, trust=0.85),))
    )
    assert beside < alone


def test_a_missing_sense_casts_no_vote():
    alone, beside = (
        fuse([sense("words", "anger"), *more], duration=4) for more in ((), (Sensed(source="face", note="No face."),))
    )
    assert alone.shares == beside.shares and max(alone.shares, key=lambda each: alone.shares[each]) == "anger"
    assert fuse([Sensed(source="voice")], duration=1).shares == {} == fuse([], duration=0).shares


def test_a_blurred_face_counts_less_than_a_clear_one():
    words = sense("words", "sadness", 0.6)
    clear, blurred = (fuse([words, sense("face", "joy", 0.9, trust=trust)], duration=4).shares["joy"] for trust in (1.0, 0.1))
    assert clear > blurred


def test_a_sense_can_be_taken_away():
    both = fuse([sense("words", "sadness"), sense("face", "joy")], duration=4)
    left = without(both, ["face"])
    assert left.conflict is None and [each.source for each in left.sensed] == ["words"]
    assert without(both, []) == both


def test_a_turn_can_be_met_without_its_face():
    readings = fuse([sense("words", "sadness"), sense("face", "joy")], duration=4)
    turn = Turn(speaker="Ana", text="Well.", readings=readings, keyframes=(Keyframe(data="aGk="),))
    blind = unsensed(Dialogue(turns=(turn,)), ("face",)).last
    assert blind.keyframes == () and blind.readings and [each.source for each in blind.readings.sensed] == ["words"]
    assert unsensed(Dialogue(turns=(turn,)), ()).last == turn


shares = st.tuples(*[st.integers(1, 99)] * 7).map(lambda raw: {a: b / sum(raw) for a, b in zip(LABELS, raw, strict=True)})
moments = st.builds(
    lambda start, length, shares, trust: Moment(start=start, end=start + length, shares=shares, reliability=trust),
    st.integers(0, 60),
    st.integers(0, 5),
    shares,
    st.sampled_from((0.0, 0.3, 1.0)),
)
senses = st.lists(
    st.builds(
        lambda source, found: Sensed(source=source, moments=tuple(found)),
        st.sampled_from(sorted(TRUST)),
        st.lists(moments, max_size=2),
    ),
    max_size=3,
    unique_by=lambda each: each.source,
)


@given(senses)
def test_whatever_comes_the_shares_are_a_distribution_and_a_conflict_has_a_time(sensed: list[Sensed]):
    found = fuse(sensed, duration=70)
    assert not found.shares or sum(found.shares.values()) == pytest.approx(1)
    assert found.conflict is None or 0 <= found.conflict.start <= found.conflict.end
    assert Readings.model_validate_json(found.model_dump_json()) == found


@given(st.lists(moments, min_size=1, max_size=3))
def test_the_whole_lies_between_its_moments(found: list[Moment]):
    together, reliability = overall(found)
    assert 0 <= reliability <= 1 + 1e-9
    for label, share in together.items():
        each = [moment.shares[label] for moment in found]
        assert min(each) - 1e-9 <= share <= max(each) + 1e-9


def test_cues_are_sentences_with_their_time():
    frown = Measured(source="face", text="brows drawn together", start=2.1, end=3.42, strength=0.9)
    assert sentence(frown) == "brows drawn together, 2.1–3.4 s, strong"
    readings = fuse([sense("words", "sadness"), sense("face", "joy"), sense("voice", "joy", trust=0.1)], duration=4)
    cues = measured_cues(readings)
    assert [(cue.source, cue.meaning) for cue in cues] == [("words", "sadness"), ("face", "joy"), ("voice", "unclear")]
    assert measured_cues(None) == () == measured_lines(None)
    assert measured_lines(readings)[-1] == "Contradiction: the words tell of sadness while the face shows joy"


def test_a_model_is_not_told_the_emotion_of_a_sense_that_merely_guesses():
    readings = fuse([sense("words", "sadness"), sense("voice", "disgust", trust=0.1)], duration=4)
    told = [line for line in measured_lines(readings) if "reliability" in line]
    assert told == ["words: sadness 80%, reliability 100%"]
