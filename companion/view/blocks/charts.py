"""Small charts whose labels say it all: chances as parts of one bar or as columns, and bars with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph
from companion.view.kit.signs import emblem

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
    """Draw one bar, each part as long as its chance, and under it whose each part is; return the height.

    Whose a part is, the faction's shape says too.
    """
    x = place.x
    told = []
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
    """Draw a column for each number, its chance on top and the number below, the likeliest in the accent.

    Returns the height.
    """
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
