"""What a bare machine with a GPU needs: the trainer without the rest of Heartfelt, and the data made small.

    python -m heartfelt.tuning.senses.carry --into DIR --faces DIR --twins DIR

There, `PYTHONPATH=DIR python -m heartfelt.tuning.senses.face --data DIR/data …` needs torch, numpy, onnx and onnxruntime alone.
The public test stays here: what trains cannot see it.
"""

import argparse
import shutil
from pathlib import Path

from heartfelt.tuning.senses import pictures

SOURCE = Path(__file__).parents[3]
TRAINER = ("heartfelt/errors.py", "heartfelt/files.py", "heartfelt/senses/face/light.py", "heartfelt/tuning/senses")
EMPTY = tuple(f"heartfelt/{name}__init__.py" for name in ("", "tuning/", "senses/", "senses/face/"))
"""Packages whose own beginning would bring in all of Heartfelt."""


def carry(into: Path, *, faces: Path | None = None, twins: Path | None = None) -> Path:
    """Write the folder to carry. Data that is there already is not packed again."""
    for name in TRAINER:
        source, target = SOURCE / name, into / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name in EMPTY:
        (into / name).write_text('"""The part of Heartfelt that trains the senses."""\n', "utf-8")
    (into / "data").mkdir(exist_ok=True)
    if faces and not (into / "data" / pictures.PACKED).exists():
        pictures.pack(faces, into / "data" / pictures.PACKED)
    if twins:
        shutil.copy(twins / pictures.TWINS, into / "data")
    return into


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--faces", type=Path, help="the folder of FER2013")
    parser.add_argument("--twins", type=Path, help=f"the folder in which `twins` has left {pictures.TWINS}")
    asked = parser.parse_args()
    into = carry(asked.into, faces=asked.faces, twins=asked.twins)
    size = sum(path.stat().st_size for path in into.rglob("*") if path.is_file())
    print(f"{into}: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
