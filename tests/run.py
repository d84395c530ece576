"""Runs everything that a change has to pass; `./gunbai test` starts it with the environment's own Python.

Without arguments: format, lint, types, import arrows, all tests and doctests, coverage floors. With --quick: the same
without the tests marked long and without coverage. All stages run, whatever fails; the status is 1 if one did.
With other arguments: pytest alone, with these arguments.
"""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Thread
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
ROOMS = [room for room in ("intake", "engine", "vision", "hardware", "companion") if (ROOT / room).is_dir()]
BESIDE = [name for name in ("gunbai", "requirements", "tests", "benchmarks", "training") if (ROOT / name).exists()]
ARROWS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
WORKERS = min(4, len(os.sched_getaffinity(0)))
ENGINE = ["engine"]
OTHERS = [room for room in ROOMS if room not in ENGINE]
ENGINE_TESTS = ("tests/engine/", "tests/rulebook/", "tests/games/")
UNWATCHED_TESTS = ("tests/companion/gallery/", "tests/companion/perception/sync/", "tests/companion/review/")
"""They are many, and what they run is run by others too."""
WATCHED = ("-p", "tests.watched")
NOT_LONG = ("-m", "not long")
NOT_APART = ("-m", "not (long or chance)")
GLANCES = (
    "tests/companion/gallery/test_gallery.py::test_every_scene_fits_and_stands_out_and_is_in_the_words_of_the_game",
)
"""Tests that a long one holds whole; they run where that doesn't."""
WHOLE = tuple(f"--deselect={test}" for test in GLANCES)
DOCTESTS = ("--doctest-modules", *ROOMS, "requirements")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a stage went: its name, whether it passed, how long it took and the end of what it printed."""

    name: str
    passed: bool
    took_s: float
    tail: str = ""


def announce(name: str) -> None:
    """Say which stage's output follows."""
    print(f"\n---- {name} ", end="", flush=True)
    print("-" * (74 - len(name)), flush=True)


def python(*arguments: str) -> list[str]:
    """Return the command that runs this environment's Python."""
    return [sys.executable, *arguments]


TYPES = python("-m", "mypy", "--strict", *ROOMS, *BESIDE)


def run_stage(name: str, command: list[str]) -> Outcome:
    """Run a stage in the foreground; what it prints is shown as it comes."""
    announce(name)
    begin_s = monotonic()
    tail = b""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
        assert child.stdout is not None
        while chunk := os.read(child.stdout.fileno(), 65536):
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            tail = (tail + chunk)[-4000:]
    return Outcome(name, child.returncode == 0, monotonic() - begin_s, tail.decode(errors="replace"))


class Background:
    """A stage that runs beside the others; its output is kept until it is asked for."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.outcome = Outcome(name, passed=False, took_s=0.0)
        self.output = TemporaryFile()  # noqa: SIM115 - lives as long as the stage
        self.begin_s = monotonic()
        self.child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT
        )  # fmt: skip
        self.waiting = Thread(target=self._wait)
        self.waiting.start()

    def _wait(self) -> None:
        """Note when it ends, which may be long before anybody asks."""
        passed = self.child.wait() == 0
        self.outcome = Outcome(self.name, passed, monotonic() - self.begin_s)

    def finish(self) -> Outcome:
        """Wait for the stage and show what it printed."""
        self.waiting.join()
        announce(self.name)
        with self.output:
            self.output.seek(0)
            printed = self.output.read()
        sys.stdout.buffer.write(printed)
        sys.stdout.flush()
        return replace(self.outcome, tail=printed[-4000:].decode(errors="replace"))


def pytest_command(*which: str, workers: int = WORKERS) -> list[str]:
    """Return the arguments of a Python that runs these tests, spread over the processors or by itself."""
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    spread = ["-n", str(workers), "--dist", "worksteal"] if workers > 1 else []
    return ["-m", "pytest", *colour, *spread, "-rs", "--durations=10", "--durations-min=2", *which]


def floor(rooms: list[str], percent: int) -> tuple[str, list[str]]:
    """Return the stage that holds the coverage of these rooms together: its name and its command."""
    where = ",".join(f"{room}/*" for room in rooms)
    report = python("-m", "coverage", "report", f"--include={where}", f"--fail-under={percent}")
    return f"coverage: {', '.join(rooms)} at {percent} %", report


def is_whole(data_file: Path) -> bool:
    """Return whether coverage can read a file of its data, a database of SQLite's."""
    with closing(sqlite3.connect(data_file)) as data:
        try:
            told = (
                data.execute("SELECT 1 FROM coverage_schema").fetchall() + data.execute("PRAGMA quick_check").fetchall()
            )
        except sqlite3.DatabaseError:
            return False
    return told == [(1,), ("ok",)]


def leave_out_torn(data_file: Path) -> int:
    """Remove what processes left of their data that were killed while they wrote it; return how many did.

    The app kills a process that has told all it had to tell: what it ran besides is lost, as where it is killed sooner.
    """
    written = [path for path in data_file.parent.glob(f"{data_file.name}.*") if not path.name.endswith("-journal")]
    torn = [path for path in written if not is_whole(path)]
    for path in torn:
        path.unlink()
    return len(torn)


def static_stages() -> list[Outcome]:
    """Run what reads the sources and is soon done."""
    return [
        run_stage("format", python("-m", "ruff", "format", "--check", ".")),
        run_stage("lint", python("-m", "ruff", "check", ".")),
        run_stage("arrows", python("-c", ARROWS, "--no-logo")),
    ]


def run_tests(apart: list[str], *others: str) -> list[Outcome]:
    """Run the engine's tests beside the others.

    Those wait a fifth of their time: for programs that they start, and for one another at their end.
    """
    engine = Background("engine's tests", python(*apart))
    rest = run_stage("other tests and doctests", python(*pytest_command(*others, *DOCTESTS, "tests")))
    return [engine.finish(), rest]


def run_all() -> list[Outcome]:
    """Run every stage; the engine's tests alone reach the engine's floor, and the others reach the others'."""
    types = Background("types", TYPES)
    outcomes = static_stages()
    apart = pytest_command(*WATCHED, "--watch-engine", *NOT_APART, *ENGINE_TESTS, workers=1)
    tests = run_tests(apart, *WATCHED, *WHOLE)
    torn = leave_out_torn(Path(os.environ["COVERAGE_FILE"]))
    run_stage(
        f"coverage: gather, without {torn} torn by a kill" if torn else "coverage: gather",
        python("-m", "coverage", "combine", "--quiet"),
    )
    engine = Background(*floor(ENGINE, 100))
    others = run_stage(*floor(OTHERS, 90))
    return [*outcomes, types.finish(), engine.finish(), others, *tests]


def run_quick() -> list[Outcome]:
    """Run what takes two minutes: every rule of the house, and the tests that are not long."""
    types = Background("types", TYPES)
    outcomes = static_stages()
    apart = pytest_command(*NOT_LONG, *ENGINE_TESTS, workers=1)
    tests = run_tests(apart, *NOT_LONG, *(f"--ignore={folder}" for folder in ENGINE_TESTS))
    return [*outcomes, types.finish(), *tests]


def closing_line(tail: str) -> str:
    r"""Return pytest's last word, the line that counts what passed and what failed.

    >>> closing_line("tests/a.py ..\n=== 2 passed in 0.10s ===\n\n")
    '=== 2 passed in 0.10s ==='
    """
    counts = [line for line in tail.splitlines() if re.search(r"\d+ (passed|failed|error|skipped)", line)]
    return counts[-1] if counts else "the tests ended without a count"


def summarise(outcomes: list[Outcome]) -> int:
    """Print a line a stage, with the tests' own closing lines at the end; return the exit status."""
    announce("summary")
    for outcome in outcomes:
        print(f"{outcome.name:32} {'ok' if outcome.passed else 'FAILED':8} {outcome.took_s:6.1f} s")
    for outcome in outcomes:
        if "tests" in outcome.name:
            print(f"{outcome.name}: {closing_line(outcome.tail)}", flush=True)
    return 0 if all(outcome.passed for outcome in outcomes) else 1


def main(arguments: list[str]) -> int:
    """Run everything, what is quick, or pytest with the arguments given."""
    os.chdir(ROOT)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start Python hundreds of times, and rewrite asserts
    if arguments == ["--quick"]:
        return summarise(run_quick())
    if arguments:
        return subprocess.run(python("-m", "pytest", *arguments), check=False).returncode
    with TemporaryDirectory() as folder:
        os.environ["COVERAGE_FILE"] = str(Path(folder) / "coverage")
        return summarise(run_all())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
