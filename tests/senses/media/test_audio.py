"""The sound of a recording."""

import struct
import wave
from concurrent.futures import ThreadPoolExecutor

import av
import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.media import open_media
from heartfelt.senses.media.clock import LONGEST, Clock
from heartfelt.senses.media.pieces import MediaNotes
from heartfelt.senses.media.resampling import Chunks
from heartfelt.senses.media.sounds import SoundLine

from .studio import Film, Voice, every, heard, loudness, save_wav, tone


def pitch(samples) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum) * 16_000 / len(samples))


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("channels", [1, 2, 3, 6, 8])
def test_any_rate_and_channels_become_mono_at_16_kilohertz(tmp_path, rate, channels):
    media = open_media(save_wav(tmp_path / "a.wav", tone(0.5, rate, channels=channels), rate))
    samples = heard(media)
    assert samples.dtype == np.float32
    assert len(samples) == pytest.approx(8_000, abs=16)
    assert pitch(samples) == pytest.approx(440, abs=3)
    assert loudness(samples, 0.1, 0.4) == pytest.approx(0.5 / np.sqrt(2), rel=0.02)


@pytest.mark.parametrize("width", [1, 2, 4])
@pytest.mark.parametrize("channels", [9, 12, 24, 64])
def test_more_channels_than_have_names_are_mixed_evenly(tmp_path, channels, width):
    loud = (tone(0.5, 16_000, channels=channels).astype(np.int64) << 16) >> (32 - 8 * width)
    plain = loud + 128 if width == 1 else loud
    with wave.open(str(tmp_path / "a.wav"), "wb") as file:
        file.setparams((channels, width, 16_000, 0, "NONE", ""))
        file.writeframes(plain.astype({1: "u1", 2: "<i2", 4: "<i4"}[width]).tobytes())
    media = open_media(tmp_path / "a.wav")
    samples = heard(media)
    assert pitch(samples) == pytest.approx(440, abs=3) and media.notes == ()
    assert loudness(samples, 0.1, 0.4) == pytest.approx(0.5 / np.sqrt(2), rel=0.03)


@pytest.mark.parametrize(
    ("kind", "codec", "layout"),
    [("flac", "flac", "mono"), ("mp3", "libmp3lame", "stereo"), ("ogg", "libopus", "mono"), ("mp4", "aac", "5.1")],
)
def test_common_encodings_are_read(kind, codec, layout):
    channels = {"mono": 1, "stereo": 2, "5.1": 6}[layout]
    film = Film(voices=[Voice(tone(1, 48_000, channels=channels), 48_000, layout, codec)])
    media = open_media(film.to_bytes(kind))
    assert media.clip.kind == "sound" and media.clip.sound and media.clip.sound.channels == channels
    samples = heard(media)
    assert len(samples) == pytest.approx(16_000, abs=1_000)
    assert pitch(samples) == pytest.approx(440, abs=3)
    assert np.abs(samples).max() <= 1


def test_chunks_follow_each_other_without_a_hole(tmp_path):
    media = open_media(save_wav(tmp_path / "a.wav", tone(2.3, 44_100), 44_100))
    sounds = list(media.audio(seconds=0.5))
    assert [sound.start for sound in sounds] == [0, 0.5, 1.0, 1.5, 2.0]
    assert [len(sound.samples) for sound in sounds[:-1]] == [8_000] * 4
    assert len(sounds[-1].samples) == pytest.approx(4_800, abs=2)


def test_a_gap_becomes_silence():
    media = open_media(Film(voices=[Voice(tone(2, 16_000), gaps={10: 3.0})]).to_bytes("matroska"))
    samples = heard(media)
    assert len(samples) / 16_000 == pytest.approx(5, abs=0.01)
    assert loudness(samples, 0.1, 0.9) == pytest.approx(0.354, abs=0.01)
    assert loudness(samples, 1.01, 3.99) == 0
    assert loudness(samples, 4.1, 4.9) == pytest.approx(0.354, abs=0.01)
    assert any("filled with silence" in note for note in media.notes)


def test_small_jitter_is_no_gap():
    jitter = {number: (0.004 if number % 2 else -0.004) for number in range(1, 20)}
    media = open_media(Film(voices=[Voice(tone(2, 16_000), gaps=jitter)]).to_bytes("matroska"))
    assert len(heard(media)) == 32_000
    assert media.notes == ()


def test_an_overlap_is_left_out():
    line = SoundLine(Chunks(0.5), MediaNotes())
    frame = av.AudioFrame.from_ndarray(tone(1, 8_000).reshape(1, -1), "s16", "mono")
    frame.sample_rate = 8_000
    sounds = [*line.place(frame, 0.0), *line.place(frame, 0.7), *line.place(frame, 1.7), *line.finish()]
    assert sum(len(sound.samples) for sound in sounds) / 16_000 == pytest.approx(2.7, abs=0.001)


def test_a_change_of_rate_on_the_way_is_followed():
    line = SoundLine(Chunks(0.5), MediaNotes())
    sounds = []
    for start, rate in enumerate((8_000, 48_000, 16_000)):
        frame = av.AudioFrame.from_ndarray(tone(1, rate).reshape(1, -1), "s16", "mono")
        frame.sample_rate = rate
        sounds += line.place(frame, float(start))
    samples = np.concatenate([sound.samples for sound in [*sounds, *line.finish()]])
    assert len(samples) == pytest.approx(48_000, abs=4)
    assert [pitch(samples[second * 16_000 :][:16_000]) for second in range(3)] == pytest.approx([440] * 3, abs=2)


def test_numbers_that_are_none_become_silence(tmp_path):
    samples = (0.5 * np.sin(np.arange(44_100) / 10)).astype("<f4")
    samples[1000:1100] = np.nan
    samples[2000:2100] = np.inf
    samples[3000] = 1e38
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + samples.nbytes,
        b"WAVE",
        b"fmt ",
        16,
        3,
        1,
        44_100,
        176_400,
        4,
        32,
        b"data",
        samples.nbytes,
    )
    (tmp_path / "a.wav").write_bytes(header + samples.tobytes())
    heard_samples = heard(open_media(tmp_path / "a.wav"))
    assert np.isfinite(heard_samples).all() and np.abs(heard_samples).max() <= 1
    assert loudness(heard_samples, 0.2, 0.9) == pytest.approx(0.354, abs=0.01)


def test_frames_and_sound_can_be_walked_together(tmp_path):
    film = Film(times=every(0.1, 2), voices=[Voice(tone(2, 16_000), codec="aac")])
    media = open_media(film.save(tmp_path / "a.mp4"))
    frames, sounds = media.frames(rate=1), media.audio()
    both = [(next(frames).time, next(sounds).start) for _ in range(2)]
    assert both == [(pytest.approx(0, abs=0.01), 0), (pytest.approx(1, abs=0.01), 1)]


def test_frames_and_sound_can_be_walked_on_two_cores():
    media = open_media(Film(times=every(0.1, 3), voices=[Voice(tone(3, 16_000))]).to_bytes("matroska"))
    with ThreadPoolExecutor(2) as pool:
        seen = pool.submit(lambda: len(list(media.frames(rate=100))))
        listened = pool.submit(lambda: len(heard(media)))
    assert (seen.result(), listened.result()) == (30, 48_000)


def test_a_cut_recording_gives_its_beginning(tmp_path):
    whole = save_wav(tmp_path / "a.wav", tone(4, 16_000), 16_000).read_bytes()
    media = open_media(whole[: len(whole) // 2])
    assert len(heard(media)) / 16_000 == pytest.approx(2, abs=0.1)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e9])
def test_impossible_chunks_are_refused(tmp_path, seconds):
    media = open_media(save_wav(tmp_path / "a.wav", tone(0.1, 16_000), 16_000))
    with pytest.raises(InputError, match="Chunks"):
        media.audio(seconds=seconds)


def test_a_leap_of_the_clock_is_joined():
    notes = MediaNotes()
    clock = Clock(10.0, notes)
    assert clock.at(10.0, 1.0) == 0
    assert clock.at(95_000.0, 1.0) == 1
    assert clock.at(95_001.5, 1.0) == pytest.approx(2.5)
    assert clock.at(3.0, 1.0) == pytest.approx(3.5)
    assert clock.at(None, 1.0) == pytest.approx(4.5)
    assert len(notes.all()) == 1


def test_a_clip_has_a_longest_length():
    notes = MediaNotes()
    clock = Clock(0.0, notes)
    while not clock.is_over:
        clock.at(clock.reached + 3000, 1.0)
    assert clock.reached < LONGEST + 3002
    assert notes.all() == ("Only the first 12 hours were read.",)
