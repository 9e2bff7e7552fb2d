"""Teaching the reader of danger: the sentence encoder's layers, and a head that tells tier, danger, who, and what is done.

Ordinary talk is the largest class. A message that stands alone is now and then given turns of other talk before it, so that
what is learned does not hang on there being none. Ordinary talk after a question about a danger is another subject.
"""

import csv
import math
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from heartfelt.errors import InputError
from heartfelt.memory.minilm_graph import Tensors
from heartfelt.memory.taught_graph import BIAS, HEAD, PLACES, TYPES, WORDS
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import TAUGHT_HERE as ACTS
from heartfelt.safety.detect.reader import WHOS, encoded
from heartfelt.safety.tiers import DANGERS, TIERS

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NONE = -1
TIER, DANGER = len(TIERS), len(TIERS) + len(DANGERS)
WHO = DANGER + len(WHOS)
OUTPUTS = WHO + len(ACTS)
NO_DANGER = ("off_topic", "joke", "denied", "thanks")
"""Acts that by themselves tell of no danger."""
WEIGHTS = (1.0, 0.3, 0.3, 0.7)
"""How much tiers, dangers, whose and acts count."""
LONG_ENOUGH = 6
"""Words of an ordinary message that tells its subject."""
Tokens = tuple[list[int], list[int]]


class DangerLesson(NamedTuple):
    message: PersonMessage
    tier: int = NONE
    danger: int = NONE
    who: int = NONE
    act: int = NONE


@dataclass(frozen=True)
class DangerTeaching:
    seed: int = 0
    epochs: float = 3.0
    rate: float = 1.5e-4
    rows: int = 64
    dropout: float = 0.1
    smooth: float = 0.02
    ordinary: int = 8000
    """Messages of ordinary talk that an epoch takes."""
    acts: int = 3
    """How often an epoch takes the lessons that only tell what is done."""
    aside: float = 0.06
    """The share of ordinary messages that are put after a question about a danger, as another subject."""
    borrowed: float = 0.25
    """The share of messages without a talk before them that are given one of somebody else's."""
    warm: int = 60
    """Steps until the rate is reached; then it falls along a cosine."""


def read_lessons(path: Path) -> list[DangerLesson]:
    """A CSV with the columns text and either tier and danger or act; where known also who, asked and before."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [_lesson(row) for row in csv.DictReader(file)]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (KeyError, ValueError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} does not hold labelled messages (text, tier, danger; or text, act): {error}") from None


def _lesson(row: dict[str, str]) -> DangerLesson:
    message = PersonMessage(row["text"], row.get("asked") or "", row.get("before") or "")
    who = row.get("who") or "-"
    whose = WHOS.index(who) if who != "-" else NONE  # type: ignore[arg-type]
    if act := row.get("act"):
        return DangerLesson(message, 0 if act in NO_DANGER else NONE, who=whose, act=ACTS.index(act))  # type: ignore[arg-type]
    danger = row["danger"]
    return DangerLesson(
        message,
        TIERS.index(row["tier"]),  # type: ignore[arg-type]
        DANGERS.index(danger) if danger != "-" else NONE,  # type: ignore[arg-type]
        whose,
    )


class Encoder(nn.Module):
    """The encoder of `memory.minilm_graph` with a head, to be taught. Its table of words stays as it is, and so do the `frozen`
    lowest layers."""

    def __init__(self, tensors: Tensors, *, heads: int, layers: int, epsilon: float, frozen: int = 0):
        super().__init__()
        self.heads, self.layers, self.epsilon = heads, layers, epsilon
        self.words = nn.Embedding.from_pretrained(torch.from_numpy(np.array(tensors[WORDS])), freeze=True)
        self.width = self.words.embedding_dim
        taught = {
            name: tensor for name, tensor in tensors.items() if name.startswith(("embeddings.", "encoder.")) and name != WORDS
        }
        self.taught = nn.ParameterDict(
            {_key(name): nn.Parameter(torch.from_numpy(np.array(tensor))) for name, tensor in taught.items()}
        )
        for key, tensor in self.taught.items():
            tensor.requires_grad = _layer(_name(key)) >= frozen
        self.head = nn.Linear(self.width, OUTPUTS)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        if HEAD in tensors:
            self.head.load_state_dict({"weight": torch.from_numpy(tensors[HEAD]), "bias": torch.from_numpy(tensors[BIAS])})

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor, dropout: float = 0.0) -> Tensor:
        def drop(x: Tensor) -> Tensor:
            return F.dropout(x, dropout, self.training)

        rows, length = ids.shape
        x = self.words(ids) + self._t(PLACES)[:length] + F.embedding(types, self._t(TYPES))
        x = drop(self._normalised(x, "embeddings.LayerNorm"))
        seen = mask[:, None, None, :].bool()
        for layer in range(self.layers):
            name = f"encoder.layer.{layer}."
            query, key, value = (
                self._dense(x, f"{name}attention.self.{part}").view(rows, length, self.heads, -1).transpose(1, 2)
                for part in ("query", "key", "value")
            )
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=seen).transpose(1, 2).reshape(rows, length, -1)
            x = self._normalised(
                x + drop(self._dense(mixed, f"{name}attention.output.dense")), f"{name}attention.output.LayerNorm"
            )
            wide = F.gelu(self._dense(x, f"{name}intermediate.dense"))
            x = self._normalised(x + drop(self._dense(wide, f"{name}output.dense")), f"{name}output.LayerNorm")
        own = (mask * (1 - types)).to(x.dtype)[..., None]
        return self.head(drop((x * own).sum(1) / own.sum(1)))

    def tensors(self) -> Tensors:
        """What was taught, by the names of the encoder."""
        own = {_name(key): value for key, value in self.taught.items() if value.requires_grad}
        found = own | {HEAD: self.head.weight, BIAS: self.head.bias}
        return {name: value.detach().float().cpu().numpy() for name, value in found.items()}

    def _t(self, name: str) -> Tensor:
        return self.taught[_key(name)]

    def _dense(self, x: Tensor, name: str) -> Tensor:
        return F.linear(x, self._t(f"{name}.weight"), self._t(f"{name}.bias"))

    def _normalised(self, x: Tensor, name: str) -> Tensor:
        return F.layer_norm(x, (self.width,), self._t(f"{name}.weight"), self._t(f"{name}.bias"), self.epsilon)


def teach(
    encoder: Encoder,
    tokenizer: "Tokenizer",
    lessons: list[DangerLesson],
    ordinary: list[PersonMessage],
    teaching: DangerTeaching,
    *,
    told: Callable[[str], object] = print,
) -> None:
    """Train in place; ends with the steps that `epochs` come to."""
    torch.manual_seed(teaching.seed)
    dice = random.Random(teaching.seed)
    encoder.train()
    device = encoder.words.weight.device
    optimiser = torch.optim.AdamW(
        [each for each in encoder.parameters() if each.requires_grad], lr=teaching.rate, weight_decay=0.01
    )
    own = sum(lesson.act == NONE for lesson in lessons)
    size = own + teaching.acts * (len(lessons) - own) + min(teaching.ordinary, len(ordinary))
    steps, started = max(1, math.ceil(size * teaching.epochs / teaching.rows)), time.perf_counter()
    batches = _batches(lessons, ordinary, tokenizer, teaching, dice)
    for step in range(steps):
        rate = teaching.rate * min(1.0, (step + 1) / teaching.warm) * (0.5 + 0.5 * math.cos(math.pi * step / steps))
        for group in optimiser.param_groups:
            group["lr"] = rate
        rows = next(batches)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            scores = encoder(*(given.to(device) for given in _padded([tokens for tokens, _ in rows])), teaching.dropout)
            loss = _loss(scores.float(), [lesson for _, lesson in rows], teaching.smooth)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimiser.step()
        if (step + 1) % 100 == 0 or step + 1 == steps:
            told(f"step {step + 1} of {steps}, loss {loss.item():.3f}, {time.perf_counter() - started:.0f} s")


@torch.inference_mode()
def scores(encoder: Encoder, tokenizer: "Tokenizer", messages: list[PersonMessage], *, rows: int = 128) -> NDArray[np.float32]:
    """(messages, tiers and dangers and whose and acts), before they become shares."""
    encoder.eval()
    device = encoder.words.weight.device
    tokens = [encoded(message, tokenizer) for message in messages]
    order = sorted(range(len(tokens)), key=lambda row: len(tokens[row][0]))
    found = np.zeros((len(messages), OUTPUTS), np.float32)
    for start in range(0, len(order), rows):
        chosen = order[start : start + rows]
        given = (part.to(device) for part in _padded([tokens[row] for row in chosen]))
        found[chosen] = encoder(*given).float().cpu().numpy()
    return found


def _batches(
    lessons: list[DangerLesson],
    ordinary: list[PersonMessage],
    tokenizer: "Tokenizer",
    teaching: DangerTeaching,
    dice: random.Random,
) -> Iterator[list[tuple[Tokens, DangerLesson]]]:
    """Lessons of like length, without end."""
    talks = [message for message in ordinary if message.asked]
    doing = [lesson for lesson in lessons if lesson.act != NONE]
    while True:
        drawn = dice.sample(ordinary, min(teaching.ordinary, len(ordinary)))
        plain = [_aside(message, doing, teaching.aside, dice) for message in drawn]
        epoch = [*lessons, *doing * (teaching.acts - 1), *plain]
        taken = [(encoded(_amid(lesson.message, talks, teaching.borrowed, dice), tokenizer), lesson) for lesson in epoch]
        taken.sort(key=lambda each: len(each[0][0]) + dice.gauss(0, 6))
        batches = [taken[at : at + teaching.rows] for at in range(0, len(taken), teaching.rows)]
        dice.shuffle(batches)
        yield from batches


def _aside(message: PersonMessage, doing: list[DangerLesson], share: float, dice: random.Random) -> DangerLesson:
    """Ordinary talk as it is, now and then after a question that somebody in danger was asked."""
    if not doing or len(message.text.split()) < LONG_ENOUGH or dice.random() >= share:
        return DangerLesson(message, 0)
    return DangerLesson(PersonMessage(message.text, dice.choice(doing).message.asked), 0, act=ACTS.index("off_topic"))


def _amid(message: PersonMessage, talks: list[PersonMessage], share: float, dice: random.Random) -> PersonMessage:
    if message.asked or not talks or dice.random() >= share:
        return message
    other = dice.choice(talks)
    return PersonMessage(message.text, other.asked, other.before)


def _padded(tokens: list[Tokens]) -> Iterator[Tensor]:
    """Ids, which of them are real, and their types."""
    width = max(len(ids) for ids, _ in tokens)
    whole = np.zeros((3, len(tokens), width), np.int64)
    for row, (ids, types) in enumerate(tokens):
        whole[0, row, : len(ids)], whole[1, row, : len(ids)], whole[2, row, : len(ids)] = ids, 1, types
    return iter(torch.from_numpy(whole))


def _loss(scores: Tensor, lessons: list[DangerLesson], smooth: float) -> Tensor:
    """Of each part what the lesson says about it."""
    parts = zip(scores.split((TIER, DANGER - TIER, WHO - DANGER, OUTPUTS - WHO), 1), WEIGHTS, strict=True)
    loss = scores.sum() * 0
    for at, (part, weight) in enumerate(parts, 1):
        wanted = torch.tensor([lesson[at] for lesson in lessons], device=scores.device)
        known = wanted >= 0
        if known.any():
            loss = loss + weight * F.cross_entropy(part[known], wanted[known], label_smoothing=smooth)
    return loss


def _layer(name: str) -> int:
    """Of a tensor of the encoder; what embeds words lies below the first, and is taught with it."""
    parts = name.split(".")
    return int(parts[2]) if parts[0] == "encoder" else 0


def _key(name: str) -> str:
    return name.replace(".", "/")


def _name(key: str) -> str:
    return key.replace("/", ".")
