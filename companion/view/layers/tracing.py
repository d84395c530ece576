"""A board being traced, in the map's place: the straight photo, its areas, and what is set on them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.air_zones import zone_colour
from companion.drawing.board_svg import Point, hexagon, path
from companion.drawing.icons import ICONS
from companion.ui.intents import Intent, Place
from companion.ui.table_pictures import DraftPicture, Mark, TracedArea
from companion.view.kit.clipping import clipped_to
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import emblem, piece, sign

ORDER = ("", "air", "land", "water")
LOUPE_PT = 150.0
LEAST_MARK_PT = 7.0


def draw_draft(sheet: Sheet, picture: DraftPicture, most: Rect) -> Rect:
    """Draw the picture at the top left of the place, as large as it fits; where it is."""
    rect = sheet.fit_photo(most, picture.data, picture.size_px)
    for area in sorted(picture.areas, key=lambda area: (area.state != "", ORDER.index(area.kind))):
        _area(sheet, area, rect)
    for start, end in picture.piers:
        if _visible(start) and _visible(end):
            _pier(sheet, rect.at(start), rect.at(end))
    half = max(picture.half * rect.w, LEAST_MARK_PT)
    inside = [mark for mark in picture.marks if _visible(mark.at)]
    for mark in inside:
        _mark(sheet, mark, (rect.at(mark.at), half))
    if picture.box:
        sheet.polygon([rect.at(corner) for corner in picture.box], "none", sheet.look.glow.accent, 2.4)
    for area in picture.areas:
        _name(sheet, area, rect)
    sheet.box(rect, "none", sheet.look.edge, 0)
    sheet.drag(rect, Intent("trace"))
    if picture.loupe:
        sheet.over = _loupe(sheet.scratch(), picture, rect)
    return rect


def _visible(place: Place) -> bool:
    return 0 <= place[0] <= 1 and 0 <= place[1] <= 1


def clip_outline(outline: Sequence[Place]) -> list[Place]:
    """Return the part of an outline inside the picture; empty where none is."""
    return clipped_to(outline, (0.0, 0.0, 1.0, 1.0))


def _area(sheet: Sheet, area: TracedArea, rect: Rect) -> None:
    """Draw a tint for an area's kind or zone, and its border, bolder for a fort; a hex of no area is a thin line."""
    look = sheet.look
    outline = clip_outline(area.outline)
    if not outline:
        return
    data = path([rect.at(point) for point in outline])
    if not area.kind:
        sheet.raw(f'<path d="{data}" fill="none" stroke="{look.cream}" stroke-opacity="0.55" stroke-width="1"/>')
        return
    fill, opacity = {"water": ("#1d6fd0", 0.34), "land": ("#f0d060", 0.12), "air": ("#ffffff", 0.25)}[area.kind]
    if area.zone:
        fill, opacity = zone_colour(f"zone-{area.zone}"), 0.42
    colour = {"bad": look.glow.bad, "chosen": look.cream}.get(area.state, look.glow.accent)
    width = 3.6 if area.state else 2.0
    sheet.raw(
        f'<path d="{data}" fill="{fill}" fill-opacity="{opacity}" stroke="{look.ink}" stroke-width="{width + 1.8}" '
        f'stroke-linejoin="round"/>'
        f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>'
    )
    if area.fort:
        sheet.raw(f'<path d="{data}" fill="none" stroke="{look.ink}" stroke-width="6" stroke-dasharray="4 3"/>')


def _pier(sheet: Sheet, start: Point, end: Point) -> None:
    """Draw a pier: a bar over the shore, from a third of the way to two thirds."""
    (x0, y0), (x1, y1) = start, end
    bar = [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in (0.36, 0.64)]
    sheet.line(bar, sheet.look.ink, 8.0)
    sheet.line(bar, sheet.look.cream, 5.0)


def _mark(sheet: Sheet, mark: Mark, placed: tuple[Point, float]) -> None:
    """Draw one printed thing as the map of a game draws it."""
    (x, y), half = placed
    look = sheet.look
    if mark.sign == "dot":
        sheet.disc((x, y), 9.0, "none", look.ink, 6.0)
        sheet.disc((x, y), 9.0, "none", look.glow.accent, 3.0)
    elif mark.in_hex:
        side = look.sides.get(mark.faction)
        sheet.polygon(hexagon((x, y), half * 1.15), side.fill if side else look.cream, look.ink, 1.2)
        sign(sheet, mark.sign, ((x, y), half * 0.78), side.text if side else look.ink)
    elif mark.sign == "points":
        sheet.disc((x, y), half, look.board["points"], look.ink, 1.2)
    elif mark.sign == "unit":
        piece(sheet, mark.faction, mark.what, ((x, y), half))
    elif mark.faction:
        emblem(sheet, mark.faction, ((x, y), half * 1.2))
        sign(sheet, mark.sign, ((x, y), half * 0.8), look.sides[mark.faction].text)
    else:
        sheet.disc((x, y), half, look.cream, look.ink, 1.2)
        sign(sheet, mark.sign if mark.sign in ICONS else "", ((x, y), half * 0.68), look.ink)
    if mark.text:
        side = look.sides.get(mark.faction)
        colour = side.text if side and mark.sign == "unit" else look.ink
        box = Rect(x - half, y - half, 2 * half, 2 * half)
        sheet.label(box, mark.text, (colour, min(half * 1.35, 15.0), True), "centre")


def _name(sheet: Sheet, area: TracedArea, rect: Rect) -> None:
    """Write the area's name on a small dark ground."""
    if not area.name or not _visible(area.at):
        return
    x, y = rect.at(area.at)
    wide = 8.5 * len(area.name) + 6
    box = Rect(min(max(x - wide / 2, rect.x), rect.right - wide), min(y - 7, rect.bottom - 14), wide, 14)
    sheet.raw(
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.w:.1f}" height="14" rx="4" fill="{sheet.look.ink}" '
        f'fill-opacity="0.7"/>'
    )
    sheet.label(box, area.name, (sheet.look.cream, 11.0, True), "centre")


def _loupe(over: Sheet, picture: DraftPicture, rect: Rect) -> Sheet:
    """Draw what is under the finger, enlarged, with a cross on it, in the upper corner where the finger is not."""
    side = min(LOUPE_PT, rect.h / 2)
    box = Rect(rect.x + 6 if picture.loupe_left else rect.right - side - 6, rect.y + 6, side, side)
    over.photo(box, picture.loupe)
    over.box(box, "none", over.look.ink, 2, 6)
    over.box(box, "none", over.look.cream, 2, 2.6)
    x, y = box.centre
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        arm = [(x + dx * 5, y + dy * 5), (x + dx * 24, y + dy * 24)]
        over.line(arm, over.look.ink, 3.4)
        over.line(arm, over.look.glow.accent, 1.6)
    return over
