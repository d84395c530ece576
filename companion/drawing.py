"""A board's data as one drawing, in SVG: polygons, paths and circles only, in the board's millimetres.

It is our own drawing, made from the areas' outlines: nothing of the printed board's art is in it. The screen lays it
under the pieces, print can use it as it is. Texts (names, points) are left to whoever shows it; `marks` says where
they go, so that the drawing and what is laid over it agree.

Frame: origin at the board's top left corner, x to the right, y down, in mm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.icons import ICONS, icon_shape
from engine.orders.board import Area, Board, Space

Point = tuple[float, float]

MARK_MM = 16.0  # from an area's centre to its points (left) and its bonus slot (right)
RAISED_MM = -4.2  # and so far above it
ASIDE_MM = (15.5, 9.5)  # from the centre to the name on a board turned to a side
MARGIN_MM = 1.5  # kept free around the outlines
SAME_MM = 0.5  # corners nearer than this are one corner

COLOURS: Mapping[str, str] = {
    "land": "#c9bd98",
    "water": "#6b9bb5",
    "border": "#2b2f33",
    "land_line": "#9c8c60",
    "water_line": "#5f8aa0",
    "shore": "#e3eef0",
    "land_detail": "#b3a57c",
    "water_detail": "#84b0c7",
    "pier": "#5a4630",
    "points": "#f3c54b",
    "paper": "#efe7d0",
    "ink": "#3a3a36",
    "red": "#c8381f",
    "black": "#15171a",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """Where an area's things stand, in mm: its units, its name, its points or headquarters (left), its slot (right)."""

    units_mm: Point
    name_mm: Point
    left_mm: Point
    right_mm: Point


def marks(board: Board, area: Area, turn: int = 0) -> Marks:
    """The places of an area's marks: in the hex of it that is freest of action spaces.

    Where the board is shown turned by `turn` degrees, a quarter to either side, the name stands elsewhere: upright
    letters would lie on the pieces.
    """
    x, y = _roomiest(area.centres_mm, [space.at_mm for space in board.spaces if space.area == area.name])
    name = (x + ASIDE_MM[0], y + ASIDE_MM[1]) if turn % 180 else (x, y + 16.2)
    return Marks((x, y + 0.6), name, (x - MARK_MM, y + RAISED_MM), (x + MARK_MM, y + RAISED_MM))


def extent(board: Board) -> tuple[float, float, float, float]:
    """(left, top, width, height) in mm of what is drawn: the outlines and a small margin."""
    xs, ys = zip(*(corner for area in board.areas for corner in area.polygon_mm), strict=True)
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    return left, top, max(xs) + MARGIN_MM - left, max(ys) + MARGIN_MM - top


def _roomiest(centres: Sequence[Point], taken: Iterable[Point | None]) -> Point:
    places = [place for place in taken if place is not None]
    if not places:
        return centres[0]
    return max(centres, key=lambda centre: min(math.dist(centre, place) for place in places))


def inset(polygon: Sequence[Point], by: float) -> tuple[Point, ...]:
    """The polygon with every side moved inwards by `by`, in the polygon's own units; the order of corners is kept."""
    turn = math.copysign(1.0, _doubled_area(polygon))
    count = len(polygon)
    return tuple(_moved_corner(polygon[i - 1], polygon[i], polygon[(i + 1) % count], by * turn) for i in range(count))


def _doubled_area(polygon: Sequence[Point]) -> float:
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _sides(polygon))


def _moved_corner(before: Point, corner: Point, after: Point, by: float) -> Point:
    (ax, ay), (bx, by_) = _normal(before, corner), _normal(corner, after)
    scale = by / max(1.0 + ax * bx + ay * by_, 0.2)  # a very sharp corner is not thrown far away
    return corner[0] + (ax + bx) * scale, corner[1] + (ay + by_) * scale


def _normal(start: Point, end: Point) -> Point:
    """Unit normal of a side, pointing inwards where the corners run clockwise on the screen."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    return -dy / length, dx / length


def hexagon(centre: Point, side: float) -> tuple[Point, ...]:
    """Six corners of a hexagon with a flat top, clockwise from the right one."""
    x, y = centre
    return tuple((x + side * math.cos(a * math.pi / 3), y + side * math.sin(a * math.pi / 3)) for a in range(6))


def shared_side(one: Sequence[Point], other: Sequence[Point]) -> tuple[Point, Point] | None:
    """The side that two outlines share, as it runs in `one`; None where they do not touch."""
    return next((side for side in _sides(one) if _among(side, [other])), None)


def _same_side(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    near = [[math.dist(a, b) < SAME_MM for b in other] for a in one]
    return (near[0][1] and near[1][0]) or (near[0][0] and near[1][1])


# ---- the drawing ------------------------------------------------------------------------------


def board_svg(board: Board, width_px: int, colours: Mapping[str, str] | None = None) -> str:
    """The whole drawing as an SVG document `width_px` wide; `colours` replaces any of COLOURS by name."""
    left, top, width, height = extent(board)
    height_px = round(width_px * height / width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width_px}" height="{height_px}" '
        f'viewBox="{left:g} {top:g} {width:g} {height:g}">\n<desc>Our own drawing of the board {board.name}, '
        f"made from its areas' outlines.</desc>\n{board_shapes(board, colours)}\n"
        f"{action_shapes(board, colours)}\n{mark_shapes(board, colours)}\n</svg>\n"
    )


def board_shapes(board: Board, colours: Mapping[str, str] | None = None) -> str:
    """Areas, borders, piers and action spaces in mm, without a document around them."""
    ink = {**COLOURS, **(colours or {})}
    parts = [_area_shape(area, ink) for area in board.areas]
    parts += [_detail(board, area, ink) for area in board.areas]
    parts += [_shore(board, area, ink) for area in board.areas if area.kind == "water"]
    parts += [_border(area, ink) for area in board.areas]
    parts += [_coast(board, ink)]
    parts += [_pier(area, board.area(water), ink) for area in board.areas for water in area.ports]
    parts += [_space_shape(space, board.space_side_mm, ink) for space in board.spaces if space.at_mm is not None]
    return "\n".join(part for part in parts if part)


def action_shapes(board: Board, colours: Mapping[str, str] | None = None) -> str:
    """The icon of its action in every space that is on the map, in mm."""
    ink = {**COLOURS, **(colours or {})}["ink"]
    half = board.space_side_mm * 0.62
    return "\n".join(icon_shape(one.action.name, one.at_mm, half, ink) for one in board.spaces if one.at_mm)


def mark_shapes(board: Board, colours: Mapping[str, str] | None = None, turn: int = 0) -> str:
    """The discs under the points, the headquarters and the bonus slots, in mm: they lie over the areas.

    Where the drawing is shown turned clockwise by `turn` degrees, they stand upright all the same.
    """
    ink = {**COLOURS, **(colours or {})}
    return "\n".join(part for area in board.areas if (part := _marks_shape(board, area, ink, turn)))


def path(points: Sequence[Point], closed: bool = True) -> str:
    """SVG path data through the points."""
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in points) + ("Z" if closed else "")


def _area_shape(area: Area, ink: Mapping[str, str]) -> str:
    return f'<path d="{path(area.polygon_mm)}" fill="{ink[area.kind]}"/>'


def _border(area: Area, ink: Mapping[str, str]) -> str:
    thick = 2.6 if area.fort else 0.6
    colour = ink["border"] if area.fort else ink[area.kind + "_line"]
    return (
        f'<path d="{path(area.polygon_mm)}" fill="none" stroke="{colour}" stroke-width="{thick}" '
        f'stroke-linejoin="round"/>'
    )


def _coast(board: Board, ink: Mapping[str, str]) -> str:
    """The lines that count most, over the others: where land meets water, and the board's own edge."""
    land = [area.polygon_mm for area in board.areas if area.kind != "water"]
    water = [area.polygon_mm for area in board.areas if area.kind == "water"]
    sides = [side for one in land for side in _sides(one) if not _among(side, [o for o in land if o is not one])]
    sides += [
        side for one in water for side in _sides(one) if not _among(side, [*land, *(o for o in water if o is not one)])
    ]
    data = "".join(path(side, closed=False) for side in sides)
    return f'<path d="{data}" fill="none" stroke="{ink["border"]}" stroke-width="1.1" stroke-linecap="round"/>'


def _shore(board: Board, area: Area, ink: Mapping[str, str]) -> str:
    """Two pale lines in the water along its land, as on old charts."""
    land = [one.polygon_mm for one in board.areas if one.kind != "water"]
    shape = ""
    for by, width in ((1.3, 1.6), (3.0, 0.7)):
        moved = inset(area.polygon_mm, by)
        pairs = zip(_sides(area.polygon_mm), _sides(moved), strict=True)
        data = "".join(path(new, closed=False) for old, new in pairs if _among(old, land))
        shape += f'<path d="{data}" fill="none" stroke="{ink["shore"]}" stroke-width="{width}" stroke-linecap="round"/>'
    return shape


def _sides(polygon: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))


def _among(side: tuple[Point, Point], outlines: Iterable[Sequence[Point]]) -> bool:
    """Whether the side belongs to one of the outlines too."""
    return any(_same_side(side, other) for outline in outlines for other in _sides(outline))


def _detail(board: Board, area: Area, ink: Mapping[str, str]) -> str:
    """A few quiet strokes in each hex, so that water and land are told apart without their colour."""
    strokes = [(-8.0, 14.5), (8.0, 14.5), (0.0, -10.5)] if area.kind == "water" else [(-9.0, 15.0), (9.5, 14.0)]
    draw = _wave if area.kind == "water" else _hill
    data = "".join(draw(x + dx, y + dy) for x, y in area.centres_mm for dx, dy in strokes)
    return f'<path d="{data}" fill="none" stroke="{ink[area.kind + "_detail"]}" stroke-width="0.9"/>'


def _wave(x: float, y: float) -> str:
    return f"M{x - 5:.2f} {y:.2f}q1.25 -1.8 2.5 0t2.5 0t2.5 0t2.5 0"


def _hill(x: float, y: float) -> str:
    return f"M{x - 4:.2f} {y + 1.5:.2f}q2.2 -4.6 4.4 0M{x + 0.2:.2f} {y + 1.5:.2f}q1.7 -3.2 3.6 0"


def _pier(port: Area, water: Area, ink: Mapping[str, str]) -> str:
    """Two planks from the middle of the shared side out into the water."""
    side = shared_side(port.polygon_mm, water.polygon_mm)
    if side is None:
        return ""
    (x0, y0), (x1, y1) = side
    length = math.dist(*side)
    along = ((x1 - x0) / length, (y1 - y0) / length)
    out = _outwards(port.polygon_mm, side)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    planks = "".join(_plank(middle, along, out, shift) for shift in (-2.4, 2.4))
    return f'<path d="{planks}" fill="none" stroke="{ink["pier"]}" stroke-width="1.7" stroke-linecap="round"/>'


def _outwards(polygon: Sequence[Point], side: tuple[Point, Point]) -> Point:
    turn = math.copysign(1.0, _doubled_area(polygon))
    x, y = _normal(*side)
    return -x * turn, -y * turn


def _plank(middle: Point, along: Point, out: Point, shift: float) -> str:
    x, y = middle[0] + along[0] * shift, middle[1] + along[1] * shift
    return path([(x - out[0] * 1.6, y - out[1] * 1.6), (x + out[0] * 4.2, y + out[1] * 4.2)], closed=False)


def _space_shape(space: Space, side_mm: float, ink: Mapping[str, str]) -> str:
    assert space.at_mm is not None
    data = path(hexagon(space.at_mm, side_mm))
    return f'<path d="{data}" fill="{ink["paper"]}" stroke="{ink["border"]}" stroke-width="0.7"/>'


def _marks_shape(board: Board, area: Area, ink: Mapping[str, str], turn: int) -> str:
    places = marks(board, area)
    parts = []
    if area.vp:
        parts.append(_disc(places.left_mm, 5.6, ink["points"], ink["border"]))
    if area.hq:
        parts.append(_disc(places.left_mm, 6.8, ink["paper"], ink[area.hq]))
        parts.append(_upright("castle", (places.left_mm, 5.2), ink[area.hq], turn))
    if area.slot:
        parts.append(_disc(places.right_mm, 6.2, ink["paper"], ink["border"]))
        sign = area.slot if area.slot in ICONS else "flower"
        parts.append(_upright(sign, (places.right_mm, 3.8), ink["ink"], turn))
    return "\n".join(parts)


def _upright(name: str, placed: tuple[Point, float], colour: str, turn: int) -> str:
    """An icon turned back about its middle."""
    (x, y), half = placed
    shape = icon_shape(name, (x, y), half, colour)
    return f'<g transform="rotate({-turn} {x:.2f} {y:.2f})">{shape}</g>' if turn else shape


def _disc(centre: Point, radius: float, fill: str, line: str) -> str:
    x, y = centre
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius}" fill="{fill}" stroke="{line}" stroke-width="0.6"/>'
