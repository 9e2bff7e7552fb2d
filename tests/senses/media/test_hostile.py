"""Input that is not what it claims to be: one clear sentence, nothing else."""

import io
import os
import random
import sys

import pytest
from PIL import Image

from heartfelt.errors import InputError
from heartfelt.senses.media import open_media
from heartfelt.senses.media.source import MediaSource

from .studio import Film, Voice, every, noise, quarters, save_wav, tone


def refusal(given) -> str:
    with pytest.raises(InputError) as caught:
        open_media(given)
    message = str(caught.value)
    assert "\n" not in message and "Errno" not in message
    return message


@pytest.mark.parametrize("name", ["a.mp4", "a.txt", "a.wav", "a.jpg", "a"])
def test_a_text_is_no_video(tmp_path, name):
    (tmp_path / name).write_text("Dear diary, today I failed my exam.\n" * 100)
    message = refusal(tmp_path / name)
    assert "no video, sound or picture" in message or "neither picture nor sound" in message


@pytest.mark.parametrize("suffix", ["mp4", "wav", "png"])
def test_an_empty_file(tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    path.touch()
    assert "is empty" in refusal(path)


def test_empty_bytes():
    assert refusal(b"") == "The recording is empty. Record or export it again."


def test_a_folder(tmp_path):
    assert "is a folder" in refusal(tmp_path)


def test_a_missing_file(tmp_path):
    assert "There is no file" in refusal(tmp_path / "none.mp4")


def test_a_name_that_cannot_be():
    assert "cannot be found" in refusal("a\0b.mp4")


@pytest.mark.parametrize("address", ["http://localhost:1/a.mp4", "concat:a.mp4|b.mp4", "-", "/dev/null"])
def test_an_address_or_a_device_is_not_opened(address):
    assert refusal(address)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes there")
def test_a_pipe_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.mp4")
    assert "is a pipe or a device" in refusal(tmp_path / "pipe.mp4")


def test_a_file_without_the_right_to_read(tmp_path, monkeypatch):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"x")

    def forbid(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", forbid)
    assert "Permission denied" in refusal(path)


def test_a_cut_mp4_without_its_index():
    whole = Film(times=every(0.1, 2), draw=lambda index: noise(64, 48, index)).to_bytes("mp4")
    assert "its index is missing" in refusal(whole[: len(whole) // 2])


def size_bytes(width: int, height: int) -> bytes:
    return width.to_bytes(2, "little") + height.to_bytes(2, "little")


def test_a_huge_claimed_video_is_refused_before_decoding():
    small = Film(times=[0, 0.1], draw=lambda _: quarters(1234, 76), codec="libvpx").to_bytes("ivf")
    assert small.count(size_bytes(1234, 76)) >= 2
    huge = small.replace(size_bytes(1234, 76), size_bytes(16_383, 16_383))
    assert "16383 × 16383 pixels; at most 20 million" in refusal(huge)


def test_a_video_that_is_larger_than_its_header_says_is_not_decoded():
    small = Film(times=[0, 0.1], draw=lambda _: quarters(1234, 76), codec="libvpx").to_bytes("ivf")
    head, frames = small[:32], small[32:]
    assert refusal(head + frames.replace(size_bytes(1234, 76), size_bytes(16_383, 16_383)))


@pytest.mark.parametrize("name", ["a.m3u8", "a.ffconcat", "a.sdp", "a.mpd"])
def test_a_playlist_opens_no_other_file(tmp_path, name):
    Film(times=every(0.1, 1)).save(tmp_path / "private.mp4")
    lists = {
        "a.m3u8": f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{tmp_path}/private.mp4\n#EXT-X-ENDLIST\n",
        "a.ffconcat": "ffconcat version 1.0\nfile private.mp4\n",
        "a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 33\n",
        "a.mpd": '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation id="0"><BaseURL>private.mp4'
        "</BaseURL></Representation></AdaptationSet></Period></MPD>",
    }
    (tmp_path / name).write_text(lists[name])
    assert refusal(tmp_path / name)


def test_a_sample_rate_of_one_is_not_believed(tmp_path):
    assert refusal(save_wav(tmp_path / "a.wav", tone(1, 16_000), 1))


def test_the_cover_of_a_song_is_no_video(tmp_path):
    content = Film(voices=[Voice(tone(1, 44_100), 44_100, "mono", "libmp3lame")]).to_bytes("mp3")
    cover = noise_jpeg()
    body = b"\0image/jpeg\0\x03\0" + cover
    frame = b"APIC" + len(body).to_bytes(4, "big") + b"\0\0" + body
    size = len(frame)
    head = b"ID3\x03\0\0" + bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))
    media = open_media(head + frame + content[content.index(b"\xff\xfb") :])
    assert media.clip.kind == "sound" and media.clip.picture is None


def noise_jpeg() -> bytes:
    file = io.BytesIO()
    Image.fromarray(noise(16, 16)).save(file, "JPEG")
    return file.getvalue()


@pytest.mark.parametrize("kind", ["mp4", "matroska", "mpegts", "avi"])
def test_scrambled_bytes_give_frames_or_a_sentence(kind):
    film = Film(times=every(0.1, 1), codec="mpeg4", voices=[Voice(tone(1, 16_000), codec="mp2", rate=16_000)])
    whole = film.to_bytes(kind)
    for seed in range(12):
        chance = random.Random(seed)
        scrambled = bytearray(whole)
        for _ in range(30):
            scrambled[chance.randrange(len(scrambled))] = chance.randrange(256)
        try:
            media = open_media(bytes(scrambled))
            walks = [media.frames] if media.clip.picture else []
            walks += [media.audio] if media.clip.sound else []
            for walk in walks:
                for number, _ in enumerate(walk()):
                    if number > 100:
                        break
        except InputError as error:
            assert "\n" not in str(error)


def test_a_file_that_vanishes_between_walks(tmp_path):
    path = Film(times=every(0.1, 1)).save(tmp_path / "a.mp4")
    media = open_media(path)
    path.unlink()
    with pytest.raises(InputError, match="cannot be read"):
        next(media.frames())


def test_a_source_opens_anew_each_time():
    source = MediaSource("x", b"abc")
    assert [source.open().read() for _ in range(2)] == [b"abc", b"abc"]


def test_a_file_that_was_replaced_between_walks(tmp_path):
    path = Film(times=every(0.1, 1)).save(tmp_path / "a.mp4")
    media = open_media(path)
    save_wav(path, tone(1, 16_000), 16_000)
    with pytest.raises(InputError, match="has changed"):
        next(media.frames())


def test_a_telephone_picture_in_tiles_is_refused():
    assert "Export it as JPEG" in refusal(b"\0\0\0\x18ftypheic" + bytes(200))
