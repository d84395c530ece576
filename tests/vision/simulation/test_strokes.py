"""Single strokes of the simulations: what each one leaves on its sheet or in its picture, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from vision.plan import AreaPlan, BoardPlan
from vision.simulation import board_art
from vision.simulation.art_sheet import ArtSheet, ArtStyle, Point
from vision.simulation.camera import SimulatedCamera
from vision.simulation.marked.draw import Painter
from vision.simulation.solids import SHIP_PROFILES, PieceLook, piece_parts

PX_PER_MM = 8.0
STYLE = ArtStyle(1, grain=0.0)
MIDDLE = (30.0, 30.0)
SQUARE = ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0))
SEA = BoardPlan(
    board="test-sea",
    size_mm=(60.0, 60.0),
    areas=(AreaPlan("a1", "water", SQUARE, (MIDDLE,)),),
    spaces=(),
    space_side_mm=6.5,
    factions=("red", "black"),
    units=(("water", ("ship",)),),
    start=(),
)


@pytest.mark.parametrize(
    ("draw", "half_mm"),
    [(board_art._long_wave, (5.0, 0.0)), (board_art._rings, (3.4, 3.4))],
)
def test_waves_reach_as_far_to_either_side(
    draw: Callable[[ArtSheet, Point], None], half_mm: tuple[float, float]
) -> None:
    sheet = ArtSheet(SEA, STYLE, PX_PER_MM)
    bare = sheet.image.copy()
    draw(sheet, MIDDLE)
    rows, columns = np.nonzero((sheet.image != bare).any(axis=2))
    for pixels, half in zip((columns, rows), half_mm, strict=True):
        reach = np.array([pixels.min(), pixels.max() + 1]) / PX_PER_MM
        assert reach - MIDDLE[0] == pytest.approx([-half, half], abs=0.5)


@pytest.mark.parametrize(("unit", "rim_mm"), [("troop", 6.0), ("ship", 0.32 * 16.0)])
def test_a_printed_symbol_has_a_rim_of_paper_where_the_style_has_one(unit: str, rim_mm: float) -> None:
    seen = {}
    for ring_mm in (0.0, 1.2):
        sheet = ArtSheet(SEA, replace(STYLE, symbol_ring_mm=ring_mm), PX_PER_MM)
        board_art._draw_symbol(sheet, MIDDLE, unit, "red")
        within, on_rim = (round((MIDDLE[1] + down_mm) * PX_PER_MM) for down_mm in (1.0, rim_mm))
        seen[ring_mm] = sheet.image[on_rim - 1, round(MIDDLE[0] * PX_PER_MM)].tolist()
        assert sheet.image[within, round(MIDDLE[0] * PX_PER_MM)].tolist() == list(STYLE.print_bgr["red"])
    assert seen[1.2] == list(STYLE.paper_bgr) != seen[0.0]


@pytest.mark.parametrize("shape", range(len(SHIP_PROFILES)))
def test_the_upper_edge_of_a_lying_ship_is_only_broken(shape: int) -> None:
    look = PieceLook(ship_shape=shape, ships_stand=False)
    for part in piece_parts("ship", look):
        heights = part.vertices[:, 2]
        low, high = (part.vertices[heights == height, :2] for height in (heights.min(), heights.max()))
        assert 0 < np.linalg.norm(low - high, axis=1).max() < look.bevel_mm


def test_the_foot_is_the_place_that_is_plumb_below_the_camera() -> None:
    """What stands there hides nothing but itself: its top is seen where its foot is."""
    painter = Painter(SimulatedCamera(target_mm=(60.0, 80.0), tilt_deg=20.0, size_px=(320, 240)), (8.0, 6.0), 20.0)
    assert painter.px([painter.foot], 2.0) == pytest.approx(painter.px([painter.foot]), abs=1e-6)
    assert painter.px([painter.foot + 1.0], 2.0) != pytest.approx(painter.px([painter.foot + 1.0]), abs=1.0)
