"""World War II, Ending the Game: a headquarters lost, or four rounds played."""

from __future__ import annotations

from engine.orders.steps import Pass
from engine.ruling import cited_from
from tests.tables import after, deploy, refused, rolled, units, valley

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
    with cited_from("pt"):
        assert str(finding.citation) == "Fim de Jogo"


def test_after_four_rounds_most_points_in_supply_win() -> None:
    position = after(valley("a1:3 a2:1 b1:1", "c3:3 c2:1", round=4), Pass(), Pass())
    assert (position.winner_name, position.reason) == ("blue", "victory_points")
