"""The file beside an exported graph, in the shape in which the runtime reads it."""

from collections.abc import Sequence
from pathlib import Path

from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.senses.emotions.network import Terms

MEANT = {
    "angry": "anger",
    "happy": "joy",
    "sad": "sadness",
}
"""Words of a corpus that are others in the label set in which all senses speak."""


def write(
    graph: Path, names: tuple[str, ...], *, temperature: float, licence: str, citation: str, least: Sequence[float] = ()
) -> Path:
    labels = label_set(LABELS)
    meant = {name: labels.resolve(MEANT.get(name, name)) for name in names}
    lowest = {meant[name]: share for name, share in zip(names, least, strict=False)}
    terms = Terms(labels=names, meant=meant, temperature=round(temperature, 4), least=lowest, licence=licence, data=citation)
    target = graph.with_suffix(".json")
    target.write_text(terms.model_dump_json(indent=1) + "\n", "utf-8")
    return target
