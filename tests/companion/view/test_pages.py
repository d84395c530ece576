"""Blocks divided over pages, and pages filled: nothing is lost or told twice, and what belongs together stays together.

Few words are set larger, a crest stands in the void, a bar has columns; cards have a small map and a side's mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest

from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.generals.decks import deck_picture
from companion.scenes.home.saved import small_picture
from companion.scenes.sonae.field import battle_picture, field_picture
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    ChanceCurve,
    Columns,
    Grid,
    Intent,
    Key,
    Keys,
    Log,
    Option,
    Options,
    Screen,
    Slip,
    Stepper,
    Steppers,
    Text,
    TextLine,
    back_button,
)
from companion.ui.small_map import SmallDeck, SmallField, SmallMap
from companion.view.blocks import blocks
from companion.view.kit.glass import Glass
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.page.canvas import lay_out
from companion.view.page.ornament import FAN
from companion.view.page.pages import COLUMNS_PT, LEAST_LINES, Pages, divide_blocks
from engine.generals.cards import deck_names, load_deck
from engine.orders.board import load_board
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario, scenario_names

MAP = start_picture(load_board("sengoku-rivers"))
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


# ---- pages that are filled -----------------------------------------------------------------------

FEW = Screen("Saved games", (Text("No games yet."),), (back_button(),))
BAR = (1920, 480)


def sheet_of(screen: Screen, size: tuple[int, int] = (800, 480), era: str = "") -> Sheet:
    return lay_out(screen, size, Glass(era=era)).sheet


def crests(sheet: Sheet) -> int:
    return "".join(sheet.shapes).count(f'd="{FAN}"')


def size_of(sheet: Sheet, text: str) -> float:
    return next(label.size for label in sheet.labels if label.text == text)


def test_few_words_are_set_larger_and_many_are_not() -> None:
    many = replace(FEW, blocks=(Text("No games yet."), Text("word " * 300)))
    few, full = sheet_of(FEW), sheet_of(many)
    assert size_of(few, "No games yet.") > 1.2 * size_of(full, "No games yet.")
    assert size_of(few, "Saved games") > size_of(full, "Saved games")
    assert size_of(few, "Back") == size_of(full, "Back"), "what leaves stays as it is"
    assert crests(few) > 0
    assert crests(full) == 0


def test_a_larger_title_keeps_its_line() -> None:
    long = replace(FEW, title="Everything that has been saved on this machine until today")
    assert next(label.text for label in sheet_of(long).labels if label.size > 20) == long.title


def test_a_form_keeps_the_size_of_its_words() -> None:
    form = Steppers((Stepper("troops", 1, 3, "count", "troop"),))
    assert size_of(sheet_of(replace(FEW, blocks=(form, Text("Points")))), "Points") == 16


@pytest.mark.parametrize("block", [TextLine("a"), Log(("Ana passed.",))], ids=["typing", "log"])
def test_what_fills_a_page_by_itself_leaves_no_room_for_a_crest(block: TextLine | Log) -> None:
    assert crests(sheet_of(replace(FEW, blocks=(block,)))) == 0
    assert crests(sheet_of(replace(FEW, blocks=(Columns((block,), ()),)))) == 0


def test_a_bar_has_more_columns_and_puts_the_actions_beside_what_is_high() -> None:
    rows = {target.rect.y for target in sheet_of(Screen("Game", (replace(buttons(8), columns=2),)), BAR).targets}
    assert len(rows) == 2
    keys = Keys(*(tuple((Key("a", Intent("type", "a")),) * 10 for _row in range(4)) for _form in range(2)))
    typing = sheet_of(Screen("", (TextLine("a"), keys), (back_button(),)), BAR)
    assert sum(target.intent.verb == "type" for target in typing.targets) == 40
    assert not any(target.intent.verb == "page" for target in typing.targets)


def test_a_map_on_a_portrait_screen_leaves_the_words_their_page() -> None:
    page = Screen("Game", (replace(buttons(8), columns=2),), (back_button(),), map=MAP)
    assert sum(target.intent.verb == "choose" for target in sheet_of(page, (720, 1280)).targets) == 8


def test_every_table_has_a_small_picture() -> None:
    battle = load_scenario(scenario_names()[0])
    field = small_picture(field_picture(new_game(battle)))
    assert isinstance(small_picture(MAP), SmallMap)
    assert isinstance(field, SmallField)
    assert len(field.bases) == len(battle.units)
    assert small_picture(None) is None
    deck = deck_picture(load_deck(deck_names()[0]))
    assert deck.signs[-1] == "general"
    for picture in (deck, field, battle_picture(battle)):
        assert isinstance(picture, SmallDeck | SmallField)
        plain, pictured = (
            sheet_of(Screen("", (Slip("Ana", intent=Intent("it"), picture=small),))) for small in (None, picture)
        )
        assert len("".join(pictured.shapes)) > len("".join(plain.shapes))
        assert [label.text for label in pictured.labels] == [label.text for label in plain.labels]
        assert not pictured.abouts


# ---- cards ---------------------------------------------------------------------------------------

SMALL = small_map(MAP)


def drawn(*cards: Button, high: bool = True) -> Sheet:
    return lay_out(Screen("Cards", (Buttons(cards, 4, even=high, cards=high),)), (800, 480)).sheet


def card(**told: object) -> Button:
    return Button("Ana vs Takeshi", Intent("game", "a"), **told)  # type: ignore[arg-type]


def places(sheet: Sheet) -> list[Rect]:
    return [target.rect for target in sheet.targets if target.intent.verb == "game"]


def test_a_card_has_a_small_map_with_nothing_to_touch_or_read_on_it() -> None:
    plain, pictured = drawn(card()), drawn(card(picture=SMALL))
    assert len("".join(pictured.shapes)) > 2 * len("".join(plain.shapes))
    assert places(pictured) == places(plain)
    assert [label.text for label in pictured.labels] == [label.text for label in plain.labels]
    assert not pictured.stills
    assert pictured.labels[1].rect.x > plain.labels[1].rect.x, "the words stand beside the map"


def test_a_narrow_button_is_drawn_as_it_was() -> None:
    many = [Button("Ana", Intent("game", str(n)), picture=SMALL, side="red") for n in range(6)]
    narrow = Screen("", (Buttons(tuple(many), 6),))
    without = Screen("", (Buttons(tuple(Button(button.label, button.intent) for button in many), 6),))
    assert lay_out(narrow, (800, 480)).sheet.shapes == lay_out(without, (800, 480)).sheet.shapes


def test_few_cards_are_higher_than_many() -> None:
    few, many = drawn(card(picture=SMALL)), drawn(*(card(picture=SMALL) for _n in range(40)))
    assert places(few)[0].h > places(many)[0].h >= 84


def test_a_curve_fills_its_page() -> None:
    curve = ChanceCurve("Chances", ("red", "black"), (0.5, 0.6, 0.4), ((0, "1"),), high_pt=100.0)
    alone, with_words = (
        next(about.rect for about in lay_out(Screen("", blocks), (800, 480)).sheet.abouts if about.key == "chances")
        for blocks in ((curve,), (curve, Text("Bo won with luck.")))
    )
    assert alone.h > 400
    assert 100 < with_words.h < alone.h


def test_many_answers_stand_two_in_a_row_where_that_saves_a_page() -> None:
    answers = tuple(Option("Red reinforces with 2 troops in d3.", Intent("game", str(n))) for n in range(8))
    few, many = (
        lay_out(Screen("", (Text("?"), Options("", answers[:n], 16.0)), map=MAP), (800, 480)).sheet for n in (4, 8)
    )
    assert len({place.x for place in places(few)}) == 1
    assert len({place.x for place in places(many)}) > 1
    assert len(places(many)) == 8


def test_a_wide_place_has_columns_before_it_has_pages_and_a_list_of_slips_has_them_sooner() -> None:
    slips = tuple(Slip(f"Question {n}", "What the book says.", intent=Intent("game", str(n))) for n in range(8))
    bar, panel = (lay_out(Screen("", slips), size).sheet for size in ((1920, 480), (800, 480)))
    for sheet in (bar, panel):
        assert len(places(sheet)) == 8
        assert len({place.x for place in places(sheet)}) == 2
    mixed = lay_out(Screen("", (Text("Questions"), *slips)), (800, 480)).sheet
    assert len(places(mixed)) < 8
    assert len({place.x for place in places(mixed)}) == 1


def test_what_is_too_high_for_a_column_keeps_its_page() -> None:
    curve = ChanceCurve("Chances", ("red", "black"), (0.5, 0.6), ((0, "1"),), high_pt=600.0)
    sheet = lay_out(Screen("", (curve, curve)), (1920, 480)).sheet
    assert [target.intent.verb for target in sheet.targets] == ["page", "page"]
