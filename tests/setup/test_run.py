"""The runner of all checks: every stage runs, and one that fails is enough for a 1."""

import os
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tests import run


def test_a_stage_shows_what_it_prints_and_keeps_its_end(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    outcome = run.run_stage("greeting", [sys.executable, "-c", "print('good day'); raise SystemExit(3)"])
    assert not outcome.passed
    assert outcome.tail == "good day\n"
    assert b"---- greeting ---" in capfdbinary.readouterr().out


def test_a_stage_beside_the_others_shows_its_output_at_its_end(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    stage = run.Background("types", [sys.executable, "-c", "print('no issues')"])
    outcome = stage.finish()
    assert (outcome.passed, outcome.tail) == (True, "no issues\n")
    assert b"no issues" in capfdbinary.readouterr().out


def test_a_stage_beside_the_others_tells_how_long_it_took_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clock_s = 100.0
    monkeypatch.setattr(run, "monotonic", lambda: clock_s)
    stage = run.Background("types", [sys.executable, "-c", "raise SystemExit(1)"])
    stage.waiting.join()
    clock_s = 900.0
    assert stage.finish() == run.Outcome("types", passed=False, took_s=0.0)


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
    """The others leave out what the engine's stage has run: see test_watched.py."""
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
