"""A comparison from the run's folder to the judgements file, through kills and errors."""

import json
from pathlib import Path

import pytest
from tests.evaluation.judging.runs import run

from heartfelt.errors import DamagedError, InputError, ModelTimeout, ModelUnavailable, UnknownName, UsageError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.judging import comparisons, trusted
from heartfelt.evaluation.judging.judge import JudgeRequest, judge, prepare
from heartfelt.evaluation.judging.rulings import read
from heartfelt.models.scripted import Scripted
from heartfelt.models.seam import Capabilities, Request


def wish(**given: object) -> JudgeRequest:
    usual: dict[str, object] = {"a": "warm-system", "b": "cold-system", "judge": "ollama:gemma3", "criteria": ("empathy",)}
    return JudgeRequest.model_validate(usual | given)


def fair(request: Request) -> dict[str, str]:
    """Prefers the warm reply wherever it stands."""
    text = request.messages[-1].text
    return {"reason": "warmer", "better": "first" if text.index("I am sorry") < text.index("Noted") else "second"}


async def judged(folder: RunFolder, asked: JudgeRequest, model: Scripted) -> Path:
    bench = prepare(folder, asked)
    await judge(bench, asked, model)
    return bench.path


async def test_a_fair_judge_is_asked_in_both_orders_and_never_flips(tmp_path: Path) -> None:
    model = Scripted({"judge": fair})
    path = await judged(run(tmp_path), wish(repeats=2), model)
    assert path == tmp_path / "judgements" / "warm-system-vs-cold-system.jsonl"
    found = read(path)
    assert len(model.requests) == len(found.rulings) == 4 * 2 * 2
    (each,) = trusted(found.judgements)
    assert (each.result.a, each.result.b, each.result.flips) == (4, 0, 0)
    assert each.flip_rate and each.flip_rate.value == 0
    assert each.first_place and each.first_place.value == 0.5
    assert each.stability and each.stability.value == 1


async def test_a_judge_that_follows_the_place_flips_on_all(tmp_path: Path) -> None:
    path = await judged(run(tmp_path), wish(), Scripted({"judge": {"reason": "x", "better": "first"}}))
    (each,) = trusted(read(path).judgements)
    assert each.result.flips == 4 and each.result.wins and each.result.wins.value == 0.5
    assert each.first_place and each.first_place.value == 1 and each.follows_the_place
    assert "no evidence" in each.words and each.stability is None


async def test_a_killed_judgement_goes_on_without_asking_twice(tmp_path: Path) -> None:
    folder, asked = run(tmp_path), wish(criteria=("empathy", "fluency"))
    model = Scripted({"judge": [fair] * 5 + [ModelUnavailable("gone")]})
    with pytest.raises(ModelUnavailable, match="gone"):
        await judged(folder, asked, model)
    bench = prepare(folder, asked)
    with bench.path.open("ab") as file:
        file.write(b'{"kind":"ruling","pair":"cut off in the mid')
    assert len(bench.waiting) == len(bench.questions) - 5
    second = Scripted({"judge": fair})
    await judged(folder, asked, second)
    keys = [each.key for each in read(bench.path).rulings]
    assert len(second.requests) == len(bench.questions) - 5
    assert len(keys) == len(set(keys)) == len(bench.questions) == bench.path.read_bytes().count(b"\n") - 1
    assert not prepare(folder, asked).waiting


async def test_errors_are_rows_and_are_asked_again_only_when_wished(tmp_path: Path) -> None:
    folder, mute = run(tmp_path, items=2), Scripted({"judge": [ModelTimeout("slow"), "no JSON at all"]})
    path = await judged(folder, wish(tries=2), mute)
    found = read(path)
    assert [each.failed.error for each in found.failures if each.failed] == ["ModelTimeout", *["BadOutput"] * 3]
    assert {each.verdict for each in found.rulings} == {"none"}
    assert "could not be used" in mute.requests[2].messages[-1].text
    assert not prepare(folder, wish()).waiting
    await judged(folder, wish(again=True), Scripted({"judge": fair}))
    assert not read(path).failures and len(read(path).rulings) == 4


async def test_more_can_be_asked_later_and_nothing_is_asked_anew(tmp_path: Path) -> None:
    folder, model = run(tmp_path, items=6), Scripted({"judge": fair})
    await judged(folder, wish(limit=2), model)
    await judged(folder, wish(limit=5, repeats=2, at_once=3), model)
    assert len(model.requests) == 5 * 2 * 2


async def test_another_judge_needs_another_file(tmp_path: Path) -> None:
    folder = run(tmp_path)
    await judged(folder, wish(), Scripted({"judge": fair}))
    with pytest.raises(UsageError, match=r"another judge .*--name"):
        prepare(folder, wish(judge="ollama:phi4"))
    await judged(folder, wish(judge="ollama:phi4", name="by phi/4"), Scripted({"judge": fair}))
    assert {each.head.judge for each in comparisons(folder)} == {"ollama:gemma3", "ollama:phi4"}
    assert (tmp_path / "judgements" / "by_phi_4.jsonl").is_file()


async def test_kin_are_warned_of_in_the_head(tmp_path: Path) -> None:
    path = await judged(run(tmp_path, models=("ollama:gemma2:9b",)), wish(), Scripted({"judge": fair}))
    head = json.loads(path.read_text("utf-8").splitlines()[0])
    assert "one family (gemma)" in head["warning"] and head["generators"] == {"ollama:gemma2:9b": "gemma"}


async def test_probabilities_are_kept(tmp_path: Path) -> None:
    able = Capabilities(profile="compact", probabilities=True)
    path = await judged(run(tmp_path), wish(), Scripted({"judge": {"better": "tie"}}, capabilities=able))
    assert read(path).rulings[0].shares == {"first": 0.0, "second": 0.0, "tie": 1.0}


async def test_turns_without_a_reply_are_counted_and_not_judged(tmp_path: Path) -> None:
    folder = run(tmp_path, failed=("cold-system/1",))
    bench = prepare(folder, wish())
    assert len(bench.pairs.pairs) == 3 and bench.pairs.unanswered == 1


@pytest.mark.parametrize("word", ["First.", "reply 1", "1", "the first reply"])
async def test_small_slips_are_read(tmp_path: Path, word: str) -> None:
    path = await judged(run(tmp_path, items=2), wish(), Scripted({"judge": {"reason": "x", "better": word}}))
    assert {each.verdict for each in read(path).rulings} == {"first"}


async def test_performed_replies_are_judged_on_performance_too(tmp_path: Path) -> None:
    bench = prepare(run(tmp_path, performed=True), wish(criteria=()))
    assert "multimodal-consistency" in {each.criterion.name for each in bench.questions}


def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with pytest.raises(UnknownName, match="Did you mean 'warm-system'"):
        prepare(folder, wish(a="warm-sistem"))
    with pytest.raises(UsageError, match="named twice"):
        prepare(folder, wish(b="warm-system"))
    with pytest.raises(UnknownName, match="task"):
        prepare(folder, wish(tasks=("walk",)))
    with pytest.raises(InputError, match="no judgements"):
        read(tmp_path / "judgements" / "none.jsonl")


async def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = run(tmp_path, items=2)
    path = await judged(folder, wish(), Scripted({"judge": fair}))
    head, *rulings = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(head + '{"kind":"ruling"}\n', "utf-8")
    with pytest.raises(DamagedError, match="line 2 cannot be read"):
        prepare(folder, wish())
    for lines in (rulings, [*rulings, head], [head, head]):
        path.write_text("".join(lines), "utf-8")
        with pytest.raises(DamagedError, match="does not begin"):
            read(path)
