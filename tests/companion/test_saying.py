"""What the app says: one line each, with its priority where it goes to the journal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.saying import is_journal, tell, tell_fault
from tests.companion.test_camera_process import ROOT


def test_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    tell("warning", "camera\n  lost")
    assert capsys.readouterr().err == "gunbai: camera lost\n"


def test_in_the_journal_the_priority_is_ahead() -> None:
    code = "import os; s = os.fstat(2); os.environ['JOURNAL_STREAM'] = f'{s.st_dev}:{s.st_ino}'\n"
    code += "from companion.saying import tell; tell('error', 'a'); tell('warning', 'b'); tell('info', 'c')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=True)
    assert run.stderr == "<3>gunbai: a\n<4>gunbai: b\n<6>gunbai: c\n"


def test_another_stream_is_no_journal() -> None:
    assert not is_journal(io.StringIO(), {"JOURNAL_STREAM": "8:1"})
    with Path(os.devnull).open("w", encoding="utf-8") as stream:
        assert not is_journal(stream, {})
        assert not is_journal(stream, {"JOURNAL_STREAM": "8:1"})


def test_nobody_to_hear_it_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = io.StringIO()
    gone.close()
    monkeypatch.setattr(sys, "stderr", gone)
    tell("error", "lost")


def test_a_fault_that_nobody_took_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        dict[str, int]()["nothing"]
    except KeyError as error:
        tell_fault(KeyError, error, error.__traceback__)
        line = error.__traceback__.tb_lineno if error.__traceback__ else 0
    tell_fault(ValueError, None, None)
    told = f"gunbai: a fault of its own: KeyError at test_saying.py:{line}: 'nothing'\n"
    assert capsys.readouterr().err == told + "gunbai: a fault of its own: ValueError at ?: None\n"
