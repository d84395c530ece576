"""Blocks laid out one under the other: each function draws its block at the top of a place and returns its height."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from companion.core.language import _
from companion.drawing.board_svg import Point
from companion.ui import screen as scr
from companion.view.blocks.buttons import draw_buttons, draw_choice, draw_options, draw_steppers
from companion.view.blocks.charts import draw_bars, draw_chances, draw_grid, draw_odds
from companion.view.blocks.controls import (
    draw_crosses,
    draw_hold,
    draw_keys,
    draw_pledges,
    draw_ruler,
    draw_sample,
    draw_switch,
    draw_text_line,
    draw_thing,
)
from companion.view.blocks.deck_cards import draw_card_backs, draw_deck_cards
from companion.view.blocks.moments import draw_curve, draw_laurels, draw_tally
from companion.view.blocks.slips import draw_checks, draw_coach, draw_slip, draw_turn, draw_verdict
from companion.view.kit.kept import draw_kept
from companion.view.kit.sheet import Rect, Sheet, paragraph, paragraphs
from companion.view.kit.signs import mark, plate, sign
from companion.view.kit.theme import GAP_PT
from companion.view.kit.wrapping import wrap_text

NARROW_PT = 400.0  # a place narrower than this has no two columns
SMALL_DIE_PT = 40.0
SIXES_PT = 20.0
FACE_PT = 110.0  # a face to touch that is wider than this shows its number beside the die
SIX = 6
DICE_APART_PT = 4.0
LARGEST_DIE_PT = 76.0
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
COLUMNS_APART_PT = 24.0
CHECKLIST_PT = 15.5
CHECKLIST_LINES = 2
NARROW_CHECKLIST_PT = 260.0


def lay(sheet: Sheet, block: scr.Block, place: Rect) -> float:
    """Draw a block at the top of the place, as wide as it; return the height it took."""
    if isinstance(block, scr.Buttons) and block.even:  # of very many rows none is looked at that is not seen
        return _lay(sheet, block, place)
    return draw_kept(sheet, (block, place), lambda part: _lay(part, block, place))


def _lay(sheet: Sheet, block: scr.Block, place: Rect) -> float:
    high = DRAWERS[type(block)](sheet, block, place)
    sheet.close_group(place._replace(h=high))
    return high


def stack(sheet: Sheet, blocks: Sequence[scr.Block], place: Rect) -> float:
    """Draw blocks one under the other; return the height they took."""
    y = place.y
    for block in blocks:
        y += lay(sheet, block, Rect(place.x, y, place.w, place.bottom - y)) + sheet.gap
    return max(0.0, y - sheet.gap - place.y)


def height(sheet: Sheet, block: scr.Block, place: Rect) -> float:
    """Return the height that a block would take in the place."""
    return lay(sheet.scratch(), block, place)


# ---- one function a block ---------------------------------------------------------------------


def _text(sheet: Sheet, block: scr.Text, place: Rect) -> float:
    return paragraph(sheet, block.text, sheet.larger(sheet.look.tones[block.tone]), place)


def is_narrow(place: Rect) -> bool:
    """Return whether two things side by side would be cramped."""
    return place.w < NARROW_PT


def _prompt(sheet: Sheet, block: scr.Prompt, place: Rect) -> float:
    """Draw a prompt, a bar in the faction's colour with its mark, readable across the table; return its height."""
    narrow = place.w < NARROW_PT * 0.75
    text = Rect(place.x + (38 if narrow else 46), place.y + 6, place.w - (44 if narrow else 56), 0)
    side = sheet.look.sides[block.faction]
    words = block.text, (side.text, 17.5 if narrow else 20.0, True)
    parts = words, (block.hint, (side.text, 13.0 if narrow else 14.0, False))
    bar = place._replace(h=paragraphs(sheet.scratch(), parts, text) + 12)
    plate(sheet, bar, side.fill, side.line, 2)
    mark(sheet, block.faction, ((bar.x + (20 if narrow else 25), bar.centre[1]), 12 if narrow else 14))
    paragraphs(sheet, parts, text)
    sheet.bright.append(bar)
    return bar.h


def _checklist(sheet: Sheet, block: scr.Checklist, place: Rect) -> float:
    """Draw a checklist: what is left below whom the table waits for, the tick for all of it at the right."""
    tick = sheet.touch
    head = Rect(place.x, place.y, place.w - tick - 4, 0)
    over = _prompt(sheet.scratch(), block.head, head) if block.head else 0.0
    text = Rect(place.x + 12, place.y + over + 7, place.w - tick - 22, 0)
    high = _checklist_lines(sheet.scratch(), block, text) + 14
    card = Rect(place.x, place.y, place.w, max(tick, over + high))
    plate(sheet, card, sheet.look.panel, sheet.look.accent_text, 1.6)
    if block.head:
        _prompt(sheet, block.head, head)
    _checklist_lines(sheet, block, text._replace(y=text.y + (card.h - over - high) / 2))
    knob = Rect(card.right - tick, card.y, tick, card.h)
    plate(sheet, knob.shrunk(6), sheet.look.raised, sheet.look.edge)
    sign(sheet, "tick", (knob.centre, 13), sheet.look.accent_text, "did:")
    sheet.target(Rect(card.x, card.y, card.w - tick, card.h), scr.Intent("todo"))
    sheet.target(knob, scr.Intent("did"))
    return card.h


def _checklist_lines(sheet: Sheet, block: scr.Checklist, place: Rect) -> float:
    """Draw the title and what is left as one running text, as far as it fits on the card; return its height."""
    rows = CHECKLIST_LINES if place.w > NARROW_CHECKLIST_PT else 3 * CHECKLIST_LINES
    left = [line.text for line in block.lines if not line.done]
    texts = [_running(block, left, n) for n in range(len(left), 0, -1)] or [block.title]
    fitting = (text for text in texts if len(wrap_text(sheet.measure, text, (CHECKLIST_PT, True), place.w)) <= rows)
    return paragraph(sheet, next(fitting, texts[-1]), (sheet.look.text, CHECKLIST_PT, True), place)


def _running(block: scr.Checklist, left: Sequence[str], n: int) -> str:
    """Return the title with the first `n` of what is left, and how many more there are."""
    more = [_("and {n} more").format(n=len(left) - n)] if len(left) > n else []
    return f"{block.title} {' · '.join([*left[:n], *more])}"


def _dice(sheet: Sheet, block: scr.Dice, place: Rect) -> float:
    """Draw the dice so far and, while they are entered, the three faces to touch, beside them in a low place."""
    if block.sixes:
        return _sixes(sheet, block, place)
    used = _thrown(sheet.scratch(), block, place)
    if not block.entering:
        return _thrown(sheet, block, place)
    high = max(66.0, sheet.touch)
    across = 3 if (place.w - 2 * GAP_PT) / 3 >= sheet.touch else 1
    whole = used + 10 + 3 // across * (high + GAP_PT) - GAP_PT
    beside = place.w - sheet.touch - GAP_PT
    if place.h < whole and beside >= 3 * sheet.touch + 2 * GAP_PT:
        _small_thrown(sheet, block, Rect(place.x, place.y, sheet.touch, high))
        _faces(sheet, Rect(place.right - beside, place.y, beside, high), 3)
        return high
    _thrown(sheet, block, place)
    _faces(sheet, Rect(place.x, place.y + used + 10, place.w, high), across)
    return whole


def _faces(sheet: Sheet, row: Rect, across: int) -> None:
    """Draw the three faces to touch, `across` in a row, every row as high as the first."""
    first = row._replace(w=(row.w - (across - 1) * GAP_PT) / across)
    for face in range(3):
        rect = first.cell(face, across, (GAP_PT, GAP_PT))
        plate(sheet, rect, sheet.look.raised, sheet.look.edge)
        if rect.w >= FACE_PT:
            _pips(sheet, face, Rect(rect.x + 8, rect.y, rect.h, rect.h), sheet.look.text)
            number = Rect(rect.x + rect.h + 8, rect.y, rect.w - rect.h - 16, rect.h)
            sheet.label(number, str(face), (sheet.look.text, 28, True))
        else:
            _pips(sheet, face, Rect(rect.x, rect.y, rect.w, rect.h - 20), sheet.look.text)
            sheet.label(Rect(rect.x, rect.bottom - 25, rect.w, 22), str(face), (sheet.look.text, 18, True), "centre")
        sheet.target(rect, scr.Intent("die", "", face), repeats=True)
        sheet.close_group(rect)


def _small_thrown(sheet: Sheet, block: scr.Dice, box: Rect) -> None:
    """Draw all dice in one small box; a touch on it takes the last one back."""
    across = max(2, math.ceil(math.sqrt(len(block.faces))))
    side = box.w / across - 3
    for i, face in enumerate(block.faces):
        rect = Rect(box.x, box.y, side, side).cell(i, across, (3, 3))
        die(sheet, face, rect)
        if face is not None:
            sheet.piece(f"die {i}", rect)
    sheet.close_group(box)
    known = [i for i, face in enumerate(block.faces) if face is not None]
    if known:
        sheet.target(box, scr.Intent("undie", "", known[-1]), repeats=True)


def _thrown(sheet: Sheet, block: scr.Dice, place: Rect) -> float:
    """Draw the dice thrown so far; a touch takes that one back, or the last one where they are many and small."""
    count = len(block.faces)
    single = count * (sheet.touch + GAP_PT) - GAP_PT <= place.w
    side = sheet.touch if single else SMALL_DIE_PT
    across = min(count, int((place.w + GAP_PT) // (side + GAP_PT)))
    rows = -(-count // across) if count else 0
    left = place.x + (place.w - across * (side + GAP_PT) + GAP_PT) / 2
    for i, face in enumerate(block.faces):
        rect = Rect(left, place.y, side, side).cell(i, across, (GAP_PT, GAP_PT))
        die(sheet, face, rect)
        sheet.close_group(rect)
        if block.entering and face is not None:
            sheet.piece(f"die {i}", rect)
        if single and block.entering and face is not None:
            sheet.target(rect, scr.Intent("undie", "", i), repeats=True)
    high = max(rows * (side + GAP_PT) - GAP_PT, 0.0)
    known = [i for i, face in enumerate(block.faces) if face is not None]
    if block.entering and known and not single:
        high = max(high, sheet.touch)
        sheet.target(Rect(place.x, place.y, place.w, high), scr.Intent("undie", "", known[-1]), repeats=True)
    return high


def die(sheet: Sheet, face: int | None, rect: Rect) -> None:
    """Draw a die with its pips, or an empty place where `face` is None."""
    sheet.about(rect, "die")
    if face is None:
        plate(sheet, rect, sheet.look.page, sheet.look.edge, 1.6)
        return
    plate(sheet, rect, sheet.look.cream, sheet.look.accent, 1.6)
    _pips(sheet, face, rect, sheet.look.ink)


def _pips(sheet: Sheet, face: int, rect: Rect, ink: str) -> None:
    (x, y), apart = rect.centre, rect.h * 0.2
    for across, down in PIPS[face]:
        sheet.disc((x + across * apart, y + down * apart), rect.h * 0.11, ink)
    if not face:
        sheet.disc((x, y), rect.h * 0.1, "none", ink, 1.6)


def _sixes(sheet: Sheet, block: scr.Dice, place: Rect) -> float:
    """Draw dice of which only the sixes count, numbered in rows; return the height they took."""
    count = len(block.faces)
    most = max(1, int((place.w + DICE_APART_PT) // (sheet.touch + DICE_APART_PT)))
    rows = -(-count // most) if count else 0
    across = -(-count // rows) if rows else 1
    side = sheet.touch
    if rows == 1:
        side = min(max(LARGEST_DIE_PT, side), (place.w + DICE_APART_PT) / across - DICE_APART_PT)
    left = place.x + (place.w - across * (side + DICE_APART_PT) + DICE_APART_PT) / 2
    for i, face in enumerate(block.faces):
        rect = Rect(left, place.y, side, side).cell(i, across, (DICE_APART_PT, DICE_APART_PT))
        _six(sheet, face, rect, i + 1)
        sheet.close_group(rect)
        if block.entering:
            if face == SIX:
                sheet.piece(f"die {i}", rect)
            sheet.target(rect, scr.Intent("sixes", "", i + 1))
    return max(0.0, rows * (side + DICE_APART_PT) - DICE_APART_PT)


def _six(sheet: Sheet, face: int | None, rect: Rect, number: int) -> None:
    """Draw a six so that it stands out, or any other die with the number of sixes that a touch on it means."""
    if face == SIX:
        die(sheet, SIX, rect)
        return
    plate(sheet, rect, sheet.look.raised, sheet.look.edge, 1.6)
    sheet.about(rect, "die")
    sheet.label(rect, str(number), (sheet.look.text, SIXES_PT, True), "centre")


def _log(sheet: Sheet, block: scr.Log, place: Rect) -> float:
    """Draw as many lines of the log as fit, the newest first and brighter; return the height they took."""
    y = place.y
    for i, line in enumerate(block.lines):
        style = (sheet.look.text if i == 0 else sheet.look.dim, 14.0, False)
        high = height(sheet, scr.Text(line, "quiet"), place)
        if y + high > place.bottom:
            break
        y += paragraph(sheet, line, style, Rect(place.x, y, place.w, high)) + 3
    return max(0.0, y - place.y)


def _photo(sheet: Sheet, block: scr.Photo, place: Rect) -> float:
    """Draw a photo in the middle of its place with a thin frame and its caption below; return the height it took."""
    wide, high = block.size_px
    scale = min(place.w / wide, block.most_pt / high)
    rect = Rect(place.x + (place.w - wide * scale) / 2, place.y, wide * scale, high * scale)
    sheet.photo(rect, block.data)
    sheet.box(rect, "none", sheet.look.edge, 0)
    if not block.caption:
        return rect.h
    caption = Rect(place.x, rect.bottom + 2, place.w, 0)
    return rect.h + 2 + paragraph(sheet, block.caption, sheet.look.tones["quiet"], caption)


def _columns(sheet: Sheet, block: scr.Columns, place: Rect) -> float:
    """Draw both stacks side by side, or one under the other where it is narrow; return the height."""
    if is_narrow(place):
        return stack(sheet, (*block.left, *block.right), place)
    gap = COLUMNS_APART_PT
    left = place._replace(w=(place.w - gap) / 2)
    right = left._replace(x=left.right + gap)
    return max(stack(sheet, block.left, left), stack(sheet, block.right, right))


DRAWERS: dict[type, Callable[..., float]] = {
    scr.Text: _text,
    scr.Prompt: _prompt,
    scr.Buttons: draw_buttons,
    scr.Choice: draw_choice,
    scr.Options: draw_options,
    scr.Steppers: draw_steppers,
    scr.Dice: _dice,
    scr.Grid: draw_grid,
    scr.Tally: draw_tally,
    scr.Odds: draw_odds,
    scr.Log: _log,
    scr.Pledges: draw_pledges,
    scr.Bars: draw_bars,
    scr.LogTurn: draw_turn,
    scr.Curve: draw_curve,
    scr.ChanceCurve: draw_chances,
    scr.Laurels: draw_laurels,
    scr.Columns: _columns,
    scr.Checklist: _checklist,
    scr.Photo: _photo,
    scr.Verdict: draw_verdict,
    scr.Checks: draw_checks,
    scr.Slip: draw_slip,
    scr.Switch: draw_switch,
    scr.Ruler: draw_ruler,
    scr.Sample: draw_sample,
    scr.Hold: draw_hold,
    scr.StatusRow: draw_thing,
    scr.Crosses: draw_crosses,
    scr.Coach: draw_coach,
    scr.DeckCards: draw_deck_cards,
    scr.CardBacks: draw_card_backs,
    scr.TextLine: draw_text_line,
    scr.Keys: draw_keys,
}
