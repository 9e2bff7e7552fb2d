"""A step brings what it says in a folder of its own: in a package of one's own as in Heartfelt's."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from heartfelt import Recipe
from heartfelt.agents import AuditSteps, ForecastEmotion, Respond
from heartfelt.agents.notes import NOTES, note
from heartfelt.agents.step import MENDING, QUESTIONS, Step
from heartfelt.errors import UnknownName, UsageError
from heartfelt.prompts import SHARED, PromptFolder, add_folder
from heartfelt.recipes import RECIPES
from heartfelt.records import Goal
from scripts import blaming, fine, good, turn, user_text, view_of

CODE = """
from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.view import View
from heartfelt.models.seam import Schema, fields, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Finding, Goal, Output


@dataclass(frozen=True, kw_only=True)
class Reframe(Agent):
    name: ClassVar[str] = "reframe"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def schema(self, view: View, *, compact: bool) -> Schema:
        return fields(view=text(100, hint=self.folder.hint("view")))

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        return Goal(goal=answer.value["view"])

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        return (self.finding("loud", goal=output.goal),) if output.goal.isupper() else ()
"""
WORDING = """
[audit]
question = "is it another way to see it?"
mending = "See it in another way."

[hints]
view = "another way to see it"

[findings.loud]
problem = "'{{ goal }}' is shouted."
instruction = "Do not shout."
"""
SEEN = {"view": "A third try is courage."}


@pytest.fixture
def reframe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Any]]:
    """The step of another package, and a recipe with it."""
    folder = tmp_path / "my_steps" / "reframe"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(CODE)
    (folder / "wording.toml").write_text(WORDING)
    (folder / "reframe.full.md").write_text("# Task: reframe\nHow else could {{ speaker }} see it?\n")
    (folder / "reframe.compact.md").write_text("How else could {{ speaker }} see it?\n")
    monkeypatch.syspath_prepend(tmp_path)
    step = import_module("my_steps.reframe").Reframe
    steps = (ForecastEmotion(), step(), Respond())
    monkeypatch.setitem(RECIPES, "reframing", Recipe(name="reframing", summary="", steps=steps, audit=AuditSteps()))
    yield step
    for known in (QUESTIONS, MENDING):
        del known["reframe"]
    del sys.modules["my_steps.reframe"], sys.modules["my_steps"]


@pytest.mark.parametrize(
    ("profile", "asked"), [("full", "# Task: reframe\nHow else could Ana"), ("compact", "How else could Ana")]
)
async def test_it_asks_in_its_own_words_and_the_steps_after_it_read_its_note(reframe: type[Any], profile: str, asked: str):
    model = good(profile, reframe=SEEN)
    outcome = await turn("reframing", model)
    (request,) = model.asked("reframe")
    assert asked in user_text(request)
    assert ("another way to see it, at most 100 characters" in user_text(request)) is (profile == "full")
    assert outcome.best.output("reframe") == Goal(goal=SEEN["view"])
    assert "Goal: A third try is courage." in user_text(model.asked("respond")[0])


async def test_its_question_is_put_to_the_audit(reframe: type[Any]):
    model = good(reframe=SEEN)
    outcome = await turn("reframing", model)
    assert outcome.best.audit is not None
    assert [verdict.step for verdict in outcome.best.audit.verdicts] == ["forecast", "reframe", "respond"]
    assert "- reframe: is it another way to see it?" in user_text(model.asked("audit")[0])


async def test_it_is_mended_in_its_own_words(reframe: type[Any]):
    model = good("compact", reframe=SEEN, audit=[blaming("reframe"), fine])
    await turn("reframing", model)
    assert "See it in another way." in user_text(model.asked("reframe")[1])
    (finding,) = reframe().check(Goal(goal="NO"), view_of())
    assert (finding.step, finding.problem, finding.instruction) == ("reframe", "'NO' is shouted.", "Do not shout.")


def test_who_is_made_from_a_step_has_its_words():
    class Brief(Respond):
        name = "respond"

    assert Brief.folder is Respond.folder
    assert Brief().prompt(view_of(), good(), None) == Respond().prompt(view_of(), good(), None)


def step_in(folder: Path, wording: str, name: str = "mine") -> None:
    (folder / "wording.toml").write_text(wording)
    type("Mine", (Step,), {"name": name, "folder": PromptFolder(str(folder / "__init__.py"))})


def test_no_two_folders_speak_for_the_same_step_or_record(tmp_path: Path):
    with pytest.raises(UsageError, match="words for the audit of 'respond' already"):
        step_in(tmp_path, "[audit]\nquestion = 'is it short?'\nmending = 'Be brief.'\n", "respond")
    with pytest.raises(UsageError, match="words for the note of 'reply' already"):
        step_in(tmp_path, "[notes]\nreply = 'Said: {{ text }}'\n")
    assert NOTES["reply"] is Respond.folder and "Be brief." not in MENDING.values() and "mine" not in QUESTIONS


def test_a_note_is_filled_in_with_the_fields_of_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(NOTES, "goal")
    step_in(tmp_path, "[notes]\ngoal = 'Aim: {{ goal }}'\n")
    assert note(Goal(goal="to be\nthere")) == "Aim: to be there"


def test_a_prompt_file_that_is_missing_is_named_with_its_place(tmp_path: Path):
    (tmp_path / "mine.full.md").write_text("Hm?")
    folder = PromptFolder(str(tmp_path / "__init__.py"))
    with pytest.raises(UnknownName, match=r"no prompt file 'mine\.compact\.md' in .*Known: mine\.full\.md"):
        folder.render("compact", "mine", {})
    with pytest.raises(UsageError, match=r"STEP\.full\.md"):
        add_folder(tmp_path)


def test_words_that_are_missing_are_named_with_their_file(tmp_path: Path):
    with pytest.raises(UnknownName, match=r"no entry 'mending' in .*wording\.toml \(looked for `audit\.mending`\)"):
        step_in(tmp_path, "[audit]\nquestion = 'is it short?'\n")
    assert "mine" not in QUESTIONS
    (tmp_path / "wording.toml").write_text("[hints]\nview = 'another view'\n")
    folder = PromptFolder(str(tmp_path / "__init__.py"))
    with pytest.raises(UnknownName, match=r"no entry 'veiw' in .*wording\.toml .*Did you mean 'view'\?"):
        folder.hint("veiw")
    with pytest.raises(UnknownName, match=r"no entry 'findings' in .*\(looked for `findings\.loud\.problem`\)"):
        folder.phrase("findings.loud.problem")


def test_a_value_that_is_missing_is_traced_to_its_file(tmp_path: Path):
    (tmp_path / "mine.full.md").write_text("Hm?\n{{ nobody }}")
    (tmp_path / "wording.toml").write_text("[hints]\nview = '{{ nobody }}'\n")
    folder = PromptFolder(str(tmp_path / "__init__.py"))
    with pytest.raises(UndefinedError) as prompt:
        folder.render("full", "mine", {})
    with pytest.raises(UndefinedError) as hint:
        folder.hint("view")
    assert [str(each.traceback[-1].path) for each in (prompt, hint)] == [
        str(tmp_path / "mine.full.md"),
        str(tmp_path / "wording.toml"),
    ]


def test_every_folder_says_what_is_wrong_and_what_to_do():
    for file in SHARED.path.parent.glob("agents/*/wording.toml"):
        wording = PromptFolder(str(file)).wording
        assert all(each.keys() == {"problem", "instruction"} for each in wording.get("findings", {}).values())
        assert wording.get("audit", {"question": "", "mending": ""}).keys() == {"question", "mending"}
        assert wording.keys() <= {"audit", "brief", "notes", "hints", "findings", "strategies"}
