"""Bases on a battlefield: the side's colour and shape of sign, which way it faces, what it is, and how it is.

Nothing is told by colour alone: statuses are diamonds at the rear of a base, fatigue is a moon, and each kind of unit
has a sign of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin

from companion.drawing.board_svg import Point, path
from companion.ui.battlefield_picture import SIGNS, UnitSight
from companion.view.kit.sheet import Sheet
from companion.view.kit.signs import sign
from companion.view.layers.field_ground import FieldFrame

HURT: Mapping[str, int] = {"fresh": 0, "wavering": 1, "brittle": 2}
BEYOND = 0.4  # of a Movement: so far beside a base its signs reach


def inside(unit: UnitSight, right: float, forward: float) -> Point:
    """Return the place on the field of what lies so far to a base's right and ahead of its middle."""
    angle = radians(unit.facing_deg)
    ahead_x, ahead_y = sin(angle), cos(angle)
    x, y = unit.place
    return x + right * ahead_y + forward * ahead_x, y - right * ahead_x + forward * ahead_y


def corners(unit: UnitSight, wide: float = 1.0) -> list[Point]:
    """Return the four corners of a base, front left first; `wide` times as large."""
    across, along = 0.5 * wide, unit.depth / 2 * wide
    return [inside(unit, a * across, b * along) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]


def draw_unit(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw a base with all its signs."""
    if not frame.shows(unit.place, 1.0):
        return
    ghost = unit.mark in ("ghost", "bad")
    if unit.mark in ("live", "chosen", "target"):
        look = sheet.look
        rim = path(frame.outline(corners(unit, 1.0)))
        wide = max(5.0, frame.scale * 0.26) * (1.35 if unit.mark == "chosen" else 1.0)
        colour = look.glow.bad if unit.mark == "target" else look.asks((unit.seat,))
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
    tip = [inside(unit, a, ahead + b) for a, b in ((-0.26, 0.02), (0.26, 0.02), (0.0, 0.3))]
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
    points = frame.outline([inside(unit, a, b) for a, b in way[1:5]])
    wide = max(3.0, frame.scale * 0.16)
    for ink, width in ((sheet.look.ink, wide + 1.6), (sheet.look.cream, wide)):
        sheet.line(points, ink, width)
    sheet.line(points, sheet.look.sides[unit.seat].border, wide * 0.62, f"{wide * 0.5:.1f} {wide * 1.1:.1f}")


def _state(sheet: Sheet, frame: FieldFrame, unit: UnitSight) -> None:
    """Draw how a base is: one diamond along the rear edge for wavering, two for brittle, a moon for fatigue."""
    half = max(3.1, frame.scale * 0.15)
    many = HURT.get(unit.status, 0)
    for n in range(many):
        spot = inside(unit, (n - (many - 1) / 2) * 0.42, -unit.depth / 2)
        draw_diamond(sheet, frame.at(spot), half)
    if unit.fatigued:
        centre = frame.at(inside(unit, 0.42, unit.depth / 2 - 0.1))
        sheet.disc(centre, half * 1.25, sheet.look.ink, sheet.look.cream, max(0.8, half * 0.2))
        sign(sheet, "moon", (centre, half * 0.8), sheet.look.cream, "kind-fatigued")


def draw_diamond(sheet: Sheet, centre: Point, half: float) -> None:
    """Draw a small diamond, the sign that something has shaken the unit."""
    x, y = centre
    rim = [(x, y - half * 1.2), (x + half, y), (x, y + half * 1.2), (x - half, y)]
    sheet.polygon(rim, sheet.look.board["points"], sheet.look.ink, max(1.0, half * 0.3))
