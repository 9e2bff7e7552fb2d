"""Train the head that hears a feeling, measured by leaving actors out; one command from the recordings to the card.

    python -m heartfelt.tuning.senses.voice --data DIR --run DIR

Some ten minutes on two cores, most of it for hearing every utterance in several ways; run it again to go on. No GPU is needed.
"""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import HeartfeltError
from heartfelt.files import whole
from heartfelt.senses.voice.layers import Layers
from heartfelt.tuning.senses import runs, sounds
from heartfelt.tuning.senses.recall import recall
from heartfelt.tuning.senses.shipped import agreement
from heartfelt.tuning.senses.sounds import NAMES, Voices, actor_folds
from heartfelt.tuning.senses.voice_head import Floats, VoiceHead, learnt
from heartfelt.tuning.senses.voice_views import view

EXPORT = "voice.onnx"


@dataclass(frozen=True)
class VoiceTraining:
    """Everything that decides the result; it is written into the run's folder."""

    folds: int = 7
    views: int = 6
    """Other hearings of each utterance, beside the recording itself."""
    decay: float = 0.03
    smoothing: float = 0.05
    seed: int = 7


def heard(voices: Voices, run: Path, recipe: VoiceTraining) -> list[Floats]:
    """What the inner layers make of every utterance: as it was recorded, and in each other hearing. Each is kept."""
    layers = Layers()
    (run / "state").mkdir(parents=True, exist_ok=True)
    return [
        _hearing(voices, layers, run / "state" / f"heard-{number}.npy", number, recipe) for number in range(recipe.views + 1)
    ]


def judged(hearings: list[Floats], voices: Voices, run: Path, recipe: VoiceTraining) -> Path:
    """What every utterance is taken for by a head that has never heard its speaker; clean, and in a hearing not learnt from."""
    folds = actor_folds(voices.actors, recipe.folds)
    scores = np.zeros((2, len(voices), len(NAMES)), np.float32)
    fold = np.zeros(len(voices), np.int64)
    for number, left in enumerate(folds):
        unseen = np.isin(voices.actors, left)
        fold[unseen] = number
        scores[0, unseen] = _head(hearings, voices, ~unseen, recipe).scores(hearings[0][unseen])
        # The last hearing is only judged by a head that did without it.
        scores[1, unseen] = _head(hearings[:-1], voices, ~unseen, recipe).scores(hearings[-1][unseen])
        found = [recall(each[unseen].argmax(1), voices.labels[unseen]) for each in scores]
        print(f"actors {left.tolist()}: mean recall {found[0]:.1%}, in a bad hearing {found[1]:.1%}", flush=True)
    target = run / "judged.npz"
    np.savez(target, scores=scores[0], worse=scores[1], fold=fold, labels=voices.labels, actors=voices.actors)
    return target


def export(hearings: list[Floats], voices: Voices, run: Path, recipe: VoiceTraining) -> Path:
    """Write the head that learnt from all actors, with the proof that the file holds it."""
    head = _head(hearings, voices, np.ones(len(voices), np.bool_), recipe)
    path = head.write(run / EXPORT)
    runs.keep(run / "agreement.json", agreement(path, hearings[0], head.scores(hearings[0])))
    return path


def _hearing(voices: Voices, layers: Layers, path: Path, number: int, recipe: VoiceTraining) -> Floats:
    if path.exists():
        return np.load(path)
    print(f"hearing {number + 1} of {recipe.views + 1}: {len(voices)} utterances …", flush=True)
    chance = np.random.default_rng(recipe.seed * 1_000 + number)
    waves = (sounds.decoded(each) for each in voices.paths)
    made = np.stack([layers(view(wave, chance) if number else wave) for wave in waves])
    with whole(path) as draft:
        np.save(draft, made)
    return made


def _head(hearings: list[Floats], voices: Voices, rows: NDArray[np.bool_], recipe: VoiceTraining) -> VoiceHead:
    shown, labels = np.concatenate([each[rows] for each in hearings]), np.tile(voices.labels[rows], len(hearings))
    return learnt(shown, labels, len(NAMES), decay=recipe.decay, smoothing=recipe.smoothing)


def main(arguments: list[str] | None = None) -> None:
    parser = runs.parser(__doc__)
    parser.add_argument("--folds", type=int, default=VoiceTraining.folds, help="parts of the actors that are left out in turn")
    parser.add_argument("--views", type=int, default=VoiceTraining.views, help="other hearings of each utterance to learn from")
    asked = parser.parse_args(arguments)
    recipe = VoiceTraining(
        **runs.begun(asked.run, asdict(VoiceTraining(folds=asked.folds, views=asked.views, seed=asked.seed)))
    )
    voices = sounds.found(asked.data)
    if not (asked.run / "agreement.json").exists():  # the last thing that training writes
        hearings = heard(voices, asked.run, recipe)
        judged(hearings, voices, asked.run, recipe)
        print(f"{export(hearings, voices, asked.run, recipe)}: {(asked.run / 'agreement.json').read_text()}")
    from heartfelt.tuning.senses.finish import finish_voice

    finish_voice(asked.run)


if __name__ == "__main__":
    try:
        main()
    except HeartfeltError as error:
        sys.exit(f"{error}")
