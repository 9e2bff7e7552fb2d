"""What comes after training, where Heartfelt is whole: the temperature, the figures, the contract and the card.

Nothing here trains, or needs torch. The exported files themselves are measured.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.errors import MissingExtra
from heartfelt.senses.face import light
from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.tuning.plots import confusion_plot
from heartfelt.tuning.senses import contract, pictures, runs, sounds
from heartfelt.tuning.senses.card import card
from heartfelt.tuning.senses.report import chosen, figures
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.temperature import Floats, fitted, surprise

FRAMES = 600
"""Pictures of the public test that are also shown to the whole path of the runtime."""
FACE_LICENCE = "research use only, as the pictures of FER2013 are"
VOICE_LICENCE = "CC-BY-NC-SA-4.0"


def finish_face(data: Path, run: Path) -> dict[str, Any]:
    path = run / "face.onnx"
    report = face_report(path, data)
    names = tuple(report["public_test"]["labels"])
    contract.write(path, names, temperature=report["temperature"], licence=FACE_LICENCE, citation=pictures.CITATION)
    _drawn(run, report["public_test"])
    return _written(run, report, "face", pictures.CITATION, FACE_LICENCE)


def face_report(path: Path, data: Path) -> dict[str, Any]:
    """The temperature from the validation fold, the figures from the public test, which chose nothing."""
    file = Shipped(path)
    learnt = pictures.read_training(data)
    held = learnt.taken(pictures.folds(learnt) == pictures.VALIDATION)
    held_scores = _face_scores(file, held)
    temperature = fitted(held_scores, held.labels)
    dev = pictures.read_dev(data)
    scores = _face_scores(file, dev)
    new = ~pictures.seen_before(dev, learnt)
    report: dict[str, Any] = {
        "measured": "the exported file, on one thread, one view of each picture",
        "learnt_from": int(len(learnt) - len(held)),
        "temperature": round(temperature, 4),
        "public_test": figures(scores, dev.labels, dev.names, temperature=temperature),
        "public_test_without_copies": figures(scores[new], dev.labels[new], dev.names, temperature=temperature),
        "validation": figures(held_scores, held.labels, held.names, temperature=temperature),
        "milliseconds_on_one_thread": file.milliseconds(light.shown(dev.pictures[:1])),
    }
    seen, gold = _in_frames(file, dev)
    if len(gold):
        report["public_test_in_frames"] = figures(seen, gold, dev.names, temperature=temperature)
    return report


def finish_voice(run: Path) -> dict[str, Any]:
    """Figures over all actors, each judged by networks that have not heard him or her, at the temperature of the others."""
    path = run / "voice.onnx"
    with np.load(run / "judged.npz") as data:
        scores, worse, fold = data["scores"].astype(np.float64), data["worse"].astype(np.float64), data["fold"]
        labels, actors = data["labels"], data["actors"]
    others = np.array([fitted(scores[fold != each], labels[fold != each]) for each in np.unique(fold)])
    apart = others[np.searchsorted(np.unique(fold), fold)][:, None]
    temperature = fitted(scores, labels)
    best = scores.argmax(1)
    report: dict[str, Any] = {
        "measured": "every actor, by a head that has not heard him or her; intervals of the mean recall draw whole actors",
        "learnt_from": len(labels),
        "actors": len(np.unique(actors)),
        "folds": len(others),
        "temperature": round(temperature, 4),
        "leave_actors_out": figures(scores, labels, sounds.NAMES, temperature=apart, groups=actors),
        "leave_actors_out_in_a_bad_hearing": figures(worse, labels, sounds.NAMES, temperature=apart, groups=actors),
        "accuracy_of_each_actor": {
            str(actor): round(float((best == labels)[actors == actor].mean()), 4) for actor in np.unique(actors)
        },
        "surprise_before_temperature": round(surprise(scores, labels), 4),
    }
    contract.write(path, sounds.NAMES, temperature=temperature, licence=VOICE_LICENCE, citation=sounds.CITATION)
    _drawn(run, report["leave_actors_out"])
    return _written(run, report, "voice", sounds.CITATION, VOICE_LICENCE)


def _face_scores(file: Shipped, faces: pictures.Faces) -> Floats:
    return file.scores(light.shown(faces.pictures)).astype(np.float64)


def _in_frames(file: Shipped, faces: pictures.Faces) -> tuple[Floats, NDArray[np.int64]]:
    """As the runtime sees them: large in a frame of 640 by 480, found, meshed, turned upright and cropped. Those not found are
    left out."""
    networks = MediaPipeNetworks()
    crops: list[NDArray[np.uint8]] = []
    gold: list[int] = []
    for row in np.random.default_rng(0).permutation(len(faces))[:FRAMES]:
        frame = np.full((480, 640), 90, np.uint8)
        frame[90:390, 170:470] = np.asarray(Image.fromarray(faces.pictures[row]).resize((300, 300)))
        coloured = np.repeat(frame[:, :, None], 3, axis=2)
        face = FaceSense(networks).see(coloured, 0.0).main
        if face is not None:
            crops.append(aligned(coloured, face))
            gold.append(int(faces.labels[row]))
    scores = file.scores(light.shown(np.stack(crops))) if crops else np.zeros((0, len(faces.names)))
    return scores.astype(np.float64), np.array(gold, np.int64)


def _drawn(run: Path, found: dict[str, Any]) -> None:
    try:
        confusion_plot(chosen(found), run / "confusion.png")
    except MissingExtra as missing:
        print(f"No picture of the confusions was drawn. {missing}")


def _written(run: Path, report: dict[str, Any], sense: str, citation: str, licence: str) -> dict[str, Any]:
    runs.keep(run / "report.json", report)
    (run / "card.md").write_text(card(run, sense, citation=citation, licence=licence), "utf-8")
    print(f"{run / 'card.md'} and {run / 'report.json'} are written; temperature {report['temperature']}.")
    return report
