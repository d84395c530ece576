"""World War II, Deploy Commanders, Plan, the round's end and the game's."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.game import legal, play
from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Pass
from engine.ruling import citing
from tests.tables import after, deploy, refused, rolled, units, valley

PLAN = deploy("plan:1", 1)
OTHER_PLAN = deploy("plan:2", 2)


def state(position: Position) -> tuple[int, str, tuple[int, int]]:
    """Return the round, whose turn it is, and the commanders in both reserves."""
    return position.round, position.to_move_name, position.commanders_left


# --- a pass is final --------------------------------------------------------------------


def test_a_pass_costs_no_commander_and_puts_none_on_standby() -> None:
    position = after(valley(), Pass())
    assert (position.left("blue"), position.standing_by("blue"), position.passed) == (5, 4, (True, False))


def test_who_has_passed_takes_no_further_turn_and_the_other_goes_on_alone() -> None:
    position = after(valley(), Pass(), PLAN)
    assert (position.to_move_name, position.passed) == ("yellow", (True, False))
    assert after(position, deploy("reinforce:1", "c3:1")).to_move_name == "yellow"


def test_with_an_empty_reserve_one_passes_by_oneself() -> None:
    position, events = play(valley(left={"blue": 2, "yellow": 0}), PLAN)
    assert (position.to_move_name, position.left("blue")) == ("blue", 1)
    assert [event.kind for event in events if event.faction == 1] == ["out"]


def test_with_an_empty_reserve_a_pass_is_all_that_is_left() -> None:
    position = after(valley(left={"blue": 0, "yellow": 2}), Pass())
    assert (position.to_move_name, position.passed[0]) == ("yellow", True)


# --- the end of the phase ---------------------------------------------------------------


def test_the_phase_ends_once_both_have_passed() -> None:
    position = after(valley(), Pass(), Pass())
    assert state(position) == (3, "blue", (5, 5))
    assert position.passed == (False, False)


def test_commanders_left_in_a_reserve_do_not_keep_the_phase_going() -> None:
    assert state(after(valley(left={"blue": 4, "yellow": 3}), Pass(), Pass())) == (3, "blue", (5, 5))


def test_it_ends_when_the_last_commander_is_deployed_and_the_other_has_passed() -> None:
    position = after(valley(left={"blue": 3, "yellow": 1}), Pass(), PLAN)
    assert state(position) == (3, "yellow", (5, 5))


def test_it_ends_when_both_reserves_are_empty() -> None:
    position = after(valley(left={"blue": 1, "yellow": 1}), OTHER_PLAN, deploy("reinforce:1", "c3:1"))
    assert state(position) == (3, "blue", (5, 5))


# --- recall -----------------------------------------------------------------------------


def test_deployed_commanders_return_to_the_reserves_and_standby_stays_as_it_is() -> None:
    placed: dict[str, Any] = {"commanders": {"plan:1": "blue", "reinforce:2": "yellow"}}
    position = after(valley(**placed), Pass(), Pass())
    assert position.commanders == (0, 0)
    assert (position.commanders_left, position.standby) == ((5, 5), (4, 4))


def test_an_extra_commander_of_blitz_returns_to_standby() -> None:
    position = after(valley(hands={"blue": "blitz"}), deploy("plan:1", 1, cards="blitz"))
    assert (position.left("blue"), position.standing_by("blue")) == (5, 3)
    position = after(position, Pass(), Pass())
    assert (position.left("blue"), position.standing_by("blue")) == (5, 4)


# --- the round marker -------------------------------------------------------------------


def test_the_next_round_begins_with_the_initiative() -> None:
    assert after(valley(), Pass(), PLAN, Pass()).initiative_name == "yellow"
    assert state(after(valley(), Pass(), PLAN, Pass())) == (3, "yellow", (5, 5))


def test_after_the_fourth_round_there_is_no_space_left_and_the_game_ends() -> None:
    position = after(valley(round=4), Pass(), Pass())
    assert (position.round, position.reason) == (4, "victory_points")


# ==== Plan: cards are drawn, and one space turns the round marker ==============================


def amount(space: str) -> int:
    return load_mode("wwii-alpine").support[space].amount


def turning() -> str:
    return next(space for space, support in load_mode("wwii-alpine").support.items() if support.initiative)


@pytest.mark.parametrize("space", ["plan:1", "plan:2"])
def test_as_many_cards_as_the_space_says(space: str) -> None:
    due = amount(space)
    assert legal(valley()).spaces[space].draw == due
    assert after(valley(), deploy(space, due)).hand("blue") == due
    refused(valley(), deploy(space, due + 1), "plan.amount", f", not {due + 1}")


def drawn(space: str, holder: str) -> tuple[Position, list[str]]:
    position, events = play(valley(initiative=holder, to_move="blue"), deploy(space, amount(space)))
    return position, [event.kind for event in events]


def test_the_space_with_the_symbol_turns_the_marker_to_you() -> None:
    position, kinds = drawn(turning(), "yellow")
    assert position.initiative_name == "blue"
    assert "initiative" in kinds
    assert after(position, Pass(), Pass()).to_move_name == "blue"


# ==== Ending the Game: a headquarters lost, or four rounds played ==============================

SHOT = deploy("barrage:a2", "c3")


def test_a_headquarters_left_without_troops_loses_at_once() -> None:
    position = after(valley("a1:3 a2:2", "c3:1 c2:3"), SHOT, rolled("blue", 1, 0))
    assert (position.winner_name, position.reason) == ("blue", "hq_lost")


def test_an_advance_that_only_empties_it_wins_too() -> None:
    start = valley("a1:3 a2:1 b2:1 b3:3", "c3:2 c2:3")
    position = after(start, deploy("advance:c3", "b3:2"), rolled("yellow", 0))
    assert (units(position, "c3"), position.winner_name, position.reason) == ("", "blue", "hq_lost")


def test_what_ends_the_game_ends_it_for_every_step_and_says_what_the_editions_say() -> None:
    position = after(valley("a1:3 a2:2", "c3:1 c2:3"), SHOT, rolled("blue", 1, 1))
    finding = refused(position, Pass(), "game.over", "the game is already over", "the editions differ", "Portuguese")
    assert str(finding.citation) == "Ending the Game"
    with citing("pt"):
        assert str(finding.citation) == "Fim de Jogo"


def test_after_four_rounds_most_points_in_supply_win() -> None:
    position = after(valley("a1:3 a2:1 b1:1", "c3:3 c2:1", round=4), Pass(), Pass())
    assert (position.winner_name, position.reason) == ("blue", "victory_points")
