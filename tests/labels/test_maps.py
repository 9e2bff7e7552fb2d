import pytest

from heartfelt.errors import UnknownName, UsageError
from heartfelt.labels import emotion_map, emotion_maps, label_set, map_citation, project, translate

PUBLISHED = ("trace", "e3rg", "e3rg_face", "avamerg", "empathyear")
DISPUTED = [
    "anticipating",
    "anxious",
    "ashamed",
    "confident",
    "devastated",
    "disappointed",
    "embarrassed",
    "faithful",
    "impressed",
    "jealous",
    "nostalgic",
    "prepared",
    "sentimental",
    "trusting",
]


def test_the_maps_cover_ed32_but_for_the_gap_that_was_published():
    for name in PUBLISHED:
        gap = set(label_set("ed32").labels) - set(emotion_map(name))
        assert gap == ({"prepared"} if name == "trace" else set()), name


def test_every_class_is_a_coarse_one():
    assert {coarse for each in emotion_maps().values() for coarse in each.values()} <= set(label_set("coarse").labels)


def test_exactly_fourteen_labels_are_disputed():
    def classes(label: str) -> set[str | None]:
        return {project(label, name, missing="none") for name in PUBLISHED}

    assert [label for label in label_set("ed32").labels if len(classes(label)) > 1] == DISPUTED


@pytest.mark.parametrize(
    ("label", "row"),
    [
        ("anxious", "fear sad fear sad sad"),
        ("disappointed", "sad sad contempt sad sad"),
        ("embarrassed", "sad disgust disgust sad neutral"),
        ("jealous", "anger contempt contempt contempt anger"),
        ("sentimental", "happy sad sad sad sad"),
        ("furious", "anger anger anger anger anger"),
    ],
)
def test_rows_are_as_published(label: str, row: str):
    assert [project(label, name) for name in PUBLISHED] == row.split()


def test_the_gap_of_trace_is_named_and_never_filled_silently():
    with pytest.raises(UsageError, match=r"'trace' has no class for 'prepared'.*trace_fixed"):
        project("prepared", "trace")
    assert project("prepared", "trace", missing="keep") == "prepared"
    assert project("prepared", "trace", missing="none") is None
    assert project("prepared", "trace_fixed") == "happy"


def test_the_mended_map_differs_in_that_row_only_and_says_so():
    assert emotion_map("trace_fixed") == emotion_map("trace") | {"prepared": "happy"}
    assert "prepared" in map_citation("trace_fixed")
    assert "2508.12854" in map_citation("e3rg")


def test_unknown_labels_and_maps_are_errors():
    with pytest.raises(UnknownName, match="label map"):
        project("sad", "tracy")
    with pytest.raises(UnknownName, match="ed32"):
        project("bored", "trace", missing="keep")


def test_a_map_handed_out_is_a_copy():
    emotion_map("e3rg").clear()
    assert project("sad", "e3rg") == "sad"


@pytest.mark.parametrize(
    ("label", "source", "target", "expected"),
    [
        ("happy", "ekman", "meld", "joy"),
        ("joy", "meld", "mead", "happy"),
        ("sadness", "meld", "iemocap", "sad"),
        ("surprise", "coarse", "mead", "surprised"),
        ("excited", "iemocap", "meld", "joy"),
        ("hap", "iemocap", "meld", "joy"),
        ("excited", "ed32", "iemocap", "excited"),
        ("excited", "ed32", "mead", "happy"),
        ("ashamed", "ed32", "meld", "sadness"),
        ("sad", "ed32", "ed32", "sad"),
    ],
)
def test_translations_that_are_defined(label: str, source: str, target: str, expected: str):
    assert translate(label, source, target) == expected


@pytest.mark.parametrize(
    ("label", "source", "target"),
    [
        ("neutral", "meld", "ekman"),
        ("contempt", "mead", "meld"),
        ("fear", "ekman", "iemocap"),
        ("frustrated", "iemocap", "ekman"),
        ("sad", "ekman", "ed32"),
        ("sad", "ekman", "esconv"),
        ("Question", "esconv", "meld"),
    ],
)
def test_translations_that_are_not_raise_or_are_none(label: str, source: str, target: str):
    assert translate(label, source, target, missing="none") is None
    with pytest.raises(UsageError, match="no counterpart"):
        translate(label, source, target)


def test_the_map_of_a_translation_can_be_chosen():
    assert translate("jealous", "ed32", "mead", via="e3rg") == "contempt"
    assert translate("jealous", "ed32", "mead", via="empathyear") == "angry"
    assert translate("prepared", "ed32", "meld", via="trace", missing="none") is None
