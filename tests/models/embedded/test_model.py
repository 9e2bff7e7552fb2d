"""The embedded model behind the seam, and whole turns with it."""

import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from heartfelt import Listener, Setup, Trace, TraceWriter
from heartfelt.errors import InputError, ModelTimeout
from heartfelt.intake import of_text
from heartfelt.models import Completion, Message, Request
from heartfelt.models.embedded import EmbeddedModel, builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.seam import Tokenizing, fields, many, misfits, one_of, text
from heartfelt.recipes import RECIPES
from heartfelt.records import Outcome
from heartfelt.weights import Store

from .conftest import forget

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("embedded")]

SAID = "I failed my driving test today, and my father laughed at me."
FORM = fields(
    cues=many(one_of(("I failed", "he laughed")), least=1, most=2), why=text(60), emotion=one_of(("sad", "glad", "furious"))
)


def ask(said: str = SAID, **changes: object) -> Request:
    messages = (Message(role="system", text="You are a kind listener."), Message(role="user", text=said))
    return Request.model_validate({"purpose": "respond", "messages": messages, "max_tokens": 16} | changes)


async def a_while(model: EmbeddedModel) -> float:
    """Seconds in which a short answer surely comes and a long one does not, on a machine as busy as this one."""
    await model.complete(ask())
    began = time.monotonic()
    await model.complete(ask("Is it late?"))
    return 5 + 20 * (time.monotonic() - began)


async def test_its_tokenizer_counts_what_it_would_read(model: EmbeddedModel):
    count = await model.tokenizer()
    assert isinstance(model, Tokenizing) and count("") == 0 and count(SAID) == len(model.load().tokens(SAID)) > 10
    assert count("<|im_start|>") > 1  # a marker that somebody types is plain words


# ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("build", ["wheel", "fast"])
async def test_every_build_loads_and_answers(model: EmbeddedModel, build: str):
    if build not in builds.available(Store()):
        pytest.skip("the fast engine was not pulled")
    other = model if model.build == build else EmbeddedModel(build=build)
    said = await other.complete(ask())
    assert said.text.strip() and said.model == f"embedded:heartfelt-3/{build}" and said.usage.prompt_tokens > 20
    formed = await other.complete(ask(answer=FORM))
    assert misfits(FORM, json.loads(formed.text)) == [] and sum(formed.probabilities["emotion"].values()) == pytest.approx(1)
    if other is not model:
        await other.close()


async def test_drafts_are_written_side_by_side_and_told_how_much_they_owe_to_what_was_said(model: EmbeddedModel):
    nothing = ask("…").messages
    request = ask(temperature=0.9, seed=5, max_tokens=40, drafts=4, unheard=nothing, stop=("\n",))
    made = await model.complete(request)
    texts = [draft.text for draft in made.drafts]
    assert len(texts) == 4 and len(set(texts)) > 1 and made.text == texts[0] and not any("\n" in text for text in texts)
    assert all(draft.likely < 0 and draft.unheard < 0 for draft in made.drafts)
    assert sum(draft.likely - draft.unheard for draft in made.drafts) > 0, "they answer what was said"
    warm, again = [[draft.text for draft in (await model.complete(request)).drafts] for _ in range(2)]
    assert warm == again, "read in the same pieces, it is written the same"
    alone = await model.complete(request.model_copy(update={"drafts": 1}))
    assert alone.drafts == () and alone.text


async def test_the_same_request_has_the_same_answer_and_reads_only_the_end(model: EmbeddedModel):
    await model.complete(ask())
    first = await model.complete(ask(temperature=0.8, seed=3))
    again = await model.complete(ask(temperature=0.8, seed=3))
    assert first.text == again.text and again.usage.cached_tokens == again.usage.prompt_tokens - 1
    assert {(await model.complete(ask(temperature=1.5, seed=seed))).text for seed in range(4)} != {first.text}


async def test_a_stream_is_the_completion_in_pieces(model: EmbeddedModel):
    pieces = [piece async for piece in model.stream(ask(stop=("\n",)))]
    last = pieces.pop()
    assert isinstance(last, Completion) and len(pieces) > 3
    assert last.text.startswith("".join(piece for piece in pieces if isinstance(piece, str)))


async def test_requests_that_come_together_are_answered_one_after_the_other(model: EmbeddedModel):
    said = await asyncio.gather(*(model.complete(ask(f"{name} left me.")) for name in ("Ana", "Ben", "Ana")))
    assert all(completion.text for completion in said) and said[2].usage.cached_tokens == said[2].usage.prompt_tokens - 1


# ── given up ────────────────────────────────────────────────────────────────────────────────────────────────────────


LONG = "I am so tired of it all. " * 350
"""Takes the engine seconds to read."""


@pytest.mark.parametrize("moment", ["reading", "writing"])
async def test_a_call_that_is_cancelled_ends_soon_and_the_next_one_works(
    model: EmbeddedModel, moment: str, caplog: pytest.LogCaptureFixture
):
    begun = asyncio.Event()

    async def consume() -> None:
        said = LONG if moment == "reading" else "Tell me a very long story."
        async for _ in model.stream(ask(said, max_tokens=2000, temperature=0.9)):
            begun.set()

    soon = await a_while(model)
    task = asyncio.ensure_future(consume())
    await (asyncio.sleep(0.1) if moment == "reading" else begun.wait())
    task.cancel()
    started = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await model.complete(ask())).text and time.monotonic() - started < soon
    gc.collect()
    assert caplog.records == [], "nobody is bothered with an answer that nobody wanted"


async def test_a_call_out_of_time_is_told_and_the_next_one_works(model: EmbeddedModel):
    soon = await a_while(model)
    with pytest.raises(ModelTimeout, match=r"did not finish 'respond' in 0 s\. Allow more time or ask for less\."):
        await model.complete(ask(LONG, timeout=0.1))
    started = time.monotonic()
    assert (await model.complete(ask())).text and time.monotonic() - started < soon


async def test_a_text_that_is_too_long_is_refused(model: EmbeddedModel):
    with pytest.raises(InputError, match="tokens and the embedded model holds 4096"):
        await model.complete(ask("I am so tired. " * 1300))
    assert (await model.complete(ask())).text


async def test_one_model_that_is_closed_leaves_the_others_alone(model: EmbeddedModel):
    """The library goes on calling what it was given: nothing of a closed model may be forgotten under it."""
    other = EmbeddedModel(build=model.build)
    assert (await other.complete(ask())).text
    await other.close()
    del other
    gc.collect()
    assert (await model.complete(ask())).text
    small = Engine(model.load().llama, builds.weights(Store(), builds.TUNED), context=512)
    small.close()


# ── whole turns ─────────────────────────────────────────────────────────────────────────────────────────────────────


def outputs(outcome: Outcome) -> list[list[object]]:
    return [[record.output for record in made.steps] for made in outcome.passes]


@pytest.mark.parametrize("recipe", RECIPES)
async def test_every_recipe_answers(model: EmbeddedModel, recipe: str):
    outcome = await Listener(Setup(recipe=recipe, memory="none"), model=model).answer(of_text(SAID))
    assert outcome.reply and len(outcome.passes) <= 3
    able = ("understand", "forecast", "deliver", "respond")
    steps = able if recipe == "heartfelt" else RECIPES[recipe].step_names
    assert all(tuple(record.step for record in made.steps) == steps for made in outcome.passes)
    assert json.loads(outcome.model_dump_json())["reply"] == outcome.reply


async def test_a_turn_again_gives_the_same_records_and_may_start_in_the_middle(model: EmbeddedModel, tmp_path: Path):
    """From the same start: what the engine kept of other prompts changes how it rounds (see ROUNDING)."""
    listener = Listener(Setup(recipe="reflective", memory="none", seed=11), model=model)
    forget(model.load())
    first = await listener.answer(of_text(SAID), observers=(TraceWriter(tmp_path / "trace.jsonl"),))
    recorded = Trace.read(tmp_path / "trace.jsonl")
    assert recorded.outcome == first
    forget(model.load())
    again = await listener.answer(recorded.start.dialogue)
    assert outputs(again) == outputs(first)
    later = await listener.answer_again(recorded.start.dialogue, recorded.best, start="plan")
    assert later.passes[0].started_from == "plan" and later.passes[0].steps[:2] == recorded.best.steps[:2]


def test_two_processes_at_once_both_answer_and_a_replay_in_another_one_says_the_same(tmp_path: Path):
    command = Path(sys.executable).with_name("heartfelt")
    turn = [command, "respond", SAID, "--recipe", "direct", "--memory", "none", "--json"]
    env = os.environ | {"HEARTFELT_READER": "none", "HEARTFELT_MEDIA": "none"}  # each is a model of its own
    both = [
        subprocess.Popen(
            [*turn, "--out", f"out{i}"], cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for i in range(2)
    ]
    told = [process.communicate(timeout=240) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    one, other = (json.loads(out) for out, _ in told)
    assert one["reply"] and one["reply"] == other["reply"]
    replay = [command, "replay", tmp_path / "out0" / "trace.jsonl"]
    done = subprocess.run(replay, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0 and done.stdout.strip() == one["reply"]
    assert done.stderr.endswith("The records are the same as in the trace.\n")
