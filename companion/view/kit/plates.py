"""Plates: the grounds of buttons and cards, made of the theme's material.

A plate comes in as a rectangle with a fill and a rim and goes out as SVG on the sheet: cut corners, a sheen from top to
bottom, a double rim, a shadow. Where the material is flat (the high-contrast theme) it is a plain round-cornered box.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.air_zones import mix_colours
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
