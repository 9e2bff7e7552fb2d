"""Learning from what raters preferred.

Of two answers to the same message the better one becomes likelier, beside the worse one, than both were at the beginning
(direct preference optimisation, arXiv 2305.18290). Three things keep it from forgetting how to write: the better answer is also
learnt as it stands, lessons of writing and marking are taught beside the pairs, and the end of a worse answer is not unlearnt,
or answers would come to run on.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from heartfelt.tuning.network import Network
from heartfelt.tuning.train import seen_by
from heartfelt.tuning.words import teach
from heartfelt.tuning.words.corpus import Preference
from heartfelt.tuning.words.exchanges import dialogue_of
from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons
from heartfelt.tuning.words.teach import LessonBatch, Packed, WordsTeaching

WIDEST = 2.0
"""A pair whose marks are further apart counts no more than one that is so far apart."""


@dataclass(frozen=True)
class PreferenceTeaching:
    strength: float = 0.1
    """How far a pair may move apart from where it was before it counts as told apart (β)."""
    written: float = 0.3
    """What writing the better answer as it stands counts beside that."""
    lessons: float = 0.3
    """What the other lessons count, writing, marking and ranking."""
    rate: float = 1e-4
    epochs: float = 0.6
    pairs: int = 80
    """In a step."""
    seed: int = 5


@dataclass(frozen=True)
class PreferencePairs:
    answers: Packed
    """The better and the worse answer of each pair in turn."""
    weights: NDArray[np.float32]
    """What a pair counts: by how much one was marked better."""

    def __len__(self) -> int:
        return len(self.weights)


def paired(
    preferences: Iterable[Preference], lessons: WordsLessons, longest: int
) -> tuple[list[WordsLesson], NDArray[np.float32]]:
    """The answers to learn from, the better and the worse in turn and the worse without its end; and what each pair counts.
    Pairs in which one has more than `longest` tokens are left out: they fit no row."""
    answers, weights = list[WordsLesson](), list[float]()
    for each in preferences:
        dialogue = dialogue_of(each.turns)
        better, worse = lessons.brief(dialogue, each.better), lessons.brief(dialogue, each.worse)
        if max(len(better.tokens), len(worse.tokens)) <= longest:
            answers += better, WordsLesson(worse.tokens[:-1], worse.asked, worse.decided[:-1])
            weights.append(min(WIDEST, each.by))
    return answers, np.array(weights, np.float32)


def prefer(
    network: Network,
    pairs: PreferencePairs,
    lessons: Packed,
    teaching: PreferenceTeaching,
    recipe: WordsTeaching,
    digits: list[int],
    told: Callable[[str], object],
) -> None:
    """Ends with what was learnt last. Marks count as much as writing in the lessons beside."""
    if not len(pairs):
        told("no message has two short answers whose marks are far enough apart: nothing is learnt from preferences")
        return
    before = _before(network, pairs, teaching, recipe)
    random = np.random.default_rng(teaching.seed)
    steps = max(1, math.ceil(teaching.epochs * len(pairs) / teaching.pairs))
    optimiser = torch.optim.AdamW(network.parameters(), lr=teaching.rate, weight_decay=0.0, betas=(0.9, 0.98))
    others, step = _endless(lessons, random, recipe, network), 0
    while step < steps:
        for chosen in _chunks(random.permutation(len(pairs)).tolist(), teaching.pairs):
            teach.set_rate(optimiser, teaching.rate, step / steps)
            network.train()
            apart, written = _of_pairs(network, pairs, chosen, before, teaching.strength, recipe)
            (apart + teaching.written * written).backward()
            lesson, marked, ranked = teach.losses(network, lessons, next(others), digits)
            (teaching.lessons * (lesson + marked + recipe.rank_weight * ranked)).backward()
            teach.take_step(network, optimiser)
            step += 1
            if step % 20 == 0:
                told(f"{step}/{steps} pairs {apart.item():.3f} better {written.item():.3f} mark {marked.item():.3f}")
            if step >= steps:
                break


@torch.no_grad()
def told_apart(network: Network, pairs: PreferencePairs, teaching: PreferenceTeaching, recipe: WordsTeaching) -> float:
    """The share of pairs whose better answer is the likelier, token by token."""
    network.eval()
    right = 0
    for chosen in _chunks(list(range(len(pairs))), teaching.pairs):
        sums, sizes = _likelihood(network, pairs.answers, _both(chosen), recipe)
        mean = (sums / sizes).view(-1, 2)
        right += int((mean[:, 0] > mean[:, 1]).sum())
    return right / max(1, len(pairs))


@torch.no_grad()
def _before(network: Network, pairs: PreferencePairs, teaching: PreferenceTeaching, recipe: WordsTeaching) -> Tensor:
    network.eval()
    found = torch.zeros(2 * len(pairs), device=network.device)
    for chosen in _chunks(list(range(len(pairs))), teaching.pairs):
        answers = _both(chosen)
        found[answers] = _likelihood(network, pairs.answers, answers, recipe)[0]
    return found


def _of_pairs(
    network: Network, pairs: PreferencePairs, chosen: list[int], before: Tensor, strength: float, recipe: WordsTeaching
) -> tuple[Tensor, Tensor]:
    """How badly the pairs are told apart, and how unlikely a token of the better answers is."""
    answers = _both(chosen)
    sums, sizes = _likelihood(network, pairs.answers, answers, recipe)
    moved = (sums - before[answers]).view(-1, 2)
    weights = torch.from_numpy(pairs.weights[chosen]).to(sums)
    apart = -(weights * F.logsigmoid(strength * (moved[:, 0] - moved[:, 1]))).sum() / weights.sum()
    return apart, -(sums / sizes).view(-1, 2)[:, 0].mean()


def _likelihood(network: Network, data: Packed, answers: Sequence[int], recipe: WordsTeaching) -> tuple[Tensor, Tensor]:
    """The log-probability of each answer, and how many tokens it has."""
    batch = _batch(data, answers, recipe, network.device)
    hidden = network(batch.tokens, batch.positions, seen_by(batch.inside))
    at = batch.learns[:, :-1]
    said = -F.cross_entropy(network.scores(hidden[:, :-1][at]).float(), batch.tokens[:, 1:][at], reduction="none")
    owner = batch.inside[:, :-1][at]
    sums = torch.zeros(len(answers), device=said.device).index_add(0, owner, said)
    return sums, torch.zeros_like(sums).index_add(0, owner, torch.ones_like(said))


def _batch(data: Packed, answers: Sequence[int], recipe: WordsTeaching, device: torch.device) -> LessonBatch:
    """All of them in order, in as many rows as that takes."""
    packed: list[list[int]] = [[]]
    room = recipe.length
    for answer in answers:
        size = int(data.lengths[answer])
        if size > room:
            packed.append([])
            room = recipe.length
        packed[-1].append(answer)
        room -= size
    return teach.batch_of(data, packed, recipe, device)


def _endless(lessons: Packed, random: np.random.Generator, recipe: WordsTeaching, network: Network) -> Iterator[LessonBatch]:
    while True:
        yield from teach.batches(lessons, lessons.shuffled(random), recipe, network)


def _both(pairs: Sequence[int]) -> list[int]:
    return [answer for pair in pairs for answer in (2 * pair, 2 * pair + 1)]


def _chunks(numbers: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]
