"""The settings, the lock, faults and the health check, for the gallery."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from companion.checks.health import HealthCheck
from companion.perception.sync.status import TableView
from companion.scenes.home.start import BrokenScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.lock import LockScene
from companion.scenes.settings.pages import pages
from companion.scenes.settings.settings import SettingsScene
from companion.settings.layers import Broken, Choices
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.touching import Hand

FOUND = (
    HealthCheck("versions", "Versions", "ok", "Gunbai 0.2.0, Python 3.11.7, pygame-ce 2.5.6, numpy 2.3.4"),
    HealthCheck("data", "Rules and boards", "ok", "Sengoku Jidai: Rivers: 22 areas, 8 cards"),
    HealthCheck("screen", "Screen", "ok", "800×480 on 7 inches, KMSDRM"),
    HealthCheck("touch", "Touch", "ok", "10-0038 generic ft5x06"),
    HealthCheck("sound", "Sound", "note", "No speaker (no such device).", "Gunbai runs silently."),
    HealthCheck("disk", "Disk", "bad", "12 MB free in the data folder", "Free some space: soon no step can be saved."),
    HealthCheck("games", "Saved games", "ok", "14 games"),
    HealthCheck("camera", "Camera", "note", "No camera found.", "You can play by touch without one."),
)


def opened(hand: Hand, *touched: str, page: str = "") -> None:
    """Put the settings on stage, and touch a page of them and what it has."""
    equip(hand.app.stage, choices=Choices(Path(os.environ["GUNBAI_DATA"]) / "chosen.toml"))
    equip(hand.app.stage, doctor=lambda: FOUND)
    hand.app.scene = SettingsScene(hand.app.stage, hand.app.scene)
    hand.press(*([page] if page else []), *touched)


@scene
def settings_trial(hand: Hand) -> None:
    opened(hand, "Seats and rotation", "180°")
    hand.app.stage.apply(type(hand.app.stage.settings)())


@scene
def check(hand: Hand) -> None:
    opened(hand, "Health check")


@scene
def check_crosses(hand: Hand) -> None:
    opened(hand, "Health check", "Test the touchscreen")
    for n in (0, 3):
        hand.app.touch(Intent("cross", "", n))


@scene
def check_well(hand: Hand) -> None:
    equip(hand.app.stage, doctor=lambda: tuple(check for check in FOUND if check.state == "ok"))
    hand.app.scene = CheckScene(hand.app.stage, hand.app.scene)


@scene
def lock_held(hand: Hand) -> None:
    hand.app.scene = LockScene(hand.app.stage, hand.start().board_table)
    hand.app.touch(Intent("unlock"))
    for tenth in range(11):
        hand.app.tick(tenth / 10)


@scene
def broken_settings(hand: Hand) -> None:
    faults = (
        Broken(
            Path("x"),
            "/home/pi/.config/gunbai/settings.toml: screen.rotation: expected one of 0, 90, 180, 270, not 45",
        ),
        Broken(Path("y"), "/home/pi/.config/gunbai/chosen.toml: Invalid value (at line 3, column 12)"),
    )
    hand.app.scene = BrokenScene(faults, hand.app.scene)


@scene
def crash_in_a_game(hand: Hand) -> None:
    hand.start()
    hand.app.show_crash(KeyError("ambush"))


@scene
def crash_at_home(hand: Hand) -> None:
    hand.app.show_crash(ZeroDivisionError())


def _clocked(hand: Hand, layout: str = "one") -> None:
    hand.app.stage.change(clock_minutes=20, layout=layout)
    hand.start()
    hand.app.tick(0.0)
    hand.app.touch(Intent("clock"))
    hand.app.tick(0.0)
    hand.app.tick(431.0)


@scene
def clock_low_and_paused(hand: Hand) -> None:
    _clocked(hand)
    hand.app.tick(1150.0)
    hand.app.touch(Intent("clock"))


def _lose_camera(hand: Hand) -> None:
    app = hand.start().app
    app._watcher = lambda _match: TableView("lost", fault="0: the camera gave no picture")
    app.tick(0.0)


scenes_after(
    __name__,
    {
        "settings": (opened,),
        **{f"settings_{name}": (partial(opened, page=page.title),) for name, page in pages().items()},
        "settings_language": (lambda hand: opened(hand, "Language"),),
        "settings_names": (lambda hand: opened(hand, "Default names"),),
        "settings_forget": (lambda hand: opened(hand, "Reset settings"),),
        "check_help": (lambda hand: opened(hand, "Health check", "Test the touchscreen", "One doesn't respond"),),
        "crash_report_saved": ("crash_in_a_game", "Save a report"),
        "clock_runs": (_clocked,),
        "camera_lost": (_lose_camera,),
        "camera_lost_and_why": (_lose_camera, Intent("live")),
    },
)
