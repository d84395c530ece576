"""Which piece of the photo of the start is which: the plan says how many of which kind stand in each area."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.reading.network import Detections, cells_of
from vision.reading.piece_sets import KINDS_OF_A_SIDE
from vision.reading.pieces import log_odds, mask_by_place
from vision.reading.places import Places

# So much more heat of another side than of its own, in log odds, says that it is not the piece that the plan has there.
CONTRARY = 4.0


@dataclass(frozen=True, slots=True)
class StartPiece:
    """A piece of the starting position: whose, what, and where its base is on the board."""

    faction: str
    kind: str
    at_mm: tuple[float, float]


def start_pieces(finds: Detections, places: Places) -> list[StartPiece]:
    """The pieces of the plan's start among what was found in a picture of it.

    What is known of the start is stronger than what the network thinks of colours that it sees for the first time: in
    each area the likeliest things are its pieces, as many as stand there, unless they are clearly another side's.
    """
    shown = mask_by_place(finds, places)
    spots: dict[str, list[tuple[tuple[float, float], float]]] = {}
    for at_mm, heat in finds.things():
        area = places.area_at(places.grid.pixel(at_mm))
        if area is not None:
            spots.setdefault(area, []).append((at_mm, heat))
    found: list[StartPiece] = []
    for area, faction, unit, count in places.plan.start:
        here = [
            (score, at_mm)
            for at_mm, heat in spots.get(area, [])
            if (score := _fit(shown, at_mm, (faction, unit), heat)) is not None
        ]
        for _, at_mm in sorted(here, reverse=True)[:count]:
            found.append(StartPiece(faction, unit, at_mm))
            spots[area] = [spot for spot in spots[area] if spot[0] != at_mm]
    return found


def _fit(shown: Detections, at_mm: tuple[float, float], wanted: tuple[str, str], thing: float) -> float | None:
    """How well a thing there may be such a piece, in log odds; None where it is another side's."""
    row, column = np.round(cells_of([at_mm], shown.grid)[0]).astype(int)
    around = shown.heat[:, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].max(axis=(1, 2))
    side = [faction for faction, _ in shown.classes].index(wanted[0])
    mine = slice(side, side + KINDS_OF_A_SIDE)
    own, others = float(around[mine].max()), float(np.delete(around, np.r_[mine]).max())
    if log_odds(others) - log_odds(own) > CONTRARY:
        return None
    exact = around[side + (0 if wanted[1] == "troop" else 1)] if around[side + 1] > 0 else own
    return log_odds(thing) + log_odds(float(exact))
