"""A tiny network learns to write and to mark."""

from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from heartfelt.records import Plan
from heartfelt.tuning.words.exchanges import Exchange, Worse
from heartfelt.tuning.words.lessons import WordsLessons, pack

torch = pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning.train import Training, load_network  # noqa: E402
from heartfelt.tuning.words.teach import Packed, WordsTeaching, batches, losses, marks_of, ranking, spread, teach, told_apart  # noqa: E402
from heartfelt.tuning.words.write import AnswerForm, WrittenAnswer, drawn  # noqa: E402

DIGITS = [49, 50, 51, 52, 53]
TEACHING = WordsTeaching(rank=32, alpha=64.0, rate=5e-3, epochs=12, rows=4, length=64, checks=2, mark_weight=1.0)


class Letters:
    """Cuts text into its bytes; a marker is one token."""

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        return [256 + len(text) % 20] if special else list(text.encode())


EXCHANGE = Exchange(
    id="w00-001",
    writer="w00",
    turns=("my sister moved out", "Oh. When?", "today. its just a mattress now"),
    emotion="sad",
    meaning="Her sister has moved out, and she misses her.",
    cause="its just a mattress now",
    plan=Plan(goal="comfort", stance="companion", tactic="reflecting the feeling", tone="tender"),
    reply="So she has really gone. It makes sense that you miss her.",
    worse=(Worse(kind="misread", text="Now you have the room!"),),
    close="Your sister moved out, and it's just a mattress now. You must miss her.",
)


def packed(answers: list[tuple[int, list[int], float, bool]]) -> Packed:
    """(what is asked, the answer, its mark, whether it is learnt)."""
    tokens = [[10, 11, asked, *answer] for asked, answer, _, _ in answers]
    learnt = [[False] * 3 + [flag] * len(answer) for _, answer, _, flag in answers]
    return Packed(
        np.array([t for row in tokens for t in row], np.uint32),
        np.cumsum([0, *map(len, tokens)]).astype(np.int64),
        np.full(len(tokens), 3, np.int32),
        np.array([f for row in learnt for f in row], np.bool_),
        np.array([mark for _, _, mark, _ in answers], np.float32),
    )


def network(base: Path):
    torch.manual_seed(0)
    return load_network(base, Training(rank=32, alpha=64.0, dropout=0.0), torch.device("cpu"))


def test_an_exchange_teaches_of_what_kind_it_is_what_happened_and_what_to_say(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.tuning.words.lessons.TOLD_EVENTS", 1.0)
    kind, event, reply = WordsLessons(Letters()).of(EXCHANGE.model_copy(update={"message": "loss"}), Random(1))
    for lesson, told in ((kind, f'loss"{EXCHANGE.emotion}'), (event, EXCHANGE.meaning)):
        decided = zip(lesson.tokens[lesson.asked :], lesson.decided, strict=True)
        assert bytes(t for t, flag in decided if flag and t < 256).decode() == told + '"'
    said = bytes(t for t in reply.tokens[reply.asked :] if t < 256).decode()
    assert said == EXCHANGE.close and all(reply.decided) and reply.mark == 0
    assert b"its just a mattress now" in bytes(t for t in reply.tokens[: reply.asked] if t < 256)


def test_without_a_close_reply_only_what_is_understood_is_taught():
    alone = EXCHANGE.model_copy(update={"message": "loss", "close": ""})
    lessons = [lesson for seed in range(20) for lesson in WordsLessons(Letters()).of(alone, Random(seed))]
    said = [bytes(t for t in lesson.tokens[lesson.asked :] if t < 256).decode() for lesson in lessons]
    assert EXCHANGE.reply not in said and len(said) >= 20


def test_a_kind_is_taught_alone_where_nobody_said_the_feeling():
    lesson = WordsLessons(Letters()).kind(EXCHANGE.dialogue(), "loss")
    assert bytes(lesson.tokens[lesson.asked :]).decode() == '{"kind": "loss"'


def test_a_rated_reply_is_marked_and_not_written_like(tmp_path: Path):
    lesson = WordsLessons(Letters()).rated(EXCHANGE.dialogue(), "What a mattress.", 1.5)
    assert not any(lesson.decided) and lesson.mark == 1.5
    pack([lesson], tmp_path / "a.npz")
    data = Packed.load(tmp_path / "a.npz")
    assert len(data) == 1 and not data.learnt.any() and data.tokens.tolist() == lesson.tokens


def test_a_mark_between_two_digits_is_a_share_of_each():
    assert spread(torch.tensor([1.0, 2.5, 5.0])).tolist() == [[1, 0, 0, 0, 0], [0, 0.5, 0.5, 0, 0], [0, 0, 0, 0, 1]]


def test_replies_to_the_same_message_stay_side_by_side():
    data = packed([(20 + i % 4, [60 + i, 7], 3.0, False) for i in range(32)])
    asks = data.asks[data.shuffled(np.random.default_rng(3))].tolist()
    assert sorted(asks) == [i // 8 for i in range(32)]
    assert sum(one != other for one, other in pairwise(asks)) == 3
    orders = {tuple(data.shuffled(np.random.default_rng(seed)).tolist()) for seed in range(5)}
    assert len(orders) == 5


def test_only_replies_to_the_same_message_are_ranked():
    sure = torch.log_softmax(30 * torch.eye(5), -1)
    marks, low, high = torch.tensor([1.0, 4.0]), sure[[0]], sure[[3]]
    right, wrong, others = (
        ranking(torch.cat(rows), marks, torch.tensor(asks)).item()
        for rows, asks in (((low, high), [1, 1]), ((high, low), [1, 1]), ((high, low), [1, 2]))
    )
    assert right < 0.01 and wrong > 5 and others == 0
    assert ranking(torch.cat((high, low)), torch.tensor([3.0, 3.25]), torch.tensor([1, 1])).item() == 0


def test_replies_are_told_apart_within_a_message():
    data = packed([(20, [60, 7], 1.0, False), (20, [61, 7], 4.0, False), (21, [60, 7], 2.0, False), (21, [62, 7], 0.0, True)])
    assert told_apart(np.array([1.0, 3.0, 5.0, 0.0], np.float32), data) == 1
    assert told_apart(np.array([3.0, 1.0, 0.0, 9.0], np.float32), data) == 0


def test_it_learns_to_write_and_to_mark(base: Path):
    answers = [(20 + i % 4, [100 + i % 4, 7], 0.0, True) for i in range(32)]
    answers += [(20 + i % 4, [60 + i % 2, 7], 1.0 + 4 * (i % 2), False) for i in range(32)]
    data, made = packed(answers), network(base)

    def loss() -> float:
        """Of a token of the first four answers."""
        batch = next(batches(data, np.arange(4), TEACHING, made))
        return losses(made, data, batch, DIGITS)[0].item()

    before = loss()
    teach(made, data, data, TEACHING, DIGITS, lambda _line: None)
    marks = marks_of(made, data, TEACHING, DIGITS)[32:]
    assert loss() < before - 1
    assert marks[1::2].min() > marks[0::2].max() + 2


def test_drafts_are_the_likeliest_answer_and_others_that_differ(base: Path):
    stops = frozenset(range(0, 300, 2))  # an untaught network ends only by chance
    form = AnswerForm(end=7, digits=DIGITS, stops=stops)

    def found(draws: int) -> list[list[WrittenAnswer]]:
        return drawn(network(base), [[10, at, 20] for at in range(40, 60)], form, draws=draws, seed=1, told=lambda _line: None)

    likeliest, drafts = found(0), found(5)
    assert found(5) == drafts and sum(map(len, drafts)) > len(drafts)
    for first, answers in zip(likeliest, drafts, strict=True):
        assert answers[: len(first)] == first
        assert len({tuple(each.tokens) for each in answers}) == len(answers)
        assert all(1 <= each.mark <= 5 and 7 not in each.tokens for each in answers)
