"""The printed “Yes”: it takes the turn that is offered, if that was read before the hand came, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.perception.sync.status import SyncStatus, TableView
from companion.perception.yes_square import OFFERED_S, YesPresses
from companion.scenes.orders.proposal import ProposalPanel
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Deploy
from tests.companion.orders.camera.desk import Desk
from tests.companion.perception.seeing import reading_of

ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
OTHER = Deploy("advance:c4", moves=(("d5", "troop", 1),))


def offer(position: Position, step: Deploy) -> SyncStatus:
    return SyncStatus("proposal", explanations=(Explanation((step,), position, "", 0.9),))


def pressed(times: int) -> TableView:
    return TableView("settled", yes=times)


@pytest.fixture
def position(match: object) -> Position:
    return match.position  # type: ignore[attr-defined,no-any-return]


def test_a_press_confirms_what_has_been_offered_for_a_while(position: Position) -> None:
    presses = YesPresses()
    assert not presses.follow(pressed(4), offer(position, ADVANCE), 0.0), "pressed before anybody looked"
    assert not presses.follow(pressed(4), offer(position, ADVANCE), OFFERED_S)
    assert presses.follow(pressed(5), offer(position, ADVANCE), OFFERED_S + 1)
    assert not presses.follow(pressed(5), offer(position, ADVANCE), OFFERED_S + 2)


def test_a_turn_that_has_only_just_been_offered_is_not_confirmed(position: Position) -> None:
    presses = YesPresses()
    presses.follow(pressed(0), offer(position, OTHER), 0.0)
    assert not presses.follow(pressed(1), offer(position, ADVANCE), 5.0)
    assert not presses.follow(pressed(1), offer(position, ADVANCE), 9.0), "a press is not kept"


@pytest.mark.parametrize("sign", ["sync", "unsure", "out", "moving", "hand", "behind"])
def test_where_nothing_is_offered_it_means_nothing(position: Position, sign: str) -> None:
    presses = YesPresses()
    state = SyncStatus(sign, explanations=offer(position, ADVANCE).explanations)  # type: ignore[arg-type]
    presses.follow(pressed(0), state, 0.0)
    assert not presses.follow(pressed(1), state, 9.0)
    assert not presses.follow(None, state, 10.0)
    assert not presses.follow(pressed(9), state, 11.0), "another camera's count"


def press(desk: Desk, after: Position, times: int) -> None:
    desk.eye.laid = TableView("settled", reading_of(after), yes=times)
    desk.wait()


def test_the_turn_on_the_screen_is_taken_and_no_other_button_is_touched(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(after).wait(OFFERED_S)
    press(desk, after, 1)
    assert not desk.match.steps, "the screen has not shown it yet"
    assert isinstance(desk.panel, ProposalPanel)
    press(desk, after, 2)
    assert desk.match.steps[0] == ADVANCE
    done = len(desk.match.steps)
    for times in (3, 4):
        press(desk, desk.match.position, times)
        desk.wait(9.0)
    assert len(desk.match.steps) == done, "nothing is offered now"


def test_another_scene_in_front_of_the_table_is_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "game.jsonl")
    after = game.apply(desk.match.position, ADVANCE)
    desk.lay(after).wait(OFFERED_S)
    assert isinstance(desk.panel, ProposalPanel)
    desk.app.touch(Intent("score"))
    press(desk, after, 1)
    assert desk.match.steps == ()
