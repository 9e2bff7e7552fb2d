"""What comes after training, where Heartfelt is whole: the temperature, the figures, the contract and the card.

Nothing here trains, or needs torch. The exported files themselves are measured.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.errors import MissingExtra
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.face import light
from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.tuning.plots import confusion_plot
from heartfelt.tuning.senses import contract, pictures, runs, sounds
from heartfelt.tuning.senses.card import card
from heartfelt.tuning.senses.ordinary import unfounded
from heartfelt.tuning.senses.report import chosen, figures
from heartfelt.tuning.senses.shipped import Shipped
from heartfelt.tuning.senses.strangers import Judged, corpora_left_out, speakers_left_out, sureness
from heartfelt.tuning.senses.temperature import Floats, fitted

FRAMES = 600
"""Pictures of the public test that are also shown to the whole path of the runtime."""
FACE_LICENCE = "research use only, as the pictures of FER2013 are"


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
