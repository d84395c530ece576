"""The battlefield of the card game beside the words: zones, generals, piles."""

from __future__ import annotations

from companion.scenes.generals.sights import DuelPicture
from companion.view.sheet import Rect, Sheet


def draw_duel(sheet: Sheet, picture: DuelPicture, most: Rect) -> Rect:
    """Draw the battlefield in the place; where it is."""
    del picture
    sheet.box(most, sheet.look.board["land"], sheet.look.edge, 8)
    return most
