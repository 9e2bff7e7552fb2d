import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from heartfelt.errors import InputError, ModelError, ModelTimeout, UnknownName
from heartfelt.models import scripted, seam
from heartfelt.models.answers import parse
from heartfelt.models.scripted import Scripted
from heartfelt.models.seam import Capabilities, Completion, Message, Model, Request

SCHEMA = seam.fields(
    emotion=seam.one_of(["joy", "sadness"]),
    cues=seam.many(seam.fields(source=seam.one_of(["words", "face"]), quote=seam.text(40)), least=1, most=2),
)
ANSWER = {"emotion": "sadness", "cues": [{"source": "words", "quote": "My cat died."}]}


async def test_answers_by_purpose_and_repeats_the_last(request_: Request):
    model: Model = Scripted({"respond": ["One.", "Two."], "perceive": ANSWER})
    assert [(await model.complete(request_)).text for _ in range(3)] == ["One.", "Two.", "Two."]
    perceive = request_.model_copy(update={"purpose": "perceive", "answer": SCHEMA})
    assert parse((await model.complete(perceive)).text, SCHEMA) == ANSWER


async def test_counts_and_keeps_what_was_asked(request_: Request):
    model = Scripted({"respond": "Hello.", "plan": "Listen."})
    await model.complete(request_)
    await model.complete(request_.model_copy(update={"purpose": "plan"}))
    assert model.calls == {"respond": 1, "plan": 1}
    assert [r.purpose for r in model.requests] == ["respond", "plan"] and model.asked("plan") == model.requests[1:]


async def test_a_strict_script_ends(request_: Request):
    model = Scripted({"respond": ["One."]}, strict=True)
    await model.complete(request_)
    with pytest.raises(ModelError, match="1 answers for 'respond' and was asked once more"):
        await model.complete(request_)


async def test_errors_and_functions(request_: Request):
    model = Scripted({"respond": [ModelTimeout("Too slow."), lambda r: r.messages[-1].text, lambda _: ValueError("odd")]})
    with pytest.raises(ModelTimeout):
        await model.complete(request_)
    assert (await model.complete(request_)).text == "My cat died."
    with pytest.raises(ValueError, match="odd"):
        await model.complete(request_)


async def test_an_unknown_purpose_is_named(request_: Request):
    with pytest.raises(UnknownName, match=r"no scripted purpose 'respond'\. .*Known: respnod"):
        await Scripted({"respnod": "Hello."}).complete(request_)


@pytest.mark.parametrize("text", ["I am so sorry.", "  two\n\nlines \n", "", "one"])
async def test_streams_word_by_word(request_: Request, text: str):
    *pieces, completion = [piece async for piece in Scripted({"respond": text}).stream(request_)]
    assert isinstance(completion, Completion) and completion.text == text == "".join(map(str, pieces))
    assert len(pieces) >= len(text.split())


async def test_tokens_are_plausible_and_shared_prefixes_cached(request_: Request):
    model = Scripted({"respond": "I am so sorry."})
    first = (await model.complete(request_)).usage
    longer = (*request_.messages, Message(role="assistant", text="I am so sorry."))
    second = (await model.complete(request_.model_copy(update={"messages": longer}))).usage
    assert (first.prompt_tokens, first.cached_tokens, first.output_tokens) == (9, 0, 4)
    assert 0 < second.cached_tokens <= first.prompt_tokens < second.prompt_tokens


async def test_closed_choices_come_with_probabilities_if_the_model_gives_them(request_: Request):
    request = request_.model_copy(update={"answer": SCHEMA})
    assert (await Scripted({"respond": ANSWER}).complete(request)).probabilities == {}
    model = Scripted({"respond": ANSWER}, capabilities=Capabilities(probabilities=True))
    assert (await model.complete(request)).probabilities == {
        "emotion": {"joy": 0.0, "sadness": 1.0},
        "cues.0.source": {"words": 1.0, "face": 0.0},
    }


async def test_loads_from_a_file(tmp_path: Path, request_: Request):
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"perceive": [ANSWER], "respond": ["I am so sorry."]}))
    model = Scripted.load(path)
    assert model.name == "scripted:script.json" and repr(model) == "Scripted(perceive, respond)"
    assert (await model.complete(request_)).text == "I am so sorry."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "is not JSON"),
        ([], "must be an object"),
        ({"respond": [3]}, "answers 'respond' with 3"),
        ({"respond": None}, "answers 'respond' with null"),
        ({"respond": []}, "has no answer for 'respond'"),
        (None, "cannot be read: No such file"),
    ],
)
def test_a_file_that_is_no_script_is_explained(tmp_path: Path, content: Any, words: str):
    path = tmp_path / "script.json"
    if content is not None:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(InputError, match=words):
        Scripted.load(path)


def test_the_examples_in_the_docs_are_true():
    assert doctest.testmod(scripted).failed == 0
