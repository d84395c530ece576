"""What the app says: one line each, with its priority where it goes to the journal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.log import is_journal, tell
from tests.companion.perception.test_camera_process import ROOT


def test_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    tell("warning", "camera\n  lost")
    assert capsys.readouterr().err == "gunbai: camera lost\n"


def test_what_would_steer_a_terminal_or_look_like_another_line_is_written_out(
    capsys: pytest.CaptureFixture[str],
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
