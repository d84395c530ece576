"""The packaged networks, run by ONNX Runtime on one thread: arrays go in by name, arrays come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np
import numpy.typing as npt

from vision.errors import VisionError

Floats = npt.NDArray[np.float32]


class OnnxModel:
    """A network that answers on one core, for as many threads as ask; the runtime is imported with the first one.

    Raises VisionError where the runtime can't load it.
    """

    def __init__(self, data: bytes) -> None:
        import onnxruntime
        from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidGraph, InvalidProtobuf

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # the memory of a frame is given back after it
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf) as error:
            raise VisionError("the weights of a network are damaged: install Gunbai again") from error

    def run(self, given: Mapping[str, Floats], wanted: Sequence[str]) -> list[Floats]:
        """Run the network on inputs by name; return the outputs of these names, shaped as the model has them."""
        inputs = {name: np.ascontiguousarray(value, np.float32) for name, value in given.items()}
        return [np.asarray(answer, np.float32) for answer in self._session.run(list(wanted), inputs)]


def packaged_model(*parts: str) -> OnnxModel:
    """Load a network from its packaged file, by its path below `vision/weights`."""
    return OnnxModel(weights_file(*parts).read_bytes())


def weights_file(*parts: str) -> Traversable:
    """Return a packaged file of weights, by its path below `vision/weights`."""
    return resources.files("vision").joinpath("weights", *parts)
