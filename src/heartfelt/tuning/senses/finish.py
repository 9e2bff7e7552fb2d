"""What comes after training, where Heartfelt is whole: the temperature, the figures, the contract and the card.

Nothing here trains, or needs torch. The exported files themselves are measured.
"""

from collections.abc import Sequence
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
from heartfelt.tuning.senses.ordinary import unfounded
from heartfelt.tuning.senses.report import chosen, figures
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.strangers import Judged, corpora_left_out, speakers_left_out, sureness
from heartfelt.tuning.senses.temperature import Floats, fitted

FACE_LICENCE = "research use only, as the pictures of FER2013 are"


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


def finish_voice(run: Path, ordinary: Sequence[Path] = ()) -> dict[str, Any]:
    """How sure it may be is found on corpora that no head has learnt from. `ordinary`: folders of speech that nobody acts."""
    path, judged = run / "voice.onnx", Judged.read(run / "judged.npz")
    sure = sureness(judged)
    corpora = [corpus for corpus in sounds.CORPORA if corpus.name in judged.corpora]
    citation = "; ".join(corpus.citation for corpus in corpora)
    licence = " and ".join(f"{corpus.licence} ({corpus.name})" for corpus in corpora)
    contract.write(path, sounds.NAMES, temperature=sure.temperature, least=sure.least, licence=licence, citation=citation)
    report: dict[str, Any] = {
        "measured": "each corpus by a head that has learnt from the others alone, as sure as the others let it be; then each "
        "speaker by a head that has not heard him or her. Intervals of the mean recall and of the claims draw whole speakers. "
        "An emotion that not every corpus has is left out where corpora are",
        "learnt_from": len(judged.labels),
        "speakers": len(np.unique(judged.speakers)),
        "temperature": round(sure.temperature, 4),
        **corpora_left_out(judged),
        **{f"ordinary_speech_{folder.name}": unfounded(folder, EmotionNetwork(path)) for folder in ordinary},
        **speakers_left_out(judged, sure),
    }
    _drawn(run, report["speakers_left_out"])
    return _written(run, report, "voice", citation, licence)


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
