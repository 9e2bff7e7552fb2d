"""Made-up corpora in the published formats, and a tokenizer without weights: one token a byte."""

import gzip
import json
from pathlib import Path

from heartfelt.models import Capabilities, Scripted
from heartfelt.records import Dialogue, Turn
from heartfelt.tuning.scribe import Scribe

MARKERS = {"<|im_start|>": 256, "<|im_end|>": 257}
TALKS = (
    (
        "sad",
        "My dog died last night_comma_ and I cried.",
        "Oh no_comma_ I am sorry. How old was he?",
        "He was twelve.",
    ),
    ("proud", "My daughter won the chess club trophy!", "That is wonderful! You must be so proud of her.", "I truly am."),
    (
        "afraid",
        "Someone was trying my door handle at night.",
        "That must have been scary for you.",
        "I was shaking with fear.",
    ),
    ("angry", "My neighbor scratched my car and lied about it.", "I would be furious too. What a mean thing to do.", "Right?!"),
    ("grateful", "A stranger paid for my groceries today.", "How kind! Good people do exist.", "I felt so thankful."),
    ("lonely", "Nobody came to my birthday party this year.", "That sounds really hard. I wish I had been there.", "Me too."),
)


def tokens(text: str) -> list[int]:
    return list(text.encode())


class Bytes:
    """Cuts text into bytes, and markers into one token each where they may be markers."""

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        return [MARKERS[text]] if special and text in MARKERS else tokens(text)


def text_of(ids: list[int]) -> str:
    names = {number: name for name, number in MARKERS.items()}
    return b"".join(names[i].encode() if i in names else bytes([i]) for i in ids).decode(errors="replace")


def scribe() -> Scribe:
    return Scribe(Scripted({}, capabilities=Capabilities(profile="compact", context=4096)), Bytes())


def said(*texts: str) -> Dialogue:
    """User and listener by turns, the user first."""
    return Dialogue(
        id="made-up", turns=tuple(Turn(speaker="Listener" if i % 2 else "User", text=t) for i, t in enumerate(texts))
    )


def corpora(folder: Path) -> Path:
    """All four and one's own, in three splits; every text of a split holds a word that tells the split."""
    for split, mark in (("train", "zebra"), ("valid", "walrus"), ("test", "ocelot")):
        own(folder, split, mark)
        _empathetic(folder / "empathetic_dialogues", split, mark)
        _meld(folder / "meld", "dev" if split == "valid" else split, mark)
        _goemotions(folder / "goemotions", "dev" if split == "valid" else split, mark)
    for split, mark in (("valid", "zebra"), ("test", "ocelot")):
        _esconv(folder / "esconv", split, mark)
    return folder


def own(folder: Path, split: str, mark: str) -> Path:
    """Dialogues as a user has them: other names, an emotion that only the first turn tells, a reply at the end."""
    lines = [
        {
            "id": f"{split}-{number}",
            "listener": "Coach",
            "turns": [
                {"speaker": "Mira", "text": f"{first} The {mark} knows.".replace("_comma_", ","), "emotion": emotion},
                {"speaker": "Coach", "text": reply.replace("_comma_", ",")},
                {"speaker": "Mira", "text": f"{last} So says the {mark}."},
                {"speaker": "Coach", "text": "I hear you, and I am glad that you told me."},
            ],
        }
        for number, (emotion, first, reply, last) in enumerate(TALKS)
    ]
    path = folder / "own" / f"{split}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


def _empathetic(folder: Path, split: str, mark: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["conv_id,utterance_idx,context,prompt,speaker_idx,utterance,selfeval,tags"]
    for number, (emotion, *texts) in enumerate(TALKS):
        for place, text in enumerate(texts, 1):
            rows.append(f"{split}:{number},{place},{emotion},a situation,{(place + 1) % 2},{text} The {mark} knows.,,")
    (folder / f"{split}.csv.gz").write_bytes(gzip.compress("\n".join(rows).encode()))


def _meld(folder: Path, split: str, mark: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = (("Rosa", "We won!", "joy"), ("Theo", "Who told you?", "surprise"), ("Theo", "I am fine.", "neutral"))
    rows = ["Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime"]
    for number, (speaker, text, emotion) in enumerate(lines):
        rows.append(f'{number},"{text} The {mark}\u0092s here.",{speaker},{emotion},neutral,60,{number * 2},1,1,"0","1"')
    (folder / f"{split}_sent_emo.csv").write_text("\r\n".join(rows), "utf-8", newline="")


def _goemotions(folder: Path, split: str, mark: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "labels.txt").write_text("anger\ndisgust\nfear\njoy\nneutral\nsadness\nsurprise\n")
    (folder / f"ekman_{split}.tsv").write_text(
        f"What a lovely {mark}!\t3\tx1\nMixed {mark}.\t0,5\tx2\nA {mark} bit me.\t0\tx3\n"
    )


def _esconv(folder: Path, split: str, mark: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    talk = {
        "emotion_type": "depression",
        "problem_type": "job crisis",
        "situation": "-",
        "dialog": [
            {"speaker": "sys", "text": "Hello , what brings you here ?", "strategy": "Greeting"},
            {"speaker": "usr", "text": f"I lost my job at the {mark} farm ."},
            {"speaker": "sys", "text": f"Losing the {mark} farm must be hard .", "strategy": "Reflection of feelings"},
            {"speaker": "usr", "text": "It is ."},
        ],
    }
    (folder / f"{split}.jsonl").write_text("\n".join([json.dumps(talk)] * 30))
