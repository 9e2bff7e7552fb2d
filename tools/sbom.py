"""What is shipped, part by part with its licence: as a CycloneDX document, and as a list for people.

    python tools/sbom.py [--out dist]

Python packages as `requirements.lock` pins them, npm packages that are built into the web app, weights that are fetched, and
the networks that lie in the package itself.
"""

import argparse
import base64
import importlib.metadata
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from heartfelt.weights.artefact import Artefact, listed

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "heartfelt"
UNKNOWN = "unknown"
TOLD = {
    "espeakng-loader": "GPL-3.0-or-later",  # eSpeak NG's, which it carries; its own metadata say nothing
}
"""Licences of packages whose metadata have none."""
NETWORKS = {
    "agents/groups.npz": "Apache-2.0",
    "agents/weights/classifier-2.npz": "Apache-2.0",
    "models/embedded/adapter/heartfelt-3.gguf": "CC-BY-NC-4.0",
    "models/embedded/adapter/words-7.gguf": "Apache-2.0",
    "safety/detect/phrases.npz": "Apache-2.0",
    "safety/detect/weights/acts-1.npz": "Apache-2.0",
    "safety/detect/weights/danger-3.npz": "Apache-2.0",
    "safety/detect/weights/danger-8.gguf": "Apache-2.0",
    "safety/respond/crisis_replies.npz": "Apache-2.0",
    "senses/emotions/face.onnx": "LicenseRef-research-only",
    "senses/emotions/voice.onnx": "CC-BY-NC-SA-4.0",
}
"""The networks in the package, with the licences that their cards in docs/models give."""


@dataclass(frozen=True)
class Part:
    kind: str
    """Where it comes from: python, npm, weights, network."""
    name: str
    version: str
    licence: str
    purl: PackageURL | None = None
    hashes: tuple[tuple[HashAlgorithm, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """What it consists of, each with its SHA-256, where that is pinned."""


def parts() -> list[Part]:
    return [*python_parts(), *npm_parts(), *weight_parts(), *network_parts()]


def python_parts(lock: Path = ROOT / "requirements.lock") -> Iterator[Part]:
    """Each pin; those for other systems and other Pythons too, but for browsers, in which nothing of it runs."""
    for name, version, when in re.findall(r"^([\w.-]+)==([^\s;\\]+)([^\n]*)", lock.read_text("utf-8"), re.M):
        if "sys_platform == 'emscripten'" in when:
            continue
        yield Part("python", name, version, licence_of(name), PackageURL("pypi", name=name, version=version))


def licence_of(name: str) -> str:
    """What the installed package says of itself; whatever release of it is here."""
    if name in TOLD:
        return TOLD[name]
    try:
        told = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        return UNKNOWN
    classified = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License ::")]
    words = (told.get("License") or "").strip()
    short = words if len(words) < 60 and "\n" not in words else ""
    return told.get("License-Expression") or short or " AND ".join(classified) or UNKNOWN


def npm_parts(lock: Path = ROOT / "web" / "package-lock.json") -> Iterator[Part]:
    """What the app is made of; what only builds it is not shipped."""
    for path, package in json.loads(lock.read_text("utf-8"))["packages"].items():
        if not path or package.get("dev"):
            continue
        name = path.rpartition("node_modules/")[2]
        scope, _, bare = name.rpartition("/")
        algorithm, _, digest = package["integrity"].partition("-")
        assert algorithm == "sha512"
        yield Part(
            *("npm", name, package["version"], package.get("license", UNKNOWN)),
            purl=PackageURL("npm", namespace=scope or None, name=bare, version=package["version"]),
            hashes=((HashAlgorithm.SHA_512, base64.b64decode(digest).hex()),),
        )


def weight_parts(known: Iterable[Artefact] = ()) -> Iterator[Part]:
    """What is fetched on first use, with every file that is taken out of it."""
    for each in known or listed():
        scope, _, bare = each.package.rpartition("/")
        kind = {"pip": "pypi", "npm": "npm"}[each.client]
        purl = PackageURL(kind, namespace=scope or None, name=bare, version=each.version)
        files = tuple((member.path, member.sha256) for member in each.members)
        name = f"{each.name} ({each.platform})" if each.platform else each.name
        yield Part("weights", name, each.version, each.licence, purl, files=files)


def network_parts() -> Iterator[Part]:
    for path, licence in NETWORKS.items():
        digest = sha256((SOURCE / path).read_bytes()).hexdigest()
        yield Part("network", path, version(), licence, hashes=((HashAlgorithm.SHA_256, digest),))


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def document(shipped: list[Part], when: datetime) -> str:
    """CycloneDX 1.6 as JSON; the same parts and time give the same bytes."""
    whole = Component(
        name="heartfelt",
        version=version(),
        type=ComponentType.APPLICATION,
        bom_ref="heartfelt",
        purl=PackageURL("pypi", name="heartfelt", version=version()),
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
    )
    components = [_component(part) for part in shipped]
    bom = Bom(components=components, metadata=BomMetaData(component=whole, timestamp=when))
    bom.register_dependency(whole, components)
    bom.serial_number = uuid5(NAMESPACE_URL, f"heartfelt {version()} {when.isoformat()}")
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _component(part: Part) -> Component:
    model = part.kind in ("weights", "network") and not part.name.startswith("engine")
    inside = [
        Component(
            name=path,
            type=ComponentType.FILE,
            bom_ref=f"{part.kind}:{part.name}:{path}",
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        )
        for path, digest in part.files
    ]
    return Component(
        name=part.name,
        version=part.version,
        type=ComponentType.MACHINE_LEARNING_MODEL if model else ComponentType.LIBRARY,
        bom_ref=f"{part.kind}:{part.name}@{part.version}",
        purl=part.purl,
        licenses=[LicenseFactory().make_from_string(part.licence)] if part.licence != UNKNOWN else [],
        hashes=[HashType(alg=algorithm, content=digest) for algorithm, digest in part.hashes],
        components=inside,
        properties=[Property(name="heartfelt:kind", value=part.kind)],
    )


def list_of_licences(shipped: list[Part]) -> str:
    """A line for each part, under its licence."""
    lines = ["What Heartfelt ships or fetches, by licence. The code of Heartfelt itself is Apache-2.0.", ""]
    for licence in sorted({part.licence for part in shipped}):
        lines += [licence, *(f"  {p.kind:8} {p.name} {p.version}" for p in shipped if p.licence == licence), ""]
    return "\n".join(lines)


def when() -> datetime:
    """The moment of the commit where the builder says it, so that two documents of it are the same."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)


def write(folder: Path) -> tuple[Path, Path, list[Part]]:
    folder.mkdir(parents=True, exist_ok=True)
    shipped = parts()
    bom, licences = (folder / f"heartfelt-{version()}.{end}" for end in ("cdx.json", "licences.txt"))
    bom.write_text(document(shipped, when()), "utf-8")
    licences.write_text(list_of_licences(shipped), "utf-8")
    return bom, licences, shipped


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    made_bom, made_licences, found = write(parser.parse_args().out)
    print(f"{made_bom}: {len(found)} parts", f"{made_licences}: {len({part.licence for part in found})} licences", sep="\n")
    sys.exit(0)
