"""A memory of your own: exchanges that went well, found by meaning and emotion. No language model is needed here."""

import json
import tempfile
from pathlib import Path

from heartfelt.memory import ExemplarStore, MiniLM, build

EXCHANGES = [
    {"situation": "The parcel never came and support keeps sending me away.", "emotion": "annoyed",
     "reply": "Three calls and still no parcel: I would be fed up too. May I look where it got stuck?"},
    {"situation": "My order arrived broken, and it was a present for my mother.", "emotion": "disappointed",
     "reply": "A present for your mother, in pieces. That hurts more than the money."},
]  # fmt: skip

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "exchanges.jsonl"
    source.write_text("\n".join(json.dumps(exchange) for exchange in EXCHANGES))
    with ExemplarStore(Path(folder) / "care.sqlite", MiniLM()) as memory:
        built = build(source, memory)
        print(f"{built.added} of {built.found} exchanges are new")
        print(f"{build(source, memory).added} are new the second time")
        found = memory.search("The birthday gift came damaged.", emotion="disappointed", k=1, threshold=0.3)
        for exemplar in found:
            print(f"{exemplar.match}, {exemplar.similarity:.2f}: {exemplar.reply}")
