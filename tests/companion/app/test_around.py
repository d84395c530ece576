"""What goes on around the app: sounds, the dimmed screen, the panel's light."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.app.cues import CUES, RATE_HZ, Cues, Moment, samples
from companion.app.dimming import Backlight, Idle, find_backlight
from companion.games.clock import GameClock
from companion.games.match import Match
from companion.perception.area_questions import AreaQuestion
from companion.perception.sync.status import SyncStatus
from companion.scenes.disputes.ruling import RulingScene, question_of
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.orders_presenter import ORDERS
from companion.ui.screen import Intent
from companion.view.window.ambience import Ambience, Speaker, ambience_of, keep_awake
from engine.orders.steps import Pass
from engine.orders.wire import step_from_json
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.situations import of, stands


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)


# ---- sounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cue", CUES)
def test_a_sound_is_short_soft_and_starts_and_ends_quietly(cue: str) -> None:
    sound = samples(cue)
    assert sound.itemsize == 2
    assert 0.1 < len(sound) / RATE_HZ < 1.2
    assert 0.2 * 32767 < max(sound) < 0.7 * 32767
    assert max(map(abs, sound[:4])) < 1000
    assert max(map(abs, sound[-100:])) < 1000


def test_sounds_differ_and_are_the_same_each_time() -> None:
    assert len({samples(cue).tobytes() for cue in CUES}) == len(CUES)
    assert samples("turn") == samples("turn")
    assert isinstance(samples("turn"), array)


def test_a_step_the_others_turn_and_an_objection_are_heard(tmp_path: Path) -> None:
    match = started(tmp_path)
    cues = Cues()
    assert cues.cue_for(Moment()) == ""
    assert cues.cue_for(Moment(of(match))) == ""  # a game comes to the table in silence
    match.offer(Pass())
    assert cues.cue_for(Moment(of(match))) == "turn"
    assert cues.cue_for(Moment(of(match))) == ""
    app = App()
    table = BoardTable(app.stage, match, app.scene)
    step = step_from_json({"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    refused = RulingScene(ORDERS, question_of(table, match.position, step), table)
    assert cues.cue_for(Moment(of(match), (table, refused))) == "objection"
    assert cues.cue_for(Moment(of(match), (table, refused))) == ""
    match.undo()
    assert cues.cue_for(Moment(of(match))) == ""


def test_a_step_that_leaves_the_turn_where_it_is_is_another_sound(tmp_path: Path) -> None:
    match = started(tmp_path)
    cues = Cues()
    cues.cue_for(Moment(of(match)))
    owes = step_from_json({"deploy": "advance:c4", "moves": {"d5": {"troop": 2}}})
    heard = []
    for step in (owes, Pass()):
        match.offer(step)
        heard.append(cues.cue_for(Moment(of(match))))
    assert set(heard) <= {"step", "turn"}


def test_a_round_s_end_and_the_game_s_end_are_sounds_of_their_own() -> None:
    cues, heard = Cues(), []
    for number, position in enumerate(played()[1]):
        heard.append(cues.cue_for(Moment(stands(position, steps=number))))
    assert heard.count("round") == 3
    assert heard[-1] == "end"
    assert heard.count("end") == 1


def test_questions_faults_and_little_time_are_heard(tmp_path: Path) -> None:
    match = started(tmp_path)
    cues, clock = Cues(), GameClock()
    clock.warn_s = 60
    cues.cue_for(Moment(of(match), clock=clock))
    assert cues.cue_for(Moment(of(match), sense=SyncStatus("out"), clock=clock)) == "attention"
    assert cues.cue_for(Moment(of(match), sense=SyncStatus("sync"), clock=clock)) == ""
    assert (
        cues.cue_for(Moment(of(match), sense=SyncStatus("unsure", question=AreaQuestion("b2", ())), clock=clock))
        == "attention"
    )
    assert cues.cue_for(Moment(of(match), fault="The disk is full.", clock=clock)) == "attention"
    clock.minutes, clock.spent_s = 1, {"red": 1.0}
    assert cues.cue_for(Moment(of(match), fault="The disk is full.", clock=clock)) == "low"


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


# ---- light ----------------------------------------------------------------------------------------


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
