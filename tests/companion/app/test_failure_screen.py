"""The screen of an app that could not be started: by the bare Python, on a terminal, ended by a touch."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import failure_screen
from companion.app.failure_screen import (
    AGAIN,
    BEGIN,
    EVENT,
    FONTS,
    HAPPENED,
    TOUCH,
    Console,
    TouchInputs,
    is_press,
    page,
    set_font,
    stay,
    waiting_for,
    what_happened,
)
from tests.companion.perception.test_camera_process import ROOT
from tests.patience import PATIENCE_S

KEY_DOWN = EVENT.pack(0, 0, 1, 28, 1)
KEY_UP = EVENT.pack(0, 0, 1, 28, 0)
FINGER = EVENT.pack(0, 0, 3, 0x39, 7)
FINGER_GONE = EVENT.pack(0, 0, 3, 0x39, -1)
MOVED = EVENT.pack(0, 0, 2, 0, 5)


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"MONITOR_SERVICE_RESULT": "exit-code", "MONITOR_EXIT_STATUS": "2"}, "It ended with a fault (status 2)."),
        ({"MONITOR_SERVICE_RESULT": "signal", "MONITOR_EXIT_STATUS": "SEGV"}, "It was ended by a signal (SEGV)."),
        ({"MONITOR_SERVICE_RESULT": "watchdog"}, "It hung."),
        ({"MONITOR_SERVICE_RESULT": "start-limit-hit"}, AGAIN[0]),
        ({}, AGAIN[0]),
    ],
)
def test_it_says_what_happened(environment: dict[str, str], told: str) -> None:
    assert what_happened(environment)[0] == told


@pytest.mark.parametrize("columns", [50, 80, 240])
@pytest.mark.parametrize("happened", [*HAPPENED.values(), AGAIN])
def test_everything_is_said_in_both_languages_and_fits(columns: int, happened: tuple[str, str]) -> None:
    lines = page(happened, TOUCH, columns)
    plain = [line.replace(failure_screen.BOLD, "").replace(failure_screen.PLAIN, "") for line in lines]
    assert max(map(len, plain)) < columns
    assert len(lines) <= 24
    told = " ".join(plain)
    for english, portuguese in (happened, *failure_screen.PAGE, failure_screen.TITLE, TOUCH):
        assert english in told
        assert portuguese in told


@pytest.mark.parametrize(
    ("events", "pressed"),
    [
        (KEY_DOWN, True),
        (KEY_UP + FINGER, True),
        (KEY_UP + FINGER_GONE + MOVED, False),
        (KEY_DOWN[:-1], False),
        (b"", False),
    ],
)
def test_a_touch_is_told_from_all_else(events: bytes, pressed: bool) -> None:
    assert is_press(events) is pressed


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "event0")
    return tmp_path


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No console to type at."""
    monkeypatch.setattr(failure_screen, "KEYS", 999)


@pytest.fixture
def device(inputs: Path) -> Iterator[int]:
    descriptor = os.open(inputs / "event0", os.O_RDWR | os.O_NONBLOCK)
    yield descriptor
    os.close(descriptor)


def test_a_finger_counts_and_a_mouse_that_moves_does_not(inputs: Path, device: int, nobody: None) -> None:
    hands = TouchInputs(inputs)
    assert not hands.wait_for_touch(0.0)
    os.write(device, MOVED)
    assert not hands.wait_for_touch(1.0)
    os.write(device, FINGER)
    assert hands.wait_for_touch(1.0)


def test_a_device_that_is_gone_is_let_go_of(inputs: Path, nobody: None) -> None:
    descriptor = os.open(inputs / "event0", os.O_RDWR | os.O_NONBLOCK)
    hands = TouchInputs(inputs)
    hands.wait_for_touch(0.0)
    os.close(descriptor)
    assert not hands.wait_for_touch(1.0)
    assert not hands._open
    assert not TouchInputs(inputs / "none").wait_for_touch(0.0)


class Paper(Console):
    """A console that keeps what is printed."""

    rows, columns = 40, 80

    def begin(self) -> None:
        Paper.printed = []
        super().begin()

    def _columns(self) -> int:  # type: ignore[override]
        return self.columns

    def _rows(self) -> int:  # type: ignore[override]
        return self.rows

    def _print(self, text: str) -> None:  # type: ignore[override]
        Paper.printed.append(text)

    printed: list[str]


def test_a_touch_counts_once_a_start_is_allowed_again(
    inputs: Path, device: int, nobody: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(failure_screen, "FONTS", ())
    console = Paper(AGAIN)
    console.begin()
    times = iter([0.0, 0.0, 1.0, 2.0, 3.0])
    hands = TouchInputs(inputs)
    for _ in range(3):
        os.write(device, FINGER)  # more than one touch comes before its time

    def clock() -> float:
        now_s = next(times)
        if now_s >= 2.0:
            os.write(device, KEY_DOWN)
        return now_s

    stay(console, hands, 2, clock)
    told = "".join(console.printed)
    assert "It can be started again in 2 s." in told
    assert "It can be started again in 1 s." in told
    assert told.endswith(
        (f"{TOUCH[1]}{failure_screen.PLAIN}{failure_screen.REST_OF_LINE}", failure_screen.REST_OF_SCREEN)
    )
    assert told.count("Your games are safe") == 1, "what stays is not printed again"


def test_the_letters_are_as_large_as_the_screen_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Paper(AGAIN)
    tried: list[str] = []

    def loads(name: str) -> bool:
        tried.append(name)
        Paper.rows = 40 if name == FONTS[2] else 5
        return name != FONTS[1]

    monkeypatch.setattr(failure_screen, "set_font", loads)
    console.begin()
    assert tried == list(FONTS[:3])
    assert console.printed == [BEGIN]


def test_without_fonts_it_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    assert not set_font(FONTS[0])
    for script, loaded in (("exit 1", False), ("exit 0", True)):
        program = tmp_path / "setfont"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr("shutil.which", lambda name, path: str(tmp_path / "setfont"))
        assert set_font(FONTS[0]) is loaded
    monkeypatch.setattr("shutil.which", lambda name, path: str(tmp_path))
    assert not set_font(FONTS[0])


def test_a_console_that_is_gone_is_no_traceback(nobody: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_screen, "SCREEN", 999)
    Console(AGAIN).show(TOUCH)


def test_the_bare_python_shows_it_on_a_terminal_until_a_key_is_pressed() -> None:
    own, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 50, 0, 0))
    environment = {"PATH": "/usr/bin:/bin", "MONITOR_SERVICE_RESULT": "watchdog"}
    command = [sys.executable, "-I", "-S", "-P", str(ROOT / "companion" / "app" / "failure_screen.py"), "--wait", "0"]
    shown = b""
    with subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=subprocess.PIPE, env=environment, cwd="/"
    ) as process:
        while TOUCH[1][:20].encode() not in shown:
            assert select.select([own], [], [], PATIENCE_S)[0]
            shown += os.read(own, 4096)
        os.write(own, b" ")
        _out, err = process.communicate(timeout=PATIENCE_S)
    os.close(own)
    os.close(terminal)
    assert (process.returncode, err) == (0, b"")
    assert shown.startswith(BEGIN.encode())
    assert b"It hung." in shown
    assert "está no cartão".encode() in shown


def test_it_ends_at_once_when_its_unit_is_stopped() -> None:
    command = [sys.executable, "-S", str(ROOT / "companion" / "app" / "failure_screen.py")]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/"
    ) as process:
        assert process.stdout is not None
        process.stdout.read(len(BEGIN))
        process.send_signal(signal.SIGTERM)
        _out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (-signal.SIGTERM, b"")


def test_it_counts_the_seconds() -> None:
    assert waiting_for(7)[1] == "Pode ser iniciado de novo em 7 s."
    assert waiting_for(0) == waiting_for(-3) == TOUCH
