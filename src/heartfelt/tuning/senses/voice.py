"""Train the head that hears a feeling, measured by leaving whole corpora out; one command from the recordings to the card.

    python -m heartfelt.tuning.senses.voice --data DIR --data DIR --run DIR

Some fifteen minutes on two cores, most of it for hearing every utterance in several ways; run it again to go on. No GPU is
needed.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.files import whole
from heartfelt.senses.voice.layers import Layers
from heartfelt.tuning.senses import runs, sounds
from heartfelt.tuning.senses.recall import recall
from heartfelt.tuning.senses.shipped import agreement
from heartfelt.tuning.senses.sounds import NAMES, Voices, speaker_folds
from heartfelt.tuning.senses.voice_head import Floats, Lessons, VoiceHead, learnt
from heartfelt.tuning.senses.voice_views import view

EXPORT = "voice.onnx"
_THREADS = 2


@dataclass(frozen=True)
class VoiceTraining:
    """Everything that decides the result; it is written into the run's folder."""

    folds: int = 6
    """Parts of the speakers that are left out in turn."""
    views: int = 4
    """Other hearings of each utterance, beside the recording itself."""
    shrink: float = 0.8
    """The share of what is scattered that is taken to be alike in all directions."""
    seed: int = 7


def heard(voices: Voices, run: Path, recipe: VoiceTraining) -> list[Floats]:
    """What the inner layers make of every utterance: as it was recorded, and in each other hearing. Each is kept."""
    layers = Layers()
    (run / "state").mkdir(parents=True, exist_ok=True)
    return [
        _hearing(voices, layers, run / "state" / f"heard-{number}.npy", number, recipe) for number in range(recipe.views + 1)
    ]


def judged(hearings: list[Floats], voices: Voices, run: Path, recipe: VoiceTraining) -> Path:
    """What every utterance is taken for, clean and in a bad hearing: by a head that has never heard its corpus, and by one that
    has never heard its speaker."""
    across = _left_out(hearings, voices, _numbers(voices.corpora), recipe)
    within = _left_out(hearings, voices, speaker_folds(voices.speakers, recipe.folds), recipe)
    target = run / "judged.npz"
    np.savez(target, across=across, within=within, labels=voices.labels, corpora=voices.corpora, speakers=voices.speakers)
    return target


def export(hearings: list[Floats], voices: Voices, run: Path, recipe: VoiceTraining) -> Path:
    """Write the head that learnt from all speakers, with the proof that the file holds it."""
    head = _head(hearings, voices, np.ones(len(voices), np.bool_), recipe)
    path = head.write(run / EXPORT)
    runs.keep(run / "agreement.json", agreement(path, hearings[0], head.scores(hearings[0])))
    return path


def _hearing(voices: Voices, layers: Layers, path: Path, number: int, recipe: VoiceTraining) -> Floats:
    if path.exists():
        return np.load(path)
    print(f"hearing {number + 1} of {recipe.views + 1}: {len(voices)} utterances …", flush=True)

    def one(row: int) -> Floats:
        wave = sounds.decoded(voices.paths[row])
        return layers(view(wave, np.random.default_rng([recipe.seed, number, row])) if number else wave)

    with ThreadPoolExecutor(_THREADS) as pool:
        made = np.stack(list(pool.map(one, range(len(voices)))))
    with whole(path) as draft:
        np.save(draft, made)
    return made


def _left_out(hearings: list[Floats], voices: Voices, parts: NDArray[np.int64], recipe: VoiceTraining) -> Floats:
    """(2, utterances, labels): scores of the recording, and of its last other hearing, by a head without this part."""
    scores = np.zeros((2, len(voices), len(NAMES)), np.float32)
    for part in np.unique(parts):
        left = parts == part
        head = _head(hearings, voices, ~left, recipe)
        scores[:, left] = [head.scores(each[left]) for each in (hearings[0], hearings[-1])]
        found = [recall(each[left].argmax(1), voices.labels[left]) for each in scores]
        who = ", ".join(np.unique(voices.speakers[left]))
        print(f"without {who}: mean recall {found[0]:.1%}, in a bad hearing {found[1]:.1%}", flush=True)
    return scores


def _head(hearings: list[Floats], voices: Voices, rows: NDArray[np.bool_], recipe: VoiceTraining) -> VoiceHead:
    told = (voices.labels, _numbers(voices.speakers), _numbers(voices.corpora))
    lessons = Lessons(np.concatenate([each[rows] for each in hearings]), *(np.tile(each[rows], len(hearings)) for each in told))
    return learnt(lessons, len(NAMES), shrink=recipe.shrink)


def _numbers(names: NDArray[np.str_]) -> NDArray[np.int64]:
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def main(arguments: list[str] | None = None) -> None:
    parser = runs.parser(__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, help="the folder of a corpus; give two or more")
    parser.add_argument("--ordinary", type=Path, action="append", default=[], help="a folder of speech that nobody acts")
    parser.add_argument("--folds", type=int, default=VoiceTraining.folds, help="parts of the speakers, left out in turn")
    parser.add_argument("--views", type=int, default=VoiceTraining.views, help="other hearings of each utterance to learn from")
    asked = parser.parse_args(arguments)
    recipe = VoiceTraining(
        **runs.begun(asked.run, asdict(VoiceTraining(folds=asked.folds, views=asked.views, seed=asked.seed)))
    )
    voices = sounds.found(asked.data)
    if len(np.unique(voices.corpora)) < 2:
        raise InputError("A head for strangers is measured on a corpus that it has not learnt from; give two or more.")
    if not (asked.run / "agreement.json").exists():  # the last thing that training writes
        hearings = heard(voices, asked.run, recipe)
        judged(hearings, voices, asked.run, recipe)
        print(f"{export(hearings, voices, asked.run, recipe)}: {(asked.run / 'agreement.json').read_text()}")
    from heartfelt.tuning.senses.finish import finish_voice

    finish_voice(asked.run, asked.ordinary)


if __name__ == "__main__":
    try:
        main()
    except HeartfeltError as error:
        sys.exit(f"{error}")
