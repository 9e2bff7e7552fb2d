"""Recordings that are made to do harm: they open no other file and no address, and cost neither memory nor hours."""

import contextlib
import gc
import io
import resource
import socket
import struct
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from heartfelt.errors import InputError
from heartfelt.senses.media import container, open_media
from heartfelt.senses.media.clock import LONGEST
from heartfelt.senses.media.media import Media

from .studio import Film, Voice, every, heard, noise, quarters, tone

SECONDS = 60
"""What an attack may cost on a busy machine; most cost a hundredth of it."""


def refusal(given: Path | bytes) -> str:
    with pytest.raises(InputError) as caught:
        media = open_media(given)
        list(media.frames()) if media.clip.picture else list(media.audio())
    return str(caught.value)


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    begun = time.perf_counter()
    yield
    assert time.perf_counter() - begun < SECONDS


# ── other files and addresses ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def door() -> Iterator[tuple[int, list[object]]]:
    """A server that a playlist may name, and whoever came to it. The decoder's own sockets are not Python's to watch."""
    came: list[object] = []
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(0.05)
    closed = threading.Event()

    def wait() -> None:
        while not closed.is_set():
            try:
                visitor, address = listening.accept()
            except TimeoutError:
                continue
            came.append(address)
            visitor.close()

    waiting = threading.Thread(target=wait)
    waiting.start()
    yield listening.getsockname()[1], came
    closed.set()
    waiting.join()
    listening.close()


def hls(address: str) -> str:
    return f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{address}\n#EXT-X-ENDLIST\n"


LISTS = {
    "hls": hls,
    "hls master": lambda address: f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{address}\n",
    "hls key": lambda address: f'#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="{address}"\n#EXTINF:1,\nx.ts\n#EXT-X-ENDLIST\n',
    "concat": lambda address: f"ffconcat version 1.0\nfile '{address}'\nduration 1\n",
    "dash": lambda address: (
        '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet mimeType="video/mp4">'
        f'<Representation id="0" bandwidth="1"><BaseURL>{address}</BaseURL></Representation></AdaptationSet></Period></MPD>'
    ),
    "asx": lambda address: f'<asx version="3.0"><entry><ref href="{address}"/></entry></asx>',
    "quicktime reference": lambda address: f"RTSPtextRTSP://{address}",
    "sdp": lambda _: "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 33\n",
    "smil": lambda address: f'<smil><body><video src="{address}"/></body></smil>',
    "script": lambda address: f'import("{address}")\nDirectShowSource("{address}")\n',
}
ADDRESSES = [
    "{http}",
    "{file}",
    "file://{file}",
    "concat:{file}|{file}",
    "subfile,,start,0,end,99,,:{file}",
    "cache:{http}",
    "tls:{http}",
]


@pytest.mark.parametrize("name", ["a.m3u8", "a.mp4", "a.mpd", "a.ffconcat", "a.sdp", "a.asx", "a"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_list_of_other_places_leads_nowhere(tmp_path: Path, door: tuple[int, list[object]], kind: str, name: str):
    port, came = door
    canary = Film(times=every(0.1, 1)).save(tmp_path / "canary.mp4")
    for address in ADDRESSES:
        named = address.format(http=f"http://127.0.0.1:{port}/canary.mp4", file=canary)
        (tmp_path / name).write_text(LISTS[kind](named))
        assert refusal(tmp_path / name)
        assert refusal(LISTS[kind](named).encode())
    assert not came


def test_a_film_that_keeps_its_frames_in_another_file(tmp_path: Path):
    """QuickTime's data references: the index here, the frames elsewhere."""
    canary = Film(times=every(0.1, 1)).save(tmp_path / "canary.mov")
    for address in (str(canary), f"file://{canary}", "http://127.0.0.1:1/canary.mov"):
        (tmp_path / "a.mov").write_bytes(referring(canary.read_bytes(), address))
        assert "decoded" in refusal(tmp_path / "a.mov")


def referring(film: bytes, address: str) -> bytes:
    """The film with its reference turned from «in this file» to an address, and without its frames."""
    path = address.encode() + b"\0"
    place = film.index(b"url \0\0\0\1")
    moov = film.index(b"moov")
    changed = film[:place] + b"url \0\0\0\0" + path + film[place + 8 :]
    outer = [
        i for i in range(moov, place + 1) if film[i : i + 4] in (b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref", b"url ")
    ]
    grown = bytearray(changed)
    for start in outer:
        size = struct.unpack(">I", grown[start - 4 : start])[0]
        grown[start - 4 : start] = struct.pack(">I", size + len(path))
    frames = film.index(b"mdat")
    return bytes(grown).replace(film[frames + 4 : moov - 4], bytes(moov - 8 - frames))


def test_tracks_that_are_neither_seen_nor_heard_are_left_alone():
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as made:
        film = Film(times=every(0.1, 1))
        made.add_attachment("evil.ttf", "application/x-truetype-font", b"\0\1\0\0" * 5000)
        made.add_attachment("../../etc/passwd", "text/plain", b"canary")
        film._write(made)
    media = open_media(file.getvalue())
    assert media.clip.kind == "video" and media.clip.sound is None and len(list(media.frames())) == 5


def test_more_tracks_than_any_recorder_makes():
    voices = [Voice(tone(0.1, 8_000), rate=8_000) for _ in range(container.MOST_TRACKS + 6)]
    media = open_media(Film(voices=voices).to_bytes("matroska"))
    assert media.clip.sound and media.clip.sound.tracks == container.MOST_TRACKS


# ── pictures ────────────────────────────────────────────────────────────────────────────────────────────────────────


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = zlib.compress(b"\0" * min((3 * width + 1) * height, 50_000_000), 9)
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def bmp(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IHHI", 54, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)


def jpeg_claiming(width: int, height: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (16, 16)).save(file, "JPEG")
    whole = file.getvalue()
    place = whole.index(b"\xff\xc0") + 5
    return whole[:place] + struct.pack(">HH", height, width) + whole[place + 4 :]


@pytest.mark.parametrize(
    "bomb",
    [
        png(60_000, 60_000),
        png(2_000_000_000, 2),
        png(1, 2_000_000_000),
        bmp(60_000, 60_000),
        jpeg_claiming(65_500, 65_500),
        b"GIF89a" + struct.pack("<HH", 65_535, 65_535) + b"\x80\0\0" + b"\0" * 6 + b",\0\0\0\0\xff\xff\xff\xff\0\x08\x01\0\0;",
    ],
    ids=["png", "wide png", "tall png", "bmp", "jpeg", "gif"],
)
def test_a_picture_that_claims_to_be_huge_is_refused_before_it_is_unpacked(bomb: bytes):
    tracemalloc.start()
    assert refusal(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000_000


@pytest.mark.parametrize(
    ("kind", "head"), [(b"zTXt", b"Comment\0\0"), (b"iCCP", b"profile\0\0"), (b"iTXt", b"Comment\0\1\0\0\0")]
)
@pytest.mark.parametrize("how", ["picture", "mov", "avi", "nut"])
def test_a_comment_that_unpacks_to_gigabytes_is_not_unpacked(how: str, kind: bytes, head: bytes):
    picture = png(8, 8, chunk(kind, head + packed(300)))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert refusal(picture if how == "picture" else filmed([picture] * 2, how))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000, "kilobytes"


@cache
def packed(megabytes: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()


def filmed(pictures: list[bytes], kind: str) -> bytes:
    """A film whose frames are PNG files."""
    file = io.BytesIO()
    with av.open(file, "w", format=kind) as made:
        stream = made.add_stream("png", rate=10)
        stream.width, stream.height, stream.pix_fmt = 8, 8, "rgb24"
        for number, data in enumerate(pictures):
            packet = av.Packet(data)
            packet.stream, packet.pts, packet.dts, packet.time_base = stream, number, number, Fraction(1, 10)
            made.mux(packet)
    return file.getvalue()


def test_a_colour_profile_does_not_end_the_process():
    """The library frees the name of a profile twice once somebody has looked at it: nobody does."""
    picture = png(8, 8, chunk(b"iCCP", b"a profile with a name\0\0" + zlib.compress(bytes(500))))
    for _ in range(10):
        assert open_media(picture).clip.kind == "picture"
        assert refusal(filmed([picture] * 3, "mov"))
        gc.collect()


# ── time ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def claiming(film: bytes, seconds: int) -> bytes:
    """An MP4 whose header says that it lasts so long."""
    changed = bytearray(film)
    for atom, scale in ((b"mvhd", 12), (b"mdhd", 12)):
        start = changed.index(atom) + 4
        changed[start + scale : start + scale + 8] = struct.pack(">II", 1, seconds)
    return bytes(changed)


def test_a_length_of_a_hundred_years_is_not_believed():
    media = open_media(claiming(Film(times=every(0.1, 1)).to_bytes("mp4"), 2**32 - 2))
    assert media.clip.duration is None or media.clip.duration <= LONGEST
    assert list(media.frames())


def test_a_wave_that_claims_hours_has_what_it_has():
    samples = tone(1, 16_000).tobytes()
    head = b"RIFF" + struct.pack("<I", 2**32 - 1) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16_000, 32_000, 2, 16)
    media = open_media(head + b"data" + struct.pack("<I", 2**32 - 1) + samples)
    assert len(heard(media)) == pytest.approx(16_000, abs=200)


@pytest.mark.parametrize(("channels", "rate"), [(65_535, 16_000), (1, 2**31 - 1), (1, 0), (0, 16_000), (2, 3)])
def test_a_wave_with_absurd_numbers(channels: int, rate: int):
    head = b"RIFF" + struct.pack("<I", 2**31) + b"WAVEfmt "
    head += struct.pack("<IHHIIHH", 16, 1, channels, rate, min(rate * 2, 2**32 - 1), min(2 * channels, 65_535), 16)
    tracemalloc.start()
    with contextlib.suppress(InputError):
        heard(open_media(head + b"data" + struct.pack("<I", 400_000) + bytes(400_000)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000_000


def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine on which every packet takes a second."""
    ticking = iter(range(10**9))
    monkeypatch.setattr(container, "perf_counter", lambda: float(next(ticking)))


@pytest.mark.parametrize("what", ["frames", "audio"])
def test_a_recording_that_takes_hours_to_decode_is_cut_short(monkeypatch: pytest.MonkeyPatch, what: str):
    film = Film(times=[0.001 * n for n in range(400)], draw=lambda n: noise(32, 32, n), voices=[Voice(tone(30, 8_000), 8_000)])
    media = open_media(film.to_bytes("matroska"))
    monkeypatch.setattr(container, "PATIENCE", 20.0)
    monkeypatch.setattr(container, "EFFORT", 0.0)
    slow(monkeypatch)
    assert list(walk(media, what))
    assert any("Decoding takes far longer" in note for note in media.notes)


@pytest.mark.parametrize("what", ["frames", "audio"])
def test_a_slow_machine_may_take_its_time(monkeypatch: pytest.MonkeyPatch, what: str):
    film = Film(times=every(0.2, 8), draw=lambda _: quarters(32, 32), voices=[Voice(tone(8, 8_000), 8_000)])
    media = open_media(film.to_bytes("matroska"))
    slow(monkeypatch)
    last = list(walk(media, what))[-1]
    assert not any("Decoding" in note for note in media.notes)
    assert isinstance(last, tuple) and np.asarray(last[1]).size


def walk(media: Media, what: str) -> Iterator[object]:
    return iter(media.frames() if what == "frames" else media.audio())
