"""What is around a table serves games of every system: the clock, lamps, sounds, buttons, the lock, the service."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.app.cues import Cues
from companion.app.service import status_text
from companion.core import storage
from companion.desk.lights import FACTIONS, lights
from companion.games.clock import clock_path
from companion.games.match import AnyMatch
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.panels import Why
from companion.scenes.base.stage import Table, situation_of
from companion.scenes.base.unsaved import UnsavedScene
from companion.scenes.settings.lock import HOLD_S, LockScene
from companion.ui.screen import Intent
from companion.view.window.ambience import moment, state
from companion.view.window.desk_presses import refusal_text
from hardware.events import CodeRead, Thrown
from hardware.lights import DARK
from tests.companion.desk.presses import Presses
from tests.companion.other_games import OVER, STEPS, SYSTEMS, begun, taken

NAMES = {"sonae": {"maru": "Ana", "shikaku": "Bo"}, "generals": {"red": "Ana", "black": "Bo"}}


@dataclass
class Here:
    """A game of a system on stage."""

    app: App
    match: AnyMatch
    system: str

    @property
    def table(self) -> Table:
        assert self.app.table is not None
        return self.app.table

    def take(self, *numbers: int) -> None:
        """Play these steps of the sample game."""
        taken(self.match, [STEPS[self.system][n] for n in numbers])


@pytest.fixture(params=SYSTEMS)
def here(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    match = begun(storage.games_dir() / "game.jsonl", request.param, NAMES[request.param], steps=0)
    yield Here(App(match=match), match, request.param)
    match.close()


def test_a_table_tells_how_its_game_stands(here: Here) -> None:
    found = situation_of(here.table)
    assert (found.game, found.steps, found.winner) == (here.match.path, 0, None)
    assert found.sides == here.table.sides
    assert found.asked_side in found.waits_for <= set(found.sides)
    assert found.runs_for == found.asked_side
    assert found.rounds.n == 1
    assert here.table.people.name(found.asked_side) == "Ana"
    taken(here.match, [OVER[here.system]])
    over = situation_of(here.table)
    assert (over.winner, over.runs_for) == (found.sides[0], None)


def test_the_clock_runs_for_whom_it_waits_for_and_outlives_the_game(here: Here) -> None:
    here.app.stage.change(clock_minutes=10)
    here.app.tick(0.0)
    here.app.tick(50.0)
    assert here.app.stage.services.clock.paused, "it waits for the first step"
    here.take(0)
    here.app.tick(60.0)
    here.app.tick(70.0)
    second = here.table.sides[1]
    assert here.app.stage.services.clock.spent_s == {second: 10.0}
    status = here.app.screen().status
    assert status is not None
    assert [side.clock for side in status.sides] == ["10:00", "9:50"]
    here.app.touch(Intent("menu"))
    here.app.touch(Intent("home"))
    assert clock_path(here.match.path).exists()


def test_lamps_shine_for_whom_it_waits_for_and_for_the_winner(here: Here) -> None:
    first, second = here.table.sides
    shown = lights(state(here.app))
    assert shown.turn == FACTIONS[first]
    assert shown.initiative == DARK
    assert len(shown.strip) >= 2
    here.take(0)
    assert lights(state(here.app)).turn == FACTIONS[second]
    taken(here.match, [OVER[here.system]])
    assert lights(state(here.app), 99.0).turn == FACTIONS[first]


def test_sounds_tell_of_steps_and_of_an_objection(here: Here) -> None:
    cues = Cues()
    assert cues.cue_for(moment(here.app)) == ""
    here.take(0)
    assert cues.cue_for(moment(here.app)) == "turn", "now it is the other one's"
    wrong = {"sonae": {"done": True}, "generals": {"move": "nobody", "to": "siege"}}[here.system]
    following = here.table.follow(Why(here.match.system.read_step(wrong)))  # type: ignore[attr-defined]
    here.app.show_scene("", following)
    assert cues.cue_for(moment(here.app)) == "objection"


def test_the_service_says_what_goes_on(here: Here) -> None:
    assert status_text(here.app.situation, SyncStatus()) == "playing, round 1"
    taken(here.match, [OVER[here.system]])
    assert status_text(here.app.situation, SyncStatus()) == "a finished game"


def test_the_lock_shows_the_table_and_leads_back(here: Here) -> None:
    here.app.touch(Intent("lock"))
    assert isinstance(here.app.scene, LockScene)
    shown = here.app.screen()
    assert shown.board is not None
    assert shown.actions == ()
    here.app.touch(Intent("unlock", n=0))
    here.app.tick(0.0)
    here.app.tick(HOLD_S + 0.1)
    on_stage: object = here.app.scene
    assert on_stage is here.table


def test_a_disk_that_refuses_is_told_at_any_table(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    here.take(0)
    here.app.screen()
    here.app.tick(0.0)
    assert here.table.banner.startswith("Not saved")
    status = here.app.screen().status
    assert status is not None
    assert status.unsaved
    here.app.touch(Intent("unsaved"))
    assert isinstance(here.app.scene, UnsavedScene)
    monkeypatch.undo()
    assert here.match.save()


def test_whoever_is_not_asked_is_told_who_is(here: Here) -> None:
    first, second = here.table.sides
    scene = here.app.scene
    assert refusal_text(scene, Intent("anything", seat=first)) == ""
    assert refusal_text(scene, Intent("anything", seat=second)) == "Waiting for Ana."
    assert refusal_text(scene, Intent("menu", seat=second)) == "", "what is always there may be touched"


def test_two_halves_show_a_face_for_each(here: Here) -> None:
    here.app.stage.change(layout="two")
    faces = here.app.faces().faces
    assert [face.seat for face in faces] == list(here.table.sides)
    here.app.touch(Intent("menu", seat=here.table.sides[1]))
    assert here.app.scene is here.table, "only the far half has opened it"


def test_cards_and_dice_of_the_desk_are_touched_here(here: Here) -> None:
    assert here.app.hearing.hear(CodeRead(reader="left", code="1234", at_s=0.0))
    assert "enter your move by touch" in here.app.screen().banner
    here.app.hearing.hush()
    assert here.app.hearing.hear(Thrown((1, 6), at_s=1.0))
    here.app.hearing.hear(Thrown((), at_s=2.0))


def test_the_buttons_beside_the_board_touch_what_is_bright(here: Here) -> None:
    pygame.display.init()
    at = Presses(here.app, (800, 480), looks=False)
    before = here.match.position
    at.button("confirm-two")
    assert here.match.position is before
    assert here.app.screen().banner == "Waiting for Ana."
    at.button("confirm-one")
    assert len(here.match.steps) == 1, "encamped as before, or the end of the turn"
    at.button("undo-two", "long")
    assert here.app.scene is not here.table, "all that can be recalled"
    pygame.display.quit()
