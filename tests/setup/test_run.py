"""The runner of all checks: every stage runs, and one that fails is enough for a 1."""

import sys

import pytest

from tests import run


def test_a_stage_shows_what_it_prints_and_keeps_its_end(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    outcome = run.run_stage("greeting", [sys.executable, "-c", "print('good day'); raise SystemExit(3)"])
    assert not outcome.passed
    assert outcome.tail == "good day\n"
    assert b"---- greeting ---" in capfdbinary.readouterr().out


def test_a_stage_beside_the_others_shows_its_output_at_its_end(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    stage = run.Background("types", [sys.executable, "-c", "print('no issues')"])
    assert stage.finish().passed
    assert b"no issues" in capfdbinary.readouterr().out


@pytest.mark.parametrize(("second_passed", "status"), [(True, 0), (False, 1)])
def test_the_summary_ends_with_the_tests_own_count(
    capsys: pytest.CaptureFixture[str], second_passed: bool, status: int
) -> None:
    outcomes = [
        run.Outcome("lint", True, 0.1),
        run.Outcome("types", second_passed, 2.0),
        run.Outcome("long", True, 3.0, "...\n=== 2 passed in 2.91s ===\n"),
        run.Outcome("tests", True, 3.0, "...\n=== 7 passed in 2.91s ===\nCoverageWarning: nothing\n"),
    ]
    assert run.summarise(outcomes) == status
    lines = capsys.readouterr().out.splitlines()
    assert ("FAILED" in lines[-5]) is not second_passed
    assert lines[-2:] == ["=== 2 passed in 2.91s ===", "=== 7 passed in 2.91s ==="]


def test_every_stage_runs_whatever_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def fail(name: str, command: list[str]) -> run.Outcome:
        ran.append(" ".join(command[1:]))
        return run.Outcome(name, False, 0.0)

    monkeypatch.setattr(run, "run_stage", fail)
    monkeypatch.setattr(
        run, "Background", lambda name, command: type("Done", (), {"finish": lambda: fail(name, command)})
    )
    outcomes = run.run_all()
    assert outcomes[-1].name == "tests and doctests"
    for sign in (
        "ruff format --check",
        "ruff check",
        "mypy --strict",
        "lint_imports",
        "pytest",
        "-m long",
        "--doctest-modules",
    ):
        assert any(sign in command for command in ran)
    assert any("--include=engine/*" in command and "--fail-under=100" in command for command in ran)
    assert any("vision/*,companion/*" in command.replace("hardware/*,", "") and "=90" in command for command in ran)


def test_with_arguments_only_pytest_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(".")
    assert run.main(["--version"]) == 0
