"""A speaker's usual voice: only against it is a voice high, loud or fast."""

from collections import deque

import numpy as np

from heartfelt.senses.voice.prosody import STEP, Listened, Prosody

_ROWS = 6000
"""One minute of voice; older sound is forgotten, so that a cold or another microphone is got used to."""
_STRETCHES = 40
_ANOTHER = 10.0
"""Semitones from the usual pitch beyond which somebody else has probably spoken…"""
_SHOUT = 8.0
"""…unless it is so many decibels louder as well: whoever shouts leaves their own range."""
_ENOUGH = 1.5
"""Seconds of voice before anything counts as usual."""


class Usual:
    """Learns from each stretch after it was judged. One for each speaker; it can be kept from one session to the next."""

    def __init__(self) -> None:
        self._semitones: deque[float] = deque(maxlen=_ROWS)
        self._levels: deque[float] = deque(maxlen=_ROWS)
        self._paces: deque[float] = deque(maxlen=_STRETCHES)

    @property
    def known(self) -> bool:
        return len(self._semitones) * STEP >= _ENOUGH

    def learn(self, heard: Listened) -> None:
        self._semitones.extend(heard.pitch.semitones.tolist())
        self._levels.extend(heard.levels.level[heard.pitch.voiced].tolist())
        if heard.prosody.pace > 0:
            self._paces.append(heard.prosody.pace)

    def higher(self, prosody: Prosody) -> float:
        """Semitones above the usual pitch; 0 while nothing is known."""
        if not self.known or prosody.pitch is None:
            return 0.0
        return float(12 * np.log2(prosody.pitch) - np.median(self._semitones))

    def louder(self, prosody: Prosody) -> float:
        """Decibels above the usual loudness; 0 while nothing is known."""
        return prosody.level - float(np.median(self._levels)) if self.known else 0.0

    def faster(self, prosody: Prosody) -> float:
        """The pace as a multiple of the usual one; 1 while nothing is known."""
        return prosody.pace / float(np.median(self._paces)) if self.known and self._paces else 1.0

    def stranger(self, prosody: Prosody) -> bool:
        """Whether this is probably another person's voice; it is learned from all the same, as they may go on speaking."""
        higher = self.higher(prosody)
        return higher < -_ANOTHER or (higher > _ANOTHER and self.louder(prosody) < _SHOUT)
