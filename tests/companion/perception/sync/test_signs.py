"""What the screen says while the board is quiet, while turns are looked for, and while a card may still be played."""

from __future__ import annotations

import threading

import pytest

from companion.games.match import Match
from companion.perception.area_questions import standing_in
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.sync.turn_progress import THINKING_S
from companion.perception.turn_inference import InlineExplainer, ThreadedExplainer, weigh_turns
from engine.orders import game
from engine.orders.inference.infer import Inference
from engine.orders.steps import Agreed, Pass
from engine.orders.turn import ready
from tests.companion.perception.seeing import reading_of
from tests.companion.perception.sync.table import ADVANCE, FEWER_S, Table, moved
from tests.companion.sample_games import up_to_a_window
from tests.patience import until


def test_a_board_as_recorded_is_in_sync_and_nothing_changes_by_looking_again(table: Table) -> None:
    assert table.look() == "sync"
    assert not table.minded.update(table.match, table.eye.glimpse(table.match), table.now_s + 1)


@pytest.mark.parametrize("state", ["hand", "moving"])
def test_while_something_moves_the_sign_says_so_and_the_last_meaning_stays(table: Table, state: str) -> None:
    assert table.lies(table.match.position, state=state) == state
    assert table.minded.sense.differences


def test_doubtful_and_covered_areas_make_it_unsure_not_out(table: Table) -> None:
    as_recorded = standing_in(table.match.position, "e3")
    assert table.lies(table.match.position, {"e3": ((as_recorded, 0.6), ((), 0.4))}) == "sync", (
        "what the game has there is likely beforehand"
    )
    assert table.lies(table.match.position, {"e3": (((), 0.85), (as_recorded, 0.15))}) == "sync", (
        "and not overruled by that"
    )
    assert table.lies(table.match.position, {"e3": (((), 0.89), (as_recorded, 0.05))}) == "unsure"
    table.eye.laid = TableView("settled", reading_of(table.match.position, covered=("b3", "a3")))
    assert table.look(60.0) == "unsure"


def test_an_open_window_for_cards_asks_nothing_of_the_board(table: Table) -> None:
    up_to_a_window(table.match)
    assert table.look() == "turn"
    assert table.look(THINKING_S) == "turn"


def test_a_piece_taken_away_while_a_window_is_open_is_said_at_once(table: Table) -> None:
    up_to_a_window(table.match)
    table.look()
    position = table.match.position
    lost = next(area for area in position.board.area_index if len(position.units_in(area)) == 1)
    assert table.lies(game.apply(ready(position, Pass()), Agreed(areas=((lost, ()),)))) == "turn"
    assert table.look(THINKING_S) == "out"
    assert {item.place for item in table.minded.sense.items} == {lost}
    assert table.lies(position) == "turn", "put back"


def test_who_plays_on_at_the_board_passes_the_window_by(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    assert table.lies(game.apply(table.match.position, turn), after_s=FEWER_S) == "proposal"
    first = table.minded.sense.explanations[0]
    assert first.steps[0] == turn
    assert table.match.offer(first.steps[0]).legal


def test_while_hands_are_there_an_open_window_stays_open(table: Table) -> None:
    turn = up_to_a_window(table.match)
    table.look()
    assert table.lies(game.apply(table.match.position, turn), state="hand") == "turn"


def test_the_board_of_a_turn_that_was_taken_stands_as_recorded_wherever_the_eye_only_doubts_it(table: Table) -> None:
    after = ready(game.apply(table.match.position, ADVANCE), Pass())
    as_recorded = standing_in(after, "e3")
    doubts = {"e3": (((), 0.89), (as_recorded, 0.05))}
    table.eye.laid = TableView("settled", reading_of(after, doubts, picture=True))
    table.look()
    assert table.look(60.0) == "proposal"
    table.match.offer(ADVANCE)
    assert table.look() == "sync", "people have said so, and nothing has changed since"


def test_while_it_thinks_the_last_meaning_stays(match: Match) -> None:
    class Slow:
        done = False

        def explanation(self, asked: InferenceRequest) -> Inference | None:
            return weigh_turns(asked) if self.done else None

    slow = Slow()
    minded = SyncMonitor(slow)
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs = [minded.sense.sign]
    slow.done = True
    minded.update(match, TableView("settled", reading_of(match.position)), 0.0)
    signs.append(minded.sense.sign)
    slow.done = False
    minded.update(match, TableView("settled", reading_of(game.apply(match.position, ADVANCE))), 0.0)
    assert [*signs, minded.sense.sign] == ["waiting", "sync", "sync"]


def waited_for(thinking: ThreadedExplainer, asked: InferenceRequest) -> Inference:
    assert until(lambda: thinking.explanation(asked) is not None), "the thread gave no answer"
    found = thinking.explanation(asked)
    assert found is not None
    return found


def test_the_thread_finds_what_is_found_at_once(match: Match) -> None:
    thinking = ThreadedExplainer()
    for n in (1, 2):
        asked = InferenceRequest(match.position, reading_of(game.apply(match.position, moved(n))))
        assert waited_for(thinking, asked) == InlineExplainer().explanation(asked)
        assert thinking.explanation(asked) is not None, "it is kept"
    thinking.close()
    thinking.join()


def test_a_fault_of_the_thread_comes_to_light(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(asked: InferenceRequest) -> Inference:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.perception.turn_inference.weigh_turns", breaks)
    thinking = ThreadedExplainer()
    asked = InferenceRequest(match.position, reading_of(match.position))
    with pytest.raises(ZeroDivisionError):
        waited_for(thinking, asked)
    thinking.join()


def test_the_thread_leaves_out_what_nobody_waits_for_any_more(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    began, may_end = threading.Event(), threading.Event()
    explained: list[InferenceRequest] = []

    def slowly(asked: InferenceRequest) -> Inference:
        explained.append(asked)
        began.set()
        may_end.wait()
        return Inference((), ())

    monkeypatch.setattr("companion.perception.turn_inference.weigh_turns", slowly)
    thinking = ThreadedExplainer()
    first, second, third = (InferenceRequest(match.position, reading_of(match.position)) for _ in range(3))
    thinking.explanation(first)
    began.wait()
    thinking.explanation(second)
    thinking.explanation(third)
    may_end.set()
    assert waited_for(thinking, third) == Inference((), ())
    assert explained == [first, third]
    thinking.close()
    thinking.join()
