"""Guided writing on a double of the engine whose tokens are single bytes and whose wishes are known."""

from collections import Counter
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from heartfelt.models.embedded.engine import Cursor, Engine
from heartfelt.models.embedded.guided import GuidedWriter, Sampler, spelled
from heartfelt.models.seam import Schema, canonical, fields, many, misfits, one_of, text

END = 256
WIDE = 400
"""Bytes, the end, and tokens that nobody wants."""


class Bytes:
    """An engine whose tokens are bytes."""

    def __init__(self) -> None:
        self.pieces = [bytes([i]) for i in range(256)] + [b"<|im_end|>"] + [b"<|x|>"] * (WIDE - 257)
        self.ends = frozenset({END})
        self.masks: dict[str, NDArray[np.bool_]] = {}

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        return list(text.encode())


class Wish:
    """A cursor of a model that wants to write `target`, and notes what was really written."""

    def __init__(self, target: list[int]):
        self.target, self.fed, self.room = target, list[int](), 10_000

    @property
    def next(self) -> NDArray[np.float32]:
        logits = np.zeros(WIDE, dtype=np.float32)
        logits[self.target[len(self.fed)] if len(self.fed) < len(self.target) else END] = 30
        return logits

    def feed(self, tokens: list[int]) -> None:
        self.fed += tokens

    def score(self, options: list[list[int]], *, taught: bool = False) -> NDArray[np.float64]:
        rest = self.target[len(self.fed) :]
        return np.array([0.0 if rest[: len(option)] == option else -10.0 for option in options])


def writer_of(target: list[int], *, temperature: float = 0.0) -> tuple[GuidedWriter, Wish]:
    wish = Wish(target)
    sampler = Sampler(temperature=temperature, top_p=0.95, seed=0)
    return GuidedWriter(cast(Engine, Bytes()), cast(Cursor, wish), sampler), wish


# ── spelling ────────────────────────────────────────────────────────────────────────────────────────────────────────

words = st.text("abc é,:{}[]", min_size=1, max_size=8).filter(lambda said: said == said.strip())
names = st.text("abc", min_size=1, max_size=3)


@st.composite
def choices(draw: st.DrawFn) -> tuple[Schema, str]:
    options = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    return one_of(options), draw(st.sampled_from(options))


@st.composite
def lists(draw: st.DrawFn) -> tuple[Schema, list[Any]]:
    options = draw(st.lists(words, min_size=2, max_size=4, unique=True))
    taken = draw(st.lists(st.sampled_from(options), min_size=1, max_size=4, unique=True))
    least, most = draw(st.integers(1, len(taken))), draw(st.integers(len(taken), 5))
    if draw(st.booleans()):
        return many(one_of(options), least=least, most=most), taken
    other, value = draw(choices())
    items = [{"quote": quote, "meaning": value} for quote in taken]
    return many(fields(quote=one_of(options), meaning=other), least=least, most=most), items


texts = words.map(lambda said: (text(4 * len(said.encode()) + 8), said))


@st.composite
def answers(draw: st.DrawFn) -> tuple[Schema, dict[str, Any]]:
    inner = draw(st.dictionaries(names, choices() | lists() | texts, min_size=1, max_size=3))
    return fields(**{name: schema for name, (schema, _) in inner.items()}), {name: value for name, (_, value) in inner.items()}


@given(answers() | answers().map(lambda answer: (fields(outer=answer[0]), {"outer": answer[1]})))
def test_a_writer_writes_the_very_tokens_that_are_spelled(answer: tuple[Schema, dict[str, Any]]):
    schema, value = answer
    pieces = spelled(lambda said: list(said.encode()), schema, value)
    target = [token for tokens, _ in pieces for token in tokens]
    writer, wish = writer_of(target)
    assert writer.value(schema) == value
    assert wish.fed + writer._pending == target
    assert bytes(target).decode() == canonical(value) and misfits(schema, value) == []


def test_only_what_is_open_is_for_the_model_to_decide():
    schema = fields(cues=many(one_of(("a", "b", "c")), least=1, most=2), only=one_of(("x",)), why=text(40))
    pieces = spelled(lambda said: list(said.encode()), schema, {"cues": ["b"], "only": "x", "why": "so"})
    assert [bytes(tokens).decode() for tokens, decided in pieces if decided] == ['b"', "]", "so", '"']


@pytest.mark.parametrize(("items", "open_end"), [(["a"], False), (["a", "b"], True), (["a", "b", "c"], False)])
def test_the_end_of_a_list_is_a_choice_only_between_its_limits(items: list[str], open_end: bool):
    schema = many(one_of(("a", "b", "c", "d")), least=2 if len(items) > 1 else 1, most=3 if len(items) > 1 else 1)
    assert spelled(lambda said: list(said.encode()), schema, items)[-1] == (list(b"]"), open_end)


# ── a writer that meets trouble ─────────────────────────────────────────────────────────────────────────────────────


def test_whatever_the_model_wants_the_answer_fits():
    schema = fields(cues=many(one_of(("a", "b")), least=1, most=2), why=text(40), emotion=one_of(("sad", "glad")))
    for wanted in (b"", b'{"nonsense', bytes([END - 1] * 300), b"\\\\\\\n\n\x00", b'""""'):
        writer, _ = writer_of(list(wanted))
        value = writer.value(schema)
        assert set(value) == {"cues", "why", "emotion"} and 1 <= len(value["cues"]) <= 2 and value["emotion"] in ("sad", "glad")
        assert '"' not in value["why"] and "\\" not in value["why"] and "<|" not in value["why"]
        assert sum(writer.probabilities["emotion"].values()) == pytest.approx(1)


def test_a_closed_choice_comes_with_its_probabilities():
    writer, _ = writer_of(list(b'{"emotion": "glad"}'))
    writer.value(fields(emotion=one_of(("sad", "glad"))))
    assert writer.probabilities["emotion"]["glad"] == pytest.approx(1, abs=1e-3) and writer.written == 1


@pytest.mark.parametrize(
    ("wanted", "stop", "said", "ended"),
    [
        (b"I see.", (), "I see.", True),
        (b"I see.\n\nUser: no", ("\n\n",), "I see.", True),
        (b"I see.\nReally.", ("\n\n", "\n"), "I see.", True),
        (b"a" * 200, (), "a" * 50, False),
        ("Größe 🙂".encode(), ("\n",), "Größe 🙂", True),
    ],
)
def test_text_ends_by_itself_at_a_stop_or_at_the_limit(wanted: bytes, stop: tuple[str, ...], said: str, ended: bool):
    pieces: list[str] = []
    writer, _ = writer_of([*wanted, END])
    assert writer.text(50, stop, pieces.append) == (said, ended)
    assert said.startswith("".join(pieces)) and "\ufffd" not in "".join(pieces), "nothing is shown that is taken back"


def test_text_ends_where_the_context_does():
    writer, wish = writer_of(list(b"a" * 100))
    wish.room = 11
    assert writer.text(50, (), lambda _: None) == ("a" * 10, False)


# ── the sampler ─────────────────────────────────────────────────────────────────────────────────────────────────────


def logits(**wanted: float) -> NDArray[np.float32]:
    made = np.full(WIDE, -50, dtype=np.float32)
    for token, value in wanted.items():
        made[int(token[1:])] = value
    return made


def test_without_temperature_the_likeliest_is_taken():
    sampler = Sampler(temperature=0, top_p=0.1, seed=5)
    assert {sampler.token(logits(t7=1, t9=1.1)) for _ in range(20)} == {9}
    assert {sampler.option(np.array([0.2, 0.5, 0.3])) for _ in range(20)} == {1}


def test_the_same_seed_draws_the_same_and_another_one_does_not():
    def drawn(seed: int) -> list[int]:
        sampler = Sampler(temperature=1, top_p=1, seed=seed)
        return [sampler.token(logits(t1=1, t2=1, t3=1)) for _ in range(30)]

    assert drawn(4) == drawn(4) != drawn(5)


def test_tokens_are_drawn_as_often_as_they_are_likely():
    sampler = Sampler(temperature=1, top_p=1, seed=0)
    counts = Counter(sampler.token(logits(t1=np.log(0.7), t2=np.log(0.3))) for _ in range(2000))
    assert counts[1] / 2000 == pytest.approx(0.7, abs=0.04) and counts[1] + counts[2] == 2000


def test_a_lower_temperature_is_surer():
    def share(temperature: float) -> float:
        sampler = Sampler(temperature=temperature, top_p=1, seed=0)
        return sum(sampler.option(np.array([0.6, 0.4])) == 0 for _ in range(1000)) / 1000

    assert share(0.3) > share(1.0) > share(3.0)


def test_what_is_beyond_top_p_is_never_drawn():
    sampler = Sampler(temperature=1, top_p=0.5, seed=0)
    assert {sampler.token(logits(t1=np.log(0.6), t2=np.log(0.4))) for _ in range(100)} == {1}
    assert {Sampler(temperature=2, top_p=0.0, seed=s).token(logits(t8=3, t2=2)) for s in range(20)} == {8}, "one is always left"


def test_forbidden_tokens_are_never_drawn():
    writer, _ = writer_of([300, END], temperature=2.0)
    assert "<|" not in writer.text(30, (), lambda _: None)[0]
