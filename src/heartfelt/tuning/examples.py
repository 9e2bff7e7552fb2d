"""Training and evaluation examples, gathered from the corpora and written as arrays.

    python -m heartfelt.tuning.examples --data DIR --out DIR [--scored]

`train.npz` and `valid.npz` hold flat `tokens` and `mask` (1 on what is learnt), `offsets` of the examples in them, and the
`task` and the `talk` of each. Examples of one talk stand together, which keeps the files small: shuffle when training. The sets
`eval_*` hold prompts up to the choice, the options in tokens and the right one, so that options can be scored by summed
log-probabilities as `Cursor.score` does. The scored ones, of the test splits, are written by `export_scored` alone.
"""

import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.agents import ForecastEmotion
from heartfelt.errors import InputError
from heartfelt.evaluation.planting import STEPS, Faults
from heartfelt.evaluation.weak import WeakLabels
from heartfelt.labels import label_set
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.model import EmbeddedModel
from heartfelt.records import Exemplar
from heartfelt.tuning import corpora
from heartfelt.tuning.batches import Examples
from heartfelt.tuning.corpora import Talk
from heartfelt.tuning.lessons import HISTORY, LessonShares, TalkLessons, audit_example, golds, meld_dialogue, meld_forecast
from heartfelt.tuning.readings import TeacherReadings
from heartfelt.tuning.scribe import Example, Scribe, verdict_form
from heartfelt.weights import Store

LONGEST_PROMPT = 480
"""Tokens; longer ones are dropped and counted."""
WORKERS = 2
CHUNK = 400
"""Talks that a worker takes at once."""
POOL = 2_500
"""Talks from which faults and exemplars are drawn."""

Arrays = dict[str, NDArray[Any]]
Told = Callable[[str, int, int], object]
"""Hears what is being written, how much of it is, and how much it will be."""


@dataclass(frozen=True)
class Sizes:
    """Talks of each corpus, at most; None: all."""

    empathetic_dialogues: int | None = None
    meld: int | None = None
    goemotions: int | None = None
    esconv: int | None = None
    own: int | None = None


VALID = Sizes(empathetic_dialogues=240, meld=18, goemotions=700, esconv=16, own=240)
AUDITED = 2_000
"""Passes in an audit's evaluation set."""


def export(
    out: Path,
    data: Path,
    *,
    seed: int = 0,
    train: Sizes = Sizes(),
    valid: Sizes = VALID,
    shares: LessonShares = LessonShares(),
    scribe: Callable[[], Scribe] | None = None,
    told: Told | None = None,
    readings: TeacherReadings | None = None,
) -> dict[str, Any]:
    """Write train.npz, valid.npz, the evaluation sets of the validation split, and counts.json. No test split is opened.

    With the readings of teachers, cues are read as they read them, and shares.npz holds what they say of each label.
    """
    started = time.perf_counter()
    told = told or _on_standard_error
    taught = _gathered(corpora.training, data, train, seed)
    checked = _gathered(corpora.validation, data, valid, seed)
    out.mkdir(parents=True, exist_ok=True)
    pool = _pool(taught, seed)
    counts: dict[str, Any] = {"seed": seed, "shares": asdict(shares), "longest_prompt": LONGEST_PROMPT, "shuffled": False}
    counts["talks"] = {"train": _by_corpus(taught), "valid": _by_corpus(checked)}
    counts["train"] = _write(out / "train.npz", taught, _Lesson(pool, pool, shares, seed, scribe, readings), told)
    own = _pool(checked, seed)
    counts["valid"] = _write(out / "valid.npz", checked, _Lesson(own, pool, shares, seed, scribe), told)
    counts["eval"] = _export_sets(out, "valid", data, corpora.validation, corpora.present(data), seed, scribe)
    counts["seconds"] = round(time.perf_counter() - started, 1)
    (out / "counts.json").write_text(json.dumps(counts, indent=1, ensure_ascii=False))
    return counts


def export_sets(
    out: Path, data: Path, split: str, *, seed: int = 0, scribe: Callable[[], Scribe] | None = None
) -> dict[str, int]:
    """Write the evaluation sets of a held-out split. Those of the test split are to be scored on, never to be learnt from."""
    out.mkdir(parents=True, exist_ok=True)
    read = corpora.scored_test if split == "test" else corpora.validation
    return _export_sets(out, split, data, read, corpora.present(data, "test" if split == "test" else "train"), seed, scribe)


def embedded_scribe() -> Scribe:
    """Cuts text with the tokenizer of the shipped weights, which need not be converted for that."""
    store = Store()
    model = EmbeddedModel(adapter=None, store=store)
    return Scribe(model, Engine(builds.load(model.build, store), store.path("smollm2")))


# ── gathering ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _gathered(read: Callable[[str, Path], list[Talk]], data: Path, sizes: Sizes, seed: int) -> list[Talk]:
    """Talks of the corpora that are there."""
    talks: list[Talk] = []
    here = corpora.present(data)
    for corpus, limit in asdict(sizes).items():
        found = read(corpus, data) if limit != 0 and corpus in here else []
        Random(f"{seed}/{corpus}").shuffle(found)
        talks += found[:limit]
    if not talks:
        raise InputError(
            f"No dialogue of {', '.join(here)} in {data} belongs to the {read.__name__} split, so there is nothing to write. "
            "Add some; a tenth of own/train.jsonl is held out where there is no own/valid.jsonl."
        )
    return talks


def _by_corpus(talks: Iterable[Talk]) -> dict[str, int]:
    return dict(Counter(talk.dialogue.split.partition("/")[0] for talk in talks))


def _pool(talks: list[Talk], seed: int) -> tuple[WeakLabels, ...]:
    """Turns of talks with a listener, from which faults and exemplars are drawn."""
    random = Random(f"{seed}/pool")
    answered = [talk for talk in talks if talk.labels == "ed32" and not talk.strategies]
    chosen = random.sample(answered, min(POOL, len(answered)))
    return tuple(each for talk in chosen for each in golds(talk, random) if each.plan)


def _exemplars(pool: Iterable[WeakLabels]) -> dict[str, list[Exemplar]]:
    """What the speaker had said, and the reply: as memory remembers an exchange."""
    found: dict[str, list[Exemplar]] = {}
    for each in pool:
        turns = each.dialogue.turns
        situation = " ".join(turn.text for turn in turns if turn.speaker == each.dialogue.last.speaker)
        if 5 <= len(situation.split()) <= 45 and len(each.reply.split()) >= 6:
            exemplar = Exemplar(situation=situation, reply=each.reply, emotion=each.emotion, dialogue=each.dialogue.id)
            found.setdefault(each.emotion, []).append(exemplar)
    return found


# ── writing, by a few processes ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Lesson:
    """What a worker needs to teach: enough to build `Lessons` there."""

    others: tuple[WeakLabels, ...]
    recalled: tuple[WeakLabels, ...]
    shares: LessonShares
    seed: int
    scribe: Callable[[], Scribe] | None
    readings: TeacherReadings | None = None

    def build(self) -> TalkLessons:
        made = (self.scribe or embedded_scribe)()
        return TalkLessons(made, Faults.of(self.others), _exemplars(self.recalled), self.shares, self.seed, self.readings)


@dataclass
class _ExamplePart:
    tokens: list[NDArray[np.uint16]] = field(default_factory=list)
    mask: list[NDArray[np.uint8]] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    talk: list[int] = field(default_factory=list)
    reading: list[int] = field(default_factory=list)
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def add(self, example: Example, talk: int) -> None:
        if len(example.prompt) > LONGEST_PROMPT:
            self.dropped[example.task] += 1
            return
        self.tokens.append(np.array(example.tokens, dtype=np.uint16))
        self.mask.append(np.array(example.mask, dtype=np.uint8))
        self.tasks.append(example.task)
        self.talk.append(talk)
        self.reading.append(example.reading)
        if example.label:
            self.labels[example.task, example.label] += 1

    def merge(self, other: "_ExamplePart") -> None:
        self.tokens += other.tokens
        self.mask += other.mask
        self.talk += [talk + 1 + (self.talk[-1] if self.talk else -1) for talk in other.talk]
        self.reading += other.reading
        self.tasks += other.tasks
        self.labels += other.labels
        self.dropped += other.dropped


def _on_standard_error(what: str, done: int, total: int) -> None:
    print(f"\r{what}: {done:,}/{total:,}", end="\n" * (done == total), file=sys.stderr, flush=True)


def _write(path: Path, talks: Sequence[Talk], lesson: _Lesson, told: Told) -> dict[str, Any]:
    chunks = [talks[i : i + CHUNK] for i in range(0, len(talks), CHUNK)]
    whole, done = _ExamplePart(), 0
    for part, chunk in zip(_taught(chunks, lesson), chunks, strict=True):
        whole.merge(part)
        done += len(chunk)
        told(f"{path.stem} examples", done, len(talks))
    if not whole.tokens:
        raise InputError(
            f"The {len(talks)} dialogues for {path.name} teach nothing: each is too long or too short. Add others."
        )
    names = sorted(set(whole.tasks))
    places = {name: i for i, name in enumerate(names)}
    arrays: Arrays = {
        "tokens": np.concatenate(whole.tokens),
        "mask": np.concatenate(whole.mask),
        "offsets": _offsets(whole.tokens),
        "task": np.array([places[task] for task in whole.tasks], dtype=np.uint8),
        "tasks": np.array(names),
        "talk": np.array(whole.talk, dtype=np.uint32),
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)
    if lesson.readings:
        lesson.readings.shares(Examples.load(path), np.array(whole.reading)).save(path.with_name("shares.npz"))
    return _counted(whole, arrays) | {"bytes": path.stat().st_size}


def _taught(chunks: list[Sequence[Talk]], lesson: _Lesson) -> Iterable[_ExamplePart]:
    if len(chunks) < WORKERS:  # not worth a process
        lessons = lesson.build()
        yield from (_part(lessons, chunk) for chunk in chunks)
        return
    with ProcessPoolExecutor(WORKERS, get_context("fork"), _prepare, (lesson,)) as workers:
        yield from workers.map(_work, chunks)


_prepared: list[TalkLessons] = []


def _prepare(lesson: _Lesson) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's business
    _prepared[:] = [lesson.build()]


def _work(chunk: Sequence[Talk]) -> _ExamplePart:
    return _part(_prepared[0], chunk)


def _part(lessons: TalkLessons, chunk: Sequence[Talk]) -> _ExamplePart:
    part = _ExamplePart()
    for number, talk in enumerate(chunk):
        for example in lessons.of(talk):
            part.add(example, number)
    return part


def _offsets(rows: Sequence[Sequence[int] | NDArray[Any]]) -> NDArray[np.int64]:
    return np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)


def _counted(part: _ExamplePart, arrays: Arrays) -> dict[str, Any]:
    labels: dict[str, dict[str, int]] = {}
    for (task, label), count in sorted(part.labels.items(), key=lambda item: -item[1]):
        labels.setdefault(task, {})[label] = count
    return {
        "examples": len(part.tasks),
        "tokens": int(arrays["offsets"][-1]),
        "learnt_tokens": int(arrays["mask"].sum()),
        "tasks": dict(Counter(part.tasks).most_common()),
        "dropped": dict(part.dropped),
        "labels": labels,
    }


# ── evaluation sets ─────────────────────────────────────────────────────────────────────────────────────────────────


def _export_sets(
    out: Path,
    name: str,
    data: Path,
    read: Callable[[str, Path], list[Talk]],
    here: Sequence[str],
    seed: int,
    scribe: Callable[[], Scribe] | None,
) -> dict[str, int]:
    """One choice a prompt in ED-32 (the published corpus where it is here, else your own talks) and in MELD's set, and audits.

    A set that would be empty is not written. Where both are here, your own talks are a set of their own, `own`.
    """
    empathetic, meld, own = (read(each, data) if each in here else [] for each in ("empathetic_dialogues", "meld", "own"))
    fine = empathetic or own
    made = (scribe or embedded_scribe)()
    sets: dict[str, Arrays] = {
        "ed32": _choices(_last_turns(made, fine), made, "ed32"),
        "own": _choices(_last_turns(made, own if empathetic else []), made, "ed32"),
        "meld": _choices(_recognised(made, meld), made, "meld"),
        "meld_forecast": _choices(_forecast(made, meld), made, "meld"),
        "audit": _audits(made, fine, seed),
    }
    filled = {task: arrays for task, arrays in sets.items() if len(arrays["gold"])}
    for task, arrays in filled.items():
        np.savez_compressed(out / f"eval_{name}_{task}.npz", allow_pickle=False, **arrays)
    return {task: len(arrays["gold"]) for task, arrays in filled.items()}


def _last_turns(scribe: Scribe, talks: list[Talk]) -> Iterable[Example]:
    """Recognition in 32 at the speaker's last turn, no notes."""
    for talk in talks:
        place = max(i for i, turn in enumerate(talk.dialogue.turns) if turn.emotion)
        view = scribe.view(talk.dialogue.model_copy(update={"turns": talk.dialogue.turns[: place + 1]}))
        emotion = talk.dialogue.turns[place].emotion or ""
        yield scribe.ask("recognise_ed32", ForecastEmotion(recognise=True), view, {"emotion": emotion}, emotion)


def _recognised(scribe: Scribe, talks: list[Talk]) -> Iterable[Example]:
    agent = ForecastEmotion(labels="meld", recognise=True)
    for talk in talks:
        for place, turn in enumerate(talk.dialogue.turns):
            view = scribe.view(meld_dialogue(talk, place, history=HISTORY))
            yield scribe.ask("recognise_meld", agent, view, {"emotion": turn.emotion}, turn.emotion or "")


def _forecast(scribe: Scribe, talks: list[Talk]) -> Iterable[Example]:
    for talk in talks:
        for place, following in enumerate(talk.dialogue.turns[1:]):
            view = scribe.view(meld_dialogue(talk, place, history=HISTORY, listener=following.speaker))
            yield meld_forecast(scribe, view, following)


def _choices(examples: Iterable[Example], scribe: Scribe, labels: str) -> Arrays:
    """Prompts up to the choice; the options as the writer would spell them; the index of the right one."""
    options = label_set(labels).labels
    prompts: list[list[int]] = []
    gold: list[int] = []
    for example in examples:
        prompts.append(example.asked)
        gold.append(options.index(example.label))
    return _prompts(prompts) | _options(options, scribe) | {"gold": np.array(gold, dtype=np.int64)}


def _prompts(prompts: list[list[int]]) -> Arrays:
    flat = [token for prompt in prompts for token in prompt]
    return {"tokens": np.array(flat, dtype=np.uint16), "offsets": _offsets(prompts)}


def _options(options: Sequence[str], scribe: Scribe) -> Arrays:
    spelled = [scribe.tokens(f'{option}"') for option in options]
    flat = [token for option in spelled for token in option]
    names = np.array(options)
    return {"options": np.array(flat, dtype=np.uint16), "option_offsets": _offsets(spelled), "option_names": names}


def _audits(scribe: Scribe, talks: list[Talk], seed: int) -> Arrays:
    """Passes to be judged step by step. `gold` has a row a pass (0 right, 1 wrong, -1 no such step); `recipe` names its steps,
    and `between_RECIPE` holds the tokens that the writer puts between one verdict and the next."""
    random = Random(f"{seed}/audits")
    found = [each for talk in talks for each in golds(talk, random) if each.plan and len(each.reply.split()) > 4]
    faults, recipes = Faults.of(found), list(STEPS)
    prompts: list[list[int]] = []
    gold: list[list[int]] = []
    chosen: list[int] = []
    kinds: list[str] = []
    for each in islice(iter(random.sample(found, len(found))), AUDITED):
        recipe = recipes[len(prompts) % len(recipes)]
        planted = faults.audited(each, recipe, random)
        prompts.append(audit_example(scribe, each, planted).asked)
        verdicts = [int(verdict == "wrong") for verdict in planted.verdicts.values()]
        gold.append(verdicts + [-1] * (5 - len(verdicts)))
        chosen.append(recipes.index(recipe))
        kinds.append("; ".join(planted.kinds))
    arrays = _prompts(prompts) | _options(("right", "wrong"), scribe)
    arrays |= {"gold": np.array(gold, dtype=np.int64), "recipe": np.array(chosen, dtype=np.uint8), "recipes": np.array(recipes)}
    for recipe in recipes:
        arrays |= _between(scribe, recipe)
    return arrays | {"kinds": np.array(kinds)}


def _between(scribe: Scribe, recipe: str) -> Arrays:
    verdicts = dict.fromkeys(STEPS[recipe], "right")
    parts: list[list[int]] = [[]]
    for tokens, decided in scribe.spelled(verdict_form(verdicts), verdicts):
        if decided:
            parts.append([])
        else:
            parts[-1] = parts[-1] + tokens
    inner = parts[1:-1]
    return {
        f"steps_{recipe}": np.array(STEPS[recipe]),
        f"between_{recipe}": np.array([token for part in inner for token in part], dtype=np.uint16),
        f"between_{recipe}_offsets": _offsets(inner),
    }
