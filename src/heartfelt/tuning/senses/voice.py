"""Train the network that hears a feeling, measured by leaving actors out; one command from the data to the card.

    python -m heartfelt.tuning.senses.voice --data DIR --run DIR --seconds 240 --workers 8

Run it again to go on. A machine that carries only the trainer stops after the export; the same command where Heartfelt is whole
then fits the temperature, measures, and writes the card.
"""

import argparse
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heartfelt.errors import EngineError, HeartfeltError
from heartfelt.tuning.senses import runs, sounds
from heartfelt.tuning.senses.features import BANDS, STEP
from heartfelt.tuning.senses.learn import Learner, Pace, Progress, device_here, mixed, order, softened
from heartfelt.tuning.senses.recall import recall
from heartfelt.tuning.senses.shipped import agreement
from heartfelt.tuning.senses.sounds import NAMES, Heard, actor_folds
from heartfelt.tuning.senses.voice_network import Chorus, VoiceNetwork
from heartfelt.tuning.senses.voice_views import Views

LENGTHS = (10 * STEP, 13 * STEP, 16 * STEP)
"""Frames of a batch, in turn: utterances are cut to 1.6 to 2.6 seconds."""
EXPORT = "voice.onnx"


@dataclass(frozen=True)
class Recipe:
    """Everything that decides the result; it is written into the run's folder."""

    folds: int = 7
    members: int = 3
    """Networks that are heard together, from other beginnings."""
    width: int = 24
    epochs: int = 150
    batch: int = 48
    rate: float = 0.06
    decay: float = 1e-3
    average: float = 0.99
    dropout: float = 0.4
    smoothing: float = 0.1
    mixup: float = 0.5
    strength: float = 1.0
    """How far the views of an utterance differ from it."""
    speeds: tuple[float, ...] = sounds.SPEEDS
    seconds: float | None = None
    """For one member; the rate falls so that it ends in time."""
    seed: int = 7


def learn(data: Path, run: Path, recipe: Recipe, *, fold: int, progress: Progress = runs.tell) -> Path:
    """Train the members without the actors of one fold, and write what they say of those. Fold `folds` leaves no one out."""
    target = run / "state" / f"fold-{fold}.npz"
    if target.exists():
        return target
    heard = prepared(data, run, recipe)
    left = actor_folds(heard.actors, recipe.folds)[fold] if fold < recipe.folds else np.array([], np.int64)
    unseen = np.isin(heard.actors, left)
    device = device_here()
    views = Views(heard, device)
    members = [
        _member(heard, views, np.flatnonzero(~unseen), run, recipe, f"fold-{fold}-{number}", number, progress)
        for number in range(recipe.members)
    ]
    chorus = Chorus(members).cpu().eval()
    torch.save(chorus.state_dict(), run / "state" / f"fold-{fold}-network.pt")
    rows = np.flatnonzero(unseen)
    scores = judged(chorus, heard, rows)
    np.savez(target, rows=rows, scores=scores, fold=np.full(len(rows), fold))
    if len(rows):
        found = recall(scores.argmax(1), heard.labels[rows])
        print(f"fold {fold}: mean recall {found:.1%} over {len(rows)} utterances of actors that it has not heard", flush=True)
    return target


def prepared(data: Path, run: Path, recipe: Recipe) -> Heard:
    """The features of all utterances, made once for the run."""
    path = run / "state" / "heard.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = sounds.heard(sounds.read(data), recipe.speeds).save(path.with_name("partial.npz"))
        partial.replace(path)
    return Heard.load(path)


@torch.inference_mode()
def judged(network: Chorus, heard: Heard, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """The scores of whole utterances, one by one, as the runtime will hear them."""
    shown = [torch.from_numpy(heard.one(int(row)))[None, None] for row in rows]
    return np.concatenate([network(each).numpy() for each in shown] or [np.zeros((0, len(NAMES)), np.float32)])


def export(run: Path, recipe: Recipe) -> Path:
    """Write the members that learnt from all actors as one file, with the proof that it holds them."""
    chorus = Chorus([_new(recipe) for _ in range(recipe.members)])
    chorus.load_state_dict(torch.load(run / "state" / f"fold-{recipe.folds}-network.pt", weights_only=True))
    path = chorus.eval().write(run / EXPORT)
    inputs = torch.randn(32, 1, BANDS, 13 * STEP, generator=torch.Generator().manual_seed(recipe.seed)) * 3
    with torch.inference_mode():
        wanted = chorus(inputs).numpy()
    runs.keep(run / "agreement.json", agreement(path, inputs.numpy(), wanted))
    return path


def gather(run: Path, recipe: Recipe) -> Path:
    """What every utterance was taken for by networks that have never heard its speaker."""
    heard = Heard.load(run / "state" / "heard.npz")
    parts = [np.load(run / "state" / f"fold-{fold}.npz") for fold in range(recipe.folds)]
    rows = np.concatenate([part["rows"] for part in parts])
    at = np.argsort(rows)
    target = run / "judged.npz"
    scores, fold = (np.concatenate([part[name] for part in parts])[at] for name in ("scores", "fold"))
    np.savez(target, scores=scores, fold=fold, labels=heard.labels[rows[at]], actors=heard.actors[rows[at]])
    return target


def _new(recipe: Recipe) -> VoiceNetwork:
    return VoiceNetwork(len(NAMES), width=recipe.width, dropout=recipe.dropout)


def _member(
    heard: Heard,
    views: Views,
    rows: NDArray[np.int64],
    run: Path,
    recipe: Recipe,
    part: str,
    number: int,
    progress: Progress,
) -> VoiceNetwork:
    seed = recipe.seed + 100 * number
    device = views.bands.device
    torch.manual_seed(seed)
    network = _new(recipe).to(device, memory_format=torch.channels_last)
    pace = Pace(
        steps=recipe.epochs * max(1, len(rows) // min(recipe.batch, len(rows))),
        rate=recipe.rate,
        decay=recipe.decay,
        average=recipe.average,
        seconds=recipe.seconds,
    )
    draw = _Draw(heard, views, rows, recipe, seed)
    return Learner(network, draw, pace, run, part=part, seed=seed, progress=progress).go()  # type: ignore[return-value]


class _Draw:
    """The batches of a member. A rare label counts for more, so that each counts the same."""

    def __init__(self, heard: Heard, views: Views, rows: NDArray[np.int64], recipe: Recipe, seed: int):
        self.views, self.recipe, self.seed, self.device = views, recipe, seed, views.bands.device
        self.rows = torch.from_numpy(rows)
        labels = torch.from_numpy(heard.labels)
        counts = torch.bincount(labels[self.rows], minlength=len(NAMES)).clamp(min=1)
        weight = counts.sum() / (len(NAMES) * counts)
        self.shares = (softened(labels, len(NAMES), recipe.smoothing) * weight[labels][:, None]).to(self.device)

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        chance = torch.Generator(self.device).manual_seed(self.seed * 1_000_003 + step)
        at = order(step, batch=self.recipe.batch, count=len(self.rows), seed=self.seed)
        rows = self.rows[at].to(self.device)
        inputs = self.views.draw(rows, LENGTHS[step % len(LENGTHS)], chance, strength=self.recipe.strength)
        return mixed(inputs, self.shares[rows], self.recipe.mixup, chance)


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def options() -> argparse.ArgumentParser:
    parser = runs.parser(__doc__)
    parser.add_argument("--workers", type=int, default=1, help="folds that learn at once; 8 on a GPU")
    parser.add_argument("--only", type=int, help="learn this fold alone; the number of folds stands for all actors")
    for name in ("folds", "members", "epochs", "batch", "width"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Recipe, name))
    return parser


def main(arguments: list[str] | None = None) -> None:
    asked = options().parse_args(arguments)
    jobs = asked.folds + 1
    rounds = -(-jobs // max(1, asked.workers))
    recipe = Recipe(
        folds=asked.folds,
        members=asked.members,
        epochs=asked.epochs,
        batch=asked.batch,
        width=asked.width,
        seconds=round(0.85 * asked.seconds / (rounds * asked.members), 1) if asked.seconds else None,
        seed=asked.seed,
    )
    recipe = Recipe(**runs.begun(asked.run, asdict(recipe)))
    if asked.only is not None:
        learn(asked.data, asked.run, recipe, fold=asked.only)
        return
    if not (asked.run / "agreement.json").exists():  # the last thing that training writes
        prepared(asked.data, asked.run, recipe)
        _all(asked, recipe)
        gather(asked.run, recipe)
        print(f"{export(asked.run, recipe)}: {(asked.run / 'agreement.json').read_text()}")
    if not find_spec("heartfelt.labels"):
        print("Trained and exported. Run the same command where Heartfelt is whole to measure it.")
        return
    from heartfelt.tuning.senses.finish import finish_voice

    finish_voice(asked.run)


def _all(asked: argparse.Namespace, recipe: Recipe) -> None:
    """Every fold, and then all actors: here, or in as many processes as may work at once."""
    missing = [n for n in range(recipe.folds, -1, -1) if not (asked.run / "state" / f"fold-{n}.npz").exists()]
    if asked.workers <= 1:
        for fold in missing:
            learn(asked.data, asked.run, recipe, fold=fold)
        return
    command = [sys.executable, "-m", "heartfelt.tuning.senses.voice", "--data", str(asked.data), "--run", str(asked.run)]
    while missing:
        batch, missing = missing[: asked.workers], missing[asked.workers :]
        working = [
            subprocess.Popen([*command, "--only", str(fold)], env=os.environ | {"OMP_NUM_THREADS": "1"}) for fold in batch
        ]
        ended = [each.wait() for each in working]
        if any(ended):
            raise EngineError("A fold could not be learnt, see its message above; run the same command again to go on.")


if __name__ == "__main__":
    try:
        main()
    except HeartfeltError as error:
        sys.exit(f"{error}")
