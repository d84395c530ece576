"""The support board in the camera's sight: what is done there is one proposal, what is hidden is left open."""

from __future__ import annotations

import pytest

from companion.demo.table import SimulatedTable
from companion.games.match import Match
from companion.perception.adapters import compare
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import SyncStatus, TableView
from companion.perception.turn_inference import InlineExplainer, evidence_of_reading
from companion.scenes.base.map_picture import verdict
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step
from tests.companion.perception.seeing import reading_of
from vision.reading.read import read

ALL = ("embark:1", "embark:2", "plan:1", "plan:2", "reinforce:1", "reinforce:2")
PLACED = (("d3", "troop", 2), ("e1", "troop", 2))


def seen(match: Match, position: Position, support: tuple[str, ...] = ALL) -> SyncStatus:
    monitor = SyncMonitor(InlineExplainer())
    for now_s in (0.0, 60.0):
        monitor.update(match, TableView("settled", reading_of(position, support=support)), now_s)
    return monitor.sense


@pytest.mark.parametrize(
    "step",
    [
        Deploy("plan:1", draw=1),
        Deploy("plan:2", draw=2),
        Deploy("reinforce:1", place=PLACED),
        Deploy("reinforce:2", place=PLACED),
        Deploy("embark:2", place=(("d4", "ship", 1),)),
    ],
    ids=lambda step: step.space,
)
def test_a_support_action_in_sight_is_proposed_from_the_space_it_was_done_from(match: Match, step: Step) -> None:
    after = game.apply(match.position, step)
    sense = seen(match, after)
    assert sense.sign == "proposal"
    assert sense.question is None
    first = sense.explanations[0]
    assert (first.position.commanders, first.position.units) == (after.commanders, after.units)
    assert first.likelihood > 0.6, "nothing has to be asked"


def test_out_of_sight_nobody_sees_that_somebody_plans(match: Match) -> None:
    after = game.apply(match.position, Deploy("plan:1", draw=1))
    assert seen(match, after, support=()).sign == "sync"
    assert seen(match, after, support=("plan:2", "reinforce:1")).sign == "sync"


def test_a_planning_that_was_recorded_and_is_seen_agrees(match: Match) -> None:
    match.offer(Deploy("plan:1", draw=1))
    sense = seen(match, match.position)
    assert sense.sign == "sync"
    assert [difference.state for difference in sense.differences or () if difference.area == "plan:1"] == ["agrees"]


def test_a_commander_that_is_not_there_is_told_where_it_is_in_sight(match: Match) -> None:
    before = match.position
    match.offer(Deploy("plan:1", draw=1))
    missing = reading_of(before, support=ALL)
    assert [difference.area for difference in compare(match.position, missing) if difference.state == "differs"] == [
        "plan:1"
    ]
    assert compare(match.position, reading_of(before)) == compare(before, reading_of(before))
    one_space = evidence_of_reading(match.position, reading_of(before, support=("plan:2",)))
    assert one_space.spaces.count(None) == len(ALL) - 1
    sense = seen(match, before)
    assert verdict(sense) == ("behind", "Move the pieces: Plan 1")


@pytest.mark.long
def test_a_drawn_table_with_a_support_board_is_followed_by_the_real_eye(match: Match) -> None:
    simulated = SimulatedTable(match.board, 3, support=True)
    table = simulated.calibrated()
    for step in (Deploy("plan:1", draw=1), Deploy("reinforce:2", place=(("a1", "troop", 2),))):
        after = game.apply(match.position, step)
        simulated.lay(after)
        reading = read(table, simulated.photo())
        assert reading.support == ALL
        monitor = SyncMonitor(InlineExplainer())
        for now_s in (0.0, 6.0):  # two troops are fewer than may be placed
            monitor.update(match, TableView("settled", reading), now_s)
        assert monitor.sense.sign == "proposal"
        assert monitor.sense.explanations[0].steps[0] == step
        match.offer(step)
