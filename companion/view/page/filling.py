"""A page filled: where there is room to spare, a curve is drawn higher, and so are the cards of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.ui import screen as scr
from companion.view.blocks import blocks
from companion.view.blocks.buttons import columns_of, even_height
from companion.view.kit.sheet import Rect, Sheet

LEAST_PT = 8.0  # less room than that is left as it is
MOST_CARD_PT = 148.0  # a card is never higher


def fill_page(sheet: Sheet, page: Sequence[scr.Block], place: Rect) -> list[scr.Block]:
    """Return the blocks of a page with its first curve, or its cards, so much higher that they fill the place."""
    grows = next((n for n, block in enumerate(page) if _grows(block)), None)
    if grows is None:
        return list(page)
    spare = place.h - blocks.stack(sheet.scratch(), page, place)
    if spare < LEAST_PT:
        return list(page)
    return [_grown(sheet, block, place, spare) if n == grows else block for n, block in enumerate(page)]


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
