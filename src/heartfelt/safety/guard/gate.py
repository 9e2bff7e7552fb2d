"""The gate: a reply passes sentence by sentence, and a sentence that must not be said stops it, before anybody is told."""

from collections.abc import Callable
from dataclasses import dataclass, field

from heartfelt.events import Event, Observer, PassStarted, StepFinished, Wrote
from heartfelt.records import Reply
from heartfelt.text import sentences_of


@dataclass
class Gate:
    """Stands before the observers. `stops` says whether a sentence may not be told."""

    emit: Observer
    stops: Callable[[str], bool]
    told: str = ""
    """What of this pass's reply was told so far."""
    _written: str = ""
    _shut: bool = field(default=False)

    def __call__(self, event: Event) -> None:
        match event:
            case PassStarted():
                self.told, self._written, self._shut = "", "", False
                self.emit(event)
            case Wrote(number=number, piece=piece):
                self._written += piece
                self._pass_on(number, sentences_of(self._written)[:-1])
            case StepFinished(number=number, record=record) if isinstance(record.output, Reply):
                if self._written:
                    self._pass_on(number, sentences_of(record.output.text))
                self.emit(event)
            case _:
                self.emit(event)

    def add(self, number: int, reply: str) -> None:
        """The rest of what is finally said, where the beginning was told already."""
        if reply.startswith(self.told) and len(reply) > len(self.told):
            self.emit(Wrote(number=number, piece=reply[len(self.told) :]))
            self.told = reply

    def _pass_on(self, number: int, sentences: list[str]) -> None:
        for at in range(len(sentences)):
            whole = " ".join(sentences[: at + 1])
            if self._shut or len(whole) <= len(self.told):
                continue
            if self.stops(sentences[at]):
                self._shut = True
                return
            self.emit(Wrote(number=number, piece=whole[len(self.told) :]))
            self.told = whole
