"""How well the ears hear: words misheard, what it costs, and which language they take speech for.

python bench/ears.py     fifteen voices say sentences of the samples, clean, in noise, in a room, by telephone, and words alone
  --ravdess FOLDER       and strangers act the two sentences of RAVDESS
  --speech CODE=FOLDER   and recordings in a language, to see which one they are taken for; may be repeated
  --ears ADDRESS         who hears; without it `moonshine:` and `whisper:base`, the default; may be repeated

The speech is made once and kept in out/ears. Everybody hears it cut by the voice sense, as in a live talk. Misheard words are
those wrong, missing and added, of all words that were said, compared as `plain` has them. Each recogniser has a process of its
own, so its memory is its own; its work is seconds of a core for a second of sound.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from hearings import HEARINGS, Utterance, ravdess, recordings, sentences, single_words, spoken, stretches

from heartfelt.errors import InputError
from heartfelt.expression.voice.normalise import normalise
from heartfelt.senses.voice.ears import open_ears
from heartfelt.senses.voice.samples import RATE, Samples

OUT = Path(__file__).parent.parent / "out" / "ears"
EARS = ("moonshine:", "whisper:base")
SENTENCES = 240
TWO = ("clean", "10 dB")
SPELLINGS = {
    r"(?<=[a-z]{3})our(s|ed|ing|ite|hood)?\b": r"or\1",
    r"is(e[sd]?|ing|ation)\b": r"iz\1",
    r"tre(s?)\b": r"ter\1",
    r"ll(ed|ing|er)\b": r"l\1",
    r"\bgrey": "gray",
    r"\bmum": "mom",
}
"""British to American, as far as it is regular: nobody hears how a word is spelled."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ravdess", type=Path)
    parser.add_argument("--speech", action="append", default=[], metavar="CODE=FOLDER")
    parser.add_argument("--ears", action="append", metavar="ADDRESS")
    parser.add_argument("--hear", nargs="+", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hear:
        print(json.dumps(heard(options.ears[0], options.hear)))
        return
    files = prepared(options)
    told = {address: _apart(address, files) for address in options.ears or EARS}
    for address, rows in told.items():
        print(f"\n{address}  {rows.pop('memory, MB')} MB")
        for name, row in rows.items():
            print(f"  {name:40} {'  '.join(f'{what} {value}' for what, value in row.items())}")
    (OUT / "ears.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def prepared(options: argparse.Namespace) -> list[Path]:
    """A file for each set of utterances in each hearing, with the stretches that the voice sense cuts out of them."""
    OUT.mkdir(parents=True, exist_ok=True)
    files = _cut("en sentences", tuple(HEARINGS), lambda: spoken(sentences(SENTENCES)))
    files += _cut("en single words", TWO, single_words)
    if options.ravdess:
        files += _cut("en strangers", TWO, lambda: ravdess(options.ravdess))
    for given in options.speech:
        code, _, folder = given.partition("=")
        files += _cut(f"{code} {Path(folder).name}", TWO, partial(recordings, Path(folder)))
    return files


def _cut(name: str, hearings: Iterable[str], made: Callable[[], Iterable[Utterance]]) -> list[Path]:
    files = {hearing: OUT / f"{name}, {hearing}.npz" for hearing in hearings}
    if missing := [hearing for hearing, path in files.items() if not path.exists()]:
        utterances = list(made())
        for hearing in missing:
            pieces = [stretches(each.sound, hearing, number) for number, each in enumerate(utterances)]
            sounds = {f"{number}.{part}": piece for number, parts in enumerate(pieces) for part, piece in enumerate(parts)}
            np.savez(files[hearing], texts=np.array([each.text for each in utterances]), **sounds)
    return list(files.values())


# ── who hears it ────────────────────────────────────────────────────────────────────────────────────────────────────


def _apart(address: str, files: list[Path]) -> dict[str, Any]:
    command = [sys.executable, __file__, "--ears", address, "--hear", *map(str, files)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def heard(address: str, files: list[Path]) -> dict[str, Any]:
    before = _resident()
    ears = open_ears(address)
    ears.transcribe(np.zeros(RATE, np.float32))  # the weights are there from here on
    told: dict[str, Any] = {}
    for path in files:
        with np.load(path) as kept:
            texts = kept["texts"].tolist()
            sounds: list[list[Samples]] = [[] for _ in texts]
            for name in kept.files[1:]:
                sounds[int(name.split(".")[0])].append(kept[name])
        wrong = said = 0
        languages = Counter[str]()
        began = time.process_time()
        for text, parts in zip(texts, sounds, strict=True):
            found = [ears.transcribe(part) for part in parts]
            languages.update(each.language or "en" for each in found)
            words = [word.text for each in found for word in each.words]
            wrong += misheard(plain(text), plain(" ".join(words)))
            said += len(plain(text))
        work = (time.process_time() - began) / (sum(len(part) for parts in sounds for part in parts) / RATE)
        told[path.stem] = {"misheard": round(wrong / said, 3)} if said else {}
        told[path.stem] |= {"work": round(work, 3), "language": dict(languages.most_common(4))}
    return told | {"memory, MB": round(_resident() - before)}


def plain(text: str) -> list[str]:
    """Small letters, numbers as words, no signs and no apostrophes, spelled alike."""
    with suppress(InputError):  # nothing that could be said, or nothing English
        text = normalise(text).text
    text = re.sub(r"[^a-z ]", " ", re.sub(r"['’]", "", text.lower()))
    for british, american in SPELLINGS.items():
        text = re.sub(british, american, text)
    return text.split()


def misheard(said: list[str], heard: list[str]) -> int:
    """Words wrong, missing and added: the fewest edits from the one to the other."""
    edits = list(range(len(heard) + 1))
    for row, word in enumerate(said, 1):
        before, edits[0] = edits[0], row
        for column, other in enumerate(heard, 1):
            before, edits[column] = edits[column], min(edits[column] + 1, edits[column - 1] + 1, before + (word != other))
    return edits[-1]


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
