"""The stages: skipped when done, refused when they would cost work, resumed when interrupted; and the whole way once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heartfelt.errors import EngineError, HeartfeltError, MissingExtra, UsageError
from heartfelt.tuning import stages
from heartfelt.tuning.folder import Folder
from heartfelt.tuning.stages import TuningStage, do, everything, require
from heartfelt.weights import Store

from . import made_up


class Heard:
    """A teller that remembers."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.bars: list[str] = []

    def said(self, stage: str, words: str, mark: str = "✓") -> None:
        self.lines.append((f"{mark} {stage}", words))

    def going(self, what: str, done: float, total: float, words: str = "") -> None:
        assert done <= total
        self.bars.append(what)


# ── one stage ───────────────────────────────────────────────────────────────────────────────────────────────────────


def made(folder: Folder, name: str, *, dear: bool, work: Callable[[], object] = lambda: None) -> TuningStage:
    """A stage that writes its seed into a file."""

    def write(folder: Folder, _told: Any) -> dict[str, Any]:
        work()
        (folder.root / name).write_text(str(folder.settings.seed))
        return {"words": f"seed {folder.settings.seed}"}

    return TuningStage(name, (), lambda f: {"recipe": {"seed": f.settings.seed}}, lambda f: [f.root / name], write, dear, dear)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_what_is_done_is_not_done_again(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(stages.STAGES, "it", made(folder, "it", dear=True))
    heard = Heard()
    do(folder, "it", heard)
    do(Folder(folder.root), "it", heard)
    assert heard.lines == [("✓ it", "seed 0"), ("– it", "done before: seed 0")]
    (folder.root / "it").unlink()
    do(Folder(folder.root), "it", heard)
    assert heard.lines[-1] == ("✓ it", "seed 0") and (folder.root / "it").exists()


def test_a_dear_stage_of_another_run_is_kept_unless_it_is_thrown_away_by_name(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(stages.STAGES, "it", made(folder, "it", dear=True))
    do(folder, "it", Heard())
    folder.ask(seed=5)
    with pytest.raises(UsageError, match=r"of another run: recipe seed was 0 and is 5\. Give another folder .* or --again"):
        do(folder, "it", Heard())
    assert Folder(folder.root).settings.seed == 0, "what was refused is not remembered"
    do(folder, "it", Heard(), again=True)
    assert (folder.root / "it").read_text() == "5" and Folder(folder.root).settings.seed == 5


def test_a_quick_stage_is_simply_done_again(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(stages.STAGES, "it", made(folder, "it", dear=False))
    do(folder, "it", Heard())
    folder.ask(seed=5)
    do(folder, "it", Heard())
    assert (folder.root / "it").read_text() == "5"


def test_an_interrupted_stage_goes_on(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(stages.STAGES, "it", made(folder, "it", dear=True, work=interrupt))
    with pytest.raises(KeyboardInterrupt):
        do(folder, "it", Heard())
    monkeypatch.setitem(stages.STAGES, "it", made(folder, "it", dear=True))
    heard = Heard()
    do(Folder(folder.root), "it", heard)
    assert [mark for mark, _ in heard.lines] == ["… it", "✓ it"]


def test_a_stage_before_its_time_names_the_command(folder: Folder):
    for stage, command in (
        ("train", f"heartfelt tune examples --data DIR --run {folder.root}"),
        ("export", f"heartfelt tune train --run {folder.root}"),
        ("calibrate", f"heartfelt tune export --licence LICENCE --run {folder.root}"),
        ("evaluate-test", "heartfelt tune export"),
        ("card", "heartfelt tune export"),
    ):
        with pytest.raises(UsageError) as error:
            do(folder, stage, Heard())
        assert command in str(error.value)
    folder.begin("train", {})
    with pytest.raises(UsageError, match="The stage 'train' was interrupted"):
        require(folder, "train")


def test_without_torch_the_extra_is_named_before_any_work(folder: Folder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stages, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"Tuning needs an optional part.*heartfelt\[tune\]"):
        everything(folder, Heard())


def test_data_and_licence_are_asked_for_before_any_work(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stages, "find_spec", lambda _name: True)
    with pytest.raises(UsageError, match="--data DIR"):
        everything(folder, Heard())
    folder.ask(data=str(made_up.corpora(tmp_path / "corpora")))
    with pytest.raises(UsageError, match=r"--licence LICENCE\. The data decides"):
        everything(folder, Heard())
    assert not folder.record.stages


# ── the whole way ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def on_tiny_base(speaking_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything runs on the tiny base, and keeps its conversions to itself."""
    found = Store.path
    monkeypatch.setattr(
        Store, "path", lambda self, name, member=None: speaking_base if name == "smollm2" else found(self, name)
    )
    monkeypatch.setenv("HEARTFELT_HOME", str(tmp_path / "home"))


@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
@pytest.mark.usefixtures("on_tiny_base")
@pytest.mark.slow
def test_from_ones_own_dialogues_to_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")
    from heartfelt.tuning import agreement

    made_up.own(tmp_path / "data", "train", "zebra")
    made_up.own(tmp_path / "data", "test", "ocelot")
    folder, heard = Folder(tmp_path / "mine"), Heard()
    folder.root.mkdir()
    folder.ask(data=str(tmp_path / "data"), small=True, licence="CC0-1.0", teachers=1, training={"epochs": 0.5})
    everything(folder, heard)
    assert [mark for mark, _ in heard.lines if mark[0] == "✓"] == [f"✓ {name}" for name in stages.ORDER]
    assert (
        "– examples",
        f"not in {tmp_path / 'data'}, and left out: empathetic_dialogues, meld, goemotions, esconv",
    ) in heard.lines
    assert {"train", "teacher 1/1", "valid ed32"} <= set(heard.bars)
    assert folder.loss.read_bytes().startswith(b"\x89PNG") and folder.adapter.name == "mine.gguf"
    assert json.loads(folder.agreement.read_text())["fine"]

    again = Heard()
    everything(Folder(folder.root), again)
    assert {mark[0] for mark, _ in again.lines} == {"–"}

    do(folder, "evaluate-test", Heard())
    do(folder, "card", Heard())
    card = folder.card.read_text("utf-8")
    for part in ("# mine", "CC0-1.0", "| own dialogues | 5 | 1 |", "Teachers: 1;", "test split", "**A toy", "![Loss",
                 "| ed32 | accuracy | ", "too few turns to calibrate", "](confusion.png)", "therapy"):  # fmt: skip
        assert part in card, part
    assert "zebra" not in card and "ocelot" not in card

    folder.ask(licence="CC-BY-4.0")
    with pytest.raises(UsageError, match=r"says CC0-1\.0, and the card would say CC-BY-4\.0\. Export it again"):
        do(folder, "card", Heard())
    monkeypatch.setattr(agreement, "MOST_APART", -1.0)
    with pytest.raises(EngineError, match="does not decide as the trained network"):
        do(folder, "export", Heard())
    assert not folder.adapter.exists(), "an adapter that does not agree is not left under its name"
    with pytest.raises(HeartfeltError, match="Do it first: heartfelt tune export"):
        do(folder, "card", Heard())
