"""What is drawn of a review: both sides' chances to win as two fields in their colours, and the turns that count."""

from __future__ import annotations

from companion.drawing.board_svg import Point
from companion.ui.screen import ChanceCurve
from companion.view.kit.plates import plate
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import emblem

TITLE_PT = 20.0
ROUNDS_PT = 18.0
EMBLEM_PT = 8.0
BADGE_PT = 10.0  # half a number's disc
EDGE_PT = 10.0


def draw_chances(sheet: Sheet, block: ChanceCurve, place: Rect) -> float:
    """Draw the chances of both sides over a game: a title, a field for each side with the line between them.

    Half-way is marked, the rounds stand below, and each point has a disc. Returns the height.
    """
    card = Rect(place.x, place.y, place.w, block.high_pt)
    plate(sheet, card, sheet.look.panel)
    head = Rect(card.x + EDGE_PT, card.y + 3, card.w - 2 * EDGE_PT, TITLE_PT)
    sheet.label(head, block.title, (sheet.look.quiet, 13.0, False))
    top = card.y + TITLE_PT + 4
    plot = Rect(card.x + 30, top, card.w - 30 - EDGE_PT, card.bottom - ROUNDS_PT - 4 - top)
    sheet.about(card, "chances")
    line = [_at(block, plot, turn) for turn in range(len(block.chances))]
    _fields(sheet, block, plot, line)
    _rounds(sheet, block, plot)
    for number, turn in enumerate(block.points, 1):
        _badge(sheet, line[turn], plot, str(number), chosen=turn == block.at)
    if block.at is not None and block.at not in block.points:
        sheet.disc(line[block.at], 6.0, sheet.look.accent, sheet.look.ink, 1.4)
    if block.intent is not None:
        sheet.drag(Rect(plot.x, card.y, plot.w, card.h), block.intent, keyed=False)
    return card.h


def _at(block: ChanceCurve, plot: Rect, turn: int) -> Point:
    """Return the point of the line after so many turns."""
    share = turn / max(len(block.chances) - 1, 1)
    return plot.x + plot.w * share, plot.bottom - plot.h * block.chances[turn]


def _fields(sheet: Sheet, block: ChanceCurve, plot: Rect, line: list[Point]) -> None:
    """Draw the first side's field below the line and the other's above it, each with its emblem at the left."""
    below, above = (sheet.look.sides[side] for side in block.sides)
    sheet.box(plot, above.fill, sheet.look.edge, 0)
    if len(line) > 1:
        sheet.polygon([*line, (line[-1][0], plot.bottom), (plot.x, plot.bottom)], below.fill)
        if line[-1][0] < plot.right - 1:
            sheet.box(Rect(line[-1][0], plot.y, plot.right - line[-1][0], plot.h), sheet.look.panel, "none", 0)
        sheet.line(line, sheet.look.cream, 2.6)
    half = plot.y + plot.h / 2
    sheet.line([(plot.x, half), (plot.right, half)], sheet.look.cream, 1.0, "3 5")
    for side, y in zip(block.sides, (plot.bottom - EMBLEM_PT, plot.y + EMBLEM_PT), strict=True):
        emblem(sheet, side, ((plot.x - 14, y), EMBLEM_PT))


def _rounds(sheet: Sheet, block: ChanceCurve, plot: Rect) -> None:
    """Draw a thin line where each round begins, and the round's name below."""
    last = max(len(block.chances) - 1, 1)
    ends = [start for start, _name in block.rounds[1:]] + [last]
    for (start, name), end in zip(block.rounds, ends, strict=False):
        x0, x1 = (plot.x + plot.w * turn / last for turn in (start, end))
        if start:
            sheet.line([(x0, plot.y), (x0, plot.bottom + 4)], sheet.look.edge, 1.0)
        wide = sheet.measure(name, 12.5, True) + 4
        if wide <= x1 - x0 + 2:
            place = Rect((x0 + x1 - wide) / 2, plot.bottom + 3, wide, ROUNDS_PT)
            sheet.label(place, name, (sheet.look.quiet, 12.5, True), "centre")


def _badge(sheet: Sheet, at: Point, plot: Rect, text: str, *, chosen: bool) -> None:
    """Draw a number on the line, kept within the plot."""
    x = min(max(at[0], plot.x + BADGE_PT), plot.right - BADGE_PT)
    y = min(max(at[1], plot.y + BADGE_PT), plot.bottom - BADGE_PT)
    look = sheet.look
    fill, ink = (look.accent, look.accent_ink) if chosen else (look.cream, look.ink)
    sheet.disc((x, y), BADGE_PT, fill, look.ink, 1.6)
    box = Rect(x - BADGE_PT, y - BADGE_PT, 2 * BADGE_PT, 2 * BADGE_PT)
    sheet.label(box, text, (ink, 13.0, True), "centre")
