"""Runs everything that a change has to pass; `./gunbai test` starts it with the environment's own Python.

Without arguments: format, lint, types, import arrows, long tests, the other tests and doctests under coverage, coverage
floors. All stages run, whatever fails; the status is 1 if one did. With arguments: pytest alone, with these arguments.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
ROOMS = [room for room in ("intake", "engine", "vision", "hardware", "companion") if (ROOT / room).is_dir()]
BESIDE = [name for name in ("gunbai", "requirements", "tests", "benchmarks", "training") if (ROOT / name).exists()]
ARROWS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
FLOORS = {"engine": 100, "the rest": 90}


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
        self.begin_s = monotonic()
        self.output = TemporaryFile()  # noqa: SIM115 - lives as long as the stage
        self.child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT
        )  # fmt: skip

    def finish(self) -> Outcome:
        """Wait for the stage and show what it printed."""
        status = self.child.wait()
        announce(self.name)
        with self.output:
            self.output.seek(0)
            sys.stdout.buffer.write(self.output.read())
        sys.stdout.flush()
        return Outcome(self.name, status == 0, monotonic() - self.begin_s)


def pytest_command(*which: str) -> list[str]:
    """Return the arguments of a Python that runs these tests, spread over the processors."""
    workers = min(4, len(os.sched_getaffinity(0)))
    colour = ["--color=yes"] if sys.stdout.isatty() else []
    spread = ["-n", str(workers), "--dist", "worksteal"] if workers > 1 else []
    return ["-m", "pytest", *colour, *spread, "-rs", *which]


def floor_stages() -> list[Outcome]:
    """Hold the coverage floors: the engine's own, and that of the other rooms together."""
    run_stage("coverage: gather", python("-m", "coverage", "combine", "--quiet"))
    others = ",".join(f"{room}/*" for room in ROOMS if room != "engine")
    report = python("-m", "coverage", "report")
    return [
        run_stage(f"coverage: {who} at {FLOORS[who]} %", [*report, f"--include={what}", f"--fail-under={FLOORS[who]}"])
        for who, what in (("engine", "engine/*"), ("the rest", others))
    ]


def run_all() -> list[Outcome]:
    """Run every stage; types are checked beside the tests."""
    types = Background("types", python("-m", "mypy", "--strict", *ROOMS, *BESIDE))
    outcomes = [
        run_stage("format", python("-m", "ruff", "format", "--check", ".")),
        run_stage("lint", python("-m", "ruff", "check", ".")),
        run_stage("arrows", python("-c", ARROWS, "--no-logo")),
    ]
    # Coverage takes thrice the time: whole games and the like are played without it.
    long = run_stage("long tests", python(*pytest_command("-m", "long", "tests")))
    where = ["-m", "not long", "--doctest-modules", *ROOMS, "requirements", "tests"]
    tests = run_stage("tests and doctests", python("-m", "coverage", "run", *pytest_command(*where)))
    return [*outcomes, types.finish(), *floor_stages(), long, tests]


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
    for tests in outcomes[-2:]:
        print(closing_line(tests.tail), flush=True)
    return 0 if all(outcome.passed for outcome in outcomes) else 1


def main(arguments: list[str]) -> int:
    """Run pytest with the arguments given, or else everything."""
    os.chdir(ROOT)
    if arguments:
        return subprocess.run(python("-m", "pytest", *arguments), check=False).returncode
    with TemporaryDirectory() as folder:
        os.environ["COVERAGE_FILE"] = str(Path(folder) / "coverage")
        return summarise(run_all())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
