"""The file beside an exported graph, in the shape in which the runtime reads it."""

from pathlib import Path

from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.senses.emotions.network import Terms

MEANT = {
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
"""The words of both corpora in the label set in which all senses speak."""


def write(graph: Path, names: tuple[str, ...], *, temperature: float, licence: str, citation: str) -> Path:
    meant = {name: label_set(LABELS).resolve(MEANT[name]) for name in names}
    terms = Terms(labels=names, meant=meant, temperature=round(temperature, 4), licence=licence, data=citation)
    target = graph.with_suffix(".json")
    target.write_text(terms.model_dump_json(indent=1) + "\n", "utf-8")
    return target
