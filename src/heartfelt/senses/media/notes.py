"""What turns out to be odd while a recording is read: said once each, in the order of finding."""


class MediaNotes:
    """Sentences without repetition. Two walks of the same recording may write into it at the same time."""

    def __init__(self):
        self._said: dict[str, None] = {}

    def add(self, sentence: str) -> None:
        self._said[sentence] = None

    def all(self) -> tuple[str, ...]:
        return tuple(self._said)
