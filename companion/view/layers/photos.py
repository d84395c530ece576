"""Photos in the map's place, with what is known or asked about them drawn over them.

A photo has lines and names and corners to drag; the board image its areas as the eye judges them, the pieces it found
and what it is unsure of; the straight photo of a board being traced its areas and what is set on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.drawing.air_zones import zone_colour
from companion.drawing.board_svg import Point, hexagon, path
from companion.drawing.icons import ICONS
from companion.drawing.polygons import clipped_to
from companion.ui.intents import Intent, Place
from companion.ui.table_pictures import (
    AreaSight,
    BoardPicture,
    DraftPicture,
    Mark,
    PhotoPicture,
    PieceSight,
    TracedArea,
)
from companion.view.kit.sheet import Rect, Sheet, bounds, paragraph
from companion.view.kit.signs import emblem, piece, sign
from companion.view.kit.theme import GAP_PT

HANDLE_PT = 15.0
NAME_PT = 11.0


class Loupe(NamedTuple):
    """Sizes of a loupe in points: its side at most, its distance from the photo's edges, its rims, half its cross."""

    most: float
    edge: float
    rims: tuple[float, float]
    reach: float | None = None  # all of it


HELD_LOUPE, TRACED_LOUPE = Loupe(168.0, 8.0, (7.0, 3.0)), Loupe(150.0, 6.0, (6.0, 2.6), 24.0)


def draw_photo(sheet: Sheet, photo: PhotoPicture, most: Rect) -> Rect:
    """Draw the photo at the top left of the place, as large as it fits, its caption under it; return where both are."""
    style = sheet.look.tones[photo.tone]
    words = paragraph(sheet.scratch(), photo.caption, style, most) + GAP_PT if photo.caption else 0.0
    rect = sheet.fit_photo(most._replace(h=most.h - words), photo.data, photo.size_px)
    sheet.box(rect, "none", sheet.look.edge, 0)
    # Outlines have a dark rim, so that they show on every ground; the first one, the board's edge, is bolder.
    for colour, extra in ((sheet.look.ink, 1.6), (sheet.look.glow.accent, 0.0)):
        for i, outline in enumerate(photo.outlines):
            sheet.polygon([rect.at(point) for point in outline], "none", colour, (2.4 if i == 0 else 1.1) + extra)
    for outline in photo.bad:
        sheet.polygon([rect.at(point) for point in outline], "none", sheet.look.ink, 5.0)
        sheet.polygon([rect.at(point) for point in outline], "none", sheet.look.glow.bad, 3.2)
    _names(sheet, photo.names, rect)
    _handles(sheet, photo, rect)
    if photo.corners or photo.touch:
        sheet.drag_target(rect, Intent("corner"))
    if photo.held is not None and photo.loupe:
        is_left = photo.corners[photo.held][0] > 0.5
        sheet.over = _loupe(sheet.scratch(), photo.loupe, (rect, is_left), HELD_LOUPE)
    if not photo.caption:
        return rect
    below = Rect(rect.x, rect.bottom + GAP_PT, most.w, 0)
    used = paragraph(sheet, photo.caption, style, below)
    return Rect(rect.x, rect.y, rect.w, rect.h + GAP_PT + used)


def _names(sheet: Sheet, names: Sequence[tuple[str, Place, str]], rect: Rect) -> None:
    """Write names on small dark grounds; one of a faction on its colour, and larger."""
    for name, place, faction in names:
        x, y = rect.at(place)
        wide, high = (30.0, 21.0) if faction else (22.0, 16.0)
        box = Rect(x - wide / 2, y - high / 2, wide, high)
        side = sheet.look.sides.get(faction)
        fill, line = (side.fill, side.line) if side else (sheet.look.ink, "none")
        _name_ground(sheet, box, fill, 0.92 if faction else 0.72, f' stroke="{line}" stroke-width="1.5"')
        ink, size = side.text if side else sheet.look.cream, NAME_PT + (3.0 if faction else 0.0)
        sheet.label(box, name, (ink, size, True), "centre")


def _name_ground(sheet: Sheet, box: Rect, fill: str, opacity: float, rim: str = "") -> None:
    """Draw the small ground that a name stands on."""
    sheet.raw(
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.w:.1f}" height="{box.h:.1f}" rx="4" fill="{fill}" '
        f'fill-opacity="{opacity}"{rim}/>'
    )


def _handles(sheet: Sheet, photo: PhotoPicture, rect: Rect) -> None:
    for i, corner in enumerate(photo.corners):
        at, colour = rect.at(corner), sheet.look.cream if i == photo.held else sheet.look.glow.accent
        sheet.disc(at, HANDLE_PT + 1.5, "none", sheet.look.ink, 6.5)
        sheet.disc(at, HANDLE_PT + 1.5, "none", colour, 3.6)
        sheet.disc(at, 2.2, colour, sheet.look.ink, 1.0)


def _loupe(over: Sheet, data: bytes, place: tuple[Rect, bool], sizes: Loupe) -> Sheet:
    """Draw what is under the finger, enlarged, with a cross on it, in the upper corner where the finger is not.

    place: the photo, and whether the corner is its left one.
    """
    (rect, is_left), (most, edge, rims, reach) = place, sizes
    side = min(most, rect.h / 2)
    box = Rect(rect.x + edge if is_left else rect.right - side - edge, rect.y + edge, side, side)
    over.photo(box, data)
    over.box(box, "none", over.look.ink, 2, rims[0])
    over.box(box, "none", over.look.cream, 2, rims[1])
    x, y = box.centre
    reach = reach or side / 2 - 4
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        arm = [(x + dx * 5, y + dy * 5), (x + dx * reach, y + dy * reach)]
        over.line(arm, over.look.ink, 3.4)
        over.line(arm, over.look.glow.accent, 1.6)
    return over


# ---- the board image -----------------------------------------------------------------------------

WIDTHS: Mapping[str, float] = {"agrees": 1.6, "unsure": 2.6, "differs": 3.2, "covered": 2.0}  # an area's outline
CERTAIN = 0.95
ROOMY_PT = 220.0  # how wide a picture has to be to have room for numbers


def draw_board(sheet: Sheet, picture: BoardPicture, most: Rect) -> Rect:
    """Draw the board image at the top left of the place, as large as it fits; return where it is."""
    rect = sheet.fit_photo(most, picture.data, picture.size_px)
    for area in sorted(picture.areas, key=lambda area: list(WIDTHS).index(area.state)):
        _sight(sheet, area, rect)
    for seen in picture.pieces:
        radius, colour = seen.half * rect.w, sheet.look.glow.sides[seen.faction]
        dash = "" if seen.score >= CERTAIN else f' stroke-dasharray="{radius * 0.5:.2f} {radius * 0.35:.2f}"'
        shape = path(_piece_outline(seen.unit, rect.at(seen.at), radius))
        for ink, width in ((sheet.look.ink, 3.6), (colour, 2.0)):
            sheet.raw(f'<path d="{shape}" fill="none" stroke="{ink}" stroke-width="{width}"{dash}/>')
    taken = [_sight_label(sheet, area, rect) for area in picture.areas]
    for seen in picture.pieces if rect.w >= ROOMY_PT else ():
        _doubt(sheet, seen, rect, taken)
    for area in picture.areas:
        outline = tuple(rect.at(point) for point in area.outline)
        sheet.target(bounds(outline), Intent("area", area.name), outline)
    return rect


def _sight(sheet: Sheet, area: AreaSight, rect: Rect) -> None:
    """Draw an area's outline in the colour of its state; what is covered is dimmed, the chosen one lit."""
    colour, width = _state_colour(sheet, area.state), WIDTHS[area.state]
    data = path([rect.at(point) for point in area.outline])
    fill, opacity = (
        (sheet.look.ink, 0.62) if area.state == "covered" else (sheet.look.glow.accent, 0.22 if area.chosen else 0.0)
    )
    rim = f'stroke="{sheet.look.ink}" stroke-width="{width + 1.6}"'
    sheet.raw(f'<path d="{data}" fill="{fill}" fill-opacity="{opacity}" {rim}/>')
    stroke = sheet.look.cream if area.chosen else colour
    sheet.raw(f'<path d="{data}" fill="none" stroke="{stroke}" stroke-width="{width * (1.6 if area.chosen else 1)}"/>')


def _state_colour(sheet: Sheet, state: str) -> str:
    glow = sheet.look.glow
    return {"agrees": glow.good, "unsure": glow.accent, "differs": glow.bad, "covered": glow.quiet}[state]


def _doubt(sheet: Sheet, seen: PieceSight, rect: Rect, taken: list[Rect]) -> None:
    """Write how likely a doubtful piece is, in percent, where there is room for it."""
    (x, y), radius = rect.at(seen.at), seen.half * rect.w
    tag = Rect(x + radius * 0.35, y - radius * 1.25, 20, 13)
    if seen.score < CERTAIN and not any(tag.overlaps(other) for other in taken):
        sheet.box(tag, sheet.look.ink, "none", 3)
        sheet.label(tag, f"{int(seen.score * 100)}", (sheet.look.glow.sides[seen.faction], 10.5, True), "centre")
        taken.append(tag)


def _piece_outline(unit: str, centre: Point, radius: float) -> list[Point]:
    """Return a piece's outline: a hexagon for a commander, a diamond for a ship, an octagon for all else."""
    x, y = centre
    if unit == "commander":
        return list(hexagon(centre, radius))
    if unit == "ship":
        return [(x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius)]
    c = 0.414  # tan(22.5°): an octagon
    ring = ((1, c), (c, 1), (-c, 1), (-1, c), (-1, -c), (-c, -1), (c, -1), (1, -c))
    return [(x + a * radius * 0.95, y + b * radius * 0.95) for a, b in ring]


def _sight_label(sheet: Sheet, area: AreaSight, rect: Rect) -> Rect:
    """Draw the area's name, and how sure the reading is where that is worth saying; return the place it took."""
    low = max(rect.at(point)[1] for point in area.outline)
    x, _y = rect.at(area.middle)
    sure = area.state in ("agrees", "differs")
    text = area.name if sure or not area.label or rect.w < ROOMY_PT else f"{area.name} {area.label}"
    wide = 20.0 if text == area.name else 54.0
    box = Rect(x - wide / 2, low - 17, wide, 14)
    _name_ground(sheet, box, sheet.look.ink, 0.75)
    sheet.label(box, text, (sheet.look.cream if sure else _state_colour(sheet, area.state), 11, True), "centre")
    return box


# ---- a board being traced ------------------------------------------------------------------------

KINDS = ("", "air", "land", "water")
LEAST_MARK_PT = 7.0


def draw_draft(sheet: Sheet, picture: DraftPicture, most: Rect) -> Rect:
    """Draw a traced board's photo at the top left of the place, as large as it fits; return where it is."""
    rect = sheet.fit_photo(most, picture.data, picture.size_px)
    for area in sorted(picture.areas, key=lambda area: (area.state != "", KINDS.index(area.kind))):
        _traced_area(sheet, area, rect)
    for start, end in picture.piers:
        if _visible(start) and _visible(end):
            _pier(sheet, rect.at(start), rect.at(end))
    half = max(picture.half * rect.w, LEAST_MARK_PT)
    for mark in filter(lambda mark: _visible(mark.at), picture.marks):
        _traced_mark(sheet, mark, (rect.at(mark.at), half))
    if picture.box:
        sheet.polygon([rect.at(corner) for corner in picture.box], "none", sheet.look.glow.accent, 2.4)
    for area in picture.areas:
        _traced_name(sheet, area, rect)
    sheet.box(rect, "none", sheet.look.edge, 0)
    sheet.drag_target(rect, Intent("trace"))
    if picture.loupe:
        sheet.over = _loupe(sheet.scratch(), picture.loupe, (rect, picture.loupe_left), TRACED_LOUPE)
    return rect


def _visible(place: Place) -> bool:
    return 0 <= place[0] <= 1 and 0 <= place[1] <= 1


def _traced_area(sheet: Sheet, area: TracedArea, rect: Rect) -> None:
    """Draw a tint for an area's kind or zone, and its border, bolder for a fort; a hex of no area is a thin line."""
    look = sheet.look
    outline = clipped_to(area.outline, (0.0, 0.0, 1.0, 1.0))  # what is inside the picture
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


def _traced_mark(sheet: Sheet, mark: Mark, placed: tuple[Point, float]) -> None:
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
        sheet.label(Rect.around((x, y), half), mark.text, (colour, min(half * 1.35, 15.0), True), "centre")


def _traced_name(sheet: Sheet, area: TracedArea, rect: Rect) -> None:
    """Write the area's name on a small dark ground."""
    if not area.name or not _visible(area.at):
        return
    x, y = rect.at(area.at)
    wide = 8.5 * len(area.name) + 6
    box = Rect(min(max(x - wide / 2, rect.x), rect.right - wide), min(y - 7, rect.bottom - 14), wide, 14)
    _name_ground(sheet, box, sheet.look.ink, 0.7)
    sheet.label(box, area.name, (sheet.look.cream, 11.0, True), "centre")
