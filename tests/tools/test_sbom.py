"""The list of what is shipped: everything that is pinned, each with its licence, in a form that others can read."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from heartfelt.weights.artefact import listed

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "heartfelt"
MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture(scope="module")
def sbom() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "tools" / "sbom.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sbom"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["sbom"]


@pytest.fixture(scope="module")
def bom(sbom: ModuleType) -> dict[str, Any]:
    return json.loads(sbom.document(sbom.parts(), MOMENT))


def test_the_document_has_what_its_format_asks_for(bom: dict[str, Any]) -> None:
    assert (bom["bomFormat"], bom["specVersion"], bom["version"]) == ("CycloneDX", "1.6", 1)
    assert bom["serialNumber"].startswith("urn:uuid:")
    assert bom["metadata"]["component"]["name"] == "heartfelt"
    for component in bom["components"]:
        assert component["type"] in ("library", "machine-learning-model")
        assert component["name"] and component["version"] and component["bom-ref"]
    references = [component["bom-ref"] for component in bom["components"]]
    assert len(references) == len(set(references))
    assert {one for each in bom["dependencies"] for one in (each["ref"], *each.get("dependsOn", ()))} <= {
        "heartfelt",
        *references,
    }


def test_the_document_names_what_is_pinned(bom: dict[str, Any]) -> None:
    named = {(component["name"], component["version"]) for component in bom["components"]}
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if "==" in line and not line.startswith(" ") and "== 'emscripten'" not in line:
            name, _, rest = line.partition("==")
            assert (name, rest.split()[0]) in named
    assert {("react", "19.3.1"), ("three", "0.187.0")} <= named
    assert all((f"{a.name} ({a.platform})" if a.platform else a.name, a.version) in named for a in listed())
    assert "vite" not in {name for name, _ in named}, "what only builds is not shipped"


def test_every_weight_has_the_hashes_of_its_files(bom: dict[str, Any]) -> None:
    pinned = {member.sha256 for artefact in listed() for member in artefact.members}
    files = [file for component in bom["components"] for file in component.get("components", ())]
    assert {each["content"] for file in files for each in file["hashes"]} == pinned


def test_the_same_parts_give_the_same_document(sbom: ModuleType) -> None:
    shipped = list(sbom.network_parts())
    assert sbom.document(shipped, MOMENT) == sbom.document(shipped, MOMENT)


def test_no_network_is_shipped_without_a_licence(sbom: ModuleType) -> None:
    found = {str(path.relative_to(SOURCE)) for kind in ("gguf", "npz", "onnx") for path in SOURCE.rglob(f"*.{kind}")}
    assert found == set(sbom.NETWORKS)


@pytest.mark.parametrize(
    ("card", "network", "words"),
    [
        ("heartfelt-3.md", "models/embedded/adapter/heartfelt-3.gguf", "CC BY-NC 4.0"),
        ("voice.md", "senses/emotions/voice.onnx", "CC-BY-NC-SA-4.0"),
        ("face.md", "senses/emotions/face.onnx", "research use only"),
        ("words-7.md", "models/embedded/adapter/words-7.gguf", "Apache-2.0"),
        ("danger-8.md", "safety/detect/weights/danger-8.gguf", "Apache-2.0"),
    ],
)
def test_licences_are_those_of_the_cards(sbom: ModuleType, card: str, network: str, words: str) -> None:
    said = next(line for line in (ROOT / "docs" / "models" / card).read_text("utf-8").splitlines() if "**Licence.**" in line)
    told = sbom.NETWORKS[network].removeprefix("LicenseRef-").replace("-", " ").lower()
    assert words in said
    assert set(told.split()) <= set(words.replace("-", " ").lower().split()) | {"only"}


def test_what_is_under_the_gpl_is_told(sbom: ModuleType) -> None:
    told = sbom.list_of_licences(list(sbom.python_parts()))
    heading, _, below = told.partition("GPL-3.0-or-later\n")
    assert heading and below.splitlines()[0].split()[:2] == ["python", "espeakng-loader"]
