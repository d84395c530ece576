"""Generals of the card game as small cards: whose, points, equipment, and what they have done this turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.ui.table_pictures import CardSight
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import emblem, sign
from companion.view.kit.wrapping import line_height, wrap_text

RADIUS_PT = 6.0
BEYOND_PT = 2.0  # so far around a card its mark reaches, but for what any group may
SIZES_PT = (11.5, 10.5, 9.5, 8.6)
"""Of the letters of a name, as large as has room."""
POINTS_PT = (19.0, 17.0, 15.0, 13.0, 11.5)
SIGN_PT = 11.0
FULL_PT = 66.0  # a card that is lower shows its name in one line, and what it has done is left to its rim
SIGNS = {"item": "item", "troop": "troop", "fresh": "standby", "acted": "tick", "used": "effect", "effect": "effect"}


def draw_card(sheet: Sheet, card: CardSight, rect: Rect) -> None:
    """Draw a general as a card: its head in its side's colours, its points large, signs below."""
    full = rect.h >= FULL_PT
    sheet.about(rect, f"general:{card.seat}/{card.label}")
    body = _body(sheet, card, rect)
    head = _head(sheet, card, rect, full)
    foot = 17.0 if full else 0.0
    told = "" if full else next((state for state in _states(card) if state in ("acted", "fresh")), "")
    wide = rect.w - 6 - (SIGN_PT if told else 0)
    _points(sheet, card, Rect(rect.x + 3, head, wide, rect.bottom - foot - head - 1))
    if full:
        row = Rect(rect.x + 4, rect.bottom - foot - 1, rect.w - 8, foot - 1)
        y = row.centre[1]
        for i, kind in enumerate(card.worn):
            sign(sheet, SIGNS[kind], ((row.x + 7 + i * 16, y), 5.6), sheet.look.ink)
        x = row.right - 7
        for state in _states(card):
            sign(sheet, SIGNS[state], ((x, y), 6.6), sheet.look.ink, f"state-{state}")
            if state == "used":
                sheet.line([(x - 6, y - 5), (x + 6, y + 5)], body, 3.4)
                sheet.line([(x - 6, y - 5), (x + 6, y + 5)], sheet.look.ink, 1.5)
            x -= 16
    elif told:
        sign(sheet, SIGNS[told], ((rect.right - 8, (head + rect.bottom) / 2), 5.0), sheet.look.ink, f"state-{told}")
    _mark(sheet, card.mark, rect)
    sheet.close_group(rect.shrunk(-BEYOND_PT))


def draw_line(sheet: Sheet, card: CardSight, rect: Rect) -> None:
    """Draw a general in one line: its side's sign, its name, its points."""
    look = sheet.look
    own = look.sides[card.seat]
    sheet.box(rect, look.cream if "acted" not in card.states else look.board["land_detail"], own.border, 4, 1.4)
    sheet.about(rect, f"general:{card.seat}/{card.label}")
    emblem(sheet, card.seat, ((rect.x + 8, rect.centre[1]), 5.0))
    text = f"{card.points[0]}/{card.points[1]}"
    wide = sheet.measure(text, 11.5, True) + 3
    sheet.label(Rect(rect.right - wide - 2, rect.y, wide, rect.h), text, (look.ink, 11.5, True), "right")
    name = Rect(rect.x + 15, rect.y, rect.w - wide - 18, rect.h)
    (text,), size = _title_lines(sheet, card.title, name.w, 1)
    sheet.label(name, text, (look.ink, size, True))
    _mark(sheet, card.mark, rect)
    sheet.close_group(rect.shrunk(-BEYOND_PT))


def _title_lines(sheet: Sheet, title: str, room: float, most: int) -> tuple[Sequence[str], float]:
    """Set a name, shortened if need be, in so many lines at most; return them with the size of the letters."""
    for size in SIZES_PT:
        lines = wrap_text(sheet.measure, title, (size, True), room)
        if len(lines) <= most and " ".join(lines) == title:
            return lines, size
    words = title.split()
    shorter = (" ".join(words[n:]) for n in range(1, len(words)) if not words[n][0].islower())
    found = next((text for text in shorter if sheet.measure(text, size, True) <= room), "")
    if not found:  # as many letters of its first word as have room, with a full stop
        cuts = (words[0][:n] + "." for n in range(len(words[0]) - 1, 0, -1))
        found = next((text for text in cuts if sheet.measure(text, size, True) <= room), words[0][:1])
    return [found], size


def _body(sheet: Sheet, card: CardSight, rect: Rect) -> str:
    """Draw the card itself, grey once it has acted, its rim dashed while it may not act; return its fill."""
    look = sheet.look
    own = look.sides[card.seat]
    fill = look.board["land_detail"] if "acted" in card.states else look.cream
    shadow = rect._replace(x=rect.x + 1.4, y=rect.y + 1.8)
    sheet.box(shadow, "#00000055", "none", RADIUS_PT)
    sheet.box(rect, fill, "none" if "fresh" in card.states else own.border, RADIUS_PT, 1.8)
    if "fresh" in card.states:
        sheet.line([*rect.corners, rect.corners[0]], own.border, 1.6, "3 4")
    return fill


def _head(sheet: Sheet, card: CardSight, rect: Rect, full: bool) -> float:
    """Write the name in its side's colours, with the side's sign; return where the head ends."""
    own = sheet.look.sides[card.seat]
    room = rect.w - 19
    lines, size = _title_lines(sheet, card.title, room, 2 if full else 1)
    step = line_height(size) - 1
    high = max(len(lines) * step + 4, 17.0)
    sheet.raw(_top_band(rect._replace(h=high), own.fill))
    sheet.line([(rect.x, rect.y + high), (rect.right, rect.y + high)], own.line, 1.0)
    emblem(sheet, card.seat, ((rect.x + 9, rect.y + high / 2), 5.2))
    for i, line in enumerate(lines):
        y = rect.y + (high - len(lines) * step) / 2 + i * step
        sheet.label(Rect(rect.x + 17, y, room, step), line, (own.text, size, True))
    return rect.y + high


def _top_band(rect: Rect, fill: str) -> str:
    """Draw a band with round upper corners."""
    x, y, right, r = rect.x, rect.y, rect.right, RADIUS_PT
    outline = f"M{x:.2f} {rect.bottom:.2f}V{y + r:.2f}Q{x:.2f} {y:.2f} {x + r:.2f} {y:.2f}H{right - r:.2f}"
    return f'<path d="{outline}Q{right:.2f} {y:.2f} {right:.2f} {y + r:.2f}V{rect.bottom:.2f}Z" fill="{fill}"/>'


def _points(sheet: Sheet, card: CardSight, rect: Rect) -> None:
    """Draw military and intelligence points side by side, each with its sign; only the numbers in a small place.

    A small arrow stands where the points differ from the card's own.
    """
    half, ink = rect.w / 2, sheet.look.ink
    reach = min(6.4, half * 0.24)
    room = half - 2 * reach - 3
    most = [size for size in POINTS_PT if size <= rect.h]
    fits = (size for size in most if max(sheet.measure(str(n), size, True) for n in card.points) <= room)
    size = next(fits, 0.0)
    if not size:
        both = f"{card.points[0]}/{card.points[1]}"
        size = next((size for size in most if sheet.measure(both, size, True) <= rect.w), SIZES_PT[-1])
        sheet.label(rect, both, (ink, size, True), "centre")
        return
    for i, (name, n, more) in enumerate(zip(("military", "intelligence"), card.points, card.more, strict=True)):
        x, y = rect.x + i * half, rect.centre[1]
        sign(sheet, name, ((x + reach + 1, y), reach), ink)
        left = x + 2 * reach + 3
        sheet.label(Rect(left, rect.y, room, rect.h), str(n), (ink, size, True))
        after = left + sheet.measure(str(n), size, True)
        if more and after + 9 <= x + half:
            tip, foot = (y - 3.2, y + 2.6) if more > 0 else (y + 3.2, y - 2.6)
            sheet.polygon([(after + 1.6, foot), (after + 5, tip), (after + 8.4, foot)], ink)


def _states(card: CardSight) -> Iterator[str]:
    """Yield what is shown of the card's turn, the most telling first."""
    for telling, other in (("acted", "fresh"), ("used", "effect")):
        if telling in card.states or other in card.states:
            yield telling if telling in card.states else other


def _mark(sheet: Sheet, mark: str, rect: Rect) -> None:
    """Draw the rim of a card: thick where chosen, thin where it may be, with crossed hairs where it would be hit."""
    look = sheet.look
    if not mark:
        return
    wide = {"chosen": 4.0, "target": 3.4, "live": 2.4}[mark]
    colour = look.bad if mark == "target" else look.accent
    outer = rect.shrunk(-2)
    sheet.box(outer, "none", look.ink, RADIUS_PT + 2, wide + 2.2)
    sheet.box(outer, "none", colour, RADIUS_PT + 2, wide)
    if mark == "target":
        at = (rect.right - 6, rect.y + 6)
        sheet.disc(at, 9, look.bad, look.ink, 1.2)
        sign(sheet, "target", (at, 6.6), look.page)
