"""Game End: a lost headquarters at any moment, or points after the fourth round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders.game import Legal, examine, fold, legal, owed, play
from engine.orders.position import Position
from engine.orders.score import HQ_LOST, score
from engine.orders.steps import Accept, Agreed, Pass, Reroll, Step
from engine.words import side
from tests.boards.practice import castle
from tests.tables import after, deploy, refused, rivers, rolled, stand, units

POINTS = ("e3:2 e1:1 d1:1 d2:1 d4:1 b4:1", "a3:2 a1:1 b1:1 b2:1 c1:1 c2:1 c3:1")


def last_pass(red: str, black: str, initiative: str = "red") -> Position:
    last: dict[str, Any] = {"left": {"red": 0, "black": 1}, "standby": {"red": 5, "black": 4}}
    return after(rivers(red, black, to_move="black", round=4, initiative=initiative, **last), Pass())


# --- a lost headquarters ----------------------------------------------------------------


def test_a_bombarded_headquarters_without_units_loses_at_once() -> None:
    position = rivers("e3:3 d4:1 c3:1 b4:2", "a3:1 b3:4 a1:4")
    position, events = play(after(position, deploy("bombard:b4", "a3")), rolled("red", 1, 0))
    assert (position.winner_name, position.reason, units(position, "a3")) == ("red", "hq_lost", "")
    assert events[-1].kind == "won"


def test_a_headquarters_lost_in_a_conflict_loses_at_once_whoever_stands_there() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:1 b3:5", "a3:2 a1:2")
    position = after(start, deploy("advance:a3", "b3:4"), rolled("black", 1))
    assert (position.winner_name, units(position, "a3")) == ("red", "red 1 troop")


def test_a_headquarters_emptied_along_with_its_attackers_is_lost_as_well() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:1 b3:4", "a3:2 b5:3")
    position = after(start, deploy("advance:a3", "b3:3"), rolled("black", 1))
    assert (position.winner_name, units(position, "a3")) == ("red", "")


def test_a_headquarters_lost_to_siege_loses_at_once() -> None:
    start = stand(castle(), "a1:1", "c1:3 c2:1 b2:1 a2:1+3", to_move="black")
    position = after(start, deploy("siege:a2", "a1"), rolled("black", 1, 1, 0))
    assert (position.winner_name, position.reason) == ("black", "hq_lost")


def test_it_is_lost_before_the_limits_are_looked_at() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:1 b3:5 a1:5", "a3:1 b5:3")
    position = after(start, deploy("advance:a3", "b3:4 a1:4"), rolled("black", 0))
    assert (position.winner_name, units(position, "a3")) == ("red", "red 7 troop")


def test_a_defender_at_home_without_supply_still_loses_only_when_empty() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:1 b3:4", "a3:3 b5:3")
    position = after(start, deploy("advance:a3", "b3:2"), rolled("black", 0))
    assert (position.winner, units(position, "a3")) == (None, "black 1 troop")


def test_nothing_is_played_after_the_end() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:2", "a3:1 b3:4", hands={"red": "mobilise", "black": "ambush"})
    done = after(start, deploy("bombard:b4", "a3"), rolled("red", 1, 0), Accept())
    steps: list[Step] = [Pass(), deploy("plan:1", 1), rolled("red", 1), Reroll("mobilise", "red"), Accept()]
    for step in steps:
        finding = refused(done, step, "game.over", "the game is already over")
        assert str(finding.citation) == "Game End, p. 10"
    assert owed(done) is None
    assert legal(done).spaces == {}
    assert not legal(done).may_pass


def test_dice_may_still_be_rolled_again_before_the_headquarters_is_given_up() -> None:
    start = rivers("e3:3 d4:1 c3:1 b4:1 b3:4", "a3:2", hands={"black": "ambush mobilise"})
    lost: list[Step] = [deploy("advance:a3", "b3:3"), rolled("black", 0)]
    assert after(start, *lost).winner is None
    again: list[Step] = [*lost, Reroll("mobilise", "black"), rolled("black", 2)]
    position = after(start, *again, Accept())
    assert (position.winner, units(position, "a3")) == (None, "black 1 troop")


# --- points -----------------------------------------------------------------------------


def test_the_higher_total_of_points_in_supply_wins() -> None:
    position = last_pass(*POINTS)
    assert (position.winner_name, position.reason) == ("black", "victory_points")
    assert score(position).vp == {"red": 3, "black": 5}


@pytest.mark.parametrize(
    ("attacker", "units", "source"),
    [
        ("red", ("e3:3 e4:2 d5:3", "a3:3 b3:1 b4:1 c4:2"), "d5:2"),
        ("black", ("e3:3 e4:2 d5:2 d4:1 c4:2", "a3:3 b3:1 b4:3 b5:2 c5:3"), "c5:2"),
    ],
)
def test_an_area_with_an_open_conflict_counts_once_for_its_defender(
    attacker: str, units: tuple[str, str], source: str
) -> None:
    """Conflicts: it is the attacker's only once the defender has no units left there."""
    start = rivers(*units, to_move=attacker)
    attacked = after(start, deploy("advance:c4", source))
    defender = "black" if attacker == "red" else "red"
    assert set(attacked.units_in("c4")) == {"red", "black"}
    assert score(attacked).areas[defender]["c4"] == 2
    assert score(attacked) == score(start)


def test_points_of_areas_that_are_cut_off_do_not_count() -> None:
    result = score(rivers("e3:3 c4:5 c5:5 c3:1", "a3:3 a1:1 b1:1"))
    assert result.vp == {"red": 0, "black": 1}
    assert result.areas == {"red": {}, "black": {"b1": 1}}
    assert result.winner == "black"
    assert "Red controls c4, but its supply line breaks at d" in " ".join(result.why)


@pytest.mark.parametrize("initiative", ["red", "black"])
def test_a_tie_goes_to_the_initiative_holder(initiative: str) -> None:
    position = last_pass("e3:1 e1:1 d1:1", "a3:1 a1:1 b1:1", initiative)
    assert position.winner_name == initiative
    assert f"{side(initiative)} has the initiative and wins the tie" in score(position).why[0]


def test_initiative_taken_in_the_fourth_round_counts_for_the_tie() -> None:
    last: dict[str, Any] = {"left": {"red": 0, "black": 1}, "standby": {"red": 5, "black": 4}}
    start = rivers("e3:1", "a3:1", to_move="black", round=4, initiative="red", **last)
    assert after(start, deploy("plan:1", 1)).winner_name == "black"
    assert after(start, deploy("plan:2", 2)).winner_name == "red"


def test_the_reasons_name_both_totals() -> None:
    assert score(rivers(*POINTS)).why[0] == "Black leads with 5 points to 3"
    assert score(rivers("e3:1 e1:1 d1:1")).why[0] == "Red leads with 1 point to 0"


@pytest.mark.parametrize(("red", "black", "winner"), [("e1:1 d1:1", "", "red"), ("", "a1:1 b1:1", "black")])
def test_each_side_can_win_on_points(red: str, black: str, winner: str) -> None:
    assert last_pass(f"e3:1 {red}", f"a3:1 {black}").winner_name == winner


def test_the_score_names_a_headquarters_that_stands_empty() -> None:
    assert score(rivers("d3:2")).empty_headquarters == ("red",)
    assert score(rivers("e3:2")).empty_headquarters == ()


def test_the_game_can_be_folded_to_its_end_from_its_steps() -> None:
    steps: list[Step] = [Pass()] * 40
    assert fold(rivers("e3:1", round=1), steps).reason == "victory_points"


@pytest.mark.parametrize("initiative", ["red", "black"])
def test_with_both_headquarters_emptied_at_once_the_initiative_holder_wins(initiative: str) -> None:
    result = score(rivers("d3:2", "b3:2", initiative=initiative))
    assert result.empty_headquarters == ("red", "black")
    assert (result.winner, result.reason, result.headquarters_winner) == (initiative, HQ_LOST, initiative)
    assert result.why == (
        f"both headquarters have fallen; {side(initiative)} has the initiative and wins (reading: both-hqs)",
    )


@pytest.mark.parametrize(("red", "black", "winner"), [("d3:2", "a3:1", "black"), ("e3:1", "b3:2", "red")])
def test_a_side_alone_in_its_headquarters_has_won(red: str, black: str, winner: str) -> None:
    result = score(rivers(red, black, initiative="red" if winner == "black" else "black"))
    assert (result.winner, result.reason, result.headquarters_winner) == (winner, HQ_LOST, winner)
    assert score(rivers("e3:1", "a3:1")).headquarters_winner is None


@pytest.mark.parametrize(
    ("red", "black", "rule"), [("d3:2", "a3:1", "game.headquarters"), ("d3:2", "", "game.both-hqs")]
)
def test_nothing_is_played_on_from_a_position_with_an_empty_headquarters(red: str, black: str, rule: str) -> None:
    position = rivers(red, black)
    assert legal(position) == Legal(may_pass=False, spaces={})
    for step in (Pass(), deploy("plan:1", 1)):
        finding = refused(position, step, rule)
        assert str(finding.citation) == "Game End, p. 10"
        assert [ruling.rule for ruling in examine(position, step).findings] == [rule], "nor does the game go on"
    half_way = replace(after(rivers("e3:3 d3:3", "a3:1 d2:1"), deploy("advance:d2", "d3:2")), units=position.units)
    refused(half_way, rolled("black", 1), rule)
    assert owed(half_way) is None


def test_a_headquarters_that_the_enemy_stands_in_is_lost_as_well() -> None:
    position = rivers("e3:1 a3:2", "b3:2")
    assert (score(position).winner, score(position).reason) == ("red", HQ_LOST)
    refused(position, Pass(), "game.headquarters", "Black has no units left in the headquarters (a3), so Red wins")


def test_the_players_may_still_put_it_right() -> None:
    position = rivers("d3:2")
    assert after(position, Agreed(areas=(("e3", (("red", "troop", 1),)),))).winner is None
    lost = after(rivers("e3:1", "a3:1"), Agreed(areas=(("e3", ()), ("a3", ()))))
    assert (lost.winner_name, lost.reason) == ("red", HQ_LOST)
