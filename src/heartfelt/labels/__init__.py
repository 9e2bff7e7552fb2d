"""Label sets, the published maps between them, and the way from a model's own words to a label."""

from heartfelt.labels.affect import Affect, affect
from heartfelt.labels.folding import Folded, fold
from heartfelt.labels.maps import DEFAULT_MAP, emotion_map, emotion_maps, map_citation, project, translate
from heartfelt.labels.sets import LABEL_SETS, LabelSet, label_set

__all__ = [
    "DEFAULT_MAP",
    "LABEL_SETS",
    "Affect",
    "Folded",
    "LabelSet",
    "affect",
    "emotion_map",
    "emotion_maps",
    "fold",
    "label_set",
    "map_citation",
    "project",
    "translate",
]
