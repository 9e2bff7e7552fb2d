"""What comes after training, where Heartfelt is whole: the temperature, the figures, the contract and the card.

Nothing here trains, or needs torch. The exported files themselves are measured.
"""

from pathlib import Path
from typing import Any

import numpy as np

from heartfelt.errors import MissingExtra
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.face import light
from heartfelt.tuning.plots import confusion_plot
from heartfelt.tuning.senses import contract, pictures, runs, sounds
from heartfelt.tuning.senses.card import card
from heartfelt.tuning.senses.face_tests import FaceTests, face_tests
from heartfelt.tuning.senses.report import chosen, figures
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.temperature import Floats, fitted, surprise

FACE_LICENCE = "research use only, as the pictures of FER2013 are"
VOICE_LICENCE = "CC-BY-NC-SA-4.0"


def finish_face(data: Path, run: Path) -> dict[str, Any]:
    """The run's file and the one that ships now, on the same tests."""
    path, ships = run / "face.onnx", EmotionNetwork.shipped("face").path
    tests = face_tests(data, run)
    report = face_report(path, tests)
    if not (run / "before.json").exists() and ships.read_bytes() != path.read_bytes():
        runs.keep(run / "before.json", face_report(ships, tests))
    names = tuple(report["public_test"]["labels"])
    contract.write(path, names, temperature=report["temperature"], licence=FACE_LICENCE, citation=pictures.CITATION)
    _drawn(run, report["public_test"])
    return _written(run, report, "face", pictures.CITATION, FACE_LICENCE)


def face_report(path: Path, tests: FaceTests) -> dict[str, Any]:
    """The temperature from the validation fold, the figures from the public test, which chose nothing."""
    file = Shipped(path)
    temperature = fitted(_face_scores(file, tests.held), tests.held.labels)
    told: dict[str, Any] = {
        "measured": "the exported file, on one thread; aligned are those pictures in which the runtime finds a face, as it "
        "crops them",
        "learnt_from": tests.learnt_from,
        "aligned_too": tests.twins,
        "temperature": round(temperature, 4),
        "milliseconds_on_one_thread": file.milliseconds(light.shown(tests.held.pictures[:1])),
    }
    return told | {
        name: figures(_face_scores(file, faces), faces.labels, faces.names, temperature=temperature)
        for name, faces in tests.sets.items()
    }


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
