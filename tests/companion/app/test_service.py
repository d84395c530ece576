"""The app as a service: what its manager hears, what feeds its watchdog, a stop at any moment, a screen that comes."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from companion.app import service
from companion.app.app import App
from companion.app.service import (
    CAMERA_S,
    FEEDS,
    STUCK,
    Heartbeat,
    Service,
    Stopping,
    in_service,
    is_appliance,
    status_text,
)
from companion.core.errors import MatchError
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.perception.sync.status import SyncStatus
from companion.view.window import window
from companion.view.window.display import ScreenError
from companion.view.window.window import run_window
from hardware.notify import Notifier
from tests.companion.perception.seeing import say
from tests.companion.perception.test_camera_process import ROOT
from tests.companion.sample_games import game_file, played
from tests.companion.situations import of
from tests.patience import PATIENCE_S, until

WATCHDOG_S = 20.0


class Manager(Notifier):
    """A service manager that keeps what it hears."""

    def __init__(self, watchdog_s: float | None = WATCHDOG_S) -> None:
        super().__init__("/nowhere", watchdog_s)
        self.told: list[str] = []

    @property
    def fed(self) -> int:
        return self.told.count("WATCHDOG=1")

    def _tell(self, *assignments: str) -> None:
        self.told.extend(assignments)


class Beating:
    """A heartbeat with a camera of the test's."""

    def __init__(self, watchdog_s: float | None = WATCHDOG_S) -> None:
        self.manager = Manager(watchdog_s)
        self.camera_s: float | None = None
        self.heart = Heartbeat(self.manager, lambda: self.camera_s)

    def turns(self, from_s: float, to_s: float, camera_gets_on: bool = False) -> int:
        """Let the app turn ten times a second; return how often the watchdog was fed."""
        before = self.manager.fed
        for tenth in range(round(from_s * 10), round(to_s * 10)):
            self.camera_s = tenth / 10 if camera_gets_on else self.camera_s
            self.heart.turn_done(tenth / 10, "playing")
        return self.manager.fed - before


@pytest.fixture
def beating() -> Beating:
    return Beating()


def test_a_camera_that_gets_on_is_fed_for(beating: Beating) -> None:
    assert beating.turns(0, 3 * CAMERA_S, camera_gets_on=True) == 3 * CAMERA_S / WATCHDOG_S * FEEDS


def test_a_camera_that_is_stuck_beyond_its_limit_is_not(beating: Beating) -> None:
    beating.turns(0, 10, camera_gets_on=True)
    assert beating.turns(10, 9.9 + CAMERA_S) > 0, "its keeper has time to put that right"
    assert beating.turns(10 + CAMERA_S, 400) == 0
    assert beating.manager.told[-1] == f"STATUS={STUCK}"
    assert beating.turns(400, 401, camera_gets_on=True) == 1


def test_turns_feed_a_few_times_within_the_watchdogs_time_where_no_camera_ever_got_on(beating: Beating) -> None:
    assert beating.turns(0, 10 * CAMERA_S) == 10 * CAMERA_S / WATCHDOG_S * FEEDS


def test_without_a_watchdog_nothing_is_fed() -> None:
    beating = Beating(None)
    assert beating.turns(0, 100) == 0
    assert beating.manager.told == ["READY=1", "STATUS=playing"]


def test_what_goes_on_is_said_in_a_few_words(tmp_path: Path) -> None:
    match = Match.open(game_file(tmp_path, steps=2))
    assert status_text(None, SyncStatus()) == "at home"
    assert status_text(of(match), SyncStatus("sync")) == f"playing, round {match.position.round}"
    assert status_text(of(match), SyncStatus("lost", "unplugged")).endswith(", camera lost")
    assert status_text(of(match), SyncStatus(), demo=True).startswith("a demonstration, round ")
    match.close()
    over = Match.open(game_file(tmp_path))
    assert status_text(of(over), SyncStatus("lost")) == "a finished game, camera lost"
    over.close()


@pytest.fixture
def manager() -> Manager:
    return Manager()


# ---- what is told --------------------------------------------------------------------------------


def test_turns_are_told_and_changes_are_said_not_too_often(
    manager: Manager, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = App()
    served = Service(app, lambda: None, manager)
    served.turn_done(1.0)
    assert manager.told == ["READY=1", "STATUS=at home", "WATCHDOG=1"]
    monkeypatch.setattr(service, "status_text", lambda *_: "playing, round 1, camera lost")
    served.turn_done(2.0)
    assert manager.told[-1] == "STATUS=playing, round 1, camera lost"
    assert capsys.readouterr().err == "gunbai: at home\n"
    served.turn_done(12.0)
    served.turn_done(13.0)
    assert capsys.readouterr().err == "gunbai: playing, round 1, camera lost\n"


def test_without_a_manager_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Service(App(), lambda: None, Notifier()).turn_done(1.0)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("value", "meant"), [("1", True), ("0", False), ("", False)])
def test_an_appliance_is_named_by_its_unit(value: str, meant: bool) -> None:
    assert is_appliance({"GUNBAI_APPLIANCE": value}) is meant
    assert not is_appliance({})


# ---- no screen -----------------------------------------------------------------------------------


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether a screen is there, one time after the other; the last stays."""
    there = [False, False, True]

    def opened(size_px: object) -> pygame.Surface:
        if not (there.pop(0) if len(there) > 1 else there[0]):
            raise ScreenError("couldn't open a screen")
        return pygame.Surface((800, 480))

    monkeypatch.setattr(window, "open_display", opened)
    monkeypatch.setattr(service, "SCREEN_EVERY_S", 0.001)
    return there


def test_a_kiosk_waits_for_its_screen(
    manager: Manager, screens: list[bool], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GUNBAI_APPLIANCE", "1")
    app = App()
    app.service = Service(app, lambda: None, manager)
    assert window._await_screen(app, None) is not None
    assert manager.told == ["READY=1", "STATUS=waiting for a screen", "WATCHDOG=1", "WATCHDOG=1"]
    assert capsys.readouterr().err == "gunbai: waiting for a screen: couldn't open a screen\n"


def test_a_stop_ends_the_wait(manager: Manager, screens: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_APPLIANCE", "1")
    monkeypatch.setattr(service, "SCREEN_EVERY_S", 600.0)
    screens[:] = [False]
    app = App()
    served = app.service = Service(app, lambda: None, manager)
    threading.Timer(0.05, served.stop).start()
    assert run_window(app) == 0


def test_elsewhere_no_screen_is_told(manager: Manager, screens: list[bool]) -> None:
    app = App()
    app.service = Service(app, lambda: None, manager)
    with pytest.raises(ScreenError):
        run_window(app)


BROKEN = """
import os, sys
stderr = os.fstat(2)
os.environ["JOURNAL_STREAM"] = f"{stderr.st_dev}:{stderr.st_ino}"
from companion.cli import main
from companion.view.window import window
def broken(self):
    raise KeyError("no such " + "thing")
window.Window.present = broken
sys.exit(main(["play", "--size", "800x480"]))
"""


def test_a_fault_that_even_the_calm_screen_cannot_show_is_a_line_each_and_a_status(tmp_path: Path) -> None:
    process = Process(tmp_path, "-c", BROKEN)
    _out, err = process.process.communicate(timeout=PATIENCE_S)
    process.manager.close()
    lines = err.splitlines()
    assert process.process.returncode == 2
    assert len(lines) == 2
    assert lines[0].startswith("<3>gunbai: internal error: KeyError at <string>:8, on stage: WelcomeScene")
    report = tmp_path / "data" / "reports" / "report-1.txt"
    assert lines[1] == f"<3>gunbai: internal error: KeyError at <string>:8; the report is {report}"
    assert "no such thing" not in report.read_text()


# ---- signals -------------------------------------------------------------------------------------


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in service.SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", service.SIGNALS)
def test_a_signal_asks_once_and_what_hangs_is_left(
    number: signal.Signals, handlers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "PATIENCE_S", 0.0)
    asked: list[str] = []
    left: list[int] = []
    with Stopping(lambda: asked.append("stop"), left.append):
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        assert until(lambda: left)
    assert (asked, left) == (["stop"], [0])


def test_without_a_signal_everything_is_as_before(handlers: None) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with Stopping(lambda: None) as stop:
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
    assert not stop.asked


def test_the_game_is_closed_and_the_end_is_told(tmp_path: Path, handlers: None, manager: Manager) -> None:
    match = Match.open(game_file(tmp_path, steps=2))
    app = App(match=match)

    def fail() -> None:
        with in_service(app, lambda: None) as served:
            served.manager = manager
            raise ScreenError("gone")

    with pytest.raises(ScreenError):
        fail()
    assert manager.told == ["STOPPING=1"]
    with pytest.raises(MatchError):
        match.offer(played()[0][2])


# ---- real processes --------------------------------------------------------------------------------

PLAYING = """
import os, signal, sys
from argparse import Namespace
from companion.app import service
from companion.bootstrap import play
from companion.view.window import window
from tests.companion.sample_games import played

service.PATIENCE_S = 600.0  # the end of the loop is looked at, however busy the machine is
steps = list(played()[0])

def sitting(win):
    def events():
        match = win.app.table.match
        if len(match.steps) < len(steps):
            match.offer(steps[len(match.steps)])
            print(len(match.steps), flush=True)
        if len(match.steps) == len(steps) // 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return window.wait_for_events() if len(match.steps) == len(steps) else []
    return events

def show(app, size):
    return window.run_window(app, size, sitting)

options = Namespace(demo=False, size="800x480", game=sys.argv[1], table=None, camera=None)
sys.exit(play(options, show))
"""
BUSY = """
import sys, time
from companion.cli import main
from companion.core.background import Errand
errand = Errand("heavy")
errand.begin(lambda: time.sleep(600))
sys.exit(main(["play", "--size", "800x480"]))
"""


class Process:
    """The app in a process of its own, on a screen that shows nothing, with a service manager that listens."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(PATIENCE_S)
        environment = os.environ | {
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": "20000000",
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "GUNBAI_DATA": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
        }
        self.folder = folder
        with (folder / "out").open("w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, env=environment, stdout=out, stderr=subprocess.PIPE, text=True
            )

    def out(self) -> str:
        """Return what the process has printed."""
        return (self.folder / "out").read_text()

    def waits_for(self, told: str) -> None:
        while told not in self.manager.recv(4096).decode():
            pass

    def stop(self) -> tuple[int, str, str, float]:
        """(exit status, output, complaints, seconds it took)."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> tuple[int, str, str, float]:
        """Wait for its end; (exit status, output, complaints, seconds it took)."""
        began_s = time.monotonic()
        _out, err = self.process.communicate(timeout=PATIENCE_S)
        took_s = time.monotonic() - began_s
        self.manager.close()
        return self.process.returncode, self.out(), err, took_s


@pytest.mark.long
def test_a_stop_while_heavy_work_goes_on(tmp_path: Path) -> None:
    process = Process(tmp_path, "-c", BUSY)
    process.waits_for("READY=1\nSTATUS=at home")
    process.waits_for("WATCHDOG=1")
    status, out, err, took_s = process.stop()
    assert (status, out, err) == (0, "", "gunbai: at home\n")
    assert took_s < 600, "the work was not waited for"


@pytest.mark.long
def test_a_stop_in_the_middle_of_steps_loses_none(tmp_path: Path) -> None:
    """By a service manager's signal, which it sends itself there; each of the others is handled alike, see above."""
    whole = len(read_journal(game_file(tmp_path)).steps)
    path = game_file(tmp_path, steps=0)
    process = Process(tmp_path, "-c", PLAYING, str(path))
    status, out, err, _took_s = process.ended()
    assert (status, [line for line in err.splitlines() if not line.startswith("gunbai: ")]) == (0, [])
    journal = read_journal(path)
    assert journal.fault is None
    assert len(journal.steps) == int(out.split()[-1])
    assert len(journal.steps) < whole


def test_a_sense_of_a_lost_camera_is_part_of_the_status(manager: Manager, match: Match) -> None:
    app = App(match=match)
    say(app.stage.senses.monitor, SyncStatus("lost"))
    Service(app, lambda: None, manager).turn_done(0.0)
    assert "STATUS=playing, round 1, camera lost" in manager.told
