"""Makes every recording that the tests need: tiny, in a moment, with nothing downloaded."""

import io
import wave
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.stream import Disposition
from numpy.typing import NDArray

PLAIN = Disposition(0)
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def quarters(width: int, height: int) -> NDArray[np.uint8]:
    """Red, green, blue and white from the top left in reading order: one look tells which way up it is."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2], pixels[: height // 2, width // 2 :] = RED, GREEN
    pixels[height // 2 :, : width // 2], pixels[height // 2 :, width // 2 :] = BLUE, WHITE
    return pixels


def noise(width: int, height: int, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)


def corners(pixels: NDArray[np.uint8]) -> list[str]:
    """The names of the colours in the four corners, in reading order."""
    names = {"red": RED, "green": GREEN, "blue": BLUE, "white": WHITE}
    height, width = pixels.shape[:2]
    spots = [pixels[y, x].astype(int) for y in (height // 6, -height // 6) for x in (width // 6, -width // 6)]
    return [min(names, key=lambda name: int(np.abs(spot - names[name]).sum())) for spot in spots]


def tone(seconds: float, rate: int, *, channels: int = 1, hertz: float = 440, level: float = 0.5) -> NDArray[np.int16]:
    """Samples × channels."""
    time = np.arange(round(seconds * rate)) / rate
    wave_form = (level * 32767 * np.sin(2 * np.pi * hertz * time)).astype(np.int16)
    return np.repeat(wave_form[:, None], channels, axis=1)


@dataclass
class Voice:
    """One sound track: its samples, and where each block of them stands."""

    samples: NDArray[np.int16]
    rate: int = 16_000
    layout: str = "mono"
    codec: str = "pcm_s16le"
    gaps: dict[int, float] = field(default_factory=dict)
    """Before which block how many seconds are missing."""
    disposition: Disposition = PLAIN
    language: str = ""
    start: float = 0.0


@dataclass
class Film:
    """One recording to be made. `times` are seconds; each has one frame."""

    times: Sequence[float] = ()
    draw: Callable[[int], NDArray[np.uint8]] = lambda _: quarters(64, 48)
    codec: str = "libx264"
    rotation: float | None = None
    mirrored: bool = False
    aspect: Fraction | None = None
    tags: dict[str, str] = field(default_factory=dict)
    voices: Sequence[Voice] = ()
    options: dict[str, str] = field(default_factory=dict)

    def save(self, path: Path) -> Path:
        with av.open(str(path), "w", options=self.options) as container:
            self._write(container)
        return path

    def to_bytes(self, kind: str) -> bytes:
        file = io.BytesIO()
        with av.open(file, "w", format=kind, options=self.options) as container:
            self._write(container)
        return file.getvalue()

    def _write(self, container):
        picture = self._add_picture(container) if len(self.times) else None
        sounds = [self._add_sound(container, voice) for voice in self.voices]
        for stream, voice in zip(sounds, self.voices, strict=True):
            self._write_sound(container, stream, voice)
        if picture is not None:
            for index, time in enumerate(self.times):
                frame = av.VideoFrame.from_ndarray(self.draw(index))
                frame.pts, frame.time_base = round(time * 1000), Fraction(1, 1000)
                container.mux(picture.encode(frame))
            container.mux(picture.encode())

    def _add_picture(self, container):
        first = self.draw(0)
        stream = container.add_stream(self.codec, rate=1000)
        stream.width, stream.height, stream.pix_fmt = first.shape[1], first.shape[0], "yuv420p"
        if first.shape[0] % 2 or first.shape[1] % 2:
            stream.pix_fmt = "yuv444p"
        if self.codec == "libx264":
            stream.options = {"preset": "ultrafast", "qp": "10"}
        stream.codec_context.time_base = Fraction(1, 1000)
        if self.aspect:
            stream.codec_context.sample_aspect_ratio = self.aspect
        if self.rotation is not None:
            stream.set_display_rotation(self.rotation, hflip=self.mirrored)
        stream.metadata.update(self.tags)
        return stream

    def _add_sound(self, container, voice: Voice):
        stream = container.add_stream(voice.codec, rate=voice.rate)
        stream.layout = voice.layout
        stream.disposition = voice.disposition
        if voice.language:
            stream.metadata["language"] = voice.language
        return stream

    def _write_sound(self, container, stream, voice: Voice):
        block = voice.rate // 10
        position = round(voice.start * voice.rate)
        for number, offset in enumerate(range(0, len(voice.samples), block)):
            position += round(voice.gaps.get(number, 0.0) * voice.rate)
            part = np.ascontiguousarray(voice.samples[offset : offset + block]).reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(part, "s16", voice.layout)
            frame.sample_rate, frame.pts, frame.time_base = voice.rate, position, Fraction(1, voice.rate)
            position += frame.samples
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def every(step: float, seconds: float) -> list[float]:
    return [index * step for index in range(round(seconds / step))]


def save_wav(path: Path, samples: NDArray[np.int16], rate: int) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())
    return path


def heard(media, **options) -> NDArray[np.float32]:
    return np.concatenate([sound.samples for sound in media.audio(**options)])


def loudness(samples: NDArray[np.float32], start: float, end: float) -> float:
    part = samples[round(start * 16_000) : round(end * 16_000)]
    return float(np.sqrt(np.mean(part**2)))
