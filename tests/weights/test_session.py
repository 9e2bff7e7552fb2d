"""Graphs that were made here: one session for all who use a graph, and numbers that are mapped, not copied."""

import gc
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from onnx import TensorProto, helper

from heartfelt.weights.graph import Growing, save
from heartfelt.weights.session import open_session

WIDTH = 2048
NUMBERS = np.arange(WIDTH * WIDTH, dtype=np.float32).reshape(WIDTH, WIDTH)


def write(target: Path) -> Path:
    """A table of sixteen megabytes in which a row is looked up."""
    graph = Growing()
    graph.add("Gather", graph.constant(NUMBERS), "row", output="found")
    given = [helper.make_tensor_value_info("row", TensorProto.INT64, [1])]
    found = [helper.make_tensor_value_info("found", TensorProto.FLOAT, [1, WIDTH])]
    body = helper.make_graph(graph.nodes, "table", given, found, graph.constants)
    save(helper.make_model(body, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), target)
    return target


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("table") / "table.onnx")


def row(session, number: int) -> np.ndarray:
    return session.run(["found"], {"row": np.array([number], np.int64)})[0][0]


def test_the_numbers_lie_beside_the_graph_and_are_mapped(table: Path):
    assert table.stat().st_size < 10_000 and Path(f"{table}.data").stat().st_size == NUMBERS.nbytes
    session = open_session(table, 1)
    assert np.array_equal(row(session, 3), NUMBERS[3])
    mapped = [line for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith("table.onnx.data")]
    assert mapped


def test_whoever_opens_a_graph_gets_the_same_session_while_somebody_holds_it(table: Path, tmp_path: Path):
    first = open_session(table, 1)
    assert open_session(table, 1) is first
    assert open_session(table, 2) is not first
    assert open_session(write(tmp_path / "table.onnx"), 1) is not first
    gone = ref(first)
    del first
    gc.collect()
    assert gone() is None
    assert np.array_equal(row(open_session(table, 1), 5), NUMBERS[5])


def test_a_graph_that_was_written_again_is_opened_again(tmp_path: Path):
    first = open_session(write(tmp_path / "table.onnx"), 1)
    (tmp_path / "table.onnx").touch()
    assert open_session(tmp_path / "table.onnx", 1) is not first
