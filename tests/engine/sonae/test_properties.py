"""Random battles: they go on to an end, replay equals play, spoiled steps are refused with a cited rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.errors import Illegal
from engine.sonae.field import GRIDS
from engine.sonae.game import examine, fold, judge, options, owed, readings, replay
from engine.sonae.position import Position
from engine.sonae.scenario import add_scenario, load_scenario, remove_scenario
from engine.sonae.steps import Activate, Advance, FallBack, Fire, Roll, Settle, Step, Token, Wheel
from engine.sonae.wire import position_from_json, position_to_json, step_from_json, step_to_json
from tests.engine.sonae.player import played
from tests.engine.sonae.test_grid import gridded

pytestmark = pytest.mark.chance

MOST_STEPS = 1500
Whole = tuple[list[Step], list[Position]]


OTHERS = tuple(name for name, reading in readings().items() if reading.other)
BATTLES = ("default", "default-too", "all-readings", "square", "hex")


@pytest.fixture(scope="module", params=BATTLES)
def whole(request: pytest.FixtureRequest) -> Iterator[Whole]:
    scenario = gridded(request.param) if request.param in GRIDS else load_scenario("maru-shikaku")
    others = () if request.param.startswith("default") else OTHERS
    if request.param in GRIDS:
        add_scenario(scenario)
    yield played(scenario, BATTLES.index(request.param), MOST_STEPS, others)
    remove_scenario(scenario.name)


def test_a_battle_comes_to_an_end(whole: Whole) -> None:
    assert whole[1][-1].reason in ("general", "army", "objective", "strength")


def test_bases_never_lie_on_one_another(whole: Whole) -> None:
    for where in whole[1][::20]:
        for number, unit in enumerate(where.units):
            overlaps = where.measure.overlaps
            assert not any(overlaps(unit.place, other.place, 0.11) for other in where.units[:number])


def test_what_is_offered_is_accepted_and_what_is_not_has_its_reason(whole: Whole) -> None:
    for where in [position for position in whole[1] if not position.due][::25]:
        for unit in options(where).units:
            assert all(judge(where, option.step).legal for option in unit.may)
            assert all(option.objections[0].citation.section for option in unit.orders if not option.legal)


def test_replay_is_play(whole: Whole) -> None:
    steps, positions = whole
    assert fold(positions[0], [step_from_json(step_to_json(step)) for step in steps]) == positions[-1]
    for where in positions[::10]:
        assert position_from_json(position_to_json(where)) == where


def test_what_is_owed_is_told_and_nothing_else_is_taken(whole: Whole) -> None:
    for where in whole[1][:-1]:
        found = owed(where)
        if found is not None:
            assert found.text
            assert not judge(where, Rolls.wrong(where)).legal


class Rolls:
    """Rolls that nobody owes."""

    @staticmethod
    def wrong(where: Position) -> Roll:
        """Return a roll of ten dice."""
        return Roll((1,) * 10, where.scenario.sides[0])


def test_spoiled_steps_are_refused_with_a_cited_rule(whole: Whole) -> None:
    steps, positions = whole
    for step, where in list(zip(steps, positions, strict=False))[::5]:
        for bad in spoiled(step):
            (first, *_more) = judge(where, bad).objections
            assert first.citation.section
            assert first.message


def test_every_criterion_is_told_in_words(whole: Whole) -> None:
    steps, positions = whole
    for step, where in list(zip(steps, positions, strict=False))[::5]:
        ruling = examine(where, step)
        assert ruling.legal
        assert all(finding.message and "{" not in finding.message for finding in ruling.findings)


def spoiled(step: Step) -> Iterator[Step]:
    """Yield copies of the step, each with one part made wrong."""
    if isinstance(step, Settle):
        yield replace(step, mode="asleep")
        yield replace(step, by="nobody")
    elif isinstance(step, Token):
        yield Token("nobody")
    elif isinstance(step, Activate):
        yield Activate("nobody")
    elif isinstance(step, Roll):
        yield replace(step, dice=(*step.dice, 7))
        yield replace(step, by="nobody")
    elif isinstance(step, Advance | FallBack | Wheel):
        yield replace(step, unit="nobody")
        yield replace(step, x=step.x + 9)
    elif isinstance(step, Fire):
        yield replace(step, target="nobody")


def test_an_illegal_step_is_raised_and_ends_a_replay(whole: Whole) -> None:
    start, first = whole[1][0], whole[0][0]
    told = replay(start, [first, Token("nobody")])
    assert told.done == 1
    assert told.failed is not None
    with pytest.raises(Illegal):
        fold(start, [Token("nobody")])
