import pytest

from heartfelt.errors import UnknownName
from heartfelt.labels import LABEL_SETS, Affect, affect, label_set
from heartfelt.labels.tables import table

SIZES = {
    "ed32": 32,
    "coarse": 8,
    "ekman": 6,
    "meld": 7,
    "iemocap": 6,
    "mead": 8,
    "trace_causes": 6,
    "messages": 16,
    "er_ip_ex": 3,
    "esconv": 8,
}


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_each_set_has_its_published_size_and_a_citation(name: str, size: int):
    each = label_set(name)
    assert len(each.labels) == len(set(each.labels)) == size
    assert each.citation


def test_all_sets_are_covered_above():
    assert list(LABEL_SETS) == list(SIZES)


def test_unknown_set_names_the_near_one():
    with pytest.raises(UnknownName, match="Did you mean 'meld'"):
        label_set("melt")


def test_codes_resolve_to_words():
    assert [label_set("iemocap").resolve(code) for code in ("hap", "neu", "fru")] == ["happy", "neutral", "frustrated"]
    with pytest.raises(UnknownName, match="xxx"):
        label_set("iemocap").resolve("xxx")


def test_sets_are_hashable_and_frozen():
    assert len({label_set("meld"), label_set("meld")}) == 1
    with pytest.raises(ValueError, match="frozen"):
        label_set("meld").name = "other"  # type: ignore[misc]


def test_affect_covers_ed32_within_bounds():
    assert list(table("affect")) == list(label_set("ed32").labels)
    assert all(-1 <= part <= 1 for label in label_set("ed32").labels for part in affect(label))


def test_affect_puts_opposites_apart():
    assert affect("joyful").valence > 0 > affect("sad").valence
    assert affect("furious").arousal > affect("annoyed").arousal > affect("content").arousal
    assert affect("sad") == Affect(-0.8, -0.4)
    with pytest.raises(UnknownName):
        affect("bored")
