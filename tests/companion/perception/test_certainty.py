"""How sure a proposal is called: never of what no look at the table could rule out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.match import Match
from companion.perception.certainty import MOST, REROLLED, temper_turns
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, OtherCorrections, Pass, Roll, Step

ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
FEWER = Deploy("advance:c4", moves=(("d5", "troop", 1),))


def turn(position: Position, *steps: Step, likelihood: float = 0.99) -> Explanation:
    return Explanation(steps, game.fold(position, steps), "", likelihood)


def test_a_turn_that_shows_is_as_sure_as_it_is(match: Match) -> None:
    turns = (turn(match.position, ADVANCE), turn(match.position, FEWER, likelihood=0.01))
    assert temper_turns(turns, match.position) == turns


def test_what_may_be_the_beginning_of_a_fuller_turn_is_not_sure(match: Match) -> None:
    for fuller, sure in ((0.0, 0.99), (0.1, 0.99), (0.2, MOST), (3.0, MOST)):
        [said] = temper_turns((turn(match.position, FEWER),), match.position, fuller=fuller)
        assert said.likelihood == sure


def test_a_turn_is_no_surer_than_what_the_eye_makes_of_the_table(match: Match) -> None:
    [said] = temper_turns((turn(match.position, ADVANCE),), match.position, doubtful=True)
    assert said.likelihood == MOST < 0.9


def test_another_turn_that_leaves_the_same_table_leaves_it_open(match: Match) -> None:
    position = match.position
    first = turn(position, Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3))))
    rival = replace(first, likelihood=0.02)
    assert [explanation.likelihood for explanation in temper_turns((first, rival), position)] == [MOST, 0.02]
    assert temper_turns((first, replace(rival, likelihood=0.001)), position)[0] == first, "it is far less likely"


def test_a_card_for_an_extra_commander_leaves_open_whether_a_round_has_ended(match: Match) -> None:
    ended = turn(match.position, ADVANCE)
    ended = replace(ended, position=replace(ended.position, round=2, commanders=(0, 0)))
    rival = turn(match.position, ADVANCE, likelihood=0.02)
    elsewhere = replace(rival, steps=(Deploy("advance:b3", moves=ADVANCE.moves),))
    idle = turn(match.position, Pass(), likelihood=0.02)
    said = [
        temper_turns((ended, explanation), match.position)[0].likelihood for explanation in (rival, elsewhere, idle)
    ]
    assert said == [MOST, 0.99, 0.99]


def test_dice_may_have_been_rolled_again_where_somebody_has_a_card_for_it(match: Match) -> None:
    match.offer(Agreed(areas=(("d5", (("black", "troop", 1),)),)))
    shot = (Deploy("bombard:e4", target="d5"), Roll((1, 1, 1), "red"))
    [bare] = temper_turns((turn(match.position, *shot),), match.position)
    match.offer(Agreed(other=OtherCorrections(hands=(("red", 1),))))
    [held] = temper_turns((turn(match.position, *shot),), match.position)
    assert bare.likelihood == 0.99
    assert held.likelihood == pytest.approx(0.99 * (1 - REROLLED))
    assert held.likelihood < 0.9
