"""An observer of one turn: passes its events on as they happen, keeps them for the store, and notes the times."""

import time
from collections.abc import Callable

from heartfelt.events import Event, Screened, StepFinished, StepStarted, TurnStarted, Wrote
from heartfelt.records import Alert, StepRecord
from heartfelt.server.wire import FromServer, Happened, Times

Tell = Callable[[FromServer], None]


class TurnObserver:
    def __init__(self, number: int, said_at: float, tell: Tell, *, looking_back: bool = False):
        self.times = Times()
        self.records: list[StepRecord] = []
        """The steps so far: what a voice that begins before the end can go by."""
        self.alert: Alert | None = None
        """What the screen found, as soon as it did: whatever becomes of the turn, this is known."""
        self.tell = tell
        self._number, self._said_at, self._looking_back = number, said_at, looking_back
        self._lines: list[tuple[bool, str]] = []

    @property
    def ms(self) -> float:
        """Since the person had finished."""
        return round((time.monotonic() - self._said_at) * 1000, 1)

    def __call__(self, event: Event) -> None:
        match event:
            case StepStarted() if self.times.first_step_ms is None:
                self.note(first_step_ms=self.ms)
            case Screened(alert=alert):
                self.alert = alert
            case StepFinished(record=record):
                self.records.append(record)
            case Wrote() if self.times.first_word_ms is None:
                self.note(first_word_ms=self.ms, last_word_ms=self.ms)
            case Wrote():
                self.note(last_word_ms=self.ms)
            case _:
                pass
        self.tell(Happened(turn=self._number, ms=self.ms, looking_back=self._looking_back, event=event))
        if not isinstance(event, Wrote):
            self._lines.append((self._looking_back, _without_pictures(event).model_dump_json()))

    def looking_back(self) -> "TurnObserver":
        """An observer of the same turn's look back."""
        return TurnObserver(self._number, self._said_at, self.tell, looking_back=True)

    @property
    def let_in(self) -> bool:
        """Whether it is this turn's turn: until then nothing is lost by giving it up."""
        return self.times.waited_ms is not None

    def note(self, **times: float) -> None:
        self.times = self.times.model_copy(update=times)

    @property
    def untaken(self) -> bool:
        """Whether it has lines that no store has yet."""
        return bool(self._lines)

    def taken(self) -> list[tuple[bool, str]]:
        """Those lines, which a store has from now on."""
        lines, self._lines = self._lines, []
        return lines


def _without_pictures(event: Event) -> Event:
    """Pictures of a person are seen and forgotten: what is stored holds what was measured of them."""
    if not isinstance(event, TurnStarted):
        return event
    turns = tuple(turn.model_copy(update={"keyframes": ()}) for turn in event.dialogue.turns)
    return event.model_copy(update={"dialogue": event.dialogue.model_copy(update={"turns": turns})})
