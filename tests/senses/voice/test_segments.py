import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.senses.voice.segments import Pacing, Segmenter, SpeechFrames

FRAME_SECONDS = 0.032


def run(probabilities: list[float], pacing: Pacing | None = None) -> list[SpeechFrames]:
    segmenter = Segmenter(pacing)
    found = [segmenter.feed(probability) for probability in probabilities]
    return [stretch for stretch in [*found, segmenter.flush()] if stretch]


def test_a_stretch_is_padded_on_both_sides():
    assert run([0] * 30 + [0.9] * 20 + [0] * 30) == [SpeechFrames(30, 50, 15, 65, 54)]


def test_it_is_told_as_soon_as_the_silence_is_long_enough():
    segmenter = Segmenter()
    found = [segmenter.feed(probability) for probability in [0.9] * 20 + [0.0] * 15]
    assert found[:-1] == [None] * 34
    assert found[-1] == SpeechFrames(0, 20, 0, 35, 24)


def test_a_short_pause_and_weak_frames_do_not_end_it():
    assert [(s.first, s.last) for s in run([0.9] * 10 + [0.0] * 10 + [0.9] * 10 + [0.4] * 40 + [0.9] * 2)] == [(0, 72)]


def test_a_click_is_no_speech():
    assert run([0] * 20 + [0.9] * 4 + [0] * 30) == []


def test_the_sound_of_one_stretch_is_not_in_the_next():
    first, second = run([0.9] * 10 + [0] * 16 + [0.9] * 10 + [0] * 20)
    assert second.lead >= first.last


def test_what_is_open_at_the_end_is_closed_there():
    assert run([0] * 5 + [0.9] * 20) == [SpeechFrames(5, 25, 0, 25, 25)]


def test_a_long_stretch_is_cut_at_its_weakest_late_frame():
    probabilities = [0.9] * 400 + [0.55] + [0.9] * 199
    first, second = run(probabilities)
    assert (first.last, second.first, second.lead, second.last) == (400, 400, 400, 600)
    assert first.tail == 400


@pytest.mark.parametrize("pacing", [Pacing(), Pacing(longest=1, silence=0.1, least_speech=0.05, padding=0.5)])
@given(probabilities=st.lists(st.floats(0, 1), max_size=300))
def test_stretches_stand_in_order_and_need_only_what_is_kept(pacing: Pacing, probabilities: list[float]):
    segmenter = Segmenter(pacing)
    last, needed = 0, 0
    for number, probability in enumerate([*probabilities, None]):
        stretch = segmenter.flush() if probability is None else segmenter.feed(probability)
        if stretch:
            assert last <= stretch.lead <= stretch.first < stretch.last <= stretch.tail <= number + 1
            assert needed <= stretch.lead
            assert (stretch.last - stretch.first) * FRAME_SECONDS <= pacing.longest + FRAME_SECONDS
            last = stretch.last
        assert segmenter.needed >= needed
        needed = segmenter.needed
