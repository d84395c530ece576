"""A turn done on the board: proposed, taken, refused."""

from __future__ import annotations

from companion.perception.sync.judgement import OUT_AFTER_S
from companion.perception.sync.state import CameraIgnored, TurnsRefused
from engine.orders import game
from engine.orders.steps import Pass
from tests.companion.perception.sync.table import ADVANCE, Table


def test_a_turn_done_on_the_board_is_proposed_and_nothing_is_played(table: Table) -> None:
    table.look()
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    assert table.look() == "proposal"
    assert table.minded.sense.explanations[0].steps[0] == ADVANCE
    assert table.match.steps == ()


def test_taken_it_is_in_sync(table: Table) -> None:
    table.eye.lay(game.apply(table.match.position, ADVANCE))
    table.look()
    table.take()
    assert table.look() == "sync"


def test_a_turn_that_was_refused_is_not_proposed_again_but_put_right(table: Table) -> None:
    table.look()
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
