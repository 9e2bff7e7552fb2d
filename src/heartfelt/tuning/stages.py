"""The stages of a tuning run, one after the other: examples, teach, reread, train, export, calibrate, evaluate, card.

Each is a small function from files to files. A stage whose outputs are there and whose inputs are the same is not done again;
one that was interrupted goes on. Nothing here needs torch before the stage that trains.
"""

import json
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from heartfelt.errors import EngineError, MissingExtra, UsageError
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.calibration import beside
from heartfelt.prompts import SHARED
from heartfelt.tuning import corpora
from heartfelt.tuning.card import card
from heartfelt.tuning.export import compared, export, read_adapter
from heartfelt.tuning.folder import Folder, difference, fingerprint, require_room
from heartfelt.tuning.plots import calibration_plot, confusion_plot, label_plot, loss_plot
from heartfelt.weights import Store

if TYPE_CHECKING:
    from heartfelt.tuning.readings import TeacherReadings
    from heartfelt.tuning.train import Progress, Row, Training

BASE = "smollm2"
SMALL: dict[str, float | int] = {"rank": 8, "rows": 2, "length": 256, "epochs": 1.0, "seconds": 60.0}
"""The training of a toy: it ends after a minute, whatever it has learnt by then."""
SMALL_TRAIN, SMALL_VALID = 24, 8
"""Dialogues of each corpus that a toy takes."""
TURNS, SMALL_TURNS = 400, 12
"""Turns of each set that are measured."""
COMPARED, SMALL_COMPARED = 6, 2
"""Prompts on which the exported adapter is held against the trained network."""
ROOM_PER_RANK = 7_000_000
"""Bytes: two checkpoints and the adapter, for each rank."""


class Teller(Protocol):
    """Hears how it goes."""

    def said(self, stage: str, words: str, mark: str = "✓") -> None: ...

    def going(self, what: str, done: float, total: float, words: str = "") -> None: ...


@dataclass(frozen=True)
class TuningStage:
    name: str
    after: tuple[str, ...]
    """Stages that must be done before."""
    inputs: Callable[[Folder], dict[str, Any]]
    """Everything that decides what comes out."""
    outputs: Callable[[Folder], list[Path]]
    work: Callable[[Folder, Teller], dict[str, Any]]
    """Does it, and tells what came out: `words` for people, the rest in figures."""
    dear: bool = False
    """Too much work to be thrown away unasked."""
    goes_on: bool = False
    """Interrupted, it need not begin again."""

    def command(self, folder: Folder) -> str:
        name, _, split = self.name.partition("-")
        more = {"examples": " --data DIR", "export": " --licence LICENCE"}.get(name, f" --split {split}" if split else "")
        return f"heartfelt tune {name}{more} --run {folder.root}"


def do(folder: Folder, name: str, told: Teller, *, again: bool = False) -> dict[str, Any]:
    """Do one stage, unless it is done. What came out."""
    stage = STAGES[name]
    for before in stage.after:
        require(folder, before)
    inputs: dict[str, Any] = json.loads(json.dumps(stage.inputs(folder)))
    outputs = stage.outputs(folder)
    if again:
        folder.forget(name, outputs)
    standing = folder.standing(name, inputs, outputs)
    if standing == "done":
        made = folder.record.stages[name].told or {}
        told.said(name, f"done before: {made.get('words', '')}", "–")
        return made
    if standing == "other":
        _replace(folder, stage, inputs)
    elif standing == "begun" and stage.goes_on:
        told.said(name, "goes on where it was interrupted", "…")
    folder.begin(name, inputs)
    began = time.perf_counter()
    made = stage.work(folder, told)
    folder.finish(name, made, time.perf_counter() - began)
    told.said(name, made["words"])
    return made


def everything(folder: Folder, told: Teller, *, again: bool = False) -> None:
    """All stages in order. What a later one will ask for is asked before the first one works."""
    needs_torch()
    if "examples" not in folder.record.stages:
        corpora.present(_data(folder))
    _licence(folder)
    for name in ORDER:
        if name not in ("teach", "reread") or folder.settings.teachers:
            do(folder, name, told, again=again)


def require(folder: Folder, name: str) -> None:
    """A stage that must be done, or the command that does it."""
    stage = STAGES[name]
    made = folder.record.stages.get(name)
    if made is None or made.told is None or not all(path.exists() for path in stage.outputs(folder)):
        state = "was interrupted" if made and made.told is None else "is not done"
        raise UsageError(f"The stage '{name}' {state} in {folder.root}. Do it first: {stage.command(folder)}")


def needs_torch() -> None:
    """Say so before the first hour of work, not after it."""
    if find_spec("torch") is None or find_spec("matplotlib") is None:
        raise MissingExtra("Tuning", "tune")


def _replace(folder: Folder, stage: TuningStage, inputs: dict[str, Any]) -> None:
    """Made from something else: quickly done again, unless it cost work."""
    made = folder.record.stages[stage.name]
    if stage.dear:
        raise UsageError(
            f"{folder.root} holds the stage '{stage.name}' of another run: {difference(made.inputs, inputs)}. "
            "Give another folder with --run, or --again to throw it away and do it again."
        )
    folder.forget(stage.name, stage.outputs(folder))


# ── examples ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _examples_inputs(folder: Folder) -> dict[str, Any]:
    settings, made = folder.settings, folder.record.stages.get("examples")
    if made and made.told is not None and not Path(settings.data).is_dir():
        return made.inputs  # the run was carried to another machine, without its data
    return {
        "data": _fingerprints(_data(folder), scored=False),
        "seed": settings.seed,
        "small": settings.small,
        "prompts": _prompts(),
    }


def _data(folder: Folder) -> Path:
    if not folder.settings.data:
        raise UsageError("There is nothing to learn from yet. Give the folder of the corpora with --data DIR.")
    data = Path(folder.settings.data)
    if not data.is_dir():
        raise UsageError(f"There is no folder {data}. Give the folder of the corpora with --data DIR.")
    return data


def _fingerprints(data: Path, *, scored: bool) -> dict[str, str]:
    corpora.present(data, "test" if scored else "train")
    return {str(path.relative_to(data)): fingerprint(path) for path in corpora.files(data, scored=scored)}


def _prompts() -> str:
    """The prompts that the examples are rendered with: an adapter is for them and no others."""
    root = SHARED.path.parent
    files = sorted((*root.glob("agents/*/*.compact.md"), *SHARED.path.glob("*.compact.md")), key=lambda file: file.name)
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def _examples(folder: Folder, told: Teller) -> dict[str, Any]:
    data = _data(folder)
    here = corpora.present(data)
    if absent := [name for name in corpora.CORPORA if name not in here]:
        told.said("examples", f"not in {data}, and left out: {', '.join(absent)}", "–")
    return _written(folder, folder.examples, told, None)


def _written(folder: Folder, target: Path, told: Teller, readings: "TeacherReadings | None") -> dict[str, Any]:
    from heartfelt.tuning import examples

    data, seed = _data(folder), folder.settings.seed
    sizes = examples.Sizes(), examples.VALID
    if folder.settings.small:
        few, fewer = (dict.fromkeys(corpora.CORPORA, count) for count in (SMALL_TRAIN, SMALL_VALID))
        sizes = examples.Sizes(**few), examples.Sizes(**fewer)
    counts = examples.export(target, data, seed=seed, train=sizes[0], valid=sizes[1], told=told.going, readings=readings)
    made = {split: {name: counts[split][name] for name in ("examples", "tokens")} for split in ("train", "valid")}
    here = ", ".join(corpora.present(data))
    words = f"{made['train']['examples']:,} examples, {made['train']['tokens']:,} tokens from {here}"
    return made | {"talks": counts["talks"], "eval": counts["eval"], "words": words}


# ── teachers ────────────────────────────────────────────────────────────────────────────────────────────────────────


def recipe(folder: Folder) -> "Training":
    needs_torch()
    from heartfelt.tuning.train import Training

    chosen = (SMALL if folder.settings.small else {}) | folder.settings.training
    scale = Training.alpha / Training.rank
    return Training(**{"alpha": scale * chosen.get("rank", Training.rank), **chosen})  # type: ignore[arg-type]


def _teacher_recipe(folder: Folder, tasks: tuple[str, ...]) -> "Training":
    """As the student's, on the labels alone."""
    from heartfelt.tuning.batches import CHOOSING
    from heartfelt.tuning.teach import EPOCHS, SHARE

    share = {task: SHARE.get(task, 1.0) if task.startswith(CHOOSING) else 0.0 for task in tasks}
    epochs = recipe(folder).epochs if folder.settings.small or "epochs" in folder.settings.training else EPOCHS
    return replace(recipe(folder), epochs=epochs, share=tuple(share.items()))


def _teach_inputs(folder: Folder) -> dict[str, Any]:
    return {
        "examples": fingerprint(folder.examples / "train.npz"),
        "teachers": folder.settings.teachers,
        "recipe": asdict(recipe(folder)),
        "base": fingerprint(base()),
    }


def _teach(folder: Folder, told: Teller) -> dict[str, Any]:
    from heartfelt.tuning import teach
    from heartfelt.tuning.batches import Examples
    from heartfelt.tuning.train import FOLDS

    count, taught = folder.settings.teachers, Examples.load(folder.examples / "train.npz")
    chosen = _teacher_recipe(folder, taught.tasks)
    require_room(folder.root, count * chosen.rank * ROOM_PER_RANK)
    folder.teachers.mkdir(exist_ok=True)
    numbers = [place * FOLDS // count for place in range(count)]
    with _kept("teach", told):
        paths = [
            teach.teacher(base(), taught, folder.teachers, number, chosen, progress=_steps(told, f"teacher {place}/{count}"))
            for place, number in enumerate(numbers, 1)
        ]
    teach.gathered(paths, folder.judged)
    judged = len(set(taught.talk[taught.chooses].tolist()))
    return {"teachers": count, "words": f"teachers: {count}; they have judged the labels of {judged:,} dialogues"}


def _reread_inputs(folder: Folder) -> dict[str, Any]:
    return _examples_inputs(folder) | {"judged": fingerprint(folder.judged)}


def _reread(folder: Folder, told: Teller) -> dict[str, Any]:
    from heartfelt.tuning.readings import TeacherReadings

    return _written(folder, folder.reread, told, TeacherReadings.load(folder.examples / "train.npz", folder.judged))


# ── training ────────────────────────────────────────────────────────────────────────────────────────────────────────


def base() -> Path:
    return Store().path(BASE)


def _train_inputs(folder: Folder) -> dict[str, Any]:
    if folder.settings.teachers:
        require(folder, "reread")
    return {
        "examples": fingerprint(folder.learnt / "train.npz"),
        "teachers": fingerprint(folder.reread / "shares.npz") if folder.settings.teachers else "none",
        "recipe": asdict(recipe(folder)),
        "base": fingerprint(base()),
    }


def _train(folder: Folder, told: Teller) -> dict[str, Any]:
    from torch.cuda import is_available

    from heartfelt.tuning import train
    from heartfelt.tuning.batches import TeacherShares

    chosen = recipe(folder)
    require_room(folder.root, chosen.rank * ROOM_PER_RANK)
    if not is_available() and not folder.settings.small:
        told.said("train", "no GPU is here: this may take days. --small shows the whole way in minutes", "!")
    shares = TeacherShares.load(folder.reread / "shares.npz") if folder.settings.teachers else None
    try:
        with _kept("train", told):
            tell = _steps(told, "train")
            train.train(base(), folder.learnt, folder.training, chosen, shares=shares, progress=tell)
    finally:
        if folder.log.exists() and folder.log.stat().st_size:
            loss_plot(folder.log, folder.loss)
    last = _last_row(folder)
    device = "GPU" if is_available() else "processor"
    words = f"{last['step']:,} steps on the {device}, loss {last['loss']:.3f}: {folder.loss}"
    return {"steps": last["step"], "loss": last["loss"], "device": device, "seconds": last["s"], "words": words}


def _last_row(folder: Folder) -> dict[str, Any]:
    rows = [json.loads(line) for line in folder.log.read_text("utf-8").splitlines()]
    return [row for row in rows if "loss" in row][-1]


def _steps(told: Teller, what: str) -> "Progress":
    def tell(row: "Row") -> None:
        words = f"step {row['step']:,}/{row['steps']:,} · loss {row['loss']:.3f} · {row['tokens']:,} tokens/s"
        told.going(what, row["done"], 1.0, words)

    return tell


@contextmanager
def _kept(stage: str, told: Teller) -> Generator[None, None, None]:
    """Says that an interrupted training is not lost."""
    try:
        yield
    except KeyboardInterrupt:
        told.said(stage, "what was learnt is kept; the same command goes on from there", "…")
        raise


# ── the adapter ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _licence(folder: Folder) -> str:
    if not folder.settings.licence:
        raise UsageError(
            "Say under which licence the adapter may be used: --licence LICENCE. The data decides: weights made from data for "
            "non-commercial use are for non-commercial use, for example CC-BY-NC-4.0; of data that is all yours, you decide."
        )
    return folder.settings.licence


def _export_inputs(folder: Folder) -> dict[str, Any]:
    return {
        "trained": fingerprint(folder.trained),
        "name": folder.name,
        "licence": _licence(folder),
        "base": fingerprint(base()),
    }


def _export(folder: Folder, told: Teller) -> dict[str, Any]:
    """Write the adapter, read it back, and let engine and network decide the same prompts."""
    needs_torch()
    from heartfelt.tuning import agreement

    tensors, alpha = read_adapter([folder.trained])
    _warn_of_licence(folder, told)
    export(tensors, alpha, folder.adapter, name=folder.name, licence=_licence(folder))
    try:
        largest = compared(folder.adapter, tensors, alpha)
        told.going("comparing engine and network", 0, 1)
        engine = EmbeddedModel(adapter=folder.adapter).load()
        count = SMALL_COMPARED if folder.settings.small else COMPARED
        found = agreement.check(engine, base(), tensors, alpha, folder.examples, count=count)
        engine.close()
    except EngineError:
        folder.adapter.replace(folder.adapter.with_suffix(".refused"))
        raise
    report = found.record() | {"largest_number": largest}
    folder.agreement.write_text(json.dumps(report, indent=1), "utf-8")
    size = folder.adapter.stat().st_size
    words = (
        f"{folder.adapter}, {size / 1e6:.1f} MB; engine and network choose the same on {found.same} of {found.prompts} "
        f"prompts, with probabilities {found.largest:.3f} apart at most"
    )
    return report | {"bytes": size, "words": words}


def _warn_of_licence(folder: Folder, told: Teller) -> None:
    learnt = json.loads(folder.counts.read_text("utf-8"))["talks"]["train"]
    bound = [name for name in learnt if "NC" in corpora.CORPORA[name].licence]
    if bound and "NC" not in folder.settings.licence.upper():
        told.said("export", f"{', '.join(bound)} may not be used commercially; {folder.settings.licence} does not say so", "!")


# ── calibration and measures ────────────────────────────────────────────────────────────────────────────────────────


def _turns(folder: Folder) -> int:
    return folder.settings.turns or (SMALL_TURNS if folder.settings.small else TURNS)


def _sets(folder: Folder) -> dict[str, str]:
    return {path.stem: fingerprint(path) for path in sorted(folder.examples.glob("eval_valid_*.npz"))}


def _calibrate_inputs(folder: Folder) -> dict[str, Any]:
    return {"adapter": fingerprint(folder.adapter), "sets": _sets(folder), "turns": _turns(folder)}


def _calibrate(folder: Folder, told: Teller) -> dict[str, Any]:
    from heartfelt.tuning.calibrate import calibrate

    data = Path(folder.settings.data) if folder.settings.data else None
    path = calibrate(folder.adapter, folder.examples, folder.calibration, turns=_turns(folder), told=told.going, data=data)
    sets = json.loads(path.read_text("utf-8"))["sets"]
    return {"words": f"{path}: {', '.join(sets)}" if sets else f"too few turns for any label set: {path} changes nothing"}


def _evaluation(split: str) -> TuningStage:
    def inputs(folder: Folder) -> dict[str, Any]:
        known = _fingerprints(_data(folder), scored=True) if split == "test" else _sets(folder)
        calibration = fingerprint(folder.calibration) if folder.calibration.exists() else "none"
        return {
            "adapter": fingerprint(folder.adapter),
            "calibration": calibration,
            "sets": known,
            "turns": _turns(folder),
            "replies": folder.settings.replies,
            "seed": folder.settings.seed,
        }

    def work(folder: Folder, told: Teller) -> dict[str, Any]:
        target = folder.evaluation(split)
        _measured_anew(folder, EmbeddedModel(adapter=folder.adapter), split, target, inputs(folder), told)
        return {"words": f"{target}, at most {_turns(folder)} turns of each set"}

    return TuningStage(f"evaluate-{split}", ("export",), inputs, lambda folder: [folder.evaluation(split)], work)


def evaluate_other(folder: Folder, model: EmbeddedModel, split: str, told: Teller) -> dict[str, Any]:
    """Measure a model that this run has not made. The sets of the split are written into the run where they are missing."""
    from heartfelt.tuning.evaluate import kept

    adapter = model.adapter
    target = folder.root / f"evaluation-{split}-{adapter.stem if adapter else 'base'}.json"
    files = [path for path in (adapter, beside(adapter) if adapter else None) if path and path.exists()]
    about = {
        "model": {path.name: fingerprint(path) for path in files},
        "data": _fingerprints(_data(folder), scored=split == "test"),
        "prompts": _prompts(),
        "turns": _turns(folder),
        "replies": folder.settings.replies,
        "seed": folder.settings.seed,
    }
    folder.keep()
    report = kept(target, about) or _measured_anew(folder, model, split, target, about, told)
    told.said("evaluate", str(target))
    return report


def _measured_anew(
    folder: Folder, model: EmbeddedModel, split: str, target: Path, about: dict[str, Any], told: Teller
) -> dict[str, Any]:
    from heartfelt.tuning.evaluate import Measure
    from heartfelt.tuning.examples import export_sets

    seed, replies = folder.settings.seed, folder.settings.replies
    if split == "test" or "examples" not in folder.record.stages:
        told.going(f"reading the {split} split", 0, 1)
        export_sets(folder.examples, _data(folder), split, seed=seed)
    data = _data(folder) if replies else None
    return Measure(model, folder.examples, target, split, _turns(folder), seed, told.going, replies, data).go(about)


# ── the card ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _card_inputs(folder: Folder) -> dict[str, Any]:
    written = folder.record.stages["export"].inputs["licence"]
    if written != _licence(folder):
        raise UsageError(
            f"The adapter {folder.adapter} says {written}, and the card would say {folder.settings.licence}. Export it again: "
            f"heartfelt tune export --licence {folder.settings.licence} --run {folder.root}"
        )
    told = {name: made.inputs for name, made in folder.record.stages.items() if name != "card" and made.told is not None}
    return {"stages": sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16], "licence": _licence(folder)}


def _card(folder: Folder, told: Teller) -> dict[str, Any]:
    measured = [split for split in ("valid", "test") if _measured(folder, f"evaluate-{split}")]
    pictures = _pictures(folder, measured[-1]) if measured else []
    text = card(folder, calibrated=_measured(folder, "calibrate"), measured=measured, pictures=pictures)
    folder.card.write_text(text, "utf-8")
    return {"words": str(folder.card)}


def _pictures(folder: Folder, split: str) -> list[tuple[str, Path]]:
    """What the finest label set that was measured looks like."""
    chosen = json.loads(folder.evaluation(split).read_text("utf-8"))["chosen"]
    task = next((name for name in ("ed32", "own", "meld") if name in chosen), None)
    if task is None:
        return []
    draw = {"labels": label_plot, "confusion": confusion_plot, "calibration": calibration_plot}
    words = {"labels": "How often each label is found", "confusion": "What is said for what", "calibration": "Sure and right"}
    return [(words[name], plot(chosen[task], folder.root / f"{name}.png")) for name, plot in draw.items()]


def _measured(folder: Folder, name: str) -> bool:
    """Done, and of the adapter that is there now."""
    made = folder.record.stages.get(name)
    return bool(made and made.told is not None and made.inputs["adapter"] == fingerprint(folder.adapter))


STAGES = {
    stage.name: stage
    for stage in (
        TuningStage(
            "examples",
            (),
            _examples_inputs,
            lambda folder: [folder.examples / "train.npz", folder.examples / "valid.npz", folder.counts],
            _examples,
            dear=True,
        ),
        TuningStage("teach", ("examples",), _teach_inputs, lambda folder: [folder.judged], _teach, dear=True, goes_on=True),
        TuningStage("reread", ("teach",), _reread_inputs, lambda folder: [folder.reread / "train.npz"], _reread, dear=True),
        TuningStage("train", ("examples",), _train_inputs, lambda folder: [folder.trained], _train, dear=True, goes_on=True),
        TuningStage("export", ("train",), _export_inputs, lambda folder: [folder.adapter, folder.agreement], _export),
        TuningStage("calibrate", ("export",), _calibrate_inputs, lambda folder: [folder.calibration], _calibrate),
        _evaluation("valid"),
        _evaluation("test"),
        TuningStage("card", ("export",), _card_inputs, lambda folder: [folder.card], _card),
    )
}
ORDER = ("examples", "teach", "reread", "train", "export", "calibrate", "evaluate-valid", "card")
"""The test split is looked at only when it is asked for by name."""
