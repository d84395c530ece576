"""Blocks divided over pages: what is too high for its place goes on, the pieces that belong together kept together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from companion.scenes import screen as scr
from companion.view import blocks
from companion.view.buttons import columns_of, stepper_columns
from companion.view.sheet import Rect, Sheet, line_height, wrapped

T = TypeVar("T")
Piece = tuple[scr.Block, float]  # with its height

LEAST_LINES = 3  # of a divided paragraph
HEADINGS = ("title", "strong")


def divided(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> list[list[scr.Block]]:
    """The blocks of each page; one page where all have room. A log makes do with the room that is left."""
    if blocks.stack(sheet.scratch(), [one for one in whole if not isinstance(one, scr.Log)], place) <= place.h:
        return [list(whole)]
    pages: list[list[Piece]] = [[]]
    for piece in (piece for block in whole for piece in _pieces(sheet, block, place)):
        measured = piece, _least_height(sheet, piece, place)
        if pages[-1] and _stacked(sheet, (*pages[-1], measured)) > place.h:
            pages.append(_headings_below(pages[-1]))
        pages[-1].append(measured)
    told = [[piece for piece, _high in page] for page in pages]
    return [page for page in told if any(not isinstance(one, scr.Log) for one in page)] or told[:1]


def _headings_below(page: list[Piece]) -> list[Piece]:
    """Take the headings from the end of a page, for the page with what they are about; never all that is on it."""
    taken: list[Piece] = []
    while len(page) > 1 and isinstance(page[-1][0], scr.Text) and page[-1][0].tone in HEADINGS:
        taken.insert(0, page.pop())
    return taken


def _stacked(sheet: Sheet, page: Sequence[Piece]) -> float:
    """The height of what stands one under the other; a log at the end needs no gap."""
    heights = [high for block, high in page if not isinstance(block, scr.Log)]
    return sum(heights) + sheet.gap * max(len(heights) - 1, 0)


def _least_height(sheet: Sheet, piece: scr.Block, place: Rect) -> float:
    return 0.0 if isinstance(piece, scr.Log) else blocks.height(sheet, piece, place)


def _pieces(sheet: Sheet, block: scr.Block, place: Rect) -> Iterator[scr.Block]:
    """A block in the pieces that may stand on different pages."""
    match block:
        case scr.Buttons(buttons):
            across = columns_of(sheet, block, place.w)
            yield from (scr.Buttons(part, across) for part in _runs(buttons, across))
        case scr.Steppers(steppers):
            across = stepper_columns(sheet, place.w)
            yield from (scr.Steppers(part) for part in _runs(steppers, across))
        case scr.Columns(left, right) if blocks.is_narrow(place):
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
    """The things in rows."""
    return (tuple(things[i : i + across]) for i in range(0, len(things), across))


def _paragraphs(sheet: Sheet, block: scr.Text, place: Rect) -> Iterator[str]:
    """A long text in parts that fill a page each."""
    _colour, size, bold = sheet.look.tones[block.tone]
    lines = wrapped(sheet.measure, block.text, (size, bold), place.w)
    most = max(LEAST_LINES, int(place.h // line_height(size)))
    return ("\n".join(lines[i : i + most]) for i in range(0, len(lines), most))
