"""Whether a person speaks, pauses or has finished: a table of states, what may happen in each, and what is to be done then."""

import re
from typing import Literal, TypeAlias

State: TypeAlias = Literal["silent", "speaking", "speaking on", "paused"]
"""Nothing was said; a voice and no word yet; a voice after words; words and no voice."""
Happening: TypeAlias = Literal["voice", "no voice", "words", "end"]
"""A voice begins, it ends, words were understood, the turn is over: by a silence that lasted, or by a button."""
Action: TypeAlias = Literal["wait", "stop waiting", "interrupt", "release", "take turn"]
"""Wait whether the silence lasts; wait no longer; end a reply that is being spoken; speak what was held back; answer."""

TABLE: dict[tuple[State, Happening], tuple[State, tuple[Action, ...]]] = {
    ("silent", "voice"): ("speaking", ("stop waiting", "interrupt")),
    ("silent", "words"): ("paused", ("wait",)),  # the ears fall behind: they are understood after the voice has ended
    ("speaking", "no voice"): ("silent", ("release",)),
    ("speaking", "words"): ("speaking on", ()),
    ("speaking", "end"): ("speaking", ("take turn",)),
    ("speaking on", "no voice"): ("paused", ("wait", "release")),
    ("speaking on", "end"): ("speaking", ("take turn",)),
    ("paused", "voice"): ("speaking on", ("stop waiting", "interrupt")),
    ("paused", "words"): ("paused", ("wait",)),
    ("paused", "end"): ("silent", ("take turn",)),
}
"""What is not in it changes nothing."""


_GOES_ON = re.compile(
    r"""(?:^|\s)(?: a|an|the|my|your|his|our|their | and|or|but|because|if|when|while|although|though|since|until|unless|than
    | which|whose | with|from|into|of|for|to|at | um|uh|er|hmm | i|i'm|i've|he's|she's|we're|they're | is|was|were|am)
    [.,?!]*$ | (?:,|-|—|…|\.\.\.)$ | ^(?:my|your|his|her|our|their|the|a|an)(?:\s+\w+){1,2}$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words after which hardly anybody has finished, marks of a thought left open, and somebody of whom nothing is said yet."""
_WHOLE = re.compile(r"(?:\S+\s+){2,}\S*[^\W_][.!?][\"'”’)]*$")
"""Three words or more, and the mark of an end."""


def wants_to_go_on(words: str) -> bool:
    """Whether what was said ends in the middle of a thought."""
    return _GOES_ON.search(words.strip()) is not None


def is_complete(words: str) -> bool:
    """Whether what was said can stand as it is."""
    return _WHOLE.search(words.strip()) is not None and not wants_to_go_on(words)


class TurnTaking:
    def __init__(self) -> None:
        self.state: State = "silent"

    def after(self, happening: Happening) -> tuple[Action, ...]:
        """What is to be done now that this has happened."""
        self.state, actions = TABLE.get((self.state, happening), (self.state, ()))
        return actions

    @property
    def person_speaks(self) -> bool:
        return self.state in ("speaking", "speaking on")
