"""Chains to a headquarters drawn over the map, area by area, and the place where one breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.drawing.board_svg import Point
from companion.ui.screen import MapPicture, SupplyChain
from companion.view.kit.sheet import Sheet, bounds
from engine.orders.board import Board

if TYPE_CHECKING:
    from companion.view.layers.map_frame import MapFrame

WIDTH_MM = 2.6
GAP_MM = 7.5


def draw_chains(sheet: Sheet, frame: MapFrame, picture: MapPicture) -> None:
    """Lay the chains of the picture over its areas."""
    for chain in picture.chains:
        _chain(sheet, frame, chain)


def _chain(sheet: Sheet, frame: MapFrame, chain: SupplyChain) -> None:
    """Draw a line from area to area: whole where the chain holds, dashed into the gap, which is crossed out."""
    side, unit = sheet.look.sides[chain.faction], frame.unit
    route = [frame.at(point) for point in way_through(frame.board, chain.areas)]
    held = chain.areas.index(chain.gap) * 2 - 2 if chain.gap else len(route) - 1  # the last leg leads into the gap
    for width, colour in ((WIDTH_MM * 2.2 * unit, side.line), (WIDTH_MM * unit, side.fill)):
        if held:
            sheet.line(route[: held + 1], colour, width)
        if held < len(route) - 1:
            sheet.line(route[held:], colour, width * 0.6, f"{width * 0.9:.1f} {width * 1.3:.1f}")
    for point in route[::2]:
        sheet.disc(point, WIDTH_MM * 1.2 * unit, side.fill, side.line, 1.6)
    if chain.gap:
        centre = route[chain.areas.index(chain.gap) * 2]
        radius = GAP_MM * unit
        x, y = centre
        reach = radius * 0.55
        sheet.disc(centre, radius, sheet.look.page, sheet.look.bad, 3.4)
        sheet.line([(x - reach, y - reach), (x + reach, y + reach)], sheet.look.bad, 4.2)
        sheet.line([(x - reach, y + reach), (x + reach, y - reach)], sheet.look.bad, 4.2)
    sheet.close_group(bounds(route).shrunk(-GAP_MM * 1.2 * unit))


def way_through(board: Board, areas: Sequence[str]) -> list[Point]:
    """Return the way through the areas in mm: their middles, and between two the middle of the border they share."""
    route: list[Point] = []
    for before, name in zip((None, *areas), areas, strict=False):
        if before is not None:
            # The middle of the corners that both areas have; between their middles where they have none.
            theirs = [(round(x), round(y)) for x, y in board.area(name).polygon_mm]
            shared = [(x, y) for x, y in board.area(before).polygon_mm if (round(x), round(y)) in theirs]
            points = shared or [_middle(board, before), _middle(board, name)]
            route.append((sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)))
        route.append(_middle(board, name))
    return route


def _middle(board: Board, name: str) -> Point:
    xs, ys = zip(*board.area(name).polygon_mm, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
