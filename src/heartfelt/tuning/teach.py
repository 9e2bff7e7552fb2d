"""Teachers: a few networks that learn the labels alone, and say how likely each label is in talks that they have not seen.

A talk's emotion is one worker's choice among 32 near words. The student that learns from that choice alone learns it by heart;
beside the shares of teachers that were trained on other talks it learns how near the words are. Every talk is left out by two
of the teachers, and the mean of their shares is what is taught.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from heartfelt.tuning.batches import Examples, TeacherShares, in_order
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import FOLDS, Progress, Training, TrainingRun, left_out, load_network, seen_by

SHARE = {
    "recognise_ed32": 0.5,
    "forecast_ed32": 0.3,
    "recognise_situation": 0.8,
    "recognise_goemotions": 0.5,
    "recognise_meld": 0.6,
    "forecast_meld": 0.4,
    "recognise_mead": 0.4,
    "recognise_ekman": 0.4,
    "recognise_iemocap": 0.3,
}
"""The share of each task's examples that an epoch takes."""
EPOCHS = 2.5
LEFT_OUT = 2
"""Folds that each teacher leaves out, and so the teachers that judge each talk."""


def teacher(base: Path, examples: Examples, folder: Path, number: int, recipe: Training, *, progress: Progress = print) -> Path:
    """Train one teacher, and write its shares of what it has not seen. A teacher that is there is not trained again."""
    target = folder / f"teacher-{number}.npz"
    if target.exists():
        return target
    recipe = replace(recipe, seed=recipe.seed + 100 * (number + 1), leaves=(number, LEFT_OUT))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(recipe.seed)
    network = load_network(base, recipe, device)
    place = folder / f"teacher-{number}"
    place.mkdir(parents=True, exist_ok=True)
    TrainingRun(network, recipe, examples, place, device, progress=progress).go()
    unseen = np.flatnonzero(np.isin(examples.talk % FOLDS, left_out(recipe)) & examples.chooses)
    label_shares(network, examples, unseen).save(target)
    return target


def gathered(paths: list[Path], target: Path) -> Path:
    """The mean of what the teachers say."""
    found = [TeacherShares.load(path) for path in paths]
    known = np.unique(np.concatenate([shares.example for shares in found]))
    total = np.zeros((len(known), found[0].share.shape[1]), np.float32)
    count = np.zeros((len(known), 1), np.float32)
    for shares in found:
        rows = np.searchsorted(known, shares.example)
        total[rows] += shares.share
        count[rows] += 1
    TeacherShares(known, (total / count).astype(np.float16)).save(target)
    return target


@torch.inference_mode()
def label_shares(
    network: Network, examples: Examples, chosen: NDArray[np.int64], *, rows: int = 96, length: int = 512
) -> TeacherShares:
    """How likely each label of these examples is, read from the first token of its name in one pass over the prompts."""
    network.eval()
    device = next(network.parameters()).device
    options, known = (torch.from_numpy(table).to(device) for table in examples.option_table)
    task_of = examples.task.astype(np.int64)
    place = np.full(len(examples), -1, np.int64)
    place[chosen] = np.arange(len(chosen))
    share = np.zeros((len(chosen), options.shape[1]), np.float16)
    for batch in in_order(examples, chosen, rows=rows, length=length):
        tokens, positions, example = (torch.from_numpy(x).to(device) for x in (batch.tokens, batch.positions, batch.example))
        hidden = network(tokens, positions, seen_by(example))
        asked = batch.chooses[batch.chooses >= 0]
        task = torch.from_numpy(task_of[asked]).to(device)
        logits = network.scores(hidden[torch.from_numpy(batch.chooses >= 0).to(device)]).float()
        found = logits.gather(1, options[task]).masked_fill(~known[task], -torch.inf).softmax(-1)
        share[place[asked]] = found.cpu().numpy()
    return TeacherShares(chosen, share)
