"""How many small mistakes in the code its tests find: `python -m benchmarks.mutants --seed 1 --mutants 300`.

Functions are picked at random over all rooms. In a copy of the tree one of them at a time is made wrong in one place
(a comparison, a constant, a condition, a sum, a statement left out), and the tests that run this place run until one
fails. What survives is told: a test is missing, or the change changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("intake", "engine", "vision", "hardware", "companion")
FIRST_TESTS, MOST_TESTS = 12, 60
"""Tests that run for a mutant, of those that run its line: the ones that run least besides; the first kill most."""
WATCHED = """[run]
source = {rooms}
data_file = {data_file}
relative_files = true
parallel = true
patch = subprocess
disable_warnings = no-data-collected, module-not-imported
"""
NO_TESTS, AMISS = 5, 3
"""Exit statuses of pytest: all were left out; and from this one on it is not the tests that failed."""
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__")
KILLED, SURVIVED, TOO_LONG = "killed", "survived", "too long"
COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong version of a module: its path, function and line, what it says there and before, and its source.

    statement: the line where the statement begins that is wrong.
    """

    path: str
    function: str
    line: int
    before: str
    after: str
    source: str
    statement: int


# ---- to make something wrong --------------------------------------------------------------------


def ways(node: ast.AST) -> Iterator[str]:
    """Yield what may stand in the place of an expression or a statement, each a little wrong.

    >>> list(ways(ast.parse("a < 2", mode="eval").body))
    ['(a <= 2)']
    >>> list(ways(ast.parse("a and b", mode="eval").body))
    ['(a or b)']
    >>> list(ways(ast.parse("told.append(1)").body[0]))
    ['pass']
    """
    match node:
        case ast.Compare(ops=[op, *others]) if type(op) in COMPARED:
            yield f"({ast.unparse(ast.Compare(node.left, [COMPARED[type(op)](), *others], node.comparators))})"
        case ast.BoolOp():
            yield f"({ast.unparse(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))})"
        case ast.BinOp() if type(node.op) in COUNTED:
            yield f"({ast.unparse(ast.BinOp(node.left, COUNTED[type(node.op)](), node.right))})"
        case ast.Constant(value=bool()):
            yield str(not node.value)
        case ast.Constant(value=int() | float()):
            yield f"({node.value!r} + 1)"
        case ast.AugAssign() | ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "pass"


def negated(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield the condition that a node has, and its contrary."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all that runs in it: no annotations, and nothing in f-strings, whose places are not known."""
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns") and not isinstance(node, ast.JoinedStr):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from inside(child)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module and of its classes, with their names."""
    for node in tree.body:
        within = node.body if isinstance(node, ast.ClassDef) else [node]
        name = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        yield from ((name + member.name, member) for member in within if isinstance(member, ast.FunctionDef))


def mutant(rng: Random, path: Path) -> Mutant | None:
    """Make a function of a module wrong; None where it has none that can be."""
    source = path.read_bytes()
    name, function = rng.choice(list(functions(ast.parse(source))))
    nodes = [part for statement in function.body for part in inside(statement)]
    changes = [(node, wrong) for node in nodes for wrong in ways(node)]
    changes += [change for node in nodes for change in negated(node)]
    if not changes:
        return None
    node, wrong = rng.choice(changes)
    start, end = (_offset(source, *at) for at in (_begin(node), _end(node)))
    right = source[start:end].decode()
    made = (source[:start] + wrong.encode() + source[end:]).decode()
    line = _begin(node)[0]
    statement = first_line(source.decode(), line)
    return Mutant(path.relative_to(ROOT).as_posix(), name, line, right, wrong, made, statement)


def _begin(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _offset(source: bytes, line: int, column: int) -> int:
    """Return how many bytes are before a line and column, which ast counts in bytes, too."""
    return sum(map(len, source.splitlines(keepends=True)[: line - 1])) + column


def mutants(seed: int, number: int, only: str = "") -> Iterator[Mutant]:
    """Yield so many mutants, of functions at random over all rooms, the same for the same seed.

    only: a part of the paths of the modules.
    """
    rng = Random(seed)
    weights = {
        path: sum(1 for _one in functions(ast.parse(path.read_text(encoding="utf-8"))))
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if only in path.relative_to(ROOT).as_posix()
    }
    if not any(weights.values()):
        raise SystemExit(f"mutants: no module with functions has {only!r} in its path")
    while number > 0:
        (path,) = rng.choices(list(weights), list(weights.values()))
        if made := mutant(rng, path):
            yield made
            number -= 1


# ---- which tests --------------------------------------------------------------------------------


def pytest_runtest_protocol(item: Any) -> None:
    """Name the test that runs now, with all that it sets up: a hook of pytest's, where this module is its plugin."""
    watching = Coverage.current()
    if watching is not None:
        watching.switch_context(item.nodeid.partition("[")[0])


def watch_tests(folder: Path, tests: str, data_file: Path) -> None:
    """Run tests of a tree that are not long, and keep which of them run each line: ten minutes for all of them.

    SystemExit where they fail.
    """
    settings = folder / "watched.cfg"
    settings.write_text(WATCHED.format(rooms=",".join(ROOMS), data_file=data_file.resolve()), encoding="utf-8")
    coverage = [sys.executable, "-m", "coverage"]
    spread = ["-n", str(len(os.sched_getaffinity(0)))]
    watched = ["-m", "pytest", "-q", "-p", "benchmarks.mutants", *spread, "-m", "not long", tests]
    for command in (["run", *watched], ["combine", "--quiet"]):
        done = subprocess.run([*coverage, command[0], f"--rcfile={settings}", *command[1:]], cwd=folder, check=False)
        if done.returncode:
            raise SystemExit(f"mutants: the tests fail without any mistake: coverage {' '.join(command)}")


class Watched:
    """Which tests run which line."""

    def __init__(self, data_file: Path) -> None:
        self._data = CoverageData(str(data_file))
        self._data.read()
        contexts = [self._by_line(path) for path in self._data.measured_files()]
        self._lines = Counter(test for by_line in contexts for tests in by_line.values() for test in tests)

    def _by_line(self, path: str) -> Mapping[int, list[str]]:
        return {line: list(filter(None, tests)) for line, tests in self._data.contexts_by_lineno(path).items()}

    def tests(self, path: str, line: int) -> list[str]:
        """Return the tests that run a line, those first that run the fewest other lines."""
        return sorted(self._by_line(path).get(line, ()), key=lambda test: (self._lines[test], test))[:MOST_TESTS]


def first_line(source: str, line: int) -> int:
    r"""Return the line where the statement begins that a line is part of: coverage knows no other.

    >>> first_line("if a:\n    b = (\n        1\n    )", 3)
    2
    """
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    return max(node.lineno for node in statements if node.lineno <= line <= (node.end_lineno or line))


# ---- to run them --------------------------------------------------------------------------------


def load_what_tests_need() -> None:
    """Import what is not ours, once for all runs, and let what is ours be kept compiled."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    for name in ("cv2", "networkx", "numpy", "pygame", "pytest"):
        with contextlib.suppress(ImportError):
            __import__(name)


class Chosen:
    """A plugin of pytest's that leaves only some tests, in their order."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Leave these tests, each with all its cases."""
        chosen = [(self.order.get(item.nodeid.partition("[")[0]), item) for item in items]
        items[:] = [
            item for _number, item in sorted((pair for pair in chosen if pair[0] is not None), key=itemgetter(0))
        ]


def run_tests(folder: Path, tests: list[str], limit_s: int) -> int:
    """Run tests in a folder until one fails, silently; return pytest's exit status."""
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    os.chdir(folder)
    sys.path[:] = [str(folder), *(place for place in sys.path if place and Path(place).resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in (*ROOMS, "tests", "benchmarks")]:
        del sys.modules[name]
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    files = sorted({test.partition("::")[0] for test in tests})
    arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long", *files]
    return int(pytest.main(arguments, plugins=[Chosen(tests)]))


def outcome(folder: Path, tests: list[str], limit_s: int) -> str:
    """Run tests in a folder until one fails, in a fork of this process; return what became of the mutant."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(run_tests(folder, tests, limit_s))
        finally:
            os._exit(AMISS)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        return TOO_LONG
    if status >= AMISS and status != NO_TESTS:
        raise SystemExit(f"mutants: pytest itself failed ({status}): {' '.join(tests)}")
    return SURVIVED if status in (0, NO_TESTS) else KILLED


def try_mutant(folder: Path, made: Mutant, tests: list[str], limit_s: int) -> str:
    """Put a mutant into a copy of the tree, run its tests there, and put the module back."""
    right, place = ROOT / made.path, folder / made.path
    place.write_text(made.source, encoding="utf-8")
    try:
        found = SURVIVED
        for some in (tests[:FIRST_TESTS], tests[FIRST_TESTS:]):
            found = outcome(folder, some, limit_s) if some and found == SURVIVED else found
        return found
    finally:
        shutil.copy2(right, place)


def kept_outcome(line: str, mutant: str) -> str:
    """Return what became of a mutant in an earlier run; exit where the line is torn, or of another mutant."""
    try:
        kept = json.loads(line)
    except ValueError:
        kept = {}
    if kept.get("mutant") != mutant:
        raise SystemExit(f"mutants: --keep: this line isn't of a run with the same tree, seed and --only: {line}")
    return str(kept["found"])


def main() -> None:
    """Make mutants, run their tests, tell which survived, and the share that was killed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=300, help="how many")
    parser.add_argument("--only", default="", help="a part of the paths of the modules: companion/view")
    parser.add_argument("--limit", type=int, default=60, help="seconds of the processor that the tests of one may take")
    parser.add_argument("--watched", type=Path, required=True, help="which tests run a line; made where it isn't there")
    parser.add_argument("--tests", default="tests", help="the folder or file of tests that are to find the mutants")
    parser.add_argument("--keep", type=Path, help="a file of what was found, one JSON line each: a next run goes on")
    options = parser.parse_args()
    load_what_tests_need()
    counts = Counter[str]()
    known = options.keep.read_text().splitlines() if options.keep and options.keep.exists() else []
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "tree"
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED, symlinks=True)
        if not options.watched.exists():
            watch_tests(folder, options.tests, options.watched)
        watched = Watched(options.watched)
        for number, made in enumerate(mutants(options.seed, options.mutants, options.only)):
            told = f"{made.path}:{made.line} {made.function}: {made.before}  ->  {made.after}"
            if number < len(known):
                found = kept_outcome(known[number], told)
            else:
                found = try_mutant(folder, made, watched.tests(made.path, made.statement), options.limit)
                if options.keep:
                    with options.keep.open("a") as kept:
                        kept.write(json.dumps({"found": found, "mutant": told}) + "\n")
            counts[found] += 1
            if found != KILLED:
                print(f"{found}: {told}", flush=True)
    decided = counts[KILLED] + counts[SURVIVED]
    share = counts[KILLED] / max(1, decided)
    print(f"{counts[KILLED]} of {decided} killed ({share:.1%}); of {counts[TOO_LONG]} the tests took too long")


if __name__ == "__main__":
    main()
