"""Where speech begins and ends: frames of uncertain speech become stretches that hold together."""

from dataclasses import dataclass
from math import ceil

from heartfelt.senses.voice.detect import FRAME
from heartfelt.senses.voice.samples import RATE


@dataclass(frozen=True)
class Pacing:
    """When speech counts as begun and as over; all times in seconds."""

    begin: float = 0.5
    """Speech begins at this probability…"""
    end: float = 0.35
    """…and is in doubt only below this one, so that one weak frame does not cut a word."""
    least_speech: float = 0.16
    """Less than this is a click or a breath."""
    silence: float = 0.48
    """So much silence ends a stretch: a shorter one is a pause within it."""
    pause: float = 0.1
    """After so much silence a stretch is understood already, for the case that nobody speaks on."""
    padding: float = 0.45
    """Sound kept on both sides: a recogniser that misses the first consonant hears wild words."""
    longest: float = 15.0
    """A stretch is cut here at its least speech-like frame, so that memory and waiting stay bounded."""


@dataclass(frozen=True)
class SpeechFrames:
    """Frames of speech, counted from the start of the stream; the ends are not included."""

    first: int
    last: int
    lead: int
    """The first frame of the padding before it."""
    tail: int
    """The end of the padding after it."""
    pause: int
    """The end of the silence after it with which it is understood: never behind the tail."""


class Segmenter:
    """Takes one probability after another and tells of each stretch once it is over."""

    def __init__(self, pacing: Pacing | None = None):
        self.pacing = pacing or Pacing()
        pacing = self.pacing
        self._least, self._pause, self._silence, self._padding, self._longest = (
            ceil(seconds * RATE / FRAME)
            for seconds in (pacing.least_speech, pacing.pause, pacing.silence, pacing.padding, pacing.longest)
        )
        self._frames = 0
        self._floor = 0
        self._close()

    @property
    def idle(self) -> bool:
        """Whether nobody speaks at the moment."""
        return self._first is None

    @property
    def needed(self) -> int:
        """The oldest frame that a later stretch may still hold."""
        begin = self._frames if self._first is None else self._first
        return max(self._floor, begin - self._padding)

    @property
    def pausing(self) -> SpeechFrames | None:
        """The stretch as it will be if nobody speaks on, once they have ceased for a moment."""
        if self._first is None or self._silent is None or self._speech < self._least:
            return None
        if self._frames - self._silent < self._pause:
            return None
        return self._stretch(self._first, self._silent)

    @property
    def speaking(self) -> SpeechFrames | None:
        """The stretch as far as it goes, while somebody speaks and does not pause."""
        if self._first is None or self._silent is not None or self._speech < self._least:
            return None
        return self._stretch(self._first, self._frames)

    def feed(self, probability: float) -> SpeechFrames | None:
        now = self._frames
        self._frames += 1
        if self._first is None and probability < self.pacing.begin:
            return None
        if self._first is None:
            self._first = now
        self._heard.append(probability)
        if probability >= self.pacing.begin:
            self._speech += 1
            self._silent = None
        elif probability < self.pacing.end and self._silent is None:
            self._silent = now
        if self._silent is not None and self._frames - self._silent >= self._silence:
            return self._finish(self._first, self._silent)
        return self._cut(self._first) if len(self._heard) >= self._longest else None

    def close(self) -> SpeechFrames | None:
        """Whoever listens knows by the words that the pause is an end: a stretch that pauses is over now."""
        pausing = self.pausing
        return self._finish(pausing.first, pausing.last) if pausing is not None else None

    def flush(self) -> SpeechFrames | None:
        """The stream is over: what is open is closed where it stands."""
        if self._first is None:
            return None
        return self._finish(self._first, self._frames if self._silent is None else self._silent)

    def _finish(self, first: int, last: int) -> SpeechFrames | None:
        stretch = self._stretch(first, last)
        enough = self._speech >= self._least
        self._close()
        if not enough:
            return None
        self._floor = last
        return stretch

    def _stretch(self, first: int, last: int) -> SpeechFrames:
        tail, pause = (min(last + after, self._frames) for after in (self._padding, self._pause))
        return SpeechFrames(first, last, self.needed, tail, min(pause, tail))

    def _cut(self, first: int) -> SpeechFrames:
        """At the weakest frame of the last third; what follows it opens the next stretch, and no sound is in both."""
        late = range(2 * len(self._heard) // 3, len(self._heard))
        weakest = min(late, key=self._heard.__getitem__)
        last = first + weakest
        stretch = SpeechFrames(first, last, self.needed, last, last)
        rest = self._heard[weakest:]
        self._close()
        self._first, self._floor, self._heard = last, last, rest
        self._speech = sum(probability >= self.pacing.begin for probability in rest)
        return stretch

    def _close(self) -> None:
        self._first: int | None = None
        self._silent: int | None = None
        self._speech = 0
        self._heard: list[float] = []
