"""The launcher: when it sets up, where, and what a set-up that was cut short leaves."""

import ast
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from companion import cli
from requirements import environment
from tests.setup.conftest import ROOT


class Fill:
    """Stands for the making of an environment: makes the Python, or stops half-way as a power cut does.

    started: the commands that the launcher would have become.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, bool]] = []
        self.started: list[list[str]] = []
        self.cut = False

    def __call__(self, venv: Path, lock: Path, anew: bool) -> None:
        self.calls.append((lock.name, anew))
        (venv / "bin").mkdir(parents=True, exist_ok=True)
        (venv / "bin" / "python").touch()
        if self.cut:
            raise environment.SetupError("cut short")


@pytest.fixture
def fill(monkeypatch: pytest.MonkeyPatch) -> Fill:
    fill = Fill()
    monkeypatch.setattr(environment, "fill", fill)
    monkeypatch.setattr(os, "execve", lambda path, command, environment: fill.started.append(command))
    return fill


def venv_of(launcher: ModuleType) -> Path:
    return Path(launcher.ROOT) / ".venv"


def test_first_start_sets_up_and_second_does_not(launcher: ModuleType, fill: Fill) -> None:
    launcher.main(["demo"])
    launcher.main(["demo", "--seed", "1"])
    python = str(venv_of(launcher) / "bin" / "python")
    assert fill.calls == [("run.txt", True)]
    assert fill.started == [
        [python, "-P", "-m", "companion", "demo"],
        [python, "-P", "-m", "companion", "demo", "--seed", "1"],
    ]


@pytest.mark.parametrize("command", ["install", "uninstall", "update", "pack"])
def test_what_makes_or_mends_an_installation_needs_no_environment(
    launcher: ModuleType, fill: Fill, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """It is the Python of the launcher itself that becomes the program, with the tree on its path."""
    assert command in cli.ALONE

    def become(path: Path, words: list[str], variables: dict[str, str]) -> None:
        assert (str(path), variables["PYTHONPATH"]) == (sys.executable, str(launcher.ROOT))
        raise SystemExit(" ".join(words[1:]))

    monkeypatch.setattr(os, "execve", become)
    with pytest.raises(SystemExit) as left:
        launcher.main([command, "--help"])
    assert left.value.code == f"-P -m companion {command} --help"
    assert fill.calls == []
    assert not venv_of(launcher).exists()


def test_the_tests_need_their_own_lock_and_bring_the_other(launcher: ModuleType, fill: Fill) -> None:
    launcher.main(["demo"])
    launcher.main(["test", "-k", "dice"])
    launcher.main(["demo"])
    assert fill.calls == [("run.txt", True), ("test.txt", False)]
    assert fill.started[1][2:] == [str(launcher.ROOT / "tests" / "run.py"), "-k", "dice"]


def stamp_of(launcher: ModuleType) -> Path:
    """Return where the launcher notes what is set up, with nothing there any more."""
    stamp = Path(launcher.stamp_of(venv_of(launcher), "run"))
    stamp.unlink()
    return stamp


CHANGES: dict[str, tuple[Callable[[ModuleType], object], bool]] = {
    "a new lock": (lambda launcher: (launcher.LOCKS / "run.txt").write_text("numpy==2.4.7\n"), False),
    "another Python": (lambda launcher: setattr(launcher, "python_tag", lambda: "python 3.99 abacus"), True),
    "no Python": (lambda launcher: (venv_of(launcher) / "bin" / "python").unlink(), True),
    "bytes for a stamp": (lambda launcher: stamp_of(launcher).write_bytes(b"\xff\xfe\0"), True),
    "a pipe": (lambda launcher: os.mkfifo(stamp_of(launcher)), True),
    "a loop": (lambda launcher: (stamp := stamp_of(launcher)).symlink_to(stamp.name), True),
    "an endless file": (lambda launcher: stamp_of(launcher).symlink_to("/dev/zero"), True),
}


@pytest.mark.parametrize(("change", "anew"), CHANGES.values(), ids=CHANGES)
def test_what_has_changed_means_a_set_up(
    launcher: ModuleType, fill: Fill, change: Callable[[ModuleType], object], anew: bool
) -> None:
    """A new lock is installed over the old; else the environment is made again."""
    launcher.main([])
    change(launcher)
    launcher.main([])
    assert fill.calls == [("run.txt", True), ("run.txt", anew)]
    assert launcher.is_ready(venv_of(launcher), "run")


@pytest.mark.parametrize("before", [[], [["demo"]], [["demo"], ["test"]]])
def test_a_cut_short_set_up_is_begun_again(
    launcher: ModuleType, fill: Fill, capsys: pytest.CaptureFixture[str], before: list[list[str]]
) -> None:
    for arguments in before:
        launcher.main(arguments)
    (launcher.LOCKS / "run.txt").write_text("numpy==2.4.7\n")
    fill.cut = True
    assert launcher.main(["demo"]) == 2
    assert capsys.readouterr().err == "gunbai: cut short\n"
    assert not list(venv_of(launcher).glob("gunbai-*"))
    fill.cut = False
    launcher.main(["demo"])
    assert fill.calls[-1] == ("run.txt", True)
    assert launcher.is_ready(venv_of(launcher), "run")


def test_an_environment_of_somebody_else_is_left_alone(
    launcher: ModuleType, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    venv_of(launcher).mkdir()
    assert launcher.main([]) == 2
    assert "wasn't made by this launcher" in capsys.readouterr().err
    assert fill.calls == []


def test_a_start_that_waited_finds_the_work_done(
    launcher: ModuleType, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv = venv_of(launcher)
    answers = iter([False, True])
    monkeypatch.setattr(launcher, "is_ready", lambda venv, name: next(answers))
    launcher.main([])
    assert fill.calls == []
    assert fill.started[0][0] == str(venv / "bin" / "python")


def test_where_the_folder_cannot_be_written_the_users_own_is_taken(
    launcher: ModuleType, fill: Fill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    launcher.main([])
    assert fill.started[0][0] == str(tmp_path / "data" / "gunbai" / "venv" / "bin" / "python")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert launcher.choose_venv("run") == tmp_path / ".local" / "share" / "gunbai" / "venv"


def test_an_environment_beside_is_used_even_where_it_cannot_be_written(
    launcher: ModuleType, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher.main([])
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert launcher.choose_venv("run") == venv_of(launcher)


def test_the_program_sees_the_project_and_not_the_users_packages(
    launcher: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, str] = {}
    monkeypatch.setattr(os, "execve", lambda path, command, environment: seen.update(environment))
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("PYTHONHOME", "/elsewhere")
    launcher.start(venv_of(launcher), ["demo"])
    assert seen["PYTHONPATH"] == str(launcher.ROOT)
    assert seen["PYTHONNOUSERSITE"] == seen["PYTHONUTF8"] == "1"
    assert "PYTHONHOME" not in seen


def test_a_missing_lock_is_one_line(launcher: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    (launcher.LOCKS / "run.txt").unlink()
    assert launcher.main([]) == 2
    assert capsys.readouterr().err == f"gunbai: No such file or directory: {launcher.LOCKS}/run.txt\n"


def test_a_folder_in_the_stamp_s_place_is_one_line(
    launcher: ModuleType, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    launcher.main([])
    stamp = stamp_of(launcher)
    stamp.mkdir()
    assert launcher.main([]) == 2
    assert capsys.readouterr().err == f"gunbai: Is a directory: {stamp}\n"


def test_a_pipe_in_the_lock_s_place_is_one_line(
    launcher: ModuleType, fill: Fill, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(launcher.ROOT / ".venv.lock")
    assert launcher.main([]) == 2
    assert (
        capsys.readouterr().err
        == f"gunbai: {launcher.ROOT}/.venv.lock isn't a plain file; move it away and try again\n"
    )


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "the set-up failed: UnicodeDecodeError: "),
        (MemoryError(), "the set-up failed: MemoryError"),
        (OSError(28, "No space left on device"), "No space left on device\n"),
        (OSError("odd"), "odd\n"),
    ],
)
def test_whatever_goes_wrong_is_one_line(
    launcher: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    told: str,
) -> None:
    def fail(venv: Path, lock: Path, anew: bool) -> None:
        raise error

    monkeypatch.setattr(environment, "fill", fail)
    assert launcher.main([]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"gunbai: {told}")
    assert err.count("\n") == 1


def test_nobody_to_hear_it_is_no_fault(launcher: ModuleType, fill: Fill, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    fill.cut = True
    assert launcher.main([]) == 2
    with Path("/dev/full").open("w", buffering=1) as full:
        monkeypatch.setattr(sys, "stderr", full)
        assert launcher.main([]) == 2
        environment.say("more")
        monkeypatch.setattr(sys, "stderr", sys.__stderr__)
        with pytest.raises(OSError, match="No space"):
            full.close()


def test_a_stopped_set_up_says_so(
    launcher: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(venv: Path, lock: Path, anew: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "fill", stop)
    assert launcher.main([]) == 130
    assert "the next start begins the set-up again" in capsys.readouterr().err


def test_an_older_python_is_told_which_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (ROOT / "gunbai").read_text()
    ast.parse(source, feature_version=(3, 6))
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as stopped:
        exec(compile(source, "gunbai", "exec"), {"__name__": "__main__"})
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "gunbai: Python 3.11 or later is needed, and this is 3.9\n"
