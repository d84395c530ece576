"""What is around a table of any system: the loudspeaker, the light, the clock, lamps, buttons, the lock."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.app.cues import Cues
from companion.app.dimming import Backlight, Idle, find_backlight
from companion.app.service import status_text
from companion.core import storage
from companion.desk.in_use import FACTIONS, lights
from companion.games.clock import clock_path
from companion.games.match import AnyMatch, Match
from companion.perception.sync.status import SyncStatus
from companion.scenes.base.panels import Why
from companion.scenes.base.stage import Table, situation_of
from companion.scenes.base.unsaved import UnsavedScene
from companion.scenes.settings.lock import HOLD_S, LockScene
from companion.ui.screen import Intent
from companion.view.window.ambience import Ambience, Speaker, ambience_of, keep_awake, moment, state
from companion.view.window.desk_presses import refusal_text
from engine.orders.steps import Pass
from hardware.events import CodeRead, Thrown
from hardware.lights import DARK
from tests.companion.desk.presses import Presses
from tests.companion.other_games import NAMES, OVER, STEPS, SYSTEMS, begun, taken
from tests.companion.sample_games import BOARD, BONUSES


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)


# ---- the loudspeaker and the light ----------------------------------------------------------------


def test_the_loudspeaker_plays_rests_and_does_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    speaker = Speaker()
    assert speaker.play("step", 60, 0.0)
    speaker.rest(5.0)
    assert pygame.mixer.get_init()
    speaker.rest(60.0)
    assert not pygame.mixer.get_init()
    assert Speaker().play("step", 60, 61.0)
    speaker.rest(62.0)  # somebody else opened it
    speaker.rest(90.0)
    assert not pygame.mixer.get_init()

    tried = []

    def broken(*args: object, **more: object) -> None:
        tried.append((args, more))
        raise pygame.error("no audio device")

    monkeypatch.setattr(pygame.mixer, "init", broken)
    assert not speaker.play("step", 60, 100.0)
    assert not speaker.play("step", 60, 101.0)
    assert len(tried) == 1  # and tried anew only later
    assert speaker.fault == "no audio device"
    monkeypatch.undo()
    assert speaker.play("step", 60, 200.0)
    assert speaker.fault is None
    speaker.close()


def test_the_screen_is_dimmed_then_dark_and_the_waking_touch_does_no_more() -> None:
    idle = Idle(after_s=60, motion=False)
    assert idle.light(0.0) == 1.0
    assert not idle.wake(30.0)
    assert idle.light(89.0) == 1.0
    assert idle.light(90.0) == 0.3
    assert idle.light(209.0) == 0.3
    assert idle.light(210.0) == 0.0
    assert idle.wake(300.0)
    assert idle.light(300.0) == 1.0
    assert not idle.wake(301.0)


def test_it_fades_where_things_may_move() -> None:
    idle = Idle(after_s=60)
    idle.wake(0.0)
    lights = [idle.light(60 + tenth / 10) for tenth in range(12)]
    assert lights == sorted(lights, reverse=True)
    assert len(set(lights)) > 5
    assert lights[-1] == 0.3


def test_zero_is_always_bright() -> None:
    idle = Idle(after_s=0)
    assert idle.light(0.0) == idle.light(1e6) == 1.0


def panel(folder: Path, brightness: str = "200\n", most: str = "255\n") -> Path:
    light = folder / "rpi_backlight"
    light.mkdir(parents=True)
    (light / "brightness").write_text(brightness)
    (light / "max_brightness").write_text(most)
    return light


def test_the_panel_s_own_light_is_set_and_put_back(tmp_path: Path) -> None:
    light = panel(tmp_path)
    found = find_backlight(tmp_path)
    assert found is not None
    assert found.name == "rpi_backlight"
    for level, value in ((0.3, 60), (0.001, 1), (0.0, 0)):
        assert found.set(level)
        assert int((light / "brightness").read_text()) == value
    found.restore()
    assert int((light / "brightness").read_text()) == 200


def test_a_panel_that_was_dark_is_lit_fully(tmp_path: Path) -> None:
    light = panel(tmp_path, brightness="0")
    found = find_backlight(tmp_path)
    assert found is not None
    found.restore()
    assert int((light / "brightness").read_text()) == 255


def test_no_panel_or_a_strange_one_is_none(tmp_path: Path) -> None:
    assert find_backlight(tmp_path) is None
    panel(tmp_path, most="bright")
    assert find_backlight(tmp_path) is None


# ---- the attendant ----------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    pygame.display.init()
    pygame.display.set_mode((80, 48))
    match = started(tmp_path)
    yield App(match=match)
    match.close()
    pygame.mixer.quit()
    pygame.display.quit()


def test_the_desktop_s_screen_saver_follows_the_setting(app: App) -> None:
    ambience_of(app)
    assert not pygame.display.get_allow_screensaver()
    app.stage.change(keep_awake=False)
    assert pygame.display.get_allow_screensaver()
    pygame.display.quit()
    keep_awake(wanted=True)  # without a screen: nothing


def test_the_picture_is_dimmed_and_what_happens_wakes_it(app: App) -> None:
    app.stage.change(dim_after_s=60, motion=False, sound=False)
    keeper = Ambience(app)
    assert keeper.attend(0.0) == 1.0
    assert keeper.attend(61.0) == 0.3
    assert keeper.wake(62.0)
    assert keeper.attend(62.0) == 1.0
    assert keeper.attend(130.0) == 0.3
    app.touch(Intent("pass"))
    assert app.table is not None
    app.table.match.offer(Pass())
    assert keeper.attend(131.0) == 1.0
    assert not pygame.mixer.get_init()
    keeper.close()


def test_sounds_are_heard_where_they_are_wanted(app: App) -> None:
    keeper = Ambience(app)
    assert app.table is not None
    keeper.attend(0.0)
    app.stage.change(volume=0)
    app.table.match.offer(Pass())
    keeper.attend(1.0)
    assert not pygame.mixer.get_init()
    app.stage.change(volume=40)
    app.table.match.offer(Pass())
    keeper.attend(2.0)
    assert pygame.mixer.get_init()
    keeper.close()
    assert not pygame.mixer.get_init()


def test_a_panel_s_light_takes_the_place_of_a_darker_picture(app: App, tmp_path: Path) -> None:
    light = panel(tmp_path / "lights")
    app.stage.change(dim_after_s=60, motion=False)
    keeper = Ambience(app, Backlight(light))
    assert keeper.attend(0.0) == 1.0
    assert keeper.attend(61.0) == 1.0
    assert int((light / "brightness").read_text()) == 60
    keeper.close()
    assert int((light / "brightness").read_text()) == 200
    (light / "brightness").unlink()
    (light / "brightness").mkdir()  # the system refuses from now on
    assert keeper.attend(400.0) == 0.0
    assert keeper.attend(401.0) == 0.0
    assert replace(app.stage.settings).dim_after_s == 60


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
