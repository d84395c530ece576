"""A page filled: what has room to spare is drawn larger, and a crest stands in what is left of a page of few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.ui import screen as scr
from companion.view.blocks import blocks
from companion.view.blocks.buttons import columns_of, even_height
from companion.view.kit.sheet import Rect, Sheet
from companion.view.page.crest import draw_crest

LEAST_PT = 8.0  # less room than that is left as it is
MOST_CARD_PT = 148.0  # a card is never higher
SPARSE = 0.66  # a page that fills less than this part of its place is set larger
LARGER = (2.0, 1.7, 1.4, 1.25, 1.12)  # how much, the largest first
LARGER_TOUCHED = LARGER[2:]  # of a page with something to touch
MOST_TOUCH = 1.25  # how much larger what is touched becomes with them
FIXED = (
    scr.Bars, scr.ChanceCurve, scr.Curve, scr.Dice, scr.Grid, scr.Hold, scr.Photo, scr.Ruler, scr.Sample, scr.Steppers
)  # fmt: skip
"""Blocks that have their size from what they show or ask: a page with one of them isn't set larger."""
FULL = (scr.Crosses, scr.Keys, scr.Log, scr.TextLine)
"""Blocks of pages whose room is for something else than a crest."""
CREST_PT = 80.0  # the least height of a crest with the gaps above and below it
CREST_GAP_PT = 14.0
WIDE = 2.2  # a place so much wider than high has its crest at the right
WORDS_PART = 0.6  # of its width for the words


def letters_of(sheet: Sheet, page: Sequence[scr.Block], place: Rect) -> float:
    """Return how much larger the words of a page are set so that few of them fill more of their place."""
    if not _is_free(page, (*FULL, *FIXED)):
        return 1.0
    used, most = blocks.stack(sheet.scratch(), page, place), SPARSE * place.h
    words = all(isinstance(block, scr.Text) for block in page)
    for larger in LARGER if words or place.w >= WIDE * place.h else LARGER_TOUCHED:
        if used * min(larger, MOST_TOUCH) > most:  # at least so much higher: nothing to be tried
            continue
        large = _in_letters(sheet, larger)
        if blocks.stack(large.scratch(), page, _beside_crest(large, page, place)) <= most:
            return larger
    return 1.0


def draw_page(sheet: Sheet, page: Sequence[scr.Block], place: Rect, crest_pt: float = CREST_PT) -> None:
    """Draw the blocks of a page so that they fill their place: what grows is higher, or a crest stands in the void.

    crest_pt: the least height that a crest has, with the gaps above and below it.
    """
    grows = next((n for n, block in enumerate(page) if _grows(block)), None)
    if grows is not None:
        spare = place.h - blocks.stack(sheet.scratch(), page, place)
        if spare >= LEAST_PT:
            page = [_grown(sheet, block, place, spare) if n == grows else block for n, block in enumerate(page)]
    if grows is not None or not _is_free(page, FULL):
        blocks.stack(sheet, page, place)
        return
    large = _in_letters(sheet, sheet.letters) if sheet.letters > 1 else sheet
    room = _beside_crest(large, page, place)
    used = blocks.stack(large, page, room)
    if large is not sheet:
        sheet.add(large)
    if room.w < place.w:
        left = Rect(room.right + CREST_GAP_PT, place.y, place.right - room.right - CREST_GAP_PT, place.h)
    else:
        left = Rect(place.x, place.y + used, place.w, place.h - used)
    if left.h >= crest_pt:
        draw_crest(sheet, left._replace(y=left.y + CREST_GAP_PT, h=left.h - 2 * CREST_GAP_PT))


def _is_free(page: Sequence[scr.Block], others: tuple[type[scr.Block], ...]) -> bool:
    """Return whether none of a page's blocks is of the other kinds, and none has very many rows."""
    return bool(page) and all(
        _is_free((*block.left, *block.right), others) if isinstance(block, scr.Columns)
        else not isinstance(block, others) and not (isinstance(block, scr.Buttons) and block.even and block.buttons)
        for block in page
    )  # fmt: skip


def _in_letters(sheet: Sheet, larger: float) -> Sheet:
    """Return an empty sheet whose words, and what is touched among them, are so much larger."""
    return replace(sheet.scratch(), letters=larger, touch=sheet.touch * min(larger, MOST_TOUCH))


def _beside_crest(sheet: Sheet, page: Sequence[scr.Block], place: Rect) -> Rect:
    """Return the room for a page's blocks: of few of them in a wide place, the crest stands at their right."""
    if place.w < WIDE * place.h or place.h < CREST_PT or any(isinstance(block, scr.Columns) for block in page):
        return place
    narrow = place._replace(w=place.w * WORDS_PART)
    return narrow if blocks.stack(sheet.scratch(), page, narrow) <= place.h else place


def _grows(block: scr.Block) -> bool:
    if isinstance(block, scr.Buttons):
        return block.cards and block.even and bool(block.buttons)
    return isinstance(block, scr.Curve | scr.ChanceCurve)


def _grown(sheet: Sheet, block: scr.Block, place: Rect, spare: float) -> scr.Block:
    """Return a block that grows, higher by the room to spare."""
    if isinstance(block, scr.Curve | scr.ChanceCurve):
        return replace(block, high_pt=block.high_pt + spare)
    if isinstance(block, scr.Buttons):
        high, rows = even_height(sheet, block), -(-len(block.buttons) // columns_of(sheet, block, place.w))
        return replace(block, high_pt=min(high + spare / rows, max(high, MOST_CARD_PT)))
    return block
