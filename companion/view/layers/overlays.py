"""What may be laid over the map: chains to a headquarters, the supply of both factions, what the last turn changed."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise

from companion.drawing.board_svg import Point
from companion.ui.screen import MapPicture, SupplyChain, Trace
from companion.view.kit.sheet import Rect, Sheet, bounds
from companion.view.kit.signs import sign
from companion.view.layers.map_areas import MapFrame, letter_size
from engine.orders.board import Board

WIDTH_MM = 2.6
GAP_MM = 7.5


def draw_chains(sheet: Sheet, frame: MapFrame, picture: MapPicture) -> None:
    """Draw the supply chains that a question is about over the map's areas."""
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
        centre, radius = route[chain.areas.index(chain.gap) * 2], GAP_MM * unit
        sheet.disc(centre, radius, sheet.look.page, sheet.look.bad, 3.4)
        sheet.cross(centre, radius * 0.55, sheet.look.bad, 4.2)
    sheet.close_group(bounds(route).shrunk(-GAP_MM * 1.2 * unit))


def way_through(board: Board, areas: Sequence[str]) -> list[Point]:
    """Return the route through the areas in mm: the middle of each, and of its border with the next."""
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


LINE_MM = 1.9
FIRE_DASH = "7 6"
HEAD_PT = 9.0  # length of an arrow's head
ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9)  # where on an arrow its number may stand
NUMBER_MM = 8.2
PIECE_CLEAR_MM = 14.0  # between a number and the middle of any pieces
CROWD_CLEAR_MM = 21.0  # where several stand side by side
POINTS_CLEAR_MM = 11.0  # and of any points
CROWDED_MM = 2.0  # where it would be nearer by more than this, an arrow's number is left out
TAG_CLEAR_MM = 12.0  # and of a name, or of another number
BESIDE_MM = {0: ((13.0, 8.5), (-13.0, 8.5)), 90: ((3.0, 13.0), (-13.5, 9.5))}  # by a turn to the side; by faction
FAR_MM = 24.0  # where the points of the area lie in its way
CLEAR_MM = 9.0  # an arrow begins and ends so far from the middle of an area


# ---- supply -----------------------------------------------------------------------------------


def draw_supply(sheet: Sheet, frame: MapFrame, chains: Sequence[SupplyChain]) -> None:
    """Draw a line from each area to the next on its supply chain; where it breaks, a dashed stump and a sign."""
    # Air zones lie beside the map, in no order: they show their supply by their rims.
    chains = [chain for chain in chains if frame.board.area(chain.areas[0]).kind != "air"]
    held = ((chain.faction, chain.areas[:-1] if chain.gap else chain.areas) for chain in chains)
    for faction, here, there in dict.fromkeys((faction, *pair) for faction, areas in held for pair in pairwise(areas)):
        points = _route(frame, here, there)
        _line(sheet, points, faction, LINE_MM * frame.unit)
        sheet.close_group(bounds(points))
    for broken in {
        (chain.faction, chain.areas[-2], chain.gap) for chain in chains if chain.gap and len(chain.areas) > 1
    }:
        _stump(sheet, frame, broken)


def _line(sheet: Sheet, points: Sequence[Point], faction: str, width: float, dash: str = "") -> None:
    side = sheet.look.sides[faction]
    sheet.line(points, sheet.look.cream, width + 2.4, dash)
    for colour, wide in side.strokes(width):
        sheet.line(points, colour, wide, dash)


def _route(frame: MapFrame, here: str, there: str) -> list[Point]:
    """Return the way from the pieces of an area over the middle of the border to those of the next."""
    board = frame.board
    ends = [frame.marks(name).units_mm for name in (here, there)]
    return [frame.at(point) for point in (ends[0], way_through(board, (here, there))[1], ends[1])]


def _stump(sheet: Sheet, frame: MapFrame, broken: tuple[str, str, str]) -> None:
    faction, last, gap = broken
    points = _route(frame, last, gap)[:2]
    _line(sheet, points, faction, LINE_MM * frame.unit, "4 5")
    sheet.disc(points[-1], 10, sheet.look.cream, sheet.look.sides[faction].border, 1.8)
    sign(sheet, "cut", (points[-1], 7.5), sheet.look.ink, "supply-break")
    sheet.close_group(bounds(points).shrunk(-12))


# ---- the last turn ----------------------------------------------------------------------------


def draw_arrows(sheet: Sheet, frame: MapFrame, traces: Sequence[Trace]) -> None:
    """Draw arrows of moves and lines of fire: under all marks and pieces."""
    for trace in traces:
        if _runs(trace):
            (x0, y0), (x1, y1) = _ends(frame, trace)
            length = math.hypot(x1 - x0, y1 - y0)
            ux, uy = (x1 - x0) / length, (y1 - y0) / length
            neck = (x1 - ux * HEAD_PT, y1 - uy * HEAD_PT)
            head = ((x1, y1), (neck[0] - uy * 7, neck[1] + ux * 7), (neck[0] + uy * 7, neck[1] - ux * 7))
            side = sheet.look.sides[trace.faction]
            dash = FIRE_DASH if trace.kind == "fire" else ""
            sheet.line([(x0, y0), neck], sheet.look.cream, 7.5)
            sheet.polygon(head, side.border, sheet.look.cream, 5.0)
            for colour, wide in side.strokes(3.6):
                sheet.line([(x0, y0), neck], colour, wide, dash)
            sheet.polygon(head, side.core or side.border, side.border, 1.0)
            sheet.close_group(bounds([(x0, y0), *head]))


def _runs(trace: Trace) -> bool:
    """Return whether a trace leads from an area to another."""
    return bool(trace.start) and trace.start != trace.end


def draw_numbers(sheet: Sheet, frame: MapFrame, traces: Sequence[Trace], crowded: Collection[str] = ()) -> None:
    """Write how many units moved, came or went, over all else; areas crowded with pieces have no room for that."""
    arrows = [trace for trace in traces if _runs(trace)]
    taken = _occupied_places(frame, crowded)
    for trace in traces:
        if trace.n and trace not in arrows and trace.end not in crowded:
            _number(sheet, frame, trace, _label_place(frame, trace))
            taken.append((_label_place(frame, trace), TAG_CLEAR_MM * frame.unit))
    for arrow in arrows:
        at = _on_arrow(taken, *_ends(frame, arrow))
        if arrow.n and _room(taken, at) > -CROWDED_MM * frame.unit:
            _number(sheet, frame, arrow, at)
            taken.append((at, TAG_CLEAR_MM * frame.unit))


def _occupied_places(frame: MapFrame, crowded: Collection[str]) -> list[tuple[Point, float]]:
    """Return the places that a number must not cover, each with how far the number keeps from it, in points."""
    board, unit = frame.board, frame.unit
    places = [(area, frame.marks(area.name)) for area in board.areas]
    clear = {area.name: CROWD_CLEAR_MM if area.name in crowded else PIECE_CLEAR_MM for area in board.areas}
    taken = [(frame.at(marks.units_mm), clear[area.name] * unit) for area, marks in places]
    taken += [(frame.at(marks.name_mm), TAG_CLEAR_MM * unit) for _, marks in places]
    return taken + [(frame.at(marks.left_mm), POINTS_CLEAR_MM * unit) for area, marks in places if area.vp]


def _ends(frame: MapFrame, trace: Trace) -> tuple[Point, Point]:
    """Return the ends of an arrow: short of the pieces at both, and of points that lie in its way."""
    return _end(frame, trace.start, trace.end), _end(frame, trace.end, trace.start)


def _end(frame: MapFrame, name: str, other: str) -> Point:
    """Return the end of an arrow at an area that comes from or leads to the other."""
    (x0, y0), (x1, y1) = (frame.at(frame.marks(area).units_mm) for area in (name, other))
    length, unit = math.hypot(x1 - x0, y1 - y0), frame.unit
    at = (x0, y0)
    for clear_mm in (CLEAR_MM, FAR_MM):
        part = min(clear_mm * unit, length / 3) / length
        at = (x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
        if not frame.board.area(name).vp or math.dist(at, frame.at(frame.marks(name).left_mm)) > POINTS_CLEAR_MM * unit:
            break
    return at


def _on_arrow(taken: Sequence[tuple[Point, float]], start: Point, end: Point) -> Point:
    """Return the freest place on an arrow; of several free ones, the nearest to its middle."""
    places = [(start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t) for t in ALONG]
    return max(places, key=lambda at: min(0.0, _room(taken, at)))


def _room(taken: Sequence[tuple[Point, float]], at: Point) -> float:
    """Return how far a place is from the nearest taken one, less the clear space of that; below 0 if too near."""
    return min(math.dist(at, centre) - clear for centre, clear in taken)


def _label_place(frame: MapFrame, trace: Trace) -> Point:
    """Return the place of a number beside the pieces of its area, each faction at its own side."""
    x, y = frame.marks(trace.end).units_mm
    dx, dy = BESIDE_MM[frame.turn % 180][frame.board.factions.index(trace.faction)]
    return frame.at((x + dx * frame.scale, y + dy * frame.scale))


def _number(sheet: Sheet, frame: MapFrame, trace: Trace, centre: Point) -> None:
    """Write a number on a slip of paper, rimmed in its faction's colour."""
    text = {"move": f"{trace.n}", "more": f"+{trace.n}"}.get(trace.kind, f"−{trace.n}")
    look = sheet.look
    size = letter_size(NUMBER_MM, frame.unit)
    wide, high = size * (0.5 + 0.62 * len(text)), size * 1.45
    rect = Rect(centre[0] - wide / 2, centre[1] - high / 2, wide, high)
    sheet.box(rect, look.cream, look.sides[trace.faction].border, high / 2, 1.8)
    sheet.label(rect._replace(x=rect.x - 3, w=wide + 6), text, (look.ink, size, True), "centre")
    sheet.close_group(rect)
