"""What is drawn of a game's great moments: the curve of its points, and the card of its winner."""

from __future__ import annotations

from collections.abc import Iterator

from companion.drawing.board_svg import Point
from companion.ui.screen import Curve, CurveSide, Laurels, Tally
from companion.view.kit.sheet import Rect, Sheet, paragraphs
from companion.view.kit.signs import emblem, lift, mark, plate, sign
from companion.view.kit.theme import GAP_PT

TITLE_PT = 18.0
ROUNDS_PT = 16.0  # the strip of the rounds' names
BADGE_PT = 11.0  # half an emblem with the last number on it
SIDE_PT = 2 * BADGE_PT + 6.0  # the column of the emblems
LEAST_GAP_PT = 2 * BADGE_PT  # between both emblems
FIGHT_PT = 2.7  # half a cross
LINE_PT = 2.6
APART_PT = 1.6  # two lines that run together are drawn so far apart
NARROW_PT = 300.0
LOW_TALLY_PT = 62.0


def draw_laurels(sheet: Sheet, block: Laurels, place: Rect) -> float:
    """Draw the winner's emblem with its mark on gold, the sentence in large letters, and why in small ones."""
    narrow, look = place.w < NARROW_PT, sheet.look
    half = 20.0 if narrow else 32.0
    left = 2 * half + 22.0
    text = Rect(place.x + left, place.y + 10, place.w - left - 12, 0)
    title = block.title, (look.accent_ink, 21.0 if narrow else 34.0, True)
    parts = title, (block.text, (look.accent_ink, 14.0 if narrow else 16.0, False))
    high = paragraphs(sheet.scratch(), parts, text)
    card = place._replace(h=max(high + 20, 2 * half + 20))
    plate(sheet, card, look.accent, look.sides[block.faction].border, 3)
    centre = card.x + half + 10, card.centre[1]
    emblem(sheet, block.faction, (centre, half), 0.1)
    raised = centre[0], centre[1] - lift(sheet, block.faction) * 2 * half
    mark(sheet, block.faction, (raised, half * 0.52))
    sheet.about(Rect.around(centre, half), "won")
    paragraphs(sheet, parts, text._replace(y=card.y + (card.h - high) / 2))
    return card.h


def draw_curve(sheet: Sheet, block: Curve, place: Rect) -> float:
    """Draw the curve of a game: its title, both sides' lines with their last numbers, the rounds and fights below."""
    high = block.high_pt if block.intent is None else max(block.high_pt, sheet.touch)
    card = Rect(place.x, place.y, place.w, high)
    plate(sheet, card, sheet.look.panel)
    if block.title:
        head = Rect(card.x + 8, card.y + 3, card.w - 16, TITLE_PT)
        sheet.label(head, block.title, (sheet.look.quiet, 13.0, False))
    top = card.y + 8 + (TITLE_PT if block.title else 0.0)
    plot = Rect(card.x + 10, top, card.w - 16 - SIDE_PT, card.bottom - ROUNDS_PT - 8 - top)
    sheet.about(card, "curve")
    _rounds(sheet, block, plot)
    _marks(sheet, block, plot)
    for n, side in enumerate(block.sides):
        _line(sheet, side, _points(block, plot, n))
    _last_numbers(sheet, block, plot)
    if block.at is not None:  # an upright line with a knob at the moment that is looked at
        x = _x(block, plot, block.at)
        sheet.line([(x, plot.y - 4), (x, plot.bottom + 3)], sheet.look.text, 2.0)
        sheet.disc((x, plot.bottom + 3), 6.0, sheet.look.accent, sheet.look.ink, 1.4)
    if block.intent is not None:
        sheet.drag(Rect(plot.x, card.y, plot.w, card.h), block.intent, keyed=False)
    return card.h


def _turns(block: Curve) -> int:
    """Return the number of turns, at least one."""
    return max(len(block.sides[0].values) - 1, 1)


def _x(block: Curve, plot: Rect, turn: float) -> float:
    return plot.x + plot.w * turn / _turns(block)


def _points(block: Curve, plot: Rect, n: int) -> list[Point]:
    """Return the points of a side's line, a little above or below the other's where both would run together."""
    most = max(1, *(value for side in block.sides for value in side.values))
    other = block.sides[1 - n].values
    shift = -APART_PT if n == 0 else APART_PT
    return [
        (_x(block, plot, turn), plot.bottom - plot.h * value / most + (shift if value == other[turn] else 0.0))
        for turn, value in enumerate(block.sides[n].values)
    ]


def _line(sheet: Sheet, side: CurveSide, points: list[Point]) -> None:
    """Draw a side's line on a light one, so that it stands out from any ground."""
    if len(points) > 1:
        sheet.line(points, sheet.look.cream, LINE_PT + 2.4)
        for colour, wide in sheet.look.sides[side.faction].strokes(LINE_PT):
            sheet.line(points, colour, wide)


def _last_numbers(sheet: Sheet, block: Curve, plot: Rect) -> None:
    """Draw each side's number at the moment that is looked at, or at the end, on emblems that never overlap."""
    at = _turns(block) if block.at is None else block.at
    heights = [_points(block, plot, n)[min(at, len(side.values) - 1)][1] for n, side in enumerate(block.sides)]
    tops = _parted(heights, plot)
    x = plot.right + 6 + BADGE_PT
    numbers = block.now or [side.values[min(at, len(side.values) - 1)] for side in block.sides]
    for side, y, number in zip(block.sides, tops, numbers, strict=True):
        emblem(sheet, side.faction, ((x, y), BADGE_PT))
        style = (sheet.look.sides[side.faction].text, 13.0, True)
        shift = lift(sheet, side.faction) * 2 * BADGE_PT
        sheet.label(Rect(x - BADGE_PT, y - BADGE_PT - shift, 2 * BADGE_PT, 2 * BADGE_PT), str(number), style, "centre")


def _parted(heights: list[float], plot: Rect) -> list[float]:
    """Move both heights at least an emblem apart, within the plot and the strip below it."""
    lowest = plot.bottom + ROUNDS_PT - BADGE_PT + 4
    first, second = heights
    gap = LEAST_GAP_PT - abs(first - second)
    if gap > 0:
        up = first <= second
        first, second = (first - gap / 2, second + gap / 2) if up else (first + gap / 2, second - gap / 2)
    over = max(0.0, plot.y + BADGE_PT - 8 - min(first, second)) - max(0.0, max(first, second) - lowest)
    return [first + over, second + over]


def _rounds(sheet: Sheet, block: Curve, plot: Rect) -> None:
    """Draw a thin line where each round begins, and the round's name below where there is room for it."""
    ends = [start for start, _name in block.rounds[1:]] + [_turns(block)]
    free = plot.x - 4
    for (start, name), end in zip(block.rounds, ends, strict=False):
        x0, x1 = _x(block, plot, start), _x(block, plot, end)
        if start:
            sheet.line([(x0, plot.y - 4), (x0, plot.bottom + 4)], sheet.look.edge, 1.0)
        wide = sheet.measure(name, 12.5, True) + 4
        left = (x0 + x1 - wide) / 2
        if left >= free and left + wide <= plot.right + 2:
            sheet.label(Rect(left, plot.bottom + 6, wide, ROUNDS_PT), name, (sheet.look.quiet, 12.5, True), "centre")
            free = left + wide + 4
    sheet.line([(plot.x, plot.bottom + 3), (plot.right, plot.bottom + 3)], sheet.look.edge, 1.4)


def _marks(sheet: Sheet, block: Curve, plot: Rect) -> None:
    """Draw a cross on the line below for each conflict, and an upright line with a star where the game turned."""
    for turn in block.fights:
        x, y = _x(block, plot, turn - 0.5), plot.bottom + 3
        sheet.cross((x, y), FIGHT_PT, sheet.look.bad, 1.8)
        sheet.about(Rect.around((x, y), FIGHT_PT), "fight")
    if block.turning is not None:
        x = _x(block, plot, block.turning)
        sheet.line([(x, plot.y - 2), (x, plot.bottom + 3)], sheet.look.accent_text, 1.8, "4 4")
        sign(sheet, "points", ((x, plot.y - 4), 6.5), sheet.look.accent_text, "turning")


# ---- points side by side -------------------------------------------------------------------------


def draw_tally(sheet: Sheet, block: Tally, place: Rect) -> float:
    """Draw both sides' points side by side, the winner with a star; return the height."""
    if block.low:
        return _low_tally(sheet, block, place)
    high = 96.0
    for side, rect in zip(block.sides, _side_by_side(block, place, high), strict=True):
        own = sheet.look.sides[side.faction]
        sheet.box(rect, own.fill, sheet.look.accent_text if side.won else sheet.look.edge, 12, 2.5)
        emblem(sheet, side.faction, ((rect.x + 22, rect.y + 62), 10))
        if side.won:
            sheet.disc((rect.right - 22, rect.y + 62), 12, sheet.look.accent, sheet.look.ink)
            sign(sheet, "points", ((rect.right - 22, rect.y + 62), 8), sheet.look.accent_ink, "won")
        sheet.label(Rect(rect.x + 8, rect.y + 8, rect.w - 16, 28), side.label, (own.text, 17, True), "centre")
        sheet.label(Rect(rect.x + 10, rect.y + 32, rect.w - 20, 58), str(side.points), (own.text, 44, True), "centre")
    return high


def _side_by_side(block: Tally, place: Rect, high: float) -> Iterator[Rect]:
    """Yield the places of a tally's sides."""
    wide = (place.w - GAP_PT * (len(block.sides) - 1)) / max(len(block.sides), 1)
    return (Rect(place.x + i * (wide + GAP_PT), place.y, wide, high) for i in range(len(block.sides)))


def _low_tally(sheet: Sheet, block: Tally, place: Rect) -> float:
    """Draw a low tally: each side's name above, and in a line its points with their change. Return the height."""
    for side, rect in zip(block.sides, _side_by_side(block, place, LOW_TALLY_PT), strict=True):
        look = sheet.look.sides[side.faction]
        plate(sheet, rect, look.fill, look.line, 1.6)
        sheet.label(Rect(rect.x + 8, rect.y + 4, rect.w - 16, 20), side.label, (look.text, 15, True), "centre")
        middle = rect.centre[0]
        number, change = (look.text, 30.0, True), (look.text, 19.0, True)
        sheet.label(Rect(rect.x + 6, rect.y + 22, middle - rect.x - 8, 36), str(side.points), number, "right")
        sheet.label(Rect(middle + 6, rect.y + 24, rect.right - middle - 8, 34), side.change, change)
    return LOW_TALLY_PT
