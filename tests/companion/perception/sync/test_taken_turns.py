"""Turns done on the board: proposed, taken, refused; a touch on a turn is no count; taken back on the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.match import Match
from companion.perception.adapters import record_of
from companion.perception.area_questions import standing_in
from companion.perception.sync.judgement import OUT_AFTER_S, taken_back
from companion.perception.sync.state import AreaCounted, CameraIgnored, TurnLaid, TurnsRefused
from companion.perception.sync.status import TableView
from companion.perception.sync.turn_progress import PAUSE_S, THINKING_S
from engine.orders import game
from engine.orders.steps import Agreed, Deploy, Pass, Roll
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, FEWER_S, ONE_BLACK, ONE_RED, THREE, TWO, Table, moved

ANSWER = Deploy("advance:c5", moves=(("b5", "troop", 2),))
REINFORCE = Deploy("reinforce:1", place=(("d3", "troop", 3), ("e1", "troop", 3)))
FEWER = replace(REINFORCE, place=(("d3", "troop", 3), ("e1", "troop", 2)))


def test_a_turn_that_was_refused_is_not_proposed_again_but_put_right(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    while table.look() == "proposal":
        table.minded.advance(TurnsRefused())
    assert table.minded.sense.sign == "waiting"
    assert table.look(OUT_AFTER_S) == "out"
    assert {item.place for item in table.minded.sense.items} == {"c4", "d5", "advance:c4"}
    table.minded.advance(CameraIgnored(False))
    assert table.look() == "proposal"


def test_a_step_taken_forgets_what_was_refused(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    table.minded.advance(TurnsRefused())
    table.match.offer(Pass())
    table.look()
    table.match.undo()
    assert table.look() == "proposal"


# ---- a touch against what the eye is sure of ----------------------------------------------------------


@pytest.fixture(params=[(0.8999, True), (0.8999, False), (0.998, True), (0.998, False)])
def mistaken(table: Table, request: pytest.FixtureRequest) -> Table:
    """Two troops came to e1, of which the eye is nearly sure; a touch has taken the turn in which three came."""
    sure, picture = request.param
    few, many = (game.apply(table.match.position, step) for step in (FEWER, REINFORCE))
    two, three = (standing_in(position, "e1") for position in (few, many))
    doubts = {"e1": ((two, sure), (three, 1 - sure))}
    table.eye.laid = TableView("settled", reading_of(few, doubts, picture=picture))
    table.look()
    assert table.look(FEWER_S) == "proposal"
    for step in next(
        explanation for explanation in table.minded.sense.explanations if explanation.steps[0] == REINFORCE
    ).steps:
        table.match.offer(step)
    table.look()
    return table


def disputed(table: Table) -> set[tuple[str, int]]:
    return {(item.place, item.more) for item in table.minded.sense.disputed}


def test_a_turn_that_was_touched_is_no_count(mistaken: Table) -> None:
    for _minute in range(3):
        assert mistaken.look(60.0) == "behind", "the board isn't as recorded, however long that goes on"
        assert disputed(mistaken) == {("e1", -1)}
        assert {
            difference.area for difference in mistaken.minded.sense.differences or () if difference.state == "differs"
        } == {"e1"}


def test_put_right_on_the_board_nothing_is_left_of_it(mistaken: Table) -> None:
    mistaken.look()
    mistaken.eye.follow()
    assert mistaken.look() == "sync"
    assert not disputed(mistaken)


def test_counted_by_people_as_the_game_has_it_it_is_settled(mistaken: Table) -> None:
    mistaken.look()
    mistaken.minded.advance(AreaCounted("e1", standing_in(mistaken.match.position, "e1")))
    assert mistaken.look() == "sync"


def test_counted_by_people_as_the_eye_has_it_the_board_differs(mistaken: Table) -> None:
    mistaken.look()
    mistaken.minded.advance(AreaCounted("e1", mistaken.minded.state.answers.disputed["e1"]))
    mistaken.look()
    assert mistaken.look(60.0) == "out"


def test_taken_back_in_the_record_the_turn_that_was_done_is_proposed(mistaken: Table) -> None:
    mistaken.look()
    mistaken.match.undo()
    mistaken.look()
    assert mistaken.look(FEWER_S) == "proposal"
    assert mistaken.minded.sense.explanations[0].steps[0] in (FEWER, replace(FEWER, space="reinforce:2"))
    assert not disputed(mistaken)


def test_the_next_turn_is_proposed_and_what_is_amiss_is_said_beside_it(mistaken: Table) -> None:
    mistaken.look()
    few = Agreed(areas=(("e1", mistaken.minded.state.answers.disputed["e1"]),))
    mistaken.eye.lay(game.apply(game.apply(mistaken.match.position, ANSWER), few))
    mistaken.look()
    assert mistaken.look(FEWER_S) == "proposal"
    assert mistaken.minded.sense.explanations[0].steps[0] == ANSWER
    assert {("e1", -1)} <= {(item.place, item.more) for item in mistaken.minded.sense.items}
    mistaken.take()
    mistaken.look()
    assert mistaken.look(60.0) == "behind"
    assert disputed(mistaken) == {("e1", -1)}, "as long as it isn't put right"


def test_while_hands_are_at_it_what_was_said_stays(mistaken: Table) -> None:
    mistaken.look()
    glimpse = mistaken.eye.glimpse(mistaken.match)
    assert glimpse.reading is not None
    mistaken.eye.laid = TableView("moving", glimpse.reading)
    assert mistaken.look() == "moving"
    assert disputed(mistaken) == {("e1", -1)}


def test_with_pictures_it_stays_as_long_as_the_area_looks_the_same(match: Match) -> None:
    table = Table(match)
    table.look()
    seen = reading_of(game.apply(match.position, moved(1)), picture=True)
    table.eye.laid = TableView("settled", seen)
    table.look()
    assert table.look(FEWER_S) == "proposal"
    match.offer(ADVANCE)
    table.minded.advance(TurnLaid())
    table.look()
    assert table.look(60.0) == "behind"
    wavers = reading_of(match.position, dict.fromkeys(("c4", "d5"), ((TWO, 0.6), (ONE_RED, 0.4))), picture=True)
    table.eye.laid = TableView("settled", wavers)
    assert table.look(60.0) == "behind", "it looks as it did"
    right = reading_of(match.position, picture=True)
    table.eye.laid = TableView("settled", right)
    assert table.look() == "sync", "a second disc on one changes little"


def test_what_is_said_to_be_laid_but_is_not_stays_until_it_is(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, FEWER))
    table.look()
    table.match.offer(REINFORCE)
    table.minded.advance(TurnLaid())
    table.look()
    assert table.look(60.0) == "behind"
    assert disputed(table) == {("e1", -1)}
    table.eye.follow()
    assert table.look() == "sync"


def test_a_next_turn_that_was_done_already_is_no_dispute(table: Table) -> None:
    """Both turns stand on the board before the first is taken."""
    both = game.apply(game.apply(table.match.position, ADVANCE), ANSWER)
    table.eye.lay(both)
    table.look()
    table.match.offer(ADVANCE)
    table.minded.advance(TurnLaid())
    table.look()
    assert table.look(FEWER_S) == "proposal"
    assert table.minded.sense.explanations[0].steps[0] == ANSWER
    assert not disputed(table)


def taken(table: Table) -> Table:
    """Return a table at which a turn was done, seen and taken."""
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    table.take()
    assert table.look() == "sync"
    return table


def test_a_turn_that_is_taken_back_on_the_board_is_noticed(table: Table) -> None:
    start = table.match.position
    taken(table).eye.lay(start)
    assert table.look() == "waiting", "hands may go on"
    assert table.look(PAUSE_S) == "out"
    assert table.minded.sense.taken_back == 0
    table.match.undo()
    assert table.look() == "sync"


def test_people_may_say_that_it_was_not_taken_back(table: Table) -> None:
    start = table.match.position
    taken(table).eye.lay(start)
    table.look()
    table.look(PAUSE_S)
    table.minded.advance(TurnsRefused())
    table.look()
    assert table.look(60.0) == "out"
    assert table.minded.sense.taken_back is None
    assert {item.place for item in table.minded.sense.items} == {"c4", "d5", "advance:c4"}


def test_half_of_it_taken_back_is_not_all_of_it(table: Table) -> None:
    start = table.match.position
    taken(table).eye.lay(game.apply(start, Agreed(areas=(("c4", ONE_RED), ("d5", TWO)), spaces=())))
    table.look()
    table.look(60.0)
    assert table.minded.sense.taken_back is None


def test_without_a_turn_nothing_was_taken_back(match: Match) -> None:
    assert taken_back(record_of(match), (), reading_of(match.position)) is None


@pytest.mark.parametrize("sure", [0.4, 0.99])
def test_no_turn_is_offered_before_the_roll_where_both_sides_probably_stand(table: Table, sure: float) -> None:
    """How many there are may be doubtful: no count of them is likelier than that both sides are there."""
    table.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    table.look()
    attack = Deploy("advance:c5", moves=(("d5", "troop", 2),))
    moved_in = game.apply(table.match.position, attack)
    counts = [ONE_BLACK + TWO, ONE_BLACK + THREE, ONE_BLACK + ONE_RED]
    rest = round((0.999 - sure) / 2, 4)
    table.eye.lay(moved_in, {"c5": tuple(zip(counts, (sure, rest, rest), strict=True))})
    for _look in range(4):
        table.look(10.0)
        assert not table.minded.sense.explanations
        assert table.minded.sense.sign in ("dice", "out")
    assert table.lies(game.fold(table.match.position, (attack, Roll((0,), "black"))), after_s=FEWER_S) == "proposal"


def test_where_more_is_amiss_than_a_fight_people_have_time_to_think_first(table: Table) -> None:
    table.match.offer(Agreed(areas=(("c5", ONE_BLACK),)))
    table.look()
    moved_in = game.apply(table.match.position, Deploy("advance:c5", moves=(("d5", "troop", 2),)))
    assert table.lies(game.apply(moved_in, Agreed(areas=(("b3", (("black", "troop", 4),)),)))) == "dice"
    assert table.look(THINKING_S - 0.1) == "dice"
    assert table.look(0.1) == "out"
    assert "b3" in {item.place for item in table.minded.sense.items}
