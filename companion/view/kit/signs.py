"""Plates and icons on the sheet, and the shapes of the factions: each has one of its own, wherever it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.drawing.air_zones import mix_colours
from companion.drawing.board_svg import hexagon
from companion.drawing.icons import icon_shape
from companion.drawing.polygons import Point, path
from companion.view.kit.sheet import Rect, Sheet

SHADOWS_PT = ((1.6, 0.30), (3.0, 0.16))  # how far below the plate, and how strong; within a group's rim of 4 points
INNER_RIM_PT = 3.2  # from the outer rim to the hair line inside it
STUD_PT = 1.3  # the stud in each corner
LEAST_RIMMED_PT = 36.0  # a lower plate has no room for a second rim
FLAT_RADIUS_PT = 8.0


def plate(sheet: Sheet, rect: Rect, fill: str, line: str = "none", width: float = 1.2) -> None:
    """Draw the ground of a button or card: its fill with a sheen, its rim of this colour and width, a shadow."""
    material = sheet.look.material
    if not material.cut_pt or fill == "none":
        sheet.box(rect, fill, line, FLAT_RADIUS_PT, width)
        return
    cut = min(material.cut_pt, rect.h / 4, rect.w / 4)
    if material.shadow:
        for down, strength in SHADOWS_PT:
            shade = cut_corners(rect._replace(y=rect.y + down), cut)
            sheet.raw(
                f'<path d="{path(shade)}" fill="{material.shade}" fill-opacity="{strength * material.shadow:g}"/>'
            )
    top, low = mix_colours(fill, material.light, material.sheen), mix_colours(fill, material.shade, material.sheen)
    outline = cut_corners(rect, cut)
    sheet.raw(gradient(top, low) + f'<path d="{path(outline)}" fill="{gradient_name(top, low)}" stroke="{line}" '
              f'stroke-width="{width:g}" stroke-linejoin="round"/>')  # fmt: skip
    if line != "none" and rect.h >= LEAST_RIMMED_PT:
        _draw_inner_rim(sheet, rect, cut, line)


def _draw_inner_rim(sheet: Sheet, rect: Rect, cut: float, line: str) -> None:
    """Draw the hair line inside the rim, and a stud where it meets each cut corner."""
    inner = rect.shrunk(INNER_RIM_PT)
    opacity = sheet.look.material.inner_rim
    sheet.raw(f'<path d="{path(cut_corners(inner, cut))}" fill="none" stroke="{line}" stroke-opacity="{opacity:g}" '
              f'stroke-width="0.8"/>')  # fmt: skip
    studs = rect.shrunk(cut * 0.78).corners
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{STUD_PT}"/>' for x, y in studs)
    sheet.raw(f'<g fill="{line}" fill-opacity="{opacity:g}">{dots}</g>')


def cut_corners(rect: Rect, cut: float) -> Sequence[Point]:
    """Return the rectangle's outline with each corner cut off so far from it, clockwise from the top left."""
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    return (
        (x + cut, y), (right - cut, y), (right, y + cut), (right, bottom - cut),
        (right - cut, bottom), (x + cut, bottom), (x, bottom - cut), (x, y + cut),
    )  # fmt: skip


def gradient(top: str, low: str) -> str:
    """Return the SVG definition of a sheen from one colour at the top of a shape to another at its foot."""
    return (
        f'<linearGradient id="{_sheen_name(top, low)}" x1="0%" y1="0%" x2="0%" y2="100%">'
        f'<stop offset="0" stop-color="{top}"/><stop offset="1" stop-color="{low}"/></linearGradient>'
    )


def gradient_name(top: str, low: str) -> str:
    """Return what fills a shape with that sheen."""
    return f"url(#{_sheen_name(top, low)})"


def _sheen_name(top: str, low: str) -> str:
    return f"s{top[1:]}{low[1:]}"


# ---- signs ---------------------------------------------------------------------------------------


Placed = tuple[Point, float]
"""The middle of a picture and half its size."""

SHAPES: Mapping[str, Sequence[Point]] = {  # corners, in halves of the size; a disc has none
    "disc": (),
    "banner": ((-0.9, -0.98), (0.9, -0.98), (0.9, 1.0), (0.0, 0.68), (-0.9, 1.0)),
    "square": ((-0.66, -0.92), (0.66, -0.92), (0.92, -0.66), (0.92, 0.66),
               (0.66, 0.92), (-0.66, 0.92), (-0.92, 0.66), (-0.92, -0.66)),
    "diamond": ((0.0, -1.14), (1.14, 0.0), (0.0, 1.14), (-1.14, 0.0)),
}  # fmt: skip
SHADOW_DOWN, SHADOW_STRENGTH = 0.12, 0.4  # of a piece: as a part of half its size, and how dark
PIECE_SHEEN = 0.22  # how far a piece is lighter at its top and darker at its foot
LIFTS: Mapping[str, float] = {"banner": 0.06}  # letters stand so much higher in it, as a part of its height
HULL = ((-1.5, 0.42), (1.5, 0.42), (0.9, 1.14), (-0.9, 1.14))
WINGS = ((-1.62, 0.2), (-0.5, -0.46), (0.5, -0.46), (1.62, 0.2), (1.62, 0.52), (0.5, 0.3), (-0.5, 0.3), (-1.62, 0.52))
TAIL = ((-0.6, 1.42), (-0.14, 0.9), (0.14, 0.9), (0.6, 1.42))
PARTS: Mapping[str, Sequence[Sequence[Point]]] = {"ship": (HULL,), "aircraft": (WINGS, TAIL)}
WHEELS: Mapping[str, Sequence[Point]] = {"siege": ((-0.68, 0.9), (0.68, 0.9))}
BODY: Mapping[str, Point] = {"aircraft": (0.86, 0.0), "siege": (0.9, 0.12)}  # how large the emblem is, and how far up


def sign(sheet: Sheet, name: str, place: Placed, colour: str, about: str = "") -> None:
    """Draw an icon (companion.drawing.icons); an unknown name draws nothing. about: what it is, if not its name."""
    shape = icon_shape(name, *place, colour)
    if shape:
        sheet.raw(shape)
        _about(sheet, place, about or name)


def _about(sheet: Sheet, place: Placed, key: str) -> None:
    sheet.about(Rect.around(*place), key)


def corners(sheet: Sheet, faction: str, centre: Point, halves: Point) -> list[Point]:
    """Return the corners of a faction's shape with that half width and half height; none for a disc."""
    (x, y), (wide, high) = centre, halves
    return [(x + a * wide, y + b * high) for a, b in SHAPES[sheet.look.sides[faction].shape]]


def emblem(sheet: Sheet, faction: str, place: Placed, rim: float = 0.14, about: str = "") -> None:
    """Draw a faction's shape in its colours. rim: a part of half its size; about: what it is, if not only its sign."""
    _about(sheet, place, about or f"faction:{faction}")
    centre, half = place
    _draw_body(sheet, faction, corners(sheet, faction, centre, (half, half)), (centre, half), half * rim)


def _draw_body(sheet: Sheet, faction: str, outline: Sequence[Point], place: Placed, rim: float) -> None:
    """Draw a piece's body: an outline, or a disc where there is none, with its shadow, its sheen and its rim."""
    side, material, ((x, y), half) = sheet.look.sides[faction], sheet.look.material, place
    shape = f'<path d="{path(outline)}"' if outline else f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{half:.2f}"'
    fill = side.fill
    if material.sheen:
        down = half * SHADOW_DOWN
        sheet.raw(f'<g transform="translate(0 {down:.2f})">{shape} fill="{material.shade}" '
                  f'fill-opacity="{SHADOW_STRENGTH * material.shadow:g}"/></g>')  # fmt: skip
        top, low = mix_colours(fill, "#ffffff", PIECE_SHEEN / 2), mix_colours(fill, "#000000", PIECE_SHEEN)
        sheet.raw(gradient(top, low))
        fill = gradient_name(top, low)
    sheet.raw(f'{shape} fill="{fill}" stroke="{side.line}" stroke-width="{rim:.2f}" stroke-linejoin="round"/>')


def badge(sheet: Sheet, faction: str, rect: Rect, line: float) -> None:
    """Draw a faction's shape as large as the place, to write on."""
    half = min(rect.w, rect.h) / 2
    halves = (rect.w / 1.8, rect.h / 2) if sheet.look.sides[faction].shape in LIFTS else (half, half)
    _draw_body(sheet, faction, corners(sheet, faction, rect.centre, halves), (rect.centre, half), line)


def lift(sheet: Sheet, faction: str) -> float:
    """Return how much higher letters stand in a faction's shape, as a part of its height."""
    return LIFTS.get(sheet.look.sides[faction].shape, 0.0)


def mark(sheet: Sheet, faction: str, place: Placed) -> None:
    """Draw a faction's mark, in the colour of its letters."""
    sign(sheet, f"mark_{faction}", place, sheet.look.sides[faction].text, f"faction:{faction}")


def piece(sheet: Sheet, faction: str, unit: str, place: Placed, about: str = "") -> None:
    """Draw units of a faction: its emblem, with a hull for ships, wheels for siege weapons, wings for aircraft.

    about: what they are, where not only their kind.
    """
    about = about or f"unit:{unit}"
    (x, y), half = place
    side = sheet.look.sides[faction]
    for outline in PARTS.get(unit, ()):
        sheet.polygon([(x + a * half, y + b * half) for a, b in outline], side.fill, side.line, half * 0.12)
    body, up = BODY.get(unit, (1.0, 0.0))
    emblem(sheet, faction, ((x, y - up * half), half * body), about=about)
    for dx, dy in WHEELS.get(unit, ()):
        sheet.disc((x + dx * half, y + dy * half), half * 0.4, side.fill, side.line, half * 0.14)


def commander(sheet: Sheet, faction: str, place: Placed, about: str = "") -> None:
    """Draw a commander: a hexagon in its faction's colour with the faction's shape in it. about: as with an emblem."""
    _about(sheet, place, about or f"faction:{faction}")
    (x, y), half = place
    side = sheet.look.sides[faction]
    sheet.polygon(hexagon((x, y), half), side.fill, side.line, half * 0.16)
    outline = corners(sheet, faction, (x, y), (half * 0.4, half * 0.46))
    if outline:
        sheet.raw(f'<path d="{path(outline)}" fill="{side.line}"/>')
    else:
        sheet.disc((x, y), half * 0.36, side.line)
