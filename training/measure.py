"""Measure a network that is being trained: `python -m training.measure RUN/002000 FOLDER [FOLDER ...]`.

The first folder holds exported models, as `training.train` writes them; the others hold tables as `gunbai bench` reads
them. Each is read with the packaged second eye and with this one in its place, which takes the packaged logistic models
unless there are others beside it. `--light FOLDER` calibrates in another light (`benchmarks.eye.other_light`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import cv2

from benchmarks.eye.other_light import WAYS, calibrated
from companion.terminal.bench import KnownTable, open_source, sources_in, tally_of, tally_text
from vision.onnx_model import OnnxModel
from vision.reading import pieces, read, setting
from vision.reading.count import SURE
from vision.reading.network import FRAME_MODEL, PRINTED_MODEL, PieceNetwork
from vision.reading.piece_sets import SECOND, SHIPS, PieceSet
from vision.scoring import Tally


@contextmanager
def reading_by(folder: Path) -> Iterator[None]:
    """Provide a context in which the second eye uses the network in a folder."""
    packaged = setting.network
    frame, printed = (OnnxModel((folder / name).read_bytes()) for name in (FRAME_MODEL, PRINTED_MODEL))

    @lru_cache(maxsize=1)
    def second(known: PieceSet) -> PieceNetwork:
        return PieceNetwork(frame, printed, known)

    def network(known: PieceSet = SHIPS) -> PieceNetwork:
        return second(known) if known.network == SECOND else packaged(known)

    def weights(known: PieceSet = SHIPS) -> Mapping[str, tuple[float, ...]]:
        fitted = folder / known.scores
        if known.network != SECOND or not fitted.exists():
            return pieces.packaged_weights(known)
        return {kind: tuple(values) for kind, values in json.loads(fitted.read_text()).items()}

    with patch.object(setting, "network", network), patch.multiple(read, network=network, packaged_weights=weights):
        yield


def known_table(source: Path, light: Path | None) -> KnownTable:
    """Return a folder's table, calibrated in another light where its photos are in `light`."""
    known = open_source(source)
    return known if light is None else calibrated(known, source, light / source.name, WAYS[2])


def figures_line(name: str, tally: Tally) -> str:
    """Return a table's figures in one line."""
    sure = sum(confidence >= SURE for confidence, _ in tally.answers)
    return f"{tally_text(name, tally).splitlines()[0]}; {sure} sure; {tally.silent} sure and wrong"


def main() -> None:
    """Print the figures of each table and of all, by the packaged second eye and by the one that is measured."""
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
                tally = tally_of(known_table(source, wanted.light))
            else:
                with reading_by(wanted.models):
                    tally = tally_of(known_table(source, wanted.light))
            print(figures_line(f"{source.name}, {name}", tally), flush=True)
            total.add(tally)
    for name, total in totals.items():
        print(figures_line(f"all, {name}", total))


if __name__ == "__main__":
    main()
