"""Charts and tables whose labels say it all.

Chances are parts of one bar, columns, or both sides' fields over a whole game; bars and tables have their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.drawing.board_svg import Point
from companion.ui import screen as scr
from companion.view.kit.sheet import Align, Rect, Sheet, paragraph
from companion.view.kit.signs import emblem, plate

BAR_PT = 28.0
LEGEND_PT = 21.0
COLUMN_PT = 36.0  # height of the tallest column
WIDEST_PT = 74.0  # of a column with the room around it
ROW_PT = 26.0
HEAD_PT = 24.0
NAME_PART = 0.36  # of the width of a chart of bars, for the names at the left
MOST_NAME_PART = 0.5  # where they are long
NUMBER_PART = 0.24
LABEL = (14.0, False)


def draw_odds(sheet: Sheet, block: scr.Odds, place: Rect) -> float:
    """Draw the line that says of what the odds are, and the chart under it; return the height they took."""
    used = paragraph(sheet, block.text, (sheet.look.text, 15.0, True), place) + 4
    if not block.shares:
        return used
    below = Rect(place.x, place.y + used, place.w, 0)
    if any(share.faction for share in block.shares):
        return used + _parts(sheet, block.shares, below)
    return used + _columns(sheet, block.shares, below)


# ---- parts of one bar -------------------------------------------------------------------------


def _parts(sheet: Sheet, shares: Sequence[scr.Share], place: Rect) -> float:
    """Draw one bar, each part as long as its chance, and under it whose each part is; return the height."""
    x, told = place.x, []
    for i, share in enumerate(shares):
        part = Rect(x, place.y, place.w * share.part, BAR_PT)
        told.append(_part(sheet, share, i, part))
        x = part.right
    return BAR_PT + 5 + _legend(sheet, shares, told, place._replace(y=place.y + BAR_PT + 5))


def _part(sheet: Sheet, share: scr.Share, index: int, rect: Rect) -> bool:
    """Draw a part in its colour, with the chance in it if there is room; return whether there was."""
    look = sheet.look
    fill = look.share(share.faction, index)
    side = look.sides.get(share.faction)
    sheet.box(rect, fill, side.line if side else look.edge, 4, 1.4)
    if share.faction == "nobody":
        for step in range(1, int(rect.w // 9)):
            foot = rect.x + step * 9
            sheet.line([(foot, rect.bottom - 2), (min(foot + 9, rect.right - 1), rect.y + 2)], look.page, 1.2)
    fits = bool(share.value) and sheet.measure(share.value, 16, True) + 10 <= rect.w
    if fits and side:
        sheet.label(rect, share.value, (side.text, 16, True), "centre")
    return fits and side is not None


def _legend(sheet: Sheet, shares: Sequence[scr.Share], told: Sequence[bool], place: Rect) -> float:
    """Draw the labels of the parts side by side where they fit, else one under the other; return the height."""
    texts = [
        share.label if inside or not share.value else f"{share.label} {share.value}"
        for share, inside in zip(shares, told, strict=True)
    ]
    wide = place.w / len(texts)
    across = all(sheet.measure(text, *LABEL) <= wide - 24 for text in texts)
    for i, (share, text) in enumerate(zip(shares, texts, strict=True)):
        x, y = (place.x + i * wide, place.y) if across else (place.x, place.y + i * LEGEND_PT)
        centre = (x + 9, y + LEGEND_PT / 2)
        if share.faction in sheet.look.sides:
            emblem(sheet, share.faction, (centre, 7.0), 0.2)
        else:
            sheet.disc(centre, 5.5, "none", sheet.look.share(share.faction, i), 2.4)
        room = Rect(x + 22, y, (wide if across else place.w) - 24, LEGEND_PT)
        sheet.label(room, text, (sheet.look.text, *LABEL))
    return LEGEND_PT * (1 if across else len(texts))


# ---- columns ----------------------------------------------------------------------------------


def _columns(sheet: Sheet, shares: Sequence[scr.Share], place: Rect) -> float:
    """Draw a column for each number, its chance on top and the number below, the likeliest in the accent."""
    look = sheet.look
    wide = min(place.w / len(shares), WIDEST_PT)
    most = max(share.part for share in shares)
    foot = place.y + 19 + COLUMN_PT
    sheet.line([(place.x, foot), (place.x + wide * len(shares), foot)], look.edge, 1.6)
    for i, share in enumerate(shares):
        slot = Rect(place.x + i * wide, place.y, wide, foot - place.y)
        high = max(COLUMN_PT * share.part / most, 2.0)
        bar = Rect(slot.x + wide * 0.2, foot - high, wide * 0.6, high)
        best = share.part == most
        sheet.box(bar, look.accent if best else look.nobody, look.accent_text if best else "none", 2, 1.2)
        sheet.label(Rect(slot.x, bar.y - 18, wide, 17), share.value, (look.text, 14, best), "centre")
        sheet.label(Rect(slot.x, foot + 3, wide, 19), share.label, (look.text, 16, True), "centre")
    return 19 + COLUMN_PT + 22


# ---- bars -------------------------------------------------------------------------------------


def draw_bars(sheet: Sheet, block: scr.Bars, place: Rect) -> float:
    """Draw the heading and the bars; return their height."""
    sheet.label(Rect(place.x, place.y, place.w, HEAD_PT), block.title, (sheet.look.text, 16, True))
    widest = max((sheet.measure(bar.label, 15, False) + 8 for bar in block.bars), default=0.0)
    names = min(max(widest, place.w * NAME_PART), place.w * MOST_NAME_PART)
    for i, bar in enumerate(block.bars):
        row = Rect(place.x, place.y + HEAD_PT + i * ROW_PT, place.w, ROW_PT)
        look = sheet.look
        name = Rect(row.x, row.y, names - 6, row.h)
        sheet.label(name, bar.label, (look.text, 15, False))
        whole = Rect(row.x + names, row.y + 6, row.w * (1 - NUMBER_PART) - names, row.h - 12)
        fill = look.sides[bar.faction].fill if bar.faction else look.steps[-2]
        line = look.sides[bar.faction].line if bar.faction else "none"
        sheet.box(whole, look.panel, "none", 4)
        if bar.part > 0:
            begin = whole.x + whole.w * min(bar.begin, 1.0)
            sheet.box(whole._replace(x=begin, w=max(whole.w * min(bar.part, 1.0 - bar.begin), 4.0)), fill, line, 4)
        number = Rect(whole.right + 6, row.y, row.right - whole.right - 6, row.h)
        sheet.label(number, bar.text, (look.text, 15, True), "right")
    return HEAD_PT + len(block.bars) * ROW_PT


# ---- chances over a game -------------------------------------------------------------------------

TITLE_PT = 20.0
ROUNDS_PT = 18.0
EMBLEM_PT = 8.0
BADGE_PT = 10.0  # half a number's disc
EDGE_PT = 10.0


def draw_chances(sheet: Sheet, block: scr.ChanceCurve, place: Rect) -> float:
    """Draw the chances of both sides over a game: a field for each with the line between them, a disc at each point."""
    card = Rect(place.x, place.y, place.w, block.high_pt)
    plate(sheet, card, sheet.look.panel)
    head = Rect(card.x + EDGE_PT, card.y + 3, card.w - 2 * EDGE_PT, TITLE_PT)
    sheet.label(head, block.title, (sheet.look.quiet, 13.0, False))
    top = card.y + TITLE_PT + 4
    plot = Rect(card.x + 30, top, card.w - 30 - EDGE_PT, card.bottom - ROUNDS_PT - 4 - top)
    sheet.about(card, "chances")
    step = plot.w / max(len(block.chances) - 1, 1)
    line = [(plot.x + step * turn, plot.bottom - plot.h * chance) for turn, chance in enumerate(block.chances)]
    _fields(sheet, block, plot, line)
    _rounds(sheet, block, plot)
    for number, turn in enumerate(block.points, 1):
        _badge(sheet, line[turn], plot, str(number), chosen=turn == block.at)
    if block.at is not None and block.at not in block.points:
        sheet.disc(line[block.at], 6.0, sheet.look.accent, sheet.look.ink, 1.4)
    if block.intent is not None:
        sheet.drag(Rect(plot.x, card.y, plot.w, card.h), block.intent, keyed=False)
    return card.h


def _fields(sheet: Sheet, block: scr.ChanceCurve, plot: Rect, line: list[Point]) -> None:
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


def _rounds(sheet: Sheet, block: scr.ChanceCurve, plot: Rect) -> None:
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
    sheet.label(Rect.around((x, y), BADGE_PT), text, (ink, 13.0, True), "centre")


# ---- a table of words and numbers ----------------------------------------------------------------

GRID_ROW_PT = 25.0
CELL_PT = 6.0  # between the columns


def draw_grid(sheet: Sheet, block: scr.Grid, place: Rect) -> float:
    """Draw a table under its headings; return the height it took."""
    widths = _column_widths(sheet, block, place.w)
    for i, cells in enumerate((block.headings, *block.rows)):
        y = place.y + i * GRID_ROW_PT
        if i % 2 == 1:
            sheet.box(Rect(place.x, y, place.w, GRID_ROW_PT), sheet.look.panel, radius=4)
        x, style = place.x + CELL_PT, _cell_style(sheet, block, i)
        for column, cell in enumerate(cells):
            align: Align = "left" if column == 0 else "right"
            sheet.label(Rect(x, y, widths[column] - CELL_PT, GRID_ROW_PT), cell, style, align)
            x += widths[column]
    return GRID_ROW_PT * (len(block.rows) + 1)


def _cell_style(sheet: Sheet, block: scr.Grid, row: int) -> tuple[str, float, bool]:
    """Return how a row is written; 0 is that of the headings."""
    return (sheet.look.quiet, 13.0, True) if row == 0 else (sheet.look.text, 15.5, row == len(block.rows))


def _column_widths(sheet: Sheet, block: scr.Grid, wide: float) -> list[float]:
    """Return the columns' widths: all but the first alike, unless a cell would be cut that has room in other ones."""
    columns = len(block.headings)
    first = wide * max(0.34, 1 - 0.18 * (columns - 1))
    widths = [first - CELL_PT, *([(wide - first) / max(columns - 1, 1)] * (columns - 1))]
    needed = [CELL_PT] * columns
    for row, cells in enumerate((block.headings, *block.rows)):
        _colour, size, bold = _cell_style(sheet, block, row)
        needed = [
            max(need, sheet.measure(cell, size, bold) + CELL_PT + 1) for need, cell in zip(needed, cells, strict=True)
        ]
    spare = wide - CELL_PT - sum(needed)
    if spare < 0 or all(need <= width for need, width in zip(needed, widths, strict=True)):
        return widths
    return [need + spare / columns for need in needed]
