"""The trace: what was written is read again, whatever ended the process."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from heartfelt import Edit, Outcome, Setup, Trace, TraceWriter
from heartfelt.errors import BadOutput, InputError
from heartfelt.events import TurnStarted, Wrote
from heartfelt.recipes import RECIPES
from scripts import DIALOGUE, REPLY, blaming, fine, good, listening, turn


async def recorded(path: Path, recipe: str = "reflective", **changes: object) -> Outcome:
    """A turn of three passes where the recipe audits, and of one where it does not, with its trace at `path`."""
    model = good(audit=[blaming("plan"), blaming("forecast"), fine], **changes)  # type: ignore[arg-type]
    return await listening(recipe, model).answer(DIALOGUE, observers=(TraceWriter(path),))


# ── there and back ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", RECIPES)
async def test_reading_gives_back_the_outcome(name: str, tmp_path: Path):
    outcome = await recorded(tmp_path / "trace.jsonl", name)
    trace = Trace.read(tmp_path / "trace.jsonl")
    assert trace.outcome == outcome and trace.best == outcome.best
    assert trace.start.dialogue == DIALOGUE and trace.setup == Setup(recipe=name)


async def test_a_step_that_passes_keep_is_one_object_after_reading(tmp_path: Path):
    outcome = await recorded(tmp_path / "trace.jsonl", "heartfelt")
    read = Trace.read(tmp_path / "trace.jsonl").outcome
    assert read is not None and len(read.passes) == 3
    for (old, new), (before, after) in zip(pairwise(outcome.passes), pairwise(read.passes), strict=True):
        was_kept = [a is b for a, b in zip(old.steps, new.steps, strict=True)]
        is_kept = [a is b for a, b in zip(before.steps, after.steps, strict=True)]
        assert is_kept == was_kept and any(is_kept) and not all(is_kept)


async def test_a_turn_that_goes_on_is_read_with_what_it_was_given(tmp_path: Path):
    first = await turn("reflective", good())
    path = tmp_path / "again.jsonl"
    edits = (Edit.parse("forecast.emotion=lonely"),)
    outcome = await listening("reflective", good()).answer_again(
        DIALOGUE, first.best, edits=edits, observers=(TraceWriter(path),)
    )
    assert Trace.read(path).outcome == outcome and outcome.best.steps[1].edited


async def test_a_live_trace_grows_to_what_the_file_holds(tmp_path: Path):
    live = Trace()
    path = tmp_path / "trace.jsonl"
    await listening("heartfelt", good()).answer(DIALOGUE, observers=(live, TraceWriter(path)))
    assert live == Trace.read(path)


async def test_the_words_of_other_scripts_survive(tmp_path: Path):
    words = "Das tut weh, Änne… 你好 🙂 \u2028 ok."
    outcome = await recorded(tmp_path / "trace.jsonl", "direct", respond=words)
    read = Trace.read(tmp_path / "trace.jsonl").outcome
    assert read == outcome and "你好 🙂" in outcome.reply


async def test_pieces_of_the_reply_are_not_written_twice(tmp_path: Path):
    pieces: list[str] = []
    path = tmp_path / "deep" / "down" / "trace.jsonl"

    def collect(event: object) -> None:
        if isinstance(event, Wrote):
            pieces.append(event.piece)

    await listening("direct", good()).answer(DIALOGUE, observers=(collect, TraceWriter(path)))
    assert "".join(pieces) == REPLY and b'"wrote"' not in path.read_bytes()


# ── cut short ───────────────────────────────────────────────────────────────────────────────────────────────────────


def read_or_refused(path: Path, data: bytes) -> Trace | None:
    """The trace in `data`, or None where it is refused in the one clear way. Any other exception fails the test."""
    path.write_bytes(data)
    try:
        return Trace.read(path)
    except InputError as error:
        assert f"{path} is not a trace" in str(error)
        return None


async def test_a_trace_cut_at_any_byte_is_readable_or_clearly_empty(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    outcome = await recorded(path, "direct")
    whole = path.read_bytes()
    head = whole.index(b"\n")
    for cut in range(len(whole) + 1):
        trace = read_or_refused(tmp_path / "cut.jsonl", whole[:cut])
        assert (trace is None) == (cut < head), cut
        if trace is not None:
            assert trace.start.dialogue == DIALOGUE
            assert trace.outcome == (outcome if cut >= len(whole) - 1 else None)


async def test_a_long_trace_cut_at_any_line_and_at_many_bytes_holds_what_was_computed_before(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    outcome = await recorded(path, "heartfelt")
    whole = path.read_bytes()
    ends = [i for i, byte in enumerate(whole) if byte == ord("\n")]
    near = {cut for end in ends for cut in (end - 1, end, end + 1, end + 2)}
    for cut in sorted(near | set(random.Random(7).sample(range(len(whole)), 250))):
        trace = read_or_refused(tmp_path / "cut.jsonl", whole[:cut])
        assert (trace is None) == (cut < ends[0])
        if trace is None:
            continue
        for part, full in zip(trace.passes, outcome.passes, strict=False):
            assert part.steps == full.steps[: len(part.steps)] and part.audit in (None, full.audit)
        if trace.passes:
            assert trace.best is trace.passes[-1] or trace.finished


async def test_an_unfinished_trace_can_be_gone_on_from(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    await recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:7]) + b'{"kind": "step fin')
    trace = Trace.read(path)
    assert trace.outcome is None and [record.step for record in trace.best.steps] == ["perceive", "forecast"]
    again = await listening("reflective", good()).answer_again(trace.start.dialogue, trace.best, start="plan")
    assert again.reply == REPLY and again.best.steps[1] is trace.best.steps[1]


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"   \n\n", b"{}", b"null", b"not a trace", b'{"turns": []}', b"\xff\xfe\x00", b"[" * 9999]
)
def test_what_is_no_trace_is_refused(data: bytes, tmp_path: Path):
    path = tmp_path / "odd.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError, match="is not a trace: its first line must tell how the turn was started"):
        Trace.read(path)


async def test_a_trace_without_its_head_is_refused_wherever_it_begins(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    await recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    for first in range(1, len(lines)):
        assert read_or_refused(tmp_path / "headless.jsonl", b"".join(lines[first:])) is None


async def test_damage_in_the_middle_is_named_by_its_line(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    await recorded(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b'{"kind": "unheard of"}\n', *lines[4:]]))
    with pytest.raises(InputError, match="line 4: "):
        Trace.read(path)


def test_a_missing_trace_and_a_folder_are_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"nothing\.jsonl cannot be read: No such file"):
        Trace.read(tmp_path / "nothing.jsonl")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        Trace.read(tmp_path)


# ── failures ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_failed_turn_leaves_what_was_computed_before_and_the_step_that_failed(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    with pytest.raises(BadOutput):
        await recorded(path, plan="I would rather not.")
    trace = Trace.read(path)
    assert trace.outcome is None and trace.failed is not None
    assert (trace.failed.error, trace.failed.step, trace.failed.raw) == ("BadOutput", "plan", "I would rather not.")
    assert [record.step for record in trace.best.steps] == ["perceive", "forecast"]


def test_an_empty_trace_says_so():
    with pytest.raises(InputError, match="The trace is empty"):
        _ = Trace().start
    with pytest.raises(InputError, match="holds no step yet"):
        _ = Trace().best
    assert Trace().outcome is None


def test_a_setup_of_another_release_is_refused_with_its_release():
    started = TurnStarted(
        version="9.9", setup={"mood": "blue"}, dialogue=DIALOGUE, dialogue_hash="", steps=(), audited=(), model="m"
    )
    with pytest.raises(InputError, match=r"made by Heartfelt 9\.9, whose setup this release cannot read: mood: "):
        _ = Trace(started=started).setup
