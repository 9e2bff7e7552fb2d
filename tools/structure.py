"""How the code is built, in figures: lines, classes of the same name, names that the glossary forbids, imports in a circle.

python tools/structure.py            prints them
python tools/structure.py --picture  draws the packages and who imports whom into docs/design/architecture.md
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "heartfelt"
GLOSSARY = ROOT / "docs" / "design" / "glossary.md"
ARCHITECTURE = ROOT / "docs" / "design" / "architecture.md"
BEGINS, ENDS = "<!-- drawn by tools/structure.py --picture -->\n", "<!-- end of the drawing -->\n"
GROUPS = {
    "command line": ("cli", "__main__"),
    "server": ("server", "telemetry"),
    "tuning": ("tuning",),
    "laboratory": ("evaluation", "page"),
    "listener": ("listener", "trace", "setup"),
    "expression": ("expression",),
    "senses": ("senses",),
    "safety": ("safety",),
    "pipeline": ("recipes", "reflection", "pipeline"),
    "steps": ("agents", "prompts"),
    "memory": ("memory", "datasets", "intake"),
    "models": ("models",),
    "ground": (
        "weights", "fusion", "edits", "events", "reply_stream", "budget", "languages", "voting", "labels", "text", "files",
        "sockets", "plugins", "records", "errors", "version",
    ),
}  # fmt: skip
"""What is drawn as one box, from top to bottom."""


def modules() -> dict[str, ast.Module]:
    """Every module by its name below the package."""
    found = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in sorted(SOURCE.rglob("*.py"))}
    return {name.removesuffix(".__init__"): ast.parse(path.read_text("utf-8")) for name, path in found.items()}


def same_names(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Classes of which there are several, each with its modules."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module)
    return {name: where for name, where in places.items() if len(where) > 1}


def forbidden_names(trees: dict[str, ast.Module]) -> list[str]:
    """Classes and modules that are called as the end of the glossary says that nothing is called."""
    forbidden = set(re.findall(r"`(\w+)(?:\.py)?`", GLOSSARY.read_text("utf-8").rpartition("## Names that are not used")[2]))
    classes = [
        (module, node.name) for module, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    found = [f"{module}.{name}" for module, name in classes if name in forbidden]
    return [*found, *(module for module in trees if module.split(".")[-1] in forbidden)]


def circles(trees: dict[str, ast.Module]) -> list[str]:
    """Packages, or modules beside them, that lead back to themselves."""
    found = imports_of(trees)
    return sorted(name for name in found if name != "__init__" and name in _reached(found, name))


def imports_of(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """Of each package, or module beside them, those that it imports."""
    imports: defaultdict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        own = module.split(".")[0]
        for node in ast.walk(tree):
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imports[own] |= {parts[1] for name in names if (parts := name.split("."))[0] == "heartfelt" and len(parts) > 1}
        imports[own].discard(own)
    return dict(imports)


def picture(trees: dict[str, ast.Module]) -> str:
    """The groups of packages with their lines of code, and an arrow to each imported group that no other arrow leads to."""
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    arrows: dict[str, set[str]] = {group: set() for group in GROUPS}
    for name, used in imports_of(trees).items():
        if name in group_of:
            arrows[group_of[name]] |= {group_of[other] for other in used} - {group_of[name]}
    lines: defaultdict[str, int] = defaultdict(int)
    for path in SOURCE.rglob("*.py"):
        own = path.relative_to(SOURCE).with_suffix("").parts[0]
        lines[group_of.get(own, "")] += len(path.read_text("utf-8").splitlines())
    drawn = ["```mermaid", "flowchart TD"]
    for group, names in GROUPS.items():
        inside = "" if names == (group,) or group == "ground" else f"<br/>{' · '.join(n for n in names if n != '__main__')}"
        drawn.append(f'    {_id(group)}["<b>{group}</b>{inside}<br/>{round(lines[group] / 100) / 10:g} thousand lines"]')
    for group, used in arrows.items():
        beyond = set[str]().union(*(_reached(arrows, other) for other in used))
        drawn += [f"    {_id(group)} --> {_id(other)}" for other in GROUPS if other in used - beyond]
    return "\n".join([*drawn, "```", ""])


def _id(group: str) -> str:
    return group.replace(" ", "_")


def with_picture(page: str, drawing: str) -> str:
    before, _, rest = page.partition(BEGINS)
    return f"{before}{BEGINS}{drawing}{ENDS}{rest.partition(ENDS)[2]}"


def _reached(imports: dict[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for name in imports.get(waiting.pop(), set()) - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def main() -> None:
    trees = modules()
    if "--picture" in sys.argv:
        ARCHITECTURE.write_text(with_picture(ARCHITECTURE.read_text("utf-8"), picture(trees)), "utf-8")
        return
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in SOURCE.rglob("*.py"))
    print(f"{len(trees)} modules, {lines:,} lines")
    same = same_names(trees)
    print(
        f"{len(same)} names of classes are there more than once",
        *(f"  {name}: {', '.join(same[name])}" for name in same),
        sep="\n",
    )
    print(f"{len(found := forbidden_names(trees))} forbidden names", *found)
    print(f"{len(found := circles(trees))} packages in a circle", *found)


if __name__ == "__main__":
    main()
