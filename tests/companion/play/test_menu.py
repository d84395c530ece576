"""The menu of a game of any system, its second page, and the ways out of a game."""

from __future__ import annotations

import errno
import os
from unittest import mock

import pytest

from companion.core.storage import data_dir
from companion.scenes.base.rules import RulesScene
from companion.scenes.base.sub_scene import PagesScene
from companion.scenes.base.unsaved import LeavingScene
from companion.scenes.disputes.ruling import ReadingsScene
from companion.scenes.review.log import LogScene, UndoScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.settings.power import PowerScene
from companion.scenes.settings.settings import SettingsScene
from companion.scenes.table.game_menu import MenuScene, MoreMenuScene
from tests.companion.equip import equip
from tests.companion.play.conftest import Desk


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


@pytest.mark.parametrize("label", ["Score now", "Fix a mistake"])
def test_the_systems_own_scenes(menu: Desk, label: str) -> None:
    menu.press(label)
    assert not isinstance(menu.app.scene, MenuScene)
    assert not menu.at_table


def test_the_lock_and_the_table(menu: Desk) -> None:
    menu.press("Lock the screen")
    assert isinstance(menu.app.scene, LockScene)
    assert menu.app.scene.back is menu.table
    menu.touch("nothing")
    menu.app.scene = menu.table
    menu.touch("menu").touch("nothing").press("Back")
    assert menu.at_table


@pytest.mark.parametrize(
    ("label", "kind"),
    [("The rules", RulesScene), ("Unclear rules", ReadingsScene), ("Save a copy", PagesScene)],
)
def test_the_second_page_leads_there_and_back(menu: Desk, label: str, kind: type) -> None:
    menu.press("More", label)
    assert isinstance(menu.app.scene, kind)
    menu.press("Back")
    assert isinstance(menu.app.scene, MoreMenuScene)
    menu.touch("nothing").press("Back")
    assert isinstance(menu.app.scene, MenuScene)


def test_the_ways_out_of_a_game(menu: Desk) -> None:
    menu.press("More")
    assert "Let it play by itself" not in [button.label for button in menu.all_buttons()]
    menu.app.stage.can_play = True
    menu.press("Let it play by itself")
    assert menu.at_table
    assert menu.app.stage.demo_on
    menu.touch("menu").press("More", "Quit Gunbai")
    assert not menu.app.running
    menu.touch("back").press("Home")
    assert menu.app.scene is menu.table.home
    assert menu.app.table is None


def test_a_copy_is_where_it_says(menu: Desk) -> None:
    menu.press("More", "Save a copy")
    path = data_dir() / menu.text().removeprefix("Saved as ")
    assert path.read_bytes() == menu.table.match.path.read_bytes()


def test_a_machine_of_its_own_is_switched_off(menu: Desk) -> None:
    equip(menu.app.stage, power=mock.Mock())
    menu.press("More")
    (out,) = [button for button in menu.all_buttons() if button.intent.verb == "power"]
    menu.press(out.label)
    assert isinstance(menu.app.scene, PowerScene)


def test_nobody_leaves_a_game_in_memory_unasked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    step = desk.table.match.steps[-1]
    desk.table.match.undo(1)
    desk.table.ready = step
    monkeypatch.setattr(os, "write", refuse)
    desk.press("Confirm").touch("menu")
    assert desk.button("Home").note == "the game is not saved"
    desk.press("Home")
    assert isinstance(desk.app.scene, LeavingScene)
    desk.press("Stay in the game")
    assert isinstance(desk.app.scene, MenuScene)
