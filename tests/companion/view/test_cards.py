"""Cards: buttons with a small map and a side's mark; pages that are filled, and columns where pages would be."""

from __future__ import annotations

from companion.scenes.base.map_picture import small_map, start_picture
from companion.ui.screen import Button, Buttons, ChanceCurve, Intent, Option, Options, Screen, Slip, Text
from companion.view.kit.sheet import Rect, Sheet
from companion.view.page.canvas import draw
from engine.orders.board import load_board

MAP = start_picture(load_board("sengoku-rivers"))
SMALL = small_map(MAP)


def drawn(*cards: Button, high: bool = True) -> Sheet:
    return draw(Screen("Cards", (Buttons(cards, 4, even=high, cards=high),)), (800, 480)).sheet


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
    assert draw(narrow, (800, 480)).sheet.shapes == draw(without, (800, 480)).sheet.shapes


def test_a_side_has_its_mark_at_the_right_of_its_card() -> None:
    sheet = drawn(card(side="red"))
    (place,) = places(sheet)
    (about,) = {about.rect.centre for about in sheet.abouts if about.key == "faction:red"}
    assert place.right - 40 < about[0] < place.right


def test_few_cards_are_higher_than_many() -> None:
    few, many = drawn(card(picture=SMALL)), drawn(*(card(picture=SMALL) for _n in range(40)))
    assert places(few)[0].h > places(many)[0].h >= 84


def test_a_curve_fills_its_page() -> None:
    curve = ChanceCurve("Chances", ("red", "black"), (0.5, 0.6, 0.4), ((0, "1"),), high_pt=100.0)
    alone, with_words = (
        next(about.rect for about in draw(Screen("", blocks), (800, 480)).sheet.abouts if about.key == "chances")
        for blocks in ((curve,), (curve, Text("Bo won with luck.")))
    )
    assert alone.h > 400
    assert 100 < with_words.h < alone.h


def test_a_tick_is_a_box_that_waits_for_one() -> None:
    plain, open_, done = (drawn(card(ticked=ticked), high=False) for ticked in (None, False, True))
    good = plain.look.good
    assert [good in "".join(sheet.shapes) for sheet in (plain, open_, done)] == [False, False, True]
    assert places(open_) == places(done) == places(plain)
    assert open_.labels[1].rect.x > plain.labels[1].rect.x, "its words stand beside the box"


def test_many_answers_stand_two_in_a_row_where_that_saves_a_page() -> None:
    answers = tuple(Option("Red reinforces with 2 troops in d3.", Intent("game", str(n))) for n in range(8))
    few, many = (
        draw(Screen("", (Text("?"), Options("", answers[:n], 16.0)), map=MAP), (800, 480)).sheet for n in (4, 8)
    )
    assert len({place.x for place in places(few)}) == 1
    assert len({place.x for place in places(many)}) > 1
    assert len(places(many)) == 8


def test_a_wide_place_has_columns_before_it_has_pages_and_a_list_of_slips_has_them_sooner() -> None:
    slips = tuple(Slip(f"Question {n}", "What the book says.", intent=Intent("game", str(n))) for n in range(8))
    bar, panel = (draw(Screen("", slips), size).sheet for size in ((1920, 480), (800, 480)))
    for sheet in (bar, panel):
        assert len(places(sheet)) == 8
        assert len({place.x for place in places(sheet)}) == 2
    mixed = draw(Screen("", (Text("Questions"), *slips)), (800, 480)).sheet
    assert len(places(mixed)) < 8
    assert len({place.x for place in places(mixed)}) == 1


def test_what_is_too_high_for_a_column_keeps_its_page() -> None:
    curve = ChanceCurve("Chances", ("red", "black"), (0.5, 0.6), ((0, "1"),), high_pt=600.0)
    sheet = draw(Screen("", (curve, curve)), (1920, 480)).sheet
    assert [target.intent.verb for target in sheet.targets] == ["page", "page"]
