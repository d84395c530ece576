"""Operation Cards: special effects at their moments, and rerolls. The eight Rivers cards in both written forms."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import fold, judge, legal, owed
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Accept, Deploy, Pass, Play, Reroll, Step
from tests.boards.practice import castle
from tests.tables import after, allowed, deploy, loads, refused, reserve, rivers, rolled, stand, units


def cards_owed(position: Position) -> set[tuple[str, str]]:
    due = owed(position)
    return set() if due is None else set(due.cards)


def dice_owed(position: Position) -> int:
    due = owed(position)
    assert due is not None
    return due.dice


def assault(**hands: str | int) -> Position:
    """Red is to move, next to c4 which black holds with two."""
    return rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands=hands)


ATTACK = deploy("advance:c4", "d3:3")


# --- spending cards ---------------------------------------------------------------------


def test_a_card_spent_goes_from_the_hand_to_the_discard_pile() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, Play("ambush", "black"))
    assert (position.hand("black"), position.discard) == (("mobilise",), ("ambush",))


def test_of_a_hidden_hand_only_the_number_shrinks_and_the_card_gets_its_name() -> None:
    position = after(assault(black=2), ATTACK, Play("ambush", "black"))
    assert (position.hand("black"), position.discard) == (1, ("ambush",))


def test_a_card_that_is_not_in_hand_cannot_be_spent() -> None:
    position = after(assault(black="mobilise"), ATTACK)
    refused(position, Play("ambush", "black"), "card.held", "black does not have ambush in hand")
    refused(after(assault(black=0), ATTACK), Play("ambush", "black"), "card.held")


def test_a_hidden_hand_holds_no_card_whose_copies_are_all_seen() -> None:
    start = rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands={"red": "ambush", "black": 3}, discard="ambush ambush")
    refused(after(start, ATTACK), Play("ambush", "black"), "card.held")
    assert ("black", "ambush") not in cards_owed(after(start, ATTACK))


def test_a_card_of_no_deck_cannot_be_spent() -> None:
    position = after(assault(black="ambush"), ATTACK)
    refused(position, Play("bribery", "black"), "card.known", "bribery is no card of this deck")
    refused(assault(red=1), deploy("advance:c4", "d3:3", cards="bribery"), "card.known")


def test_a_card_is_spent_by_one_of_the_factions() -> None:
    refused(after(assault(black="ambush"), ATTACK), Play("ambush", "green"), "faction.known", "green")


def test_no_more_cards_are_named_than_are_in_a_hidden_hand() -> None:
    step = deploy("advance:c4", "d3:3 reserve:1", cards="ground_assault counterattack")
    start = rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands={"red": 1}, commanders={"advance:c4": "black"})
    refused(start, step, "card.enough", "red does not have 2 cards")


def test_in_ones_own_turn_or_in_the_opponents_as_the_icon_says() -> None:
    start = assault(red="ambush", black="ambush ground_assault")
    refused(after(start, ATTACK), Play("ambush", "red"), "card.side", "ambush is only for black now")
    with_join = after(assault(red="ground_assault", black="ground_assault"), ATTACK)
    refused(with_join, Play("ground_assault", "black"), "card.side", "only for red now")


def test_not_when_its_condition_is_not_met() -> None:
    finding = refused(assault(red="shore_strike"), Play("shore_strike", "red"), "card.moment", "Your Bombard")
    assert finding.citation.section == "Operation Cards"
    refused(after(assault(red="shore_strike"), ATTACK), Play("shore_strike", "red"), "card.moment")


def test_a_card_named_with_a_deployment_must_go_with_its_action() -> None:
    start = rivers("e3:3 e4:1", hands={"red": "mobilise"})
    step = deploy("embark:1", "e4:2", cards="mobilise")
    refused(start, step, "card.moment", "Your Reinforce")
    refused(assault(red="ambush"), deploy("advance:c4", "d3:3", cards="ambush"), "card.moment", "opponent's Advance")
    again = rivers("e3:3 d3:2", "a3:3 c3:2", hands={"red": "ship_strike"})
    refused(again, deploy("shell:d3", "c3", cards="ship_strike"), "card.moment", "After your Shell")


# --- several effects in a turn ----------------------------------------------------------


def test_different_special_effects_in_the_same_turn() -> None:
    start = rivers(
        "e3:3 d3:5 d4:1", "a3:3 c4:2", commanders={"advance:c4": "black"}, hands={"red": "counterattack ground_assault"}
    )
    position = after(start, deploy("advance:c4", "d3:3 reserve:2", cards="counterattack ground_assault"))
    assert units(position, "c4") == "red 5 troop, black 2 troop"
    assert set(position.discard) == {"counterattack", "ground_assault"}


def test_not_the_same_special_effect_twice_in_a_turn() -> None:
    position = after(assault(black="ambush ambush"), ATTACK, Play("ambush", "black"))
    refused(position, Play("ambush", "black"), "card.once-per-turn", "black has already resolved ambush this turn")
    assert cards_owed(position) == set()


def test_not_the_same_card_named_twice() -> None:
    start = assault(red="ground_assault ground_assault")
    step = deploy("advance:c4", "d3:3", cards="ground_assault ground_assault")
    refused(start, step, "card.same-twice", "ground_assault is named twice")


def test_not_once_with_the_deployment_and_once_more_as_a_play() -> None:
    start = assault(red="ground_assault ground_assault")
    position = after(start, deploy("advance:c4", "d3:2 reserve:1", cards="ground_assault"))
    assert ("red", "ground_assault") not in cards_owed(position)
    objections = judge(position, Play("ground_assault", "red", units=1)).objections
    assert [finding.rule for finding in objections] in (["card.moment"], ["card.once-per-turn"])


def test_in_the_next_turn_the_effect_is_free_again() -> None:
    start = rivers("e3:3 d3:5 e1:5", hands={"red": "ground_assault ground_assault"})
    first = deploy("advance:d2", "d3:1 reserve:1", cards="ground_assault")
    second = deploy("advance:d1", "e1:1 reserve:1", cards="ground_assault")
    position = after(start, first, Pass())
    assert position.spent == ((), ())
    assert units(after(position, second), "d1") == "red 2 troop"


def test_a_card_already_resolved_in_a_position_is_not_resolved_again() -> None:
    start = rivers("e3:3 d3:5", hands={"red": "ground_assault"}, spent={"red": "ground_assault"})
    step = deploy("advance:d2", "d3:1 reserve:1", cards="ground_assault")
    refused(start, step, "card.once-per-turn", "red has already resolved ground_assault")


def test_both_players_may_resolve_effects_in_one_turn() -> None:
    position = after(
        assault(red="ground_assault", black="ambush"),
        ATTACK,
        Play("ground_assault", "red", units=2),
        Play("ambush", "black"),
        rolled("black", 2, 1, 0),
    )
    assert units(position, "c4") == ""


# --- rerolls ----------------------------------------------------------------------------


def test_any_card_rolls_all_the_dice_again() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, Play("ambush", "black"), rolled("black", 0, 0, 1))
    position = after(position, Reroll("mobilise", "black"))
    assert dice_owed(position) == 3
    refused(position, rolled("black", 2), "roll.dice", "3 dice are owed, not 1")
    position = after(position, rolled("black", 2, 1, 0))
    assert units(position, "c4") == "black 2 troop"
    assert position.discard == ("ambush", "mobilise")


def test_the_next_roll_replaces_the_last() -> None:
    position = after(assault(black="mobilise"), ATTACK, rolled("black", 2), Reroll("mobilise", "black"))
    assert units(after(position, rolled("black", 0)), "c4") == "red 1 troop"


def test_as_often_as_cards_last() -> None:
    position = after(assault(black="mobilise mobilise"), ATTACK, rolled("black", 0))
    for _ in range(2):
        position = after(position, Reroll("mobilise", "black"), rolled("black", 0))
    assert position.hand("black") == ()
    assert owed(position) is None


def test_a_card_whose_effect_was_resolved_may_still_be_spent_on_a_reroll() -> None:
    position = after(assault(black="ambush ambush"), ATTACK, Play("ambush", "black"), rolled("black", 0, 0, 0))
    assert units(after(position, Reroll("ambush", "black"), rolled("black", 1, 1, 1)), "c4") == "black 2 troop"


def test_only_whoever_rolled_rolls_again() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "mobilise", "black": "ambush"})
    position = after(start, deploy("bombard:d4", "c4"), rolled("red", 1, 2))
    refused(position, Reroll("ambush", "black"), "reroll.own", "only red may roll these dice again")
    refused(position, Reroll("ambush", "green"), "faction.known reroll.own")
    assert dice_owed(after(position, Reroll("mobilise", "red"))) == 2


def test_a_reroll_takes_a_card_in_hand() -> None:
    position = after(assault(black="mobilise"), ATTACK, rolled("black", 2))
    refused(position, Reroll("ambush", "black"), "card.held", "black does not have ambush")
    refused(position, Reroll("bribery", "black"), "card.known")


def test_there_must_be_dice_to_roll_again() -> None:
    refused(assault(red="mobilise"), Reroll("mobilise", "red"), "reroll.owed", "no dice to roll again")
    refused(after(assault(black="mobilise"), ATTACK), Reroll("mobilise", "black"), "reroll.owed")
    done = after(assault(black="mobilise"), ATTACK, rolled("black", 2), Accept())
    refused(done, Reroll("mobilise", "black"), "reroll.owed")


def test_a_card_that_adds_dice_comes_before_the_roll_not_before_the_reroll() -> None:
    position = after(assault(black="ambush mobilise"), ATTACK, rolled("black", 0), Reroll("mobilise", "black"))
    refused(position, Play("ambush", "black"), "card.moment")
    assert cards_owed(position) == set()


# --- windows ----------------------------------------------------------------------------


def test_what_may_be_played_is_said_with_what_is_owed() -> None:
    assert cards_owed(after(assault(red="ground_assault", black="ambush"), ATTACK)) == {
        ("red", "ground_assault"),
        ("black", "ambush"),
    }


def test_a_window_is_open_only_while_a_card_fits_it() -> None:
    assert owed(after(rivers("e3:3 d3:3", hands={"red": "mobilise"}), deploy("advance:d2", "d3:1"))) is None
    due = owed(after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1")))
    assert due is not None
    assert (due.wants, due.by, due.text) == ("accept", "red", "red may play a card")


def test_accept_passes_a_window_by() -> None:
    position = after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1"))
    assert position.to_move_name == "red"
    assert after(position, Accept()).to_move_name == "black"
    assert after(position, Accept("red")).to_move_name == "black"


def test_accept_needs_an_open_window() -> None:
    refused(rivers("e3:3"), Accept(), "accept.window", "no window for cards is open")
    refused(after(assault(), ATTACK), Accept(), "accept.window")
    position = after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1"))
    refused(position, Accept("green"), "faction.known")


def test_a_deployment_or_pass_of_the_next_turn_closes_what_is_open() -> None:
    position = after(rivers("e3:3 d3:3", hands={"red": "ground_assault"}), deploy("advance:d2", "d3:1"))
    assert legal(position).may_pass
    assert "reinforce:1" in legal(position).spaces
    assert after(position, Pass()).standing_by("black") == 1
    assert after(position, deploy("plan:1", 1)).hand("black") == 1


def test_a_roll_closes_the_window_before_it() -> None:
    position = after(assault(red="ground_assault"), ATTACK, rolled("black", 0))
    assert position.hand("red") == ("ground_assault",)
    refused(position, Play("ground_assault", "red", units=2), "card.moment")


# --- Ambush -----------------------------------------------------------------------------


def test_ambush_adds_two_dice_to_the_defence_roll() -> None:
    position = after(assault(black="ambush"), ATTACK, Play("ambush", "black"))
    assert dice_owed(position) == 3
    assert units(after(position, rolled("black", 1, 1, 0)), "c4") == "black 1 troop"


def test_ambush_adds_to_the_two_dice_of_a_fortification() -> None:
    start = stand(castle(), "a1:3 a2:5", "c1:3 b2:2", hands={"black": "ambush"})
    assert dice_owed(after(start, deploy("advance:b2", "a2:4"), Play("ambush", "black"))) == 4


def test_ambush_is_for_land_conflicts_after_an_advance() -> None:
    bombard = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"black": "ambush"})
    refused(after(bombard, deploy("bombard:d4", "c4")), Play("ambush", "black"), "card.moment")
    sail = rivers("e3:3 e4:3", "a3:3 d4:1", hands={"black": "ambush"})
    refused(after(sail, deploy("sail:d4", "e4:2")), Play("ambush", "black"), "card.moment")
    empty = rivers("e3:3 d3:5", hands={"black": "ambush"})
    refused(after(empty, deploy("advance:d2", "d3:2")), Play("ambush", "black"), "card.moment")


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
    refused(embark(), deploy("embark:2", "d4:2"), "embark.area", "d4 is held by black")
    position = after(embark(), deploy("embark:2", "d4:2", cards="commandeer"))
    due = owed(position)
    assert due is not None
    assert (due.wants, due.by, due.area, due.dice) == ("roll", "black", "d4", 1)
    assert units(after(position, rolled("black", 0)), "d4") == "red 1 ship"


def test_commandeer_is_played_after_the_ships_are_placed_too() -> None:
    position = after(embark(), deploy("embark:2", "e4:2"), Play("commandeer", "red", place=loads("d4:1", "ship")))
    assert units(position, "d4") == "red 1 ship, black 1 ship"
    assert units(after(position, rolled("black", 1)), "d4") == "black 1 ship"


def test_as_a_play_it_adds_one_ship_at_most_and_says_where() -> None:
    position = after(embark(), deploy("embark:2", "e4:2"))
    more = Play("commandeer", "red", place=loads("d4:2", "ship"))
    refused(position, more, "card.amount", "commandeer adds at most 1, not 2")
    refused(position, Play("commandeer", "red"), "card.place", "no area is named")
    refused(position, Play("commandeer", "red", place=loads("c1:1", "ship")), "embark.area", "c1")
    refused(position, Play("commandeer", "red", place=loads("z9:1", "ship")), "area.known", "z9")


def test_it_adds_ships_only() -> None:
    position = after(embark(), deploy("embark:2", "e4:2"))
    step = Play("commandeer", "red", place=loads("d4:1", "troop"))
    refused(position, step, "card.unit embark.kind", "commandeer adds ships only")


def test_several_contested_waters_are_each_a_conflict_in_the_attackers_order() -> None:
    start = rivers("e3:3", "a3:3 d4:1 e4:1", hands={"red": "commandeer"})
    position = after(start, deploy("embark:1", "e4:2 d4:2", cards="commandeer"))
    due = owed(position)
    assert due is not None
    assert due.area == "e4"
    position = after(position, rolled("black", 0))
    due = owed(position)
    assert due is not None
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


@pytest.mark.parametrize("holder", ["", "red", "red black"])
def test_counterattack_needs_a_space_that_one_commander_holds_the_opponents(holder: str) -> None:
    step = deploy("advance:d1", "e1:2", cards="counterattack")
    refused(counter(holder), step, "counterattack.space", "advance:d1 does not hold one commander of the opponent")


def test_counterattack_is_for_advance_spaces_only() -> None:
    start = rivers("e3:3 d3:2", "a3:3 c3:1", commanders={"shell:d3": "black"}, hands={"red": "counterattack"})
    step = deploy("shell:d3", "c3", cards="counterattack")
    refused(start, step, "card.moment space.occupied", "Your deployment of a commander")


def test_counterattack_is_no_play_of_its_own() -> None:
    refused(counter(), Play("counterattack", "red"), "card.moment")


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


def test_no_more_than_two_join() -> None:
    step = deploy("advance:c4", "d3:1 reserve:3", cards="ground_assault")
    refused(assault(red="ground_assault"), step, "card.amount", "ground_assault adds at most 2, not 3")
    position = after(assault(red="ground_assault"), deploy("advance:c4", "d3:1"))
    refused(position, Play("ground_assault", "red", units=3), "card.amount")


def test_those_that_join_are_no_move_in() -> None:
    step = deploy("advance:c4", "reserve:2", cards="ground_assault")
    refused(assault(red="ground_assault"), step, "advance.units", "no unit moves into c4")


def test_units_from_the_reserve_need_the_card() -> None:
    refused(assault(red="ground_assault"), deploy("advance:c4", "d3:1 reserve:1"), "card.reserve-units")
    step = Deploy("advance:c4", moves=(("d3", "troop", 1), (RESERVE, "ship", 1)), cards=("ground_assault",))
    refused(assault(red="ground_assault"), step, "card.reserve-units", "1 ship")


def test_only_what_is_in_the_reserve_joins() -> None:
    start = rivers("e3:5 d3:5 e1:5 d5:5 c5:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"})
    assert reserve(start, "red", "troop") == 1
    step = deploy("advance:c4", "d3:1 reserve:2", cards="ground_assault")
    refused(start, step, "reserve.short", "2 troops are needed, but only 1")
    position = after(start, deploy("advance:c4", "d3:1"))
    refused(position, Play("ground_assault", "red", units=2), "reserve.short")
    assert units(after(position, Play("ground_assault", "red")), "c4") == "red 2 troop, black 2 troop"


def test_hidden_base_takes_its_troop_first() -> None:
    start = rivers(
        "e3:5 e1:5 d1:5 d3:5 d5:4", "a3:3 d2:1", bonuses={"sun": "hidden_base"}, hands={"red": "ground_assault"}
    )
    assert reserve(start, "red", "troop") == 1
    step = deploy("advance:d2", "d3:1 reserve:1", cards="ground_assault")
    refused(start, step, "reserve.short", "only 0 are in the reserve")
    position = after(start, deploy("advance:d2", "d3:1"))
    assert reserve(position, "red", "troop") == 0
    assert ("red", "ground_assault") not in cards_owed(position)


def test_ground_assault_is_for_advance_and_river_assault_for_sail() -> None:
    start = rivers("e3:3 e4:3", hands={"red": "ground_assault river_assault"})
    refused(start, deploy("sail:d4", "e4:1", cards="ground_assault"), "card.moment", "Your Advance")
    position = after(start, deploy("sail:d4", "e4:1"))
    refused(position, Play("ground_assault", "red"), "card.moment")
    assert cards_owed(position) == {("red", "river_assault")}


@pytest.mark.parametrize("n", [1, 2])
def test_river_assault_lets_up_to_two_ships_join_after_the_move_in(n: int) -> None:
    start = rivers("e3:3 e4:3", "a3:3 d4:1", hands={"red": "river_assault"})
    with_it = after(start, deploy("sail:d4", f"e4:1 reserve:{n}", cards="river_assault"))
    played = after(start, deploy("sail:d4", "e4:1"), Play("river_assault", "red", units=n))
    assert units(with_it, "d4") == units(played, "d4") == f"red {1 + n} ship, black 1 ship"
    refused(start, deploy("sail:d4", "e4:1 reserve:3", cards="river_assault"), "card.amount", "at most 2")


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
    assert [finding.citation.section for finding in objections] == ["Operation Cards"]


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
    refused(position, Play("mobilise", "red", place=loads("e1:3", "troop")), "card.amount", "at most 2, not 3")


def test_mobilised_troops_go_into_land_that_one_supplies() -> None:
    position = after(muster(), deploy("reinforce:1", "e3:4"))
    step = Play("mobilise", "red", place=loads("d5:1", "troop"))
    refused(position, step, "reinforce.area", "d5 is held by red, but its chain")
    refused(position, Play("mobilise", "red", place=loads("a3:1", "troop")), "reinforce.area", "a3 is held by black")


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
    assert dice_owed(with_it) == dice_owed(played) == 4
    assert units(after(played, rolled("red", 1, 1, 1, 1)), "c4") == "black 1 troop"
    refused(played, rolled("red", 1, 1), "roll.dice", "4 dice are owed, not 2")


def test_shore_strike_adds_to_pirate_haven() -> None:
    start = rivers("e3:3 e1:1 d1:1 c1:1", "a3:3 b2:5", bonuses={"sun": "pirate_haven"}, hands={"red": "shore_strike"})
    assert dice_owed(after(start, deploy("bombard:c1", "b2", cards="shore_strike"))) == 4


def test_shore_strike_comes_before_the_roll() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "shore_strike"})
    position = after(start, deploy("bombard:d4", "c4"), rolled("red", 1, 1))
    refused(position, Play("shore_strike", "red"), "card.moment", "before you roll")


def test_shore_strike_is_not_for_shell() -> None:
    start = rivers("e3:3 d3:2", "a3:3 c3:2", hands={"red": "shore_strike"})
    refused(start, deploy("shell:d3", "c3", cards="shore_strike"), "card.moment", "Your Bombard")


# --- Ship Strike ------------------------------------------------------------------------


def shelled(hand: str = "ship_strike") -> Position:
    """Red has shelled c3 from d3 and rolled a pip and a blank."""
    start = rivers("e3:3 d3:2", "a3:3 b3:1 c3:2 c2:2 d4:1 b2:1", hands={"red": hand})
    return after(start, deploy("shell:d3", "c3"), rolled("red", 1, 0))


def test_ship_strike_shells_again_without_a_commander() -> None:
    position = after(shelled(), Accept(), Play("ship_strike", "red", target="c2"))
    assert (dice_owed(position), position.left("red")) == (2, 4)
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
    refused(position, Play("ship_strike", "red"), "shell.target", "no target is named")


def test_ship_strike_only_once_a_turn() -> None:
    position = after(shelled("ship_strike ship_strike"), Play("ship_strike", "red", target="c2"))
    position = after(position, rolled("red", 1, 0))
    again = Play("ship_strike", "red", target="c3")
    assert not judge(position, again).legal
    assert ("red", "ship_strike") not in cards_owed(position)
    assert units(after(position, Reroll("ship_strike", "red"), rolled("red", 0, 0)), "c2") == "black 2 ship"


def test_ship_strike_comes_after_the_shell_not_before_its_roll() -> None:
    start = rivers("e3:3 d3:2", "a3:3 c3:2", hands={"red": "ship_strike"})
    refused(after(start, deploy("shell:d3", "c3")), Play("ship_strike", "red", target="c3"), "card.moment")


def test_ship_strike_is_not_for_bombard() -> None:
    start = rivers("e3:3 d4:2", "a3:3 c4:5", hands={"red": "ship_strike"})
    position = after(start, deploy("bombard:d4", "c4"), rolled("red", 1, 1))
    refused(position, Play("ship_strike", "red", target="c4"), "card.moment", "After your Shell")


def test_ship_strike_may_aim_where_no_enemy_is() -> None:
    position = after(shelled(), Play("ship_strike", "red", target="d4"), rolled("red", 1, 0))
    assert units(position, "d4") == ""


# --- all of it together -----------------------------------------------------------------


def test_a_turn_with_everything() -> None:
    start = rivers(
        "e3:3 d3:5 d4:1 e1:1 d1:1",
        "a3:3 c4:4",
        bonuses={"sun": "hidden_base"},
        commanders={"advance:c4": "black"},
        hands={"red": "counterattack ground_assault", "black": "ambush mobilise"},
    )
    steps: list[Step] = [
        deploy("advance:c4", "d3:4", cards="counterattack"),
        Play("ground_assault", "red", units=2),
        Play("ambush", "black"),
        rolled("black", 0, 0, 0),
        Reroll("mobilise", "black"),
        rolled("black", 1, 1, 0),
    ]
    position = fold(start, steps)
    assert units(position, "c4") == "red 1 troop"
    assert position.hands == ((), ())
    assert set(position.discard) == {"counterattack", "ground_assault", "ambush", "mobilise"}


def test_a_card_for_units_needs_a_reserve() -> None:
    start = rivers("e3:5 d3:5 e1:5 d5:5 c5:5 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"})
    assert cards_owed(after(start, deploy("advance:c4", "d3:1"))) == set()


def test_words_of_a_card_that_holds() -> None:
    step = deploy("advance:c4", "d3:1 reserve:2", cards="ground_assault")
    allowed(assault(red="ground_assault"), step, "card.held", "red has ground_assault in hand")
    allowed(assault(red="ground_assault"), step, "card.reserve-units", "lets 2 troops join")


def test_what_a_space_offers_counts_no_card() -> None:
    hand = "commandeer counterattack ground_assault mobilise river_assault ship_strike shore_strike"
    units_ = ("e3:3 d4:2 e1:1", "a3:3 c4:2")
    taken = {"advance:d1": "black"}
    with_cards = legal(rivers(*units_, hands={"red": hand}, commanders=taken))
    assert with_cards == legal(rivers(*units_, commanders=taken))
    assert (with_cards.spaces["reinforce:1"].amount, with_cards.spaces["embark:1"].amount) == (6, 3)
    assert with_cards.spaces["bombard:d4"].dice == 2
    assert "advance:d1" not in with_cards.spaces
