"""The runner of all checks: every stage runs, one that fails is enough for a 1; which lines the tests run is seen."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tests import run
from tests.watched import CHILDREN


def test_a_stage_shows_what_it_prints_and_keeps_its_end(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    outcome = run.run_stage("greeting", [sys.executable, "-c", "print('good day'); raise SystemExit(3)"])
    assert not outcome.passed
    assert outcome.tail == "good day\n"
    assert b"---- greeting ---" in capfdbinary.readouterr().out


def test_a_stage_beside_the_others_shows_its_output_at_its_end_and_tells_how_long_it_took_itself(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    clock_s = 100.0
    monkeypatch.setattr(run, "monotonic", lambda: clock_s)
    stage = run.Background("types", [sys.executable, "-c", "print('no issues'); raise SystemExit(1)"])
    stage.waiting.join()
    clock_s = 900.0
    assert stage.finish() == run.Outcome("types", passed=False, took_s=0.0, tail="no issues\n")
    assert b"no issues" in capfdbinary.readouterr().out


@pytest.mark.parametrize(("second_passed", "status"), [(True, 0), (False, 1)])
def test_the_summary_ends_with_the_tests_own_count(
    capsys: pytest.CaptureFixture[str], second_passed: bool, status: int
) -> None:
    outcomes = [
        run.Outcome("lint", True, 0.1),
        run.Outcome("types", second_passed, 2.0),
        run.Outcome("long tests", True, 3.0, "...\n=== 2 passed in 2.91s ===\n"),
        run.Outcome("tests", True, 3.0, "...\n=== 7 passed in 2.91s ===\nCoverageWarning: nothing\n"),
    ]
    assert run.summarise(outcomes) == status
    lines = capsys.readouterr().out.splitlines()
    assert ("FAILED" in lines[-5]) is not second_passed
    assert lines[-2:] == ["long tests: === 2 passed in 2.91s ===", "tests: === 7 passed in 2.91s ==="]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Return the commands of all stages that are run, each of which fails."""
    monkeypatch.setenv("COVERAGE_FILE", str(tmp_path / "coverage"))
    ran: list[str] = []

    def fail(name: str, command: list[str]) -> run.Outcome:
        ran.append(" ".join(command[1:]))
        return run.Outcome(name, False, 0.0)

    monkeypatch.setattr(run, "run_stage", fail)
    monkeypatch.setattr(
        run, "Background", lambda name, command: type("Done", (), {"finish": lambda: fail(name, command)})
    )
    return ran


RULES = ("ruff format --check", "ruff check", "mypy --strict", "lint_imports", "--doctest-modules")


def test_every_stage_runs_whatever_fails(ran: list[str]) -> None:
    assert not any(outcome.passed for outcome in run.run_all())
    assert all(any(sign in command for command in ran) for sign in (*RULES, "coverage combine"))
    for rooms, percent in (("engine", 100), ("intake,vision,hardware,companion", 90)):
        included = ",".join(f"{room}/*" for room in rooms.split(","))
        assert any(f"--include={included} --fail-under={percent}" in command for command in ran)


def test_what_a_killed_process_was_writing_is_left_out_of_the_coverage(ran: list[str], tmp_path: Path) -> None:
    whole = CoverageData(str(tmp_path / "coverage.vm.pid1.X"))
    whole.add_arcs({"a.py": [(-1, 1), *((n, n + 1) for n in range(1, 900))]})
    whole.write()
    data = Path(whole.data_filename()).read_bytes()
    parts = {"empty": b"", "begun": data[:2048], "cut": data[: len(data) // 2]}
    for name, part in parts.items():
        (tmp_path / f"coverage.vm.pid2.{name}").write_bytes(part)
    (tmp_path / "coverage.vm.pid2.cut-journal").touch()
    assert run.leave_out_torn(Path(os.environ["COVERAGE_FILE"])) == len(parts)
    assert {path.name for path in tmp_path.glob("*") if not path.name.endswith("-journal")} == {"coverage.vm.pid1.X"}
    assert run.leave_out_torn(Path(os.environ["COVERAGE_FILE"])) == 0


def test_every_test_runs_in_one_stage(ran: list[str]) -> None:
    """The others leave out what the engine's stage has run: see below."""
    run.run_all()
    others, engine = (command for command in ran if "pytest" in command)
    assert "-p tests.watched --watch-engine" in engine
    assert engine.endswith(" ".join((*run.NOT_APART, *run.ENGINE_TESTS)))
    assert " -n " not in engine, "by itself, beside the others"
    assert "-p tests.watched" in others
    assert "--watch-engine" not in others
    assert "not long" not in others
    assert others.endswith(" tests")


@pytest.mark.parametrize("test", run.GLANCES)
def test_what_a_long_test_holds_is_left_out_of_all_alone(test: str, ran: list[str]) -> None:
    run.run_quick()
    assert not any("--deselect" in command for command in ran)
    run.run_all()
    assert any(f"--deselect={test}" in command for command in ran)
    path, _, name = test.partition("::")
    assert f"\ndef {name}(" in (run.ROOT / path).read_text()


def test_what_is_quick_leaves_out_long_tests_and_coverage_alone(ran: list[str]) -> None:
    stages = ["format", "lint", "arrows", "types", "engine's tests", "other tests and doctests"]
    assert [outcome.name for outcome in run.run_quick()] == stages
    assert all(any(sign in command for command in ran) for sign in RULES)
    others, engine = (command for command in ran if "pytest" in command)
    assert engine.endswith(" ".join(("-m not long", *run.ENGINE_TESTS)))
    assert "-m not long" in others
    assert all(f"--ignore={folder} " in others for folder in run.ENGINE_TESTS)
    assert not any("coverage" in command or "watched" in command for command in ran)


def test_with_arguments_only_pytest_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(".")
    assert run.main(["--version"]) == 0


ROOT = run.ROOT
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
    apart = "tests/engine/orders/test_named_readings.py", "tests/engine/orders/test_properties.py"
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
