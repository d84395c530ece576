"""A battlefield beside the words: ground, bases with their facing, rings and lines."""

from __future__ import annotations

from companion.scenes.sonae.sights import FieldPicture
from companion.view.sheet import Rect, Sheet


def draw_field(sheet: Sheet, picture: FieldPicture, most: Rect) -> Rect:
    """Draw the field at the top left of the place, as large as it fits; where it is."""
    scale = min(most.w / picture.size[0], most.h / picture.size[1])
    rect = Rect(most.x, most.y, picture.size[0] * scale, picture.size[1] * scale)
    sheet.box(rect, sheet.look.board["land"], sheet.look.edge, 8)
    return rect
