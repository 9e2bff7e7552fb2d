"""Examples: the tokens of the runtime, a mask on what the model decides, nothing of a test split."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import scripts
from heartfelt.agents import AuditSteps, ForecastEmotion, Perceive, Respond
from heartfelt.errors import InputError, UsageError
from heartfelt.evaluation.planting import STEPS, Faults
from heartfelt.labels import label_set
from heartfelt.models import Capabilities, Scripted
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded import model as embedded
from heartfelt.recipes import RECIPES
from heartfelt.records import Dialogue, Forecast
from heartfelt.tuning import corpora
from heartfelt.tuning.examples import Sizes, embedded_scribe, export, export_sets
from heartfelt.tuning.lessons import LessonShares, TalkLessons, audit_example, golds
from heartfelt.tuning.scribe import Example, Scribe, verdict_form

from . import made_up

EVERYTHING = LessonShares(*([1.0] * len(LessonShares.__dataclass_fields__)))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.corpora(tmp_path_factory.mktemp("corpora"))


def lessons(data: Path, *, seed: int = 0) -> list[Example]:
    talks = [talk for corpus in corpora.CORPORA for talk in corpora.training(corpus, data)[:8]]
    pool = [each for talk in talks if talk.labels == "ed32" for each in golds(talk, Random(0))]
    teach = TalkLessons(made_up.scribe(), Faults.of(pool), {}, EVERYTHING, seed)
    return [example for talk in talks for example in teach.of(talk)]


def learnt(example: Example) -> str:
    return made_up.text_of([token for token, counts in zip(example.tokens, example.mask, strict=True) if counts])


def test_all_tasks_are_taught(data: Path):
    tasks = Counter(example.task for example in lessons(data))
    assert set(tasks) == {
        "recognise_ed32", "recognise_ekman", "recognise_mead", "recognise_iemocap", "recognise_meld", "recognise_goemotions",
        "forecast_ed32", "forecast_meld", "perceive", "scenario", "cause", "plan", "strategy", "strategy_esconv", "goal",
        "respond", "audit", "revise", "recognise_situation",
    }  # fmt: skip


def test_the_mask_holds_exactly_what_the_model_decides(data: Path):
    scribe = made_up.scribe()
    dialogue = made_up.said("I failed, and I cried.")
    felt = scribe.ask("x", ForecastEmotion(recognise=True), scribe.view(dialogue), {"emotion": "sad"})
    assert learnt(felt) == 'sad"' and made_up.text_of(felt.tokens).endswith('assistant\n{"emotion": "sad"}')
    seen = scribe.ask("x", Perceive(), scribe.view(dialogue), {"cues": [{"quote": "I failed", "meaning": "sad"}]})
    assert learnt(seen) == 'I failed"sad"]'
    reply = scribe.reply("x", Respond(), scribe.view(dialogue), "I am sorry.")
    assert learnt(reply) == "I am sorry.<|im_end|>" and reply.mask[: len(reply.prompt)] == [0] * len(reply.prompt)


def test_an_answer_is_json_that_the_agent_would_accept(data: Path):
    for example in lessons(data):
        answer = made_up.text_of([token for piece, _ in example.pieces for token in piece])
        if answer.endswith("<|im_end|>"):
            assert "\n" not in answer
        else:
            assert json.loads(answer)


def test_an_answer_that_the_runtime_could_not_give_is_refused():
    scribe = made_up.scribe()
    with pytest.raises(UsageError):
        scribe.ask("x", ForecastEmotion(), scribe.view(made_up.said("I lost it.")), {"emotion": "hangry"})
    with pytest.raises(UsageError):
        scribe.ask("x", Perceive(), scribe.view(made_up.said("I lost it.")), {"cues": []})


def test_a_label_that_another_set_reads_otherwise_is_not_taught_to_the_same_words(data: Path):
    """While the prompt names no set, someone lonely must not be taught as `sad`."""
    prompts: dict[tuple[int, ...], set[str]] = {}
    for example in lessons(data):
        if example.task == "recognise_ed32":
            prompts.setdefault(tuple(example.prompt), set()).add(example.label)
    fine = label_set("ed32").labels
    for example in lessons(data):
        known = prompts.get(tuple(example.prompt))
        if example.task in ("recognise_ekman", "recognise_mead", "recognise_iemocap") and known:
            assert example.label in known or example.label not in fine


async def test_the_audits_form_is_the_agents_own():
    model = Scripted({"audit": scripts.fine}, capabilities=Capabilities(profile="compact", context=4096))
    scribe = Scribe(model, made_up.Bytes())
    each = next(iter(golds(corpora.Talk(_labelled(), "ed32"), Random(0))))
    planted = Faults.of([each]).audited(each, "heartfelt", Random(0))
    view = scribe.view(each.dialogue, *(record.output for record in planted.done))
    await AuditSteps().judge(view)
    (request,) = model.requests
    assert request.answer == verdict_form(STEPS["heartfelt"])
    example = audit_example(scribe, each, planted)
    assert example.prompt == embedded.chat_tokens(scribe, request.messages)  # type: ignore[arg-type]


@pytest.mark.parametrize("recipe", ["heartfelt", "reflective", "trace", "empatheia", "e3rg", "direct"])
async def test_a_view_of_records_gives_the_prompts_of_a_real_turn(recipe: str):
    """Every prompt of a whole turn is rendered again from its records, and is the same."""
    model = scripts.good("compact", capabilities=Capabilities(profile="compact", context=4096))
    outcome = await scripts.turn(recipe, model)
    scribe = Scribe(model, made_up.Bytes())
    outputs = {record.step: record.output for record in outcome.best.steps}
    for agent, place in _asked(recipe):
        before = [outputs[name] for name in RECIPES[recipe].step_names[:place] if name in outputs]
        view = scribe.view(scripts.DIALOGUE, *before)
        sent = next(request for request in model.requests if request.purpose == agent.name)
        assert scribe.prompt(agent, view, None) == embedded.chat_tokens(scribe, sent.messages)  # type: ignore[arg-type]


def _asked(recipe: str) -> list[tuple[Any, int]]:
    steps = RECIPES[recipe].steps
    return [
        (step, place) for place, step in enumerate(steps) if step.asks_model and step.name != "understand"
    ]  # not a small one


def _labelled() -> Dialogue:
    dialogue = made_up.said("My dog died last night, and I cried.", "Oh no, I am so sorry for your loss.")
    first, second = dialogue.turns
    return dialogue.model_copy(update={"turns": (first.model_copy(update={"emotion": "sad"}), second)})


# ── the export ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_export_is_whole_deterministic_and_free_of_test_words(data: Path, tmp_path: Path):
    counts = [export(tmp_path / name, data, seed=3, valid=Sizes(), scribe=made_up.scribe) for name in ("one", "two")]
    one, two = (np.load(tmp_path / name / "train.npz") for name in ("one", "two"))
    assert all((one[key] == two[key]).all() for key in one.files) and set(one.files) == set(two.files)
    assert one["offsets"][-1] == len(one["tokens"]) == len(one["mask"]) and len(one["task"]) == len(one["offsets"]) - 1
    assert counts[0]["train"]["examples"] == len(one["task"])
    words = made_up.text_of(one["tokens"].tolist())
    assert "zebra" in words and "ocelot" not in words and "walrus" not in words
    assert "ocelot" not in made_up.text_of(np.load(tmp_path / "one" / "valid.npz")["tokens"].tolist())
    assert not list((tmp_path / "one").glob("*test*"))
    other = np.load(_exported(tmp_path / "three", data, seed=4) / "train.npz")
    assert len(other["tokens"]) != len(one["tokens"]) or (other["tokens"] != one["tokens"]).any()


def test_training_never_opens_a_test_file(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(corpus: str, folder: Path) -> list[corpora.Talk]:
        raise AssertionError("The test split was opened.")

    monkeypatch.setattr(corpora, "scored_test", refuse)
    _exported(tmp_path, data)
    with pytest.raises(AssertionError):
        export_sets(tmp_path, data, "test", scribe=made_up.scribe)


def test_evaluation_sets_can_be_put_together_again(data: Path, tmp_path: Path):
    counts = export_sets(tmp_path, data, "test", scribe=made_up.scribe)
    assert counts == {"ed32": 6, "own": 6, "meld": 3, "meld_forecast": 2, "audit": 6}
    chosen = np.load(tmp_path / "eval_test_ed32.npz")
    prompt = made_up.text_of(chosen["tokens"][: chosen["offsets"][1]].tolist())
    options = [
        made_up.text_of(chosen["options"][start:end].tolist())
        for start, end in zip(chosen["option_offsets"][:-1], chosen["option_offsets"][1:], strict=True)
    ]
    assert prompt.endswith('What does User feel?<|im_end|>\n<|im_start|>assistant\n{"emotion": "')
    assert options[chosen["gold"][0]] == 'sad"' and len(options) == 32
    audit = np.load(tmp_path / "eval_test_audit.npz")
    assert made_up.text_of(audit["between_reflective"][: audit["between_reflective_offsets"][1]].tolist()) == ', "forecast": "'
    assert set(audit["gold"].ravel().tolist()) <= {-1, 0, 1}


def test_ones_own_dialogues_are_enough(tmp_path: Path):
    made_up.own(tmp_path, "train", "zebra")
    counts = export(tmp_path / "out", tmp_path, scribe=made_up.scribe, told=lambda *_: None)
    assert counts["talks"] == {"train": {"own": 5}, "valid": {"own": 1}}
    assert {"respond", "audit", "recognise_ed32"} <= set(counts["train"]["tasks"])
    assert counts["eval"]["ed32"] == 1 and not (tmp_path / "out" / "eval_valid_meld.npz").exists()
    with pytest.raises(InputError, match="There is no test split of any corpus"):
        export_sets(tmp_path / "out", tmp_path, "test", scribe=made_up.scribe)


def test_how_far_it_is_is_told(data: Path, tmp_path: Path):
    told: list[tuple[str, int, int]] = []
    export(tmp_path, data, valid=Sizes(), scribe=made_up.scribe, told=lambda *going: told.append(going))
    assert [what for what, _, _ in told] == ["train examples", "valid examples"] and all(
        done == total for _, done, total in told
    )


def test_a_split_without_dialogues_is_an_error(tmp_path: Path):
    path = made_up.own(tmp_path, "train", "zebra")
    path.write_text(path.read_text("utf-8").splitlines()[0], "utf-8")
    with pytest.raises(InputError, match=r"No dialogue of own in .* belongs to the validation split"):
        export(tmp_path / "out", tmp_path, scribe=made_up.scribe)
    assert not (tmp_path / "out").exists()


def _exported(out: Path, data: Path, *, seed: int = 0) -> Path:
    export(out, data, seed=seed, valid=Sizes(), scribe=made_up.scribe)
    return out


# ── against the real engine ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
async def test_examples_are_the_tokens_that_a_real_turn_feeds(monkeypatch: pytest.MonkeyPatch):
    fed: list[list[int]] = []
    cut = embedded.chat_tokens

    def watch(engine: Any, messages: Any) -> list[int]:
        fed.append(cut(engine, messages))
        return fed[-1]

    monkeypatch.setattr(embedded, "chat_tokens", watch)
    model = EmbeddedModel()
    engine = await asyncio.get_running_loop().run_in_executor(model._worker, model.load)
    scribe = Scribe(model, engine)
    view = scribe.view(scripts.DIALOGUE)
    record = await ForecastEmotion(recognise=True).run(view)
    assert isinstance(record.output, Forecast)
    answer = {"emotion": record.output.emotion}
    example = scribe.ask("x", ForecastEmotion(recognise=True), view, answer)
    assert fed == [example.prompt]
    written = next(kept.tokens for kept in engine._kept if kept.tokens[: len(example.prompt)] == example.prompt)
    assert example.tokens[: len(written)] == written  # what stands after the choice need not be read
    await model.close()


@pytest.mark.embedded
def test_the_masked_tokens_of_the_real_vocabulary_spell_the_answer():
    scribe = embedded_scribe()
    engine: Any = scribe._engine
    example = scribe.ask("x", ForecastEmotion(), scribe.view(made_up.said("I lost it.")), {"emotion": "apprehensive"})
    assert engine.text([t for t, m in zip(example.tokens, example.mask, strict=True) if m]) == 'apprehensive"'
    reply = scribe.reply("x", Respond(), scribe.view(made_up.said("I lost it.")), "I am sorry.")
    assert reply.tokens[-1] in engine.ends and max(reply.tokens) < 2**16
    engine.close()
