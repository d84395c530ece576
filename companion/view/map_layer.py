"""The map: the board's drawing with everything that changes laid over it, and what can be touched on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.drawing import Marks, Point, board_shapes, extent, hexagon, inset, mark_shapes, marks, path
from companion.scenes.screen import AreaPicture, Intent, MapPicture, SpacePicture, Stack
from companion.view.chain_layer import draw_chains
from companion.view.sheet import Rect, Sheet, bounds
from companion.view.signs import commander, piece, sign
from companion.view.theme import Theme
from engine.orders.board import Area, Board

PIECE_MM = 8.6  # half a piece
SPACES_APART_MM = 19.6  # two spaces of one area
BORDER_MM = 1.7  # inset and width of a faction's border


class Frame:
    """Where the board lies on the sheet, turned clockwise by `turn` degrees (0, 90, 180, 270): points from mm."""

    def __init__(self, board: Board, place: Rect, turn: int = 0) -> None:
        left, top, width, height = extent(board)
        across, down = (height, width) if turn in (90, 270) else (width, height)
        self.board = board
        self.turn = turn
        self.points_per_mm = min(place.w / across, place.h / down)
        self._cos, self._sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        middle = left + width / 2, top + height / 2
        self.x = self.y = 0.0
        x, y = self.at(middle)
        self.x, self.y = place.centre[0] - x, place.centre[1] - y

    def at(self, point_mm: Point) -> Point:
        """A place of the board on the sheet."""
        (x, y), k = point_mm, self.points_per_mm
        return self.x + (x * self._cos - y * self._sin) * k, self.y + (x * self._sin + y * self._cos) * k

    def placed(self, shapes_mm: str) -> str:
        """Shapes in mm at their place on the sheet."""
        cos, sin = self._cos * self.points_per_mm, self._sin * self.points_per_mm
        matrix = f"matrix({cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {self.x:.3f} {self.y:.3f})"
        return f'<g transform="{matrix}">{shapes_mm}</g>'

    def outline(self, polygon_mm: Sequence[Point]) -> tuple[Point, ...]:
        """An outline of the board on the sheet."""
        return tuple(self.at(point) for point in polygon_mm)


def map_width(board: Board, height: float) -> float:
    """How wide the map is at that height, both in points."""
    _, _, width_mm, height_mm = extent(board)
    return height * width_mm / height_mm


class _Chosen:
    """The colours that the owner gave to parts of the drawn board."""

    colours: Mapping[str, str] = {}


def use_board_colours(colours: Mapping[str, str]) -> None:
    """Draw the board in these colours from now on: any of `drawing.COLOURS` by name, "#rrggbb"."""
    _Chosen.colours = dict(colours)
    _drawing.cache_clear()


@lru_cache(maxsize=4)
def _drawing(board: Board, look: Theme) -> tuple[str, str]:
    """The board's drawing in mm: the ground, and the marks that lie over the factions' colours."""
    colours = {**look.board, **{name: side.border for name, side in look.sides.items()}, **_Chosen.colours}
    return board_shapes(board, colours), mark_shapes(board, colours)


def draw_map(sheet: Sheet, picture: MapPicture, place: Rect, turn: int = 0) -> None:
    """Lay the map into the place, with its targets; the board turned clockwise by `turn` degrees."""
    frame = Frame(picture.board, place, turn)
    ground, over = _drawing(picture.board, sheet.look)
    sheet.still(frame.placed(ground))
    for area in picture.areas:
        _area_ground(sheet, frame, area)
    sheet.raw(frame.placed(over))
    for space in picture.spaces:
        _space(sheet, frame, space)
    draw_chains(sheet, frame, picture)
    for area in picture.areas:
        _area_things(sheet, frame, area)
    for area in picture.areas:
        outline = frame.outline(frame.board.area(area.name).polygon_mm)
        sheet.target(bounds(outline), Intent("area", area.name), outline)
    _space_targets(sheet, frame, picture.spaces)


# ---- areas ------------------------------------------------------------------------------------


def _area_ground(sheet: Sheet, frame: Frame, picture: AreaPicture) -> None:
    area = frame.board.area(picture.name)
    if picture.controller:
        _control(sheet, frame, area, picture)
    if picture.check == "hidden":
        outline = frame.outline(inset(area.polygon_mm, 1.0))
        sheet.raw(f'<path d="{path(outline)}" fill="{sheet.look.page}" fill-opacity="0.55"/>')
    if picture.check == "differs":
        outline = frame.outline(inset(area.polygon_mm, 1.0))
        sheet.polygon(outline, "none", sheet.look.glow.bad, 3.4)
    if picture.mark:
        _mark(sheet, frame.outline(inset(area.polygon_mm, 1.0)), picture.mark)


def _control(sheet: Sheet, frame: Frame, area: Area, picture: AreaPicture) -> None:
    """The controller's colour along the border: whole where supplied, broken and hatched where cut."""
    assert picture.controller
    colour = sheet.look.sides[picture.controller].border
    width = BORDER_MM * frame.points_per_mm
    outline = frame.outline(inset(area.polygon_mm, BORDER_MM / 2 + 0.5))
    dash = "" if picture.supplied else f' stroke-dasharray="{width * 1.6:.2f} {width * 1.4:.2f}"'
    if not picture.supplied:
        _hatch(sheet, outline, colour)
    sheet.raw(
        f'<path d="{path(outline)}" fill="{colour}" fill-opacity="{0.16 if picture.supplied else 0.0}" '
        f'stroke="{colour}" stroke-width="{width:.2f}"{dash}/>'
    )


def _hatch(sheet: Sheet, outline: Sequence[Point], colour: str) -> None:
    """Slanted lines inside the outline."""
    box = bounds(outline)
    apart = 9.0
    data = []
    shift = box.x + box.y
    while shift < box.right + box.bottom:
        data += [path(pair, closed=False) for pair in _chords(outline, shift)]
        shift += apart
    sheet.raw(f'<path d="{"".join(data)}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-opacity="0.6"/>')


def _chords(outline: Sequence[Point], shift: float) -> list[tuple[Point, Point]]:
    """The pieces of the line x + y = shift inside the outline."""
    cuts = []
    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        before, after = x0 + y0 - shift, x1 + y1 - shift
        if (before > 0) != (after > 0):
            t = before / (before - after)
            cuts.append((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t))
    cuts.sort()
    return list(zip(cuts[::2], cuts[1::2], strict=False))


def _mark(sheet: Sheet, outline: Sequence[Point], mark: str) -> None:
    fill = {"live": 0.0, "chosen": 0.3, "target": 0.42}[mark]
    width = {"live": 2.6, "chosen": 3.4, "target": 4.2}[mark]
    sheet.raw(
        f'<path d="{path(outline)}" fill="{sheet.look.accent}" fill-opacity="{fill}" stroke="{sheet.look.cream}" '
        f'stroke-width="{width}" stroke-linejoin="round"/>'
    )


def _area_things(sheet: Sheet, frame: Frame, picture: AreaPicture) -> None:
    area = frame.board.area(picture.name)
    places = marks(frame.board, area)
    unit = frame.points_per_mm
    x, y = frame.at(places.name_mm)
    sheet.label(Rect(x - 16, y - 8, 32, 15), picture.name, (sheet.look.ink, 11.5, True), "centre")
    if area.vp:
        _figure(sheet, frame.at(places.left_mm), str(area.vp), (sheet.look.ink, 13.5, True))
    if picture.bonus:
        centre = frame.at(places.right_mm)
        sheet.disc(centre, 6.0 * unit, sheet.look.cream, sheet.look.ink, 1.3)
        sign(sheet, picture.bonus, (centre, 3.9 * unit), sheet.look.ink)
    _stacks(sheet, frame.at(places.units_mm), unit, picture.stacks)
    if picture.check:
        _flag(sheet, frame.at(_free_mark(area, places)), picture.check)


def _figure(sheet: Sheet, centre: Point, text: str, style: tuple[str, float, bool]) -> None:
    sheet.label(Rect(centre[0] - 9, centre[1] - 9, 18, 18), text, style, "centre")


def _stacks(sheet: Sheet, centre: Point, unit: float, stacks: Sequence[Stack]) -> None:
    """Pieces with their number; side by side and smaller where there are several kinds."""
    count = len(stacks)
    radius = PIECE_MM * unit * (1.0 if count == 1 else 0.78)
    step = radius * 2.15
    for i, stack in enumerate(stacks):
        x = centre[0] + (i - (count - 1) / 2) * step
        _stack(sheet, (x, centre[1]), radius, stack)


def _stack(sheet: Sheet, centre: Point, radius: float, stack: Stack) -> None:
    piece(sheet, stack.faction, stack.unit, (centre, radius))
    size = radius * 1.25
    rect = Rect(centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)
    text = str(stack.n) if stack.n else f"+{stack.change}"
    sheet.label(rect, text, (sheet.look.sides[stack.faction].text, size if stack.n else radius, True), "centre")
    if stack.change and stack.n:
        bubble = (centre[0] + radius * 1.05, centre[1] + radius * 0.95)
        sheet.disc(bubble, 9.5, sheet.look.accent, sheet.look.ink, 1.4)
        text = f"+{stack.change}" if stack.change > 0 else f"−{-stack.change}"
        sheet.label(Rect(bubble[0] - 9, bubble[1] - 8, 18, 16), text, (sheet.look.ink, 11.5, True), "centre")


def _free_mark(area: Area, places: Marks) -> Point:
    """Where nothing else is marked: at the right, at the left, or below."""
    if not area.slot:
        return places.right_mm
    return (places.units_mm[0] + 11.0, places.units_mm[1] + 10.5) if area.vp or area.hq else places.left_mm


def _flag(sheet: Sheet, centre: Point, check: str) -> None:
    """The camera's doubt: a bright flag with "!" where it differs, "?" where it cannot see."""
    glow = sheet.look.glow
    fill = glow.bad if check == "differs" else glow.quiet
    sheet.disc(centre, 9, fill, sheet.look.ink, 1.6)
    rect = Rect(centre[0] - 8, centre[1] - 8, 16, 16)
    sheet.label(rect, "!" if check == "differs" else "?", (sheet.look.ink, 13, True), "centre")


# ---- action spaces ----------------------------------------------------------------------------


def _space(sheet: Sheet, frame: Frame, picture: SpacePicture) -> None:
    place = frame.board.space(picture.name).at_mm
    if place is None:
        return
    centre, radius = frame.at(place), frame.board.space_side_mm * frame.points_per_mm
    if picture.live or picture.chosen:
        fill = sheet.look.accent if picture.chosen else "#fff6da"
        sheet.polygon(hexagon(centre, radius), fill, "#8a5a00", 2.0)
    if picture.held_by:
        for i, faction in enumerate(picture.held_by):
            commander(sheet, faction, ((centre[0] + 5 * i, centre[1] + 4 * i), radius * 0.98))
        return
    ink = sheet.look.ink if picture.live or picture.chosen else "#8b8570"
    sign(sheet, picture.action, (centre, radius * 0.66), ink)


def _space_targets(sheet: Sheet, frame: Frame, spaces: Sequence[SpacePicture]) -> None:
    """Spaces are touched by themselves where the screen is large enough; else by their area, which lists them."""
    reach = SPACES_APART_MM * frame.points_per_mm / 2
    if 2 * reach < sheet.touch:
        return
    radius = reach * 2 / math.sqrt(3)
    for space in spaces:
        place = frame.board.space(space.name).at_mm
        if place is not None:
            x, y = frame.at(place)
            outline = hexagon((x, y), radius)
            sheet.target(bounds(outline), Intent("space", space.name), outline)
