"""The benchmarks that the docs name: each starts, and takes the options that it is shown with."""

from __future__ import annotations

import re
import runpy
import sys
from collections import defaultdict
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
PAGES = [page for room in (".", "docs", "benchmarks", "training") for page in (ROOT / room).glob("*.md")]
COMMAND = re.compile(r"python -m (benchmarks[a-z_.]*)([^`\n#]*)")
OPTION = re.compile(r"--[a-z][a-z-]*")


def named() -> dict[str, set[str]]:
    """{benchmark: the options that it is shown with}."""
    found: dict[str, set[str]] = defaultdict(set)
    for page in PAGES:
        for module, rest in COMMAND.findall(page.read_text(encoding="utf-8")):
            found[module.rstrip(".")] |= set(OPTION.findall(rest))
    return found


@pytest.mark.parametrize(("module", "options"), sorted(named().items()))
def test_a_benchmark_starts_and_takes_its_options(
    module: str, options: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = f"{module}.__main__" if (ROOT / module.replace(".", "/")).is_dir() else module
    monkeypatch.delitem(sys.modules, run, raising=False)  # another test may have imported it
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(module, run_name="__main__")
    told = capsys.readouterr().out
    assert ended.value.code == 0
    assert told.startswith("usage: ")
    assert options - set(OPTION.findall(told)) == set()


def test_the_release_starts_each_of_them() -> None:
    started = re.findall(r"^(benchmarks[a-z_.]*)", (ROOT / ".ci" / "benchmarks").read_text(), re.MULTILINE)
    assert sorted(started) == sorted(named())
    assert len(started) > 25
