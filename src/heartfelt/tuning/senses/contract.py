"""The JSON file beside an ONNX file: all that the runtime must know to use it, and nothing that it must import from here."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from heartfelt.labels import affect, label_set
from heartfelt.tuning.senses import features
from heartfelt.tuning.senses.pictures import SIDE

FORMAT = 1
ED32 = {
    "angry": "angry",
    "disgust": "disgusted",
    "fear": "afraid",
    "fearful": "afraid",
    "happy": "joyful",
    "sad": "sad",
    "surprise": "surprised",
    "surprised": "surprised",
}
"""The label of ED-32 whose valence and arousal stand for a label of a face or a voice."""
NEITHER = {"neutral": (0.0, 0.0), "calm": (0.2, -0.4)}
"""Valence and arousal of what ED-32 has no word for, by our own judgement."""
MELD = {
    "angry": "anger",
    "calm": "neutral",
    "disgust": "disgust",
    "fear": "fear",
    "fearful": "fear",
    "happy": "joy",
    "neutral": "neutral",
    "sad": "sadness",
    "surprise": "surprise",
    "surprised": "surprise",
}
"""The label set in which all senses speak."""
RULE = "valence and arousal are the sums over the labels of their share times the label's point"
FACE = {
    "name": "pictures",
    "shape": ["n", 1, SIDE, SIDE],
    "type": "float32",
    "grey": "0.299 red + 0.587 green + 0.114 blue, from 0 to 255, cropped to the side first",
    "values": "the crop as heartfelt.tuning.senses.light.equalised gives it; mean and spread are evened inside the graph",
    "equalised": "round to whole numbers; each becomes 255 * (points that are darker + half of those as light) / all points",
    "mean": 0.0,
    "std": 1.0,
    "crop": {"side": SIDE, "eyes": [[14.5, 17.0], [32.5, 17.0]], "mouth": [23.5, 38.0]},
    "crop_rule": "rotate, scale and move the face so that the middles of its eyes and mouth come near these points (x, y)",
}
VOICE = {
    "name": "bands",
    "shape": ["n", 1, features.BANDS, "frames"],
    "type": "float32",
    "values": "heartfelt.tuning.senses.features.features of one utterance, as it is; means are taken off inside the graph",
    "mean": 0.0,
    "std": 1.0,
    "rate": features.RATE,
    "window": features.WINDOW,
    "window_shape": "periodic Hann",
    "hop": features.HOP,
    "fourier_points": features.SIZE,
    "bands": features.BANDS,
    "low_hertz": features.LOW,
    "high_hertz": features.HIGH,
    "mel": "2595 log10(1 + f / 700), triangles of height 1 over the power spectrum, no padding of the sound",
    "logarithm": "natural, of the power plus the floor",
    "floor": features.FLOOR,
    "speech": {"decibels_under_95_percent": features.RANGE, "margin_frames": features.MARGIN},
    "loudness": features.LOUDNESS,
    "fewest_frames": features.FEWEST,
    "frames_multiple_of": features.STEP,
}


@dataclass(frozen=True)
class Terms:
    """What one network is, beside its file."""

    sense: str
    names: tuple[str, ...]
    temperature: float
    licence: str
    citation: str


def write(onnx: Path, terms: Terms) -> Path:
    """Write the contract beside the file."""
    told: dict[str, Any] = {
        "format": FORMAT,
        "sense": terms.sense,
        "file": onnx.name,
        "sha256": sha256(onnx.read_bytes()).hexdigest(),
        "input": FACE if terms.sense == "face" else VOICE,
        "output": {"name": "scores", "shape": ["n", len(terms.names)], "shares": "softmax(scores / temperature)"},
        "labels": list(terms.names),
        "temperature": round(terms.temperature, 4),
        "meld": {name: _meld(name) for name in terms.names},
        "affect": {name: list(point(name)) for name in terms.names},
        "affect_rule": RULE,
        "licence": terms.licence,
        "data": terms.citation,
    }
    target = onnx.with_suffix(".json")
    target.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return target


def point(name: str) -> tuple[float, float]:
    """Valence and arousal of a label."""
    return NEITHER[name] if name in NEITHER else affect(ED32[name])


def _meld(name: str) -> str:
    return label_set("meld").resolve(MELD[name])
