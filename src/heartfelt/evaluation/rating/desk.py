"""Where raters are served: who they are, what each is shown next, and what becomes of their marks."""

import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from filelock import FileLock, Timeout

from heartfelt.errors import UsageError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.judging.criteria import Criterion
from heartfelt.evaluation.judging.pairs import drawn
from heartfelt.evaluation.lines import Lines, Pen, saving
from heartfelt.evaluation.rating.entries import Entry, Mark, entries, file_of, standing
from heartfelt.evaluation.rating.sheet import Mode, RatedUnit
from heartfelt.files import whole

LONGEST_NAME = 40
SECONDS = {"likert": 25, "ab": 30}
"""How long one screen usually takes."""


class Stale(UsageError):
    """A mark for something that is no longer on the screen, such as the second of two quick clicks."""


@dataclass
class DeskRater:
    name: str
    token: str
    order: list[RatedUnit]
    written: list[Entry] = field(default_factory=list[Entry])
    """All lines of this rater."""
    back: Entry | None = None
    """The rating that was undone: it is shown once more, with its marks."""
    shown_at: float = 0.0

    @property
    def done(self) -> dict[str, Entry]:
        """What holds of it, by the unit's key, the latest last."""
        asked = {unit.key for unit in self.order}
        return {each.key: each for each in standing(self.written).values() if each.key in asked}


class Desk:
    """Use it as a context: it holds the runs' ratings, so that no second page writes into them."""

    def __init__(
        self,
        folders: Sequence[RunFolder],
        units: Sequence[RatedUnit],
        criteria: Sequence[Criterion],
        *,
        mode: Mode = "likert",
        seed: int = 0,
        most: int | None = None,
        told: Callable[[str, int, int], None] = lambda _name, _done, _of: None,
    ):
        self.criteria = list(criteria)
        self.mode: Mode = mode
        self._folders, self._units, self._seed, self._most, self._told = list(folders), list(units), seed, most, told
        self._secret = b""
        self._raters: dict[str, DeskRater] = {}
        self._files: dict[Path, Pen[Entry]] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        for folder in self._folders:
            self._hold(folder.path / "ratings")
        self._secret = _secret(self._folders[0].path / "ratings" / ".secret")
        found = sorted((each for folder in self._folders for each in entries(folder, self.mode)), key=lambda each: each.at)
        for name in {each.rater.casefold(): each.rater for each in found}.values():
            self._seat(name, [each for each in found if each.rater.casefold() == name.casefold()])
        return self

    def __exit__(self, *_raised: object) -> None:
        self._open.close()

    # ── raters ──────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def raters(self) -> list[DeskRater]:
        return list(self._raters.values())

    @property
    def screens(self) -> int:
        """How many each rater is shown."""
        return len(self._units)

    @property
    def full(self) -> bool:
        return self._most is not None and len(self._raters) >= self._most

    def rater(self, token: str) -> DeskRater | None:
        return self._raters.get(token)

    def begin(self, given: str) -> DeskRater:
        """A new rater. A name that is taken is refused: nobody goes on with another's work by knowing their initials."""
        name = " ".join(given.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise UsageError(f"Please give a name or initials of 1 to {LONGEST_NAME} letters.")
        if self._token(name) in self._raters:
            raise UsageError(
                f"Somebody has begun as '{name}' already. If that was you, go on by your own link: whoever invited you sees it "
                "in the terminal. Otherwise add a letter."
            )
        if self.full:
            raise UsageError("All places for raters are taken. Thank you for wanting to help.")
        self._file(0, name).add(Entry(kind="begun", rater=name, mode=self.mode, at=_now()))
        return self._seat(name, [])

    # ── what is shown and what is marked ────────────────────────────────────────────────────────────────────────────

    def screen(self, rater: DeskRater) -> dict[str, Any]:
        """All that a browser learns: words and numbers, and nothing of who wrote them."""
        unit, done = self._current(rater), len(self._finished(rater))
        shown: dict[str, Any] = {"name": rater.name, "done": done, "of": len(rater.order), "can_undo": bool(rater.done)}
        if unit is None:
            return shown | {"finished": True}
        rater.shown_at = time.monotonic()
        order = self._sides(rater, unit)
        back = rater.back if rater.back and rater.back.key == unit.key else None
        return shown | {
            "finished": False,
            "ticket": self._ticket(rater, unit),
            "listener": unit.dialogue.listener,
            "turns": [{"who": turn.speaker, "text": turn.text} for turn in unit.dialogue.turns],
            "replies": [unit.replies["ab".index(side)].text for side in order[: len(unit.replies)]],
            "marks": _as_shown(back.marks, order) if back else {},
        }

    def mark(self, rater: DeskRater, ticket: str, marks: dict[str, Any]) -> None:
        unit = self._current(rater)
        if unit is None or not hmac.compare_digest(self._ticket(rater, unit).encode(), ticket.encode()):
            raise Stale("That one is rated already.")
        order = self._sides(rater, unit)
        entry = self._entry(rater, unit).model_copy(update={"marks": self._read(marks, order), "first": order[0]})
        self._write(rater, unit, entry)
        rater.back = None
        self._told(rater.name, len(self._finished(rater)), len(rater.order))

    def undo(self, rater: DeskRater) -> None:
        """Take the last rating back. It is shown again, with its marks, and counts only once it is given again."""
        last = next(reversed(rater.done.values()), None)
        if last is None:
            raise UsageError("There is nothing to take back.")
        unit = next(each for each in rater.order if each.key == last.key)
        self._write(rater, unit, self._entry(rater, unit).model_copy(update={"kind": "undone"}))
        rater.back = last

    # ── inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, rater: DeskRater, unit: RatedUnit, entry: Entry) -> None:
        """On the disk first: what is not there was not given."""
        self._file(unit.replies[0].home, rater.name).add(entry)
        rater.written.append(entry)

    def _current(self, rater: DeskRater) -> RatedUnit | None:
        done = self._finished(rater)
        left = [unit for unit in rater.order if unit.key not in done]
        again = [unit for unit in left if rater.back and unit.key == rater.back.key]
        return next(iter(again + left), None)

    def _finished(self, rater: DeskRater) -> set[str]:
        """The units that have a mark on everything that is asked now."""
        wanted = {each.name for each in self.criteria}
        return {key for key, entry in rater.done.items() if wanted <= set(entry.marks)}

    def _sides(self, rater: DeskRater, unit: RatedUnit) -> list[Literal["a", "b"]]:
        swapped = len(unit.replies) == 2 and int(drawn(self._seed, f"side {rater.name.casefold()} {unit.key}"), 16) % 2
        return ["b", "a"] if swapped else ["a", "b"]

    def _read(self, marks: dict[str, Any], order: list[Literal["a", "b"]]) -> dict[str, Mark]:
        if set(marks) != {each.name for each in self.criteria}:
            raise UsageError("Please mark every question, and only those that are asked.")
        allowed: dict[Any, Mark] = {n: n for n in range(1, 6)}
        if self.mode == "ab":
            allowed = {"first": order[0], "second": order[1], "tie": "tie"}
        for mark in marks.values():
            if type(mark) not in (int, str) or mark not in allowed:
                raise UsageError("A mark is one of: " + ", ".join(map(str, allowed)) + ".")
        return {name: allowed[mark] for name, mark in marks.items()}

    def _entry(self, rater: DeskRater, unit: RatedUnit) -> Entry:
        return Entry(
            kind="rated",
            rater=rater.name,
            mode=self.mode,
            at=_now(),
            item=unit.item,
            dialogue=f"{unit.replies[0].source.task}/{unit.dialogue.id or unit.item}",
            sources=tuple(reply.source for reply in unit.replies),
            seconds=round(time.monotonic() - rater.shown_at, 1) if rater.shown_at else 0.0,
        )

    def _seat(self, name: str, found: list[Entry]) -> DeskRater:
        order = sorted(self._units, key=lambda unit: drawn(self._seed, f"order {name.casefold()} {unit.key}"))
        rater = DeskRater(name, self._token(name), order, found)
        self._raters[rater.token] = rater
        return rater

    def _token(self, name: str) -> str:
        """Nobody guesses it without the run's secret; with it, a lost link can be printed again."""
        return hmac.new(self._secret, f"rater {name.casefold()}".encode(), "sha256").hexdigest()[:40]

    def _ticket(self, rater: DeskRater, unit: RatedUnit) -> str:
        return hmac.new(self._secret, f"unit {rater.token} {unit.key}".encode(), "sha256").hexdigest()[:16]

    def _file(self, home: int, name: str) -> Pen[Entry]:
        path = file_of(self._folders[home], self.mode, name)
        if path not in self._files:
            self._files[path] = self._open.enter_context(Lines(path, Entry).writing())
        return self._files[path]

    def _hold(self, folder: Path) -> None:
        with saving(folder):
            folder.mkdir(parents=True, exist_ok=True)
            try:
                self._open.enter_context(FileLock(folder / ".lock", timeout=0))
            except Timeout:
                self._open.close()
                raise UsageError(
                    f"Another page is collecting ratings for {folder.parent}. Use that one, or end it first."
                ) from None


def _as_shown(marks: dict[str, Mark], order: list[Literal["a", "b"]]) -> dict[str, Any]:
    places: dict[Mark, str] = {order[0]: "first", order[1]: "second"}
    return {name: places.get(mark, mark) for name, mark in marks.items()}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _secret(path: Path) -> bytes:
    if not path.is_file():
        with whole(path) as draft:
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_hex(32), "ascii")
    return path.read_bytes()
