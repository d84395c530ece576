"""Which lines the tests run is seen in the rooms that each is there for, and what watches costs nothing elsewhere."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tests import run
from tests.watched import CHILDREN

ROOT = Path(__file__).resolve().parents[2]
TESTS = """
import subprocess, sys
import pytest
from engine import words
from intake import json_text, tar_file, text

def test_it():
    json_text.parse_json(b"1")

@pytest.mark.parametrize("function", [text.escape_controls, text.one_line])
def test_cases(function):
    function("a")

@pytest.mark.parametrize("function", [lambda: words.mark("a"), lambda: words.pair("a", "b")])
def test_engine(function):
    function()

@pytest.mark.long
def test_long():
    tar_file._sum(bytes(512))

@pytest.mark.chance
def test_by_chance():
    tar_file._number(b"1")

def test_child():
    command = "from intake.jpeg import is_jpeg; is_jpeg(b'')"
    subprocess.run([sys.executable, "-c", command], check=True)
"""
ELSEWHERE = """
from intake import tar_file

def test_it():
    tar_file._number(b"1")
"""


@pytest.mark.parametrize("folder", [*run.ENGINE_TESTS, *run.UNWATCHED_TESTS])
def test_what_is_told_apart_is_there(folder: str) -> None:
    assert folder.endswith("/")
    assert list((ROOT / folder).rglob("test_*.py"))


@pytest.mark.parametrize("option", [["--watch-engine"], []])
def test_a_test_of_the_engine_runs_in_one_of_both_stages(option: list[str], tmp_path: Path) -> None:
    """In its own where it is neither long nor of games by chance, and else among the others."""
    environment = os.environ | {"PYTHONPATH": ".", "COVERAGE_FILE": str(tmp_path / "seen")}
    apart = "tests/engine/sonae/test_named_readings.py", "tests/engine/orders/test_symmetry.py"
    path = *apart, "tests/engine/test_words.py"
    command = [sys.executable, "-m", "pytest", "--co", "-qq", "-p", "no:cacheprovider", *run.WATCHED, *option, *path]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert all(name in done.stdout for name in apart)
    assert ("test_words.py" in done.stdout) is bool(option)


def seen(folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> dict[str, set[int]]:
    """Return {a module's name: the numbers of its lines that were run} by tests of its own."""
    for name, source in (("tests/intake/test_it.py", TESTS), ("tests/test_elsewhere.py", ELSEWHERE)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    monkeypatch.setenv("COVERAGE_FILE", str(folder / "seen"))
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    monkeypatch.delenv(CHILDREN, raising=False)
    command = [sys.executable, "-m", "pytest", "-q", *run.WATCHED, "-p", "no:cacheprovider", *options]
    where = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), str(folder / "tests")]
    subprocess.run([*command, *where], cwd=ROOT, env=os.environ | {"PYTHONPATH": "."}, check=True)
    lines: dict[str, set[int]] = {}
    for path in folder.glob("seen.*"):
        data = CoverageData(str(path))
        data.read()
        for name in data.measured_files():
            lines.setdefault(str(Path(name).relative_to(ROOT)), set()).update(data.lines(name) or [])
    return lines


@pytest.mark.long
@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_rooms_of_a_test_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str) -> None:
    lines = seen(tmp_path, monkeypatch, "-n", workers)
    assert lines["hardware/debounce.py"], "what importing a room runs is watched"
    for path, function, why in (
        ("intake/json_text.py", "parse_json", "and what a test runs"),
        ("intake/text.py", "escape_controls", "and the first case of one with many"),
        ("intake/jpeg.py", "is_jpeg", "and what it starts"),
    ):
        assert lines[path] & body_of(path, function), why
    for path, function, why in (
        ("intake/text.py", "one_line", "a second case is not"),
        ("intake/tar_file.py", "_sum", "nor a long test"),
        ("intake/tar_file.py", "_number", "nor one of games by chance, nor one of something else than a room"),
    ):
        assert not lines[path] & body_of(path, function), why
    assert not any(name.startswith("engine/") for name in lines)


@pytest.mark.long
def test_of_the_engine_each_case_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = seen(tmp_path, monkeypatch, "--watch-engine")
    assert lines["engine/words.py"] - body_of("engine/words.py", "mark"), "what importing it runs"
    assert all(lines["engine/words.py"] & body_of("engine/words.py", name) for name in ("mark", "pair")), (
        "and each case"
    )
    assert all(name.startswith("engine/") for name in lines)


def body_of(path: str, function: str) -> set[int]:
    """Return the numbers of the lines of a function, without its first."""
    nodes = ast.walk(ast.parse((ROOT / path).read_text()))
    (node,) = (node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function)
    assert node.end_lineno is not None
    return set(range(node.lineno + 1, node.end_lineno + 1))
