"""The conversion: MediaPipe's own operators against their definition, and the real files."""

import math

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper

from heartfelt.errors import DamagedError
from heartfelt.senses.face.crops import crop_matrix, cropped, placed
from heartfelt.senses.face.flatbuffer import FlatbufferModel, Operator, Options, read_model
from heartfelt.senses.face.graph import GraphBuilder
from heartfelt.senses.face.networks import MediaPipeNetworks

RANDOM = np.random.default_rng(2)


def run(graph: GraphBuilder, output: str, **inputs: np.ndarray) -> np.ndarray:
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in inputs.items()]
    result = helper.make_tensor_value_info(output, TensorProto.FLOAT, None)
    body = helper.make_graph(graph.nodes, "test", values, [result], graph.constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run([output], inputs)[0]


def empty() -> GraphBuilder:
    return GraphBuilder(FlatbufferModel((), (), (), ()))


def expected_matrix(points: np.ndarray, level: tuple[int, int]) -> np.ndarray:
    way = points[level[1]] - points[level[0]]
    angle = math.atan2(way[1], way[0])
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    upright = points @ turn
    low, high = upright.min(axis=0), upright.max(axis=0)
    matrix = np.eye(4)
    matrix[:2, :2] = turn @ np.diag((high - low) * 1.5 / 16)
    matrix[:2, 3] = turn @ ((low + high) / 2) - matrix[:2, :2] @ [8, 8]
    return matrix


def test_the_crop_lies_level_around_its_points():
    points = RANDOM.uniform(5, 40, (1, 6, 3)).astype(np.float32)
    graph = empty()
    found = run(graph, crop_matrix(graph, "points", range(6), (0, 3)), points=points)
    assert np.allclose(found[0], expected_matrix(points[0, :, :2].astype(float), (0, 3)), atol=1e-4)


def test_cutting_and_placing_agree():
    # A picture that holds its own columns and rows: what is cut out says where it came from.
    rows, columns = np.mgrid[:48, :48].astype(np.float32) + 0.5
    picture = np.stack([columns, rows])[None]
    matrix = expected_matrix(RANDOM.uniform(18, 30, (6, 2)), (0, 3)).astype(np.float32)[None]
    graph = empty()
    cut = run(graph, cropped(graph, "picture", "matrix", 48), picture=picture, matrix=matrix)
    pixels = (np.stack(np.meshgrid(np.arange(16), np.arange(16)), axis=-1).reshape(1, -1, 2) + 0.5).astype(np.float32)
    graph = empty()
    where = run(graph, placed(graph, "points", "matrix"), points=pixels, matrix=matrix)
    assert np.allclose(cut[0].reshape(2, -1).T, where[0], atol=1e-3)


def test_what_is_no_tflite_file_is_refused():
    with pytest.raises(DamagedError, match="no TFLite file"):
        read_model(b"something else altogether")


def test_an_unknown_operator_is_named():
    with pytest.raises(DamagedError, match="Teleport"):
        empty().operator(Operator(32, "Teleport", (), (), Options(None)))


@pytest.mark.embedded
def test_the_real_files_are_read_whole(networks: MediaPipeNetworks):
    mesh = read_model(networks.store.path("face", "face_landmark_with_attention.tflite").read_bytes())
    assert len(mesh.operators) == 712
    assert mesh.tensors[mesh.inputs[0]].shape == (1, 192, 192, 3)
    assert len(mesh.outputs) == 7
