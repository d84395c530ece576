"""The board image in the map's place: the areas as the eye judges them, the pieces it found, what it is unsure of."""

from __future__ import annotations

from collections.abc import Mapping

from companion.drawing.board_svg import Point, hexagon, path
from companion.ui.intents import Intent
from companion.ui.table_pictures import AreaSight, BoardPicture, PieceSight
from companion.view.kit.sheet import Rect, Sheet, bounds

WIDTHS: Mapping[str, float] = {"agrees": 1.6, "unsure": 2.6, "differs": 3.2, "covered": 2.0}  # an area's outline
CERTAIN = 0.95
ROOMY_PT = 220.0  # how wide a picture has to be to have room for numbers


def draw_board(sheet: Sheet, picture: BoardPicture, most: Rect) -> Rect:
    """Draw the board image at the top left of the place, as large as it fits; where it is."""
    rect = sheet.fit_photo(most, picture.data, picture.size_px)
    for area in sorted(picture.areas, key=lambda area: list(WIDTHS).index(area.state)):
        _area(sheet, area, rect)
    for piece in picture.pieces:
        (x, y), radius = rect.at(piece.at), piece.half * rect.w
        colour = sheet.look.glow.sides[piece.faction]
        dash = "" if piece.score >= CERTAIN else f' stroke-dasharray="{radius * 0.5:.2f} {radius * 0.35:.2f}"'
        shape = path(_outline(piece.unit, (x, y), radius))
        for ink, width in ((sheet.look.ink, 3.6), (colour, 2.0)):
            sheet.raw(f'<path d="{shape}" fill="none" stroke="{ink}" stroke-width="{width}"{dash}/>')
    taken = [_label(sheet, area, rect) for area in picture.areas]
    for piece in picture.pieces if rect.w >= ROOMY_PT else ():
        _tag(sheet, piece, rect, taken)
    for area in picture.areas:
        outline = tuple(rect.at(point) for point in area.outline)
        sheet.target(bounds(outline), Intent("area", area.name), outline)
    return rect


def _area(sheet: Sheet, area: AreaSight, rect: Rect) -> None:
    """Draw an area's outline in the colour of its state; what is covered is dimmed, the chosen one lit."""
    colour, width = _colour(sheet, area.state), WIDTHS[area.state]
    data = path([rect.at(point) for point in area.outline])
    fill, opacity = (
        (sheet.look.ink, 0.62) if area.state == "covered" else (sheet.look.glow.accent, 0.22 if area.chosen else 0.0)
    )
    rim = f'stroke="{sheet.look.ink}" stroke-width="{width + 1.6}"'
    sheet.raw(f'<path d="{data}" fill="{fill}" fill-opacity="{opacity}" {rim}/>')
    stroke = sheet.look.cream if area.chosen else colour
    sheet.raw(f'<path d="{data}" fill="none" stroke="{stroke}" stroke-width="{width * (1.6 if area.chosen else 1)}"/>')


def _colour(sheet: Sheet, state: str) -> str:
    glow = sheet.look.glow
    return {"agrees": glow.good, "unsure": glow.accent, "differs": glow.bad, "covered": glow.quiet}[state]


def _tag(sheet: Sheet, piece: PieceSight, rect: Rect, taken: list[Rect]) -> None:
    """Write how likely a doubtful piece is, in percent, where there is room for it."""
    text = "" if piece.score >= CERTAIN else f"{int(piece.score * 100)}"
    (x, y), radius = rect.at(piece.at), piece.half * rect.w
    tag = Rect(x + radius * 0.35, y - radius * 1.25, 20, 13)
    if text and not any(tag.overlaps(other) for other in taken):
        sheet.box(tag, sheet.look.ink, "none", 3)
        sheet.label(tag, text, (sheet.look.glow.sides[piece.faction], 10.5, True), "centre")
        taken.append(tag)


def _outline(unit: str, centre: Point, radius: float) -> list[Point]:
    """Return a piece's outline: a hexagon for a commander, a diamond for a ship, an octagon for all else.

    A ship is a diamond however it lies.
    """
    x, y = centre
    if unit == "commander":
        return list(hexagon(centre, radius))
    if unit == "ship":
        return [(x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius)]
    c = 0.414  # tan(22.5°): an octagon
    ring = ((1, c), (c, 1), (-c, 1), (-1, c), (-1, -c), (-c, -1), (c, -1), (1, -c))
    return [(x + a * radius * 0.95, y + b * radius * 0.95) for a, b in ring]


def _label(sheet: Sheet, area: AreaSight, rect: Rect) -> Rect:
    """Draw the area's name, and how sure the reading is where that is worth saying; return the place it took."""
    low = max(rect.at(point)[1] for point in area.outline)
    x, _y = rect.at(area.middle)
    sure = area.state in ("agrees", "differs")
    text = area.name if sure or not area.label or rect.w < ROOMY_PT else f"{area.name} {area.label}"
    wide = 20.0 if text == area.name else 54.0
    box = Rect(x - wide / 2, low - 17, wide, 14)
    sheet.raw(
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.w}" height="{box.h}" rx="4" fill="{sheet.look.ink}" '
        f'fill-opacity="0.75"/>'
    )
    sheet.label(box, text, (sheet.look.cream if sure else _colour(sheet, area.state), 11, True), "centre")
    return box
