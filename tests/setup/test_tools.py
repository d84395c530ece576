"""Programs for contributors: without a tool they say how to get it, and what is wrong with their arguments."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tests
from tests.programs import needs

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("module", "tool"), [("tests.catalogue", "babel"), ("benchmarks.players", "hypothesis")])
def test_without_its_tool_a_program_says_how_to_get_it(module: str, tool: str, tmp_path: Path) -> None:
    (tmp_path / f"{tool}.py").write_text(f"raise ModuleNotFoundError(\"No module named '{tool}'\", name={tool!r})\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", module],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = f"{tool} is missing: `./gunbai test --version` installs the test tools into .venv; use its Python\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


@pytest.mark.parametrize(
    "error", [ModuleNotFoundError("x", name="companion.nothing"), ModuleNotFoundError("x"), ValueError("x")]
)
def test_a_fault_of_our_own_is_told_as_python_tells_it(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    tests.explain(type(error), error, None)
    assert type(error).__name__ in capsys.readouterr().err


PLAIN = ("dirname", "realpath", "ls")
TOOLS = ("git", "dpkg-buildpackage", "dh", "uv")


def release(folder: Path, words: list[str], missing: str = "") -> tuple[int, str]:
    """Run it on a machine whose tools do nothing, without one of them; its status and what it says."""
    path = folder / "bin"
    path.mkdir()
    for name in PLAIN:
        (path / name).symlink_to(str(shutil.which(name)))
    for name in TOOLS:
        if name != missing:
            (path / name).write_text("#!/bin/sh\n")
            (path / name).chmod(0o755)
    command = [str(shutil.which("bash")), str(ROOT / ".ci/release"), *words]
    ran = subprocess.run(command, env={"PATH": str(path)}, cwd=folder, capture_output=True, text=True, check=False)
    assert not ran.stdout
    return ran.returncode, ran.stderr


@needs("bash")
@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ("git", "git is missing: apt-get install git"),
        ("dpkg-buildpackage", "dpkg-buildpackage is missing: apt-get install build-essential"),
        ("dh", "dh is missing: apt-get install debhelper"),
        ("uv", "uv is missing: docs.astral.sh/uv"),
    ],
)
def test_a_missing_tool_is_named(tool: str, told: str, tmp_path: Path) -> None:
    assert release(tmp_path, ["made"], tool) == (2, f"release: {told}\n")
    assert not (tmp_path / "made").exists()


@needs("bash")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "a folder belongs here: .ci/release FOLDER"),
        (["bin"], "{folder}/bin: not empty"),
        (["bin/dh"], "{folder}/bin/dh: not a folder"),
        (["made", "--packages", "nowhere"], "a folder belongs after --packages"),
        (["made", "--sign"], "a key belongs after --sign"),
    ],
)
def test_what_cannot_be_made_is_told(words: list[str], told: str, tmp_path: Path) -> None:
    assert release(tmp_path, words) == (2, f"release: {told.format(folder=tmp_path)}\n")
