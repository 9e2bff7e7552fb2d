"""From fine labels to coarse ones, by a map that is always named, and from one set's spelling to another's.

Five maps are kept as published: `trace`, `e3rg`, `e3rg_face`, `avamerg`, `empathyear`. `trace_fixed` is `trace`
with the one missing row, «prepared», filled in; it is the default because it alone maps all of ED-32 onto Ekman's six.
"""

from functools import cache
from typing import Literal, overload

from heartfelt.errors import UnknownName, UsageError
from heartfelt.labels.sets import COARSE, ED32, LabelSet, label_set
from heartfelt.labels.tables import table

DEFAULT_MAP = "trace_fixed"
_GAP = "-"


@cache
def emotion_maps() -> dict[str, dict[str, str]]:
    """Every named map: its name, then ED-32 label → coarse class. A label that a publication leaves out is left out."""
    data = table("maps")
    maps = {
        name: {label: row[column] for label, row in data["rows"].items() if row[column] != _GAP}
        for column, name in enumerate(data["columns"])
    }
    for name, mended in data["mended"].items():
        maps[name] = maps[mended["base"]] | mended["rows"]
    return maps


def emotion_map(name: str) -> dict[str, str]:
    """A copy of the map of that name."""
    if name not in emotion_maps():
        raise UnknownName("label map", name, emotion_maps())
    return dict(emotion_maps()[name])


def map_citation(name: str) -> str:
    """Where a map comes from, and for a mended one what was mended: one line for a report."""
    emotion_map(name)
    data = table("maps")
    if name in data["citations"]:
        return data["citations"][name]
    mended = data["mended"][name]
    return f"{data['citations'][mended['base']]}, mended: {mended['because']}"


@overload
def project(label: str, map_name: str, *, missing: Literal["raise", "keep"] = "raise") -> str: ...
@overload
def project(label: str, map_name: str, *, missing: Literal["none"]) -> str | None: ...
def project(label: str, map_name: str, *, missing: Literal["raise", "keep", "none"] = "raise") -> str | None:
    """The coarse class of an ED-32 label under a named map.

    `missing` says what becomes of a label that the map does not list (only «prepared» in `trace`): an error, the fine
    label itself, which then equals no coarse class, or None.
    """
    classes = emotion_map(map_name)
    fine = ED32.resolve(label)
    if fine in classes:
        return classes[fine]
    if missing == "raise":
        mended = [name for name, each in table("maps")["mended"].items() if each["base"] == map_name]
        raise UsageError(
            f"The map '{map_name}' has no class for '{fine}': it was published without that row. "
            f"Use {' or '.join(mended) or 'another map'}, or pass missing='keep' or missing='none'."
        )
    return fine if missing == "keep" else None


@overload
def translate(
    label: str,
    from_set: LabelSet | str,
    to_set: LabelSet | str,
    *,
    via: str = DEFAULT_MAP,
    missing: Literal["raise"] = "raise",
) -> str: ...
@overload
def translate(
    label: str,
    from_set: LabelSet | str,
    to_set: LabelSet | str,
    *,
    via: str = DEFAULT_MAP,
    missing: Literal["none"],
) -> str | None: ...
def translate(
    label: str,
    from_set: LabelSet | str,
    to_set: LabelSet | str,
    *,
    via: str = DEFAULT_MAP,
    missing: Literal["raise", "none"] = "raise",
) -> str | None:
    """The same emotion in another set's spelling, through the coarse classes (`data/spellings.toml`).

    Out of ED-32 the map `via` applies, except that a label which the other set has too stays itself (`excited` in
    IEMOCAP). Nothing coarse becomes an ED-32 label: one class covers many. What is undefined raises or
    is None, never neutral.
    """
    source, target = _registered(from_set), _registered(to_set)
    found = _translated(source.resolve(label), source, target, via)
    if found is None and missing == "raise":
        raise UsageError(
            f"'{label}' of '{source.name}' has no counterpart in '{target.name}'. "
            "Choose a set that has one, another map, or pass missing='none'."
        )
    return found


def spelled(coarse: str, target: LabelSet) -> str | None:
    """How a set spells a coarse class; None where it has no such class."""
    return table("spellings")["spelled"].get(target.name, {}).get(coarse)


def _translated(label: str, source: LabelSet, target: LabelSet, via: str) -> str | None:
    if source.name == target.name:
        return label
    if target == ED32:
        return None
    if source == ED32:
        if label in target.labels and is_emotion_set(target):
            return label
        coarse = project(label, via, missing="none")
    else:
        coarse = _coarse_of(label, source)
    return spelled(coarse, target) if coarse else None


def _coarse_of(label: str, source: LabelSet) -> str | None:
    data = table("spellings")
    by_spelling = {spelling: coarse for coarse, spelling in data["spelled"].get(source.name, {}).items()}
    return (by_spelling | data["merged"].get(source.name, {})).get(label)


def is_emotion_set(candidate: LabelSet) -> bool:
    """Whether a set takes part in translation; causes and strategies do not."""
    return candidate in (ED32, COARSE) or candidate.name in table("spellings")["spelled"]


def _registered(which: LabelSet | str) -> LabelSet:
    return label_set(which) if isinstance(which, str) else which
