import doctest
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cost import growth
from heartfelt.errors import BadOutput
from heartfelt.models import answers, seam
from heartfelt.models.answers import ThinkingFilter, parse, without_thinking
from heartfelt.models.seam import Schema

EVENT = seam.fields(event=seam.text(80))

# ── schemas and values that fit them ────────────────────────────────────────────────────────────────────────────────

names = st.from_regex(r"[a-z]{1,8}", fullmatch=True)
words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).filter(
    lambda text: bool(text.strip()) and without_thinking(text) == text.strip()
)
leaves = st.one_of(st.just(seam.text(30)), st.lists(names, min_size=1, max_size=4, unique=True).map(seam.one_of))
nested = st.recursive(
    leaves,
    lambda inner: st.one_of(
        inner.map(lambda item: seam.many(item, least=1, most=3)),
        st.dictionaries(names, inner, min_size=1, max_size=3).map(lambda named: seam.fields(**named)),
    ),
    max_leaves=6,
)
schemas = nested.filter(lambda schema: schema["type"] != "string")
prose = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='{}[]<>"`|'), max_size=40)


def values(schema: Schema) -> st.SearchStrategy[Any]:
    match schema["type"]:
        case "string":
            return st.sampled_from(schema["enum"]) if "enum" in schema else words
        case "array":
            return st.lists(values(schema["items"]), min_size=schema["minItems"], max_size=schema["maxItems"])
        case _:
            return st.fixed_dictionaries({name: values(inner) for name, inner in schema["properties"].items()})


answered = schemas.flatmap(lambda schema: st.tuples(st.just(schema), values(schema)))


@settings(deadline=None, max_examples=150)
@given(answered, prose, prose, st.sampled_from(["{}", "```json\n{}\n```", "```\n{}```"]), st.booleans(), st.booleans())
def test_any_value_is_found_again(pair: tuple[Schema, Any], before: str, after: str, wrap: str, indent: bool, escape: bool):
    schema, value = pair
    written = json.dumps(value, indent=2 if indent else None, ensure_ascii=escape)
    thought = '<think>Perhaps {"event": 1}?</think>'
    assert parse(thought + before + wrap.replace("{}", written) + after, schema) == value


# ── parsing, case by case ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        '{"event": "loss"}',
        '{"event": "loss",}',
        '{"event": "loss", "more": ["a", "b",],}',
        'Of course!\n```json\n{"event": "loss"}\n```\nDoes that help?',
        'Not {this} but {"event": "loss"} it is',
        '{"answer": {"event": "loss"}}',
        '[{"event": "loss"}]',
        'First {"event": 3}, no: {"event": "loss"}',
        'I reason without an opening tag {"event": "no"}</think>{"event": "loss"}',
    ],
)
def test_what_can_be_read_is_read(text: str):
    assert parse(text, EVENT)["event"] == "loss"


def test_strings_keep_what_looks_like_a_mistake():
    assert parse('{"event": "a ,} b\nc \\" ,]",}', EVENT) == {"event": 'a ,} b\nc " ,]'}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("<think>I never stop", "is empty"),
        ("I would rather not.", "holds no JSON"),
        ('{"event": "lo', "cannot be read: Unterminated string"),
        ('{"feeling": "sad"}', "answer.event is missing"),
        ('{"event": " "}', "answer.event must be a non-empty text"),
        ("[1, 2]", "answer must be an object with event"),
        ("[" * 20_000, "too deep"),
    ],
)
def test_what_cannot_be_read_is_explained(text: str, complaint: str):
    with pytest.raises(BadOutput, match=complaint) as caught:
        parse(text, EVENT)
    assert caught.value.raw == text


@pytest.mark.parametrize("text", ["joy", '"joy"', "```\njoy\n```", 'I would say "joy", as she smiles.', "<think>…</think> joy"])
def test_a_lone_choice(text: str):
    assert parse(text, seam.one_of(["joy", "anger"])) == "joy"


def test_a_lone_text_keeps_its_quotes():
    assert parse('He said "hi" to me.', seam.text(80)) == 'He said "hi" to me.'


def test_rubbish_is_refused_quickly():
    def refused(times: int) -> None:
        with pytest.raises(BadOutput):
            parse('{"a": [' * times, EVENT)

    assert growth(refused, 100, 1600, enough=96) <= 96  # were it quadratic, it would be 256 times as long


# ── thinking ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hello.", "Hello."),
        ("<think>Hm.</think>\n\nHello.\n", "Hello."),
        ("Hel<think>Hm. <b></think>lo.", "Hello."),
        ("<thinking>Hm.</thinking>Hello.", "Hello."),
        ("[THINK]Hm.[/THINK]Hello.", "Hello."),
        ("Hello. <think>I go on", "Hello."),
        ("Hm, I wonder.</think>Hello.", "Hello."),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>", "Hello."),
        ("<|channel|>final<|message|>Hello.", "Hello."),
        ("<|channel>thought\nHm.<channel|>Hello.", "Hello."),
        ("1 <2 and <thin", "1 <2 and <thin"),
    ],
)
def test_thinking_is_taken_out(text: str, left: str):
    assert without_thinking(text) == left


parts = st.sampled_from(["<think>", "<thinking>", "[THINK]", "<th", "<", " ", "\n", "a", "b c", "<think>x</think>", "é"])


@given(st.lists(parts, max_size=8).map("".join), st.data())
def test_it_does_not_matter_where_the_pieces_are_cut(text: str, data: st.DataObject):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    thinking = ThinkingFilter()
    assert "".join(thinking.feed(piece) for piece in pieces) + thinking.end() == without_thinking(text)


def test_words_do_not_wait_for_the_end():
    thinking = ThinkingFilter()
    assert [thinking.feed(piece) for piece in ("I ", "am ", "here")] == ["I", " am", " here"]


def test_the_examples_in_the_docs_are_true():
    assert doctest.testmod(answers).failed == 0
