"""Measure a network that is being trained on photographs: `python -m training.measure RUN/002000 FOLDER [FOLDER ...]`.

The first folder holds exported models, as `training.train` writes them; the others hold tables as `gunbai bench` reads
them. Each is read by the packaged networks and by this one, which sees all tables alone and takes the packaged logistic
models of the network that knows any colours, unless there are others beside it. Needs `onnxruntime`: OpenCV's dnn can't
load models whose sides vary as these do. `--light FOLDER` calibrates in another light (`benchmarks.eye.other_light`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime  # type: ignore[import-not-found]

from benchmarks.eye.other_light import WAYS, calibrated, measured
from companion.terminal.bench import KnownTable, open_source, sources_in, tally_text
from vision.plan import BoardPlan
from vision.reading import read
from vision.reading.count import SURE
from vision.reading.network import PieceNetwork
from vision.reading.piece_sets import SHIPS, PieceSet, learnt_sets
from vision.reading.pieces import packaged_weights
from vision.scoring import Tally

Floats = npt.NDArray[np.float32]


class Model:
    """An exported model run by onnxruntime on one core, with the few methods of OpenCV's networks that the eye uses."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.given: dict[str, Floats] = {}

    def setInput(self, value: Floats, name: str = "printed") -> None:  # noqa: N802 - OpenCV's name
        """Keep an input."""
        self.given[name] = np.ascontiguousarray(value, np.float32)

    def forward(self, wanted: str | list[str]) -> Any:
        """Return the output of that name, or those of these names."""
        answers = self.session.run([wanted] if isinstance(wanted, str) else wanted, self.given)
        return answers[0] if isinstance(wanted, str) else answers


class Trained(PieceNetwork):
    """The network of a folder of exported models."""

    def __init__(self, folder: Path, known: PieceSet) -> None:
        super().__init__(known=known)
        self.folder = folder

    def opened(self, name: str, data: bytes | None) -> Any:
        """Return one of its models."""
        return Model(self.folder / name) if data is None else super().opened(name, data)


def reading_by(folder: Path) -> Any:
    """Return a context in which tables are prepared and read by the network of a folder alone."""

    @lru_cache(maxsize=len(WAYS))
    def network(known: PieceSet = SHIPS) -> PieceNetwork:
        return Trained(folder, known)

    def alone(plan: BoardPlan) -> tuple[PieceSet, PieceSet]:
        _, known = learnt_sets(plan)
        return known, known

    def weights(known: PieceSet) -> Mapping[str, tuple[float, ...]]:
        fitted = folder / known.scores
        if not fitted.exists():
            return packaged_weights(known)
        return {kind: tuple(values) for kind, values in json.loads(fitted.read_text()).items()}

    parts: dict[str, Any] = {
        "network": network,
        "window_network": network,
        "learnt_sets": alone,
        "packaged_weights": weights,
    }
    return patch.multiple(read, **parts)


def known_table(source: Path, light: Path | None) -> KnownTable:
    """Return a folder's table, calibrated in another light where its photos are in `light`."""
    known = open_source(source)
    return known if light is None else calibrated(known, source, light / source.name, WAYS[2])


def figures_line(name: str, tally: Tally) -> str:
    """Return a table's figures in one line."""
    sure = sum(confidence >= SURE for confidence, _ in tally.answers)
    return f"{tally_text(name, tally).splitlines()[0]}; {sure} sure; {tally.silent} sure and wrong"


def main() -> None:
    """Print the figures of each table and of all, by the packaged networks and by the one that is measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--light", type=Path)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    sources = [source for folder in wanted.folders for source in sources_in(folder)]
    totals = {"packaged": Tally(), wanted.models.name: Tally()}
    for source in sources:
        for name, total in totals.items():
            if name == "packaged":
                tally = measured(known_table(source, wanted.light))
            else:
                with reading_by(wanted.models):
                    tally = measured(known_table(source, wanted.light))
            print(figures_line(f"{source.name}, {name}", tally), flush=True)
            total.add(tally)
    for name, total in totals.items():
        print(figures_line(f"all, {name}", total))


if __name__ == "__main__":
    main()
