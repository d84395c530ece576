"""The map: the board's drawing with everything that changes laid over it, and what can be touched on it.

Its ground is a picture, once that has been painted for a board on a sheet of this size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from companion.core.language import _
from companion.drawing.board_svg import (
    COLOURS,
    Point,
    area_mark_shapes,
    board_shapes,
    extent,
    hexagon,
    practice_shape,
    shared_side,
)
from companion.grounds.store import GroundJob, Outline
from companion.text.orders import zone_names
from companion.ui.screen import AreaPicture, Intent, MapPicture, SpacePicture
from companion.view.kit.kept import draw_kept, forget_parts
from companion.view.kit.sheet import Backdrop, Rect, Sheet, bounds
from companion.view.kit.signs import emblem, sign
from companion.view.kit.theme import Theme
from companion.view.layers.map_areas import MapFrame, draw_ground, draw_names, draw_things, map_frame
from companion.view.layers.overlays import draw_arrows, draw_chains, draw_numbers, draw_supply
from engine.orders.board import Board

_Pairs = tuple[tuple[str, str], ...]

SPACES_APART_MM = 19.6  # two spaces of one area
LIVE_MM = 8.0  # side of a space that may be touched
HELD_MM = 7.6  # half a commander
PAIR_MM = 4.0  # half the distance between two commanders in one space
REACH_MM = 12.0  # no space is drawn farther from its middle


def map_width(board: Board, height: float) -> float:
    """Return the width of the map at that height, both in points."""
    _, _, width_mm, height_mm = extent(board)
    return height * width_mm / height_mm


class _OwnColours:
    """The colours that the owner gave to parts of the drawn board."""

    colours: Mapping[str, str] = {}


def use_board_colours(colours: Mapping[str, str]) -> None:
    """Draw the board in these colours from now on: any of `board_svg.COLOURS` by name, "#rrggbb"."""
    _OwnColours.colours = dict(colours)
    _ground.cache_clear()
    forget_parts()


@lru_cache(maxsize=8)
def _ground(board: Board, look: Theme, zones: _Pairs, is_painted: bool) -> str:
    """Draw the board's ground in mm; zones: pairs of an air zone and what it is called."""
    return board_shapes(board, dict(zones), _colours(look), is_painted=is_painted)


def _colours(look: Theme) -> Mapping[str, str]:
    lines = {name: side.border for name, side in look.sides.items()}
    fills = {f"{name}_fill": side.fill for name, side in look.sides.items()}
    return {**COLOURS, **look.board, **lines, **fills, **_OwnColours.colours}


def draw_map(sheet: Sheet, picture: MapPicture, place: Rect, turn: int = 0, mat: Rect | None = None) -> None:
    """Draw the map in the place, with its targets, the board turned clockwise by `turn` degrees.

    mat: what the map's ground fills, where that is more than the place. Each area and each space is a part of its own,
    as a touch changes few of them.
    """
    frame = map_frame(picture.board, place, turn)
    ground = _find_ground(sheet, frame, mat or place, _colours(sheet.look))
    if ground is not None:
        sheet.backdrops.append(Backdrop(mat or place, ground))
        _draw_frame(sheet, mat or place)
    is_painted = ground is not None
    draw_kept(sheet, (_draw_still, frame, is_painted), lambda part: _draw_still(part, frame, is_painted))
    for area in picture.areas:
        _draw_part(sheet, area, frame, draw_ground)
    if not picture.chains:
        draw_kept(sheet, (frame, picture.supply), lambda part: draw_supply(part, frame, picture.supply))
    draw_kept(sheet, (frame, picture.traces), lambda part: draw_arrows(part, frame, picture.traces))
    draw_kept(sheet, (_draw_marks, frame), lambda part: _draw_marks(part, frame))
    for space in picture.spaces:
        if frame.board.space(space.name).at_mm is not None:
            _draw_part(sheet, space, frame, _draw_space)
    draw_chains(sheet, frame, picture)
    for area in picture.areas:
        _draw_part(sheet, area, frame, draw_things)
    crowded = {area.name for area in picture.areas if len(area.stacks) > 1}
    draw_numbers(sheet, frame, picture.traces, crowded)
    if picture.names:
        draw_kept(sheet, (draw_names, frame), lambda part: draw_names(part, frame))
    draw_kept(sheet, (_area_targets, frame, picture.areas), lambda part: _area_targets(part, frame, picture.areas))
    _space_targets(sheet, frame, picture.spaces)


Drawn = TypeVar("Drawn", AreaPicture, SpacePicture)


def _draw_part(sheet: Sheet, what: Drawn, frame: MapFrame, draw: Callable[[Sheet, MapFrame, Drawn], None]) -> None:
    """Draw an area or a space by this function; what it drew before is kept."""
    draw_kept(sheet, (draw, frame, what), lambda part: draw(part, frame, what))


def _draw_still(sheet: Sheet, frame: MapFrame, is_painted: bool) -> None:
    """Draw the board itself, which lies under all else."""
    zones = tuple(zone_names(frame.board).items())
    sheet.still(frame.place_shapes(_ground(frame.board, sheet.look, zones, is_painted)))


def _draw_marks(sheet: Sheet, frame: MapFrame) -> None:
    """Draw the board's marks that lie over the factions' colours, area by area."""
    board, colours = frame.board, _colours(sheet.look)
    for name, marks in area_mark_shapes(board, zone_names(board), colours, frame.turn).items():
        sheet.raw(frame.place_shapes(marks))
        sheet.close_group(bounds(frame.outline(board.area(name).polygon_mm)))
    if board.known == "practice":
        sheet.raw(frame.place_shapes(practice_shape(board, colours["border"], frame.turn, _("PRACTICE BOARD"))))
        sheet.close_group(frame.place)


def _area_targets(sheet: Sheet, frame: MapFrame, areas: Sequence[AreaPicture]) -> None:
    for area in areas:
        outline = frame.outline(frame.board.area(area.name).polygon_mm)
        sheet.target(bounds(outline), Intent("area", area.name), outline, repeats=area.repeats)


def _space_targets(sheet: Sheet, frame: MapFrame, spaces: Sequence[SpacePicture]) -> None:
    """Let spaces be touched by themselves where the screen is large enough; else by their area, which lists them."""
    reach = SPACES_APART_MM * frame.unit / 2
    if 2 * reach < sheet.touch:
        return
    radius = reach * 2 / math.sqrt(3)
    for space in spaces:
        place = frame.board.space(space.name).at_mm
        if place is not None:
            x, y = frame.at(place)
            outline = hexagon((x, y), radius)
            sheet.target(bounds(outline), Intent("space", space.name), outline)


def _draw_space(sheet: Sheet, frame: MapFrame, picture: SpacePicture) -> None:
    """Draw an action space: empty with its action, live so that it stands out, or with its commander."""
    space = frame.board.space(picture.name)
    assert space.at_mm is not None
    look, centre, unit = sheet.look, frame.at(space.at_mm), frame.unit
    own = look.sides[space.faction] if space.faction else None
    if picture.live or picture.chosen:
        asks = look.asking_colour(frame.board.factions)
        fill = look.accent if picture.chosen else own.fill if own else look.cream
        sheet.polygon(hexagon(centre, LIVE_MM * unit), fill, look.ink, 4.2)
        sheet.polygon(hexagon(centre, LIVE_MM * unit), "none", asks, 2.4)
    if picture.held_by:
        _draw_commanders(sheet, centre, unit, picture)
    else:
        ink = look.ink if picture.live or picture.chosen else look.board["dull"]
        if own and not picture.chosen:
            ink = own.text
        half = LIVE_MM * unit if picture.live or picture.chosen else frame.board.space_side_mm * frame.points_per_mm
        sign(sheet, picture.action, (centre, half * 0.62), ink, f"space:{picture.name}")
    sheet.close_group(Rect.around(centre, REACH_MM * unit))


def _draw_commanders(sheet: Sheet, centre: Point, unit: float, picture: SpacePicture) -> None:
    count, about = len(picture.held_by), f"space:{picture.name}"
    for i, faction in enumerate(picture.held_by):
        at = (centre[0] + (i - (count - 1) / 2) * 2 * PAIR_MM * unit, centre[1])
        half = HELD_MM * unit * (1.0 if count == 1 else 0.8)
        emblem(sheet, faction, (at, half), 0.16, about)
        sign(sheet, picture.action, (at, half * 0.52), sheet.look.sides[faction].text, about)


# ---- the painted ground --------------------------------------------------------------------------

FRAME_PT = 1.6  # the rule around the picture


def _find_ground(sheet: Sheet, frame: MapFrame, mat: Rect, colours: Mapping[str, str]) -> Path | None:
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


def _draw_frame(sheet: Sheet, mat: Rect) -> None:
    """Draw the rule that parts the map's ground from the page."""
    inner = mat.shrunk(FRAME_PT / 2)
    sheet.still(
        f'<rect x="{inner.x:.2f}" y="{inner.y:.2f}" width="{inner.w:.2f}" height="{inner.h:.2f}" fill="none" '
        f'stroke="{sheet.look.edge}" stroke-width="{FRAME_PT}"/>'
    )
