"""The map: the board's drawing with everything that changes laid over it, and what can be touched on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.core.language import _
from companion.drawing.board_svg import Point, board_shapes, extent, hexagon, mark_shapes
from companion.text.orders import zone_words
from companion.ui.screen import Intent, MapPicture, SpacePicture
from companion.view.kit.sheet import Rect, Sheet, bounds
from companion.view.kit.signs import emblem, sign
from companion.view.kit.theme import Theme
from companion.view.layers.chain import draw_chains
from companion.view.layers.map_areas import draw_ground, draw_name, draw_things
from companion.view.layers.map_frame import MapFrame
from companion.view.layers.overlays import draw_arrows, draw_numbers, draw_supply
from engine.orders.board import Board

_Pairs = tuple[tuple[str, str], ...]

SPACES_APART_MM = 19.6  # two spaces of one area
LIVE_MM = 8.0  # side of a space that may be touched
HELD_MM = 7.6  # half a commander
PAIR_MM = 4.0  # half the distance between two commanders in one space


def map_width(board: Board, height: float) -> float:
    """How wide the map is at that height, both in points."""
    _, _, width_mm, height_mm = extent(board)
    return height * width_mm / height_mm


class _OwnColours:
    """The colours that the owner gave to parts of the drawn board."""

    colours: Mapping[str, str] = {}


def use_board_colours(colours: Mapping[str, str]) -> None:
    """Draw the board in these colours from now on: any of `drawing.COLOURS` by name, "#rrggbb"."""
    _OwnColours.colours = dict(colours)
    _drawing.cache_clear()


@lru_cache(maxsize=4)
def _drawing(board: Board, look: Theme, turn: int, words: tuple[str, _Pairs]) -> tuple[str, str]:
    """The board's drawing in mm: the ground, and the marks that lie over the factions' colours.

    words: those on a board that was made up, and pairs of an air zone and what it is called.
    """
    practice, zones = words[0], dict(words[1])
    lines = {name: side.border for name, side in look.sides.items()}
    fills = {f"{name}_fill": side.fill for name, side in look.sides.items()}
    colours = {**look.board, **lines, **fills, **_OwnColours.colours}
    return board_shapes(board, colours, zones), mark_shapes(board, colours, turn, practice, zones)


def draw_map(sheet: Sheet, picture: MapPicture, place: Rect, turn: int = 0) -> None:
    """Lay the map into the place, with its targets; the board turned clockwise by `turn` degrees."""
    frame = MapFrame(picture.board, place, turn)
    words = _("PRACTICE BOARD"), tuple(zone_words(picture.board).items())
    ground, over = _drawing(picture.board, sheet.look, turn, words)
    sheet.still(frame.placed(ground))
    for area in picture.areas:
        draw_ground(sheet, frame, area)
    if not picture.chains:
        draw_supply(sheet, frame, picture.supply)
    draw_arrows(sheet, frame, picture.traces)
    sheet.raw(frame.placed(over))
    for space in picture.spaces:
        _draw_space(sheet, frame, space)
    draw_chains(sheet, frame, picture)
    for area in picture.areas:
        draw_things(sheet, frame, area)
    draw_numbers(sheet, frame, picture.traces, {area.name for area in picture.areas if len(area.stacks) > 1})
    for area in picture.areas if picture.names else ():
        if frame.board.area(area.name).kind != "air":  # a section has its name on it
            draw_name(sheet, frame, area.name)
    for area in picture.areas:
        outline = frame.outline(frame.board.area(area.name).polygon_mm)
        sheet.target(bounds(outline), Intent("area", area.name), outline, repeats=area.repeats)
    _space_targets(sheet, frame, picture.spaces)


def _space_targets(sheet: Sheet, frame: MapFrame, spaces: Sequence[SpacePicture]) -> None:
    """Spaces are touched by themselves where the screen is large enough; else by their area, which lists them."""
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
    """An empty space shows its action; a live one stands out; a commander is its faction's shape with that icon."""
    space = frame.board.space(picture.name)
    if space.at_mm is None:
        return
    look, centre, unit = sheet.look, frame.at(space.at_mm), frame.unit
    own = look.sides[space.faction] if space.faction else None
    if picture.live or picture.chosen:
        asks = look.asks(frame.board.factions)
        fill = look.accent if picture.chosen else own.fill if own else look.cream
        sheet.polygon(hexagon(centre, LIVE_MM * unit), fill, look.ink, 4.2)
        sheet.polygon(hexagon(centre, LIVE_MM * unit), "none", asks, 2.4)
    if picture.held_by:
        _draw_commanders(sheet, centre, unit, picture)
        return
    ink = look.ink if picture.live or picture.chosen else look.board["dull"]
    if own and not picture.chosen:
        ink = own.text
    half = LIVE_MM * unit if picture.live or picture.chosen else frame.board.space_side_mm * frame.points_per_mm
    sign(sheet, picture.action, (centre, half * 0.62), ink)


def _draw_commanders(sheet: Sheet, centre: Point, unit: float, picture: SpacePicture) -> None:
    count = len(picture.held_by)
    for i, faction in enumerate(picture.held_by):
        at = (centre[0] + (i - (count - 1) / 2) * 2 * PAIR_MM * unit, centre[1])
        half = HELD_MM * unit * (1.0 if count == 1 else 0.8)
        emblem(sheet, faction, (at, half), 0.16)
        sign(sheet, picture.action, (at, half * 0.52), sheet.look.sides[faction].text)
