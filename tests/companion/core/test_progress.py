"""Progress: shown on a terminal, gone in the end, and nowhere else to be seen."""

from __future__ import annotations

import io
import os

import pytest

from companion.core.printable import visible_output, without_lines
from companion.core.progress import progress


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        """Claim to be a terminal."""
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, name: str, total: int, steps: int) -> str:
    """Return what a piece of work of so many steps shows on the stream."""
    monkeypatch.setattr("sys.stderr", stream)
    with visible_output(), progress(name, total) as step:
        for _ in range(steps):
            step()
    return stream.getvalue()


def test_on_a_terminal_each_line_takes_the_place_of_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    told = shown(monkeypatch, Terminal(), "game.gif", 2, 2)
    assert told.split("\r\x1b[K") == ["", "game.gif: 0/2", "game.gif: 1/2", "game.gif: 2/2", ""]
    assert shown(monkeypatch, Terminal(), "photo.jpg", 0, 0).split("\r\x1b[K") == ["", "photo.jpg …", ""]


def test_a_name_steers_no_terminal_and_fills_no_second_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    told = shown(monkeypatch, Terminal(), "a\x1b[2J" + "b" * 50, 0, 0)
    assert max(map(len, told.split("\r\x1b[K"))) == 19
    assert "\x1b[2J" not in told


def test_elsewhere_there_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, io.StringIO(), "game.gif", 2, 2) == ""


def test_a_library_s_own_lines_are_kept_off(capfd: pytest.CaptureFixture[str]) -> None:
    with without_lines(b"ALSA lib "):
        os.write(2, b"ALSA lib confmisc.c: no card\nanother\n")
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "another\nafter\n"
