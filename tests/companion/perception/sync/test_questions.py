"""Areas and turns that the eye is not sure of: what is asked, and what an answer holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.games.match import Match
from companion.perception.area_questions import answers_for, area_question, number_to_offer, standing_in
from companion.perception.known_areas import with_answers
from companion.perception.sync.judgement import OUT_AFTER_S
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.state import AreaCounted, TurnsRefused
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.sync.turn_progress import PAUSE_S, THINKING_S
from companion.perception.turn_inference import InlineExplainer
from engine.orders import game
from engine.orders.inference.infer import Explanation, Inference
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy
from tests.companion.perception.seeing import Exact, reading_of
from tests.companion.perception.sync.table import ADVANCE, ONE_RED, THREE, TWO, Table, moved, speckled
from vision.geometry import Picture
from vision.reading.count import Combo
from vision.reading.pieces import Piece
from vision.reading.read import Reading


class Torn:
    """An explainer that cannot choose between turns."""

    def __init__(self, position: Position, turns: tuple[tuple[Deploy, float], ...]) -> None:
        self.asked: list[InferenceRequest] = []
        found = [game.apply(position, step) for step, _chance in turns]
        self.inference = Inference(
            tuple(Explanation((step,), after, "", chance) for (step, chance), after in zip(turns, found, strict=True)),
            (),
        )

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        self.asked.append(asked)
        return self.inference


def weighed(
    match: Match, turns: tuple[tuple[Deploy, float], ...], seen: Reading, *at_s: float
) -> tuple[SyncMonitor, Torn]:
    """Return a monitor that saw this at these moments, and its explainer, which cannot choose between the turns."""
    explainer = Torn(match.position, turns)
    monitor = SyncMonitor(explainer)
    for now_s in at_s:
        monitor.update(match, TableView("settled", seen), now_s)
    return monitor, explainer


def one_more(table: Table) -> tuple[Combo, Combo]:
    """Return what the game has in b3, and the same with one more of each kind."""
    has = standing_in(table.match.position, "b3")
    return has, tuple((who, unit, n + 1) for who, unit, n in has)


def test_where_turns_differ_in_an_area_it_is_not_sure_of_it_asks_there(match: Match) -> None:
    after = game.apply(match.position, moved(1))
    reading = reading_of(after, {"c4": ((ONE_RED, 0.5), (TWO, 0.45), (THREE, 0.04), ((), 0.005))})
    minded, explainer = weighed(match, ((moved(1), 0.4), (moved(2), 0.4)), reading, 0.0)
    assert minded.sense.question is None, "not while hands may go on"
    minded.update(match, TableView("settled", reading), PAUSE_S)
    asked = minded.sense.question
    assert asked is not None
    assert asked.area == "c4"
    assert asked.answers == (ONE_RED, TWO, THREE, ()), "what the game has there is offered too"
    minded.advance(AreaCounted("c4", TWO))
    minded.update(match, TableView("settled", reading), PAUSE_S + 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": 2}}
    assert told.confidence["c4"] == 1.0


def test_where_one_of_a_few_turns_was_done_it_asks_which_and_offers_none_first(match: Match) -> None:
    reading = reading_of(game.apply(match.position, moved(1)), {"c4": ((ONE_RED, 0.5), (TWO, 0.45))})
    minded, _explainer = weighed(match, ((moved(1), 0.5), (moved(2), 0.45)), reading, 0.0, PAUSE_S)
    assert minded.sense.sign == "proposal"
    assert (minded.sense.choice, minded.sense.question) == (2, None)
    assert [explanation.steps for explanation in minded.sense.explanations] == [(moved(1),), (moved(2),)]


@pytest.mark.parametrize(
    ("likely", "few"),
    [((0.5, 0.45), 2), ((0.5, 0.2, 0.2), 3), ((0.3, 0.2, 0.2, 0.15, 0.1), 4), ((0.2,) * 5, 0), ((0.5, 0.3), 0)],
)
def test_a_few_turns_are_asked_about_only_where_hardly_any_other_was_done(
    match: Match, likely: tuple[float, ...], few: int
) -> None:
    assert number_to_offer([Explanation((), match.position, "", likelihood) for likelihood in likely]) == few


def test_an_answer_lasts_until_the_eye_is_sure_of_something_else(match: Match) -> None:
    after = game.apply(match.position, moved(1))
    minded, explainer = weighed(match, ((moved(1), 0.4), (moved(2), 0.4)), reading_of(after))

    def seen_in_c4(options: tuple[tuple[Combo, float], ...]) -> dict[str, dict[str, int]]:
        minded.update(match, TableView("settled", reading_of(after, {"c4": options})), 0.0)
        force = explainer.asked[-1].reading.units["c4"]
        return {faction: dict(units) for faction, units in force.items()}

    seen_in_c4(((ONE_RED, 0.6), (TWO, 0.4)))
    minded.advance(AreaCounted("c4", TWO))
    assert seen_in_c4(((ONE_RED, 0.6), (TWO, 0.4))) == {"red": {"troop": 2}}
    assert seen_in_c4(((THREE, 0.6), (TWO, 0.4))) == {"red": {"troop": 2}}, "it wavers"
    assert seen_in_c4(((ONE_RED, 0.95), (TWO, 0.05))) == {"red": {"troop": 2}}, "what it thought then does not count"
    assert seen_in_c4(((THREE, 0.95), (TWO, 0.05))) == {"red": {"troop": 3}}, "pieces were moved"
    assert seen_in_c4(((ONE_RED, 0.6), (TWO, 0.4))) == {"red": {"troop": 1}}, "and the answer is forgotten"


def test_an_area_that_looks_as_it_did_after_the_last_turn_holds_what_it_held(table: Table) -> None:
    table.minded = SyncMonitor(InlineExplainer())  # which has seen nothing yet
    picture = speckled(table.match.position.board)
    has, more = one_more(table)
    for doubts in (None, {"b3": ((more, 0.99), (has, 0.01))}):
        reading = replace(reading_of(table.match.position, doubts), board_image=picture)
        table.eye.laid = TableView("settled", reading)
        assert table.look() == "sync"
        assert table.minded.sense.question is None


@pytest.mark.parametrize(("rival", "listed"), [(0.4, 2), (0.2, 0)])
def test_of_turns_that_leave_the_same_pieces_none_is_offered_first_where_both_are_as_likely(
    match: Match, rival: float, listed: int
) -> None:
    """They differ in the space of the support board alone, and a third one is far less likely."""
    places = ((1, ("d3", 3)), (2, ("d3", 3)), (2, ("e1", 3)))
    steps = [Deploy(f"reinforce:{n}", place=((area, "troop", k),)) for n, (area, k) in places]
    turns = tuple(zip(steps, (0.85 - rival, rival, 0.02), strict=True))
    seen = reading_of(game.apply(match.position, steps[0]), {"d3": (((("red", "troop", 5),), 0.6), (TWO, 0.4))})
    minded, _explainer = weighed(match, turns, seen, 0.0, THINKING_S)
    assert minded.sense.sign == "proposal"
    assert minded.sense.question is None
    assert minded.sense.choice == listed


def test_what_was_answered_once_is_asked_no_more_as_long_as_the_area_looks_the_same(table: Table) -> None:
    has, more = one_more(table)
    insists = {"b3": ((more, 0.99), (has, 0.01))}

    def looked_at(picture: Picture, *pieces: Piece) -> str:
        seen = reading_of(table.match.position, insists)
        known = tuple(replace(piece, score=0.999) for piece in seen.pieces)
        seen = replace(seen, board_image=picture, pieces=known + pieces)
        table.eye.laid = TableView("settled", seen)
        table.look()
        return table.look(60.0)

    picture = speckled(table.match.position.board)
    assert looked_at(picture) == "unsure"
    table.minded.advance(AreaCounted("b3", has))
    assert looked_at(picture) == "sync"
    table.match.offer(ADVANCE)
    assert looked_at(np.asarray(picture * 1.2, np.uint8)) == "sync", "in another light, after a turn"
    across_mm, down_mm = table.match.position.board.area("b3").centres_mm[0]
    beside = (across_mm + 14.0, down_mm)
    across, down = (round(2 * (part + 8.0)) for part in beside)
    picture[down - 12 : down + 12, across - 12 : across + 12] = 250
    (who, unit, _n), *_ = has
    seen_there = Piece(who, unit, "b3", beside, 0.99)
    assert looked_at(picture, seen_there) == "unsure", "a piece more: it has to be asked again"


@pytest.mark.parametrize("sure", [True, False])
def test_where_another_turn_is_taken_than_the_first_people_settle_what_the_eye_is_not_sure_of(
    match: Match, sure: bool
) -> None:
    picture = speckled(match.position.board)
    doubts = {} if sure else {"c4": ((ONE_RED, 0.85), (TWO, 0.15))}
    seen = replace(reading_of(game.apply(match.position, moved(1)), doubts), board_image=picture)
    minded, explainer = weighed(match, ((moved(1), 0.9), (moved(2), 0.1)), seen, 0.0)
    assert minded.sense.sign == "proposal"
    match.offer(moved(2))
    minded.update(match, TableView("settled", seen), 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": 1 if sure else 2}}, "a touch on a turn is no count"


@pytest.mark.parametrize(
    ("refused", "changed", "stands"),
    [(True, False, 2), (False, False, 1), (True, True, 1)],
    ids=["refused", "not refused", "of a board that has changed since"],
)
def test_what_was_entered_instead_of_what_was_proposed_is_people_s_word_for_what_stands_there(
    match: Match, refused: bool, changed: bool, stands: int
) -> None:
    seen = replace(reading_of(game.apply(match.position, moved(1))), board_image=speckled(match.position.board))
    minded, explainer = weighed(match, ((moved(1), 0.9),), seen, 0.0)
    if refused:
        minded.advance(TurnsRefused())
    match.offer(moved(2))
    minded.update(match, TableView("settled", replace(seen) if changed else seen), 1.0)
    told = explainer.asked[-1].reading
    assert told.units["c4"] == {"red": {"troop": stands}}
    assert told.units["b3"] == match.position.units_in("b3")


@pytest.mark.parametrize(
    ("likely", "counts"),
    [((0.5, 0.04), ((ONE_RED, 0.5), (TWO, 0.45))), ((0.9, 0.1), ((TWO, 0.5), (THREE, 0.5)))],
    ids=["the other is hardly a rival", "one is plain"],
)
def test_where_one_turn_stands_out_it_asks_nothing(
    match: Match, likely: tuple[float, float], counts: tuple[tuple[Combo, float], ...]
) -> None:
    reading = reading_of(game.apply(match.position, moved(1)), {"c4": counts})
    minded, _explainer = weighed(match, tuple(zip((moved(1), moved(2)), likely, strict=True)), reading, 0.0)
    assert minded.sense.question is None
    assert len(minded.sense.explanations) == 2


def test_it_asks_about_nothing_that_it_sees_well(match: Match) -> None:
    after = game.apply(match.position, moved(1))
    explainer = Torn(match.position, ((moved(1), 0.4), (moved(2), 0.4)))
    assert area_question(match.position, reading_of(after), explainer.inference.explanations) is None


def test_an_answer_may_be_that_nothing_stands_there(match: Match) -> None:
    reading = reading_of(match.position, covered=("e3",))
    told = with_answers(reading, {"e3": (), "c4": (("black", "troop", 1), ("red", "troop", 2))})
    assert "e3" not in told.units
    assert told.unreadable == ()
    assert told.units["c4"] == {"black": {"troop": 1}, "red": {"troop": 2}}
    assert with_answers(reading, {}) is reading


def test_what_the_eye_and_the_game_have_there_is_offered_once(match: Match) -> None:
    reading = reading_of(match.position)
    assert answers_for(match.position, reading, "e3") == (standing_in(match.position, "e3"),)


def test_an_area_that_the_eye_insists_on_is_asked_about_after_a_while(table: Table) -> None:
    has, more = one_more(table)
    assert table.lies(table.match.position, {"b3": ((more, 0.99), (has, 0.01))}) == "waiting"
    assert table.minded.sense.question is None
    assert table.look(OUT_AFTER_S) == "unsure"
    asked = table.minded.sense.question
    assert asked is not None
    assert (asked.area, set(asked.answers)) == ("b3", {more, has})
    table.minded.advance(AreaCounted("b3", has))
    assert table.look() == "sync"


def test_that_it_is_really_so_puts_it_out_of_sync(table: Table) -> None:
    has, more = one_more(table)
    table.eye.lay(table.match.position, {"b3": ((more, 0.8), (has, 0.2))})
    table.look()
    table.minded.advance(AreaCounted("b3", more))
    table.look()
    assert table.look(OUT_AFTER_S) == "out"


def test_what_is_odd_beside_a_turn_is_told_with_it(table: Table) -> None:
    after = game.apply(table.match.position, ADVANCE)
    assert table.lies(game.apply(after, Agreed(areas=(("b3", (("black", "troop", 3),)),)))) == "proposal"
    assert [(item.place, item.more) for item in table.minded.sense.items] == [("b3", 1)]


def test_the_nearest_turn_comes_with_what_is_amiss_beside_it(table: Table) -> None:
    table.minded = SyncMonitor(Exact())
    after = game.apply(table.match.position, ADVANCE)
    wrong = Agreed(areas=(("b3", (("black", "troop", 3),)),))
    assert table.lies(game.apply(after, wrong), after_s=OUT_AFTER_S) == "out"
    sense = table.minded.sense
    assert [(item.place, item.more) for item in sense.items] == [("b3", 1)]
    assert sense.nearest is not None
    assert sense.nearest.steps[0] == ADVANCE
