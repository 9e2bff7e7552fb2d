"""Does the embedded engine, with the merged adapter in eight bits, decide as the network that was trained?"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from heartfelt.errors import EngineError, InputError
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.guided import softmax
from heartfelt.tuning.batches import cut
from heartfelt.tuning.export import Tensors
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import Training, load_network

LONGEST = 400
"""Tokens of a prompt that is compared: on a processor, longer ones take the network long."""
MOST_APART = 0.1
"""The mean share of probability that may lie on other options. Eight bits move about 0.03; a wrong adapter moves half of it."""
DECIDED = 0.25
"""Where the network prefers its choice by more than this, the engine must choose the same."""


@dataclass(frozen=True)
class EngineAgreement:
    prompts: int
    same: int
    """Prompts on which both choose the same."""
    largest: float
    """The largest difference of an option's probability."""
    apart: float
    """The share of probability that lies on other options, in the mean over the prompts."""
    contrary: int
    """Prompts on which the network was sure and the engine chose otherwise."""

    @property
    def fine(self) -> bool:
        return self.apart <= MOST_APART and self.contrary == 0

    def record(self) -> dict[str, Any]:
        return asdict(self) | {"fine": self.fine}


def agreement(engine: Engine, network: Network, prompts: list[list[int]], options: list[list[int]]) -> EngineAgreement:
    ours = np.array([softmax(whole_options(network, prompt, options)) for prompt in prompts])
    theirs = np.array([softmax(engine.read(prompt).score(options)) for prompt in prompts])
    chosen, gap = ours.argmax(1), np.abs(ours - theirs)
    best = np.sort(ours, 1)
    sure = best[:, -1] - best[:, -2] > DECIDED
    return EngineAgreement(
        prompts=len(prompts),
        same=int((theirs.argmax(1) == chosen).sum()),
        largest=round(float(gap.max()), 4),
        apart=round(float(gap.sum(1).mean() / 2), 4),
        contrary=int((sure & (theirs.argmax(1) != chosen)).sum()),
    )


def check(engine: Engine, base: Path, tensors: Tensors, alpha: float, examples: Path, *, count: int) -> EngineAgreement:
    """Compare on prompts of the validation split, and refuse an export that does not agree."""
    prompts, options = _validation(examples, count)
    rank = next(value.shape[0] for name, value in tensors.items() if name.endswith(".lora_a"))
    network = load_network(base, Training(rank=rank, alpha=alpha, dropout=0.0), torch.device("cpu"))
    network.load_adapter(tensors)
    found = agreement(engine, network, prompts, options)
    if not found.fine:
        raise EngineError(
            f"The embedded engine does not decide as the trained network: on {found.prompts} prompts of the validation split "
            f"the same choice {found.same} times, {found.apart:.2f} of the probability apart in the mean and "
            f"{found.largest:.2f} at most. Do not use this adapter; export again, and report this."
        )
    return found


@torch.inference_mode()
def whole_options(network: Network, prompt: list[int], options: list[list[int]]) -> NDArray[np.float64]:
    """The log-probability of each whole option, in one pass: the options are branches that see the prompt and themselves."""
    network.eval()
    rest = [option[:-1] for option in options]
    tokens = [*prompt, *(token for branch in rest for token in branch)]
    positions = [*range(len(prompt)), *(len(prompt) + place for branch in rest for place in range(len(branch)))]
    branch_of = torch.tensor([-1] * len(prompt) + [number for number, branch in enumerate(rest) for _ in branch])
    seen = (branch_of[None] == -1) | (branch_of[:, None] == branch_of[None])
    mask = (seen & torch.ones_like(seen).tril())[None, None]
    hidden = network(torch.tensor([tokens]), torch.tensor([positions]), mask)
    logs = F.log_softmax(network.scores(hidden[0, len(prompt) - 1 :]).float(), -1).double().numpy()
    scores, at = [], 1
    for option in options:
        scores.append(logs[0, option[0]] + sum(logs[at + place, token] for place, token in enumerate(option[1:])))
        at += len(option) - 1
    return np.array(scores)


def _validation(examples: Path, count: int) -> tuple[list[list[int]], list[list[int]]]:
    found = [path for name in ("ed32", "own", "meld") if (path := examples / f"eval_valid_{name}.npz").exists()]
    if not found:
        raise InputError(f"{examples} has no evaluation set of the validation split. Write it: heartfelt tune examples")
    with np.load(found[0], allow_pickle=False) as data:
        prompts, options = cut(data["tokens"], data["offsets"]), cut(data["options"], data["option_offsets"])
    short = [prompt for prompt in prompts if len(prompt) <= LONGEST]
    return short[:: max(1, len(short) // count)][:count], options
