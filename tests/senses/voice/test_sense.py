import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.records import Word
from heartfelt.senses.voice.detect import LoudnessDetector, Silero
from heartfelt.senses.voice.moonshine import Moonshine
from heartfelt.senses.voice.samples import RATE, Samples
from heartfelt.senses.voice.segments import Pacing
from heartfelt.senses.voice.sense import AFTER, HeardSpeech, VoiceSense, VoiceSummary
from heartfelt.senses.voice.transcribe import ScriptedTranscriber, Transcript, Wordless

from .sounds import chord, contour, joined, noise, sentence, silence, tone, with_noise

HELLO = Word(start=0.5, end=0.9, text="Hello.")
SPEECH = sentence(contour(140, 190, 120, seconds=1.5))
TURN = joined(silence(1), SPEECH, silence(2), SPEECH, silence(1))


def sense(**options: object) -> VoiceSense:
    plain = {"detector": LoudnessDetector(), "transcriber": Wordless()}
    return VoiceSense(**(plain | options))  # pyright: ignore[reportArgumentType]


def heard(sound: Samples, size: int | None = None, **options: object) -> tuple[list[HeardSpeech], VoiceSummary]:
    voice = sense(**options)
    size = size or max(len(sound), 1)
    found = [item for start in range(0, len(sound), size) for item in voice.hear(sound[start : start + size])]
    return [*found, *voice.finish()], voice.summary()


def test_a_turn_is_heard_stretch_by_stretch():
    first, second = heard(TURN)[0]
    assert (first.start, first.end) == pytest.approx((1, 2.5), abs=0.1)
    assert (second.start, second.end) == pytest.approx((4.5, 6), abs=0.1)
    assert first.prosody.pitch == pytest.approx(150, rel=0.1)
    assert first.reliability == 1


def test_words_are_told_in_the_time_of_the_stream():
    found, summary = heard(TURN, transcriber=ScriptedTranscriber([(HELLO,), (HELLO, HELLO)]))
    lead = found[0].start - 0.48
    assert found[0].words == (HELLO.model_copy(update={"start": lead + 0.5, "end": lead + 0.9}),)
    assert (found[1].text, summary.text) == ("Hello. Hello.", "Hello. Hello. Hello.")
    assert [word.start for word in summary.words] == sorted(word.start for word in summary.words)


def test_a_stretch_is_told_half_a_second_after_its_end():
    voice = sense()
    voice.hear(joined(silence(1), SPEECH))
    assert voice.hear(silence(0.4)) == ()
    assert len(voice.hear(silence(0.2))) == 1


class InTurn(Wordless):
    """Gives the prepared transcripts, and counts how often it is asked."""

    def __init__(self, *script: Transcript):
        self.script, self.asked = list(script), 0

    def transcribe(self, samples: Samples) -> Transcript:
        self.asked += 1
        return self.script.pop(0) if self.script else Transcript()


def test_the_language_of_a_turn_is_the_one_that_was_spoken_longest():
    words = (HELLO,)
    long = joined(silence(1), SPEECH, SPEECH, silence(2))
    found, summary = heard(
        joined(long, TURN), transcriber=InTurn(Transcript(words, "de"), Transcript(words), Transcript(words, "de"))
    )
    assert [item.language for item in found] == ["de", "", "de"]
    assert summary.sensed.language == "de"
    assert heard(TURN, transcriber=InTurn(Transcript(words, "de")))[1].sensed.language == "de"
    assert heard(joined(long, TURN), transcriber=InTurn(Transcript(words)))[1].sensed.language == ""


def test_live_sound_is_understood_in_the_pause_before_its_end():
    """The second sentence goes on after a pause, so what was understood in it is not taken."""
    ears = InTurn(Transcript((HELLO,)), Transcript((HELLO, HELLO)), Transcript((HELLO, HELLO, HELLO)))
    voice = sense(transcriber=ears)
    for start in range(0, len(sound := joined(silence(1), SPEECH, silence(0.32))), 512):
        assert voice.hear(sound[start : start + 512]) == ()
    assert ears.asked == 1
    assert [len(item.words) for item in voice.hear(silence(0.2))] == [1]
    for start in range(0, len(sound := joined(silence(1), SPEECH, silence(0.32), SPEECH, silence(0.32))), 512):
        assert voice.hear(sound[start : start + 512]) == ()
    assert [len(item.words) for item in voice.hear(silence(0.2))] == [3]
    assert ears.asked == 3


@pytest.mark.parametrize("size", [1, 7, 511, 512, 513, 16000])
def test_the_size_of_the_chunks_changes_nothing(size: int):
    sound = TURN[int(0.7 * RATE) : int(3.5 * RATE)]
    assert heard(sound, size) == heard(sound)


@pytest.mark.parametrize("complete", [True, False])
def test_a_pause_after_a_whole_thought_is_its_end_as_soon_as_it_is_understood(complete: bool):
    voice, found = sense(transcriber=InTurn(Transcript((HELLO,)))), list[HeardSpeech]()
    voice.complete = lambda words: complete and words == "Hello."
    for start in range(0, len(sound := joined(silence(1), SPEECH, silence(0.4))), 512):
        found += voice.hear(sound[start : start + 512])
        if voice._ahead is not None:
            voice._ahead[1].result()
    assert [item.text for item in found] == ["Hello."] * complete
    for start in range(0, len(sound := joined(silence(0.2), SPEECH, silence(0.6))), 512):
        found += voice.hear(sound[start : start + 512])
    assert [len(item.words) for item in found] == [1, 0][2 - len(found) :] and voice.finish() == ()


def test_a_silence_between_two_stretches_is_a_long_pause():
    cues = heard(TURN)[1].sensed.cues
    (pause,) = [cue for cue in cues if cue.text == "long pause"]
    assert (pause.start, pause.end) == pytest.approx((2.5, 4.5), abs=0.1)


def test_the_emotion_of_each_stretch_is_asked_for_where_a_reader_is_plugged_in():
    lengths: list[float] = []

    def emotion(samples: Samples) -> dict[str, float]:
        lengths.append(len(samples) / RATE)
        return {"joy": 0.7, "neutral": 0.3}

    found, summary = heard(TURN, emotion=emotion)
    assert [moment.shares for moment in summary.sensed.moments] == [{"joy": 0.7, "neutral": 0.3}] * 2
    assert summary.sensed.moments[0].start == found[0].start
    assert lengths == pytest.approx([2.4, 2.4], abs=0.1)
    assert heard(TURN)[1].sensed.moments == ()


def test_a_claim_is_as_reliable_as_its_reader_is_sure():
    _, summary = heard(TURN, emotion=lambda _: {"joy": 0.7, "neutral": 0.3})
    assert [moment.reliability for moment in summary.sensed.moments] == pytest.approx([0.7, 0.7])


def test_what_a_reader_is_not_sure_of_counts_for_little_and_is_said_to():
    found, summary = heard(TURN, emotion=lambda _: {"joy": 0.7, "neutral": 0.3}, sure=lambda shares: shares["joy"] / 10)
    assert [moment.reliability for moment in summary.sensed.moments] == pytest.approx([0.07, 0.07])
    assert summary.sensed.note == "The voice shows no emotion clearly enough to name one."
    assert [item.reliability for item in found] == [1, 1]


def test_what_is_missing_is_said_with_what_was_heard():
    assert heard(TURN, missing="A network is missing.")[1].sensed.note == "A network is missing."


def test_a_new_turn_forgets_the_words_and_keeps_the_usual_voice():
    voice = sense()
    voice.hear(TURN)
    voice.new_turn()
    assert voice.summary().sensed.note == "Nobody was heard to speak."
    assert voice.usual.known


def test_a_voice_that_rises_in_the_second_stretch_is_higher_than_usual():
    excited = sentence(contour(215, 280, 190, seconds=1.5), peak=0.9)
    _, summary = heard(joined(TURN, excited, silence(1)))
    assert {"speaks higher than usual", "louder than usual"} <= {cue.text for cue in summary.sensed.cues}


# ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_time_begins_where_the_caller_says():
    voice = sense()
    (first, _) = voice.hear(TURN, time=100)
    assert first.start == pytest.approx(101, abs=0.05)


def test_a_clock_that_trembles_is_forgiven():
    voice = sense()
    found = [
        item
        for number, start in enumerate(range(0, len(TURN), 1600))
        for item in voice.hear(TURN[start : start + 1600], time=start / RATE + 0.03 * (number % 2))
    ]
    assert len(found) == 2


def test_a_gap_closes_what_was_open():
    voice = sense()
    assert voice.hear(joined(silence(1), SPEECH), time=0) == ()
    (cut,) = voice.hear(silence(0.1), time=30)
    assert (cut.start, cut.end) == pytest.approx((1, 2.5), abs=0.05)
    assert [cue.text for cue in voice.summary().sensed.cues if cue.text == "long pause"] == []


@pytest.mark.parametrize("time", [1.0, -1.0, float("nan")])
def test_a_chunk_out_of_order_is_refused(time: float):
    voice = sense()
    voice.hear(silence(2), time=0)
    with pytest.raises(InputError, match="bring chunks in their order"):
        voice.hear(silence(0.1), time=time)


# ── hard sounds ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("sound", [silence(5), silence(0), silence(0.01)], ids=["silence", "nothing", "a moment"])
def test_silence_says_nothing(sound: Samples):
    found, summary = heard(sound)
    assert found == []
    assert (summary.words, summary.sensed.cues, summary.sensed.note) == ((), (), "Nobody was heard to speak.")


def test_nothing_is_claimed_of_noise_even_where_it_passes_for_speech():
    (found,), summary = heard(joined(silence(1), noise(1), silence(1)), emotion=lambda samples: {"joy": 1.0})
    assert found.reliability == 0
    assert found.note == "There was hardly any voice in it."
    assert (summary.sensed.cues, summary.sensed.moments) == ((), ())


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_broken_samples_are_refused_and_the_stream_goes_on_without_them(bad: float):
    voice = sense()
    voice.hear(TURN[: 2 * RATE])
    broken = TURN[2 * RATE : 3 * RATE].copy()
    broken[100] = bad
    with pytest.raises(InputError, match="leave this chunk out"):
        voice.hear(broken)
    assert [item.end for item in voice.hear(TURN[2 * RATE :])] == [item.end for item in heard(TURN)[0]]


def test_clipped_speech_is_trusted_less_and_its_pitch_still_found():
    (found, _) = heard(np.clip(TURN * 8, -1, 1))[0]
    assert found.reliability < 0.5
    assert found.note == "The microphone was overdriven."
    assert found.prosody.pitch == pytest.approx(heard(TURN)[0][0].prosody.pitch, rel=0.02)


def test_very_quiet_speech_is_measured_like_loud_speech():
    (quiet, _) = heard(TURN * np.float32(0.003), detector=LoudnessDetector(-80))[0]
    assert quiet.reliability == 1
    assert quiet.prosody.pitch == pytest.approx(heard(TURN)[0][0].prosody.pitch, rel=0.01)


def test_speech_in_noise_is_trusted_less():
    (noisy, *_) = heard(with_noise(TURN, 6), detector=LoudnessDetector(-29))[0]
    assert noisy.reliability < 0.6
    assert noisy.prosody.pitch == pytest.approx(heard(TURN)[0][0].prosody.pitch, rel=0.03)


def test_a_tenth_of_a_second_is_no_speech():
    assert heard(joined(silence(1), SPEECH[2000:3600], silence(1)))[0] == []


def test_two_speakers_have_their_own_pitch_and_the_second_is_not_called_a_higher_voice():
    low, high = sentence(contour(110, 130, 105, seconds=2)), sentence(contour(240, 290, 230, seconds=2))
    found, summary = heard(joined(silence(1), low, silence(1), high, silence(1)))
    assert [item.prosody.pitch for item in found] == pytest.approx([115, 255], rel=0.08)
    assert "Another person may have spoken" in summary.sensed.note
    assert "speaks higher than usual" not in {cue.text for cue in summary.sensed.cues}


def test_endless_speech_is_cut_and_no_sound_is_lost_or_heard_twice():
    lengths: list[int] = []

    class Counting(Wordless):
        def transcribe(self, samples: Samples) -> Transcript:
            lengths.append(len(samples) - len(AFTER))
            return Transcript()

    endless = tone(200, 40)
    found = heard(endless, 8000, pacing=Pacing(longest=5), transcriber=Counting())[0]
    assert max(lengths) <= 5.1 * RATE
    assert sum(lengths) == len(endless) // 512 * 512
    assert all(one.end == two.start for one, two in pairwise(found))


@pytest.mark.parametrize("part", ["silence", "speech"])
def test_ten_minutes_need_no_more_memory_than_one_stretch(part: str):
    second = silence(1) if part == "silence" else tone(200, 1)
    voice = sense()
    for _ in range(20):
        voice.hear(second)
    tracemalloc.start()
    for _ in range(580 if part == "silence" else 60):
        voice.hear(second)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 3_000_000
    assert sum(len(frame) for frame in voice._frames) <= 16 * RATE


# ── the real networks ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
@pytest.mark.parametrize("sound", [silence(2), noise(2), tone(220, 2), chord(3)], ids=["silence", "noise", "tone", "chord"])
def test_with_real_weights_nobody_speaks_in_these(sound: Samples):
    voice = VoiceSense()
    assert voice.hear(sound) + voice.finish() == ()


@pytest.mark.embedded
def test_with_real_weights_a_stretch_is_found_and_transcribed():
    voice = VoiceSense(detector=Silero(), transcriber=Moonshine())
    found = voice.hear(TURN) + voice.finish()
    assert [(item.start, item.end) for item in found] == [pytest.approx((1, 2.5), abs=0.2), pytest.approx((4.5, 6), abs=0.2)]
    assert all(item.start - 0.5 <= word.start <= word.end <= item.end + 0.5 for item in found for word in item.words)
    assert any(item.words for item in found)
