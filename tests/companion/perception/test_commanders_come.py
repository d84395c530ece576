"""A commander that has just come, of which the eye is not sure: that its place looks different now speaks for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.match import Match
from companion.perception.area_questions import standing_in
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest, TableView
from companion.perception.turn_inference import InlineExplainer, explain
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Agreed, Deploy, Roll, Step
from engine.orders.turn import commanders_before_homecoming
from tests.companion.perception.seeing import Options, reading_of
from tests.companion.sample_games import BOARD, BONUSES
from vision.reading.read import Reading

DIM = 0.85
YELLOW_FOUR, YELLOW_THREE = (("yellow", "troop", 4),), (("yellow", "troop", 3),)


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """Blue is to move, and can shoot at c5 from c3."""
    board = load_board("wwii-island")
    match = Match.start(
        tmp_path / "game.jsonl", board.name, "blue", dict(zip(board.slots, board.mode.tokens, strict=False))
    )
    areas = (("c3", (("blue", "troop", 4),)), ("c5", YELLOW_FOUR))
    match.offer(Agreed(areas=areas))
    return match


def dimly(reading: Reading, space: str) -> Reading:
    """Return the reading with the eye unsure of blue's commander there and the area's picture not as it was."""
    area = space.partition(":")[2]
    return replace(
        reading,
        leaders={**reading.leaders, space: {"blue": DIM}},
        confidence={**reading.confidence, area: 0.8},
    )


def first_steps(match: Match, seen: Reading) -> tuple[Step, ...]:
    return explain(InferenceRequest(match.position, seen)).explanations[0].steps


def test_a_hit_and_a_commander_that_are_both_not_sure_tell_of_each_other(match: Match) -> None:
    barrage = (Deploy("barrage:c3", target="c5"), Roll((0, 1), "blue"))
    doubts: dict[str, Options] = {"c5": ((YELLOW_THREE, 0.87), (YELLOW_FOUR, 0.13))}
    seen = dimly(reading_of(game.fold(match.position, barrage), doubts), "barrage:c3")
    assert first_steps(match, seen)[:1] == barrage[:1]
    held = replace(seen, confidence={**seen.confidence, "c3": 1.0})
    assert first_steps(match, held) == (), "what looks as before is no new commander"


def test_of_a_drop_that_none_survived_a_touch_tells_the_target(tmp_path: Path) -> None:
    board = load_board("wwii-alpine")
    match = Match.start(
        tmp_path / "game.jsonl", board.name, "blue", dict(zip(board.slots, board.mode.tokens, strict=False))
    )
    troop = (("yellow", "troop", 1),)
    match.offer(Agreed(areas=(("a1", (("blue", "troop", 2),)), ("b5", troop), ("d4", troop))))
    position, monitor = match.position, SyncMonitor(InlineExplainer())
    dropping = Deploy("paradrop:a1", target="d4")
    fight = game.apply(position, Agreed(areas=(("d4", (("blue", "troop", 2), ("yellow", "troop", 1))),)))
    came = commanders_before_homecoming(position, dropping)
    for now_s, board_now in enumerate((position, replace(fight, commanders=came), replace(position, commanders=came))):
        seen = reading_of(board_now)
        monitor.update(match, TableView("settled", dimly(seen, "paradrop:a1") if now_s else seen), 10.0 * now_s)
    assert monitor.sense.sign == "dice"
    first = monitor.sense.explanations[0]
    assert first.steps[0] == dropping, "both sides were seen there"
    assert first.position.units == position.units
    assert standing_in(first.position, "d4") == troop


def test_a_turn_that_was_done_already_is_not_taken_for_what_was_confirmed(tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES)
    first, second = (
        Deploy("advance:c4", moves=(("d5", "troop", 2),)),
        Deploy("advance:c5", moves=(("b5", "troop", 2),)),
    )
    done = game.fold(match.position, (first, second))
    two, none = (("black", "troop", 2),), ()
    doubts: dict[str, Options] = {"c5": ((two, 0.8), (none, 0.2))}
    monitor, seen = SyncMonitor(InlineExplainer()), reading_of(done, doubts, picture=True)
    monitor.update(match, TableView("settled", reading_of(match.position)), 0.0)
    for now_s in (10.0, 60.0):
        monitor.update(match, TableView("settled", seen), now_s)
    assert first in [explanation.steps[0] for explanation in monitor.sense.explanations]
    match.offer(first)
    for now_s in (61.0, 120.0):
        monitor.update(match, TableView("settled", seen), now_s)
    assert monitor.sense.sign == "proposal"
    assert monitor.sense.explanations[0].steps[0] == second
