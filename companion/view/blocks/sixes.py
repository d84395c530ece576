"""Hit dice: six-sided ones of which only the sixes count. Each is touched to show a six or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.drawing.board_svg import Point
from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import sign

SIX = 6
APART_PT = 4.0
MOST_PT = 76.0
PIPS: Mapping[int, Sequence[Point]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1.25), (1, -1.25), (-1, 0), (1, 0), (-1, 1.25), (1, 1.25)),
}
"""Where the pips of each face are, in parts of their distance from the middle."""
Draw = Callable[[Sheet, int | None, Rect], None]


def draw_sixes(sheet: Sheet, block: scr.Dice, place: Rect, die: Draw) -> float:
    """The dice in rows, as large as a finger needs; the height they took."""
    count = len(block.faces)
    most = max(1, int((place.w + APART_PT) // (sheet.touch + APART_PT)))
    rows = -(-count // most) if count else 0
    across = -(-count // rows) if rows else 1
    side = min(MOST_PT, (place.w + APART_PT) / across - APART_PT) if rows == 1 else sheet.touch
    left = place.x + (place.w - across * (side + APART_PT) + APART_PT) / 2
    for i, face in enumerate(block.faces):
        rect = Rect(left + i % across * (side + APART_PT), place.y + i // across * (side + APART_PT), side, side)
        _one(sheet, face, rect, die)
        if block.entering:
            sheet.target(rect, scr.Intent("die", "", i))
    return max(0.0, rows * (side + APART_PT) - APART_PT)


def _one(sheet: Sheet, face: int | None, rect: Rect, die: Draw) -> None:
    """A six stands out; any other face is a plain die with a small cross."""
    if face == SIX:
        die(sheet, SIX, rect)
        return
    sheet.box(rect, sheet.look.raised, sheet.look.edge, 9, 1.6)
    sign(sheet, "minus", (rect.centre, rect.h * 0.16), sheet.look.dim)
