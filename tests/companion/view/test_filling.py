"""Pages that are filled: few words are set larger, a crest stands in the void, and a bar has columns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.small_pictures import deck_picture, small_picture
from companion.scenes.sonae.field import battle_picture, field_picture
from companion.ui.screen import (
    Button,
    Buttons,
    Columns,
    Intent,
    Key,
    Keys,
    Log,
    Screen,
    Slip,
    Stepper,
    Steppers,
    Text,
    TextLine,
    back_button,
)
from companion.ui.small_map import SmallDeck, SmallField, SmallMap
from companion.view.kit.glass import Glass
from companion.view.kit.sheet import Sheet
from companion.view.page.canvas import draw
from companion.view.page.crest import FAN
from engine.generals.cards import deck_names, load_deck
from engine.orders.board import load_board
from engine.sonae.game import new_game
from engine.sonae.scenario import load_scenario, scenario_names

FEW = Screen("Saved games", (Text("No games yet."),), (back_button(),))
BAR = (1920, 480)


def sheet_of(screen: Screen, size: tuple[int, int] = (800, 480), era: str = "") -> Sheet:
    return draw(screen, size, Glass(era=era)).sheet


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


@pytest.mark.parametrize("block", [Steppers((Stepper("troops", 1, 3, "count", "troop"),))], ids=["steppers"])
def test_a_form_keeps_the_size_of_its_words(block: Steppers) -> None:
    assert size_of(sheet_of(replace(FEW, blocks=(block, Text("Points")))), "Points") == 16


@pytest.mark.parametrize("block", [TextLine("a"), Log(("Ana passed.",))], ids=["typing", "log"])
def test_what_fills_a_page_by_itself_leaves_no_room_for_a_crest(block: TextLine | Log) -> None:
    assert crests(sheet_of(replace(FEW, blocks=(block,)))) == 0
    assert crests(sheet_of(replace(FEW, blocks=(Columns((block,), ()),)))) == 0


def test_each_era_has_a_crest_of_its_own() -> None:
    sengoku, wwii = sheet_of(FEW), sheet_of(FEW, era="wwii")
    assert crests(sengoku) > 0
    assert crests(wwii) == 0
    assert len(wwii.groups) == len(sengoku.groups), "a compass rose and contours in the place of fan and clouds"


def test_a_bar_has_more_columns_and_puts_the_actions_beside_what_is_high() -> None:
    buttons = tuple(Button(f"Way {n}", Intent("way", str(n))) for n in range(8))
    rows = {target.rect.y for target in sheet_of(Screen("Game", (Buttons(buttons, 2),)), BAR).targets}
    assert len(rows) == 2
    keys = Keys(*(tuple((Key("a", Intent("type", "a")),) * 10 for _row in range(4)) for _form in range(2)))
    typing = sheet_of(Screen("", (TextLine("a"), keys), (back_button(),)), BAR)
    assert sum(target.intent.verb == "type" for target in typing.targets) == 40
    assert not any(target.intent.verb == "page" for target in typing.targets)


def test_a_map_on_a_portrait_screen_leaves_the_words_their_page() -> None:
    picture = start_picture(load_board("sengoku-rivers"))
    buttons = tuple(Button(f"Way {n}", Intent("way", str(n))) for n in range(8))
    sheet = sheet_of(Screen("Game", (Buttons(buttons, 2),), (back_button(),), map=picture), (720, 1280))
    assert sum(target.intent.verb == "way" for target in sheet.targets) == 8


def test_every_table_has_a_small_picture() -> None:
    battle = load_scenario(scenario_names()[0])
    field = small_picture(field_picture(new_game(battle)))
    assert isinstance(small_picture(start_picture(load_board("sengoku-rivers"))), SmallMap)
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
