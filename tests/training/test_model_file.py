"""How networks are written: half-float weights are cast back, and what is no valid ONNX is not written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from training.model_file import halve, save
from vision.onnx_model import OnnxModel

SEEN = np.arange(6, dtype=np.float32).reshape(2, 3)
WEIGHT = np.array([[0.1, 1.0], [2.0, 3.0], [4.0, 5.0]], np.float32)


def model_of(
    weight: np.ndarray[tuple[int, ...], np.dtype[np.float32]], out: tuple[int, int] = (2, 2)
) -> onnx.ModelProto:
    """One matrix product."""
    seen = helper.make_tensor_value_info("seen", TensorProto.FLOAT, SEEN.shape)
    score = helper.make_tensor_value_info("score", TensorProto.FLOAT, out)
    node = helper.make_node("Gemm", ["seen", "weight"], ["score"])
    graph = helper.make_graph([node], "one", [seen], [score], [numpy_helper.from_array(weight, "weight")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def answer(path: Path) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    (score,) = OnnxModel(path.read_bytes()).run({"seen": SEEN}, ["score"])
    return score


def test_half_floats_are_cast_where_floats_are_wanted(tmp_path: Path) -> None:
    model = model_of(WEIGHT)
    halve(model)
    with pytest.raises(onnx.shape_inference.InferenceError):
        onnx.checker.check_model(model, full_check=True)
    save(model, tmp_path / "one.onnx")
    written = onnx.load(tmp_path / "one.onnx")
    onnx.checker.check_model(written, full_check=True)
    assert [tensor.data_type for tensor in written.graph.initializer] == [TensorProto.FLOAT16]
    assert np.array_equal(answer(tmp_path / "one.onnx"), SEEN @ WEIGHT.astype(np.float16).astype(np.float32))


def test_floats_stay_as_they_are(tmp_path: Path) -> None:
    save(model_of(WEIGHT), tmp_path / "one.onnx")
    assert [node.op_type for node in onnx.load(tmp_path / "one.onnx").graph.node] == ["Gemm"]
    assert np.array_equal(answer(tmp_path / "one.onnx"), SEEN @ WEIGHT)


def test_a_file_written_again_is_the_same(tmp_path: Path) -> None:
    model = model_of(WEIGHT)
    halve(model)
    save(model, tmp_path / "one.onnx")
    save(onnx.load(tmp_path / "one.onnx"), tmp_path / "two.onnx")
    assert (tmp_path / "two.onnx").read_bytes() == (tmp_path / "one.onnx").read_bytes()


def test_what_is_no_valid_onnx_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(onnx.shape_inference.InferenceError):
        save(model_of(WEIGHT, out=(2, 5)), tmp_path / "one.onnx")
    assert not (tmp_path / "one.onnx").exists()
