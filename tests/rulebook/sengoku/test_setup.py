"""Setup: the printed starting position, with what the table reports."""

from __future__ import annotations

import pytest

from engine.orders.board import load_board
from engine.orders.game import legal, new_game
from engine.orders.position import Position
from tests.tables import reserve, units

START = {
    "e1": "red 2 troop",
    "e3": "red 3 troop",
    "d3": "red 2 troop",
    "d5": "red 3 troop",
    "e4": "red 3 ship",
    "a1": "black 2 troop",
    "a3": "black 3 troop",
    "b3": "black 2 troop",
    "b5": "black 3 troop",
    "a4": "black 3 ship",
}
TOKENS = {"sun": "barracks", "moon": "war_room", "star": "shipyard"}


def start(initiative: str = "black") -> Position:
    return new_game("sengoku-rivers", initiative, TOKENS)


def test_units_stand_where_their_symbols_are_printed_and_nowhere_else() -> None:
    found = {area.name: units(start(), area.name) for area in start().board.areas}
    assert {area: text for area, text in found.items() if text} == START


@pytest.mark.parametrize("faction", ["red", "black"])
def test_the_rest_of_25_troops_and_10_ships_is_the_reserve(faction: str) -> None:
    assert (reserve(start(), faction, "troop"), reserve(start(), faction, "ship")) == (15, 7)


@pytest.mark.parametrize("faction", ["red", "black"])
def test_each_faction_has_five_commanders_no_cards_and_nobody_on_standby(faction: str) -> None:
    position = start()
    assert (position.left(faction), position.standing_by(faction), position.hand(faction)) == (5, 0, ())


@pytest.mark.parametrize("initiative", ["red", "black"])
def test_the_marker_gives_the_initiative_and_lies_on_round_1(initiative: str) -> None:
    position = start(initiative)
    assert (position.round, position.initiative_name, position.to_move_name) == (1, initiative, initiative)


def test_the_tokens_lie_where_the_table_reports_them() -> None:
    assert start().bonuses == ("barracks", "war_room", "shipyard")


def test_an_unreported_slot_stays_without_a_token() -> None:
    assert new_game("sengoku-rivers", "red", {"moon": "war_room"}).bonuses == ("", "war_room", "")


def test_rivers_has_five_tokens_and_no_armoury() -> None:
    tokens = {"barracks", "war_room", "pirate_haven", "shipyard", "hidden_base"}
    assert set(load_board("sengoku-rivers").mode.bonuses) == tokens


def test_the_deck_has_24_cards_three_of_each_of_eight() -> None:
    deck = load_board("sengoku-rivers").mode.deck
    assert (len(deck), set(deck.values())) == (8, {3})


def test_rivers_plays_without_siege_weapons_and_without_fortifications() -> None:
    board = load_board("sengoku-rivers")
    assert "siege" not in board.mode.unit_index
    assert not any(area.fort for area in board.areas)
    assert not any(space.action.name == "siege" for space in board.spaces)


def test_the_map_has_14_land_and_8_water_areas_and_13_points() -> None:
    board = load_board("sengoku-rivers")
    kinds = [area.kind for area in board.areas]
    assert (kinds.count("land"), kinds.count("water")) == (14, 8)
    assert sum(board.vps) == 13
    assert sum(area.vp for area in board.areas if area.kind == "water") == 5


def test_every_space_is_open_at_the_start_that_its_criteria_allow() -> None:
    now = legal(start("red"))
    assert now.may_pass
    assert set(now.spaces) == {
        *("advance:c4", "advance:c5", "advance:d1", "advance:d2"),
        *("sail:c6", "sail:d4"),
        *("bombard:e4", "shell:d3", "shell:d5"),
        *("reinforce:1", "reinforce:2", "embark:1", "embark:2", "plan:1", "plan:2"),
    }


# --- Fortress ---------------------------------------------------------------------------


def fortress(initiative: str = "red") -> Position:
    return new_game("sengoku-fortress", initiative, {"sun": "armoury", "flower": "war_room"})


@pytest.mark.parametrize("faction", ["red", "black"])
def test_fortress_is_played_with_six_commanders_and_five_siege_weapons(faction: str) -> None:
    position = fortress()
    mode = position.board.mode
    assert (position.left(faction), position.standing_by(faction)) == (6, 0)
    assert {kind.name: kind.reserve for kind in mode.units} == {"troop": 25, "ship": 10, "siege": 5}
    for kind in mode.units:
        start = [n for area in position.board.areas for *what, n in area.start if what == [faction, kind.name]]
        assert reserve(position, faction, kind.name) == kind.reserve - sum(start)


def test_fortress_has_four_slots_and_leaves_open_which_token_stays_in_the_box() -> None:
    board = load_board("sengoku-fortress")
    assert set(board.slots) == {"sun", "moon", "star", "flower"}
    assert set(board.mode.tokens) == set(load_board("sengoku-rivers").mode.tokens) | {"armoury"}
    assert fortress().bonuses[board.slots.index("flower")] == "war_room"


def test_what_nobody_published_of_fortress_is_marked_as_practice() -> None:
    board = load_board("sengoku-fortress")
    assert (board.known, board.mode.known) == ("practice", "practice")
    assert {card.known for card in board.mode.cards.values()} == {"practice"}
    assert sum(board.mode.deck.values()) == 24
    known = {space: support.known for space, support in board.mode.support.items()}
    assert {space for space, how in known.items() if how == "printed"} == {"reinforce:1", "reinforce:2"}
    assert {how for space, how in known.items() if not space.startswith("reinforce")} == {"practice"}
