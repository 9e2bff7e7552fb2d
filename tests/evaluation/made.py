"""Made-up rows, as few fields as a test needs."""

from heartfelt.evaluation.metrics import Row, Run, read_run


def row(number: int, reply: str = "I am here.", **more: object) -> Row:
    return Row(**{"id": str(number), "dialogue": str(number), "reply": reply, **more})  # type: ignore[arg-type]


def replies(*texts: str) -> Run:
    """One dialogue for each reply."""
    return read_run(row(number, text) for number, text in enumerate(texts))


def named(pairs: list[tuple[str | None, str | None]], *, labels: str = "ekman", a_dialogue: int = 1) -> Run:
    """Rows with a right and a named emotion."""
    return read_run(
        row(number, dialogue=str(number // a_dialogue), emotion=gold, predicted=chosen, labels=labels)
        for number, (gold, chosen) in enumerate(pairs)
    )


def right_or_wrong(hits: list[bool], *, a_dialogue: int = 1) -> Run:
    return named([("sad", "sad" if hit else "fear") for hit in hits], a_dialogue=a_dialogue)
