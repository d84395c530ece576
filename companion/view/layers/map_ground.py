"""The map's painted ground: what is asked of the painter for a board on a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion.drawing.board_svg import shared_side
from companion.grounds.job import GroundJob, Outline, Point
from companion.view.kit.sheet import Rect, Sheet
from companion.view.layers.map_frame import MapFrame

FRAME_PT = 1.6  # the rule around the picture


def find_ground(sheet: Sheet, frame: MapFrame, mat: Rect, colours: Mapping[str, str]) -> Path | None:
    """Return the picture of the board's ground that fills the mat; None until it has been painted.

    mat: what the map lies on, in points, the board's own place and what is around it.
    """
    if not sheet.look.material.ground:
        return None
    return sheet.grounds.find(_job_of(sheet, frame, mat, colours))


def _job_of(sheet: Sheet, frame: MapFrame, mat: Rect, colours: Mapping[str, str]) -> GroundJob:
    board, k = frame.board, sheet.px_per_pt
    outlines: dict[str, tuple[Outline, ...]] = {
        kind: tuple(_in_pixels(frame, area.polygon_mm, mat, k) for area in board.areas if area.kind == kind)
        for kind in ("land", "water")
    }
    hills = [centre for area in board.areas if area.kind == "land" for centre in area.centres_mm]
    bridges = []
    for port in board.areas:
        for water in port.ports:
            side = shared_side(port.polygon_mm, board.area(water).polygon_mm)
            if side is not None:
                start, end = _in_pixels(frame, side, mat, k)
                bridges.append((start, end))
    return GroundJob(
        style=sheet.look.material.ground,
        scenery=board.scenery,
        size_px=(round(mat.w * k), round(mat.h * k)),
        unit=round(frame.unit * k, 4),
        hills=_in_pixels(frame, hills, mat, k),
        bridges=tuple(bridges),
        land_colour=colours["land"],
        water_colour=colours["water"],
        **outlines,
    )


def _in_pixels(frame: MapFrame, points_mm: Outline | list[Point], mat: Rect, k: float) -> tuple[Point, ...]:
    places = (frame.at(point) for point in points_mm)
    return tuple((round((x - mat.x) * k, 2), round((y - mat.y) * k, 2)) for x, y in places)


def draw_frame(sheet: Sheet, mat: Rect) -> None:
    """Draw the rule that parts the map's ground from the page."""
    inner = mat.shrunk(FRAME_PT / 2)
    sheet.still(
        f'<rect x="{inner.x:.2f}" y="{inner.y:.2f}" width="{inner.w:.2f}" height="{inner.h:.2f}" fill="none" '
        f'stroke="{sheet.look.edge}" stroke-width="{FRAME_PT}"/>'
    )
