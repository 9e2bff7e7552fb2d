"""Train the network that reads an expression: teachers that judge what they have not seen, then the student; to the card.

    python -m heartfelt.tuning.senses.face --data DIR --run DIR --seconds 550

Run it again to go on. A machine that carries only the trainer stops after the export; the same command where Heartfelt is whole
then fits the temperature, measures on the public test, and writes the card.
"""

import sys
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.senses.face import light
from heartfelt.tuning.senses import runs
from heartfelt.tuning.senses.face_network import FaceNetwork
from heartfelt.tuning.senses.face_views import views
from heartfelt.tuning.senses.learn import Learner, LearningPace, Progress, device_here, mixed, order, softened
from heartfelt.tuning.senses.pictures import VALIDATION, Faces, folds, read_training
from heartfelt.tuning.senses.shipped import agreement

EXPORT = "face.onnx"
TOGETHER = 8
"""Steps whose views are made at once."""
AGREED = 256
"""Validation pictures on which the export is held against the network, beside as many of pure noise."""
TEACHING, LEARNING = 0.42, 0.54
"""Parts of the time for all teachers and for the student; the rest is for what comes before and after."""


@dataclass(frozen=True)
class FaceTraining:
    """Everything that decides the result; it is written into the run's folder."""

    teachers: int = 5
    """Each leaves out its part of the pictures, and says what they show. Labels of single workers are often wrong."""
    teacher_width: int = 60
    teacher_epochs: int = 100
    width: int = 60
    blocks: tuple[int, int, int] = (1, 2, 2)
    epochs: int = 600
    batch: int = 512
    rate: float = 0.2
    decay: float = 8e-4
    average: float = 0.999
    dropout: float = 0.3
    skipped: float = 0.05
    smoothing: float = 0.1
    mixup: float = 0.2
    taught: float = 0.6
    """How much the teachers' shares count beside the label."""
    strength: float = 0.8
    """How far the views of a face differ from it."""
    teacher_seconds: float | None = None
    seconds: float | None = None
    """For a teacher and for the student; the rate falls so that they end in time."""
    seed: int = 7


def teach(faces: Faces, run: Path, recipe: FaceTraining, *, progress: Progress = runs.tell) -> NDArray[np.float32]:
    """(n, labels): what the teachers say of every picture that may be learnt from, each of those that have not seen it."""
    path = run / "shares.npz"
    if path.exists():
        with np.load(path) as data:
            return data["shares"].astype(np.float32)
    fold = folds(faces)
    found = np.zeros((len(faces), len(faces.names)), np.float32)
    plan = replace(
        recipe, width=recipe.teacher_width, epochs=recipe.teacher_epochs, seconds=recipe.teacher_seconds, average=0.996
    )
    for number in range(recipe.teachers):
        unseen = (fold != VALIDATION) & (fold % recipe.teachers == number)
        seen = (fold != VALIDATION) & ~unseen
        network = _learnt(faces.taken(seen), None, run, replace(plan, seed=recipe.seed + 100 * (number + 1)), number, progress)
        found[unseen] = _both_ways(network, faces.pictures[unseen])
        right = float((found[unseen].argmax(1) == faces.labels[unseen]).mean())
        print(f"teacher {number + 1}: agrees with {right:.1%} of the labels that it has not seen", flush=True)
    np.savez(path, shares=found.astype(np.float16))
    return found


def learn(
    faces: Faces, shares: NDArray[np.float32] | None, run: Path, recipe: FaceTraining, *, progress: Progress = runs.tell
) -> FaceNetwork:
    """The student, which has seen all but the validation fold. Its weights are written into the run's folder."""
    seen = folds(faces) != VALIDATION
    network = _learnt(faces.taken(seen), None if shares is None else shares[seen], run, recipe, None, progress)
    torch.save({name: value.cpu() for name, value in network.state_dict().items()}, run / "network.pt")
    return network


def export(network: FaceNetwork, faces: Faces, run: Path) -> Path:
    """Write the student as a file, with the proof that it holds what was trained, in half precision and in full."""
    made = network.cpu().float().eval()
    some = faces.pictures[folds(faces) == VALIDATION][:AGREED]
    noise = np.random.default_rng(0).integers(0, 256, some.shape).astype(np.uint8)
    both = np.concatenate([some, noise])
    inputs, wanted = light.shown(both), scored(made, both)
    whole = agreement(made.write(run / "whole.onnx", half=False), inputs, wanted)
    (run / "whole.onnx").unlink()
    path = made.write(run / EXPORT)
    runs.keep(run / "agreement.json", agreement(path, inputs, wanted) | {"in_full_precision": whole})
    return path


@torch.inference_mode()
def scored(network: nn.Module, pictures: NDArray[np.uint8], *, batch: int = 512) -> NDArray[np.float32]:
    """What a network makes of pictures as they were published."""
    device = next(network.parameters()).device
    parts = [torch.from_numpy(light.shown(pictures[at : at + batch])) for at in range(0, len(pictures), batch)]
    return np.concatenate([network(part.to(device)).cpu().numpy() for part in parts])


def _both_ways(network: nn.Module, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The mean share over a picture and its mirror image."""
    ways = [torch.from_numpy(scored(network, np.ascontiguousarray(each))) for each in (pictures, pictures[:, :, ::-1])]
    return torch.stack(ways).softmax(-1).mean(0).numpy()


def _learnt(
    faces: Faces, shares: NDArray[np.float32] | None, run: Path, recipe: FaceTraining, number: int | None, progress: Progress
) -> FaceNetwork:
    if len(faces) < 2:
        raise InputError("There are no pictures left to learn from; give the whole of FER2013 with --data.")
    device = device_here()
    torch.manual_seed(recipe.seed)
    network = FaceNetwork(
        len(faces.names), width=recipe.width, blocks=recipe.blocks, dropout=recipe.dropout, skipped=recipe.skipped
    )
    pace = LearningPace(
        steps=recipe.epochs * max(1, len(faces) // min(recipe.batch, len(faces))),
        rate=recipe.rate,
        decay=recipe.decay,
        average=recipe.average,
        seconds=recipe.seconds,
    )
    part = "student" if number is None else f"teacher-{number}"
    draw = _Draw(faces, shares, recipe, device)
    shown = network.to(device, memory_format=torch.channels_last)
    return Learner(shown, draw, pace, run, part=part, seed=recipe.seed, progress=progress).go()  # type: ignore[return-value]


class _Draw:
    """The batches: all pictures lie on the device, and their views are made there."""

    def __init__(self, faces: Faces, shares: NDArray[np.float32] | None, recipe: FaceTraining, device: torch.device):
        self.recipe, self.device, self.count = recipe, device, len(faces)
        self.pictures = torch.from_numpy(faces.pictures).to(device)
        self.shares = softened(torch.from_numpy(faces.labels), len(faces.names), recipe.smoothing).to(device)
        if shares is not None:
            self.shares = torch.lerp(self.shares, torch.from_numpy(shares).to(device), recipe.taught)
        self._block = -1
        self._drawn: tuple[Tensor, Tensor]

    def __call__(self, step: int) -> tuple[Tensor, Tensor]:
        """Views are made for some steps at once: many small pictures cost a GPU as much time as few."""
        block, place = divmod(step, TOGETHER)
        if self._block != block:
            self._block, self._drawn = block, self._draw(block)
        inputs, shares = self._drawn
        size = len(inputs) // TOGETHER
        cut = slice(place * size, (place + 1) * size)
        return inputs[cut], shares[cut]

    def _draw(self, block: int) -> tuple[Tensor, Tensor]:
        recipe = self.recipe
        chance = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + block)
        steps = range(block * TOGETHER, (block + 1) * TOGETHER)
        rows = torch.cat([order(step, batch=recipe.batch, count=self.count, seed=recipe.seed) for step in steps]).to(
            self.device
        )
        seen = views(self.pictures[rows][:, None].float(), chance, strength=recipe.strength)
        inputs, shares = mixed(seen, self.shares[rows], recipe.mixup, chance)
        return inputs.contiguous(memory_format=torch.channels_last), shares


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def main(arguments: list[str] | None = None) -> None:
    parser = runs.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpus, as published or packed")
    parser.add_argument("--seconds", type=float, help="how long to learn, all in all; without it, as long as the recipe says")
    numbers = ("teachers", "teacher_width", "teacher_epochs", "width", "epochs", "batch")
    for name in numbers:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(FaceTraining, name))
    asked = parser.parse_args(arguments)
    recipe = FaceTraining(
        **{name: getattr(asked, name) for name in (*numbers, "seed")},
        teacher_seconds=round(TEACHING * asked.seconds / max(1, asked.teachers), 1) if asked.seconds else None,
        seconds=round((LEARNING if asked.teachers else LEARNING + TEACHING) * asked.seconds, 1) if asked.seconds else None,
    )
    recipe = FaceTraining(**runs.begun(asked.run, asdict(recipe)))
    if not (asked.run / "agreement.json").exists():  # the last thing that training writes
        _train(asked.data, asked.run, recipe)
    if not find_spec("heartfelt.labels"):
        print("Trained and exported. Run the same command where Heartfelt is whole to measure it.")
        return
    from heartfelt.tuning.senses.finish import finish_face

    finish_face(asked.data, asked.run)


def _train(data: Path, run: Path, recipe: FaceTraining) -> None:
    faces = read_training(data)
    shares = teach(faces, run, recipe) if recipe.teachers else None
    network = learn(faces, shares, run, recipe)
    known = faces.taken(folds(faces) == VALIDATION)
    right = float((scored(network, known.pictures).argmax(1) == known.labels).mean())
    print(f"student: right about {right:.1%} of {len(known):,} validation pictures", flush=True)
    path = export(network, faces, run)
    print(f"{path}: {(run / 'agreement.json').read_text()}")


if __name__ == "__main__":
    try:
        main()
    except HeartfeltError as error:
        sys.exit(f"{error}")
