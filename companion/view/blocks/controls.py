"""Switches, a ruler, a sample, a ring to hold, crosses, buttons to agree, and the keyboard with its line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.drawing.board_svg import Point
from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph, paragraphs
from companion.view.kit.signs import commander, piece, plate, sign

TOUCH_MM = 12.0
KNOB_PT = (58.0, 30.0)
RING_PT = 50.0
SAMPLE_PT = 64.0
CROSS_PT = 12.0
LEAST_CROSSES_PT = 240.0
PLEDGE_HEIGHT_PT = 132.0
LOW_PLEDGE_PT = 92.0  # beside a map, where words need the room
NARROW_PLEDGES_PT = 500.0
WIDEST_PLEDGE_PT = 270.0
PLEDGES_APART = 0.22  # of the width: no one hand touches both by chance


def draw_switch(sheet: Sheet, block: scr.Switch, place: Rect) -> float:
    """Draw a switch: a card with its name, its sentence and, at the right, a knob that lies left or right."""
    parts = (block.label, (sheet.look.text, 16.5, True)), (block.text, (sheet.look.quiet, 14.5, False))
    text = Rect(place.x + 12, place.y + 8, place.w - KNOB_PT[0] - 36, 0)
    card = place._replace(h=max(sheet.touch, paragraphs(sheet.scratch(), parts, text) + 16))
    plate(sheet, card, sheet.look.panel, sheet.look.edge)
    paragraphs(sheet, parts, text)
    rect = Rect(card.right - KNOB_PT[0] - 12, card.centre[1] - KNOB_PT[1] / 2, *KNOB_PT)
    look, half = sheet.look, rect.h / 2
    if block.on:
        sheet.box(rect, look.accent, look.accent_text, half, 1.6)
        sheet.disc((rect.right - half, rect.centre[1]), half - 4, look.accent_ink)
        sign(sheet, "tick", ((rect.x + 17, rect.centre[1]), 8), look.accent_ink)
    else:
        sheet.box(rect, look.page, look.edge, half, 1.6)
        sheet.disc((rect.x + half, rect.centre[1]), half - 4, look.quiet)
    sheet.target(card, block.intent)
    return card.h


def draw_ruler(sheet: Sheet, block: scr.Ruler, place: Rect) -> float:
    """Draw a ruler in centimetres as wide as the place, a square of 12 mm below and the words beside it."""
    mm = sheet.touch / TOUCH_MM
    most = int((place.w - 12) / mm)
    sheet.box(Rect(place.x, place.y, place.w, 50), sheet.look.cream, sheet.look.edge, 4)
    for n in range(most + 1):
        x = place.x + 6 + n * mm
        high = 22 if n % 10 == 0 else 15 if n % 5 == 0 else 9
        sheet.line([(x, place.y + 1), (x, place.y + 1 + high)], sheet.look.ink, 1.3)
        if n % 10 == 0 and x + 8 < place.right:
            spot = Rect(max(x - 20, place.x - 8), place.y + 25, 40, 20)
            sheet.label(spot, str(n // 10), (sheet.look.ink, 14.0, True), "centre")
    below = place.y + 60
    square = Rect(place.x, below, sheet.touch, sheet.touch)
    sheet.box(square, sheet.look.raised, sheet.look.accent_text, 6, 2)
    text = Rect(square.right + 14, below + 4, place.right - square.right - 14, 0)
    used = paragraph(sheet, block.text, (sheet.look.text, 15.0, False), text)
    return 60 + max(sheet.touch, used + 8)


def draw_sample(sheet: Sheet, block: scr.Sample, place: Rect) -> float:
    """Draw land and water with pieces of both factions, and beside them both verdicts; return the height."""
    look, wide = sheet.look, min(place.w * 0.5, 330.0)
    land = Rect(place.x, place.y, wide / 2, SAMPLE_PT)
    plate(sheet, land._replace(w=wide), look.board["water"], look.edge)
    plate(sheet, land, look.board["land"], look.edge)
    y = land.centre[1]
    pieces = [(faction, unit) for unit in ("troop", "") for faction in look.sides]
    step = wide / len(pieces)
    for i, (faction, unit) in enumerate(pieces):
        spot = ((place.x + step * (i + 0.5), y), min(13.0, step * 0.34))
        if unit:
            piece(sheet, faction, unit, spot)
        else:
            commander(sheet, faction, spot)
    good = Rect(place.x + wide + 16, place.y, place.w - wide - 16, 32)
    bad = good._replace(y=good.bottom)
    sign(sheet, "tick", ((good.x + 11, good.centre[1]), 9), look.good)
    sheet.cross((bad.x + 11, bad.centre[1]), 7, look.bad, 3.2)
    for rect, text, colour in ((good, block.good, look.good), (bad, block.bad, look.bad)):
        sheet.label(rect._replace(x=rect.x + 30, w=rect.w - 30), text, (colour, 15.5, True))
    return SAMPLE_PT


def draw_hold(sheet: Sheet, block: scr.Hold, place: Rect) -> float:
    """Draw the ring to hold around a padlock, which fills clockwise from the top, with the words below."""
    look = sheet.look
    radius = max(RING_PT, sheet.touch / 2)
    centre = (place.x + place.w / 2, place.y + radius + 6)
    sheet.disc(centre, radius, look.panel, look.edge, 8)
    if block.part > 0:
        sheet.raw(_arc(centre, radius, min(block.part, 1.0), look.accent_text))
    padlock(sheet, centre, radius * 0.42, look.text)
    text = Rect(place.x, centre[1] + radius + 12, place.w, 26)
    sheet.label(text, block.label, (look.text, 18.0, True), "centre")
    sheet.drag(Rect.around(centre, radius + 8), block.intent)
    return text.bottom - place.y


def padlock(sheet: Sheet, centre: Point, size: float, colour: str) -> None:
    """Draw a closed padlock; `size` is half its height."""
    x, y = centre
    sheet.raw(
        f'<path d="M {x - size * 0.5:.2f} {y:.2f} V {y - size * 0.4:.2f} '
        f'a {size * 0.5:.2f} {size * 0.5:.2f} 0 0 1 {size:.2f} 0 V {y:.2f}" '
        f'fill="none" stroke="{colour}" stroke-width="{size * 0.24:.2f}"/>'
    )
    sheet.box(Rect(x - size * 0.8, y - size * 0.05, size * 1.6, size * 1.05), colour, radius=size * 0.18)


def _arc(centre: Point, radius: float, part: float, colour: str) -> str:
    """Draw the first part (0 to 1) of a ring, clockwise from the top, as SVG."""
    if part >= 1:
        return (
            f'<circle cx="{centre[0]:.2f}" cy="{centre[1]:.2f}" r="{radius:.2f}" fill="none" stroke="{colour}" '
            'stroke-width="8"/>'
        )
    angle = 2 * math.pi * part
    x, y = centre[0] + radius * math.sin(angle), centre[1] - radius * math.cos(angle)
    return (
        f'<path d="M {centre[0]:.2f} {centre[1] - radius:.2f} A {radius:.2f} {radius:.2f} 0 {int(part > 0.5)} 1 '
        f'{x:.2f} {y:.2f}" fill="none" stroke="{colour}" stroke-width="8" stroke-linecap="round"/>'
    )


def draw_thing(sheet: Sheet, block: scr.StatusRow, place: Rect) -> float:
    """Draw a line of a check-up: a tick, an i or an exclamation mark, the title, the facts, below them what to do."""
    look = sheet.look
    colour, mark = {"ok": (look.good, ""), "note": (look.quiet, "i")}.get(block.state, (look.bad, "!"))
    text = Rect(place.x + 34, place.y + 4, place.w - 34, 0)
    told = f"{block.title}: {block.told}", (look.text, 15.5, block.state == "bad")
    used = paragraphs(sheet, (told, (block.remedy, (colour, 14.5, True))), text)
    centre = (place.x + 13, place.y + 14)
    if mark:
        sheet.disc(centre, 10, colour)
        sheet.label(Rect.around(centre, 9), mark, (look.page, 15, True), "centre")
    else:
        sign(sheet, "tick", (centre, 10), colour)
    return used + 8


def draw_crosses(sheet: Sheet, block: scr.Crosses, place: Rect) -> float:
    """Draw crosses in the corners and the middle of all the height there is; touched ones carry a tick."""
    high = max(place.h, LEAST_CROSSES_PT)
    side = sheet.touch
    right, low = place.right - side, place.y + high - side
    middle = (place.x + (place.w - side) / 2, place.y + (high - side) / 2)
    spots = ((place.x, place.y), (right, place.y), (place.x, low), (right, low), middle)
    for i, (spot, touched) in enumerate(zip(spots, block.touched, strict=True)):
        rect = Rect(*spot, side, side)
        plate(sheet, rect, sheet.look.panel, sheet.look.good if touched else sheet.look.edge, 2)
        x, y = rect.centre
        if touched:
            sign(sheet, "tick", (rect.centre, CROSS_PT), sheet.look.good)
        else:
            sheet.line([(x - CROSS_PT, y), (x + CROSS_PT, y)], sheet.look.text, 2.4)
            sheet.line([(x, y - CROSS_PT), (x, y + CROSS_PT)], sheet.look.text, 2.4)
        sheet.target(rect, scr.Intent(block.verb, "", i))
    return high


def draw_pledges(sheet: Sheet, block: scr.Pledges, place: Rect) -> float:
    """Draw the pledges side by side, as far apart as the place is wide; return their height."""
    many, high = len(block.pledges), LOW_PLEDGE_PT if place.w < NARROW_PLEDGES_PT else PLEDGE_HEIGHT_PT
    wide = min(WIDEST_PLEDGE_PT, place.w * (1 - PLEDGES_APART) / 2) if many > 1 else place.w
    step = (place.w - wide) / max(many - 1, 1)
    for i, pledge in enumerate(block.pledges):
        _pledge(sheet, pledge, Rect(place.x + i * step, place.y, wide, high))
    return high


def _pledge(sheet: Sheet, pledge: scr.Pledge, rect: Rect) -> None:
    """Draw a pledge: a bar in the faction's colour with its sign and name, and below what a touch means, or a tick."""
    side = sheet.look.sides[pledge.faction]
    line = sheet.look.accent if pledge.is_given else side.line
    plate(sheet, rect, side.fill, line, 4 if pledge.is_given else 2)
    x = rect.centre[0]
    commander(sheet, pledge.faction, ((x, rect.y + rect.h * 0.2), 11))
    sheet.label(
        Rect(rect.x + 10, rect.y + rect.h * 0.36, rect.w - 20, 30), pledge.name, (side.text, 25, True), "centre"
    )
    below = Rect(rect.x + 10, rect.y + rect.h * 0.68, rect.w - 20, 24)
    if pledge.is_given:
        wide = sheet.measure(pledge.note, 17, True)
        sign(sheet, "tick", ((x - wide / 2 - 14, below.centre[1]), 10), side.text)
    sheet.label(below, pledge.note, (side.text, 17, pledge.is_given), "centre")
    sheet.target(rect, pledge.intent)


# ---- the keyboard --------------------------------------------------------------------------------

KEY_PT = 56.0  # a key's least height, the space to the next one included
LINE_PT = 46.0
LETTER_PT = 21.0
TYPED_PT = 22.0

SHIFT: tuple[Point, ...] = ((0, -9), (10, 2), (4.5, 2), (4.5, 9), (-4.5, 9), (-4.5, 2), (-10, 2))
ERASE: tuple[Point, ...] = ((-14, 0), (-6, -9), (13, -9), (13, 9), (-6, 9))


def draw_text_line(sheet: Sheet, block: scr.TextLine, place: Rect) -> float:
    """Draw what is typed, or its end if it is too long, with a mark behind it; return the height it took."""
    box = Rect(place.x, place.y, place.w, LINE_PT)
    plate(sheet, box, sheet.look.panel, sheet.look.accent_text, 1.8)
    inner = Rect(box.x + 14, box.y, box.w - 28, box.h)
    if not block.text:
        _caret(sheet, inner.x, box)
        hint = Rect(inner.x + 10, inner.y, inner.w - 10, inner.h)
        sheet.label(hint, block.hint, (sheet.look.quiet, 17.0, False))
        return LINE_PT
    text = block.text
    while sheet.measure(text, TYPED_PT, False) > inner.w - 6:
        text = text[1:]
    sheet.label(inner, text, (sheet.look.text, TYPED_PT, False))
    _caret(sheet, inner.x + sheet.measure(text, TYPED_PT, False) + 3, box)
    return LINE_PT


def _caret(sheet: Sheet, x: float, box: Rect) -> None:
    sheet.line([(x, box.y + 10), (x, box.bottom - 10)], sheet.look.accent_text, 2.4)


def draw_keys(sheet: Sheet, block: scr.Keys, place: Rect) -> float:
    """Draw the rows of keys, each in the middle: the narrow rows where the wide ones' keys would get too small."""
    rows = block.wide if place.w / _span(block.wide) >= sheet.touch else block.narrow
    unit, high = place.w / _span(rows), max(sheet.touch, KEY_PT)
    for number, row in enumerate(rows):
        x = place.x + (place.w - unit * sum(key.span for key in row)) / 2
        for key in row:
            _key(sheet, key, Rect(x, place.y + number * high, unit * key.span, high))
            x += unit * key.span
    return high * len(rows)


def _span(rows: Sequence[Sequence[scr.Key]]) -> float:
    """Return the width of the widest row, in letters."""
    return max(sum(key.span for key in row) for row in rows)


def _key(sheet: Sheet, key: scr.Key, place: Rect) -> None:
    """Draw a key, which takes the touches of the gap around it too."""
    fill, line, ink = sheet.look.buttons[key.look]
    cap = place.shrunk(2.5)
    plate(sheet, cap, fill, line)
    if key.sign:
        outline = {"shift": SHIFT, "erase": ERASE}[key.sign]
        sheet.polygon([(cap.centre[0] + x, cap.centre[1] + y) for x, y in outline], "none", ink, 2.0)
        if key.sign == "erase":
            sheet.cross((cap.centre[0] + 3, cap.centre[1]), 4, ink, 2.0)
    sheet.label(cap, key.label, (ink, LETTER_PT if len(key.label) == 1 else 16.0, False), "centre")
    sheet.target(place, key.intent, repeats=True)
    sheet.close_group(place)
