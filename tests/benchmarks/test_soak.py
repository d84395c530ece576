"""The soak's people answer what the app asks of a turn that they did on the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.soak.play import choose_seen
from companion.scenes.orders.proposal import ChoicePanel
from companion.scenes.orders.turn import TurnPanel
from engine.orders.steps import Deploy, Pass, Step
from tests.companion.fingers import Fingers
from tests.companion.orders.camera.desk import ADVANCE, Desk
from tests.companion.orders.camera.test_out_of_sync import choosing

SIZE_PX = (800, 480)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return Desk(tmp_path / "game.jsonl")


@pytest.mark.parametrize(
    ("done", "taken"),
    [(ADVANCE, (ADVANCE,)), (Pass(), (Pass(),)), (Deploy("plan:1", draw=2), ())],
    ids=["the first", "the second", "none of them"],
)
def test_of_a_few_turns_the_one_that_was_done_is_touched(done: Step, taken: tuple[Step, ...], desk: Desk) -> None:
    choosing(desk, 2)
    assert isinstance(desk.panel, ChoicePanel)
    choose_seen(desk.panel, done, Fingers(desk.app, SIZE_PX, looks=False))
    assert desk.match.steps == taken
    assert isinstance(desk.panel, TurnPanel) or taken
