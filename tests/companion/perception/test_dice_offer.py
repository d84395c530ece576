"""Which of the dice that are seen are the roll: only new ones, and only as many as are owed."""

from __future__ import annotations

from companion.perception.dice import DiceOffer, DiceWatch
from tests.companion.perception.dice_looks import look
from vision.dice.reader import DiceReading, Die


def watched(*looks: DiceReading) -> DiceWatch:
    """Return a watch that saw an empty table first, then these looks."""
    watch = DiceWatch()
    for reading in (DiceReading(()), *looks):
        watch = watch.see(reading)
    return watch


def test_what_lies_there_at_first_sight_was_rolled_by_nobody() -> None:
    watch = DiceWatch()
    watch = watch.begin_turn()
    watch = watch.see(look(1, 2))
    assert watch.offer(2) is None
    watch = watch.see(look(1, 2, 0))
    assert watch.offer(1) == DiceOffer((0,))


def test_what_lay_there_before_the_turn_is_not_the_roll() -> None:
    watch = watched(look(1, 2))
    watch = watch.begin_turn()
    watch = watch.see(look(1, 2))
    assert watch.offer(2) is None


def test_exactly_the_owed_number_of_new_dice_is_offered_from_left_to_right() -> None:
    watch = watched(DiceReading(()))
    watch = watch.begin_turn()
    watch = watch.see(look(2, 1, 0))
    assert watch.offer(3) == DiceOffer((0, 2, 1))
    assert watch.offer(2) is None
    assert watch.offer(4) is None
    assert watch.offer(0) is None


def test_dice_rolled_before_the_app_asks_count() -> None:
    watch = watched(look(1, 1, 1, 1))
    watch = watch.begin_turn()
    watch = watch.see(look(2, 0, 1, 1, move=12))
    watch = watch.see(look(2, 0, 1, 1, move=12))
    assert watch.offer(4) == DiceOffer((1, 1, 2, 0))


def test_a_die_that_cannot_be_read_is_a_blank() -> None:
    watch = watched(DiceReading(()))
    watch = watch.begin_turn()
    watch = watch.see(look(1, None))
    assert watch.offer(2) == DiceOffer((1,))


def test_a_die_of_which_the_eye_is_not_sure_is_a_blank() -> None:
    watch = watched(look(1, 2, sure=0.7))
    assert watch.offer(2) == DiceOffer(())


def test_a_second_look_may_read_what_the_first_could_not() -> None:
    watch = watched(look(1, None), look(1, 2))
    assert watch.offer(2) == DiceOffer((1, 2))
    watch = watch.see(look(1, None))
    assert watch.offer(2) == DiceOffer((1, 2))


def test_after_a_roll_is_taken_its_dice_are_old_and_the_reroll_is_new() -> None:
    watch = watched(look(0, 0))
    assert watch.offer(2) == DiceOffer((0, 0))
    watch = watch.begin_turn()
    assert watch.offer(2) is None
    watch = watch.see(look(1, 2, move=9))
    assert watch.offer(2) == DiceOffer((1, 2))


def test_throws_of_a_turn_are_counted_by_their_dice() -> None:
    watch = watched(look(1, 2))
    assert len(watch.throws(2)) == 1
    watch = watch.begin_turn()
    watch = watch.see(look(1, 2))
    assert len(watch.throws(2)) == 0, "they lay there before"
    watch = watch.see(look(1, 1, move=12))
    watch = watch.see(look(1, 1, move=12))
    watch = watch.see(DiceReading(()))
    watch = watch.see(look(1, 1, move=12))
    assert len(watch.throws(2)) == 1, "a hand was over them"
    watch = watch.see(look(1, 1, move=12.5))
    watch = watch.see(look(1, 0, move=24))
    assert len(watch.throws(2)) == 2
    watch = watch.see(look(1, 2, move=24))
    assert (len(watch.throws(2)), len(watch.throws(1))) == (2, 1), "one die of two is no throw of both"
    watch = watch.begin_turn()
    assert len(watch.throws(2)) == 0


def test_dice_tidied_away_first_give_way_to_the_last_throw() -> None:
    watch = watched(look(1, 1, 1, 1))
    watch = watch.begin_turn()
    watch = watch.see(look(1, 1, 1, 1, move=30))
    assert watch.offer(1) is None
    last = look(1, 1, 1, 1, move=30)
    watch = watch.see(DiceReading((Die((-90.0, 10.0), 2, 0.99), *last.dice[1:])))
    assert watch.offer(1) == DiceOffer((2,))
    assert watch.offer(4) == DiceOffer((2, 1, 1, 1))


def test_one_die_rolled_beside_old_ones() -> None:
    watch = watched(look(1, 1))
    watch = watch.begin_turn()
    watch = watch.see(look(1, 1, 2))
    assert watch.offer(1) == DiceOffer((2,))


def test_a_die_missed_in_one_look_is_no_new_die() -> None:
    watch = watched(look(1, 2))
    watch = watch.begin_turn()
    watch = watch.see(look(1))
    watch = watch.see(look(1, 2))
    assert watch.offer(1) is None


def test_a_die_that_shows_another_face_was_rolled() -> None:
    watch = watched(look(1))
    watch = watch.begin_turn()
    watch = watch.see(look(2))
    assert watch.offer(1) == DiceOffer((2,))


def test_a_look_without_the_board_tells_nothing() -> None:
    watch = watched(look(1))
    watch = watch.see(DiceReading((), seen=False))
    assert watch.offer(1) == DiceOffer((1,))


def test_dice_that_were_taken_away_are_not_offered() -> None:
    watch = watched(look(1, 2), DiceReading(()))
    assert watch.offer(2) is None
