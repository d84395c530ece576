"""What is always visible at the table: the round, the deck, the camera's verdict, and a card for each side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.language import _
from companion.ui.screen import Intent, Status
from companion.view.blocks.side_card import counts, draw_side, draw_tells
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import plate, sign
from companion.view.kit.theme import GAP_PT
from companion.view.kit.wrapping import line_height, wrap_text

SIDE_PT = 70.0
SMALL_SIDE_PT = 63.0
WIDE_PT = 400.0  # a narrower place has the sides set small
LOW_PT = 400.0
LEAST_SIDE_PT = 104.0  # a side's least width
ROUND_PT = 118.0
ROUND_SIZE_PT = 17.0  # of its letters
SMALL_LIVE_PT = 12.0
SEAL_PT, SEALS_APART_PT = 7.6, 19.0  # half a round's seal, and from one to the next
Stroke = tuple[tuple[float, float], tuple[float, float]]
BRUSH: Mapping[int, Sequence[Stroke]] = {  # in halves of a seal
    1: (((-0.6, 0.0), (0.6, -0.06)),),
    2: (((-0.45, -0.34), (0.45, -0.4)), ((-0.6, 0.42), (0.6, 0.36))),
    3: (((-0.5, -0.5), (0.5, -0.54)), ((-0.38, 0.0), (0.38, -0.04)), ((-0.6, 0.52), (0.6, 0.48))),
    4: (
        *(((-0.6, -0.5), (0.6, -0.5)), ((0.6, -0.5), (0.6, 0.55)), ((0.6, 0.55), (-0.6, 0.55))),
        *(((-0.6, 0.55), (-0.6, -0.5)), ((-0.2, -0.5), (-0.34, 0.2)), ((0.2, -0.5), (0.24, 0.1))),
    ),
}
PILE_PT = 42.0  # a pile of cards and its number
INSET_PT = 8.0  # of the words in the frame of the clock
LOCK_FROM_PT = 330.0  # a narrower place has the lock in the menu alone
PAUSE_PT = 34.0
UNSAVED_PT = 13.0  # the letters of the sign that a game is not saved
LIVE_PT = 110.0  # the least width of the camera's words beside the round
ROW_PT, SIDE_IN_ROW_PT = 210.0, 190.0  # where there is so much room for words and sides, all stands in one row
LINE_PT = 30.0  # the round and the piles in one line, where there is nothing to touch beside them


def draw_status(sheet: Sheet, status: Status, place: Rect) -> float:
    """Draw the status at the top of the place, smaller in a narrow or low one; return the height it took."""
    return draw_kept(sheet, (status, place), lambda part: _status(part, status, place))


def _status(sheet: Sheet, status: Status, place: Rect) -> float:
    words = ROW_PT + (LIVE_PT + GAP_PT if status.live else 0.0)
    tools = 2 * (sheet.touch + GAP_PT) if status.menu else 0.0
    if not status.unsaved and place.w >= words + tools + len(status.sides) * (SIDE_IN_ROW_PT + GAP_PT):
        return _row(sheet, status, place._replace(h=max(sheet.touch, SIDE_PT)), words)
    is_line = _is_line(sheet, status, place.w)
    high = LINE_PT if is_line else sheet.touch
    small = place.w < WIDE_PT or place.h < LOW_PT
    top = Rect(place.x, place.y, place.w, high)
    told = _top(sheet, status, top, is_line=is_line)
    sheet.close_group(top)
    across = len(status.sides) if place.w >= LEAST_SIDE_PT * len(status.sides) else 1
    tall = max(sheet.touch, SMALL_SIDE_PT if small else SIDE_PT)
    first = Rect(place.x, place.y + high + GAP_PT, (place.w - GAP_PT * (across - 1)) / across, tall)
    for i, side in enumerate(status.sides):
        draw_side(sheet, side, first.cell(i, across, (GAP_PT, GAP_PT)), small)
    used = high + -(-len(status.sides) // across) * (tall + GAP_PT)
    sheet.bright.append(Rect(place.x, place.y, place.w, used))
    if told:
        return used
    if used + 2 * GAP_PT + high > place.h:
        rect = top._replace(w=place.w - high - GAP_PT)
        # The camera's sign alone: there is no room for its words, and a touch tells more.
        _sign_of(sheet, status.live, (rect.right - 12, rect.y + rect.h * 0.73))
        if not status.clock:
            sheet.target(rect, Intent("live"))
        return used
    return used + GAP_PT + _live_card(sheet, status, Rect(place.x, place.y + used + GAP_PT, place.w, 0))


def _row(sheet: Sheet, status: Status, row: Rect, wide: float) -> float:
    """Draw all in one row: words so wide, the sides, and the menu at the right end; return the row's height."""
    room = _tools(sheet, status, row)
    _words(sheet, status, room._replace(w=wide))
    sheet.close_group(row)
    left, n = room.x + wide + GAP_PT, len(status.sides)
    each = (room.right - left - GAP_PT * (n - 1)) / n
    for i, side in enumerate(status.sides):
        draw_side(sheet, side, Rect(left + i * (each + GAP_PT), row.y, each, row.h), small=False)
    sheet.bright.append(row)
    return row.h


def _top(sheet: Sheet, status: Status, rect: Rect, *, is_line: bool) -> bool:
    """Draw the round and the piles of cards, with the menu's button and the camera's words unless they share a line.

    Returns whether the camera's words had room.
    """
    if is_line:
        piles = rect._replace(x=rect.right - 2 * PILE_PT, w=2 * PILE_PT)
        _round(sheet, status, rect._replace(w=piles.x - rect.x - GAP_PT))
        _piles(sheet, status, piles)
        return True
    room = _tools(sheet, status, rect)
    return _words(sheet, status, room) if room.w > 0 else status.live == ""


def _tools(sheet: Sheet, status: Status, rect: Rect) -> Rect:
    """Draw the menu's button, the lock and the sign of an unsaved game at the right end; return what is left."""
    menu = Rect(rect.right - sheet.touch, rect.y, sheet.touch, rect.h)
    if status.menu:
        _button(sheet, menu, "menu")
    else:
        menu = menu._replace(x=rect.right + GAP_PT)
    if status.menu and rect.w >= LOCK_FROM_PT:
        menu = menu._replace(x=menu.x - sheet.touch - GAP_PT)
        _button(sheet, menu, "lock")
    if status.unsaved and menu.x - rect.x < ROUND_PT:
        _unsaved_card(sheet, status.unsaved, rect._replace(w=menu.x - rect.x - GAP_PT))
        return rect._replace(w=0.0)
    if status.unsaved:
        wide = _unsaved_width(sheet, status.unsaved) if menu.x - rect.x > 2 * ROUND_PT else sheet.touch
        menu = menu._replace(x=menu.x - wide - GAP_PT, w=wide)
        _unsaved_card(sheet, status.unsaved, menu)
    return Rect(rect.x, rect.y, menu.x - rect.x - GAP_PT, rect.h)


def _words(sheet: Sheet, status: Status, room: Rect) -> bool:
    """Draw the round, the piles of cards and the camera's words; return whether those had room."""
    is_alone = not status.live or room.w < ROUND_PT + LIVE_PT
    words = room if is_alone else room._replace(w=ROUND_PT)
    if status.clock:
        _pause(sheet, status.clock, words)
        words = words._replace(x=words.x + INSET_PT, w=words.w - INSET_PT)
    elif status.live == "" or words.right < room.right:
        sheet.target(words, Intent("round"))
    _round(sheet, status, words._replace(y=room.y + 4, h=room.h / 2))
    below = Rect(words.x, room.y + room.h / 2, words.w - (PAUSE_PT if status.clock else 0), room.h / 2 - 4)
    if not status.live or words.right < room.right:
        _piles(sheet, status, below)
        if status.live:
            beside = Rect(words.right + GAP_PT, room.y, room.right - words.right - GAP_PT, room.h)
            _live(sheet, status, beside, (beside, 14.0))
        return True
    lines = wrap_text(sheet.measure, status.live_text, (SMALL_LIVE_PT, False), below.w - 26)
    if len(lines) <= 2 and not status.clock:
        _live(sheet, status, room, (below, SMALL_LIVE_PT))
        return True
    _piles(sheet, status, below)
    return False


def _is_line(sheet: Sheet, status: Status, wide: float) -> bool:
    """Return whether the round and the piles of cards share a line: there is nothing to touch, and they have room."""
    if status.menu or status.live or status.clock or status.unsaved:
        return False
    shortest = status.title or _short_round(status)
    return sheet.measure(shortest, ROUND_SIZE_PT, True) <= wide - 2 * PILE_PT - GAP_PT


def _piles(sheet: Sheet, status: Status, below: Rect) -> None:
    """Draw the piles of cards, as many as there is room for, or the status's own notes if the game has none."""
    if status.title:
        draw_tells(sheet, status.tells, below)
        return
    piles = (("deck", status.deck, ""), ("discard", status.discard, ""))
    counts(sheet, piles[: max(1, int(below.w / PILE_PT))], below)


def _round(sheet: Sheet, status: Status, rect: Rect) -> None:
    """Draw the round, shorter if there is little room, or the status's title if the game has none."""
    sheet.about(rect, "round:")
    if status.title:
        sheet.label(rect, status.title, (sheet.look.text, ROUND_SIZE_PT, True))
        return
    text = _("Round {n} of {all}").format(n=status.round, all=status.rounds)
    if sheet.measure(text, 15, True) > rect.w:
        text = _short_round(status)
    sheet.label(rect, text, (sheet.look.text, ROUND_SIZE_PT, True))
    left = rect.x + sheet.measure(text, ROUND_SIZE_PT, True) + SEALS_APART_PT
    if left + SEALS_APART_PT * status.rounds <= rect.right + SEALS_APART_PT - 2 * SEAL_PT:
        for number in range(1, status.rounds + 1):
            _draw_seal(sheet, (left + SEAL_PT + (number - 1) * SEALS_APART_PT, rect.centre[1]), number, status.round)


def _short_round(status: Status) -> str:
    return _("Round {n}/{all}").format(n=status.round, all=status.rounds)


def _draw_seal(sheet: Sheet, centre: tuple[float, float], number: int, now: int) -> None:
    """Draw a round's seal, its number in strokes: stamped if it is being played, a rim if it is over or to come."""
    look, (x, y) = sheet.look, centre
    fill, line, ink = "none", look.edge, look.text if number < now else look.dim
    if number == now:
        fill, line, ink = look.accent, look.accent, look.accent_ink
    sheet.box(Rect.around(centre, SEAL_PT), fill, line, 2.6, 1.3)
    strokes = BRUSH.get(number, ()) if look.material.numerals == "brush" else _tally(number)
    for stroke in strokes:
        sheet.line([(x + across * SEAL_PT, y + down * SEAL_PT) for across, down in stroke], ink, 1.7)


def _tally(number: int) -> Sequence[Stroke]:
    """Return so many upright strokes side by side, in halves of a seal."""
    apart = 1.2 / (number + 1)
    places = [(stroke - (number - 1) / 2) * apart for stroke in range(number)]
    return [((across, -0.5), (across, 0.5)) for across in places]


def _button(sheet: Sheet, rect: Rect, verb: str) -> None:
    """Draw a square button with the icon of its verb."""
    plate(sheet, rect, sheet.look.panel, sheet.look.edge)
    sign(sheet, verb, (rect.centre, 14), sheet.look.text, f"{verb}:")
    sheet.target(rect, Intent(verb))
    sheet.close_group(rect)


def _unsaved_lines(told: str) -> tuple[str, str]:
    return _("not saved:"), told


def _unsaved_width(sheet: Sheet, told: str) -> float:
    return max(sheet.touch, *(sheet.measure(line, UNSAVED_PT, True) + 10 for line in _unsaved_lines(told)))


def _unsaved_card(sheet: Sheet, told: str, rect: Rect) -> None:
    """Draw the standing sign that the disk refuses: what only the memory has, in words where there is room for them."""
    ink = sheet.look.page
    plate(sheet, rect, sheet.look.bad)
    if rect.w < _unsaved_width(sheet, told):
        sign(sheet, "unsaved", (rect.centre, 15), ink, "unsaved:")
    else:
        for i, line in enumerate(_unsaved_lines(told)):
            row = Rect(rect.x, rect.y + rect.h * (0.12 + 0.38 * i), rect.w, rect.h * 0.38)
            sheet.label(row, line, (ink, UNSAVED_PT, True), "centre")
    sheet.target(rect, Intent("unsaved"))


def _pause(sheet: Sheet, state: str, rect: Rect) -> None:
    """Draw the clock's button around the round and the deck: two bars while the clock runs, else an arrow."""
    runs = state == "runs"
    plate(sheet, rect, "none", sheet.look.edge if runs else sheet.look.accent_text)
    x, y = rect.right - 20, rect.y + rect.h * 0.72
    if runs:
        for shift in (-5, 5):
            sheet.line([(x + shift, y - 7), (x + shift, y + 7)], sheet.look.text, 4)
    else:
        sheet.polygon([(x - 7, y - 9), (x + 9, y), (x - 7, y + 9)], sheet.look.accent_text)
    sheet.target(rect, Intent("clock"))


def _live_card(sheet: Sheet, status: Status, place: Rect) -> float:
    """Draw the camera's words on a card of their own, as high as they need; return its height."""
    lines = wrap_text(sheet.measure, status.live_text, (14, False), place.w - 42)
    card = place._replace(h=max(sheet.touch, len(lines) * line_height(14) + 12))
    plate(sheet, card, sheet.look.panel, sheet.look.edge)
    _live(sheet, status, card, (Rect(card.x + 8, card.y, card.w - 16, card.h), 14.0))
    return card.h


def _live(sheet: Sheet, status: Status, target: Rect, words: tuple[Rect, float]) -> None:
    """Draw a quiet tick while table and game agree, else a word and a colour; a touch shows why."""
    rect, size = words
    colour = _sign_of(sheet, status.live, (rect.x + 10, rect.centre[1]))
    text = Rect(rect.x + 26, rect.y, rect.w - 26, rect.h)
    lines = wrap_text(sheet.measure, status.live_text, (size, False), text.w)
    step = min(line_height(size), rect.h / len(lines))
    for i, line in enumerate(lines):
        y = rect.centre[1] + (i - len(lines) / 2) * step
        sheet.label(Rect(text.x, y, text.w, step), line, (colour, size, False))
    sheet.target(target, Intent("live"))


def _sign_of(sheet: Sheet, live: str, centre: tuple[float, float]) -> str:
    """Draw the camera's sign and return its colour."""
    signs = {
        "sync": (sheet.look.good, ""),
        "unsure": (sheet.look.quiet, "?"),
        "playing": (sheet.look.quiet, "–"),
        "dice": (sheet.look.quiet, "?"),
        "proposal": (sheet.look.accent_text, "?"),
        "behind": (sheet.look.accent_text, "!"),
        "out": (sheet.look.bad, "!"),
        "lost": (sheet.look.bad, "×"),
        "ignored": (sheet.look.dim, "–"),
    }
    colour, mark = signs.get(live, (sheet.look.quiet, "…"))
    if mark:
        sheet.disc(centre, 9, colour)
        sheet.label(Rect.around(centre, 8), mark, (sheet.look.page, 13, True), "centre")
    else:
        sign(sheet, "tick", (centre, 9), colour, "live:")
    return colour
