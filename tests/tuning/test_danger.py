"""Teaching the reader of danger on a tiny encoder: it learns what the lessons say, and the graph reads the same."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from tokenizers import Tokenizer

from heartfelt.errors import DamagedError, InputError
from heartfelt.memory.minilm_graph import Tensors
from heartfelt.memory.taught_graph import PLACES, TYPES, WORDS, TaughtGraph, build_graph, read_taught, write_taught
from heartfelt.safety.detect import phrases
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import WHOS, encoded, read_from
from heartfelt.safety.tiers import DANGERS, TIERS
from heartfelt.tuning.danger import DangerLesson, DangerTeaching, Encoder, read_lessons, scores, teach
from heartfelt.tuning.phrases import weigh

WIDTH, LAYERS, HEADS = 32, 2, 2
TABLE = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 101, "[SEP]": 102, "calm": 2, "storm": 3, "tea": 4, "why": 5}
GRAVE, LIGHT = PersonMessage("storm storm"), PersonMessage("calm tea")


@pytest.fixture
def tokenizer() -> Tokenizer:
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    made = Tokenizer(WordLevel(TABLE, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()  # type: ignore[assignment]
    return made


@pytest.fixture
def tensors() -> Tensors:
    """An encoder of the same form, small and untaught."""
    dice = np.random.default_rng(0)

    def drawn(*shape: int) -> np.ndarray:
        return dice.normal(0, 0.2, shape).astype(np.float32)

    found = {WORDS: drawn(103, WIDTH), PLACES: drawn(64, WIDTH), TYPES: drawn(2, WIDTH)}
    for at in range(LAYERS):
        name = f"encoder.layer.{at}."
        sizes = dict.fromkeys(("attention.self.query", "attention.self.key", "attention.self.value"), (WIDTH, WIDTH))
        sizes |= {"attention.output.dense": (WIDTH, WIDTH), "intermediate.dense": (64, WIDTH), "output.dense": (WIDTH, 64)}
        found |= {f"{name}{part}.weight": drawn(*size) for part, size in sizes.items()}
        found |= {f"{name}{part}.bias": drawn(size[0]) for part, size in sizes.items()}
        found |= {f"{name}{part}.LayerNorm.weight": np.ones(WIDTH, np.float32) for part in ("attention.output", "output")}
        found |= {f"{name}{part}.LayerNorm.bias": np.zeros(WIDTH, np.float32) for part in ("attention.output", "output")}
    norm = {"embeddings.LayerNorm.weight": np.ones(WIDTH, np.float32), "embeddings.LayerNorm.bias": np.zeros(WIDTH, np.float32)}
    return found | norm


@pytest.fixture
def taught(tensors: Tensors, tokenizer: Tokenizer) -> Encoder:
    encoder = Encoder(tensors, heads=HEADS, layers=LAYERS, epsilon=1e-12)
    lessons = [DangerLesson(GRAVE, 3, DANGERS.index("abuse"), 1), DangerLesson(LIGHT, 0)] * 16
    recipe = DangerTeaching(epochs=8, rate=5e-3, rows=8, dropout=0, warm=1, ordinary=8)
    teach(encoder, tokenizer, lessons, [PersonMessage("tea calm", "why", "tea")] * 8, recipe, told=lambda _: None)
    return encoder


def test_it_learns_tier_danger_and_who(taught: Encoder, tokenizer: Tokenizer):
    grave, light = (read_from(row, row) for row in scores(taught, tokenizer, [GRAVE, LIGHT]))
    assert grave.alarm > 0.8 and light.alarm < 0.2
    assert (grave.danger, grave.who) == ("abuse", "other")
    assert set(grave.tiers) == set(TIERS) and set(grave.whos) == set(WHOS)


def test_the_graph_reads_what_torch_reads(taught: Encoder, tokenizer: Tokenizer, tensors: Tensors, tmp_path: Path):
    import onnx
    from onnxruntime import InferenceSession

    write_taught(taught.tensors(), tmp_path / "danger.npz")
    config = {"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "layer_norm_eps": 1e-12}
    graph = build_graph(TaughtGraph({WORDS: tensors[WORDS], **read_taught(tmp_path / "danger.npz")}, config))
    onnx.save(graph, tmp_path / "reader.onnx")
    session = InferenceSession(str(tmp_path / "reader.onnx"))
    for message in (GRAVE, LIGHT, PersonMessage("storm", "why", "tea")):
        ids, types = encoded(message, tokenizer)
        given = {"input_ids": ids, "mask": [1] * len(ids), "types": types}
        row = np.asarray(session.run(["scores"], {name: np.array([each], np.int64) for name, each in given.items()})[0])[0]
        assert np.allclose(row, scores(taught, tokenizer, [message])[0], atol=0.15), "eight bits are near enough"


def test_a_message_stands_before_its_question_and_what_was_said(tokenizer: Tokenizer):
    ids, types = encoded(PersonMessage("storm", "why", "tea"), tokenizer)
    assert ids == [101, 3, 102, 5, 102, 4, 102] and types == [0, 0, 0, 1, 1, 1, 1]
    assert encoded(PersonMessage("storm"), tokenizer) == ([101, 3, 102], [0, 0, 0])


def test_a_file_that_is_no_reader_is_told(tmp_path: Path):
    (tmp_path / "danger.npz").write_bytes(b"nothing")
    with pytest.raises(DamagedError, match="does not hold a taught encoder"):
        read_taught(tmp_path / "danger.npz")


def test_phrases_are_weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    lessons = [
        DangerLesson(PersonMessage("he locked me in again"), 2, DANGERS.index("abuse")),
        DangerLesson(PersonMessage("the soup was good again"), 0),
    ] * 20
    weigh(lessons, tmp_path / "phrases.npz", epochs=4)
    monkeypatch.setattr(phrases, "FILE", tmp_path / "phrases.npz")
    monkeypatch.setattr(phrases, "_weights", phrases._weights.__wrapped__)
    share, danger = phrases.weighed("he locked me in")
    assert share > 0.6 and danger == "abuse" and phrases.weighed("the soup was good")[0] < 0.4


def test_lessons_are_read_from_a_table(tmp_path: Path):
    path = tmp_path / "lessons.csv"
    path.write_text(
        'text,tier,danger,form,who,asked,before\n"well, no",none,-,plain,-,why?,hm\nhe fell,active,medical,direct,other,,\n'
    )
    assert read_lessons(path) == [
        DangerLesson(PersonMessage("well, no", "why?", "hm"), 0),
        DangerLesson(PersonMessage("he fell"), 2, DANGERS.index("medical"), 1),
    ]
    path.write_text("text,tier\nhm,none\n")
    with pytest.raises(InputError, match="does not hold labelled messages"):
        read_lessons(path)
