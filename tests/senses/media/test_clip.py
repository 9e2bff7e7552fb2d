"""What a recording is said to hold."""

import pytest
from av.stream import Disposition

from heartfelt.errors import InputError
from heartfelt.senses.media import open_media

from .studio import Film, Voice, every, heard, loudness, save_wav, tone


def test_a_video_with_sound_is_described(tmp_path):
    film = Film(times=every(0.1, 2), voices=[Voice(tone(2, 44_100, channels=2), 44_100, "stereo", "aac")])
    clip = open_media(film.save(tmp_path / "a.mp4")).clip
    assert (clip.kind, clip.start) == ("video", 0.0)
    assert clip.duration == pytest.approx(2, abs=0.1)
    assert clip.picture and (clip.picture.width, clip.picture.height, clip.picture.rotation) == (64, 48, 0)
    assert clip.picture.rate == pytest.approx(10, abs=0.6)
    assert clip.sound and (clip.sound.channels, clip.sound.sample_rate, clip.sound.why) == (2, 44_100, "the only one")


def test_bytes_are_read_without_a_file():
    media = open_media(Film(times=every(0.1, 1)).to_bytes("mp4"), name="upload")
    assert media.clip.name == "upload"
    assert len(list(media.frames(rate=100))) == 10


def test_a_length_that_is_not_told_is_measured():
    film = Film(times=every(0.1, 2), voices=[Voice(tone(2, 16_000))], options={"live": "1"})
    media = open_media(film.to_bytes("matroska"))
    assert media.clip.duration == pytest.approx(2, abs=0.11)
    assert "The file does not say how long it is; its length was measured." in media.notes


def test_times_count_from_the_first_stamp():
    times = [7.0 + time for time in every(0.1, 1)]
    media = open_media(Film(times=times, voices=[Voice(tone(1, 16_000), start=7.5)]).to_bytes("matroska"))
    assert media.clip.start == pytest.approx(7, abs=0.01)
    assert next(media.frames()).time == pytest.approx(0, abs=0.01)
    samples = heard(media)
    assert loudness(samples, 0, 0.45) == 0
    assert loudness(samples, 0.55, 1.4) == pytest.approx(0.35, abs=0.02)


def two_voices(first: Disposition, second: Disposition) -> bytes:
    quiet = Voice(tone(1, 16_000, level=0.1), disposition=first, language="eng")
    loud = Voice(tone(1, 16_000, level=0.8), disposition=second, language="deu")
    return Film(times=every(0.1, 1), voices=[quiet, loud]).to_bytes("matroska")


@pytest.mark.parametrize(
    ("first", "second", "number", "why"),
    [
        (Disposition(0), Disposition.default, 2, "marked as the default"),
        (Disposition.default, Disposition(0), 1, "marked as the default"),
        (Disposition.default | Disposition.comment, Disposition(0), 2, "the only one that is not commentary"),
        (Disposition.default, Disposition.default | Disposition.original, 2, "marked as the original"),
        (Disposition.default, Disposition.default, 1, "the first, as no single one"),
        (Disposition.comment, Disposition.comment, 1, "the first; all are marked"),
    ],
)
def test_of_two_sound_tracks_one_is_chosen_for_a_reason(first, second, number, why):
    media = open_media(two_voices(first, second))
    sound = media.clip.sound
    assert sound and (sound.number, sound.tracks) == (number, 2)
    assert sound.why.startswith(why)
    assert sound.language == ("eng", "deu")[number - 1]
    assert loudness(heard(media), 0.2, 0.8) == pytest.approx((0.07, 0.566)[number - 1], rel=0.05)


def test_a_sound_track_can_be_asked_for():
    content = two_voices(Disposition.default, Disposition(0))
    media = open_media(content, track=2)
    assert media.clip.sound and media.clip.sound.why == "asked for"
    with pytest.raises(InputError, match="no number 3"):
        open_media(content, track=3)


def test_without_picture_only_sound_is_offered(tmp_path):
    media = open_media(save_wav(tmp_path / "a.wav", tone(1, 16_000), 16_000))
    assert media.clip.kind == "sound" and media.clip.picture is None
    with pytest.raises(InputError, match="has no picture"):
        media.frames()


def test_without_sound_only_frames_are_offered(tmp_path):
    media = open_media(Film(times=every(0.1, 1)).save(tmp_path / "a.mp4"))
    assert media.clip.sound is None
    with pytest.raises(InputError, match="has no sound"):
        media.audio()
    assert len(list(media.frames())) == 5


def test_a_clip_can_be_kept_in_a_trace(tmp_path):
    clip = open_media(Film(times=every(0.1, 1)).save(tmp_path / "a.mp4")).clip
    assert type(clip).model_validate_json(clip.model_dump_json()) == clip
