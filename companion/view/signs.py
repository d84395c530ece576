"""Icons on the sheet, and the shapes of the factions: red is a disc, black a banner, wherever either is shown."""

from __future__ import annotations

from companion.drawing import Point, hexagon, path
from companion.icons import icon_shape
from companion.view.sheet import Sheet

Placed = tuple[Point, float]
"""The middle of a picture and half its size."""

BANNER = ((-0.9, -0.98), (0.9, -0.98), (0.9, 1.0), (0.0, 0.68), (-0.9, 1.0))
HULL = ((-1.5, 0.42), (1.5, 0.42), (0.9, 1.14), (-0.9, 1.14))


def sign(sheet: Sheet, name: str, place: Placed, colour: str) -> None:
    """Draw an icon (companion.icons); an unknown name draws nothing."""
    shape = icon_shape(name, *place, colour)
    if shape:
        sheet.raw(shape)


def emblem(sheet: Sheet, faction: str, place: Placed, rim: float = 0.14) -> None:
    """A faction's shape in its colours: a disc for red, a banner for black; `rim` is a part of half its size."""
    (x, y), half = place
    side = sheet.look.sides[faction]
    if faction == "red":
        sheet.disc((x, y), half, side.fill, side.line, half * rim)
        return
    sheet.polygon([(x + a * half, y + b * half) for a, b in BANNER], side.fill, side.line, half * rim)


def piece(sheet: Sheet, faction: str, unit: str, place: Placed) -> None:
    """Units of a faction: its emblem, with a hull below for ships and wheels for siege weapons."""
    (x, y), half = place
    side = sheet.look.sides[faction]
    if unit == "ship":
        sheet.polygon([(x + a * half, y + b * half) for a, b in HULL], side.fill, side.line, half * 0.12)
    if unit == "siege":
        for dx in (-0.75, 0.75):
            sheet.disc((x + dx * half, y + 0.95 * half), half * 0.36, side.fill, side.line, half * 0.12)
    emblem(sheet, faction, place)


def commander(sheet: Sheet, faction: str, place: Placed) -> None:
    """A commander: a hexagon in its faction's colour with the faction's shape in it."""
    (x, y), half = place
    side = sheet.look.sides[faction]
    sheet.polygon(hexagon((x, y), half), side.fill, side.line, half * 0.16)
    if faction == "red":
        sheet.disc((x, y), half * 0.36, side.line)
        return
    data = path([(x + a * half * 0.4, y + b * half * 0.46) for a, b in BANNER])
    sheet.raw(f'<path d="{data}" fill="{side.line}"/>')
