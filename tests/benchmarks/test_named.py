"""The benchmarks that the docs name: each starts with its options; and what that of mutants makes and takes."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from benchmarks.mutants import kept_outcome, mutants

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


@pytest.mark.long
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


@pytest.mark.long
def test_the_release_starts_each_of_them() -> None:
    started = re.findall(r"^(benchmarks[a-z_.]*)", (ROOT / ".ci" / "benchmarks").read_text(), re.MULTILINE)
    assert sorted(started) == sorted(named())
    assert len(started) > 25


ONLY = "intake/errors.py"


@pytest.mark.parametrize("number", [0, -1])
def test_none_are_made_of_no_number(number: int) -> None:
    assert not [*mutants(1, number, "intake/text.py")]


@pytest.mark.parametrize("only", ["no/such/module", ONLY])
def test_a_path_without_functions_is_refused(only: str) -> None:
    with pytest.raises(SystemExit, match=f"no module with functions has '{only}'"):
        next(mutants(1, 1, only))


def test_what_was_found_is_taken_of_the_same_mutant_alone() -> None:
    line = json.dumps({"found": "killed", "mutant": "a.py:1 f: a  ->  b"})
    assert kept_outcome(line, "a.py:1 f: a  ->  b") == "killed"
    for other in (line.replace("a.py", "b.py"), line[:20], "{}"):
        with pytest.raises(SystemExit, match="isn't of a run with the same tree"):
            kept_outcome(other, "a.py:1 f: a  ->  b")
