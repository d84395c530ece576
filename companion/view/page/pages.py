"""Blocks divided over pages, and the pages filled.

What is too high for its place goes on, the pieces that belong together kept together. What has room to spare is drawn
larger, and a crest stands in what is left of a page of few words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar, overload

from companion.ui import screen as scr
from companion.ui.lazy import LazySequence
from companion.view.blocks import blocks
from companion.view.blocks.buttons import column_count, even_height, stepper_columns
from companion.view.blocks.deck_cards import card_columns
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.wrapping import line_height, wrap_text
from companion.view.page.ornament import draw_crest

T = TypeVar("T")
Piece = tuple[scr.Block, float]  # with its height

COLUMNS_PT = 900.0  # a place so wide, as on a bar of 1920x480, has columns before it has pages
LISTS_PT = 700.0  # the same for a list of slips, whose words are short
LEAST_LINES = 3  # of a divided paragraph
HEADINGS = ("title", "strong")


class Pages(Sequence[list[scr.Block]]):
    """The blocks of each page; those of very many rows are put together when they are asked for."""

    def __init__(self, first: list[list[scr.Block]], rest: Sequence[scr.Block] = ()) -> None:
        self._first = first
        self._rest = rest

    def __len__(self) -> int:
        return len(self._first) + len(self._rest)

    @overload
    def __getitem__(self, at: int) -> list[scr.Block]: ...

    @overload
    def __getitem__(self, at: slice) -> list[list[scr.Block]]: ...

    def __getitem__(self, at: int | slice) -> list[scr.Block] | list[list[scr.Block]]:
        if isinstance(at, slice):
            return [self[n] for n in range(*at.indices(len(self)))]
        return self._first[at] if at < len(self._first) else [self._rest[at - len(self._first)]]


def divide_blocks(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> Pages:
    """Divide the blocks into pages: one if all fit; a log makes do with the room that is left."""
    if _has_room(sheet, [block for block in whole if not isinstance(block, scr.Log)], place):
        return Pages([list(whole)])
    *others, last = whole
    if isinstance(last, scr.Buttons) and last.even:
        return _with_rows(sheet, _fill_pages(sheet, others, place), last, place)
    told = _pages_of(sheet, whole, place)
    if place.w >= (LISTS_PT if all(isinstance(block, scr.Slip) for block in whole) else COLUMNS_PT):
        half = place._replace(w=(place.w - blocks.COLUMNS_APART_PT) / 2)
        narrow = _pages_of(sheet, list(_without_columns(whole)) if sheet.dense else whole, half)
        if all(blocks.stack(sheet.scratch(), page, half) <= half.h for page in narrow):
            told = min(told, _side_by_side(narrow), key=len)
    return Pages([page for page in told if any(not isinstance(block, scr.Log) for block in page)] or told[:1])


def _pages_of(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> list[list[scr.Block]]:
    return [[piece for piece, _high in page] for page in _fill_pages(sheet, whole, place)]


def _without_columns(whole: Sequence[scr.Block]) -> Iterator[scr.Block]:
    """Yield the blocks, those of columns one after the other: they become columns anew."""
    for block in whole:
        yield from (*block.left, *block.right) if isinstance(block, scr.Columns) else (block,)


def _side_by_side(pages: list[list[scr.Block]]) -> list[list[scr.Block]]:
    """Return narrow pages by twos, each two as the columns of one page."""
    return [
        [scr.Columns(tuple(left), tuple(right[0]) if right else ())]
        for left, *right in (pages[n : n + 2] for n in range(0, len(pages), 2))
    ]


def _fill_pages(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> list[list[Piece]]:
    """Divide the blocks into pieces and return the pieces of each page."""
    pages: list[list[Piece]] = [[]]
    for piece in (piece for block in whole for piece in _pieces(sheet, block, place)):
        measured = piece, 0.0 if isinstance(piece, scr.Log) else blocks.height(sheet, piece, place)
        if pages[-1] and _stack(sheet, (*pages[-1], measured)) > place.h:
            pages.append(_headings_below(pages[-1]))
        pages[-1].append(measured)
    return pages


def _with_rows(sheet: Sheet, pages: list[list[Piece]], rows: scr.Buttons, place: Rect) -> Pages:
    """Divide rows of one height: as many as the last page has room for, then pages full of them."""
    across, step = column_count(sheet, rows, place.w), even_height(sheet, rows) + sheet.gap
    used = _stack(sheet, pages[-1]) + sheet.gap if pages[-1] else 0.0
    here = max(int((place.h - used + sheet.gap) // step), 0 if pages[-1] else 1) * across
    full = max(int((place.h + sheet.gap) // step), 1) * across
    first = [[piece for piece, _high in page] for page in pages]
    if here:
        first[-1].append(_run(rows, 0, here))
    starts = range(here, len(rows.buttons), full)
    return Pages(first, LazySequence(starts, lambda start: _run(rows, start, start + full)))


def _run(rows: scr.Buttons, start: int, end: int) -> scr.Block:
    return replace(rows, buttons=rows.buttons[start:end])


def _has_room(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> bool:
    """Return whether all blocks have room on one page; none is looked at after the first that has none."""
    y, scratch = place.y, sheet.scratch()
    for block in whole:
        left = place._replace(y=y, h=place.bottom - y)
        if isinstance(block, scr.Buttons) and block.even:
            rows = -(-len(block.buttons) // column_count(sheet, block, place.w))
            high = max(0.0, rows * (even_height(sheet, block) + sheet.gap) - sheet.gap)
        else:
            high = blocks.draw_block(scratch, block, left)
        y += high + sheet.gap
        if y - sheet.gap - place.y > place.h:
            return False
    return True


def _headings_below(page: list[Piece]) -> list[Piece]:
    """Take the headings from the end of a page, for the page with what they are about; never all that is on it."""
    taken: list[Piece] = []
    while len(page) > 1 and isinstance(page[-1][0], scr.Text) and page[-1][0].tone in HEADINGS:
        taken.insert(0, page.pop())
    return taken


def _stack(sheet: Sheet, page: Sequence[Piece]) -> float:
    """Return the height of pieces stacked under one another; a log at the end needs no gap."""
    heights = [high for block, high in page if not isinstance(block, scr.Log)]
    return sum(heights) + sheet.gap * max(len(heights) - 1, 0)


def _pieces(sheet: Sheet, block: scr.Block, place: Rect) -> Iterator[scr.Block]:
    """Yield the pieces of a block that may go onto different pages."""
    match block:
        case scr.Buttons(buttons):
            across = column_count(sheet, block, place.w)
            yield from (scr.Buttons(part, across) for part in _runs(buttons, across))
        case scr.Steppers(steppers):
            across = stepper_columns(sheet, place.w)
            yield from (scr.Steppers(part) for part in _runs(steppers, across))
        case scr.DeckCards(cards, large):
            yield from (scr.DeckCards(part, large) for part in _runs(cards, card_columns(place.w, large)))
        case scr.Columns(left, right) if blocks.is_narrow(place) or blocks.height(sheet, block, place) > place.h:
            for inner in (*left, *right):
                yield from _pieces(sheet, inner, place)
        case scr.Grid(headings, rows) if (high := blocks.height(sheet, block, place)) > place.h:
            most = max(1, int(place.h // (high / (len(rows) + 1))) - 1)
            yield from (scr.Grid(headings, part) for part in _runs(rows, most))
        case scr.Text(tone=tone) if blocks.height(sheet, block, place) > place.h:
            yield from (scr.Text(part, tone) for part in _paragraphs(sheet, block, place))
        case _:
            yield block


def _runs(things: Sequence[T], across: int) -> Iterator[tuple[T, ...]]:
    """Divide the things into rows of `across`."""
    return (tuple(things[i : i + across]) for i in range(0, len(things), across))


def _paragraphs(sheet: Sheet, block: scr.Text, place: Rect) -> Iterator[str]:
    """Divide a long text into parts that fill a page each."""
    _colour, size, bold = sheet.look.tones[block.tone]
    lines = wrap_text(sheet.measure, block.text, (size, bold), place.w)
    most = max(LEAST_LINES, int(place.h // line_height(size)))
    return ("\n".join(lines[i : i + most]) for i in range(0, len(lines), most))


# ---- pages filled --------------------------------------------------------------------------------

LEAST_PT = 8.0  # less room than that is left as it is
MOST_CARD_PT = 148.0  # a card is never higher
SPARSE = 0.66  # a page that fills less than this part of its place is set larger
LARGER = (2.0, 1.7, 1.4, 1.25, 1.12)  # how much, the largest first
LARGER_TOUCHED = LARGER[2:]  # of a page with something to touch
MOST_TOUCH = 1.25  # things to touch grow with the words, but no more than this
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


def letter_scale(sheet: Sheet, page: Sequence[scr.Block], place: Rect) -> float:
    """Return the factor that a sparse page's words are enlarged by, to fill more of its place; 1.0 for any other."""
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
    """Draw the blocks of a page so that they fill their place: a block that can grow does, or a crest fills the gap.

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
        high, rows = even_height(sheet, block), -(-len(block.buttons) // column_count(sheet, block, place.w))
        return replace(block, high_pt=min(high + spare / rows, max(high, MOST_CARD_PT)))
    return block
