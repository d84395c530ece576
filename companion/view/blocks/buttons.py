"""Things to touch that come in rows: buttons, choices, answers, steppers. Each is at least 12 mm on each side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.ui import screen as scr
from companion.view.kit.sheet import Align, Rect, Sheet, paragraph
from companion.view.kit.signs import emblem, lift, mark, plate, sign
from companion.view.kit.theme import GAP_PT, Theme
from companion.view.kit.wrapping import Measure, line_height, widest_word, wrap_text
from companion.view.layers.small_map import draw_small_picture

LABEL_PT = 16.0
MOST_LABEL_PT = 19.0  # of a page that is set larger; larger bold words would be headings
SMALL_PT = 13.5  # of a label under its sign, where the button is narrow
TIGHT_PT = 11.5  # of a label where there is little height, or a word has no room
NOTE_PT = 12.5
NARROW_PT = 112.0  # a narrower button has its sign above the label
SIGN_PT = 35.0  # the room that a sign takes at the left
PAD_PT = 6.0
DENSE_PT = 3.0  # above and below the words of a button where a page is saved by it
MOST_LINES = 2
STEPPER_PT = 190.0  # the least width of a stepper
OPTION_PT = 170.0  # the least width of an answer
DENSE_COLUMNS = 2  # of many answers, where a page is saved by it
LARGE_PT = 16.0  # from here on an answer has no place for a tick
TWICE_PT = 480.0  # a place so wide on a bar has twice as many columns
EVEN_PT = 200.0  # the least width of a button among very many
CARD_PT = 84.0  # the height of a button with a small map
PICTURE_PART = 0.8  # of its height: the width of the map
PICTURED_PT = 200.0  # a narrower button has no room for one
CARD_WIDE_PT = 330.0  # the least width of a card among very many
BOX_PT = 22.0  # the side of a box for a tick
MARK_PT, MARK_HALF_PT = 40.0, 13.0  # the room of a side's mark at the right, and half its emblem

Words = tuple[str, tuple[str, float, bool]]


def drawn_look(button: scr.Button) -> scr.Look:
    """Return the look that a button is drawn in: the accent is for what moves the game on, and leaving is neutral."""
    return "quiet" if button.spot == "leave" else button.look


def _is_stacked(button: scr.Button, wide: float) -> bool:
    """Return whether the sign is set above the label: the button is narrow and has a sign."""
    return bool(button.sign) and wide < NARROW_PT


def _is_pictured(button: scr.Button, wide: float) -> bool:
    """Return whether the button's picture has room."""
    return button.picture is not None and wide >= PICTURED_PT


def _margins(button: scr.Button, wide: float, high: float = CARD_PT) -> tuple[float, float]:
    """Return the room at the left and right of the words of a button so wide and high, for its signs or picture."""
    right = MARK_PT if button.side and wide >= PICTURED_PT else PAD_PT
    if _is_pictured(button, wide):
        return _picture_width(high) + 3 * PAD_PT, right
    if button.ticked is not None:
        return BOX_PT + 3 * PAD_PT, right
    return SIGN_PT if button.sign and not _is_stacked(button, wide) else PAD_PT, right


def _picture_width(high: float) -> float:
    return PICTURE_PART * (high - 2 * PAD_PT)


def _text_width(button: scr.Button, wide: float, high: float = CARD_PT) -> float:
    return wide - sum(_margins(button, wide, high))


def _words(sheet: Sheet, button: scr.Button, wide: float) -> Sequence[Words]:
    """Return a button's lines of text with their style: the label, then the note."""
    return _words_in(sheet.measure, sheet.look, (sheet.tight, sheet.letters), button, wide)


@lru_cache(maxsize=2048)
def _words_in(
    measure: Measure, look: Theme, style: tuple[bool, float], button: scr.Button, wide: float
) -> Sequence[Words]:
    """Return the same as `_words`, kept: a page is laid out several times before it is drawn.

    style: whether there is little height, and how much larger words are set than usual.
    """
    ink, (tight, larger) = look.buttons[drawn_look(button)][2], style
    size = SMALL_PT if _is_stacked(button, wide) else LABEL_PT
    room = _text_width(button, wide)
    if not _fits_in(measure, button.label, (size, True), room):
        size = _least(button, wide, tight=tight)
    if widest_word(measure, button.label, (size, True)) > room:
        size = TIGHT_PT
    if size == LABEL_PT and _fits_in(measure, button.label, (large := min(size * larger, MOST_LABEL_PT), True), room):
        size = large
    bold = button.look in ("primary", "chosen", "plain", "danger")
    lines = [(line, (ink, size, bold)) for line in wrap_text(measure, button.label, (size, bold), room)]
    small = NOTE_PT * max(1.0, size / LABEL_PT)
    if widest_word(measure, button.note, (small, False)) > room:
        small = NOTE_PT
    notes = wrap_text(measure, button.note, (small, False), room) if button.note else ()
    return (*lines, *((line, (ink, small, False)) for line in notes))


def _least(button: scr.Button, wide: float, *, tight: bool) -> float:
    """Return the smallest size that a button's label is set in."""
    if tight:
        return TIGHT_PT
    return SMALL_PT - 1 if _is_stacked(button, wide) else LABEL_PT * 0.84


def _fits_in(measure: Measure, text: str, font: tuple[float, bool], room: float) -> bool:
    """Return whether the text has room in two lines, no word broken."""
    return widest_word(measure, text, font) <= room and len(wrap_text(measure, text, font, room)) <= MOST_LINES


def _high(words: Sequence[Words]) -> float:
    return sum(line_height(style[1]) for _text, style in words)


def button_height(sheet: Sheet, button: scr.Button, wide: float) -> float:
    """Return the height that a button of that width needs."""
    over = 22.0 if _is_stacked(button, wide) else 0.0
    words = _high(_words(sheet, button, wide)) + over + 2 * (DENSE_PT if sheet.dense else PAD_PT)
    return max(sheet.touch, words, CARD_PT if _is_pictured(button, wide) and not sheet.tight else 0.0)


def breaks(sheet: Sheet, button: scr.Button, wide: float) -> bool:
    """Return whether a word of a button's label is too long for that width."""
    return widest_word(sheet.measure, button.label, (TIGHT_PT, True)) > _text_width(button, wide)


def even_height(sheet: Sheet, block: scr.Buttons) -> float:
    """Return the height that all buttons of an even block have: room for a label, and for a note in two lines."""
    words = line_height(LABEL_PT) + 2 * line_height(NOTE_PT) + 2 * PAD_PT
    return max(sheet.touch, words, CARD_PT if block.cards and not sheet.tight else 0.0, block.high_pt)


def _brief_words(sheet: Sheet, button: scr.Button, wide: float, high: float) -> list[Words]:
    """Return the label in one line and the note in two at most, each with its style."""
    ink, room = sheet.look.buttons[drawn_look(button)][2], _text_width(button, wide, high)
    notes = wrap_text(sheet.measure, button.note, (NOTE_PT, False), room) if button.note else ()
    if len(notes) > 2:
        notes = notes[0], f"{notes[1]} …"
    return [(button.label, (ink, LABEL_PT, True)), *((note, (ink, NOTE_PT, False)) for note in notes)]


def draw_button(sheet: Sheet, button: scr.Button, rect: Rect, words: Sequence[Words] = ()) -> None:
    """Draw a button with its label, a smaller note under it, and its sign at the left, or above where it is narrow.

    words: its lines, if not those of its own label and note.
    """
    look = drawn_look(button)
    fill, line, ink = sheet.look.buttons[look]
    icon = sheet.look.icon if look == "plain" else ink
    if button.ticked is None:
        plate(sheet, rect, fill, line)
    else:
        _draw_box(sheet, rect, is_ticked=button.ticked)
    words, stacked = words or _words(sheet, button, rect.w), _is_stacked(button, rect.w)
    high = _high(words) + (22.0 if stacked else 0.0)
    y = rect.y + (rect.h - high) / 2
    before, after = _margins(button, rect.w, rect.h)
    left = rect.x + before
    if button.picture is not None and _is_pictured(button, rect.w):
        picture = Rect(rect.x + 1.5 * PAD_PT, rect.y + PAD_PT, _picture_width(rect.h), rect.h - 2 * PAD_PT)
        draw_small_picture(sheet, button.picture, picture)
    elif button.sign and not any(text for text, _style in words):
        sign(sheet, button.sign, (rect.centre, 10), icon, button.about)
    elif stacked:
        sign(sheet, button.sign, ((rect.centre[0], y + 9), 9), icon, button.about)
        y += 22.0
    elif button.sign:
        sign(sheet, button.sign, ((rect.x + 19, rect.centre[1]), 10), icon, button.about)
    align: Align = "left" if before > PAD_PT else "centre"
    for text, style in words:
        step = line_height(style[1])
        sheet.label(Rect(left, y, rect.w - before - after, step), text, style, align)
        y += step
    if button.side and rect.w >= PICTURED_PT:
        _draw_side(sheet, button.side, (rect.right - MARK_PT / 2 - 2, rect.centre[1]))
    if button.sign:
        sheet.about(rect, button.about, button.label)
    sheet.target(rect, button.intent, repeats=button.repeats)
    sheet.close_group(rect)


def _draw_box(sheet: Sheet, rect: Rect, *, is_ticked: bool) -> None:
    """Draw a line of a list: flat, with a box at its left that has a tick in it or waits for one."""
    look = sheet.look
    sheet.box(rect, look.panel, look.edge if is_ticked else "none", 4, 1.0)
    box = Rect(rect.x + 2 * PAD_PT, rect.centre[1] - BOX_PT / 2, BOX_PT, BOX_PT)
    sheet.box(box, look.page, look.good if is_ticked else look.text, 4, 1.6)
    if is_ticked:
        sign(sheet, "tick", (box.centre, BOX_PT * 0.36), look.good)


def _draw_side(sheet: Sheet, faction: str, centre: tuple[float, float]) -> None:
    """Draw a faction's emblem with its mark."""
    emblem(sheet, faction, (centre, MARK_HALF_PT))
    x, y = centre
    mark(sheet, faction, ((x, y - lift(sheet, faction) * 2 * MARK_HALF_PT), MARK_HALF_PT * 0.52))


def _width(across: int, wide: float) -> float:
    return (wide - GAP_PT * (across - 1)) / max(across, 1)


def fitting_columns(sheet: Sheet, buttons: Sequence[scr.Button], most: tuple[int, float]) -> int:
    """Return how many of the buttons fit side by side. most: how many are asked for, and the width in points."""
    across, wide = most
    while across > 1 and not all(_fits(sheet, button, _width(across, wide)) for button in buttons):
        across -= 1
    return across


def _fits(sheet: Sheet, button: scr.Button, wide: float) -> bool:
    size, room = _least(button, wide, tight=sheet.tight), _text_width(button, wide)
    noted = widest_word(sheet.measure, button.note, (NOTE_PT, False)) <= room
    return wide >= sheet.touch and noted and _fits_in(sheet.measure, button.label, (size, True), room)


def even_columns(sheet: Sheet, buttons: Sequence[scr.Button], wide: float) -> int:
    """Return how many buttons stand side by side: all if they fit, else as many as make the rows even."""
    many = max(len(buttons), 1)
    rows = -(-many // fitting_columns(sheet, buttons, (many, wide)))
    return -(-many // rows)


def draw_rows(sheet: Sheet, buttons: Sequence[scr.Button], place: Rect, across: int, *, fills: bool = False) -> float:
    """Draw buttons in rows of `across`, each row as high as its highest; return the height they took.

    fills: fewer buttons in the last row are so much wider.
    """
    y = place.y
    for start in range(0, len(buttons), across):
        part = buttons[start : start + across]
        wide = _width(len(part) if fills else across, place.w)
        high = max(button_height(sheet, button, wide) for button in part)
        for i, button in enumerate(part):
            draw_button(sheet, button, Rect(place.x + i * (wide + GAP_PT), y, wide, high))
        y += high + sheet.gap
    return max(0.0, y - sheet.gap - place.y)


def draw_buttons(sheet: Sheet, block: scr.Buttons, place: Rect) -> float:
    """Draw buttons in as many columns as have room; return the height they took."""
    if block.even:
        across, high = column_count(sheet, block, place.w), even_height(sheet, block)
        first = Rect(place.x, place.y, _width(across, place.w), high)
        for i, button in enumerate(block.buttons):
            words = _brief_words(sheet, button, first.w, high)
            draw_button(sheet, button, first.cell(i, across, (GAP_PT, sheet.gap)), words)
        rows = -(-len(block.buttons) // across)
        return max(0.0, rows * (high + sheet.gap) - sheet.gap)
    return draw_rows(sheet, block.buttons, place, column_count(sheet, block, place.w))


def column_count(sheet: Sheet, block: scr.Buttons, wide: float) -> int:
    """Return how many columns a block's buttons stand in: as many as fit, or fewer where that makes rows even."""
    if block.even:
        least = CARD_WIDE_PT if block.cards else EVEN_PT
        return max(1, min(block.columns, int((wide + GAP_PT) // (least + GAP_PT))))
    many = len(block.buttons)
    columns = block.columns * (2 if sheet.bar and wide >= TWICE_PT and many > block.columns else 1)
    asked = fitting_columns(sheet, block.buttons, (columns, wide))
    more = fitting_columns(sheet, block.buttons, (columns + 1, wide)) if sheet.dense else asked
    across = more if -(-many // more) < -(-many // asked) else asked
    return -(-many // -(-many // across)) if many > across else across


def draw_choice(sheet: Sheet, block: scr.Choice, place: Rect) -> float:
    """Draw a choice's label and under it the buttons, in one row where they have room; return the height."""
    used = paragraph(sheet, block.label, sheet.look.tones["quiet"], place) + 2 if block.label else 0.0
    across = even_columns(sheet, block.buttons, place.w)
    return used + draw_rows(sheet, block.buttons, Rect(place.x, place.y + used, place.w, 0), across)


# ---- answers ----------------------------------------------------------------------------------


def draw_options(sheet: Sheet, block: scr.Options, place: Rect) -> float:
    """Draw a label and under it the answers as cards of one height; return the height they took.

    Where the cards would be too narrow side by side, they stand one under the other, or two in a row where that saves a
    page.
    """
    head = paragraph(sheet, block.label, sheet.look.tones["quiet"], place) if block.label else 0.0
    many = max(len(block.options), 1)
    across = many if _width(many, place.w) >= OPTION_PT else 1
    if sheet.dense and across == 1 and many > DENSE_COLUMNS and _width(DENSE_COLUMNS, place.w) >= OPTION_PT:
        across = DENSE_COLUMNS
    wide, y = _width(across, place.w), place.y + head
    for start in range(0, len(block.options), across):
        part = block.options[start : start + across]
        spots = [Rect(place.x + i * (wide + GAP_PT), y, wide, 0) for i in range(len(part))]
        pairs = list(zip(part, spots, strict=True))
        high = max(_option(sheet.scratch(), pair, (spot, block.text_pt)) for pair, spot in pairs)
        for pair, spot in pairs:
            _option(sheet, pair, (spot._replace(h=high), block.text_pt))
        y += high + sheet.gap
    return max(head, y - sheet.gap - place.y)


def _option(sheet: Sheet, option: scr.Option, placed: tuple[Rect, float]) -> float:
    """Draw a card with an answer in as many lines as it takes, ticked where chosen; return the height it needs."""
    rect, size = placed
    fill, line, ink = sheet.look.buttons["chosen" if option.chosen else "plain"]
    plate(sheet, rect, fill, line)
    if option.chosen and size < LARGE_PT:
        sign(sheet, "tick", ((rect.x + 18, rect.centre[1]), 9), line, "chosen")
    sheet.target(rect, option.intent)
    left = 36 if size < LARGE_PT else 12
    text = Rect(rect.x + left, rect.y + 8, rect.w - left - 8, 0)
    used = paragraph(sheet.scratch(), option.text, (ink, size, option.chosen), text)
    high = max(sheet.touch, used + 16)
    paragraph(sheet, option.text, (ink, size, option.chosen), text._replace(y=rect.y + (max(rect.h, high) - used) / 2))
    sheet.close_group(rect)
    return high


# ---- steppers ---------------------------------------------------------------------------------


def stepper_columns(sheet: Sheet, wide: float) -> int:
    """Return how many steppers stand side by side in a place so many points wide: one or two."""
    return 2 if _width(2, wide) >= max(STEPPER_PT, 2 * sheet.touch + 60) else 1


def draw_steppers(sheet: Sheet, block: scr.Steppers, place: Rect) -> float:
    """Draw steppers in one or two columns; return the height they took."""
    across = stepper_columns(sheet, place.w)
    first = Rect(place.x, place.y, _width(across, place.w), sheet.touch)
    for i, stepper in enumerate(block.steppers):
        _stepper(sheet, stepper, first.cell(i, across, (GAP_PT, sheet.gap)))
    rows = -(-len(block.steppers) // across)
    return rows * (first.h + sheet.gap) - sheet.gap if rows else 0.0


def _stepper(sheet: Sheet, stepper: scr.Stepper, rect: Rect) -> None:
    """Draw a stepper: what is counted and how many, between a knob for less and one for more."""
    look = sheet.look
    plate(sheet, rect, look.panel, look.edge)
    minus = Rect(rect.x, rect.y, sheet.touch, rect.h)
    plus = Rect(rect.right - sheet.touch, rect.y, sheet.touch, rect.h)
    _knob(sheet, minus, stepper.value > 0, plus=False)
    _knob(sheet, plus, stepper.value < stepper.most, plus=True)
    middle = Rect(minus.right + 3, rect.y, plus.x - minus.right - 6, rect.h)
    size, room = 14.5, rect.h - 26
    lines = wrap_text(sheet.measure, stepper.label, (size, True), middle.w)
    if len(lines) > 1:
        size = 12.0
        lines = wrap_text(sheet.measure, stepper.label, (size, True), middle.w)[:2]
    step = line_height(size)
    y = rect.y + 3 + max(0.0, room - step * len(lines)) / 2
    for i, line in enumerate(lines):
        sheet.label(Rect(middle.x, y + i * step, middle.w, step), line, (look.text, size, True), "centre")
    colour = look.accent_text if stepper.value else look.text
    number, most = str(stepper.value), f" / {stepper.most}"
    left = middle.x + (middle.w - sheet.measure(number, 20, True) - sheet.measure(most, 13, False)) / 2
    sheet.label(Rect(left, rect.bottom - 27, 60, 25), number, (colour, 20, True))
    left += sheet.measure(number, 20, True)
    sheet.label(Rect(left, rect.bottom - 26, 50, 25), most, (look.quiet, 13, False))
    sheet.target(minus, scr.Intent(stepper.verb, stepper.what, -1), repeats=True)
    sheet.target(plus, scr.Intent(stepper.verb, stepper.what, 1), repeats=True)
    sheet.close_group(rect)


def _knob(sheet: Sheet, rect: Rect, live: bool, plus: bool) -> None:
    look = sheet.look
    plate(sheet, rect.shrunk(2), look.raised if live else look.panel, look.edge if live else "none")
    x, y = rect.centre
    ink = look.text if live else look.edge
    sheet.line([(x - 9, y), (x + 9, y)], ink, 3)
    if plus:
        sheet.line([(x, y - 9), (x, y + 9)], ink, 3)
