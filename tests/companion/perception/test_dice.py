"""Dice in sight: only new ones, and only as many as are owed, are the roll; they are part of the turn."""

from __future__ import annotations

import pytest

from companion.games.match import Match
from companion.perception.dice import DiceOffer, DiceWatch, with_dice
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.steps import Agreed, Deploy, Roll
from tests.companion.perception.seeing import dice_look
from tests.companion.perception.sync.table import Table, begun
from vision.dice.reader import DiceReading, Die


def watched(*looks: DiceReading) -> DiceWatch:
    """Return a watch that saw an empty table first, then these looks."""
    watch = DiceWatch()
    for reading in (DiceReading(()), *looks):
        watch = watch.see(reading)
    return watch


def test_what_lies_there_at_first_sight_was_rolled_by_nobody() -> None:
    watch = DiceWatch().begin_turn().see(dice_look(1, 2))
    assert watch.offer(2) is None
    watch = watch.see(dice_look(1, 2, 0))
    assert watch.offer(1) == DiceOffer((0,))


MOVED = dice_look(2, 0, 1, 1, move=12)


@pytest.mark.parametrize(
    ("watch", "owed", "offered"),
    [
        (watched(dice_look(1, 2)).begin_turn().see(dice_look(1, 2)), 2, None),
        (watched(dice_look(1, 1, 1, 1)).begin_turn().see(MOVED).see(MOVED), 4, DiceOffer((1, 1, 2, 0))),
        (watched(dice_look(1)).begin_turn().see(dice_look(2)), 1, DiceOffer((2,))),
        (watched(dice_look(1, 1)).begin_turn().see(dice_look(1, 1, 2)), 1, DiceOffer((2,))),
        (watched(dice_look(1, 2)).begin_turn().see(dice_look(1)).see(dice_look(1, 2)), 1, None),
        (watched(dice_look(1, None)), 2, DiceOffer((1,))),
        (watched(dice_look(1, 2, sure=0.7)), 2, DiceOffer(())),
        (watched(dice_look(1)).see(DiceReading((), seen=False)), 1, DiceOffer((1,))),
        (watched(dice_look(1, 2), DiceReading(())), 2, None),
    ],
    ids=[
        "lay there before the turn",
        "rolled before the app asks",
        "turned to another face",
        "one rolled beside old ones",
        "missed in one look",
        "one that can't be read",
        "not sure of them",
        "a look without the board",
        "taken away",
    ],
)
def test_what_is_offered_for_the_roll(watch: DiceWatch, owed: int, offered: DiceOffer | None) -> None:
    assert watch.offer(owed) == offered


def test_exactly_the_owed_number_of_new_dice_is_offered_from_left_to_right() -> None:
    watch = watched(DiceReading(())).begin_turn().see(dice_look(2, 1, 0))
    assert watch.offer(3) == DiceOffer((0, 2, 1))
    assert watch.offer(2) is None
    assert watch.offer(4) is None
    assert watch.offer(0) is None


def test_a_second_look_may_read_what_the_first_could_not() -> None:
    watch = watched(dice_look(1, None), dice_look(1, 2))
    assert watch.offer(2) == DiceOffer((1, 2))
    watch = watch.see(dice_look(1, None))
    assert watch.offer(2) == DiceOffer((1, 2))


def test_after_a_roll_is_taken_its_dice_are_old_and_the_reroll_is_new() -> None:
    watch = watched(dice_look(0, 0))
    assert watch.offer(2) == DiceOffer((0, 0))
    watch = watch.begin_turn()
    assert watch.offer(2) is None
    watch = watch.see(dice_look(1, 2, move=9))
    assert watch.offer(2) == DiceOffer((1, 2))


def test_throws_of_a_turn_are_counted_by_their_dice() -> None:
    watch = watched(dice_look(1, 2))
    assert len(watch.throws(2)) == 1
    watch = watch.begin_turn().see(dice_look(1, 2))
    assert len(watch.throws(2)) == 0, "they lay there before"
    watch = (
        watch.see(dice_look(1, 1, move=12))
        .see(dice_look(1, 1, move=12))
        .see(DiceReading(()))
        .see(dice_look(1, 1, move=12))
    )
    assert len(watch.throws(2)) == 1, "a hand was over them"
    watch = watch.see(dice_look(1, 1, move=12.5)).see(dice_look(1, 0, move=24))
    assert len(watch.throws(2)) == 2
    watch = watch.see(dice_look(1, 2, move=24))
    assert (len(watch.throws(2)), len(watch.throws(1))) == (2, 1), "one die of two is no throw of both"
    watch = watch.begin_turn()
    assert len(watch.throws(2)) == 0


def test_dice_tidied_away_first_give_way_to_the_last_throw() -> None:
    watch = watched(dice_look(1, 1, 1, 1)).begin_turn().see(dice_look(1, 1, 1, 1, move=30))
    assert watch.offer(1) is None
    last = dice_look(1, 1, 1, 1, move=30)
    watch = watch.see(DiceReading((Die((-90.0, 10.0), 2, 0.99), *last.dice[1:])))
    assert watch.offer(1) == DiceOffer((2,))
    assert watch.offer(4) == DiceOffer((2, 1, 1, 1))


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
    table.dice = watched(dice_look(*faces))
    assert table.lies(game.fold(table.match.position, (shot, Roll(faces, "red")))) == "proposal"
    first, *_rest = table.minded.sense.explanations
    assert first.steps[:2] == (shot, Roll(faces, "red"))


def test_a_miss_whose_dice_are_in_sight_is_proposed_at_once(table: Table) -> None:
    shot, dice = two_ships_shell(table)
    begun(table, shot.space)
    assert table.look() == "dice"
    table.dice = watched(dice_look(*[0] * dice))
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[1] == Roll((0,) * dice, "red")
    table.dice = watched(dice_look(*[1] * dice))
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
    found = with_dice(turns, match.position, watched(dice_look(1, 1)).offer)
    assert [explanation.steps[1] for explanation in found] == [Roll((1, 1), "red"), Roll((0, 1), "red")]
    assert sum(explanation.likelihood for explanation in found) == pytest.approx(1.0)
    assert with_dice(turns, match.position, lambda dice: None) == tuple(turns)
    assert with_dice(turns, match.position, lambda dice: DiceOffer((1,))) == tuple(turns), "one can't be read"
