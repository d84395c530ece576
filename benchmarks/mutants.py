"""How many small mistakes in the code its tests find: `python -m benchmarks.mutants --seed 1 --mutants 300`.

Functions are picked at random over all rooms. In a copy of the tree one of them at a time is made wrong in one place
(a comparison, a constant, a condition, a sum, a statement left out), and the tests of its room nearest to it run until
one fails. What survives is told: a test is missing, or the change changes nothing.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import resource
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("intake", "engine", "vision", "hardware", "companion")
ELSEWHERE = {"engine": ("tests/engine", "tests/rulebook", "tests/games")}
"""Where the tests of a room are, if not in one folder of its name."""
FIRST_FILES, MOST_FILES = 2, 10
"""Files of tests that run for a mutant: those whose imports lead to it in the fewest steps; the first kill most."""
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
    """A wrong version of a module: its path, function and line, what it says there and before, and its source."""

    path: str
    function: str
    line: int
    before: str
    after: str
    source: str


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
    return Mutant(path.relative_to(ROOT).as_posix(), name, _begin(node)[0], right, wrong, made)


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


def imported(path: Path) -> set[str]:
    """Return the names of the modules, or things of modules, that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = [(node.module, alias.name) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    return plain | {module for module, _name in parts if module} | {f"{module}.{name}" for module, name in parts}


def importers() -> Mapping[str, set[Path]]:
    """Return {a module's name: the files that import it}."""
    found: defaultdict[str, set[Path]] = defaultdict(set)
    for path in (path for room in (*ROOMS, "tests") for path in (ROOT / room).rglob("*.py")):
        for name in imported(path):
            found[name].add(path)
    return found


def name_of(path: Path) -> str:
    """Return what a module is called when it is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def nearest_tests(path: str, importing: Mapping[str, set[Path]]) -> list[str]:
    """Return the files of tests in a module's own room that import it, by the fewest steps."""
    room = path.partition("/")[0]
    folders = ELSEWHERE.get(room, (f"tests/{room}",))
    seen, reached, tests = {ROOT / path}, [ROOT / path], list[str]()
    while reached and len(tests) < MOST_FILES:
        reached = sorted({user for module in reached for user in importing.get(name_of(module), ())} - seen)
        seen.update(reached)
        near = [file.relative_to(ROOT).as_posix() for file in reached if file.name.startswith("test_")]
        tests += [test for test in near if test.startswith(folders)]
    return tests[:MOST_FILES]


# ---- to run them --------------------------------------------------------------------------------


def load_what_tests_need() -> None:
    """Import what is not ours, once for all runs, and let what is ours be kept compiled."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    for name in ("cv2", "networkx", "numpy", "pygame", "pytest"):
        with contextlib.suppress(ImportError):
            __import__(name)


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
    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not long", *tests]))


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
        for some in (tests[:FIRST_FILES], tests[FIRST_FILES:]):
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
    parser.add_argument("--keep", type=Path, help="a file of what was found, one JSON line each: a next run goes on")
    options = parser.parse_args()
    load_what_tests_need()
    importing, counts = importers(), Counter[str]()
    known = options.keep.read_text().splitlines() if options.keep and options.keep.exists() else []
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "tree"
        shutil.copytree(ROOT, folder, ignore=NOT_COPIED, symlinks=True)
        for number, made in enumerate(mutants(options.seed, options.mutants, options.only)):
            told = f"{made.path}:{made.line} {made.function}: {made.before}  ->  {made.after}"
            if number < len(known):
                found = kept_outcome(known[number], told)
            else:
                found = try_mutant(folder, made, nearest_tests(made.path, importing), options.limit)
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
