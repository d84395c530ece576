"""The last net: whatever nobody has foreseen is one line, exit status 2, and a report that holds nothing private."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import cli
from companion.cli import main
from companion.crash import last_net
from companion.crash.last_net import MOST_REPORTS, TRACEBACKS, hooks_for_now, report_line
from companion.crash.traces import trace_of, without_homes
from tests.companion.commands.terminal import Capture, fault
from tests.patience import PATIENCE_S

ROOT = Path(cli.__file__).resolve().parent.parent
SECRET = "Quillfeather"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def deep() -> None:
    deep()


def throw(error: BaseException) -> Callable[[str], None]:
    """Something in the place of a reader that raises this."""

    def fail(path: str) -> None:
        secret = path  # a local variable, which no report tells
        raise error if secret else ValueError

    return fail


FAULTS = [
    KeyError(SECRET),
    MemoryError(SECRET),
    RecursionError(SECRET),
    ZeroDivisionError(),
    UnicodeEncodeError("utf-8", SECRET, 0, 1, SECRET),
    AssertionError(SECRET),
    NotImplementedError(SECRET),
    StopIteration(SECRET),
    ExceptionGroup(SECRET, [KeyError(SECRET), ValueError(SECRET)]),
    type("Quill", (Exception,), {"__str__": lambda self: 1 // 0})(SECRET),
]


@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
def test_what_nobody_has_foreseen_is_one_line(
    error: Exception, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("companion.terminal.inputs.load_any", throw(error))
    line = fault(capsys, "score", f"/home/{SECRET}/game.jsonl")
    report = data / "reports" / "report-1.txt"
    assert line.startswith(f"internal error: {type(error).__name__} at test_last_net.py:")
    assert line.endswith(f"; the report is {report}")
    text = report.read_text()
    assert SECRET not in line + text
    assert "on stage: gunbai score" in text
    assert "in fail" in text


def test_a_stack_that_overflows_is_one_line(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("companion.terminal.inputs.load_any", lambda path: deep())
    assert fault(capsys, "score", "x").startswith("internal error: RecursionError at test_last_net.py:")
    assert "Previous line repeated" in (data / "reports" / "report-1.txt").read_text()


def test_a_command_that_leaves_with_words_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for code, status in ((None, 0), (3, 3), ("so much\nfor that", 2)):
        monkeypatch.setattr("companion.terminal.inputs.load_any", throw(SystemExit(code)))
        with pytest.raises(SystemExit) as left:
            main(["score", "x"])
        assert left.value.code == status
    assert capsys.readouterr().err == "gunbai: so much for that\n"


def test_another_pipe_than_the_output_that_breaks_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("companion.terminal.inputs.load_any", throw(BrokenPipeError(32, "Broken pipe")))
    assert fault(capsys, "score", "x") == "Broken pipe"


def test_without_a_command_that_is_known_none_is_named(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(cli, "parser", throw(KeyError("x")))
    fault(capsys, SECRET)
    assert "on stage: gunbai\n" in (data / "reports" / "report-1.txt").read_text()


# ---- the report -------------------------------------------------------------------------------------


def raised() -> Exception:
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        return error


def test_where_no_report_can_be_written_the_line_still_comes(data: Path) -> None:
    data.write_text("no folder")
    assert report_line(raised(), "gunbai score") == f"internal error: KeyError at test_last_net.py:{line_of(raised())}"


def line_of(error: BaseException) -> int:
    assert error.__traceback__ is not None
    return error.__traceback__.tb_lineno


def test_a_folder_of_reports_does_not_grow_for_ever(data: Path) -> None:
    for _ in range(MOST_REPORTS):
        report_line(raised(), "gunbai score")
    assert report_line(raised(), "gunbai score").endswith(
        f"; no report is added to the {MOST_REPORTS} in {data / 'reports'}"
    )
    assert len(list((data / "reports").iterdir())) == MOST_REPORTS


def test_in_the_folder_of_somebody_else_nothing_is_written(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert "report" not in report_line(raised(), "gunbai score")
    assert not data.exists()


def test_who_works_on_it_may_see_the_traceback(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv(TRACEBACKS, "1")
    report_line(raised(), "gunbai score")
    assert f"KeyError: '{SECRET}'" in capsys.readouterr().err


def test_what_caused_it_is_ahead_of_it_and_nothing_goes_round_for_ever() -> None:
    first, second = raised(), raised()
    first.__cause__, second.__cause__ = second, first
    text = trace_of(first)
    assert 1 < text.count("and then:") < 20


def test_homes_are_no_part_of_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/people/ana")
    assert without_homes("/srv/people/ana/x /home/bo/y /Users/cy 'z'") == "~/x ~/y ~ 'z'"
    monkeypatch.setenv("HOME", "/")
    assert without_homes("/opt/gunbai") == "/opt/gunbai"


# ---- threads, and where nothing can be raised ---------------------------------------------------------

BEHIND = """
import sys, threading
from companion import cli
from companion.terminal import inputs
class Odd:
    def __del__(self):
        raise KeyError("Quill" + "feather")
def fail():
    raise KeyError("Quill" + "feather")
def leave():
    raise SystemExit(1)
def load(path):
    for work in (fail, leave):
        thread = threading.Thread(target=work, name="errand")
        thread.start()
        thread.join()
    Odd()
    raise inputs.InputError("bad")
inputs.load_any = load
sys.argv = ["gunbai", "score", "x"]
status = cli.entry()
late = threading.Thread(target=fail, name="late")
late.start()
late.join()
odd = Odd()
if status == 2:
    raise ValueError("Quill" + "feather")
"""


def test_faults_of_threads_and_behind_the_command_are_a_line_each(data: Path) -> None:
    command = [sys.executable, "-c", BEHIND]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=PATIENCE_S)
    lines = done.stderr.splitlines()
    assert SECRET not in done.stderr
    assert [line.partition(" at ")[0] for line in lines if "bad" not in line] == [
        "gunbai: internal error: KeyError",
        "gunbai: internal error: KeyError",
        "gunbai: internal error: KeyError",
        "gunbai: internal error: ValueError",
        "gunbai: internal error: KeyError",
    ]
    reports = [path.read_text() for path in (data / "reports").iterdir()]
    assert {text.splitlines()[2].partition("on stage: ")[2] for text in reports} == {
        "thread errand",
        "thread late",
        "where nothing can be raised",
        "outside the command",
    }
    assert SECRET not in "".join(reports)


def test_ctrl_c_behind_the_command_says_nothing(capsys: Capture) -> None:
    last_net._of_process(KeyboardInterrupt, None, None)
    assert capsys.readouterr().err == ""


def test_a_fault_without_an_exception_is_told_by_its_kind(capsys: Capture) -> None:
    last_net._of_process(UnicodeDecodeError, None, None)
    assert capsys.readouterr().err.startswith("gunbai: internal error: UnicodeDecodeError at ?; the report is ")


def test_who_listened_before_still_hears_of_it(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    heard: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: heard.append(args.exc_type.__name__))

    def fail() -> None:
        raise KeyError(SECRET)

    with hooks_for_now():
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    assert heard == ["KeyError"]
    assert capsys.readouterr().err.startswith("gunbai: internal error: KeyError at test_last_net.py:")
    assert threading.excepthook is not last_net._of_thread


def test_a_command_that_cannot_even_be_loaded_is_one_line(tmp_path: Path) -> None:
    """A file of the program that is damaged, say: nothing of it can be trusted but Python."""
    broken = tmp_path / "tree" / "companion"
    broken.mkdir(parents=True)
    for name in ("__init__.py", "__main__.py"):
        (broken / name).write_bytes((ROOT / "companion" / name).read_bytes())
    for text in ("def (", "import nothing_of_that_name", "raise KeyboardInterrupt"):
        (broken / "cli.py").write_text(text)
        command = [sys.executable, "-m", "companion"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=broken.parent, check=False)
        assert "Traceback" not in done.stderr
        assert done.returncode == (130 if "Keyboard" in text else 2)
        assert done.stderr.count("\n") == (0 if "Keyboard" in text else 1)
