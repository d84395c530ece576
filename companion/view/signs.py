"""Small pictures: actions, pieces, bonus tokens and marks, as outlines in a square from -1 to 1."""

from __future__ import annotations

from collections.abc import Mapping

from companion.drawing import Point, burst, hexagon, path
from companion.view.sheet import Sheet

Outline = tuple[Point, ...]

_ARROW: Outline = ((0, -0.85), (0.75, 0.0), (0.3, 0.0), (0.3, 0.8), (-0.3, 0.8), (-0.3, 0.0), (-0.75, 0.0))
_HULL: Outline = ((-0.9, 0.25), (0.9, 0.25), (0.55, 0.8), (-0.55, 0.8))
_SAIL: Outline = ((-0.08, -0.9), (-0.08, 0.1), (-0.75, 0.1))
_SAIL_2: Outline = ((0.1, -0.65), (0.7, 0.1), (0.1, 0.1))
_BLAST: Outline = burst((0, 0), 0.95, 8, 0.5)
_HOUSE: Outline = ((0, -0.85), (0.9, -0.05), (0.6, -0.05), (0.6, 0.75), (-0.6, 0.75), (-0.6, -0.05), (-0.9, -0.05))
_CARD: Outline = ((-0.75, -0.55), (0.15, -0.8), (0.5, 0.45), (-0.4, 0.7))
_CARD_2: Outline = ((0.3, -0.75), (0.85, -0.5), (0.6, 0.6))
_PLUS: Outline = (
    (-0.27, -0.8), (0.27, -0.8), (0.27, -0.27), (0.8, -0.27), (0.8, 0.27), (0.27, 0.27),
    (0.27, 0.8), (-0.27, 0.8), (-0.27, 0.27), (-0.8, 0.27), (-0.8, -0.27), (-0.27, -0.27),
)  # fmt: skip
_FLAG: Outline = ((-0.6, -0.85), (0.8, -0.45), (-0.38, 0.0), (-0.38, 0.85), (-0.6, 0.85))
_HILL: Outline = ((-0.95, 0.65), (-0.25, -0.75), (0.15, -0.1), (0.4, -0.45), (0.95, 0.65))
_SCROLL: Outline = ((-0.6, -0.8), (0.6, -0.8), (0.6, 0.8), (-0.6, 0.8))
_ANCHOR: Outline = (
    (-0.14, -0.85), (0.14, -0.85), (0.14, 0.42), (0.5, 0.2), (0.42, -0.02), (0.95, 0.0), (0.6, 0.65), (0, 0.9),
    (-0.6, 0.65), (-0.95, 0.0), (-0.42, -0.02), (-0.5, 0.2), (-0.14, 0.42),
)  # fmt: skip

_TICK: Outline = ((-0.85, 0.05), (-0.55, -0.25), (-0.2, 0.12), (0.58, -0.65), (0.88, -0.35), (-0.2, 0.72))
_QUESTION: Outline = burst((0, 0), 0.9, 4, 0.4)

SIGNS: Mapping[str, tuple[Outline, ...]] = {
    "advance": (_ARROW,),
    "sail": (_HULL, _SAIL, _SAIL_2),
    "bombard": (_BLAST,),
    "shell": (_BLAST,),
    "siege": (_BLAST,),
    "reinforce": (_PLUS,),
    "embark": (_ANCHOR,),
    "plan": (_CARD, _CARD_2),
    "barracks": (_HOUSE,),
    "war_room": (_SCROLL,),
    "pirate_haven": (_FLAG,),
    "shipyard": (_HULL, _SAIL, _SAIL_2),
    "hidden_base": (_HILL,),
    "armoury": (_BLAST,),
    "tick": (_TICK,),
}


def sign(sheet: Sheet, name: str, place: tuple[Point, float], colour: str) -> None:
    """Draw a sign; `place` is its middle and half its size. An unknown name draws nothing."""
    centre, radius = place
    data = "".join(path([(centre[0] + x * radius, centre[1] + y * radius) for x, y in o]) for o in SIGNS.get(name, ()))
    if data:
        sheet.raw(f'<path d="{data}" fill="{colour}"/>')


def piece(sheet: Sheet, faction: str, unit: str, place: tuple[Point, float]) -> None:
    """A faction's piece: red is round, black is square with a double rim; a ship has a hull below."""
    (x, y), radius = place
    fill, line = sheet.look.sides[faction].fill, sheet.look.sides[faction].line
    if unit == "ship":
        hull = ((-1.35, 0.45), (1.35, 0.45), (0.8, 1.25), (-0.8, 1.25))
        sheet.polygon([(x + a * radius, y + b * radius) for a, b in hull], fill, line, radius * 0.12)
    if faction == "red":
        sheet.disc((x, y), radius, fill, line, radius * 0.14)
        return
    side = radius * 1.84
    _square(sheet, (x, y), (side, radius * 0.5), (fill, line, radius * 0.14))
    _square(sheet, (x, y), (side - radius * 0.42, radius * 0.36), ("none", line, radius * 0.07))


def _square(sheet: Sheet, centre: Point, shape: tuple[float, float], ink: tuple[str, str, float]) -> None:
    side, corner = shape
    fill, line, width = ink
    sheet.raw(
        f'<rect x="{centre[0] - side / 2:.2f}" y="{centre[1] - side / 2:.2f}" width="{side:.2f}" height="{side:.2f}" '
        f'rx="{corner:.2f}" fill="{fill}" stroke="{line}" stroke-width="{width:.2f}"/>'
    )


def commander(sheet: Sheet, faction: str, place: tuple[Point, float]) -> None:
    """A commander: a hexagon in its faction's colour, a round dot on red, a square one on black."""
    (x, y), radius = place
    fill, line = sheet.look.sides[faction].fill, sheet.look.sides[faction].line
    sheet.polygon(hexagon((x, y), radius), fill, line, radius * 0.16)
    if faction == "red":
        sheet.disc((x, y), radius * 0.34, line)
    else:
        _square(sheet, (x, y), (radius * 0.62, 0), (line, "none", 0))
