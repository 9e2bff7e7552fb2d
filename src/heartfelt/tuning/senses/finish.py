"""What comes after training, where Heartfelt is whole: the temperature, the figures, the contract and the card.

Nothing here trains, or needs torch. The exported files themselves are measured.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import MissingExtra
from heartfelt.tuning.plots import confusion_plot
from heartfelt.tuning.senses import contract, light, pictures, runs, sounds
from heartfelt.tuning.senses.card import card
from heartfelt.tuning.senses.report import chosen, figures
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.temperature import Floats, fitted, shares, surprise

FACE_LICENCE = "research use only, as the pictures of FER2013 are"
VOICE_LICENCE = "CC-BY-NC-SA-4.0"


def finish_face(data: Path, run: Path) -> dict[str, Any]:
    """The temperature from the validation fold, the figures from the public test, which chose nothing."""
    path = run / "face.onnx"
    file = Shipped(path)
    learnt = pictures.read_training(data)
    held = learnt.taken(pictures.folds(learnt) == pictures.VALIDATION)
    held_scores = _face_scores(file, held)
    temperature = fitted(held_scores, held.labels)
    dev = pictures.read_dev(data)
    scores = _face_scores(file, dev)
    new = ~pictures.seen_before(dev, learnt)
    report = {
        "measured": "the exported file, on one thread, one view of each picture",
        "learnt_from": int(len(learnt) - len(held)),
        "temperature": round(temperature, 4),
        "public_test": figures(scores, dev.labels, dev.names, temperature=temperature),
        "public_test_without_copies": figures(scores[new], dev.labels[new], dev.names, temperature=temperature),
        "validation": figures(held_scores, held.labels, held.names, temperature=temperature),
        "milliseconds_on_one_thread": file.milliseconds(light.shown(dev.pictures[:1])),
    }
    contract.write(path, contract.Terms("face", dev.names, temperature, FACE_LICENCE, pictures.CITATION))
    _drawn(run, scores, dev.labels, dev.names)
    return _written(run, report, "face", pictures.CITATION, FACE_LICENCE)


def finish_voice(run: Path) -> dict[str, Any]:
    """Figures over all actors, each judged by networks that have not heard him or her, at the temperature of the others."""
    path = run / "voice.onnx"
    with np.load(run / "judged.npz") as data:
        scores, fold = data["scores"].astype(np.float64), data["fold"]
        labels, actors = data["labels"], data["actors"]
    others = np.array([fitted(scores[fold != each], labels[fold != each]) for each in np.unique(fold)])
    apart = others[np.searchsorted(np.unique(fold), fold)][:, None]
    temperature = fitted(scores, labels)
    best = scores.argmax(1)
    report = {
        "measured": "every actor, by networks that have not heard him or her; intervals of the mean recall draw whole actors",
        "learnt_from": len(labels),
        "actors": len(np.unique(actors)),
        "folds": len(others),
        "temperature": round(temperature, 4),
        "leave_actors_out": figures(scores, labels, sounds.NAMES, temperature=apart, groups=actors),
        "accuracy_of_each_actor": {
            str(actor): round(float((best == labels)[actors == actor].mean()), 4) for actor in np.unique(actors)
        },
        "surprise_before_temperature": round(surprise(scores, labels), 4),
    }
    contract.write(path, contract.Terms("voice", sounds.NAMES, temperature, VOICE_LICENCE, sounds.CITATION))
    _drawn(run, scores, labels, sounds.NAMES)
    return _written(run, report, "voice", sounds.CITATION, VOICE_LICENCE)


def _face_scores(file: Shipped, faces: pictures.Faces) -> Floats:
    return file.scores(light.shown(faces.pictures)).astype(np.float64)


def _drawn(run: Path, scores: Floats, gold: NDArray[np.int64], names: tuple[str, ...]) -> None:
    try:
        confusion_plot(chosen(shares(scores).argmax(1), gold, names), run / "confusion.png")
    except MissingExtra as missing:
        print(f"No picture of the confusions was drawn. {missing}")


def _written(run: Path, report: dict[str, Any], sense: str, citation: str, licence: str) -> dict[str, Any]:
    runs.keep(run / "report.json", report)
    (run / "card.md").write_text(card(run, sense, citation=citation, licence=licence), "utf-8")
    print(f"{run / 'card.md'} and {run / 'report.json'} are written; temperature {report['temperature']}.")
    return report
