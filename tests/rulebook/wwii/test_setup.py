"""World War II, Setup, Game Modes and Components: what each mode is played with."""

from __future__ import annotations

import pytest

from engine.errors import BadPosition
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.mode import Mode, load_mode
from tests.tables import reserve, units

MODES = ("wwii-alpine", "wwii-island")
LAND = {"advance", "barrage", "reinforce", "plan"}
SHARED = {"ground_assault": 3, "counter_attack": 3, "blitz": 3, "ambush": 3, "mobilize": 3, "artillery_strike": 3}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    return load_mode(request.param)


def test_blue_and_yellow_have_nine_commanders_four_of_them_on_standby(mode: Mode) -> None:
    assert (mode.factions, mode.commanders, mode.standby, mode.rounds) == (("blue", "yellow"), 9, 4, 4)


def test_the_dice_are_those_of_the_box(mode: Mode) -> None:
    assert sorted(mode.die) == [0, 1, 1, 1, 1, 2]


def test_the_actions_of_a_mode() -> None:
    assert set(load_mode("wwii-alpine").actions) == LAND | {"paradrop"}
    assert set(load_mode("wwii-island").actions) == LAND | {"fly", "bomb", "take_off"}


def test_a_faction_has_25_troops_and_in_island_10_aircraft() -> None:
    units = {name: {unit.name: unit.reserve for unit in load_mode(name).units} for name in MODES}
    assert units == {"wwii-alpine": {"troop": 25}, "wwii-island": {"troop": 25, "aircraft": 10}}


def test_the_deck_of_a_mode_has_24_cards() -> None:
    assert load_mode("wwii-alpine").deck == SHARED | {"airborne_assault": 3, "anti_air": 3}
    assert load_mode("wwii-island").deck == SHARED | {"airstrike": 2, "intercept": 2, "wingman": 2}


def test_six_tokens_are_mixed_and_in_island_not_the_air_control_post() -> None:
    tokens = {"depot", "forward_base", "observer_post", "recon_post", "signal_unit"}
    assert set(load_mode("wwii-alpine").tokens) == tokens | {"air_control_post"}
    assert set(load_mode("wwii-island").tokens) == tokens


@pytest.mark.parametrize("board", MODES)
def test_a_bonus_that_is_printed_on_the_map_is_no_token(board: str) -> None:
    with pytest.raises(BadPosition, match="town_centre"):
        new_game(board, "blue", {"1": "town_centre"})


@pytest.mark.parametrize("board", MODES)
@pytest.mark.parametrize("faction", ["blue", "yellow"])
def test_five_commanders_stand_in_the_reserve_and_four_on_standby(board: str, faction: str) -> None:
    position = new_game(board, faction, {})
    assert (position.left(faction), position.standing_by(faction), position.hand(faction)) == (5, 4, ())
    assert (position.round, position.initiative_name, position.to_move_name) == (1, faction, faction)
    assert position.passed == (False, False)


@pytest.mark.parametrize("board", MODES)
def test_units_stand_where_their_symbols_are_and_the_rest_is_the_reserve(board: str) -> None:
    position = new_game(board, "blue", {})
    for area in position.board.areas:
        printed = [f"{faction} {n} {unit}" for faction, unit, n in area.start]
        assert units(position, area.name) == ", ".join(printed)
    for kind in position.board.mode.units:
        for faction in position.board.factions:
            start = [n for area in position.board.areas for *what, n in area.start if what == [faction, kind.name]]
            assert reserve(position, faction, kind.name) == kind.reserve - sum(start)


@pytest.mark.parametrize("board", MODES)
def test_tokens_lie_where_the_table_reports_them(board: str) -> None:
    slots = load_board(board).slots
    position = new_game(board, "yellow", dict(zip(slots, ("depot", "recon_post"), strict=False)))
    assert position.bonuses == ("depot", "recon_post", *[""] * (len(slots) - 2))
