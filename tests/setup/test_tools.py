"""Programs for contributors: without the test tools they say how to get them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tests

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
