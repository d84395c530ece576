"""What the camera means as a sign: in sync, moving, lost, unsure, ignored."""

from __future__ import annotations

import pytest

from companion.games.match import Match
from companion.perception.area_questions import standing_in
from companion.perception.sync.judgement import OUT_AFTER_S
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.state import CameraIgnored
from companion.perception.sync.status import TableView
from companion.perception.turn_inference import InlineExplainer
from engine.orders import game
from engine.orders.steps import Deploy, Pass
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import Table


def test_without_a_camera_it_means_nothing(match: Match) -> None:
    minded = SyncMonitor(InlineExplainer())
    assert not minded.update(match, None, 0.0)
    assert minded.sense.sign == "off"


def test_a_board_as_recorded_is_in_sync_and_nothing_changes_by_looking_again(table: Table) -> None:
    assert table.look() == "sync"
    assert not table.minded.update(table.match, table.eye.glimpse(table.match), table.now_s + 1)


@pytest.mark.parametrize("state", ["hand", "moving"])
def test_while_something_moves_the_sign_says_so_and_the_last_meaning_stays(table: Table, state: str) -> None:
    table.look()
    table.eye.lay(table.match.position, state=state)
    assert table.look() == state
    assert table.minded.sense.differences


def test_a_lost_camera_says_why(table: Table) -> None:
    table.eye.laid = TableView("lost", fault="no camera at /dev/video0")
    assert table.look() == "lost"
    assert table.minded.sense.fault == "no camera at /dev/video0"


def test_before_the_first_reading_it_waits(table: Table) -> None:
    table.eye.laid = TableView("waiting")
    assert table.look() == "waiting"


def test_inside_a_turn_the_pieces_are_on_their_way(table: Table) -> None:
    table.match.offer(Deploy("advance:c4", moves=(("d5", "troop", 2),)))
    table.match.offer(Pass())
    table.match.offer(Deploy("advance:b5", moves=(("c4", "troop", 1),)))
    assert game.owed(table.match.position) is not None
    assert table.look() == "turn"


def test_doubtful_and_covered_areas_make_it_unsure_not_out(table: Table) -> None:
    as_recorded = standing_in(table.match.position, "e3")
    table.eye.lay(table.match.position, {"e3": ((as_recorded, 0.6), ((), 0.4))})
    assert table.look() == "sync", "what the game has there is likely beforehand"
    table.eye.lay(table.match.position, {"e3": (((), 0.85), (as_recorded, 0.15))})
    assert table.look() == "sync", "and not overruled by that"
    table.eye.lay(table.match.position, {"e3": (((), 0.89), (as_recorded, 0.05))})
    assert table.look() == "unsure"
    table.eye.laid = TableView("settled", reading_of(table.match.position, covered=("b3", "a3")))
    assert table.look(60.0) == "unsure"


def test_ignored_it_says_only_that(table: Table) -> None:
    table.eye.lay(table.wrong())
    table.minded.advance(CameraIgnored(True))
    assert table.look(60.0) == "ignored"
    table.minded.advance(CameraIgnored(False))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"
