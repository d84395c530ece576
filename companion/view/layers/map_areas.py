"""Where a map lies on the sheet, and its areas: whose they are, what stands in them, and what is marked on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.drawing.board_svg import AreaMarks, Point, area_marks, extent, inset, path, scale
from companion.ui.screen import AreaPicture
from companion.view.kit.sheet import Rect, Sheet, bounds
from companion.view.kit.signs import emblem, piece, sign
from companion.view.kit.theme import SideColours
from engine.orders.board import Area, Board


class MapFrame:
    """Where the board lies on the sheet, turned clockwise by `turn` degrees (0, 90, 180, 270): points from mm.

    `unit` is points from the mm in which signs and pieces are measured: those of Rivers' hexes.
    """

    def __init__(self, board: Board, place: Rect, turn: int = 0) -> None:
        left, top, width, height = extent(board)
        across, down = (height, width) if turn in (90, 270) else (width, height)
        self.board = board
        self.place = place
        self.turn = turn
        self.points_per_mm = min(place.w / across, place.h / down)
        self.scale = scale(board)
        self.unit = self.points_per_mm * self.scale
        self._cos, self._sin = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[turn]
        middle = left + width / 2, top + height / 2
        self.x = self.y = 0.0
        x, y = self.at(middle)
        self.x, self.y = place.centre[0] - x, place.centre[1] - y

    def at(self, point_mm: Point) -> Point:
        """Return the point of the sheet for a place on the board, given in mm."""
        (x, y), k = point_mm, self.points_per_mm
        return self.x + (x * self._cos - y * self._sin) * k, self.y + (x * self._sin + y * self._cos) * k

    def marks(self, name: str) -> AreaMarks:
        """Return the places of an area's marks, in mm of the board."""
        return _kept_marks(self.board, name, self.turn)

    def turned(self, by: Point) -> Point:
        """Return a direction in points, given for an unturned board, turned as the board is."""
        x, y = by
        return x * self._cos - y * self._sin, x * self._sin + y * self._cos

    def place_shapes(self, shapes_mm: str) -> str:
        """Return SVG shapes given in mm of the board, moved to their place on the sheet."""
        cos, sin = self._cos * self.points_per_mm, self._sin * self.points_per_mm
        matrix = f"matrix({cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {self.x:.3f} {self.y:.3f})"
        return f'<g transform="{matrix}">{shapes_mm}</g>'

    def outline(self, polygon_mm: Sequence[Point]) -> tuple[Point, ...]:
        """Return an outline on the board, given in mm, as points of the sheet."""
        return tuple(self.at(point) for point in polygon_mm)


@lru_cache(maxsize=8)
def map_frame(board: Board, place: Rect, turn: int = 0) -> MapFrame:
    """Return the frame of a board in that place: the same object as long as it is cached."""
    return MapFrame(board, place, turn)


@lru_cache(maxsize=400)
def _kept_marks(board: Board, name: str, turn: int) -> AreaMarks:
    return area_marks(board, board.area(name), turn)


# ---- what lies under the pieces ------------------------------------------------------------------

PIECE_MM = 10.3  # half a piece that stands alone
CROWDED_MM = 3.4  # so much lower do several stand
NAME_MM = 7.6
POINTS_MM = 9.2
FLAG_MM = 6.8
SMALLEST_PT = 8.5  # letters are never set smaller
SMALLER = 0.74  # where two stand side by side
CROWDED = 0.58  # where there are more
BORDER_MM = 1.9  # width of a faction's border
TOKEN_MM = 6.2  # half a bonus token, and the discs of points
TINT = 0.15  # how strongly a faction's colour lies over its areas
WASHED = 0.9  # of the tint, where a wash lies along the border as well
WASH_MM, WASHES = 1.9, (0.34, 0.24, 0.16, 0.09, 0.04)  # bands inwards from the border, and how strong each is
BEYOND_MM = 5.0  # so far beyond its area may something be that stands there
APART_PT = 8.0  # between the slanted lines of a cut area


def draw_ground(sheet: Sheet, frame: MapFrame, picture: AreaPicture) -> None:
    """Draw what lies under the pieces: the controller's border, the camera's doubt, what the open form marks."""
    area = frame.board.area(picture.name)
    if picture.controller:
        _control(sheet, frame, area, picture)
    outline = frame.outline(inset(area.polygon_mm, 1.2 * frame.scale))
    if picture.check == "hidden":
        sheet.raw(f'<path d="{path(outline)}" fill="{sheet.look.ink}" fill-opacity="0.5"/>')
    if picture.check == "differs":
        sheet.polygon(outline, "none", sheet.look.ink, 6.0)
        sheet.polygon(outline, "none", sheet.look.glow.bad, 3.4)
    if picture.mark:
        _mark(sheet, frame, area, picture.mark)
    sheet.close_group(bounds(frame.outline(area.polygon_mm)))


def _control(sheet: Sheet, frame: MapFrame, area: Area, picture: AreaPicture) -> None:
    """Draw the controller's colour along the border: whole where supplied, broken and hatched where cut."""
    assert picture.controller
    side = sheet.look.sides[picture.controller]
    width = BORDER_MM * frame.unit
    outline = frame.outline(inset(area.polygon_mm, (BORDER_MM / 2 + 0.4) * frame.scale))
    dash = "" if picture.supplied else f' stroke-dasharray="{width * 1.8:.2f} {width * 1.4:.2f}"'
    if not picture.supplied:
        box, data = bounds(outline), ""
        shift = box.x + box.y
        while shift < box.right + box.bottom:
            data += "".join(path(pair, closed=False) for pair in _chords(outline, shift))
            shift += APART_PT
        style = f'fill="none" stroke="{side.border}" stroke-width="1.2" stroke-opacity="0.45"'
        sheet.raw(f'<path d="{data}" {style}/>')
    if picture.supplied and sheet.look.material.sheen:
        _draw_wash(sheet, frame, area, side)
        tint = TINT * WASHED
    else:
        tint = TINT if picture.supplied else 0.0
    for colour, wide in side.strokes(width):
        sheet.raw(
            f'<path d="{path(outline)}" fill="{side.core or colour}" fill-opacity="{tint}" '
            f'stroke="{colour}" stroke-width="{wide:.2f}"{dash}/>'
        )


def _draw_wash(sheet: Sheet, frame: MapFrame, area: Area, side: SideColours) -> None:
    """Draw the side's ink inside its border, strongest there and fading inwards like wet paper."""
    for step, strength in enumerate(WASHES):
        outline = frame.outline(inset(area.polygon_mm, (BORDER_MM + 0.4 + (step + 0.5) * WASH_MM) * frame.scale))
        sheet.raw(
            f'<path d="{path(outline)}" fill="none" stroke="{side.core or side.border}" stroke-opacity="{strength}" '
            f'stroke-width="{WASH_MM * frame.unit:.2f}" stroke-linejoin="round"/>'
        )
    rim = frame.outline(inset(area.polygon_mm, (BORDER_MM + 0.7) * frame.scale))
    sheet.raw(
        f'<path d="{path(rim)}" fill="none" stroke="{side.line}" stroke-opacity="0.75" '
        f'stroke-width="{0.4 * frame.unit:.2f}" stroke-linejoin="round"/>'
    )


def _chords(outline: Sequence[Point], shift: float) -> list[tuple[Point, Point]]:
    """Return the pieces of the line x + y = shift inside the outline."""
    cuts = []
    for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], outline[0]], strict=True):
        before, after = x0 + y0 - shift, x1 + y1 - shift
        if (before > 0) != (after > 0):
            t = before / (before - after)
            cuts.append((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t))
    cuts.sort()
    return list(zip(cuts[::2], cuts[1::2], strict=False))


def _mark(sheet: Sheet, frame: MapFrame, area: Area, mark: str) -> None:
    """Draw a line around what may be touched, a double one around what is chosen, a hair cross around a target."""
    look, outline = sheet.look, frame.outline(inset(area.polygon_mm, 1.2 * frame.scale))
    asks = look.asking_colour(frame.board.factions)
    fill, width = {"live": (0.0, 3.0), "chosen": (0.34, 3.6), "target": (0.34, 5.0)}[mark]
    data = path(outline)
    sheet.raw(f'<path d="{data}" fill="{asks}" fill-opacity="{fill}" stroke="{look.ink}" '
              f'stroke-width="{width + 2.6}" stroke-linejoin="round"/>')  # fmt: skip
    sheet.polygon(outline, "none", asks, width)
    if mark == "chosen":
        sheet.polygon(frame.outline(inset(area.polygon_mm, 4.4 * frame.scale)), "none", look.ink, 1.4)
    if mark == "target":
        x, y = frame.at(frame.marks(area.name).units_mm)
        near, far = (PIECE_MM + 1.0) * frame.unit, (PIECE_MM + 5.0) * frame.unit
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            sheet.line([(x + dx * near, y + dy * near), (x + dx * far, y + dy * far)], look.ink, 3.0)


# ---- what stands there ------------------------------------------------------------------------


def draw_things(sheet: Sheet, frame: MapFrame, picture: AreaPicture) -> None:
    """Draw what lies on the area: its points, bonus token, pieces and flags."""
    area, look = frame.board.area(picture.name), sheet.look
    places, unit = frame.marks(area.name), frame.unit
    if area.vp:
        _points(sheet, frame.at(places.left_mm), unit, (area.vp, picture.earns))
    if picture.bonus:
        centre = frame.at(places.right_mm)
        sheet.disc(centre, TOKEN_MM * unit, look.cream, look.ink, 1.3)
        sign(sheet, picture.bonus, (centre, 4.0 * unit), look.ink, f"bonus:{picture.bonus}")
    x, y = places.units_mm
    _stacks(sheet, frame, (x, y + (CROWDED_MM * frame.scale if len(picture.stacks) > 1 else 0.0)), picture)
    _flags(sheet, (frame.at(_free_mark(area, places, frame.scale, crowded=len(picture.stacks) > 1)), unit), picture)
    sheet.close_group(bounds(frame.outline(area.polygon_mm)).shrunk(-BEYOND_MM * frame.scale * frame.points_per_mm))


def draw_names(sheet: Sheet, frame: MapFrame) -> None:
    """Write the names of all areas but air zones, whose sections have their names on them."""
    for area in frame.board.areas:
        if area.kind != "air":
            _name(sheet, frame, area.name)


def _name(sheet: Sheet, frame: MapFrame, name: str) -> None:
    """Write an area's name on a slip of paper, as lines may run below it."""
    x, y = frame.at(frame.marks(name).name_mm)
    size = letter_size(NAME_MM, frame.unit)
    slip = Rect(x - size * 0.84, y - size * 0.58, size * 1.68, size * 1.16)
    sheet.raw(
        f'<rect x="{slip.x:.1f}" y="{slip.y:.1f}" width="{slip.w:.1f}" height="{slip.h:.1f}" rx="{size * 0.45:.1f}" '
        f'fill="{sheet.look.board["paper"]}"/>'
    )
    sheet.close_group(slip)
    sheet.label(Rect(x - size, y - size * 0.7, 2 * size, size * 1.3), name, (sheet.look.ink, size, False), "centre")


def letter_size(size_mm: float, unit: float) -> float:
    """Return a size of letters that follows the map's scale, but stays legible."""
    return max(size_mm * unit, SMALLEST_PT)


def _points(sheet: Sheet, centre: Point, unit: float, told: tuple[int, str]) -> None:
    """Write the number of points, on the emblem of the faction that earns them now where that is shown."""
    vp, earns = told
    ink = sheet.look.ink
    if earns:
        emblem(sheet, earns, (centre, 6.4 * unit), about="worth")
        ink = sheet.look.sides[earns].text
    size = letter_size(POINTS_MM, unit)
    sheet.about(Rect.around(centre, size), "worth")
    sheet.label(
        Rect(centre[0] - size, centre[1] - size * 0.67, 2 * size, size * 1.34), str(vp), (ink, size, True), "centre"
    )


def _stacks(sheet: Sheet, frame: MapFrame, place_mm: Point, picture: AreaPicture) -> None:
    """Draw pieces with their number; several kinds side by side and smaller, many in a row for each faction."""
    name, stacks = picture.name, picture.stacks
    centre, count = frame.at(place_mm), len(stacks)
    radius = PIECE_MM * frame.unit * (1.0 if count == 1 else SMALLER if count == 2 else CROWDED)
    step = radius * 2.12
    factions = list(dict.fromkeys(stack.faction for stack in stacks))
    rows = [list(stacks)] if count < 3 else [[stack for stack in stacks if stack.faction == who] for who in factions]
    for row, here in enumerate(rows):
        y = centre[1] + (row - (len(rows) - 1) / 2) * step
        for i, stack in enumerate(here):
            at = (centre[0] + (i - (len(here) - 1) / 2) * step, y)
            piece(sheet, stack.faction, stack.unit, (at, radius), f"area:{name}")
            ink = sheet.look.sides[stack.faction].text
            text = str(stack.n) if stack.n else f"+{stack.change}"
            size = radius * (1.42 if len(text) == 1 else 1.15)
            rect = Rect(at[0] - radius, at[1] - radius * 1.06, 2 * radius, 2 * radius)
            sheet.label(rect, text, (ink, size if stack.n else max(radius * 0.95, SMALLEST_PT), True), "centre")
            if stack.change and stack.n:
                beside = ((-1.0, 0.0) if i == 0 else (1.0, 0.0)) if row else (0.0, -1.0)
                _change_mark(sheet, frame, (at, radius), stack.change, beside if count > 1 else None)


def _change_mark(sheet: Sheet, frame: MapFrame, placed: tuple[Point, float], change: int, beside: Point | None) -> None:
    """Draw what the open form adds or takes away, where nothing else of its area stands.

    That is at the corner of a piece that is alone (`beside` is None), else at the side of it that is free, given
    as a direction.
    """
    (x, y), radius = placed
    text = f"+{change}" if change > 0 else f"−{-change}"
    size = max(min(radius * 0.85, 12.0), SMALLEST_PT)
    side = -1 if frame.turn % 180 else 1
    dx, dy = frame.turned((side * radius * 0.95, max(radius * 0.95, radius * 0.56 + size * 0.5)))
    if beside is not None:  # pieces stand side by side however the board is turned
        away = radius + size * 0.35
        dx, dy = beside[0] * away, beside[1] * away
    tag(sheet, (x + dx, y + dy), (text, size), sheet.look.ink)


def tag(sheet: Sheet, centre: Point, told: tuple[str, float], line: str) -> None:
    """Draw a small number (its text and size in points) on the accent: what changes."""
    text, size = told
    wide, high = size * (0.5 + 0.6 * len(text)), size * 1.45
    rect = Rect(centre[0] - wide / 2, centre[1] - high / 2, wide, high)
    look = sheet.look
    sheet.box(rect, look.accent, line, high / 2, 1.4)
    sheet.label(rect._replace(x=rect.x - 3, w=wide + 6), text, (look.accent_ink, size, True), "centre")


# ---- flags ------------------------------------------------------------------------------------


def _free_mark(area: Area, places: AreaMarks, k: float, *, crowded: bool) -> Point:
    """Return a place of an area where nothing else is marked: right, left, below, or above several stacks."""
    if not area.slot:
        return places.right_mm
    if not (area.vp or area.hq):
        return places.left_mm
    x, y = places.units_mm
    return (x, y - 12.0 * k) if crowded else (x + 11.0 * k, y + 10.5 * k)


def _flags(sheet: Sheet, placed: tuple[Point, float], picture: AreaPicture) -> None:
    """Draw the camera's doubt about an area, "!" where it differs and "?" if unseen, or a form's change of supply."""
    look, (centre, unit) = sheet.look, placed
    half = letter_size(FLAG_MM, unit)
    sign_of = {"gained": ("supply", look.glow.good), "cut": ("cut", look.glow.bad)}
    if picture.check:
        differs = picture.check == "differs"
        sheet.disc(centre, half, look.glow.bad if differs else look.glow.quiet, look.ink, 1.6)
        rect = Rect.around(centre, half)
        sheet.label(rect, "!" if differs else "?", (look.ink, half * 1.4, True), "centre")
        sheet.about(rect, f"camera-{picture.check}")
    elif picture.change in sign_of:
        name, fill = sign_of[picture.change]
        sheet.disc(centre, half, fill, look.ink, 1.6)
        sign(sheet, name, (centre, half * 0.66), look.ink, f"supply-{name}")
    elif picture.by_hand:
        sheet.disc(centre, half, look.cream, look.ink, 1.4)
        sign(sheet, "pencil", (centre, half * 0.6), look.ink)
