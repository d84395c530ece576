"""A piece finder that asks the network, and keeps what can stand where it was seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.geometry import Mask, Picture, up_field
from vision.network import CLASSES, STRIDE, Find, Finds, PieceNetwork
from vision.pieces import Found, Piece, Setting
from vision.places import Places, on_spaces

KINDS = ("troop", "ship", "commander")
LEAST = 0.05
COVERED = 0.5
HALF = 0.4
STEEP = 14.0


@dataclass(slots=True, eq=False)
class NetworkFinder:
    """Finds pieces by the network alone; keeps its weights loaded."""

    network: PieceNetwork = field(default_factory=PieceNetwork)

    def find(self, board_bgr: Picture, setting: Setting) -> Found:
        """See `PieceFinder`."""
        finds = placed(self.finds(board_bgr, setting), setting.places)
        pieces = [piece for find in finds.peaks(LEAST) for piece in pieces_of(find, setting.places)]
        return Found(tuple(pieces), cover_of_finds(finds, setting.places).astype(np.float32))

    def finds(self, board_bgr: Picture, setting: Setting) -> Finds:
        """The network's own answer for a board image."""
        up = up_field(setting.camera, setting.grid)
        return self.network.find(board_bgr, setting.printed.image_bgr, up, setting.grid)


def placed(finds: Finds, places: Places) -> Finds:
    """The finds with commanders only where they can stand, all else as one kind: the place tells ship from troop."""
    rows, columns = finds.heat.shape[1:]
    down = np.minimum(np.arange(rows) * STRIDE + STRIDE // 2, places.grid.shape[0] - 1)
    across = np.minimum(np.arange(columns) * STRIDE + STRIDE // 2, places.grid.shape[1] - 1)
    leaders = on_spaces(places)[np.ix_(down, across)]
    heat = np.zeros_like(finds.heat)
    for faction in dict.fromkeys(faction for faction, _ in CLASSES):
        troop, ship, commander = (CLASSES.index((faction, kind)) for kind in KINDS)
        unit = np.maximum(finds.heat[troop], finds.heat[ship])
        heat[troop] = np.where(leaders, unit, np.maximum(unit, finds.heat[commander]))
        heat[commander] = np.where(leaders, finds.heat[commander], 0)
    return replace(finds, heat=heat)


def chance(heat: float) -> float:
    """The probability that a peak of this height is a piece: a logistic curve fitted on simulated tables."""
    return float(1 / (1 + np.exp(-STEEP * (heat - HALF))))


def place_of(find: Find, places: Places) -> tuple[str, str] | None:
    """Where a find stands and as what: its action space or its area, and its kind; None outside of all."""
    x, y = np.round(places.grid.px([find.at_mm])[0]).astype(int)
    at = (int(x), int(y))
    if find.kind == "commander":
        space = places.space_at(at)
        return None if space is None else (space, "commander")
    area = places.area_at(at)
    kinds = () if area is None else places.plan.units_of(places.plan.area(area))
    return (area, kinds[0]) if area is not None and kinds else None


def pieces_of(find: Find, places: Places) -> list[Piece]:
    """The piece of a find, with another on top of it where the network thinks so; none where it cannot stand."""
    where = place_of(find, places)
    if where is None:
        return []
    place, kind = where
    score = chance(find.score)
    one = Piece(find.faction, kind, 1, place, find.at_mm, score)
    if kind != "troop" or find.stacked < LEAST:
        return [one]
    return [one, Piece(find.faction, kind, 1, place, find.at_mm, score * chance(find.stacked))]


def cover_of_finds(finds: Finds, places: Places) -> Mask:
    """(H, W) bool of the board image: what the network takes for hands and cards."""
    rows, columns = places.grid.shape
    height, width = finds.covered.shape
    full = cv2.resize(finds.covered, (width * STRIDE, height * STRIDE), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:rows, :columns] > COVERED, np.bool_)
