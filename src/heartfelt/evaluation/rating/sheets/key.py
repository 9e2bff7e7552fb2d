"""From replies to sheets, and the key that says which letter is whose."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from string import ascii_uppercase

from pydantic import ValidationError

from heartfelt.errors import DamagedError, InputError, UsageError
from heartfelt.evaluation.judging.pairs import drawn
from heartfelt.evaluation.lines import saving
from heartfelt.evaluation.rating.sheets.given import SheetOpening
from heartfelt.files import whole
from heartfelt.records import Record

KEY, SHEETS = "key.json", "sheets"
NO_REPLY = "(no reply)"
HEAD = """\
{sheet}: rate every reply as brief.md says. Your answers: a file {sheet}.YOURNAME beside this one, one line a reply:
ITEM LETTER MARK FLAGS
"""


class LetteredReply(Record):
    """A reply under a letter."""

    text: str
    systems: tuple[str, ...]
    """All that gave it: equal replies are shown once."""


class SheetItem(Record):
    number: int
    sheet: str
    opening: str
    turns: tuple[str, ...]
    replies: dict[str, LetteredReply]
    """By letter."""


class Key(Record):
    seed: int
    systems: tuple[str, ...]
    items: tuple[SheetItem, ...]

    def sheets(self) -> dict[str, list[SheetItem]]:
        found: dict[str, list[SheetItem]] = {}
        for item in self.items:
            found.setdefault(item.sheet, []).append(item)
        return found


def lay_out(openings: Iterable[SheetOpening], systems: Mapping[str, Mapping[str, str]], *, per: int = 25, seed: int = 0) -> Key:
    """`per` openings a sheet, in their order; the replies of each in an order of its own."""
    items = tuple(
        SheetItem(
            number=place + 1,
            sheet=f"sheet-{place // per + 1:02}",
            opening=opening.id,
            turns=opening.turns,
            replies=_lettered(opening.id, systems, seed),
        )
        for place, opening in enumerate(openings)
    )
    return Key(seed=seed, systems=tuple(systems), items=items)


def write_sheets(key: Key, folder: Path) -> None:
    """The key comes last: a folder with one is whole."""
    if is_sheets(folder):
        raise UsageError(f"There are sheets in {folder} already. Choose another folder, or delete that one.")
    texts = {"brief.md": files("heartfelt.evaluation.rating.sheets").joinpath("brief.md").read_text("utf-8")}
    texts |= {f"{sheet}.txt": "\n".join([HEAD.format(sheet=sheet), *map(_text, of)]) for sheet, of in key.sheets().items()}
    with saving(folder):
        (folder / SHEETS).mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / SHEETS / name).write_text(text, "utf-8")
        with whole(folder / KEY) as draft:
            draft.write_text(key.model_dump_json(indent=1), "utf-8")


def is_sheets(folder: Path) -> bool:
    return (folder / KEY).is_file()


def read_key(folder: Path) -> Key:
    if not is_sheets(folder):
        raise InputError(f"There are no sheets in {folder}: it has no {KEY}. Write some with: heartfelt rate sheet")
    try:
        return Key.model_validate_json((folder / KEY).read_bytes())
    except ValidationError as error:
        raise DamagedError(f"{folder / KEY} is damaged: {error.errors()[0]['msg']}. Write the sheets again.") from error


def _lettered(opening: str, systems: Mapping[str, Mapping[str, str]], seed: int) -> dict[str, LetteredReply]:
    """The order depends on the words alone, so it tells nothing of who wrote them."""
    by_text: dict[str, list[str]] = {}
    for name, replies in systems.items():
        if opening in replies:
            by_text.setdefault(_plain(replies[opening]) or NO_REPLY, []).append(name)
    if len(by_text) > len(ascii_uppercase):
        raise UsageError(f"'{opening}' has {len(by_text)} different replies, and there are 26 letters. Compare fewer systems.")
    shuffled = sorted(by_text, key=lambda text: drawn(seed, f"{opening}\x00{text}"))
    return {
        letter: LetteredReply(text=text, systems=tuple(by_text[text]))
        for letter, text in zip(ascii_uppercase, shuffled, strict=False)
    }


def _text(item: SheetItem) -> str:
    return "\n".join([f"=== {item.number}", *_turns(item.turns), "", *_replies(item.replies)]) + "\n"


def _turns(turns: tuple[str, ...]) -> Iterator[str]:
    for place, text in enumerate(turns):
        yield _said("U" if (len(turns) - place) % 2 else "L", text)


def _replies(replies: dict[str, LetteredReply]) -> Iterator[str]:
    return (_said(letter, shown.text) for letter, shown in replies.items())


def _said(who: str, text: str) -> str:
    """Further lines are set in, so that none can pass for another's words."""
    return f"{who}: " + _plain(text).replace("\n", "\n   ")


def _plain(text: str) -> str:
    """Without odd spaces and empty lines."""
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
