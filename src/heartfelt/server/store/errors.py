"""What a caller can ask of the store that it has to refuse."""

from heartfelt.errors import TurnError, UsageError
from heartfelt.server.wire import TurnView


class NoSuchSession(UsageError):
    """Not there, deleted, or someone else's: the message is the same, so that nobody learns which ids exist."""

    def __init__(self) -> None:
        super().__init__("There is no such session. It may have been deleted; your own sessions are in your list.")


class NoSuchTurn(UsageError):
    def __init__(self, number: int) -> None:
        super().__init__(f"There is no turn {number} in this session.")


class AlreadySaid(UsageError):
    """A client sent words once more, since it could not know that they had arrived."""

    def __init__(self, turn: TurnView) -> None:
        super().__init__(f"This was said before, as turn {turn.number}.")
        self.turn = turn


class TurnHeld(UsageError):
    """It was to be answered again while someone is still at it, or has done it."""

    def __init__(self, number: int, state: str) -> None:
        super().__init__(f"Turn {number} cannot be taken up: it is {state}. Only an unfinished or failed one can.")


class SessionBusy(TurnError):
    """A turn of the same session is being answered, here or by another worker."""

    def __init__(self) -> None:
        super().__init__("This session is being answered already. Wait for that answer, or stop it first.")
