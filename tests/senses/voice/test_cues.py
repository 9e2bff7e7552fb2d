import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.records import Span
from heartfelt.senses.voice.cues import cues, pause
from heartfelt.senses.voice.prosody import Prosody, listen
from heartfelt.senses.voice.samples import Samples
from heartfelt.senses.voice.trust import doubt, ramp, reliability
from heartfelt.senses.voice.usual import Usual

from .sounds import contour, joined, sentence, silence

ORDINARY = Prosody(
    pitch=150, melody=6, level=-30, fall=2, pace=4, unsteadiness=0.1, voiced=2, noise=40, clipped=0,
)  # fmt: skip
SPAN = Span(start=3, end=6)


def spoken(*hertz: float, **how: float) -> Samples:
    return joined(silence(0.3), sentence(contour(*hertz, seconds=2), **how), silence(0.3))


@pytest.fixture
def usual() -> Usual:
    known = Usual()
    for _ in range(2):
        known.learn(listen(spoken(130, 180, 140)))
    return known


def texts(prosody: Prosody, usual: Usual | None = None) -> list[str]:
    return [cue.text for cue in cues(SPAN, prosody, usual or Usual())]


def test_an_ordinary_voice_tells_nothing():
    assert texts(ORDINARY) == []


def test_nothing_is_unusual_before_the_usual_is_known():
    fresh = Usual()
    assert not fresh.known
    assert (fresh.higher(ORDINARY), fresh.louder(ORDINARY), fresh.faster(ORDINARY)) == (0, 0, 1)
    assert not fresh.stranger(ORDINARY)


@pytest.mark.parametrize(
    ("sound", "expected"),
    [
        (spoken(190, 260, 200), "speaks higher than usual"),
        (spoken(95, 135, 100), "speaks lower than usual"),
        (spoken(130, 180, 140, peak=0.95), "louder than usual"),
        (spoken(130, 180, 140, peak=0.06), "quieter than usual"),
        (spoken(130, 180, 140, rate=7), "fast"),
        (spoken(130, 180, 140, rate=2), "slow"),
        (spoken(150, 152), "flat, little melody"),
        (spoken(130, 180, 140, fall=26, peak=0.95), "quieter towards the end"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_leaves_the_ordinary_is_told_first(usual: Usual, sound: Samples, expected: str):
    assert texts(listen(sound).prosody, usual)[0] == expected


def test_the_same_again_is_not_unusual(usual: Usual):
    assert texts(listen(spoken(130, 180, 140)).prosody, usual) == []


def test_another_person_is_not_taken_for_a_higher_voice_but_a_shout_is(usual: Usual):
    other = listen(spoken(280, 390, 300)).prosody
    assert usual.stranger(other)
    assert "speaks higher than usual" not in texts(other, usual)
    shout = other.model_copy(update={"level": other.level + 12})
    assert not usual.stranger(shout)
    assert {"speaks higher than usual", "louder than usual"} <= set(texts(shout, usual))


def test_the_usual_forgets_what_is_old(usual: Usual):
    before = usual.higher(ORDINARY)
    changed = listen(spoken(260, 350, 270))
    for _ in range(60):
        usual.learn(changed)
    assert usual.higher(ORDINARY) == pytest.approx(before - 12, abs=1.5)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"breaks": (Span(start=4, end=4.1), Span(start=5, end=5.1))}, "voice breaks"),
        ({"pauses": (Span(start=4, end=5.8),)}, "long pause"),
        ({"unsteadiness": 0.4}, "unsteady voice"),
    ],
)
def test_cues_of_the_voice_in_itself(change: dict[str, object], expected: str):
    (cue,) = cues(SPAN, ORDINARY.model_copy(update=change), Usual())
    assert (cue.text, cue.source) == (expected, "voice")
    assert SPAN.start <= cue.start < cue.end <= SPAN.end


@pytest.mark.parametrize("change", [{"noise": 6}, {"voiced": 0.15}, {"voiced": 0.0, "pitch": None}])
def test_nothing_is_claimed_of_sound_that_cannot_be_trusted(change: dict[str, object]):
    prosody = ORDINARY.model_copy(update={"melody": 0, "fall": 30, "pace": 12, **change})
    assert texts(prosody) == []
    assert doubt(prosody)


def test_clipping_lowers_the_reliability_and_says_why():
    clipped = ORDINARY.model_copy(update={"clipped": 0.05})
    assert reliability(ORDINARY) == 1
    assert reliability(clipped) == pytest.approx(0.3)
    assert "overdriven" in doubt(clipped)
    assert doubt(ORDINARY) == ""


def test_a_pause_is_neither_a_breath_nor_an_absence():
    assert pause(1, 1.8) is None
    assert pause(1, 100) is None
    short, long = pause(1, 2.5), pause(1, 6)
    assert short and long
    assert 0 < short.strength < long.strength == 1


@given(
    st.builds(
        Prosody,
        pitch=st.one_of(st.none(), st.floats(60, 600)),
        melody=st.floats(0, 40),
        level=st.floats(-100, 0),
        fall=st.floats(-60, 60),
        pace=st.floats(0, 20),
        unsteadiness=st.floats(0, 5),
        voiced=st.floats(0, 15),
        noise=st.floats(0, 90),
        clipped=st.floats(0, 1),
    )
)
def test_every_measurement_gives_sound_cues_with_the_strongest_first(prosody: Prosody):
    found = cues(SPAN, prosody, Usual())
    strengths = [cue.strength for cue in found]
    assert strengths == sorted(strengths, reverse=True)
    assert all(0 < strength <= 1 for strength in strengths)
    assert len({cue.text for cue in found}) == len(found)
    assert 0 <= reliability(prosody) <= 1


def test_ramps_rise_and_fall():
    assert [ramp(value, 2, 4) for value in (1, 3, 9)] == [0, 0.5, 1]
    assert [ramp(value, -2, -4) for value in (-1, -3, -9)] == [0, 0.5, 1]
