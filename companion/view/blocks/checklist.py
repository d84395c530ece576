"""The small card that says what hands do on the board now, with one tick for all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.language import _
from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph, wrapped
from companion.view.kit.signs import sign

LINE_PT = 15.5
MOST_LINES = 2
NARROW_PT = 260.0


def draw_checklist(
    sheet: Sheet, block: scr.Checklist, place: Rect, prompt: Callable[[Sheet, scr.Prompt, Rect], float]
) -> float:
    """The lines that are left under whom the table waits for, and at the right the tick for all of it. The height."""
    tick = sheet.touch
    head = Rect(place.x, place.y, place.w - tick - 4, 0)
    over = prompt(sheet.scratch(), block.head, head) if block.head else 0.0
    text = Rect(place.x + 12, place.y + over + 7, place.w - tick - 22, 0)
    high = _lines(sheet.scratch(), block, text) + 14
    card = Rect(place.x, place.y, place.w, max(tick, over + high))
    sheet.box(card, sheet.look.panel, sheet.look.accent_text, 8, 1.6)
    if block.head:
        prompt(sheet, block.head, head)
    _lines(sheet, block, text._replace(y=text.y + (card.h - over - high) / 2))
    knob = Rect(card.right - tick, card.y, tick, card.h)
    sheet.box(knob.shrunk(6), sheet.look.raised, sheet.look.edge, 8)
    sign(sheet, "tick", (knob.centre, 13), sheet.look.accent_text)
    sheet.target(Rect(card.x, card.y, card.w - tick, card.h), scr.Intent("todo"))
    sheet.target(knob, scr.Intent("did"))
    return card.h


def _lines(sheet: Sheet, block: scr.Checklist, place: Rect) -> float:
    """What it is about and what is left in one running text, as far as it fits on the card; the height it took."""
    rows = MOST_LINES if place.w > NARROW_PT else 3 * MOST_LINES
    left = [line.text for line in block.lines if not line.done]
    texts = [_running(block, left, n) for n in range(len(left), 0, -1)]
    fitting = (text for text in texts if len(wrapped(sheet.measure, text, (LINE_PT, True), place.w)) <= rows)
    return paragraph(sheet, next(fitting, texts[-1]), (sheet.look.text, LINE_PT, True), place)


def _running(block: scr.Checklist, left: Sequence[str], n: int) -> str:
    """The first `n` of what is left, and how many more there are."""
    more = [_("and {n} more").format(n=len(left) - n)] if len(left) > n else []
    return f"{block.title} {' · '.join([*left[:n], *more])}"
