"""Teaching the large reader: an adapter with which the large embedded model reads a talk for danger.

Lessons (`danger_samples`) are single messages with their labels, what a message does, whole talks labelled turn by turn,
replies that fit, miss or must not be said, and ordinary talk, the largest class. Every label is a token
(`safety.detect.large_prompt`), read after the last line. A reply that was written for its moment is learnt word by word.
"""

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from heartfelt.safety.detect.large_prompt import (
    FIRST,
    LABELS,
    REPLY,
    Tokenize,
    danger_prompt,
    judged_prompt,
    spans,
    talk_tokens,
)
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import seen_by
from heartfelt.tuning.words.teach import LessonBatch, Packed, batches
from heartfelt.tuning.words.teach import WordsTeaching as Packing

UNKNOWN = -1
WEIGHTS = (1.0, 0.3, 0.3, 0.6, 0.7, 0.7)
"""How much each question counts."""
WRITING = 0.5
"""How much it counts to write a reply, token by token, beside them."""


class TalkLesson(NamedTuple):
    message: PersonMessage
    labels: tuple[int, ...]
    """One for each question of `LABELS`, or `UNKNOWN`."""
    reply: str = ""
    """The reply that is judged, or written."""
    written: bool = False
    """Whether the reply is to be written so; else it is judged."""


@dataclass(frozen=True)
class TalkTeaching:
    rank: int = 16
    alpha: float = 32.0
    dropout: float = 0.05
    rate: float = 2e-4
    epochs: int = 3
    rows: int = 16
    length: int = 512
    smooth: float = 0.02
    borrowed: float = 0.3
    """The share of messages without a talk before them that are given one of somebody else's."""
    ordinary: int = 15_000
    """Messages of ordinary talk, and as many replies to it, that an epoch takes."""
    seed: int = 7


def packs(
    lessons: list[TalkLesson],
    calm: list[TalkLesson],
    marked: list[TalkLesson],
    tokenize: Tokenize,
    folder: Path,
    teaching: TalkTeaching,
) -> list[Path]:
    """A file an epoch: all lessons, and a share of ordinary talk and of replies to it."""
    dice = random.Random(teaching.seed)
    longer = [lesson.message.lines for lesson in calm if len(lesson.message.lines) > 1]
    openers: list[tuple[str, ...]] = [*longer] or [("Person: Hello.",)]
    made: list[Path] = []
    for epoch in range(teaching.epochs):
        drawn = [dice.sample(some, min(teaching.ordinary, len(some))) for some in (calm, marked)]
        made.append(folder / f"epoch-{epoch}.npz")
        pack(epoch_of([*lessons, *drawn[0], *drawn[1]], openers, teaching.borrowed, dice), tokenize, made[-1])
    return made


def epoch_of(
    lessons: Iterable[TalkLesson], openers: list[tuple[str, ...]], share: float, dice: random.Random
) -> Iterator[TalkLesson]:
    """The lessons in another order, some after a talk of somebody else's."""
    drawn = list(lessons)
    dice.shuffle(drawn)
    for lesson in drawn:
        alone = len(lesson.message.lines) == 1 and not lesson.reply
        if alone and dice.random() < share:
            lesson = lesson._replace(message=lesson.message._replace(earlier=dice.choice(openers)))
        yield lesson


def pack(lessons: Iterable[TalkLesson], tokenize: Tokenize, path: Path) -> None:
    """End to end, as a machine without the engine can read them."""
    tokens: list[list[int]] = []
    labels: list[tuple[int, ...]] = []
    learnt: list[int] = []
    for lesson in lessons:
        asked, answer = _prompted(lesson, tokenize)
        tokens.append([*asked, *answer])
        learnt += [False] * len(asked) + [lesson.written] * len(answer)
        labels.append(lesson.labels)
    np.savez_compressed(
        path,
        tokens=np.array([token for each in tokens for token in each], np.uint32),
        offsets=np.cumsum([0, *map(len, tokens)]).astype(np.int64),
        labels=np.array(labels, np.int16),
        learnt=np.array(learnt, np.bool_),
    )


def _prompted(lesson: TalkLesson, tokenize: Tokenize) -> tuple[list[int], list[int]]:
    """What is shown, and what of it is the answer: only what is written has one."""
    if lesson.written:
        return writing_prompt(lesson.message.lines, tokenize), written_tokens(lesson.reply, tokenize)
    if lesson.reply:
        return judged_prompt(lesson.message.lines, lesson.reply, tokenize), []
    return danger_prompt(lesson.message, tokenize), []


def writing_prompt(said: Sequence[str], tokenize: Tokenize) -> list[int]:
    """After it a reply is written, up to the end of the line: a reply that is judged begins in the same way."""
    return [*talk_tokens(said, tokenize), *tokenize(f"{REPLY}:")]


def written_tokens(reply: str, tokenize: Tokenize) -> list[int]:
    return tokenize(f" {' '.join(reply.split())}\n")


def load_pack(path: Path) -> tuple[Packed, NDArray[np.int16]]:
    with np.load(path, allow_pickle=False) as data:
        tokens, offsets = data["tokens"], data["offsets"]
        count = len(offsets) - 1
        return Packed(tokens, offsets, np.ones(count, np.int32), data["learnt"], np.zeros(count, np.float32)), data["labels"]


def teach(network: Network, packs: list[Path], teaching: TalkTeaching, told: Callable[[str], object] = print) -> None:
    """One pack an epoch; trains in place."""
    packing = Packing(rows=teaching.rows, length=teaching.length)
    loaded = [load_pack(path) for path in packs]
    steps = sum(math.ceil(float(data.lengths.sum()) / (teaching.rows * teaching.length * 0.93)) for data, _ in loaded)
    optimiser = torch.optim.AdamW(network.parameters(), lr=teaching.rate, weight_decay=0.01, betas=(0.9, 0.98))
    dice, step, began = np.random.default_rng(teaching.seed), 0, time.perf_counter()
    network.train()
    for data, labels in loaded:
        for batch in batches(data, dice.permutation(len(data)), packing, network):
            done = min(1.0, step / steps)
            falling = 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done))
            for group in optimiser.param_groups:
                group["lr"] = teaching.rate * min(1.0, done / 0.04 + 0.02) * falling
            loss = _loss(network, batch, torch.from_numpy(labels[batch.lessons].astype(np.int64)), teaching.smooth)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            if step % 50 == 0:
                told(f"step {step} of about {steps}, loss {loss.item():.3f}, {time.perf_counter() - began:.0f} s")


@torch.no_grad()
def scores(network: Network, path: Path, teaching: TalkTeaching) -> NDArray[np.float32]:
    """Of every lesson of a pack the score of each label, all questions side by side."""
    network.eval()
    data, _ = load_pack(path)
    found = np.zeros((len(data), sum(map(len, LABELS))), np.float32)
    for batch in batches(data, np.arange(len(data)), Packing(rows=teaching.rows * 2, length=teaching.length), network):
        found[batch.lessons] = _scores(network, batch).float().cpu().numpy()
    return found


def _scores(network: Network, batch: LessonBatch) -> torch.Tensor:
    return _told(network, network(batch.tokens, batch.positions, seen_by(batch.inside)), batch)


def _told(network: Network, hidden: torch.Tensor, batch: LessonBatch) -> torch.Tensor:
    return F.linear(hidden[batch.ends], network.output[FIRST : spans()[-1].stop])  # type: ignore[index]


def _loss(network: Network, batch: LessonBatch, labels: torch.Tensor, smooth: float) -> torch.Tensor:
    hidden = network(batch.tokens, batch.positions, seen_by(batch.inside))
    found = _told(network, hidden, batch).float()
    labels = labels.to(found.device)
    loss = found.sum() * 0
    if batch.learns.any():
        loss = loss + WRITING * words_loss(network, hidden, batch)
    for at, (part, weight) in enumerate(zip(found.split([len(names) for names in LABELS], 1), WEIGHTS, strict=True)):
        known = labels[:, at] != UNKNOWN
        if known.any():
            loss = loss + weight * F.cross_entropy(part[known], labels[known, at], label_smoothing=smooth)
    return loss


def words_loss(network: Network, hidden: torch.Tensor, batch: LessonBatch) -> torch.Tensor:
    """Of the replies that are to be written: the mean over their tokens."""
    learns = batch.learns[:, :-1]
    return F.cross_entropy(network.scores(hidden[:, :-1][learns]).float(), batch.tokens[:, 1:][learns])
