"""The areas of the map: whose they are, what stands in them, and what is marked on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.drawing import Marks, Point, inset, marks, path
from companion.scenes.screen import AreaPicture, Stack
from companion.view.sheet import Rect, Sheet, bounds
from companion.view.signs import emblem, piece, sign
from engine.orders.board import Area

if TYPE_CHECKING:
    from companion.view.map_layer import Frame

PIECE_MM = 10.3  # half a piece that stands alone
SMALLER = 0.74  # where several stand side by side
BORDER_MM = 1.9  # width of a faction's border
TOKEN_MM = 6.2  # half a bonus token, and the discs of points
TINT = 0.15  # how strongly a faction's colour lies over its areas
APART_PT = 8.0  # between the slanted lines of a cut area


def draw_ground(sheet: Sheet, frame: Frame, picture: AreaPicture) -> None:
    """What lies under the pieces: the controller's border, the camera's doubt, what the open form marks."""
    area = frame.board.area(picture.name)
    if picture.controller:
        _control(sheet, frame, area, picture)
    outline = frame.outline(inset(area.polygon_mm, 1.2))
    if picture.check == "hidden":
        sheet.raw(f'<path d="{path(outline)}" fill="{sheet.look.ink}" fill-opacity="0.5"/>')
    if picture.check == "differs":
        sheet.polygon(outline, "none", sheet.look.ink, 6.0)
        sheet.polygon(outline, "none", sheet.look.glow.bad, 3.4)
    if picture.mark:
        _mark(sheet, frame, area, picture.mark)


def _control(sheet: Sheet, frame: Frame, area: Area, picture: AreaPicture) -> None:
    """The controller's colour along the border: whole where supplied, broken and hatched where cut."""
    assert picture.controller
    colour = sheet.look.sides[picture.controller].border
    width = BORDER_MM * frame.points_per_mm
    outline = frame.outline(inset(area.polygon_mm, BORDER_MM / 2 + 0.4))
    dash = "" if picture.supplied else f' stroke-dasharray="{width * 1.8:.2f} {width * 1.4:.2f}"'
    if not picture.supplied:
        _hatch(sheet, outline, colour)
    sheet.raw(
        f'<path d="{path(outline)}" fill="{colour}" fill-opacity="{TINT if picture.supplied else 0.0}" '
        f'stroke="{colour}" stroke-width="{width:.2f}"{dash}/>'
    )


def _hatch(sheet: Sheet, outline: Sequence[Point], colour: str) -> None:
    """Slanted lines inside the outline."""
    box = bounds(outline)
    data = []
    shift = box.x + box.y
    while shift < box.right + box.bottom:
        data += [path(pair, closed=False) for pair in _chords(outline, shift)]
        shift += APART_PT
    sheet.raw(f'<path d="{"".join(data)}" fill="none" stroke="{colour}" stroke-width="1.2" stroke-opacity="0.45"/>')


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


def _mark(sheet: Sheet, frame: Frame, area: Area, mark: str) -> None:
    """Live: an accent line. Chosen: a double line on a tint. Target: a thick line with a hair cross from its sides."""
    look, outline = sheet.look, frame.outline(inset(area.polygon_mm, 1.2))
    fill = {"live": 0.0, "chosen": 0.34, "target": 0.34}[mark]
    width = {"live": 3.0, "chosen": 3.6, "target": 5.0}[mark]
    data = path(outline)
    sheet.raw(f'<path d="{data}" fill="{look.accent}" fill-opacity="{fill}" stroke="{look.ink}" '
              f'stroke-width="{width + 2.6}" stroke-linejoin="round"/>')  # fmt: skip
    sheet.polygon(outline, "none", look.accent, width)
    if mark == "chosen":
        sheet.polygon(frame.outline(inset(area.polygon_mm, 4.4)), "none", look.ink, 1.4)
    if mark == "target":
        x, y = frame.at(marks(frame.board, area).units_mm)
        near, far = (PIECE_MM + 1.0) * frame.points_per_mm, (PIECE_MM + 5.0) * frame.points_per_mm
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            sheet.line([(x + dx * near, y + dy * near), (x + dx * far, y + dy * far)], look.ink, 3.0)


# ---- what stands there ------------------------------------------------------------------------


def draw_things(sheet: Sheet, frame: Frame, picture: AreaPicture, named: bool) -> None:
    """What lies on the area: its name, points, bonus token, pieces and flags."""
    area, look = frame.board.area(picture.name), sheet.look
    places, unit = marks(frame.board, area), frame.points_per_mm
    if named:
        _name(sheet, frame.at(places.name_mm), picture.name)
    if area.vp:
        _points(sheet, frame.at(places.left_mm), unit, (area.vp, picture.earns))
    if picture.bonus:
        centre = frame.at(places.right_mm)
        sheet.disc(centre, TOKEN_MM * unit, look.cream, look.ink, 1.3)
        sign(sheet, picture.bonus, (centre, 4.0 * unit), look.ink)
    _stacks(sheet, frame.at(places.units_mm), unit, picture.stacks)
    _flags(sheet, frame.at(_free_mark(area, places)), picture)


def _name(sheet: Sheet, centre: Point, name: str) -> None:
    """On a slip of paper, as lines may run below it."""
    x, y = centre
    sheet.raw(
        f'<rect x="{x - 9.5:.1f}" y="{y - 6.5:.1f}" width="19" height="13" rx="5" fill="{sheet.look.cream}" '
        f'fill-opacity="0.72"/>'
    )
    sheet.label(Rect(x - 16, y - 8, 32, 15), name, (sheet.look.ink, 11.5, False), "centre")


def _points(sheet: Sheet, centre: Point, unit: float, told: tuple[int, str]) -> None:
    """The number of points; on the emblem of the faction that earns them now, where that is shown."""
    vp, earns = told
    ink = sheet.look.ink
    if earns:
        emblem(sheet, earns, (centre, 6.4 * unit))
        ink = sheet.look.sides[earns].text
    sheet.label(Rect(centre[0] - 9, centre[1] - 9, 18, 18), str(vp), (ink, 13.5, True), "centre")


def _stacks(sheet: Sheet, centre: Point, unit: float, stacks: Sequence[Stack]) -> None:
    """Pieces with their number; side by side and smaller where there are several kinds."""
    count = len(stacks)
    radius = PIECE_MM * unit * (1.0 if count == 1 else SMALLER)
    step = radius * 2.12
    for i, stack in enumerate(stacks):
        _stack(sheet, (centre[0] + (i - (count - 1) / 2) * step, centre[1]), radius, stack)


def _stack(sheet: Sheet, centre: Point, radius: float, stack: Stack) -> None:
    piece(sheet, stack.faction, stack.unit, (centre, radius))
    ink = sheet.look.sides[stack.faction].text
    text = str(stack.n) if stack.n else f"+{stack.change}"
    size = radius * (1.42 if len(text) == 1 else 1.15)
    rect = Rect(centre[0] - radius, centre[1] - radius * 1.06, 2 * radius, 2 * radius)
    sheet.label(rect, text, (ink, size if stack.n else radius * 0.95, True), "centre")
    if stack.change and stack.n:
        text = f"+{stack.change}" if stack.change > 0 else f"−{-stack.change}"
        tag(sheet, (centre[0] + radius * 0.98, centre[1] + radius * 0.95), text)


def tag(sheet: Sheet, centre: Point, text: str) -> None:
    """A small number on the accent: what changes."""
    look = sheet.look
    wide = 20.0 if len(text) < 3 else 25.0
    sheet.box(Rect(centre[0] - wide / 2, centre[1] - 9, wide, 18), look.accent, look.ink, 9, 1.4)
    rect = Rect(centre[0] - wide / 2, centre[1] - 8.5, wide, 17)
    sheet.label(rect, text, (look.accent_ink, 12.0, True), "centre")


# ---- flags ------------------------------------------------------------------------------------


def _free_mark(area: Area, places: Marks) -> Point:
    """Where nothing else is marked: at the right, at the left, or below."""
    if not area.slot:
        return places.right_mm
    return (places.units_mm[0] + 11.0, places.units_mm[1] + 10.5) if area.vp or area.hq else places.left_mm


def _flags(sheet: Sheet, centre: Point, picture: AreaPicture) -> None:
    """The camera's doubt ("!" where it differs, "?" where it cannot see), or what a form would do to its supply."""
    look = sheet.look
    sign_of = {"gained": ("supply", look.glow.good), "cut": ("cut", look.glow.bad)}
    if picture.check:
        differs = picture.check == "differs"
        sheet.disc(centre, 10, look.glow.bad if differs else look.glow.quiet, look.ink, 1.6)
        rect = Rect(centre[0] - 9, centre[1] - 9, 18, 18)
        sheet.label(rect, "!" if differs else "?", (look.ink, 14, True), "centre")
    elif picture.change in sign_of:
        name, fill = sign_of[picture.change]
        sheet.disc(centre, 10, fill, look.ink, 1.6)
        sign(sheet, name, (centre, 6.5), look.ink)
