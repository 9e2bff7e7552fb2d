"""What of a plan can be read off the words of a reply. The word lists are in `shown.toml`."""

from functools import cache
from pathlib import Path

from heartfelt.agents.wordlists import WordLists

_ASKING = frozenset({"explore", "asking an open question"})


def shows(reply: str, choice: str) -> bool:
    """Whether a reply shows that it follows this goal, stance, tactic or tone."""
    if choice in _ASKING:
        return "?" in reply
    return readable(choice) and (_lists().has(reply, choice) or (choice == "bright" and "!" in reply))


def readable(choice: str) -> bool:
    """Whether words can show it at all."""
    return choice in _ASKING or choice in _lists()


@cache
def _lists() -> WordLists:
    return WordLists(Path(__file__).with_name("shown.toml"))
