"""From a track's own time stamps to seconds from the start of the clip."""

from heartfelt.senses.media.pieces import MediaNotes

LONGEST = 12 * 3600.0
"""Seconds of a clip that are read; a small file can claim a gap of a thousand years, and silence would fill it."""
_BACK = 1.0
_AHEAD = 3600.0


class Clock:
    """Reads one track's time stamps. Nothing is counted: a frame stands where its stamp says.

    A stamp that leaps back, or ahead by more than an hour, is a recorder that began again (as where two recordings were
    joined): from there on the times follow on what came before.
    """

    def __init__(self, origin: float, notes: MediaNotes):
        self.reached = 0.0
        """Where the latest piece ends."""
        self._shift = -origin
        self._notes = notes

    def at(self, stamp: float | None, length: float) -> float:
        """The time of a piece that lasts so long. A piece without a stamp follows the one before."""
        time = self.reached if stamp is None else stamp + self._shift
        if not self.reached - _BACK <= time <= self.reached + _AHEAD:
            self._notes.add("The recording's clock leaps; what follows a leap was joined to what came before.")
            self._shift += self.reached - time
            time = self.reached
        self.reached = max(self.reached, time + length)
        return max(time, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether more has been read than one clip may hold."""
        if self.reached <= LONGEST:
            return False
        self._notes.add(f"Only the first {LONGEST / 3600:.0f} hours were read.")
        return True
