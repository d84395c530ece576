"""`.ci/release` says in a line what is wrong with its arguments, or which tool is missing, before it makes anything."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.programs import needs

ROOT = Path(__file__).parents[2]
PLAIN = ("dirname", "realpath", "ls")
TOOLS = ("git", "dpkg-buildpackage", "dh", "uv")

pytestmark = needs("bash")


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
