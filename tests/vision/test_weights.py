"""The packaged networks: valid ONNX, the answers are those that ONNX itself says they have to be, damage is said."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import vision
from vision.errors import VisionError
from vision.onnx_model import OnnxModel, packaged_model

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(vision.__file__).parent / "weights"
FILES = sorted(str(path.relative_to(WEIGHTS)) for path in WEIGHTS.rglob("*.onnx"))
SIDES = {"height": 48, "width": 64, "height_4": 12, "width_4": 16, "height_8": 6, "width_8": 8, "n": 3, "discs": 3}
NEAR = 5e-4
"""Of answers up to 15: what the order of adding up makes of them."""


def given(model: onnx.ModelProto) -> dict[str, Floats]:
    """Noise for each input, as large as the model says."""
    rng = np.random.default_rng(1)
    shapes = {value.name: [SIDES.get(d.dim_param, d.dim_value) for d in sides_of(value)] for value in model.graph.input}
    return {name: rng.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}


def sides_of(value: onnx.ValueInfoProto) -> list[onnx.TensorShapeProto.Dimension]:
    return list(value.type.tensor_type.shape.dim)


def test_there_are_as_many_networks_as_the_eye_loads() -> None:
    folders = ("common", "second", "ships", "varied")
    networks = [f"{folder}/{name}.onnx" for folder in folders for name in ("pieces", "printed")]
    assert sorted([*networks, "dice.onnx", "stacks.onnx"]) == FILES


@pytest.mark.parametrize("name", FILES)
def test_a_network_is_valid_onnx(name: str) -> None:
    onnx.checker.check_model(WEIGHTS / name, full_check=True)


@pytest.mark.parametrize("name", FILES)
def test_a_network_answers_as_onnx_says(name: str) -> None:
    model = onnx.load(WEIGHTS / name)
    inputs, outputs = given(model), [value.name for value in model.graph.output]
    answers = packaged_model(*name.split("/")).run(inputs, outputs)
    wanted = ReferenceEvaluator(model).run(outputs, inputs)
    for value, right, told in zip(answers, wanted, model.graph.output, strict=True):
        assert right.shape == tuple(SIDES.get(side.dim_param, side.dim_value) for side in sides_of(told))
        assert math.isclose(float(np.abs(value - right).max()), 0.0, abs_tol=NEAR)


@pytest.mark.parametrize("spoil", [lambda data: b"", lambda data: b"nothing", lambda data: data[: len(data) // 2]])
def test_damaged_weights_are_said(spoil: Callable[[bytes], bytes]) -> None:
    data = (WEIGHTS / "dice.onnx").read_bytes()
    with pytest.raises(VisionError, match="weights of a network are damaged"):
        OnnxModel(spoil(data))
