"""Between the rules and the eye: a board's plan, a reading against the game, a reading as a position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

from companion.core.errors import AdapterError
from companion.perception.adapters import (
    SURE,
    Difference,
    Units,
    compare,
    plan_of,
    position_from_reading,
    sure_of,
    unsure,
    with_game,
)
from engine.orders.board import load_board
from engine.orders.game import apply, new_game
from engine.orders.position import Position
from engine.orders.steps import Deploy
from engine.orders.wire import position_from_json, position_to_json
from tests.companion.sample_games import BOARD, BONUSES, played
from vision.reading.count import CountBelief
from vision.reading.read import Reading


@dataclass(frozen=True)
class Seen:
    units: Units
    commanders: Mapping[str, str] = field(default_factory=dict)
    confidence: Mapping[str, float] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()
    support: tuple[str, ...] = ()


def start() -> Position:
    return new_game(BOARD, "red", BONUSES)


def all_of(position: Position) -> Seen:
    """Return what an eye that sees everything makes of a position."""
    names = [area.name for area in position.board.areas]
    commanders = {
        space.name: position.commanders_on(space.name)[0]
        for space in position.board.spaces
        if space.area and position.commanders_on(space.name)
    }
    return Seen({name: position.units_in(name) for name in names}, commanders, dict.fromkeys(names, 0.99))


def states(differences: tuple[Difference, ...]) -> dict[str, str]:
    return {difference.area: difference.state for difference in differences if difference.state != "agrees"}


# ---- plans --------------------------------------------------------------------------------------


def test_the_plan_holds_what_a_camera_can_see() -> None:
    board = load_board(BOARD)
    plan = plan_of(board)
    assert plan.board == BOARD
    assert plan.size_mm == board.size_mm
    assert [area.name for area in plan.areas] == [area.name for area in board.areas]
    assert plan.area("c4").polygon_mm == board.area("c4").polygon_mm
    assert {space.name for space in plan.spaces} == {space.name for space in board.spaces if space.area}
    assert "reinforce:1" not in {space.name for space in plan.spaces}
    assert plan.factions == ("red", "black")


def test_the_plan_says_which_units_stand_on_land_and_water() -> None:
    plan = plan_of(load_board(BOARD))
    assert plan.unit_kinds(plan.area("c4")) == ("troop",)
    assert plan.unit_kinds(plan.area("c6")) == ("ship",)


def test_the_plan_holds_the_printed_start() -> None:
    position, plan = start(), plan_of(load_board(BOARD))
    counted = {(area, faction, unit): n for area, faction, unit, n in plan.start}
    assert counted[("e4", "red", "ship")] == 3
    for (area, faction, unit), n in counted.items():
        assert position.units_in(area) == {faction: {unit: n}}


# ---- comparing ----------------------------------------------------------------------------------


def test_what_the_eye_sees_whole_agrees_everywhere_all_game_long() -> None:
    for position in played()[1][::10]:
        differences = compare(position, all_of(position))
        assert states(differences) == {}
        assert len([difference for difference in differences if ":" not in difference.area]) == 22


def test_a_missing_piece_differs() -> None:
    position = start()
    seen = all_of(position)
    found = compare(position, replace(seen, units={**seen.units, "a3": {"black": {"troop": 2}}}))
    assert states(found) == {"a3": "differs"}
    difference = next(difference for difference in found if difference.area == "a3")
    assert difference == Difference("a3", "differs", {"black": {"troop": 3}}, {"black": {"troop": 2}}, 0.99)


def test_counts_of_zero_say_nothing() -> None:
    position = start()
    seen = all_of(position)
    zeros = {"c4": {"red": {"troop": 0}}, "a3": {"black": {"troop": 3, "siege": 0}, "red": {}}}
    assert states(compare(position, replace(seen, units={**seen.units, **zeros}))) == {}


@pytest.mark.parametrize(("confidence", "state"), [(SURE - 0.001, "hidden"), (SURE, "differs"), (1.0, "differs")])
def test_below_certainty_nothing_differs(confidence: float, state: str) -> None:
    position = start()
    seen = all_of(position)
    wrong = replace(seen, units={**seen.units, "a3": {}}, confidence={**seen.confidence, "a3": confidence})
    assert states(compare(position, wrong)) == {"a3": state}


def test_a_covered_area_is_hidden_however_sure_the_eye_is() -> None:
    position = start()
    seen = replace(all_of(position), unreadable=("b3", "c1"))
    assert states(compare(position, seen)) == {"b3": "hidden", "c1": "hidden"}


def test_an_area_the_eye_says_nothing_of_is_hidden() -> None:
    position = start()
    seen = all_of(position)
    rest = {area: sure for area, sure in seen.confidence.items() if area != "d1"}
    assert states(compare(position, replace(seen, confidence=rest))) == {"d1": "hidden"}


def deployed() -> Position:
    return apply(start(), Deploy("advance:c4", moves=(("d5", "troop", 2),)))


def test_commanders_are_compared_on_the_spaces_of_the_map() -> None:
    position = deployed()
    seen = all_of(position)
    assert seen.commanders == {"advance:c4": "red"}
    agreed = {difference.area: difference for difference in compare(position, seen)}["advance:c4"]
    assert (agreed.state, agreed.expected_force) == ("agrees", {"red": {"commander": 1}})
    assert states(compare(position, replace(seen, commanders={}))) == {"advance:c4": "differs"}
    other = replace(seen, commanders={"advance:c4": "black", "sail:c6": "red"})
    assert states(compare(position, other)) == {"advance:c4": "differs", "sail:c6": "differs"}


def test_a_commander_in_a_covered_area_is_hidden() -> None:
    position = deployed()
    seen = replace(all_of(position), commanders={}, unreadable=("c4",))
    assert states(compare(position, seen)) == {"c4": "hidden", "advance:c4": "hidden"}


def test_two_commanders_on_one_space_are_seen_as_one_of_them() -> None:
    data = position_to_json(deployed())
    data["commanders"] = {"advance:c4": ["red", "black"]}
    data["commanders_left"] = {"red": 4, "black": 4}
    position = position_from_json(data)
    for faction in ("red", "black"):
        assert states(compare(position, replace(all_of(position), commanders={"advance:c4": faction}))) == {}
    assert states(compare(position, replace(all_of(position), commanders={}))) == {"advance:c4": "differs"}


def test_the_unsure_areas_come_least_sure_first() -> None:
    position = start()
    seen = all_of(position)
    seen = replace(seen, confidence={**seen.confidence, "c4": 0.7, "a3": 0.2}, unreadable=("b3",))
    assert not sure_of(seen, "c4")
    assert list(unsure(position.board, seen)) == ["a3", "c4", "b3"]


# ---- weighed with what the game says, as `gunbai read --game` does ------------------------------


def doubtful(position: Position, area: str, least: float) -> Reading:
    """Return a reading of the position that is unsure of one area: one troop fewer is likelier by a little."""
    faction, kinds = next(iter(position.units_in(area).items()))
    unit, n = next(iter(kinds.items()))
    fewer, same = ((faction, unit, n - 1),), ((faction, unit, n),)
    counts = {name.name: CountBelief((((), 1.0),)) for name in position.board.areas}
    counts[area] = CountBelief(((fewer, 1 - least), (same, least)))
    sure = {name: count.confidence for name, count in counts.items()}
    return Reading({area: {faction: {unit: n - 1}}}, {}, sure, (), 1.0, counts)


def test_doubt_is_settled_by_the_game() -> None:
    told = with_game(doubtful(start(), "b3", 0.4), start())
    assert told.units["b3"] == start().units_in("b3")
    assert told.confidence["b3"] > 0.8


def test_clear_sight_stands_against_the_game() -> None:
    told = with_game(doubtful(start(), "b3", 0.001), start())
    assert told.units["b3"] != start().units_in("b3")


def test_a_reading_of_another_board_is_refused() -> None:
    with pytest.raises(AdapterError, match="not the table's board"):
        with_game(Reading({}, {}, {"z9": 1.0}, (), 1.0), start())


# ---- positions ----------------------------------------------------------------------------------


def test_a_reading_becomes_a_position_of_the_last_round() -> None:
    game = played()[1][-1]
    position = position_from_reading(game.board, all_of(game))
    assert position.round == 4
    assert position.units == game.units


def test_a_reading_takes_everything_but_the_units_from_its_game() -> None:
    game, seen = played()[1][-1], all_of(start())
    position = position_from_reading(game.board, seen, game)
    assert position.units == start().units
    assert (position.round, position.initiative, position.hands) == (game.round, game.initiative, game.hands)
    assert (position.winner, position.turn) == (None, None)


def test_a_reading_in_the_middle_of_a_turn_ends_it() -> None:
    game = next(position for position in played()[1] if position.turn is not None)
    assert position_from_reading(game.board, all_of(game), game).turn is None


def test_what_can_be_no_position_is_refused() -> None:
    seen = Seen({"c6": {"red": {"ship": 30}}})
    with pytest.raises(
        AdapterError, match=r"what the eye saw can't be a position of the game: .*red has only 10 ships"
    ):
        position_from_reading(load_board(BOARD), seen)


def test_a_game_of_another_board_is_refused() -> None:
    game = start()
    elsewhere = replace(game, board=replace(game.board, name="sengoku-fortress"))
    with pytest.raises(
        AdapterError, match="the game is played on sengoku-fortress, but the table is set up for sengoku-rivers"
    ):
        position_from_reading(load_board(BOARD), all_of(game), elsewhere)
