"""Made-up corpora in the published formats, with their quirks. Every sentence is our own."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MELD_HEAD = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime"
ED_HEAD = "conv_id,utterance_idx,context,prompt,speaker_idx,utterance,selfeval,tags"
ED_TALKS = (
    (
        "sad",
        "The old lighthouse was pulled down_comma_ and I grew up beside it",
        "They pulled the lighthouse down this morning_comma_ and I cried.",
    ),
    ("proud", "My niece built a boat out of scrap wood", "My niece built a whole boat out of scrap wood!"),
    ("afraid", "I heard steps in the attic at night", "There were steps in my attic last night and nobody lives there."),
    ("angry", "The garage kept my van for six weeks", "The garage kept my van for six weeks and lost the keys."),
    ("grateful", "A neighbour shovelled my drive", "Somebody shovelled the snow off my drive before I woke up."),
)
REPLIES = (
    "Oh no_comma_ losing a place like that really hurts.",
    "That is wonderful_comma_ you must be so proud of her!",
    "That sounds frightening_comma_ did you look what it was?",
    "I would be furious as well_comma_ what did they say for themselves?",
    "How kind of them_comma_ that must have felt lovely!",
)


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(encoding)) if path.suffix == ".gz" else text.encode(encoding))
    return path


# ── MELD ────────────────────────────────────────────────────────────────────────────────────────────────────────────


TIMES = '"00:00:01,000","00:00:03,500"'


def meld_row(dialogue: int, utterance: int, speaker: str, text: str, emotion: str, times: str = TIMES) -> str:
    quoted = '"' + text.replace('"', '""') + '"'
    return f"{dialogue * 10 + utterance},{quoted},{speaker},{emotion},neutral,{dialogue},{utterance},1,1,{times}"


def meld_rows(mark: str) -> list[str]:
    return [
        meld_row(0, 0, "Rosa", f"Who left the {mark} in my bath, then?", "anger"),
        meld_row(0, 1, "Theo", "I thought that it looked thirsty.", "neutral", '"0:16:16,059","0:16:18,05"'),
        meld_row(0, 2, "Theo", "Look, it is smiling at you!", "joy"),
        meld_row(0, 5, "Rosa", "It is not smiling.", "disgust"),
        meld_row(0, 6, "Theo", "Then I shall carry it home myself.", "sadness"),
        meld_row(2, 0, "Ines", f"The {mark} won first prize!", "joy"),
        meld_row(2, 1, "Rosa", "You cannot be serious.", "surprise"),
        meld_row(3, 0, "Theo", "Nobody is in.", "neutral"),
    ]


def meld(folder: Path) -> Path:
    for split, mark in (("train", "zebra"), ("dev", "walrus"), ("test", "ocelot")):
        write(folder / f"{split}_sent_emo.csv", "\r\n".join([MELD_HEAD, *meld_rows(mark)]) + "\r\n")
    return folder


# ── EmpatheticDialogues ─────────────────────────────────────────────────────────────────────────────────────────────


def ed_rows(mark: str, talks: int = 12) -> list[str]:
    rows: list[str] = []
    for number in range(talks):
        emotion, prompt, opening = ED_TALKS[number % len(ED_TALKS)]
        told = (
            f"{opening} It was {mark} number {number}.",
            REPLIES[number % len(REPLIES)],
            f"Yes_comma_ and {mark} {number} was there with all of us that day.",
            f"I can see why {mark} {number} stays with you after such a day.",
        )
        for place, text in enumerate(told, 1):
            rows.append(f"hit:{number}_{mark}:{number},{place},{emotion},{prompt},{place % 2},{text},5|5|5_4|4|4,")
    return rows


def empathetic(folder: Path, talks: int = 12) -> Path:
    for split, mark in (("train", "zebra"), ("valid", "walrus"), ("test", "ocelot")):
        write(folder / f"{split}.csv{'.gz' if split == 'train' else ''}", "\n".join([ED_HEAD, *ed_rows(mark, talks)]) + "\n")
    return folder


# ── IEMOCAP ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def iemocap(folder: Path) -> Path:
    root = folder / "IEMOCAP_full_release"
    for number in range(1, 6):
        name = f"Ses0{number}F_impro01"
        session = root / f"Session{number}"
        write(
            session / "dialog" / "transcriptions" / f"{name}.txt",
            f"{name}_F000 [006.2901-008.2357]: Is the café still open?\n"
            f"{name}_M000 [010.0000-011.5000]: It closed in spring.\n"
            f"{name}_MXX0 [011.0000-011.2000]: Hm.\n"
            "M: [BREATHING]\n"
            f"{name}_F001 [009.0000-009.9000]: I hoped so.\n"
            f"{name}_F002 [012.0000-014.0000]: That is so unfair.\n",
            "latin-1",
        )
        write(session / "dialog" / "transcriptions" / f"._{name}.txt", "\x00\x05")
        felt = (("F000", "neu"), ("F001", "xxx"), ("M000", "sad"), ("F002", "ang"))
        lines = [
            f"[6.2901 - 8.2357]\t{name}_{who}\t{label}\t[2.5000, 2.5000, 2.5000]\nC-E2:\tNeutral;\t()" for who, label in felt
        ]
        write(
            session / "dialog" / "EmoEvaluation" / f"{name}.txt", "% [START_TIME - END_TIME]\n\n" + "\n".join(lines), "latin-1"
        )
        write(session / "dialog" / "avi" / "DivX" / f"{name}.avi", "film")
        write(session / "sentences" / "wav" / name / f"{name}_F000.wav", "sound")
    return folder


# ── ESConv ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_ESCONV = (
    ("sys", "Hello , what brings you here ?", "Question"),
    ("usr", "I lost my job at the {} farm .", ""),
    ("sys", "I 'm sorry . Losing the {} farm must hurt .", "Reflection of feelings"),
    ("usr", "It does .", ""),
    ("sys", "You could ask at the mill .", "Providing Suggestions or Information"),
)


def esconv_lines(mark: str, talks: int = 4) -> str:
    dialog = [
        {"text": text.format(mark), "speaker": who} | ({"strategy": named} if named else {}) for who, text, named in _ESCONV
    ]
    talk = {
        "emotion_type": "depression",
        "problem_type": "job crisis",
        "situation": "My farm was sold to a stranger.",
        "dialog": dialog,
    }
    return "".join(json.dumps(talk | {"number": number}) + "\n" for number in range(talks))


def esconv(folder: Path) -> Path:
    for split, mark in (("train", "zebra"), ("valid", "walrus"), ("test", "ocelot")):
        write(folder / f"{split}.jsonl", esconv_lines(mark))
    return folder


def esconv_original(folder: Path) -> Path:
    names = {"usr": "seeker", "sys": "supporter"}
    dialog = [
        {"speaker": names[who], "annotation": {"strategy": named} if named else {}, "content": f"{text.format('ocelot')}\n"}
        for who, text, named in _ESCONV[:-1]
    ]
    dialog.insert(2, {"speaker": "seeker", "annotation": {"feedback": "4"}, "content": "And my boots."})
    dialog.append({"speaker": "supporter", "annotation": {"strategy": "Information"}, "content": "The mill is hiring."})
    talk = {"emotion_type": "anxiety", "problem_type": "job crisis", "situation": "Sold.", "dialog": dialog}
    write(folder / "ESConv.json", json.dumps([talk] * 3, indent=1))
    return folder


# ── AvaMERG ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def avamerg_item(number: int, *, responses: bool = True) -> dict[str, Any]:
    said = (
        "My kite got stuck in the church tower.",
        "Oh no, your favourite one?",
        "Yes, the blue one with the tail.",
        "I hope that the wind brings it back.",
    )
    roles = ("speaker", "listener")
    turns = [
        {
            "turn_id": f"{number}_{place}",
            "context": "Somebody lost a kite and tells a friend.",
            "dialogue_history": [{"index": i, "role": roles[i % 2], "utterance": said[i]} for i in range(place + 1)],
            "response": said[place + 1] if responses else "",
            "chain_of_empathy": {
                "speaker_emotion": "Disappointed" if place else "sad",
                "event_scenario": "a lost kite",
                "emotion_cause": "the kite is stuck",
                "goal_to_response": "comfort",
            },
        }
        for place in (0, 2)
    ]
    return {
        "conversation_id": f"{number:05}",
        "speaker_profile": {"age": "young", "gender": "female", "timbre": "mid", "ID": 10},
        "listener_profile": {"age": "elderly", "gender": "male", "timbre": "low", "ID": 20},
        "topic": "hobby",
        "turns": turns,
    }


def avamerg(folder: Path, items: Iterable[dict[str, Any]] = ()) -> Path:
    write(folder / "train.json", json.dumps(list(items) or [avamerg_item(n) for n in range(3)], indent=1))
    write(folder / "test.json", json.dumps([avamerg_item(n, responses=False) for n in range(7, 9)]))
    for name in ("dia00001utt0_10.wav", "dia00001utt0_10.mp4", "dia00001utt1_20.wav"):
        write(folder / "train" / ("video" if name.endswith("mp4") else "audio") / name, "media")
    return folder
