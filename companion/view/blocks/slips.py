"""Verdicts and slips: a sentence with its mark, where it is written, and what a touch leads to."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, line_height, wrapped
from companion.view.kit.signs import sign
from companion.view.kit.theme import Style

MARK_PT = 44.0  # the column of the mark
EDGE_PT = 10.0
CITE_PT = 13.0
WIDE_PT = 300.0  # a narrower verdict is set smaller


def draw_verdict(sheet: Sheet, block: scr.Verdict, place: Rect) -> float:
    """A large mark, the sentence beside it in bold, and below in small letters where it is written."""
    colour = {True: sheet.look.good, False: sheet.look.bad, None: sheet.look.accent_text}[block.holds]
    text = Rect(place.x + MARK_PT + 4, place.y + 8, place.w - MARK_PT - 4 - EDGE_PT, 0)
    parts: tuple[tuple[str, Style], ...] = (
        (block.text, (sheet.look.text, 19.0 if place.w >= WIDE_PT else 16.0, True)),
        (block.cite, (sheet.look.quiet, CITE_PT, False)),
    )
    card = Rect(place.x, place.y, place.w, max(MARK_PT + 8, _set(sheet.scratch(), parts, text) + 16))
    sheet.box(card, sheet.look.panel, colour, 8, 2.4)
    _mark(sheet, block.holds, (place.x + MARK_PT / 2 + 3, card.centre[1]), 13.0)
    _set(sheet, parts, text)
    return card.h


def draw_slip(sheet: Sheet, block: scr.Slip, place: Rect) -> float:
    """A card: its mark at the left, title, text and citation in their lines; an arrow where a touch leads on."""
    left = MARK_PT if block.mark else EDGE_PT
    right = 26.0 if block.intent else EDGE_PT
    text = Rect(place.x + left, place.y + 6, max(place.w - left - right, 40.0), 0)
    bold = block.mark != "yes"
    parts: tuple[tuple[str, Style], ...] = (
        (block.title, (sheet.look.text, 16.0, bold)),
        (block.text, (sheet.look.text, 14.5, False)),
        (block.cite, (sheet.look.quiet, CITE_PT, False)),
    )
    needed = _set(sheet.scratch(), parts, text)
    high = max(needed + 12, sheet.touch if block.intent else 0.0)
    card = Rect(place.x, place.y, place.w, high)
    fill, line, _ink = sheet.look.buttons["chosen" if block.chosen else "plain"] if block.intent else (
        sheet.look.panel, sheet.look.edge, ""
    )  # fmt: skip
    sheet.box(card, fill, line, 8)
    if block.mark:
        _mark(sheet, block.mark == "yes", (place.x + MARK_PT / 2, card.centre[1]), 10.0)
    _set(sheet, parts, text._replace(y=place.y + (high - needed) / 2))
    if block.intent:
        x, y = card.right - 15, card.centre[1]
        sheet.line([(x - 4, y - 7), (x + 3, y), (x - 4, y + 7)], sheet.look.quiet, 2.4)
        sheet.target(card, block.intent)
    return high


def draw_checks(sheet: Sheet, block: scr.Checks, place: Rect) -> float:
    """A small tick before each line, its citation behind the words."""
    y = place.y
    for one in block.checks:
        style: Style = (sheet.look.quiet, 14.0, False)
        text = Rect(place.x + 26, y, max(place.w - 26 - EDGE_PT, 40.0), 0)
        high = _set(sheet, ((f"{one.text} ({one.cite})", style),), text)
        sign(sheet, "tick", ((place.x + 12, y + line_height(14.0) / 2), 6.5), sheet.look.good)
        y += high + 3
    return max(0.0, y - 3 - place.y)


def _set(sheet: Sheet, parts: tuple[tuple[str, Style], ...], place: Rect) -> float:
    """Paragraphs of several styles one under the other; their height."""
    y = place.y
    for text, (colour, size, bold) in parts:
        for line in wrapped(sheet.measure, text, (size, bold), place.w) if text else ():
            high = line_height(size)
            sheet.label(Rect(place.x, y, place.w, high), line, (colour, size, bold))
            y += high
    return y - place.y


def _mark(sheet: Sheet, holds: bool | None, centre: tuple[float, float], size: float) -> None:
    """A tick, a cross, or a ring for neither: told apart by their shape, not by colour alone."""
    x, y = centre
    if holds:
        sign(sheet, "tick", (centre, size), sheet.look.good)
    elif holds is None:
        sheet.disc(centre, size * 0.8, "none", sheet.look.accent_text, 3.4)
    else:
        reach = size * 0.7
        sheet.line([(x - reach, y - reach), (x + reach, y + reach)], sheet.look.bad, size * 0.34)
        sheet.line([(x - reach, y + reach), (x + reach, y - reach)], sheet.look.bad, size * 0.34)
