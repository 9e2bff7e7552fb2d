"""What a codec leaves of a voice: FFmpeg's own, by way of memory."""

import io
from dataclasses import dataclass
from typing import cast

import numpy as np
from av import open as open_container
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream

from heartfelt.senses.media.resampling import Mono
from heartfelt.senses.voice.samples import RATE, Samples

_HEADROOM = 0.7


@dataclass(frozen=True)
class Codec:
    name: str
    container: str
    rate: int
    """Samples a second: 8,000 is a telephone."""
    bits: tuple[int, ...] = ()
    """Bits a second to choose from; none where the codec knows one rate only."""


CODECS = (
    Codec("libopus", "ogg", RATE, (6_000, 9_000, 14_000, 24_000)),
    Codec("libmp3lame", "mp3", RATE, (16_000, 24_000, 32_000)),
    Codec("aac", "adts", RATE, (16_000, 24_000, 40_000)),
    Codec("libopencore_amrnb", "amr", 8_000, (4_750, 5_900, 7_400, 12_200)),
    Codec("pcm_mulaw", "wav", 8_000),
)


def through(codec: Codec, wave: Samples, chance: np.random.Generator) -> Samples:
    """The sound as it comes out at the other end, a frame longer or shorter."""
    loudest = max(float(np.abs(wave).max()), 1e-6) / _HEADROOM
    file = io.BytesIO()
    with open_container(file, "w", format=codec.container) as container:
        track = cast(AudioStream, container.add_stream(codec.name, rate=codec.rate, layout="mono"))
        if codec.bits:
            track.bit_rate = int(chance.choice(codec.bits))
        resampler = AudioResampler(track.format.name, "mono", codec.rate)
        for piece in (*resampler.resample(frame(wave / loudest)), *resampler.resample(None)):
            container.mux(track.encode(piece))
        container.mux(track.encode(None))
    file.seek(0)
    back = Mono()
    with open_container(file, "r", format=codec.container) as container:
        parts = [back.push(piece) for piece in container.decode(audio=0)]
    return np.concatenate([*parts, back.flush()]) * np.float32(loudest)


def frame(wave: Samples) -> AudioFrame:
    made = AudioFrame.from_ndarray(np.ascontiguousarray(wave, np.float32)[None], "flt", "mono")
    made.sample_rate = RATE
    return made
