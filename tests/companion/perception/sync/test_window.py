"""While a card may still be played."""

from __future__ import annotations

from companion.perception.area_questions import standing_in
from companion.perception.sync.status import TableView
from companion.perception.sync.turn_progress import THINKING_S
from engine.orders import game
from engine.orders.steps import Agreed, Pass
from engine.orders.turn import ready
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, FEWER_S, Table
from tests.companion.sample_games import up_to_a_window


def test_an_open_window_for_cards_asks_nothing_of_the_board(table: Table) -> None:
    up_to_a_window(table.match)
    assert table.look() == "turn"
    assert table.look(THINKING_S) == "turn"


def test_a_piece_taken_away_while_a_window_is_open_is_said_at_once(table: Table) -> None:
    up_to_a_window(table.match)
    table.look()
    position = table.match.position
    lost = next(area for area in position.board.area_index if len(position.units_in(area)) == 1)
    table.eye.lay(game.apply(ready(position, Pass()), Agreed(areas=((lost, ()),))))
    assert table.look() == "turn"
    assert table.look(THINKING_S) == "out"
    assert {item.place for item in table.minded.sense.items} == {lost}
    table.eye.lay(position)
    assert table.look() == "turn", "put back"


def test_who_plays_on_at_the_board_passes_the_window_by(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    table.eye.lay(game.apply(table.match.position, turn))
    table.look()
    assert table.look(FEWER_S) == "proposal"
    first = table.minded.sense.explanations[0]
    assert first.steps[0] == turn
    assert table.match.offer(first.steps[0]).legal


def test_while_hands_are_there_an_open_window_stays_open(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    table.eye.lay(game.apply(table.match.position, turn), state="hand")
    assert table.look() == "turn"


def test_the_board_of_a_turn_that_was_taken_stands_as_recorded_wherever_the_eye_only_doubts_it(table: Table) -> None:
    after = ready(game.apply(table.match.position, ADVANCE), Pass())
    as_recorded = standing_in(after, "e3")
    doubts = {"e3": (((), 0.89), (as_recorded, 0.05))}
    table.eye.laid = TableView("settled", reading_of(after, doubts, picture=True))
    table.look()
    assert table.look(60.0) == "proposal"
    table.match.offer(ADVANCE)
    assert table.look() == "sync", "people have said so, and nothing has changed since"
