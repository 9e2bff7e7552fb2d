"""What a session is called until someone gives it a name."""

LONGEST = 60


def title_of(said: str) -> str:
    """The first words, whole ones. A first word that is too long, or a script without spaces, is cut."""
    words = " ".join(said.split())
    if len(words) <= LONGEST:
        return words
    return words[: LONGEST + 1].rpartition(" ")[0] or words[:LONGEST]
