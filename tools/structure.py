"""How the code is built, in figures: lines, classes of the same name, names that the glossary forbids, imports in a circle.

python tools/structure.py
"""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "heartfelt"
GLOSSARY = ROOT / "docs" / "design" / "glossary.md"


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
    imports: defaultdict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        own = module.split(".")[0]
        for node in ast.walk(tree):
            names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imports[own] |= {parts[1] for name in names if (parts := name.split("."))[0] == "heartfelt" and len(parts) > 1}
        imports[own].discard(own)
    return sorted(name for name in imports if name != "__init__" and name in _reached(imports, name))


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
