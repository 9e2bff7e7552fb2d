"""Writes the pages of docs/reference that the code knows better than people do.

    python docs/generate.py            write them
    python docs/generate.py --check    only say which are out of date

Nothing here depends on the terminal, on its width or on the machine.
"""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields as dataclass_fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from typer.main import get_command

from heartfelt import budget, edits, errors, events, intake, records, setup
from heartfelt.agents.agent import Agent, PromptCaller
from heartfelt.agents.audit import AuditSteps
from heartfelt.agents.step import Step
from heartfelt.cli import app
from heartfelt.evaluation.experiments import experiment
from heartfelt.labels import DEFAULT_MAP, LABEL_SETS, affect, emotion_maps, fold, folding, map_citation
from heartfelt.models import seam
from heartfelt.recipes import RECIPES, Ablation, Recipe
from heartfelt.records import Record
from heartfelt.safety.protocol import protocol
from heartfelt.safety.settings import Safety
from heartfelt.server import wire
from heartfelt.server.app import create_app
from heartfelt.server.chat import completion, request

DOCS = Path(__file__).parent
MARK = "<!-- Written by docs/generate.py. Change the code and run it again; edits here are lost. -->"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table. A bar inside a cell would end the cell."""
    lines = [list(head), *(list(row) for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in line) + " |" for line in lines)


def page(title: str, *parts: str) -> str:
    return "\n\n".join((f"# {title}", MARK, *(part for part in parts if part))) + "\n"


def code(value: object) -> str:
    return f"`{value}`"


# ── commands ────────────────────────────────────────────────────────────────────────────────────────────────────────


def commands() -> str:
    tree = get_command(app)
    told = (_command(command, name) for name, command in _walk(tree, "heartfelt"))
    return page("Commands", tree.epilog or "", _shared_manners(), *told)


def _shared_manners() -> str:
    return (
        "Answers go to standard output, everything else to standard error. "
        "An option that may be repeated is given once for each value: `--without plan --without audit`."
    )


def _walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    yield name, command
    for child, inner in getattr(command, "commands", {}).items():
        yield from _walk(inner, f"{name} {child}")


def _command(command: Any, name: str) -> str:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name != "help"]
    usage = " ".join([name, *(["[OPTIONS]"] if options else []), *map(_slot, arguments)])
    children = getattr(command, "commands", {})
    parts = [f"## {name}", f"```text\n{usage}{' COMMAND' if children else ''}\n```", _told(command.help)]
    if children:
        parts.append(table(("command", ""), ((code(child), _told(inner.help)) for child, inner in children.items())))
    if arguments:
        parts.append(
            table(("argument", "type", ""), ((code(_slot(each)), _kind(each), _told(each.help)) for each in arguments))
        )
    if options:
        parts.append(table(("option", "type", "default", ""), map(_option, options)))
    return "\n\n".join(part for part in parts if part)


def _slot(argument: Any) -> str:
    name = argument.name.upper() + ("…" if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _option(option: Any) -> tuple[str, ...]:
    flags = ", ".join(code(flag) for flag in (*option.opts, *option.secondary_opts))
    told = _told(option.help) + (f" Environment: `{option.envvar}`." if option.envvar else "")
    default = "" if option.is_flag or option.default is None or option.required else code(option.default)
    return flags, _kind(option), "required" if option.required else default, told


def _kind(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return "flag"
    annotation = parameter.type_descriptor.annotation
    inner = get_args(annotation)[0] if get_args(annotation) else annotation
    if get_origin(annotation) is Literal:
        return _type(annotation)
    name = {str: "text", Path: "path", int: "whole number", float: "number"}[inner]
    limits = "".join(
        f" {word} {limit:g}" for word, limit in (("from", parameter.min), ("to", parameter.max)) if limit is not None
    )
    return name + limits + (", repeatable" if inner is not annotation else "")


def _told(text: str | None) -> str:
    return " ".join((text or "").split())


# ── records ─────────────────────────────────────────────────────────────────────────────────────────────────────────


SAMPLE = """```json
{
  "listener": "Heartfelt",
  "turns": [
    {"speaker": "Mira", "text": "I failed my exam."}
  ]
}
```"""


def dialogue() -> str:
    return page(
        "The dialogue file",
        "A dialogue is JSON: an object with `turns`, or the list of turns alone. A file that does not begin with `{` or `[` is "
        "plain text and is read as one turn. UTF-8, or UTF-16 with its mark.",
        SAMPLE,
        "Heartfelt answers the last turn that is not the listener's. Later turns are cut off. With `speaker`, a name, it "
        "answers the last turn of that speaker instead.",
        f"A turn has at most {intake.LONGEST_TEXT:,} characters, a file at most {intake.MOST_TURNS:,} turns, "
        f"a name {intake.LONGEST_NAME} characters. Other keys are refused, and so are control characters.",
        "Nothing in it is followed: a path or an address is words. A picture comes as its own bytes in base64 (JPEG, PNG, "
        "WebP or "
        f"GIF, at most {intake.LARGEST_STILL // 1_000_000} MB, {intake.MOST_STILLS} a turn).",
        *(_record(each, level=2) for each in (records.Dialogue, records.Turn, records.Keyframe)),
        "## Only in the file\n\n"
        + table(
            ("field", "type", ""), [("`speaker`", "text", "Whom to answer; without it, the last one who is not the listener.")]
        ),
    )


def all_records() -> str:
    groups = (
        ("What passes between the steps", records),
        ("Events", events),
        ("The model seam", seam),
    )
    parts = [f"## {title}\n\n{_head(module)}\n\n" + "\n\n".join(map(_record, _of(module))) for title, module in groups]
    setups = "\n\n".join(map(_record, (setup.Setup, Ablation, budget.Budget, edits.Edit)))
    parts.append(f"## The setup of a turn\n\n{_head(setup)}\n\n{setups}")
    intro = "Every record is frozen, refuses unknown fields and is written as JSON. A field without a default is needed."
    return page("Records", intro, *parts)


def _of(module: Any) -> list[type[BaseModel]]:
    found = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, Record)]
    return [each for each in found if each.__module__ == module.__name__ and each is not Record]


def _head(module: Any) -> str:
    return _told((module.__doc__ or "").partition("\n\n")[0])


def _record(model: type[BaseModel], *, level: int = 3) -> str:
    rows = [
        (code(name), _type(field.annotation), _default(field), _told(field.description))
        for name, field in model.model_fields.items()
    ]
    doc = "" if not model.__doc__ or model.__doc__ == Record.__doc__ else inspect.cleandoc(model.__doc__) + "\n\n"
    return f"{'#' * level} {model.__name__}\n\n{doc}{table(('field', 'type', 'default', ''), rows)}"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.default
    if value is PydanticUndefined or (isinstance(value, tuple | dict) and not value):
        return "empty"
    if isinstance(value, tuple):
        return ", ".join(map(code, value))
    if isinstance(value, BaseModel):
        return f"{type(value).__name__}()"
    return "none" if value is None else "empty text" if value == "" else code(value)


def _type(annotation: Any) -> str:
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is None or annotation is type(None):
        return "none"
    if origin is Literal:
        return " or ".join(code(each) for each in inner)
    if origin in (tuple, list, frozenset):
        return f"list of {_type(inner[0])}" if inner else "list"
    if origin is dict:
        return f"{_type(inner[0])} → {_type(inner[1])}"
    if inner and origin is not None and hasattr(annotation, "__metadata__"):
        return _type(inner[0])
    if inner:
        return " or ".join(_type(each) for each in inner)
    plain = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "anything"}
    return plain.get(annotation, getattr(annotation, "__name__", str(annotation)))


# ── experiments ─────────────────────────────────────────────────────────────────────────────────────────────────────

WITHIN = (
    experiment.TaskRequest,
    experiment.Condition,
    experiment.ReportTable,
    experiment.TableColumn,
    experiment.PublishedFigure,
)


def experiments() -> str:
    ready = sorted((DOCS.parent / "experiments").glob("*.yaml"))
    return page(
        "Experiments",
        f"{_head(experiment)} [Run an experiment](../how-to/run-an-experiment.md) shows how to use one and how to write your "
        f"own. Unknown fields are refused, and a file has at most {experiment.LARGEST // 1_000_000} MB.",
        "## Ready experiments",
        "Each names at its head the corpora that it needs, its commands, and what of a publication cannot be reproduced here. "
        "Published figures stand in its tables with how they were measured otherwise.",
        table(("experiment", ""), ((f"[{each.stem}](../../experiments/{each.name})", _first_sentence(each)) for each in ready)),
        *(_record(each, level=2) for each in (experiment.Experiment, *WITHIN, budget.Budget)),
    )


def _first_sentence(path: Path) -> str:
    """Of the comment at the head of a file."""
    head = re.match(r"(?:#.*\n)+", path.read_text("utf-8"))
    return re.split(r"(?<=[.?!])\s", _told(re.sub(r"^# ?", "", head[0] if head else "", flags=re.M)))[0]


# ── labels ──────────────────────────────────────────────────────────────────────────────────────────────────────────

FOLDED = (
    ("Ashamed", "ed32"), ("a deep sense of gratitude", "ed32"), ("not angry, just sad", "ed32"), ("mixed: sad/angry", "ed32"),
    ("ashamed", "ekman"), ("prepared", "ekman"), ("excited", "iemocap"), ("fru", "iemocap"), ("happy to help", "ed32"),
)  # fmt: skip


def labels() -> str:
    return page(
        "Labels and label maps",
        "Corpora and systems name emotions differently, and the published maps between them disagree. So every set and every "
        "map has a name, and a score is only a score together with the name of its map.",
        "## Label sets",
        *(_label_set(each) for each in LABEL_SETS.values()),
        "## Maps from ED-32 to coarse classes",
        _maps(),
        "## How free words are folded",
        inspect.cleandoc(folding.__doc__ or ""),
        "Examples, as `fold` reads them:",
        table(("words", "set", "label", "how", "path", "others", "denied"), map(_folded, FOLDED)),
        "## Valence and arousal",
        "Approximate, by the authors' own judgement after Russell's circumplex; not measured. Checks use them only to ask "
        "whether two feelings lie on the same side.",
        table(("label", "valence", "arousal"), ((name, *map(str, affect(name))) for name in LABEL_SETS["ed32"].labels)),
    )


def _label_set(each: Any) -> str:
    other = "; ".join(f"{code(spelling)} is {label}" for spelling, label in each.aliases)
    spelled = f"\n\nOther spellings: {other}." if other else ""
    return f"### {each.name}\n\n{each.citation}.\n\n{', '.join(map(code, each.labels))}{spelled}"


def _maps() -> str:
    maps = emotion_maps()
    published = [name for name in maps if name != DEFAULT_MAP]
    differ = [label for label in LABEL_SETS["ed32"].labels if len({maps[name].get(label) for name in published}) > 1]
    rows = (
        (f"**{label}**" if label in differ else label, *(maps[name].get(label, "(missing)") for name in maps))
        for label in LABEL_SETS["ed32"].labels
    )
    cited = table(("map", "source"), ((code(name), map_citation(name)) for name in maps))
    told = f"The published maps disagree on {len(differ)} of {len(LABEL_SETS['ed32'].labels)} labels, in bold below. "
    return f"{told}The default is `{DEFAULT_MAP}`.\n\n{cited}\n\n{table(('label', *map(code, maps)), rows)}"


def _folded(case: tuple[str, str]) -> tuple[str, ...]:
    words, name = case
    read = fold(words, name)
    return words, name, read.label or "none", read.how, " → ".join(read.path), ", ".join(read.others), ", ".join(read.denied)


# ── recipes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def recipes() -> str:
    head = table(
        ("recipe", "", "after", "steps"),
        ((f"[{each.name}](#{each.name})", each.summary, each.cites, " → ".join(each.step_names)) for each in RECIPES.values()),
    )
    return page("Recipes", "A recipe is a list of steps. Where they deviate from the papers, and why, is in "
                "[fidelity](../design/fidelity.md).", head, *map(_recipe, RECIPES.values()))  # fmt: skip


def _recipe(each: Recipe) -> str:
    rows = [_step(number, step) for number, step in enumerate(each.steps, 1)]
    if each.audit is not None:
        rows.append(
            ("", "`audit`", AuditSteps.__name__, "", f"{each.audit.temperature:g}", f"T = {each.refinements}; {_choice(each)}")
        )
    loop = "" if each.audit else " No audit: one pass."
    told = f"{_told(inspect.getdoc(sys.modules[f'heartfelt.recipes.{each.name}']))}{loop}"
    return f"## {each.name}\n\n{told}\n\n{table(('', 'step', 'class', 'alias', 'temperature', 'settings'), rows)}"


def _choice(each: Recipe) -> str:
    return "the best pass is chosen" if each.selection else "the last pass is taken"


def _step(number: int, step: Step) -> tuple[str, ...]:
    shared = {"alias", "temperature"}
    settings = ", ".join(f"{f.name} = {getattr(step, f.name)}" for f in dataclass_fields(step) if f.name not in shared)
    warmth = f"{step.temperature:g}" if isinstance(step, PromptCaller | Agent) else "no model"
    return str(number), code(step.name), type(step).__name__, step.alias, warmth, settings


# ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def all_errors() -> str:
    drawn = (errors.__doc__ or "").partition("\n\n")[2].rstrip()
    meanings = {match[1]: match[2].strip() for match in re.finditer(r"(\w+)\s{2,}(\S.*)", drawn)}
    rows = (
        (
            code(each.__name__),
            str(each.exit_code),
            re.sub(r": exit code \d+$", "", meanings.get(each.__name__, _told(each.__doc__))),
        )
        for each in _descendants(errors.HeartfeltError)
    )
    return page(
        "Errors",
        "Each message says what happened, to what, and what to do next. Catch `HeartfeltError` to catch all of them. When a "
        'turn fails under `--json`, it also prints `{"error": {"kind": …, "message": …}}` with the passes made so far.',
        f"```text\n{drawn}\n```",
        table(("error", "exit code", "when"), rows),
    )


def _descendants(kind: type[errors.HeartfeltError]) -> Iterator[type[errors.HeartfeltError]]:
    yield kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from _descendants(child)


# ── the server ──────────────────────────────────────────────────────────────────────────────────────────────────────


def api() -> str:
    paths: dict[str, dict[str, Any]] = create_app().openapi()["paths"]
    operations = [
        (code(f"{method.upper()} {path}"), _told(operation.get("description") or operation.get("summary")))
        for path, methods in paths.items()
        for method, operation in methods.items()
    ]
    return page(
        "The API",
        "What `heartfelt serve` answers to. The whole description, with all schemas, is at `/openapi.json` of the server, and "
        "to be read at `/docs`; [Serve it](../how-to/serve.md) shows it in use. Refusals are a `Problem` with the status that "
        "fits; those under `/v1` have the form that OpenAI's clients read. `/metrics` is for Prometheus.",
        table(("operation", ""), operations),
        "## Chat completions",
        f"{_head(request)} [Use it with OpenAI's clients and LangChain](../how-to/use-openai-clients.md) shows it in use.",
        _chat_fields(request.ChatRequest),
        "A refusal has the status 400, names the field as `param`, and says in `message` what to do. Where a field is refused, "
        "what asks for nothing is taken all the same: `null`, an empty list, and the values that are named.",
        *(f"### {title}\n\n{_chat_fields(each)}" for title, each in PARTS.items()),
        "### The answer",
        "As OpenAI's, and `heartfelt` beside it: in a stream, of the chunk that has the `finish_reason`.",
        *map(_record, (completion.ChatCompletion, completion.ChatChoice, completion.ChatUsage, completion.CompletionNotes)),
        f"## Records and messages\n\n{_head(wire)}",
        "`Begin` to `Ping` are what a client sends over the live socket, `Ready` to `Pong` what the server sends. "
        "Binary messages to the server: one byte (1 sound, 2 a JPEG picture), eight bytes time in seconds since the socket "
        "was opened (float64, little-endian), then the bytes; sound is mono, 16 bits, "
        f"{wire.SOUND_IN:,} samples a second. From the server: one byte (3), four bytes turn, four bytes piece (uint32), then "
        f"samples, {wire.SOUND_OUT:,} a second, of the `Speech` with the same numbers.",
        *map(_record, _of(wire)),
    )


PARTS = {
    "A message": request.ChatMessage,
    "A text part": request.TextPart,
    "A picture": request.ImageUrl,
    "A sound": request.AudioData,
    "`stream_options`": request.StreamOptions,
    "`heartfelt`": request.RequestOptions,
}


def _chat_fields(model: type[BaseModel]) -> str:
    return table(("field", "", ""), (_chat_field(name, field) for name, field in model.model_fields.items()))


def _chat_field(name: str, field: FieldInfo) -> tuple[str, str, str]:
    for mark in field.metadata:
        if isinstance(mark, request.Refused):
            taken = " or ".join(code(json.dumps(each)) for each in mark.but)
            return code(name), f"refused{taken and f' unless {taken}'}", mark.why
        if isinstance(mark, request.Unused):
            return code(name), "taken, and told as unused", _told(field.description)
    return code(name), "used", _told(field.description)


def safety_protocol() -> str:
    title, _, rest = protocol(Safety()).partition("\n\n")
    return f"{title}\n\n{MARK}\n\n{rest}\n"


PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands,
    "reference/dialogue.md": dialogue,
    "reference/records.md": all_records,
    "reference/experiments.md": experiments,
    "reference/labels.md": labels,
    "reference/recipes.md": recipes,
    "reference/errors.md": all_errors,
    "reference/api.md": api,
    "reference/safety-protocol.md": safety_protocol,
}


def stale() -> list[str]:
    """Pages that are not what the code says."""
    return [name for name, make in PAGES.items() if not (DOCS / name).is_file() or (DOCS / name).read_text("utf-8") != make()]


def main() -> int:
    names = stale()
    if "--check" not in sys.argv:
        for name in names:
            (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
            (DOCS / name).write_text(PAGES[name](), "utf-8")
    print(
        "\n".join(f"{'stale' if '--check' in sys.argv else 'wrote'} docs/{name}" for name in names)
        or "All pages are up to date."
    )
    return int(bool(names) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
