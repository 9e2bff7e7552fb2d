"""Closed choices scored by the network in training as the embedded engine scores them: whole options, summed logs."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from heartfelt.tuning.batches import cut
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import Recipe, load_network, seen_by


@torch.inference_mode()
def option_scores(
    network: Network, prompts: list[list[int]], options: list[list[int]], *, tokens: int = 60_000
) -> NDArray[np.float32]:
    """(prompts, options) log-probabilities, in batches of rows of about one length."""
    network.eval()
    device = next(network.parameters()).device
    scores = np.zeros((len(prompts), len(options)), np.float32)
    rows = sorted(((i, j) for i in range(len(prompts)) for j in range(len(options))), key=lambda r: len(prompts[r[0]]))
    at = 0
    while at < len(rows):
        width = max(len(prompts[rows[min(at + k, len(rows) - 1)][0]]) for k in (0, 1))
        count = max(1, tokens // (width + 40))
        group = rows[at : at + count]
        at += len(group)
        for (i, j), value in zip(
            group, _row_scores(network, [(prompts[i], options[j]) for i, j in group], device), strict=True
        ):
            scores[i, j] = value
    return scores


def _row_scores(network: Network, pairs: list[tuple[list[int], list[int]]], device: torch.device) -> list[float]:
    length = max(len(prompt) + len(option) for prompt, option in pairs)
    tokens = torch.zeros(len(pairs), length, dtype=torch.long)
    counted = torch.zeros(len(pairs), length, dtype=torch.bool)
    for r, (prompt, option) in enumerate(pairs):
        whole = [*prompt, *option]
        tokens[r, : len(whole)] = torch.tensor(whole)
        counted[r, len(prompt) - 1 : len(whole) - 1] = True
    tokens, counted = tokens.to(device), counted.to(device)
    positions = torch.arange(length, device=device).expand(len(pairs), -1)
    hidden = network(tokens, positions, seen_by(torch.zeros_like(tokens)))
    row, column = counted.nonzero(as_tuple=True)
    logs = F.log_softmax(network.scores(hidden[row, column]).float(), -1)
    picked = logs.gather(1, tokens[row, column + 1][:, None])[:, 0]
    return torch.zeros(len(pairs), device=device).index_add_(0, row, picked).tolist()


def choices(network: Network, path: Path) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Scores and gold of an `eval_*` set with one closed choice a prompt."""
    with np.load(path, allow_pickle=False) as data:
        prompts, options, gold = (
            cut(data["tokens"], data["offsets"]),
            cut(data["options"], data["option_offsets"]),
            data["gold"],
        )
    return option_scores(network, prompts, options), gold


def verdicts(network: Network, path: Path) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """P(wrong) of each step and gold (-1 where a recipe lacks the step), each verdict after the ones before it."""
    with np.load(path, allow_pickle=False) as data:
        prompts, options, gold = (
            cut(data["tokens"], data["offsets"]),
            cut(data["options"], data["option_offsets"]),
            data["gold"],
        )
        between = [cut(data[f"between_{name}"], data[f"between_{name}_offsets"]) for name in data["recipes"]]
        recipe = data["recipe"]
    wrong = np.zeros(gold.shape, np.float32)
    for step in range(gold.shape[1]):
        asked = [i for i in range(len(prompts)) if gold[i, step] >= 0]
        scores = option_scores(network, [prompts[i] for i in asked], options)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        for i, share in zip(asked, shares / shares.sum(1, keepdims=True), strict=True):
            wrong[i, step] = share[1]
            follow = between[recipe[i]]
            if step < len(follow):
                prompts[i] = prompts[i] + options[int(share[1] > 0.5)] + follow[step]
    return wrong, gold


def blame(wrong: NDArray[np.float32], gold: NDArray[np.int64], *, bar: float = 0.5) -> dict[str, float]:
    """Earliest step blamed correctly on faulty passes, and false alarms on clean ones."""
    said = np.where(gold >= 0, wrong > bar, False)
    first = np.where(said.any(1), said.argmax(1), -1)
    true = np.where((gold == 1).any(1), (gold == 1).argmax(1), -1)
    faulty = true >= 0
    return {"blamed": float((first == true)[faulty].mean()), "false_alarms": float((first >= 0)[~faulty].mean())}


def report(network: Network, data: Path, split: str) -> dict[str, float]:
    """Accuracy on every closed choice of a split, and the audit's blame."""
    told: dict[str, float] = {}
    for task in ("ed32", "meld", "meld_forecast"):
        scores, gold = choices(network, data / f"eval_{split}_{task}.npz")
        told[task] = float((scores.argmax(1) == gold).mean())
    wrong, gold = verdicts(network, data / f"eval_{split}_audit.npz")
    return told | blame(wrong, gold)


def main() -> None:
    """BASE DATA ADAPTER SPLIT: print the report as JSON."""
    base, data, adapter, split = sys.argv[1:5]
    with np.load(adapter) as saved:
        recipe = Recipe(rank=int(saved["rank"]), alpha=float(saved["alpha"]), dropout=0.0)
        network = load_network(Path(base), recipe, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
        network.load_adapter({name: saved[name] for name in saved.files if "lora" in name})
    print(json.dumps(report(network, Path(data), split)))


if __name__ == "__main__":
    main()
