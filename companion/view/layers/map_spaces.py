"""The action spaces on the map: who stands there, and where one may deploy now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.drawing.board_svg import Point, hexagon
from companion.ui.screen import SpacePicture
from companion.view.kit.sheet import Sheet
from companion.view.kit.signs import emblem, sign

if TYPE_CHECKING:
    from companion.view.layers.map_frame import Frame

LIVE_MM = 8.0  # side of a space that may be touched
HELD_MM = 7.6  # half a commander
PAIR_MM = 4.0  # two commanders in one space lie so far apart


def draw_space(sheet: Sheet, frame: Frame, picture: SpacePicture) -> None:
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
        _held(sheet, centre, unit, picture)
        return
    ink = look.ink if picture.live or picture.chosen else look.board["dull"]
    if own and not picture.chosen:
        ink = own.text
    half = LIVE_MM * unit if picture.live or picture.chosen else frame.board.space_side_mm * frame.points_per_mm
    sign(sheet, picture.action, (centre, half * 0.62), ink)


def _held(sheet: Sheet, centre: Point, unit: float, picture: SpacePicture) -> None:
    count = len(picture.held_by)
    for i, faction in enumerate(picture.held_by):
        at = (centre[0] + (i - (count - 1) / 2) * 2 * PAIR_MM * unit, centre[1])
        half = HELD_MM * unit * (1.0 if count == 1 else 0.8)
        emblem(sheet, faction, (at, half), 0.16)
        sign(sheet, picture.action, (at, half * 0.52), sheet.look.sides[faction].text)
