"""Cards of words: verdicts and slips with their marks, what the coach says, and a turn of the log."""

from __future__ import annotations

from companion.ui import screen as scr
from companion.view.kit.sheet import Rect, Sheet, paragraph, paragraphs
from companion.view.kit.signs import commander, plate, sign
from companion.view.kit.wrapping import line_height
from companion.view.layers.small_map import draw_small_picture

MARK_PT = 44.0  # the column of the mark
EDGE_PT = 10.0
CITE_PT = 13.0
WIDE_PT = 300.0  # a narrower verdict is set smaller
PICTURE_PT, PICTURE_GAP_PT = 56.0, 5.0  # the least height of a slip's picture, and the gap above and below it
PICTURED_PT = 240.0  # a narrower slip has no room for one
COACH_BAR_PT = 5.0
COACH_INSET_PT = 16.0
COACH_EDGE_PT = 8.0
COACH_TITLE_PT = 14.0
COACH_SIZES_PT = (16.0, 14.5, 13.0)
COACH_LARGE_PT = (20.0, 18.0, *COACH_SIZES_PT)
TURN_EDGE_PT = 9.0
TURN_LEFT_PT = 44.0


def draw_verdict(sheet: Sheet, block: scr.Verdict, place: Rect) -> float:
    """Draw a verdict: a large mark, the sentence beside it in bold, and below in small letters where it is written."""
    colour = {True: sheet.look.good, False: sheet.look.bad, None: sheet.look.accent_text}[block.holds]
    text = Rect(place.x + MARK_PT + 4, place.y + 8, place.w - MARK_PT - 4 - EDGE_PT, 0)
    parts = (
        (block.text, sheet.larger((sheet.look.text, 19.0 if place.w >= WIDE_PT else 16.0, True))),
        (block.cite, sheet.larger((sheet.look.quiet, CITE_PT, False))),
    )
    card = place._replace(h=max(MARK_PT + 8, paragraphs(sheet.scratch(), parts, text) + 16))
    plate(sheet, card, sheet.look.panel, colour, 2.4)
    _mark(sheet, block.holds, (place.x + MARK_PT / 2 + 3, card.centre[1]), 13.0)
    paragraphs(sheet, parts, text)
    sheet.bright.append(card)
    return card.h


def draw_slip(sheet: Sheet, block: scr.Slip, place: Rect) -> float:
    """Draw a slip: its mark at the left, title, text and citation in their lines, an arrow where a touch leads on."""
    left = MARK_PT if block.mark else EDGE_PT
    pictured = PICTURE_PT * sheet.letters if block.picture is not None and place.w >= PICTURED_PT else 0.0
    left += pictured * 1.25
    right = 26.0 if block.intent else EDGE_PT
    text = Rect(place.x + left, place.y + 6, max(place.w - left - right, 40.0), 0)
    parts = (
        (block.title, sheet.larger((sheet.look.text, 16.0, block.mark != "yes"))),
        (block.text, sheet.larger((sheet.look.text, 14.5, False))),
        (block.cite, sheet.larger((sheet.look.quiet, CITE_PT, False))),
    )
    needed = paragraphs(sheet.scratch(), parts, text)
    high = max(needed + 12, sheet.touch if block.intent else 0.0, pictured + 2 * PICTURE_GAP_PT if pictured else 0.0)
    card = place._replace(h=high)
    fill, line, _ink = sheet.look.buttons["chosen" if block.chosen else "plain"] if block.intent else (
        sheet.look.panel, sheet.look.edge, ""
    )  # fmt: skip
    plate(sheet, card, fill, line)
    if block.picture is not None and pictured:
        inner = card.shrunk(PICTURE_GAP_PT)
        draw_small_picture(sheet, block.picture, inner._replace(x=card.x + EDGE_PT, w=pictured * 1.1))
    if block.mark:
        _mark(sheet, block.mark == "yes", (place.x + MARK_PT / 2, card.centre[1]), 10.0)
    paragraphs(sheet, parts, text._replace(y=place.y + (high - needed) / 2))
    if block.intent:
        x, y = card.right - 15, card.centre[1]
        sheet.line([(x - 4, y - 7), (x + 3, y), (x - 4, y + 7)], sheet.look.quiet, 2.4)
        sheet.target(card, block.intent)
    return high


def draw_checks(sheet: Sheet, block: scr.Checks, place: Rect) -> float:
    """Draw the checks that were met, a small tick before and a citation behind each; return the height."""
    y = place.y
    for check in block.checks:
        told = f"{check.text} ({check.cite})" if check.cite else check.text
        text = Rect(place.x + 26, y, max(place.w - 26 - EDGE_PT, 40.0), 0)
        high = paragraph(sheet, told, sheet.larger((sheet.look.quiet, 14.0, False)), text)
        sign(sheet, "tick", ((place.x + 12, y + line_height(14.0 * sheet.letters) / 2), 6.5), sheet.look.good, "met")
        y += high + 3
    return max(0.0, y - 3 - place.y)


def _mark(sheet: Sheet, holds: bool | None, centre: tuple[float, float], size: float) -> None:
    """Draw a tick, a cross, or a ring for neither: told apart by their shape, not by colour alone."""
    sheet.about(Rect.around(centre, size), {True: "yes", False: "no", None: "neither"}[holds])
    if holds:
        sign(sheet, "tick", (centre, size), sheet.look.good, "yes")
    elif holds is None:
        sheet.disc(centre, size * 0.8, "none", sheet.look.accent_text, 3.4)
    else:
        sheet.cross(centre, size * 0.7, sheet.look.bad, size * 0.34)


def draw_coach(sheet: Sheet, block: scr.Coach, place: Rect) -> float:
    """Draw the coach's card, its letters as large as fit into the place; return its height."""
    title = Rect(place.x + COACH_INSET_PT, place.y + COACH_EDGE_PT, place.w - COACH_INSET_PT - 10, 0)
    title = title._replace(h=line_height(COACH_TITLE_PT))
    text, high = title._replace(y=title.bottom), 0.0
    for size in COACH_LARGE_PT if block.large else COACH_SIZES_PT:
        words = paragraph(sheet.scratch(), block.text, (sheet.look.text, size, False), text)
        high = title.h + words + 2 * COACH_EDGE_PT
        if high <= place.h:
            break
    card = place._replace(h=high)
    plate(sheet, card, sheet.look.panel, sheet.look.edge)
    sheet.box(card._replace(w=COACH_BAR_PT), sheet.look.accent, radius=2.5)
    sheet.label(title, block.title, (sheet.look.quiet, COACH_TITLE_PT, True))
    paragraph(sheet, block.text, (sheet.look.text, size, False), text)
    sheet.bright.append(card)
    return high


def draw_turn(sheet: Sheet, block: scr.LogTurn, place: Rect) -> float:
    """Draw a turn of the log as a card as high as its sentences need, and never too low to touch; return its height."""
    used = _sentences(sheet.scratch(), block, place)
    high = max(sheet.touch, used + 2 * TURN_EDGE_PT)
    card = place._replace(h=high)
    plate(sheet, card, sheet.look.panel, sheet.look.edge)
    commander(sheet, block.faction, ((card.x + 24, card.y + 24), 11))
    number = Rect(card.x + 6, card.y + 38, 36, 20)
    sheet.label(number, str(block.number), (sheet.look.quiet, 13, True), "centre")
    _sentences(sheet, block, card._replace(y=card.y + (high - used) / 2 - TURN_EDGE_PT))
    sheet.target(card, block.intent)
    return high


def _sentences(sheet: Sheet, block: scr.LogTurn, card: Rect) -> float:
    """Draw the sentences of a turn, each with its marks under it; return the height they took."""
    left = Rect(card.x + TURN_LEFT_PT, card.y + TURN_EDGE_PT, card.w - TURN_LEFT_PT - 8, 0)
    y = left.y
    for line in block.lines:
        y += paragraph(sheet, line.text, (sheet.look.text, 15.5, False), left._replace(y=y))
        for mark in line.marks:
            y += paragraph(sheet, mark, (sheet.look.accent_text, 13.5, True), left._replace(y=y))
        y += 2
    return y - 2 - left.y if block.lines else 0.0
