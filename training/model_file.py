"""A network's file as the packages have it: valid ONNX, its weights as half floats where that is wanted.

ONNX does not let a half float meet a float: each half-float weight is cast back where the network takes it. Runtimes
do so once, when they read the file. Needs onnx, and nothing else of what training needs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper

HALF = ".half"
CAST = "Cast"


def save(model: ModelProto, path: Path) -> None:
    """Write a model of floats, of whose weights some may be half floats; onnx's own error where it is no valid ONNX."""
    _cast(model)
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString())


def halve(model: ModelProto) -> None:
    """Round all weights to half floats."""
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            half = numpy_helper.to_array(tensor).astype(np.float16)
            tensor.CopyFrom(numpy_helper.from_array(half, tensor.name))


def _cast(model: ModelProto) -> None:
    """Put a cast to float between each half-float weight and the nodes that take it, which know it by its old name."""
    graph = model.graph
    done = {node.input[0] for node in graph.node if node.op_type == CAST}
    halves = [
        tensor for tensor in graph.initializer if tensor.data_type == TensorProto.FLOAT16 and tensor.name not in done
    ]
    casts = [
        helper.make_node(CAST, [tensor.name + HALF], [tensor.name], name=f"{tensor.name}/{CAST}", to=TensorProto.FLOAT)
        for tensor in halves
    ]
    for tensor in halves:
        tensor.name += HALF
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
