"""What the app says: one line each, with its priority in the journal; progress on a terminal alone."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.log import is_journal, tell
from companion.core.printable import progress, visible_output, without_lines
from tests.companion.commands.terminal import Capture
from tests.companion.perception.test_camera_process import ROOT


def test_one_line_each(capsys: Capture) -> None:
    tell("warning", "camera\n  lost")
    assert capsys.readouterr().err == "gunbai: camera lost\n"


def test_what_would_steer_a_terminal_or_look_like_another_line_is_written_out(
    capsys: Capture,
) -> None:
    tell("error", "caf\udce9\x1b[2J\x9b1m\u202ex\r\n<3>gunbai: forged\u2028on\x85on")
    assert capsys.readouterr().err == ("gunbai: caf\\udce9\\u001b[2J\\u009b1m\\u202ex <3>gunbai: forged on on\n")


def test_in_the_journal_the_priority_is_ahead() -> None:
    code = "import os; s = os.fstat(2); os.environ['JOURNAL_STREAM'] = f'{s.st_dev}:{s.st_ino}'\n"
    code += "from companion.core.log import tell; tell('error', 'a'); tell('warning', 'b\\x1b'); tell('info', 'c')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=True)
    assert run.stderr == "<3>gunbai: a\n<4>gunbai: b\\u001b\n<6>gunbai: c\n"


def test_another_stream_is_no_journal() -> None:
    assert not is_journal(io.StringIO(), {"JOURNAL_STREAM": "8:1"})
    with Path(os.devnull).open("w", encoding="utf-8") as stream:
        assert not is_journal(stream, {})
        assert not is_journal(stream, {"JOURNAL_STREAM": "8:1"})


def test_nobody_to_hear_it_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = io.StringIO()
    gone.close()
    for stream in (gone, None):
        monkeypatch.setattr(sys, "stderr", stream)
        tell("error", "lost")


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


def test_a_library_s_own_lines_are_kept_off(capfd: Capture) -> None:
    with without_lines(b"ALSA lib "):
        os.write(2, b"ALSA lib confmisc.c: no card\nanother\n")
    os.write(2, b"after\n")
    assert capfd.readouterr().err == "another\nafter\n"
