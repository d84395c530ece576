"""Why a board image is read as it is: where the network takes what for a piece, and what for covered."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.geometry import Floats, Picture
from vision.reading.network import STRIDE, Detections
from vision.reading.read import detect, prepare_table
from vision.table import Table

DIMMED = 0.55
STRONGEST = 0.85
COVERED_BGR = (200, 60, 200)
COLOURS_BGR: Mapping[str, tuple[int, int, int]] = {
    "red": (70, 70, 255),
    "black": (190, 255, 190),
    "blue": (255, 160, 50),
    "yellow": (50, 220, 255),
}


def evidence_of(table: Table, board_bgr: Picture) -> Detections:
    """Return what the networks find on a board image (H, W, 3) uint8 BGR of a table: the mean of their log odds.

    Takes about as long as a reading.
    """
    finds = [detect(board_bgr, eye)[0] for eye in prepare_table(table).eyes]
    return finds[0].with_scores(np.asarray(np.mean([each.scores() for each in finds], axis=0), np.float32))


def paint_evidence(board_bgr: Picture, finds: Detections) -> Picture:
    """(H, W, 3) uint8 BGR: the board image grey and dimmed, in each side's colour what is taken for its pieces' bases.

    What is taken for covered is violet. The stronger the colour, the surer the network.
    """
    grey = cv2.cvtColor(cv2.cvtColor(board_bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    canvas: Floats = np.asarray(grey, np.float32) * np.float32(DIMMED)
    sides = list(dict.fromkeys(side for side, _ in finds.classes))
    mine = {side: [i for i, (other, _) in enumerate(finds.classes) if other == side] for side in sides}
    strongest = [(finds.heat[mine[side]].max(axis=0), COLOURS_BGR[side]) for side in sides]
    for layer, colour in [(finds.covered, COVERED_BGR), *strongest]:
        rows, columns = layer.shape
        wide = cv2.resize(layer, (columns * STRIDE, rows * STRIDE), interpolation=cv2.INTER_LINEAR)
        on_board = np.clip(np.asarray(wide, np.float32)[: board_bgr.shape[0], : board_bgr.shape[1]], 0, 1)
        share = np.sqrt(on_board)[..., None] * np.float32(STRONGEST)
        canvas += share * (np.array(colour, np.float32) - canvas)
    return np.asarray(np.clip(np.round(canvas), 0, 255), np.uint8)
