"""A long recording out of a short one: its packets are written again and again, so that an hour is made in a moment.

Run it to make one by hand, and to see what an hour costs:

    python tests/senses/media/looping.py talk.mp4 hour.mp4 3600
    /usr/bin/time -v heartfelt sense hour.mp4
"""

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.container import InputContainer
from av.packet import Packet
from av.stream import Stream


def looped(piece: Path, target: Path, seconds: float) -> Path:
    """The piece over and over until it is so long, without decoding it. Each time begins where the longest track ended."""
    with av.open(str(piece)) as source, av.open(str(target), "w") as container:
        tracks = {stream.index: container.add_stream_from_template(stream) for stream in source.streams}
        length = Fraction(source.duration or 0, av.time_base)
        for round_ in range(max(1, -(-Fraction(seconds) // length))):
            source.seek(0)
            for packet in _packets(source):
                shift = int(round_ * length / packet.time_base)
                packet.pts = None if packet.pts is None else packet.pts + shift
                packet.dts = None if packet.dts is None else packet.dts + shift
                packet.stream = tracks[packet.stream_index]
                container.mux(packet)
    return target


def _packets(source: InputContainer) -> "Iterator[Packet[Stream]]":
    """All but the empty ones that end a track: the file goes on."""
    return (packet for packet in source.demux() if packet.dts is not None)


if __name__ == "__main__":
    looped(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
