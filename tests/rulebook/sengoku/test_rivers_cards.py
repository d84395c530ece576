"""Operation Cards: the eight of the Rivers deck, named with the deployment and played in their windows."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import judge
from engine.orders.position import Position
from engine.orders.steps import Accept, Play, Reroll
from tests.boards.practice import castle
from tests.tables import (
    ATTACK,
    after,
    assault,
    cards_owed,
    deploy,
    due_in,
    loads,
    refused,
    reserve,
    rivers,
    rolled,
    stand,
    units,
)

# --- their moments ----------------------------------------------------------------------

SHOT = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "shore_strike ship_strike", "black": "ambush"})
AT_SEA = rivers("e3:3 e4:3 d3:5", "a3:3 d4:1 c3:2", hands={"red": "shore_strike ship_strike", "black": "ambush"})


@pytest.mark.parametrize(
    ("position", "play", "words"),
    [
        (after(SHOT, deploy("bombard:d4", "c4")), Play("ambush", "black"), "opponent's Advance"),
        (after(AT_SEA, deploy("sail:d4", "e4:2")), Play("ambush", "black"), "opponent's Advance"),
        (after(AT_SEA, deploy("advance:d2", "d3:2")), Play("ambush", "black"), "opponent's Advance"),
        (after(SHOT, deploy("bombard:d4", "c4"), rolled("red", 1, 1)), Play("shore_strike", "red"), "before you roll"),
        (after(AT_SEA, deploy("shell:d3", "c3")), Play("shore_strike", "red"), "When you Bombard"),
        (after(AT_SEA, deploy("shell:d3", "c3")), Play("ship_strike", "red", target="c3"), "After you Shell."),
        (
            after(SHOT, deploy("bombard:d4", "c4"), rolled("red", 1, 1)),
            Play("ship_strike", "red", target="c4"),
            "After you Shell.",
        ),
    ],
    ids=["shot", "sea", "empty", "rolled", "shell", "not rolled", "bombard"],
)
def test_a_card_is_for_its_own_moment_and_action(position: Position, play: Play, words: str) -> None:
    refused(position, play, "card.moment", words)


# --- Ambush -----------------------------------------------------------------------------


def test_ambush_adds_two_dice_to_the_defence_roll() -> None:
    position = after(assault(black="ambush"), ATTACK, Play("ambush", "black"))
    assert due_in(position).dice == 3
    assert units(after(position, rolled("black", 1, 1, 0)), "c4") == "black 1 troop"


def test_ambush_adds_to_the_two_dice_of_a_fortification() -> None:
    start = stand(castle(), "a1:3 a2:5", "c1:3 b2:2", hands={"black": "ambush"})
    assert due_in(after(start, deploy("advance:b2", "a2:4"), Play("ambush", "black"))).dice == 4


# --- Commandeer -------------------------------------------------------------------------


def embark(hand: str | int = "commandeer", **more: Any) -> Position:
    """Red supplies the port e3; d4 is under black, e4 is free."""
    return rivers("e3:3", "a3:3 d4:1", hands={"red": hand, "black": ""}, **more)


def test_commandeer_places_one_more_ship() -> None:
    refused(embark(), deploy("embark:1", "e4:4"), "embark.amount", "at most 3")
    position = after(embark(), deploy("embark:1", "e4:3 d4:1", cards="commandeer"))
    assert units(position, "d4") == "red 1 ship, black 1 ship"
    refused(embark(), deploy("embark:1", "e4:5", cards="commandeer"), "embark.amount", "at most 4")


def test_commandeer_lets_ships_into_the_opponents_water_which_starts_a_conflict() -> None:
    refused(embark(), deploy("embark:2", "d4:2"), "embark.area", "Black controls d4")
    position = after(embark(), deploy("embark:2", "d4:2", cards="commandeer"))
    due = due_in(position)
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "black", "d4", 1)
    assert units(after(position, rolled("black", 0)), "d4") == "red 1 ship"


def test_commandeer_is_played_after_the_ships_are_placed_too() -> None:
    position = after(embark(), deploy("embark:2", "e4:2"), Play("commandeer", "red", place=loads("d4:1", "ship")))
    assert units(position, "d4") == "red 1 ship, black 1 ship"
    assert units(after(position, rolled("black", 1)), "d4") == "black 1 ship"


def test_as_a_play_it_adds_one_ship_at_most_and_says_where() -> None:
    position = after(embark(), deploy("embark:2", "e4:2"))
    more = Play("commandeer", "red", place=loads("d4:2", "ship"))
    refused(position, more, "card.amount", "Commandeer adds up to 1, not 2")
    refused(position, Play("commandeer", "red"), "card.place", "Commandeer: choose the areas")
    refused(position, Play("commandeer", "red", place=loads("c1:1", "ship")), "embark.area", "c1")
    refused(position, Play("commandeer", "red", place=loads("z9:1", "ship")), "area.known", "z9")


def test_several_contested_waters_are_each_a_conflict_in_the_attackers_order() -> None:
    start = rivers("e3:3", "a3:3 d4:1 e4:1", hands={"red": "commandeer"})
    position = after(start, deploy("embark:1", "e4:2 d4:2", cards="commandeer"))
    due = due_in(position)
    assert due.area == "e4"
    position = after(position, rolled("black", 0))
    due = due_in(position)
    assert due.area == "d4"
    position = after(position, rolled("black", 2))
    assert (units(position, "e4"), units(position, "d4")) == ("red 1 ship", "black 1 ship")
    assert position.to_move_name == "black"


# --- Counterattack ----------------------------------------------------------------------


def counter(holder: str = "black", hand: str | int = "counterattack") -> Position:
    return rivers("e3:3 e1:3", "a3:3", commanders={"advance:d1": holder} if holder else {}, hands={"red": hand})


def test_counterattack_deploys_to_an_advance_space_that_the_opponent_holds() -> None:
    position = after(counter(), deploy("advance:d1", "e1:2", cards="counterattack"))
    assert position.commanders_on("advance:d1") == ("red", "black")
    assert units(position, "d1") == "red 2 troop"
    assert position.discard == ("counterattack",)


def test_counterattack_is_for_advance_spaces_only() -> None:
    start = rivers("e3:3 d3:2", "a3:3 c3:1", commanders={"shell:d3": "black"}, hands={"red": "counterattack"})
    step = deploy("shell:d3", "c3", cards="counterattack")
    refused(
        start,
        step,
        "card.moment space.occupied",
        "Counterattack can't be played now. Condition: When you deploy a commander.",
    )


# --- Ground Assault and River Assault ---------------------------------------------------


@pytest.mark.parametrize("n", [1, 2])
def test_ground_assault_lets_up_to_two_troops_join_after_the_move_in(n: int) -> None:
    with_it = after(assault(red="ground_assault"), deploy("advance:c4", f"d3:1 reserve:{n}", cards="ground_assault"))
    played = after(assault(red="ground_assault"), deploy("advance:c4", "d3:1"), Play("ground_assault", "red", units=n))
    assert units(with_it, "c4") == units(played, "c4") == f"red {1 + n} troop, black 2 troop"
    assert reserve(with_it, "red", "troop") == reserve(played, "red", "troop") == 25 - 8 - n


def test_without_a_number_as_many_join_as_may() -> None:
    position = after(assault(red="ground_assault"), deploy("advance:c4", "d3:1"), Play("ground_assault", "red"))
    assert units(position, "c4") == "red 3 troop, black 2 troop"


def test_only_what_is_in_the_reserve_joins() -> None:
    start = rivers("e3:5 d3:5 e1:5 d5:5 c5:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"})
    assert reserve(start, "red", "troop") == 1
    step = deploy("advance:c4", "d3:1 reserve:2", cards="ground_assault")
    refused(start, step, "reserve.short", "2 troops needed, but only 1")
    last = deploy("advance:c4", "d3:1 reserve:1", cards="ground_assault")
    assert reserve(after(start, last), "red", "troop") == 0
    position = after(start, deploy("advance:c4", "d3:1"))
    refused(position, Play("ground_assault", "red", units=2), "reserve.short")
    assert units(after(position, Play("ground_assault", "red")), "c4") == "red 2 troop, black 2 troop"


def test_hidden_base_takes_its_troop_first() -> None:
    start = rivers(
        "e3:5 e1:5 d1:5 d3:5 d5:4",
        "a3:3 d2:1",
        bonuses={"sun": "hidden_base"},
        hands={"red": "ground_assault"},
        readings="short-reserve",
    )
    assert reserve(start, "red", "troop") == 1
    step = deploy("advance:d2", "d3:1 reserve:1", cards="ground_assault")
    refused(start, step, "reserve.short", "1 troop needed, but none in the reserve")
    position = after(start, deploy("advance:d2", "d3:1"))
    assert reserve(position, "red", "troop") == 0
    assert ("red", "ground_assault") not in cards_owed(position)


def test_ground_assault_is_for_advance_and_river_assault_for_sail() -> None:
    start = rivers("e3:3 e4:3", hands={"red": "ground_assault river_assault"})
    refused(
        start,
        deploy("sail:d4", "e4:1", cards="ground_assault"),
        "card.moment",
        "Ground Assault can't be played now. Condition: When you Advance, right after moving in.",
    )
    position = after(start, deploy("sail:d4", "e4:1"))
    refused(position, Play("ground_assault", "red"), "card.moment")
    assert cards_owed(position) == {("red", "river_assault")}


@pytest.mark.parametrize("n", [1, 2])
def test_river_assault_lets_up_to_two_ships_join_after_the_move_in(n: int) -> None:
    start = rivers("e3:3 e4:3", "a3:3 d4:1", hands={"red": "river_assault"})
    with_it = after(start, deploy("sail:d4", f"e4:1 reserve:{n}", cards="river_assault"))
    played = after(start, deploy("sail:d4", "e4:1"), Play("river_assault", "red", units=n))
    assert units(with_it, "d4") == units(played, "d4") == f"red {1 + n} ship, black 1 ship"
    refused(
        start,
        deploy("sail:d4", "e4:1 reserve:3", cards="river_assault"),
        "card.amount",
        "River Assault adds up to 2, not 3",
    )


@pytest.mark.parametrize(
    "step",
    [
        Play("ground_assault", "red", place=(("a3", "troop", 2),)),
        Play("ground_assault", "red", place=(("z9", "troop", 2),)),
        Play("ground_assault", "red", target="a3"),
    ],
)
def test_a_play_says_nothing_that_its_card_has_no_use_for(step: Play) -> None:
    position = after(assault(red="ground_assault"), ATTACK)
    objections = judge(position, step).objections
    assert [str(finding.citation) for finding in objections] == ["not printed"]


def test_ambush_has_no_use_for_a_target_or_units() -> None:
    position = after(assault(black="ambush"), ATTACK)
    for step in (Play("ambush", "black", target="a3"), Play("ambush", "black", units=4)):
        assert not judge(position, step).legal


# --- Mobilise ---------------------------------------------------------------------------


def muster(hand: str = "mobilise") -> Position:
    return rivers("e3:1 e1:1 d5:1", hands={"red": hand})


def test_mobilise_places_up_to_two_more_troops() -> None:
    position = after(muster(), deploy("reinforce:1", "e3:4 e1:4", cards="mobilise"))
    assert (units(position, "e3"), units(position, "e1")) == ("red 5 troop", "red 5 troop")
    refused(muster(), deploy("reinforce:1", "e3:4 e1:5", cards="mobilise"), "reinforce.amount", "at most 8")
    refused(muster(), deploy("reinforce:1", "e3:4 e1:4"), "reinforce.amount", "at most 6")


def test_mobilise_is_played_after_the_troops_are_placed_too() -> None:
    position = after(muster(), deploy("reinforce:1", "e3:4 e1:2"))
    assert cards_owed(position) == {("red", "mobilise")}
    after_it = after(position, Play("mobilise", "red", place=loads("e1:2", "troop")))
    assert units(after_it, "e1") == "red 5 troop"
    refused(
        position, Play("mobilise", "red", place=loads("e1:3", "troop")), "card.amount", "Mobilise adds up to 2, not 3"
    )


def test_mobilised_troops_go_into_land_that_one_supplies() -> None:
    position = after(muster(), deploy("reinforce:1", "e3:4"))
    step = Play("mobilise", "red", place=loads("d5:1", "troop"))
    refused(position, step, "reinforce.area", "Red controls d5, but its supply line")
    refused(position, Play("mobilise", "red", place=loads("a3:1", "troop")), "reinforce.area", "Black controls a3")


def test_mobilise_adds_to_barracks() -> None:
    start = rivers("e3:1 e1:1 d1:1", bonuses={"sun": "barracks"}, hands={"red": "mobilise"})
    assert after(start, deploy("reinforce:1", "e3:4 e1:4 d1:2", cards="mobilise")).to_move_name == "black"
    step = deploy("reinforce:1", "e3:4 e1:4 d1:3", cards="mobilise")
    refused(start, step, "reinforce.amount", "at most 10")


# --- Shore Strike -----------------------------------------------------------------------


def test_shore_strike_adds_two_dice_to_bombard() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "shore_strike"})
    with_it = after(start, deploy("bombard:d4", "c4", cards="shore_strike"))
    played = after(start, deploy("bombard:d4", "c4"), Play("shore_strike", "red"))
    assert due_in(with_it).dice == due_in(played).dice == 4
    assert units(after(played, rolled("red", 1, 1, 1, 1)), "c4") == "black 1 troop"
    refused(played, rolled("red", 1, 1), "roll.dice", "roll 4 dice, not 2")


def test_shore_strike_adds_to_pirate_haven() -> None:
    start = rivers("e3:3 e1:1 d1:1 c1:1", "a3:3 b2:5", bonuses={"sun": "pirate_haven"}, hands={"red": "shore_strike"})
    assert due_in(after(start, deploy("bombard:c1", "b2", cards="shore_strike"))).dice == 4


# --- Ship Strike ------------------------------------------------------------------------


def shelled(hand: str = "ship_strike") -> Position:
    """Red has shelled c3 from d3 and rolled a pip and a blank."""
    start = rivers("e3:3 d3:2", "a3:3 b3:1 c3:2 c2:2 d4:1 b2:1", hands={"red": hand})
    return after(start, deploy("shell:d3", "c3"), rolled("red", 1, 0))


def test_ship_strike_shells_again_without_a_commander() -> None:
    position = after(shelled(), Accept(), Play("ship_strike", "red", target="c2"))
    assert (due_in(position).dice, position.left("red")) == (2, 4)
    position = after(position, rolled("red", 1, 1))
    assert (units(position, "c3"), units(position, "c2")) == ("black 1 ship", "")
    assert position.to_move_name == "black"


def test_the_same_target_may_be_shelled_again() -> None:
    position = after(shelled(), Play("ship_strike", "red", target="c3"), rolled("red", 2, 0))
    assert units(position, "c3") == ""


def test_ship_strike_shoots_from_the_same_space() -> None:
    position = shelled()
    refused(position, Play("ship_strike", "red", target="c1"), "shell.adjacent", "c1 is not next to d3")
    refused(position, Play("ship_strike", "red", target="d2"), "shell.target-kind", "d2 is land")
    refused(position, Play("ship_strike", "red"), "shell.target", "choose a target for the shot from d3")


def test_ship_strike_only_once_a_turn() -> None:
    position = after(shelled("ship_strike ship_strike"), Play("ship_strike", "red", target="c2"))
    position = after(position, rolled("red", 1, 0))
    again = Play("ship_strike", "red", target="c3")
    assert not judge(position, again).legal
    assert ("red", "ship_strike") not in cards_owed(position)
    assert units(after(position, Reroll("ship_strike", "red"), rolled("red", 0, 0)), "c2") == "black 2 ship"


def test_ship_strike_may_aim_where_no_enemy_is() -> None:
    position = after(shelled(), Play("ship_strike", "red", target="d4"), rolled("red", 1, 0))
    assert units(position, "d4") == ""
