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
from torch import Tensor

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.senses.face import light
from heartfelt.tuning.senses import balance, runs
from heartfelt.tuning.senses.face_network import FaceNetwork
from heartfelt.tuning.senses.face_views import views
from heartfelt.tuning.senses.learn import Learner, LearningPace, Progress, device_here, mixed, order, softened
from heartfelt.tuning.senses.pictures import TWINS, VALIDATION, Faces, folds, read_training, with_twins
from heartfelt.tuning.senses.shipped import agreement

EXPORT = "face.onnx"
TOGETHER = 8
"""Steps whose views are made at once."""
AGREED = 256
"""Validation pictures on which the export is held against the network, beside as many of pure noise."""
TEACHING, LEARNING = 0.37, 0.52
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
    balance: float = 1.0
    """How far the scores are those of equally frequent labels, and not as frequent as the pictures have them."""
    twins: float = 0.5
    """How often a face is drawn as the runtime would crop it, where it was found."""
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
        known = faces.taken(seen)
        network = _learnt(known, None, run, replace(plan, seed=recipe.seed + 100 * (number + 1)), number, progress)
        found[unseen] = _judged(network, faces.taken(unseen), _offset(known, recipe))
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


def put_back(network: FaceNetwork, faces: Faces, run: Path, recipe: FaceTraining) -> None:
    """Put a share of the labels' frequency back into the head: chosen on the validation fold, as published and aligned."""
    seen = folds(faces) != VALIDATION
    offset, held = _offset(faces.taken(seen), recipe), faces.taken(~seen)
    parts = [part for part in (held, held.aligned()) if len(part)]
    scores = np.concatenate([scored(network, part.pictures) for part in parts])
    chosen = balance.prior_kept(scores, np.concatenate([part.labels for part in parts]), offset)
    with torch.no_grad():
        network.head.bias += chosen["kept"] * torch.from_numpy(offset).to(network.head.bias.device)
    runs.keep(run / "prior.json", chosen)


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
def scored(network: FaceNetwork, pictures: NDArray[np.uint8], *, batch: int = 512) -> NDArray[np.float32]:
    """What a network makes of pictures, each looked at both ways, as the exported file does."""
    device = next(network.parameters()).device
    parts = [torch.from_numpy(light.shown(pictures[at : at + batch])) for at in range(0, len(pictures), batch)]
    return np.concatenate([network.both_ways(part.to(device)).cpu().numpy() for part in parts])


def _judged(network: FaceNetwork, faces: Faces, offset: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean share over a picture and its twin, for labels as frequent as `offset` says."""
    ways = [each for each in (faces.pictures, faces.twins) if each is not None]
    return torch.stack([torch.from_numpy(scored(network, each) + offset) for each in ways]).softmax(-1).mean(0).numpy()


def _offset(faces: Faces, recipe: FaceTraining) -> NDArray[np.float32]:
    return np.float32(recipe.balance) * balance.log_prior(faces.labels, len(faces.names))


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
    draw, offset = _Draw(faces, shares, recipe, device), torch.from_numpy(_offset(faces, recipe))
    shown = network.to(device, memory_format=torch.channels_last)
    learner = Learner(shown, draw, pace, run, part=part, seed=recipe.seed, progress=progress, offset=offset)
    return learner.go()  # type: ignore[return-value]


class _Draw:
    """The batches: all pictures lie on the device, and their views are made there."""

    def __init__(self, faces: Faces, shares: NDArray[np.float32] | None, recipe: FaceTraining, device: torch.device):
        self.recipe, self.device, self.count = recipe, device, len(faces)
        self.pictures = torch.from_numpy(faces.pictures).to(device)
        self.twins = None if faces.twins is None else torch.from_numpy(faces.twins).to(device)
        spread = torch.from_numpy(balance.spread(_offset(faces, recipe)))
        self.shares = softened(torch.from_numpy(faces.labels), spread, recipe.smoothing).to(device)
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
        seen = views(self._shown(rows, chance)[:, None].float(), chance, strength=recipe.strength)
        inputs, shares = mixed(seen, self.shares[rows], recipe.mixup, chance)
        return inputs.contiguous(memory_format=torch.channels_last), shares

    def _shown(self, rows: Tensor, chance: torch.Generator) -> Tensor:
        if self.twins is None:
            return self.pictures[rows]
        drawn = torch.rand(len(rows), 1, 1, device=self.device, generator=chance) < self.recipe.twins
        return torch.where(drawn, self.twins[rows], self.pictures[rows])


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def main(arguments: list[str] | None = None) -> None:
    parser = runs.parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpus, as published or packed")
    parser.add_argument("--seconds", type=float, help="how long to learn, all in all; without it, as long as the recipe says")
    numbers = ("teachers", "teacher_width", "teacher_epochs", "width", "epochs", "batch")
    for name in numbers:
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=getattr(FaceTraining, name))
    parser.add_argument("--balance", type=float, default=FaceTraining.balance)
    asked = parser.parse_args(arguments)
    recipe = FaceTraining(
        **{name: getattr(asked, name) for name in (*numbers, "balance", "seed")},
        teacher_seconds=round(TEACHING * asked.seconds / max(1, asked.teachers), 1) if asked.seconds else None,
        seconds=round((LEARNING if asked.teachers else LEARNING + TEACHING) * asked.seconds, 1) if asked.seconds else None,
    )
    recipe = FaceTraining(**runs.begun(asked.run, asdict(recipe)))
    whole = find_spec("heartfelt.labels") is not None
    if whole:
        from heartfelt.tuning.senses import twins

        twins.make(asked.data, asked.run)
    if not (asked.run / "agreement.json").exists():  # the last thing that training writes
        _train(asked.data, asked.run, recipe)
    if not whole:
        print("Trained and exported. Run the same command where Heartfelt is whole to measure it.")
        return
    from heartfelt.tuning.senses.finish import finish_face

    finish_face(asked.data, asked.run)


def _train(data: Path, run: Path, recipe: FaceTraining) -> None:
    faces = with_twins(read_training(data), TWINS, run, data)
    shares = teach(faces, run, recipe) if recipe.teachers else None
    network = learn(faces, shares, run, recipe)
    put_back(network, faces, run, recipe)
    known = faces.taken(folds(faces) == VALIDATION)
    for name, part in (("", known), (" aligned", known.aligned())):
        if len(part):
            right = float((scored(network, part.pictures).argmax(1) == part.labels).mean())
            print(f"student: right about {right:.1%} of {len(part):,}{name} validation pictures", flush=True)
    path = export(network, faces, run)
    print(f"{path}: {(run / 'agreement.json').read_text()}")


if __name__ == "__main__":
    try:
        main()
    except HeartfeltError as error:
        sys.exit(f"{error}")
