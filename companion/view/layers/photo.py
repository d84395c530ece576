"""A photo in the map's place: lines and names over it, corners to drag, and what is under the finger enlarged."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ui.intents import Intent, Place
from companion.ui.table_pictures import PhotoPicture
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.theme import GAP_PT

HANDLE_PT = 15.0
LOUPE_PT = 168.0
NAME_PT = 11.0


def draw_photo(sheet: Sheet, photo: PhotoPicture, most: Rect) -> Rect:
    """Draw the photo at the top left of the place, as large as it fits, its caption under it; where both are."""
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
        sheet.drag(rect, Intent("corner"))
    if photo.held is not None and photo.loupe:
        sheet.over = _loupe(sheet.scratch(), photo, rect)
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
        sheet.raw(
            f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{wide:g}" height="{high:g}" rx="4" fill="{fill}" '
            f'fill-opacity="{0.92 if faction else 0.72}" stroke="{line}" stroke-width="1.5"/>'
        )
        sheet.label(
            box, name, (side.text if side else sheet.look.cream, NAME_PT + (3.0 if faction else 0.0), True), "centre"
        )


def _handles(sheet: Sheet, photo: PhotoPicture, rect: Rect) -> None:
    for i, corner in enumerate(photo.corners):
        at = rect.at(corner)
        held = i == photo.held
        sheet.disc(at, HANDLE_PT + 1.5, "none", sheet.look.ink, 6.5)
        sheet.disc(at, HANDLE_PT + 1.5, "none", sheet.look.cream if held else sheet.look.glow.accent, 3.6)
        sheet.disc(at, 2.2, sheet.look.cream if held else sheet.look.glow.accent, sheet.look.ink, 1.0)


def _loupe(over: Sheet, photo: PhotoPicture, rect: Rect) -> Sheet:
    """Draw the held corner's surroundings enlarged, with a cross on it, at the side where the finger is not."""
    assert photo.held is not None
    left = photo.corners[photo.held][0] > 0.5
    side = min(LOUPE_PT, rect.h / 2)
    box = Rect(rect.x + 8 if left else rect.right - side - 8, rect.y + 8, side, side)
    over.photo(box, photo.loupe)
    over.box(box, "none", over.look.ink, 2, 7)
    over.box(box, "none", over.look.cream, 2, 3)
    x, y = box.centre
    reach = side / 2 - 4
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        arm = [(x + dx * 5, y + dy * 5), (x + dx * reach, y + dy * reach)]
        over.line(arm, over.look.ink, 3.4)
        over.line(arm, over.look.glow.accent, 1.6)
    return over
