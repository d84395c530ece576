"""Blocks divided over pages: nothing is lost or told twice, and what belongs together stays together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import pytest

from companion.ui.screen import Block, Button, Buttons, Columns, Grid, Intent, Log, Text
from companion.view.blocks import blocks
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.page.pages import COLUMNS_PT, LEAST_LINES, Pages, divide_blocks

LINES = tuple(Text(f"Line {n}") for n in range(12))
HEADING = Text("What follows", "title")


def sheet() -> Sheet:
    return Sheet(Lettering(1.0), 1.0, theme("dark"))


def height(*whole: Block) -> float:
    return blocks.stack(sheet(), whole, Rect(0, 0, 300, 1000))


def divided(whole: Sequence[Block], high: float, wide: float = 300) -> Pages:
    return divide_blocks(sheet(), whole, Rect(0, 0, wide, high))


def buttons(number: int, even: bool = False) -> Buttons:
    return Buttons(tuple(Button(f"Choice {n}", Intent("choose", str(n))) for n in range(number)), even=even)


def labels(pages: Pages) -> list[list[str]]:
    return [
        [button.label for block in page if isinstance(block, Buttons) for button in block.buttons] for page in pages
    ]


def test_what_has_just_room_is_one_page_and_a_point_less_makes_two() -> None:
    assert list(divided(LINES, height(*LINES))) == [list(LINES)]
    assert list(divided(LINES, height(*LINES) - 1)) == [list(LINES[:-1]), [LINES[-1]]]


def test_a_page_holds_as_much_as_has_room() -> None:
    assert [len(page) for page in divided(LINES, height(*LINES[:5]))] == [5, 5, 2]
    assert [piece for page in divided(LINES, height(*LINES[:5])) for piece in page] == list(LINES)


def test_headings_go_on_with_what_they_head_and_none_is_left_alone() -> None:
    whole = (*LINES[:3], Text("Strong", "strong"), HEADING, *LINES[3:])
    first, second, *_rest = divided(whole, height(*whole[:5]))
    assert first == list(LINES[:3])
    assert second[:3] == [Text("Strong", "strong"), HEADING, LINES[3]]
    assert [len(page) for page in divided((HEADING, HEADING), height(HEADING))] == [1, 1], "a page is never empty"


def test_a_log_takes_no_page_of_its_own_and_what_room_is_left() -> None:
    log = Log(("It began",))
    assert list(divided((*LINES, log), height(*LINES))) == [[*LINES, log]]
    assert all(any(not isinstance(block, Log) for block in page) for page in divided((*LINES, log), height(*LINES[:4])))


def test_buttons_are_divided_between_their_rows() -> None:
    rows = divided((*LINES[:2], buttons(9)), height(*LINES[:2]) + 110)
    assert len(rows) > 1
    assert [*chain(*labels(rows))] == [f"Choice {n}" for n in range(9)]
    assert rows[0][:2] == list(LINES[:2])


@pytest.mark.parametrize("number", [7, 60])
@pytest.mark.parametrize("before", [0, 3])
def test_even_rows_fill_each_page_to_the_end(number: int, before: int) -> None:
    pages = divided((*LINES[:before], buttons(number, even=True)), 260)
    held = labels(pages)
    assert [*chain(*held)] == [f"Choice {n}" for n in range(number)]
    assert len({len(some) for some in held[1:-1]}) <= 1
    assert all(len(some) <= len(held[1]) for some in held[1:])
    assert all(blocks.stack(sheet(), page, Rect(0, 0, 300, 260)) <= 260 for page in pages)
    if number > 20:
        assert len(held[0]) <= len(held[1]), "beside lines there is room for fewer"
        assert (len(held[0]) == len(held[1])) is (before == 0)


def test_a_long_text_goes_on_in_whole_lines() -> None:
    text = Text("\n".join(f"Line {n}" for n in range(30)))
    pages = divided([text], height(Text("\n".join("abcdefg"))))
    parts = [piece.text.split("\n") for page in pages for piece in page if isinstance(piece, Text)]
    assert [*chain(*parts)] == text.text.split("\n")
    assert [len(part) for part in parts[:-1]] == [len(parts[0])] * (len(parts) - 1)
    assert 7 >= len(parts[0]) >= LEAST_LINES
    low = divided([text], 10.0)
    assert all(len(piece.text.split("\n")) == LEAST_LINES for page in low for piece in page if isinstance(piece, Text))


def test_rows_of_a_grid_go_on_below_its_headings() -> None:
    grid = Grid(("Name", "Points"), tuple((f"Player {n}", str(n)) for n in range(20)))
    parts = [block for page in divided([grid], height(grid) / 3) for block in page if isinstance(block, Grid)]
    assert len(parts) > 2
    assert {part.headings for part in parts} == {grid.headings}
    assert [row for part in parts for row in part.rows] == list(grid.rows)


def test_a_broad_place_has_columns_before_it_has_pages() -> None:
    high = height(*LINES[:6])
    (page,) = divided(LINES, high, COLUMNS_PT)
    assert page == [Columns(LINES[:6], LINES[6:])]
    assert [len(page) for page in divided(LINES, high, COLUMNS_PT - 1)] == [6, 6]


def test_pages_are_told_by_number_and_by_slice() -> None:
    pages = Pages([[*LINES[:2]]], LINES[2:4])
    assert len(pages) == 3
    assert pages[0] == [*LINES[:2]]
    assert pages[1:] == [[LINES[2]], [LINES[3]]]
