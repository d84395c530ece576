"""A battlefield beside the words: ground, bases with their facing, rings and lines; below it a part of it enlarged.

The ground is drawn once and kept; what moves lies over it. Where a finger leads a base, the whole field is one target
that follows the finger. Where bases are touched, each is a target of its own, over the field where both may be meant.

Nothing is told by colour alone: statuses are diamonds at the rear of a base, fatigue is a moon, and each kind of unit
has a sign of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from math import cos, radians, sin

from companion.drawing.board_svg import Point, hexagon, path
from companion.ui.battlefield_picture import SIGNS, FieldPicture, LineSight, RingSight, UnitSight
from companion.ui.intents import Intent
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet, bounds
from companion.view.kit.signs import sign
from companion.view.kit.theme import GAP_PT
from companion.view.layers.field_ground import FieldFrame, ground_shapes

CLOSE_PT = 44.0  # points of a Movement in the enlarged part
LEAST_CLOSE_PT = 96.0  # a lower place shows no enlarged part
MOST_CLOSE_PT = 190.0
MOST_LEGEND_PT = 136.0
LEAST_HIGH = 2.8  # Movements that the enlarged part is high at least
LABEL_PT = 12.5
ARROW_PT = 8.0  # half the breadth of an arrow with its rim
QUARTER = 3.0  # Movements: how long the borders of the quarters are drawn
LEGEND_ROW_PT = 27.0
LEGEND_COLUMN_PT = 128.0  # at least
LEGEND_TEXT_PT = 14.0
HEX_COLUMN = math.sqrt(3) / 2  # Movements between columns of hexes that are one Movement high


def draw_field(sheet: Sheet, picture: FieldPicture, most: Rect, turn: int = 0) -> Rect:
    """Draw the field at the top left of the place, as large as it fits, a part enlarged or a legend below.

    Return where all of it is. turn: 180 for a player at the far side, on whose side of the glass all is upside down:
    the field is turned back, and lies at the bottom, which is where it lies on the glass for the near player.
    """
    far = turn == 180
    scale = min(most.w / picture.size[0], most.h / picture.size[1])
    wide, high = picture.size[0] * scale, picture.size[1] * scale
    rect = Rect(most.x, most.bottom - high if far else most.y, wide, high)
    frame = FieldFrame(rect, (0.0, 0.0, *picture.size), far)
    sheet.still(ground_shapes(frame, sheet.look, picture.grounds))
    _draw_over(sheet, picture, frame)
    _border(sheet, rect, 0.8, ((sheet.look.edge, 0.8),))
    sheet.piece("board", rect)
    for unit in picture.units:
        if unit.mark not in ("ghost", "bad") and frame.shows(unit.place):
            sheet.piece(f"unit {unit.name}", frame.outline(corners(unit, 1.1)))
    room = most.h - high - GAP_PT
    if room < LEAST_CLOSE_PT or (picture.focus is None and not picture.legend):
        return rect
    room = min(room, MOST_LEGEND_PT if picture.focus is None else MOST_CLOSE_PT)
    beside = Rect(rect.x, rect.y - GAP_PT - room if far else rect.bottom + GAP_PT, wide, room)
    if picture.focus is None:
        _draw_legend(sheet, picture.legend, beside)
        sheet.close_group(beside)
    else:
        _close_up(sheet, picture, beside, frame)
    return Rect(rect.x, min(rect.y, beside.y), wide, high + GAP_PT + room)


def _close_up(sheet: Sheet, picture: FieldPicture, rect: Rect, whole: FieldFrame) -> None:
    """Draw the surroundings of the focus, enlarged."""
    assert picture.focus is not None
    scale = max(min(CLOSE_PT, rect.h / LEAST_HIGH), 1.4 * whole.scale)
    wide, high = rect.w / scale, rect.h / scale
    frame = FieldFrame(rect, (picture.focus[0] - wide / 2, picture.focus[1] - high / 2, wide, high), whole.turned)
    sheet.raw(ground_shapes(frame, sheet.look, picture.grounds))
    sheet.close_group(rect)
    _draw_over(sheet, picture, frame)
    _border(sheet, rect, 1, ((sheet.look.page, 6), (sheet.look.accent_text, 1)))


def _border(sheet: Sheet, rect: Rect, into: float, lines: Sequence[tuple[str, float]]) -> None:
    """Draw lines around a place, each so far beyond it and `into` it: side by side, as thin parts are drawn fast."""
    for colour, beyond in lines:
        x, y, wide, high = rect.shrunk(-beyond)
        thick = beyond + into
        for side in (
            Rect(x, y, wide, thick),
            Rect(x, y + high - thick, wide, thick),
            Rect(x, y, thick, high),
            Rect(x + wide - thick, y, thick, high),
        ):
            sheet.box(side, colour, radius=0)
            sheet.close_group(side)


def _draw_over(sheet: Sheet, picture: FieldPicture, frame: FieldFrame) -> None:
    """Draw everything that changes, each thing a group of its own: what stays as it was is not drawn again.

    The whole is one target for the finger that leads a base; over it is one for each base that can be touched.
    """
    if picture.drags:
        sheet.drag_target(frame.rect, frame.intent, keyed=not picture.touch)
    if picture.grid != "free":
        _grid(sheet, picture, frame)
        sheet.close_group(frame.rect)
    for ring in picture.rings:
        _ring(sheet, ring, frame)
    for unit in picture.units:
        if unit.name == picture.quarters and unit.mark not in ("ghost", "bad"):
            _quarters(sheet, unit, frame)
    marked = sorted(picture.units, key=lambda unit: ORDER.get(unit.mark, 0))
    for unit in (unit for unit in marked if unit.mark not in ("ghost", "bad")):
        draw_kept(sheet, (unit, frame, picture.touch), partial(_draw_base, unit=unit, frame=frame, touch=picture.touch))
    for line in picture.lines:
        _line(sheet, line, frame)
    for unit in (unit for unit in marked if unit.mark in ("ghost", "bad")):
        draw_unit(sheet, frame, unit)


ORDER = {"live": 1, "target": 2, "chosen": 3}


def _draw_base(sheet: Sheet, unit: UnitSight, frame: FieldFrame, touch: bool) -> None:
    """Draw a base; one that cannot be touched explains itself still."""
    draw_unit(sheet, frame, unit)
    outline = tuple(frame.outline(frame.clipped(corners(unit))))
    if len(outline) < 3:
        return
    if touch:
        sheet.target(bounds(outline), Intent("unit", unit.name), outline)
    else:
        sheet.about(bounds(outline), f"unit:{unit.name}")


# ---- what lies over the ground -------------------------------------------------------------------


def _grid(sheet: Sheet, picture: FieldPicture, frame: FieldFrame) -> None:
    """Draw the thin borders of the cells, each one Movement wide."""
    wide, high = picture.size
    if picture.grid == "square":
        lines = [[(float(n), 0.0), (float(n), high)] for n in range(1, math.ceil(wide))]
        lines += [[(0.0, float(n)), (wide, float(n))] for n in range(1, math.ceil(high))]
        data = "".join(path(frame.outline(line), closed=False) for line in lines)
    else:
        data = "".join(
            path(frame.outline(hexagon(at, 1 / math.sqrt(3)))) for at in _hexes(wide, high) if frame.shows(at)
        )
    colour = sheet.look.board["border"]
    sheet.raw(f'<path d="{data}" fill="none" stroke="{colour}" stroke-opacity="0.3" stroke-width="0.8"/>')


def _hexes(wide: float, high: float) -> list[Point]:
    columns = range(int(wide / HEX_COLUMN) + 1)
    places = [(0.5 + c * HEX_COLUMN, r + 0.5 + c % 2 / 2) for c in columns for r in range(int(high) + 1)]
    return [(x, y) for x, y in places if x < wide and y < high]


RINGS = {"command": ("7 5", 2.2), "general": ("1.5 5", 2.6), "fire": ("3 4", 1.8)}


def _ring(sheet: Sheet, ring: RingSight, frame: FieldFrame) -> None:
    """Draw a circle, cut at the edge of what is shown: dashes for command, dots for the general, shorter for fire."""
    (x, y), turns = ring.centre, [2 * math.pi * n / 72 for n in range(72)]
    around = [(x + ring.radius * math.cos(turn), y + ring.radius * math.sin(turn)) for turn in turns]
    outline = frame.outline(frame.clipped(around))
    if len(outline) < 3:
        return
    dash, width = RINGS[ring.kind]
    sheet.about_line((*outline, outline[0]), f"ring-{ring.kind}")
    side = sheet.look.sides.get(ring.seat)
    fill = f' fill="{side.fill}" fill-opacity="0.1"' if side else ' fill="none"'
    colour = side.border if side else sheet.look.ink
    sheet.raw(
        f'<path d="{path(outline)}"{fill} stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}" '
        f'stroke-linecap="round"/>'
    )
    frame.close_group(sheet, outline, width)


def _quarters(sheet: Sheet, unit: UnitSight, frame: FieldFrame) -> None:
    """Draw the borders of a base's quarters, which run out from its corners at 45 degrees, with the front tinted."""
    near = corners(unit)
    deep = unit.depth / 2
    far = [
        beside_base(unit, a * (0.5 + QUARTER), b * (deep + QUARTER)) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    front = frame.outline(frame.clipped([near[0], far[0], far[1], near[1]]))
    if len(front) > 2:
        sheet.raw(f'<path d="{path(front)}" fill="{sheet.look.accent}" fill-opacity="0.22"/>')
        sheet.about_line((*front, front[0]), "front")
    for start, end in zip(near, far, strict=True):
        points = frame.outline(frame.clipped([start, end]))
        if len(points) > 1:
            sheet.line(points[:2], sheet.look.ink, 1.4, "2 4")
    frame.close_group(sheet, frame.outline((*near, *far)), 0.0)


def _line(sheet: Sheet, line: LineSight, frame: FieldFrame) -> None:
    """Draw a move with its arrow, a line of fire with its burst, or a ruler with its figure."""
    start, end = frame.at(line.start), frame.at(line.end)
    colour = {"charge": sheet.look.glow.bad, "fire": sheet.look.glow.bad}.get(line.kind, sheet.look.cream)
    dash = "6 4" if line.kind == "fire" else ""
    sheet.line([start, end], sheet.look.ink, 5.2)
    sheet.line([start, end], colour, 2.6, dash)
    sheet.about_line((start, end), f"line-{line.kind}")
    if line.kind in ("move", "charge", "fire"):
        _arrow(sheet, start, end, colour)
    elif line.kind == "ruler":
        for at in (start, end):
            sheet.disc(at, 4, colour, sheet.look.ink, 1.4)
    frame.close_group(sheet, (start, end), ARROW_PT)
    if line.text and frame.shows(line.start) and frame.shows(line.end):
        _words(sheet, line.text, frame, (start, end))


def _arrow(sheet: Sheet, start: Point, end: Point, colour: str) -> None:
    length = math.dist(start, end)
    if length < 4:
        return
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    half = ARROW_PT * 0.75
    back = end[0] - ux * half * 1.6, end[1] - uy * half * 1.6
    head = [end, (back[0] - uy * half, back[1] + ux * half), (back[0] + uy * half, back[1] - ux * half)]
    sheet.polygon(head, colour, sheet.look.ink, 1.4)


def _words(sheet: Sheet, text: str, frame: FieldFrame, between: tuple[Point, Point]) -> None:
    """Write a few words on a small dark ground at the right of a line, or at its left, inside what is shown."""
    (x0, y0), (x1, y1) = between
    wide, high = sheet.measure(text, LABEL_PT, True) + 10, 18.0
    aside = 12.0 + 0.5 * frame.scale
    x = (x0 + x1) / 2 + aside
    x = x if x + wide < frame.rect.right - 2 else max(frame.rect.x + 2, (x0 + x1) / 2 - aside - wide)
    y = min(max((y0 + y1 - high) / 2, frame.rect.y + 2), frame.rect.bottom - high - 2)
    box = Rect(x, y, wide, high)
    sheet.box(box, sheet.look.ink, sheet.look.cream, 4, 0.8)
    sheet.label(box, text, (sheet.look.cream, LABEL_PT, True), "centre")
    sheet.close_group(box)


def _draw_legend(sheet: Sheet, legend: Sequence[tuple[str, str]], place: Rect) -> None:
    """Draw the signs with their words in columns, as many as there is room for."""
    columns = max(1, int(place.w / LEGEND_COLUMN_PT))
    most = max(1, int(place.h / LEGEND_ROW_PT)) * columns
    wide = place.w / columns
    for n, (name, text) in enumerate(legend[:most]):
        row = Rect(place.x + n % columns * wide, place.y + n // columns * LEGEND_ROW_PT, wide, LEGEND_ROW_PT)
        _draw_mark(sheet, name, (row.x + 15, row.centre[1]))
        sheet.about(row._replace(w=row.w - 4), f"kind-{name}")
        sheet.label(row._replace(x=row.x + 32, w=row.w - 36), text, (sheet.look.quiet, LEGEND_TEXT_PT, False))


def _draw_mark(sheet: Sheet, name: str, centre: tuple[float, float]) -> None:
    """Draw one sign as it is on a base."""
    x, y = centre
    look = sheet.look
    if name in SIGNS:
        sheet.box(Rect.around(centre, 10.5), look.raised, look.edge, 2, 1.4)
        sign(sheet, SIGNS[name], (centre, 7.4), look.text, f"kind-{name}")
    elif name == "fatigued":
        sheet.disc(centre, 8, look.ink, look.cream, 1.4)
        sign(sheet, "moon", (centre, 5.2), look.cream, "kind-fatigued")
    else:
        for dx in (-5.5, 5.5) if name == "brittle" else (0.0,):
            draw_diamond(sheet, (x + dx, y), 5.5)


# ---- bases ---------------------------------------------------------------------------------------


HURT: Mapping[str, int] = {"fresh": 0, "wavering": 1, "brittle": 2}
BEYOND = 0.4  # of a Movement: so far beside a base its signs reach


def beside_base(unit: UnitSight, right: float, forward: float) -> Point:
    """Return the point on the field so far to the right and ahead of a base's middle, in Movements."""
    angle = radians(unit.facing_deg)
    ahead_x, ahead_y = sin(angle), cos(angle)
    x, y = unit.place
    return x + right * ahead_y + forward * ahead_x, y - right * ahead_x + forward * ahead_y


def corners(unit: UnitSight, wide: float = 1.0) -> list[Point]:
    """Return the four corners of a base, clockwise from the front left; `wide` times as large."""
    across, along = 0.5 * wide, unit.depth / 2 * wide
    return [beside_base(unit, a * across, b * along) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]


def draw_unit(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw a base with all its signs."""
    if not frame.shows(unit.place, 1.0):
        return
    ghost = unit.mark in ("ghost", "bad")
    if unit.mark in ("live", "chosen", "target"):
        look = sheet.look
        rim = path(frame.outline(corners(unit, 1.0)))
        wide = max(5.0, frame.scale * 0.26) * (1.35 if unit.mark == "chosen" else 1.0)
        colour = look.glow.bad if unit.mark == "target" else look.asking_colour((unit.seat,))
        dash = f' stroke-dasharray="{wide * 0.9:.1f} {wide * 0.7:.1f}"' if unit.mark == "target" else ""
        for ink, width in ((look.ink, wide + 2.4), (colour, wide)):
            sheet.raw(
                f'<path d="{rim}" fill="none" stroke="{ink}" stroke-width="{width:.2f}" stroke-linejoin="round"{dash}/>'
            )
    _base(sheet, frame, unit, ghost)
    x, y = frame.at(unit.place)
    side = sheet.look.sides[unit.seat]
    half = frame.scale * 0.3 * min(1.0, unit.depth)
    sign(sheet, SIGNS.get(unit.sign, "foot"), ((x, y), half), side.text, f"unit:{unit.name}")
    if not ghost:
        _state(sheet, frame, unit)
    frame.close_group(sheet, frame.outline(corners(unit)), BEYOND * frame.scale)


def _base(sheet: Sheet, frame: FieldFrame, unit: UnitSight, ghost: bool) -> None:
    """Draw the base, its front edge bold, and a point ahead of it."""
    side, look = sheet.look.sides[unit.seat], sheet.look
    outline = path(frame.outline(corners(unit)))
    line, width = side.line, max(1.0, frame.scale * 0.06)
    if ghost:
        colour = look.glow.bad if unit.mark == "bad" else look.ink
        sheet.raw(
            f'<path d="{outline}" fill="{side.fill}" fill-opacity="0.5" stroke="{colour}" stroke-width="2.4" '
            f'stroke-dasharray="5 3" stroke-linejoin="round"/>'
        )
    else:
        opacity = 0.62 if unit.mark == "spent" else 1.0
        sheet.raw(
            f'<path d="{outline}" fill="{side.fill}" fill-opacity="{opacity}" stroke="{look.ink}" '
            f'stroke-width="{width + 1.4:.2f}" stroke-linejoin="round"/>'
            f'<path d="{outline}" fill="none" stroke="{line}" stroke-width="{width:.2f}" stroke-linejoin="round"/>'
        )
    if unit.sign == "camp":
        _curtain(sheet, frame, unit)
    _front(sheet, frame, unit)


def _front(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw a point ahead of the middle of the front edge."""
    ahead = unit.depth / 2
    tip = [beside_base(unit, a, ahead + b) for a, b in ((-0.26, 0.02), (0.26, 0.02), (0.0, 0.3))]
    side = sheet.look.sides[unit.seat]
    sheet.polygon(frame.outline(tip), side.line, sheet.look.ink, max(0.8, frame.scale * 0.045))


def _curtain(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw the maku: a screen of striped cloth around three sides of a camp."""
    half = unit.depth / 2
    way = [
        (-0.5, half),
        (-0.62, half + 0.06),
        (-0.62, -half - 0.12),
        (0.62, -half - 0.12),
        (0.62, half + 0.06),
        (0.5, half),
    ]
    points = frame.outline([beside_base(unit, a, b) for a, b in way[1:5]])
    wide = max(3.0, frame.scale * 0.16)
    for ink, width in ((sheet.look.ink, wide + 1.6), (sheet.look.cream, wide)):
        sheet.line(points, ink, width)
    sheet.line(points, sheet.look.sides[unit.seat].border, wide * 0.62, f"{wide * 0.5:.1f} {wide * 1.1:.1f}")


def _state(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw how a base is: one diamond along the rear edge for wavering, two for brittle, a moon for fatigue."""
    half = max(3.1, frame.scale * 0.15)
    many = HURT.get(unit.status, 0)
    for n in range(many):
        spot = beside_base(unit, (n - (many - 1) / 2) * 0.42, -unit.depth / 2)
        draw_diamond(sheet, frame.at(spot), half)
    if unit.fatigued:
        centre = frame.at(beside_base(unit, 0.42, unit.depth / 2 - 0.1))
        sheet.disc(centre, half * 1.25, sheet.look.ink, sheet.look.cream, max(0.8, half * 0.2))
        sign(sheet, "moon", (centre, half * 0.8), sheet.look.cream, "kind-fatigued")


def draw_diamond(sheet: Sheet, centre: Point, half: float) -> None:
    """Draw a small diamond, the sign that something has shaken the unit."""
    x, y = centre
    rim = [(x, y - half * 1.2), (x + half, y), (x, y + half * 1.2), (x - half, y)]
    sheet.polygon(rim, sheet.look.board["points"], sheet.look.ink, max(1.0, half * 0.3))
