"""The making of an environment: what is asked of which tool, and each fault in one line with what mends it."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from requirements import environment
from requirements.environment import SetupError, explain, mend_libraries

Answer = tuple[int, str]
NO_GL = (1, "ImportError: libGL.so.1: cannot open shared object file: No such file or directory\n")
NO_GLIB = (1, "ImportError: libgthread-2.0.so.0: cannot open shared object file: No such file or directory\n")


class Machine:
    """Stands for the machine that commands run on: remembers them, and answers by the words in them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        self.commands: list[str] = []
        self.answers: dict[str, list[Answer]] = {}
        self.has("apt-get")
        self.is_root(False)
        monkeypatch.setattr(environment, "run", self.run)
        monkeypatch.setattr(environment, "is_raspberry_pi", lambda: False)

    def run(self, *command: str | Path) -> Answer:
        words = " ".join(str(word) for word in command)
        self.commands.append(words)
        for sign, answers in self.answers.items():
            if sign in words and answers:
                return answers.pop(0)
        return 0, ""

    def has(self, *tools: str) -> None:
        self.patch.setattr(environment, "which", lambda tool: f"/usr/bin/{tool}" if tool in tools else None)

    def lacks_ensurepip(self) -> None:
        self.patch.setattr(environment, "find_spec", lambda name: None if name == "ensurepip" else find_spec(name))

    def is_root(self, root: bool) -> None:
        self.patch.setattr(os, "geteuid", lambda: 0 if root else 1000)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / "run.txt"
    path.write_text("numpy==2.4.6 \\\n    --hash=sha256:00\nplatformdirs==4.14.5\n")
    return path


# ---- how it is made ----------------------------------------------------------------------------


def test_without_uv_venv_and_pip_are_used(
    machine: Machine, lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.fill(tmp_path / ".venv", lock, anew=True)
    made, installed, *_ = machine.commands
    assert made.endswith(f"-m venv {tmp_path}/.venv")
    assert installed.startswith(f"{tmp_path}/.venv/bin/python -m pip install")
    assert "--require-hashes --only-binary :all:" in installed
    assert "first use: making .venv … installing 2 packages … ready (" in capsys.readouterr().err


def test_with_uv_uv_does_both(machine: Machine, lock: Path, tmp_path: Path) -> None:
    machine.has("uv")
    environment.fill(tmp_path / ".venv", lock, anew=True)
    _, made, installed, *_ = machine.commands
    assert made.startswith("/usr/bin/uv venv --python ")
    assert installed.startswith("/usr/bin/uv pip install")
    assert "--require-hashes --only-binary :all:" in installed


def test_a_broken_uv_is_passed_over(machine: Machine, lock: Path, tmp_path: Path) -> None:
    machine.has("uv")
    machine.answers["uv --version"] = [(127, "pyenv: uv: command not found")]
    environment.fill(tmp_path / ".venv", lock, anew=True)
    assert "-m venv" in machine.commands[1]


def test_what_an_earlier_try_left_is_cleared(machine: Machine, lock: Path, tmp_path: Path) -> None:
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    environment.fill(tmp_path / ".venv", lock, anew=True)
    assert not (tmp_path / ".venv" / "lib").exists()


def test_a_new_lock_leaves_the_environment_standing(
    machine: Machine, lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    environment.fill(tmp_path / ".venv", lock, anew=False)
    assert (tmp_path / ".venv" / "lib").exists()
    assert "run.txt is new here: installing 2 packages" in capsys.readouterr().err


def test_an_environment_that_uv_made_is_made_again_where_uv_is_gone(
    machine: Machine, lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.answers["pip --version"] = [(1, "No module named pip")]
    environment.fill(tmp_path / "venv", lock, anew=False)
    assert machine.commands[1].endswith(f"-m venv {tmp_path}/venv")
    assert f"first use: making {tmp_path}/venv … installing" in capsys.readouterr().err


@pytest.mark.parametrize("tools", [("apt-get",), ("apt-get", "uv")])
def test_on_a_raspberry_pi_the_systems_camera_library_is_seen(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tools: tuple[str, ...]
) -> None:
    machine.has(*tools)
    monkeypatch.setattr(environment, "is_raspberry_pi", lambda: True)
    environment.make_venv(tmp_path / ".venv", environment.find_uv())
    assert "--system-site-packages" in machine.commands[-1]


def test_a_command_takes_no_packages_from_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    status, output = environment.run("sh", "-c", 'echo "$PYTHONPATH,$PYTHONNOUSERSITE" >&2; exit 3')
    assert (status, output) == (3, ",1\n")


def test_a_second_set_up_waits_for_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    first = environment.alone(tmp_path / "venv")

    def when_waiting(text: str) -> None:
        said.append(text)
        first.__exit__(None, None, None)

    monkeypatch.setattr(environment, "say", when_waiting)
    first.__enter__()
    with environment.alone(tmp_path / "venv"):
        assert said == ["gunbai: another launch is setting up; waiting for it"]


# ---- faults ------------------------------------------------------------------------------------


def test_a_missing_venv_is_named_with_its_command(machine: Machine, lock: Path, tmp_path: Path) -> None:
    machine.lacks_ensurepip()
    with pytest.raises(SetupError, match=r"venv is missing; fix it with: sudo apt-get install python3-venv$"):
        environment.fill(tmp_path / ".venv", lock, anew=True)


def test_a_missing_venv_is_installed_by_root(
    machine: Machine, lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.lacks_ensurepip()
    machine.is_root(True)
    environment.fill(tmp_path / ".venv", lock, anew=True)
    assert machine.commands[:2] == ["apt-get update", "apt-get install -y --no-install-recommends python3-venv"]
    assert "apt-get install python3-venv" in capsys.readouterr().err


def test_a_failing_apt_is_told(machine: Machine) -> None:
    machine.is_root(True)
    machine.answers["apt-get install"] = [(100, "E: Unable to locate package python3-venv\n")]
    with pytest.raises(SetupError, match="apt-get install python3-venv failed: E: Unable to locate package"):
        environment.install_debian(["python3-venv"], "Python's venv is missing")


def test_without_apt_the_package_is_named(machine: Machine) -> None:
    machine.has()
    with pytest.raises(SetupError, match="on Debian the package is libgl1"):
        environment.install_debian(["libgl1"], "missing libGL.so.1")


def test_an_environment_that_cannot_be_made(
    machine: Machine, lock: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.answers["-m venv"] = [(1, "Error: [Errno 28] out of room\n")]
    with pytest.raises(SetupError, match=r"can't be made: Error: \[Errno 28\] out of room"):
        environment.fill(tmp_path / ".venv", lock, anew=True)
    assert capsys.readouterr().err.endswith("… failed\n")


def test_missing_libraries_are_named_together(machine: Machine, tmp_path: Path) -> None:
    machine.answers = {"import cv2": [NO_GL], "import pygame": [NO_GLIB]}
    with pytest.raises(SetupError, match=r"libGL\.so\.1, .*fix it with: sudo apt-get install libgl1 libglib2\.0-0$"):
        mend_libraries(tmp_path)


def test_missing_libraries_are_installed_by_root_one_behind_the_other(machine: Machine, tmp_path: Path) -> None:
    machine.is_root(True)
    machine.answers = {"import cv2": [NO_GL, NO_GLIB]}
    mend_libraries(tmp_path)
    installed = [command.split()[-1] for command in machine.commands if command.startswith("apt-get install")]
    assert installed == ["libgl1", "libglib2.0-0"]


def test_a_library_that_stays_missing_ends_the_try(machine: Machine, tmp_path: Path) -> None:
    machine.is_root(True)
    machine.answers = {"import cv2": [NO_GL, NO_GL]}
    with pytest.raises(SetupError, match=r"still missing: libGL\.so\.1"):
        mend_libraries(tmp_path)


def test_an_unknown_library_is_named_with_the_way_to_find_it(machine: Machine, tmp_path: Path) -> None:
    machine.answers = {"import cv2": [(1, "ImportError: libodd.so.7: cannot open shared object file: no\n")]}
    with pytest.raises(SetupError, match=r"libodd\.so\.7 is missing; .* apt-file search libodd\.so\.7"):
        mend_libraries(tmp_path)


def test_a_package_that_does_not_start_for_another_reason(machine: Machine, tmp_path: Path) -> None:
    machine.answers = {"import numpy": [(1, "Traceback\nRuntimeError: needs a newer processor\n")]}
    with pytest.raises(SetupError, match=r"numpy is installed and doesn't start: RuntimeError: needs a newer"):
        mend_libraries(tmp_path)


@pytest.mark.parametrize(
    ("output", "meaning"),
    [
        ("WARNING: Retrying ... NewConnectionError('... Temporary failure in name resolution')\nERROR: No matching "
         "distribution found for numpy==2.4.6\n", "no network"),
        ("error: Failed to fetch: `.../numpy/`\n  Caused by: error sending request for url\n", "no network"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] ...'))", "date right?"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not the locked one"),
        ("error: Hash mismatch for `numpy==2.4.6`", "not the locked one"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for pygame-ce==2.5.8", "no ready-built file for this machine"),
        ("ERROR: something else\n", "installing failed: ERROR: something else"),
        ("", "installing failed: no output"),
    ],
)  # fmt: skip
def test_what_the_installer_prints_becomes_one_line(output: str, meaning: str) -> None:
    assert meaning in explain(output)
    assert "\n" not in explain(output)


def test_a_failed_install_ends_in_its_line(machine: Machine, lock: Path, tmp_path: Path) -> None:
    machine.answers["pip install"] = [(1, "OSError: [Errno 28] No space left on device")]
    with pytest.raises(SetupError, match="the disk is full"):
        environment.install(tmp_path, lock, None)


def test_packages_of_a_folder_need_no_network(
    machine: Machine, lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(environment.WHEELS, "/media/wheels")
    environment.install(tmp_path, lock, None)
    assert "--no-index --find-links /media/wheels --require-hashes" in machine.commands[-1]
