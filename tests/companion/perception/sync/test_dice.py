"""Dice that lie in sight are part of the turn."""

from __future__ import annotations

import pytest

from companion.games.match import Match
from companion.perception.dice import DiceOffer, DiceWatch, with_dice
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.steps import Agreed, Deploy, Roll
from tests.companion.perception.dice_looks import look
from tests.companion.perception.sync.table import Table, begun
from vision.dice.reader import DiceReading


def lying(*faces: int) -> DiceWatch:
    return DiceWatch().see(DiceReading(())).see(look(*faces))


def two_ships_shell(table: Table) -> tuple[Deploy, int]:
    """Return one of red's shots at black troops, and how many dice it has."""
    table.match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),)))
    shot = Deploy("shell:d3", target="c2")
    owes = game.owed(game.apply(table.match.position, shot))
    assert owes is not None
    table.look()
    return shot, owes.dice


def test_dice_that_lie_there_are_part_of_the_turn_that_is_proposed(table: Table) -> None:
    shot, dice = two_ships_shell(table)
    assert dice > 1
    faces = (2, *[0] * (dice - 1))
    assert faces != (1, 1), "not what is likeliest for as many pips"
    table.dice = lying(*faces)
    table.eye.lay(game.fold(table.match.position, (shot, Roll(faces, "red"))))
    assert table.look() == "proposal"
    first, *_rest = table.minded.sense.explanations
    assert first.steps[:2] == (shot, Roll(faces, "red"))


def test_a_miss_whose_dice_are_in_sight_is_proposed_at_once(table: Table) -> None:
    shot, dice = two_ships_shell(table)
    begun(table, shot.space)
    assert table.look() == "dice"
    table.dice = lying(*[0] * dice)
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[1] == Roll((0,) * dice, "red")
    table.dice = lying(*[1] * dice)
    assert table.look() == "dice", "what they hit is still to be taken off"


def test_a_turn_that_needs_other_dice_than_lie_there_comes_after_one_that_needs_these(match: Match) -> None:
    match.offer(Agreed(areas=(("c2", (("black", "ship", 3),)),)))
    shot = Deploy("shell:d3", target="c2")
    begun = game.apply(match.position, shot)
    faces = [(0, 1), (1, 1)]
    ends = [game.apply(begun, Roll(roll, "red")) for roll in faces]
    turns = [
        Explanation((shot, Roll(roll, "red")), end, "", p) for roll, end, p in zip(faces, ends, (0.6, 0.4), strict=True)
    ]
    found = with_dice(turns, match.position, lying(1, 1).offer)
    assert [explanation.steps[1] for explanation in found] == [Roll((1, 1), "red"), Roll((0, 1), "red")]
    assert sum(explanation.likelihood for explanation in found) == pytest.approx(1.0)
    assert with_dice(turns, match.position, lambda dice: None) == tuple(turns)
    assert with_dice(turns, match.position, lambda dice: DiceOffer((1,))) == tuple(turns), "one can't be read"
