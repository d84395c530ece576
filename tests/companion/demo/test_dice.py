"""The simulated table's dice: thrown beside the board, seen by the real eye, offered as the roll."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.demo.player import SimulatedEye, set_up
from companion.demo.table import IN_THE_BOX, SimulatedDice
from companion.perception.dice import DiceWatch
from engine.orders.board import load_board
from engine.orders.game import apply, legal, new_game, owed
from engine.orders.position import Position
from engine.orders.steps import Deploy
from tests.vision.tables import four_areas
from vision.simulation.table import Scene, Studio


def dice(seed: int = 3) -> SimulatedDice:
    return SimulatedDice(Studio(four_areas(), Scene(clutter_seed=None)), seed)


def test_thrown_dice_show_what_was_rolled_and_the_others_stay() -> None:
    table = dice()
    table.throw((1, 0, 2))
    assert [die.faces[0] for die in table.lying] == [1, 0, 2]
    kept = table.lying[1:]
    table.throw((1,))
    assert table.lying[:2] == kept
    assert table.lying[2].faces == (1, *table.lying[2].faces[1:])
    assert sorted(table.lying[2].faces) == [0, 1, 1, 1, 1, 2]


def test_dice_lie_beside_the_board_and_not_on_each_other() -> None:
    table = dice()
    table.roll((0, 1, 1, 1, 1, 2), 4)
    width, height = four_areas().size_mm
    for die in table.lying:
        x, y, _ = die.middle_mm
        assert not (0 < x < width and 0 < y < height)
        others = [other for other in table.lying if other is not die]
        assert all((x - o.middle_mm[0]) ** 2 + (y - o.middle_mm[1]) ** 2 > 20**2 for o in others)
    assert len(table.roll((0, 1, 1, 1, 1, 2), 9)) == len(table.lying) == IN_THE_BOX, "there are no more in the box"


@pytest.mark.long
def test_the_eye_reads_the_roll_that_is_owed() -> None:
    board = load_board("sengoku-rivers")
    eye = SimulatedEye(2, throws=True)
    first = new_game(board.name, *set_up(board, 2))
    owing = apply(first, _shot(first))
    due = owed(owing)
    assert due is not None
    assert due.wants == "roll"
    watch = DiceWatch()
    for position in (first, owing):
        seen = eye.look(position).dice
        assert seen is not None
        watch = watch.see(seen)
        if position is first:
            watch = watch.begin_turn()
    thrown = sorted(die.faces[0] for die in eye.table_for(board)[0].dice.lying)
    offer = watch.offer(due.dice)
    assert offer is not None
    assert len(offer.faces) <= due.dice == len(thrown)
    assert not Counter(offer.faces) - Counter(thrown)


def _shot(position: Position) -> Deploy:
    """Any shot that the faction to move may begin with; it owes a roll."""
    offers = legal(position).spaces
    space, offer = next((space, offer) for space, offer in offers.items() if offer.targets)
    return Deploy(space, target=offer.targets[0])
