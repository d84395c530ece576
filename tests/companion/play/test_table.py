"""The table that the systems share: its menu, whoever is asked, and how it stands between two players."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import replace
from unittest import mock

import pytest

from companion.app.split_screen import shared_picture
from companion.core.storage import data_dir
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.panels import Close, Face, Lead, Open
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.stage import Table
from companion.scenes.base.sub_scene import PagesScene
from companion.scenes.base.unsaved import LeavingScene
from companion.scenes.disputes.dispute import DisputeScene
from companion.scenes.disputes.ruling import ReadingsScene, RulingScene
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.settings.power import PowerScene
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from companion.ui.screen import Button, Intent, Log, Prompt, Text
from companion.ui.table_pictures import TablePicture
from companion.view.kit.glass import glass_of
from companion.view.window.keyboard import first_pane
from companion.view.window.panes import PANEL_PART, Shown
from tests.companion.equip import equip
from tests.companion.gallery.gallery import draw_glass
from tests.companion.plain_tables import PRESENTERS, PlainPanel, refused
from tests.companion.play.conftest import Desk

WAYS = {
    "menu": MenuScene,
    "log": LogScene,
    "undo-list": UndoScene,
    "dispute": DisputeScene,
    "rules": RulesScene,
    "readings": ReadingsScene,
}


def test_it_is_a_table_as_the_app_knows_it_and_can_be_taken_over_where_it_plays_itself(desk: Desk) -> None:
    assert isinstance(desk.table, Table)
    assert desk.table.sides == PRESENTERS[desk.system].seats(PRESENTERS[desk.system].keys(desk.table.position))
    assert {desk.table.people.name(seat) for seat in desk.table.sides} == {"Ana", "Bo"}
    assert desk.table.asked_side in desk.table.waits_for
    assert desk.table.winner is None
    before = desk.table.panel
    desk.table.match.undo(1)
    desk.table.show()
    assert desk.table.panel is not before, "it shows what somebody else did"
    desk.app.stage.demo_on = True
    desk.press("Take over")
    assert not desk.app.stage.demo_on
    assert desk.button("Ask")


@pytest.mark.parametrize("verb", WAYS)
def test_every_way_on_is_there_and_leads_back(desk: Desk, verb: str) -> None:
    desk.touch(verb)
    assert isinstance(desk.app.scene, WAYS[verb])
    desk.touch("back")
    assert desk.at_table


def test_a_step_is_done_and_what_the_rules_refuse_is_explained(desk: Desk) -> None:
    step = desk.table.match.steps[-1]
    desk.table.match.undo(1)
    desk.table.ready = step
    desk.press("Confirm")
    assert desk.table.match.steps[-1] == step
    assert desk.at_table
    before = len(desk.table.match.steps)
    desk.table.ready = refused(desk.table)
    desk.press("Confirm")
    assert isinstance(desk.app.scene, RulingScene)
    assert not desk.app.scene.ruling.legal
    assert len(desk.table.match.steps) == before
    desk.press("Back").touch("why")
    assert isinstance(desk.app.scene, RulingScene), "and asked about without doing it"


def test_a_step_that_cannot_be_kept_is_told(desk: Desk) -> None:
    desk.table.ready = desk.table.match.steps[-1]
    desk.table.match.undo(1)
    desk.table.match.close()
    desk.press("Confirm")
    assert desk.at_table
    assert "closed" in desk.screen.banner or "fechad" in desk.screen.banner


def test_what_is_agreed_on_asks_both(desk: Desk) -> None:
    desk.table.ready = desk.table.presenter.settling_step(desk.table.position, None, "as we said")
    desk.touch("agree")
    assert isinstance(desk.app.scene, ConsentScene)
    desk.agree()
    assert desk.at_table
    assert desk.table.presenter.is_agreed(desk.table.match.steps[-1])


def test_panels_follow_one_another(desk: Desk) -> None:
    class Other(PlainPanel):
        def show(self) -> Face:
            return Face((Text("the other one"),))

    table = desk.table
    assert table.follow(Open(Other(table))) is None
    assert desk.text() == "the other one"
    table.page = 2
    assert table.follow(Close()) is None
    assert table.page == 0
    assert table.follow(Lead(desk.app.home)) is desk.app.home
    assert table.follow(None) is None


def test_what_is_always_there_at_the_table(at: Callable[[int], Desk]) -> None:
    desk = at(0)
    desk.touch("undo")
    assert desk.screen.banner == "Nothing to undo."
    desk.touch("hush")
    assert desk.screen.banner == ""
    assert desk.touch("page", n=1).screen.page == 1
    assert desk.touch("straight").app.scene is not desk.table, "setting by hand is a way of the system's own"


# ---- in two halves -------------------------------------------------------------------------------


def two_sided(desk: Desk) -> tuple[str, str]:
    """Return the half that is asked, and the one that waits."""
    stage = desk.app.stage
    stage.settings = replace(stage.settings, layout="two")
    (asked,) = desk.table.waits_for
    return asked, next(seat for seat in desk.table.sides if seat != asked)


def test_whoever_is_asked_has_the_panel_and_the_other_one_the_log(desk: Desk) -> None:
    asked, other = two_sided(desk)
    faces = desk.app.faces()
    assert faces.middle is not None
    assert faces.middle.screen.board is not None
    shown = {face.seat: face.screen for face in faces.faces}
    assert all(screen.board is None and screen.status for screen in shown.values())
    assert [action.label for action in shown[asked].actions] == ["Confirm", "Ask"]
    assert shown[asked].blocks[-1] == Log(("a few words",)), "the hint has the room that is left"
    assert [action.label for action in shown[other].actions] == ["Ask", "Log"]
    log = next(block for block in shown[other].blocks if isinstance(block, Log))
    assert log.lines == desk.table.log()
    assert isinstance(shown[other].blocks[0], Prompt)


def test_the_waiting_half_can_open_what_is_always_there_and_nothing_else(desk: Desk) -> None:
    asked, other = two_sided(desk)
    desk.table.ready = desk.table.match.steps[-1]
    before = len(desk.table.match.steps)
    desk.touch("do", seat=other)
    assert len(desk.table.match.steps) == before
    for seat in (asked, other):
        desk.touch("log", seat=seat)
        assert isinstance(desk.app.seats.own[seat], LogScene)
    assert desk.at_table
    desk.touch("back", seat=other)
    assert list(desk.app.seats.own) == [asked]


def test_a_panel_may_ask_the_two_halves_different_things_and_one_that_does_not_say_whom_is_told_of(desk: Desk) -> None:
    class Facing(PlainPanel):
        def show_to(self, seat: str) -> Face:
            return Face((Text(f"for {seat}"),), (Button("Yes", Intent("yes")),))

    class Mute(PlainPanel):
        def show(self) -> Face:
            return Face(
                (Log(("old news",)), Text("which?")), tuple(Button(str(n), Intent("n", "", n)) for n in range(3))
            )

    asked, other = two_sided(desk)
    desk.table.follow(Open(Facing(desk.table)))
    screen = desk.table.show_to(asked)
    assert screen.blocks == (Text(f"for {asked}"),)
    assert [action.label for action in screen.actions] == ["Yes", "Ask"]
    desk.table.follow(Open(Mute(desk.table)))
    doing = desk.table.show_to(other).blocks[0]
    assert isinstance(doing, Prompt)
    assert doing.text == f"Waiting for {desk.table.people.name(asked)}."
    own = desk.table.show_to(asked)
    assert own.blocks == (Text("which?"),)
    assert [action.label for action in own.actions] == ["0", "1", "2"], "the buttons have the room of the argument's"


def test_looking_back_takes_both_halves(desk: Desk) -> None:
    _asked, other = two_sided(desk)
    desk.touch("log", seat=other)
    desk.touch("moment", n=5, seat=other)
    faces = desk.app.faces()
    assert {face.screen.title for face in faces.faces} == {"Replay"}
    assert faces.middle is not None
    assert faces.middle.screen.board == desk.table.presenter.picture(desk.table.match.positions[5])
    desk.touch("back", seat=other)
    assert isinstance(desk.app.seats.own[other], LogScene)


def test_an_argument_in_a_half_has_the_room_for_its_words(desk: Desk) -> None:
    asked, _other = two_sided(desk)
    desk.table.ready = refused(desk.table)
    for verb in ("dispute", "why"):
        desk.touch(verb, seat=asked)
        faces = desk.app.faces()
        own = next(face.screen for face in faces.faces if face.seat == asked)
        assert own.blocks
        assert own.board is None
        assert faces.middle is not None
        assert faces.middle.screen.board is not None, "the table stands between them"
        desk.touch("back", seat=asked)
    desk.touch("why", seat=asked).touch("settle", seat=asked)
    assert next(face.screen for face in desk.app.faces().faces if face.seat == asked).board is None


SIZES = [(800, 480), (1280, 720), (720, 1280)]


# ---- between the panels of two players -----------------------------------------------------------


def panes_of(desk: Desk, size_px: tuple[int, int]) -> tuple[Shown, ...]:
    """Return the panes on a screen of that size with a half for each player."""
    stage = desk.app.stage
    stage.settings = replace(stage.settings, layout="two")
    return draw_glass(desk.app.faces(), size_px, glass_of(stage.settings))[1]


@pytest.mark.parametrize("size_px", SIZES)
def test_the_table_stands_between_the_panels(desk: Desk, size_px: tuple[int, int]) -> None:
    near, far, middle = panes_of(desk, size_px)
    assert isinstance(middle.pane.between, TablePicture)
    assert (near.pane.seat, far.pane.seat) == desk.table.sides
    assert far.pane.turned
    assert not near.pane.turned
    assert middle.pane.seat == desk.table.asked_side
    assert middle.pane.turned == (desk.table.asked_side == far.pane.seat)
    along = 0 if size_px[0] > size_px[1] else 1
    for panel in (near, far):
        assert panel.pane.rect_px.size[along] >= PANEL_PART * size_px[along] - 1
    rects = [shown.pane.rect_px for shown in (near, far, middle)]
    assert sum(rect.w * rect.h for rect in rects) == size_px[0] * size_px[1]
    shown = (near, far, middle)
    assert shown[first_pane(shown)].pane.seat == desk.table.asked_side, "the ring begins with whoever is asked"
    targets = middle.canvas.sheet.targets
    assert desk.system != "generals" or {target.intent.verb for target in targets} >= {"zone"}
    for target in targets:
        found = middle.target_at(middle.box_px(target).center)
        assert found is not None
        assert middle.pane.intent(found).seat == desk.table.asked_side, "a touch between is of whoever is asked"
    desk.touch("menu")
    assert shared_picture(desk.screen) is None, "what is no table does not stand between"
    near, far = panes_of(desk, size_px)
    assert (near.pane.between, far.pane.between) == (None, None)


def test_the_lock_leaves_the_table_between_the_players(desk: Desk) -> None:
    desk.app.scene = LockScene(desk.app.stage, desk.table)
    near, far, middle = panes_of(desk, (800, 480))
    assert middle.pane.between is not None
    touched = {pane.canvas.sheet.targets[0].intent.verb for pane in (near, far)}
    assert touched <= {"unlock", "menu", "lock", "side"}


# ---- its menu ------------------------------------------------------------------------------------


@pytest.fixture
def menu(desk: Desk) -> Desk:
    return desk.touch("menu")


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Game log", LogScene),
        ("Undo and redo", UndoScene),
        ("Settings", SettingsScene),
        ("More", MoreMenuScene),
    ],
)
def test_the_menu_leads_there_and_back(menu: Desk, label: str, kind: type) -> None:
    menu.press(label)
    assert isinstance(menu.app.scene, kind)
    menu.touch("back")
    assert isinstance(menu.app.scene, MenuScene)


@pytest.mark.parametrize(
    ("label", "kind"),
    [("The rules", RulesScene), ("Unclear rules", ReadingsScene), ("Save a copy", PagesScene)],
)
def test_the_second_page_leads_there_and_back(menu: Desk, label: str, kind: type) -> None:
    menu.press("More", label)
    assert isinstance(menu.app.scene, kind)
    if kind is PagesScene:
        path = data_dir() / menu.text().removeprefix("Saved as ")
        assert path.read_bytes() == menu.table.match.path.read_bytes(), "a copy is where it says"
    menu.press("Back")
    assert isinstance(menu.app.scene, MoreMenuScene)
    menu.touch("nothing").press("Back")
    assert isinstance(menu.app.scene, MenuScene)


def test_the_menu_leads_to_the_systems_own_scenes_to_the_lock_and_back_to_the_table(menu: Desk) -> None:
    for label in ("Score now", "Fix a mistake"):
        menu.press(label)
        assert not isinstance(menu.app.scene, MenuScene)
        assert not menu.at_table
        menu.app.scene = menu.table
        menu.touch("menu")
    menu.press("Lock the screen")
    assert isinstance(menu.app.scene, LockScene)
    assert menu.app.scene.back is menu.table
    menu.touch("nothing")
    menu.app.scene = menu.table
    menu.touch("menu").touch("nothing").press("Back")
    assert menu.at_table


def test_the_ways_out_of_a_game(menu: Desk) -> None:
    menu.press("More")
    assert "Let it play by itself" not in menu.labels
    menu.app.stage.can_play = True
    menu.press("Let it play by itself")
    assert menu.at_table
    assert menu.app.stage.demo_on
    menu.touch("menu").press("More", "Quit Gunbai")
    assert not menu.app.running
    menu.touch("back").press("Home")
    assert menu.app.scene is menu.table.home
    assert menu.app.table is None


def test_a_machine_of_its_own_is_switched_off(menu: Desk) -> None:
    equip(menu.app.stage, power=mock.Mock())
    menu.press("More")
    (out,) = [button for button in menu.all_buttons() if button.intent.verb == "power"]
    menu.press(out.label)
    assert isinstance(menu.app.scene, PowerScene)


def test_nobody_leaves_a_game_in_memory_unasked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    step = desk.table.match.steps[-1]
    desk.table.match.undo(1)
    desk.table.ready = step
    monkeypatch.setattr(os, "write", mock.Mock(side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    desk.press("Confirm").touch("menu")
    assert desk.button("Home").note == "the game is not saved"
    desk.press("Home")
    assert isinstance(desk.app.scene, LeavingScene)
    desk.press("Stay in the game")
    assert isinstance(desk.app.scene, MenuScene)
