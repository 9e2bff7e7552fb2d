"""The folder of a run: what was asked for stands in it, and a run that goes on keeps to that."""

import argparse
import json
from pathlib import Path
from typing import Any

from heartfelt.errors import InputError
from heartfelt.files import whole

TOLD_EVERY = 200
"""Steps between two lines on the screen; the log has more."""


def parser(words: str | None) -> argparse.ArgumentParser:
    """The options that both commands have."""
    made = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--run", type=Path, required=True, help="the folder that everything is written into")
    made.add_argument("--seed", type=int, default=7)
    return made


def begun(run: Path, recipe: dict[str, Any]) -> dict[str, Any]:
    """The recipe of the run: the one that it was begun with, or else this one, which is written down."""
    path = run / "recipe.json"
    if path.exists():
        return {
            name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(path.read_text()).items()
        }
    run.mkdir(parents=True, exist_ok=True)
    keep(path, recipe)
    return recipe


def keep(path: Path, told: dict[str, Any]) -> Path:
    with whole(path) as draft:
        draft.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def read(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise InputError(f"There is no {path.name} in {path.parent}; train first with the same --run.")
    return json.loads(path.read_text("utf-8"))


def tell(row: dict[str, Any]) -> None:
    """A few lines on the screen: the first step of each part and every few hundredth."""
    if row["step"] == 1 or row["step"] % TOLD_EVERY == 0:
        print(f"{row['part']}: step {row['step']} of at most {row['steps']}, loss {row['loss']}, {row['s']} s", flush=True)
