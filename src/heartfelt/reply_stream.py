"""The words of a reply on their way out: a step writes them, what must not be said stops them, and the rest is told."""

from collections.abc import Callable
from dataclasses import dataclass, field

from heartfelt.text import sentences_of


def _nobody(_number: int, _piece: str) -> None:
    """Nobody hears them."""


@dataclass
class ReplyStream:
    tell: Callable[[int, str], None] = _nobody
    """Hears every piece, with the number of its pass."""
    stops: Callable[[str], bool] | None = None
    """Whether a sentence must not be told. With it the words wait for the end of their sentence."""
    aloud: bool = False
    """Whether they are spoken as they come: whoever listens then hears every pause."""
    told: str = ""
    """What of this pass's reply was told so far."""
    _number: int = 0
    _written: str = ""
    _shut: bool = field(default=False)

    def start(self, number: int) -> None:
        """Another pass begins, and with it another reply."""
        self._number, self.told, self._written, self._shut = number, "", "", False

    def write(self, piece: str) -> None:
        self._written += piece
        if self.stops is None:
            self._tell(self._written)
        else:
            self._pass_on(sentences_of(self._written)[:-1])

    def write_sentence(self, sentence: str) -> None:
        """One that is whole, so that nothing has to be waited for."""
        self._written += sentence
        self._pass_on(sentences_of(self._written))

    def finish(self, text: str) -> None:
        """The reply as it stands in the record. What nobody wrote piece by piece is not told here."""
        if self._written:
            self._pass_on(sentences_of(text))

    def add(self, number: int, reply: str) -> None:
        """The rest of what is finally said, where the beginning was told already."""
        self._number = number
        if reply.startswith(self.told):
            self._tell(reply)

    def _pass_on(self, sentences: list[str]) -> None:
        for at in range(len(sentences)):
            whole = " ".join(sentences[: at + 1])
            if self._shut or len(whole) <= len(self.told):
                continue
            if self.stops is not None and self.stops(sentences[at]):
                self._shut = True
                return
            self._tell(whole)

    def _tell(self, whole: str) -> None:
        if len(whole) > len(self.told):
            self.tell(self._number, whole[len(self.told) :])
            self.told = whole
