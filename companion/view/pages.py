"""Blocks divided over pages: what is too high for its place goes on, the pieces that belong together kept together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from companion.scenes import screen as scr
from companion.view import blocks
from companion.view.buttons import fitting_columns, stepper_columns
from companion.view.sheet import Rect, Sheet, line_height, wrapped
from companion.view.theme import GAP_PT

T = TypeVar("T")

LEAST_LINES = 3  # of a divided paragraph


def divided(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> list[list[scr.Block]]:
    """The blocks of each page; one page where all have room. A log makes do with the room that is left."""
    if _used(sheet, whole, place) <= place.h:
        return [list(whole)]
    pages: list[list[scr.Block]] = [[]]
    used = 0.0
    for block in whole:
        for piece in _pieces(sheet, block, place):
            high = _least_height(sheet, piece, place) + GAP_PT
            if pages[-1] and used + high - GAP_PT > place.h:
                pages.append([])
                used = 0.0
            pages[-1].append(piece)
            used += high
    return [page for page in pages if any(not isinstance(one, scr.Log) for one in page)] or pages[:1]


def _used(sheet: Sheet, whole: Sequence[scr.Block], place: Rect) -> float:
    return sum(_least_height(sheet, block, place) + GAP_PT for block in whole) - GAP_PT


def _least_height(sheet: Sheet, piece: scr.Block, place: Rect) -> float:
    return 0.0 if isinstance(piece, scr.Log) else blocks.height(sheet, piece, place)


def _pieces(sheet: Sheet, block: scr.Block, place: Rect) -> Iterator[scr.Block]:
    """A block in the pieces that may stand on different pages."""
    match block:
        case scr.Buttons(buttons, columns):
            across = fitting_columns(sheet, buttons, (columns, place.w))
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
