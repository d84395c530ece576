"""Tests run where there is Python alone: any other program that one starts is optional, and its skip says so.

Which programs the tests start is found in their syntax trees: `starts_in` yields them with what may excuse each.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePath

import pytest

from tests import programs

ROOT = Path(__file__).resolve().parents[2]
FIRST = re.compile(
    r"subprocess\.(run|Popen|call|check_\w+)|os\.(exec|spawn|posix_spawn|popen|system)\w*|pty\.spawn|asyncio\.create_sub\w+"
)
"""Calls that are given a command, or as its first word the program."""
STARTS = re.compile(r"subprocess|asyncio|\bos\b|\bpty\b|\bHost\b|environment|\brun\b")
"""Without one of these words, a module starts nothing."""
OURS = {"requirements.environment.run": 0, "Host.run": 0, "Host.need": 0, "Host.run_as": 1}
"""Our own calls that are given a command's words, with the number of the first."""
HOST = "companion.appliance.host.Host"
SHELLS = {"sh", "bash"}
BUILTINS = re.compile(
    r"[.:\[!{}]|\[\[|]]|alias|bg|break|builtin|case|cd|command|continue|declare|do|done|echo|elif|else|esac|eval|exec|exit|"
    "export|false|fg|fi|for|function|getopts|hash|if|in|jobs|kill|let|local|printf|pwd|read|readonly|return|set|shift|"
    "source|test|then|times|trap|true|type|ulimit|umask|unset|until|wait|while"
)
BEFORE_ANOTHER = {"!", "{", "do", "else", "elif", "exec", "if", "then", "until", "while", "command"}
EXCUSES = {"tests.programs.needs", "tests.programs.require"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Start:
    """A program that is started at this line, and the programs whose absence skips whatever starts it."""

    path: str
    line: int
    program: str
    excused: frozenset[str]


class Module:
    """A module's names: what they were imported as, and what is assigned to each; in one of its parts first."""

    def __init__(self, part: ast.AST, whole: Module | None = None) -> None:
        self.values: dict[str, list[ast.expr]] = {}
        self.names: dict[str, str] = whole.names if whole else {}
        for node in ast.walk(part):
            self._assign(node)
            self.names |= dict(_imported(node))
        if whole:
            self.values = whole.values | self.values

    def _assign(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._name(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value:
            self._name(node.target, node.value)
        elif isinstance(node, Function):  # what a function returns stands for a call of it
            returned = [end.value for end in ast.walk(node) if isinstance(end, ast.Return) and end.value]
            self.values.setdefault(node.name, []).extend(returned)

    def _name(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Name, ast.Attribute)):
            self.values.setdefault(target.id if isinstance(target, ast.Name) else target.attr, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for each, given in zip(target.elts, value.elts, strict=False):
                self._name(each, given)

    def full_name(self, node: ast.expr) -> str:
        """Return the full name of what is called; "" where it is none."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            before = "Host" if self._is_host(node.value) else self.full_name(node.value)
            return before and f"{before}.{node.attr}"
        return ""

    def _is_host(self, node: ast.expr) -> bool:
        """Tell whether it is a machine of the appliance's own that really runs what it is asked to."""
        made = self.values.get(node.id, []) if isinstance(node, ast.Name) else [node]
        called = [value.func for value in made if isinstance(value, ast.Call)]
        return any(isinstance(name, ast.Name) and self.names.get(name.id) == HOST for name in called)

    def programs(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> set[str]:  # noqa: PLR0911 - a line a form
        """Return the programs that a command, or its first word, may stand for; its source where that can't be told."""
        match node:
            case ast.Constant(value=str() as text):
                return {PurePath(text).name}
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]) | ast.Starred(value=first):
                return self.programs(first, seen)
            case ast.IfExp(body=either, orelse=other):
                return self.programs(either, seen) | self.programs(other, seen)
            case ast.BinOp(right=right, op=ast.Div()):
                return self.programs(right, seen)
            case ast.Call(func=ast.Name(id="str"), args=[given]):
                return self.programs(given, seen)
            case ast.Call() if self.full_name(node.func) in ("shutil.which", "which") and node.args:
                return self.programs(node.args[0], seen)
            case ast.Call():
                return self._named(node, node.func, seen)
            case ast.Name() | ast.Attribute():
                return self._named(node, node, seen)
        return {ast.unparse(node)}

    def _named(self, node: ast.expr, name: ast.expr, seen: frozenset[str]) -> set[str]:
        """Return what everything that is assigned to a name, or returned by it, stands for."""
        full = self.full_name(name)
        if full == "sys.executable":
            return {"python"}
        own = name.attr if isinstance(name, ast.Attribute) else full
        if (values := self.values.get(own)) and own not in seen:
            return set().union(*(self.programs(value, seen | {own}) for value in values))
        room, _, last = full.rpartition(".")
        if (other := module_named(room)) is not None and last in other.values:
            return set().union(*(other.programs(value, frozenset({last})) for value in other.values[last]))
        return {ast.unparse(node)}

    def excuses(self, node: ast.AST) -> frozenset[str]:
        """Return the programs that are said to be optional anywhere below a node, or by a mark that stands there."""
        found: set[str] = set()
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and self.full_name(call.func) in EXCUSES:
                found |= {str(name.value) for name in call.args if isinstance(name, ast.Constant)}
        for mark in getattr(node, "decorator_list", []):
            room, _, last = self.full_name(mark).rpartition(".")
            home = (module_named(room) if room else self) or self
            for value in home.values.get(last, []):
                found |= home.excuses(value)
        return frozenset(found)


@cache
def module_named(name: str) -> Module | None:
    """Return a module of this tree; None where it is somebody else's."""
    path = ROOT / f"{name.replace('.', '/')}.py"
    return Module(ast.parse(path.read_text(encoding="utf-8"))) if name and path.is_file() else None


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Import):
        yield from ((name.asname or name.name, name.name) for name in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from ((name.asname or name.name, f"{node.module}.{name.name}") for name in node.names)


def words_of(module: Module, call: ast.Call) -> Sequence[ast.expr]:
    """Return the words of the command that a call starts; nothing where it starts none."""
    name = module.full_name(call.func)
    if name in OURS:
        return call.args[OURS[name] :]
    if not FIRST.fullmatch(name):
        return []
    given = call.args[:1] or [keyword.value for keyword in call.keywords if keyword.arg == "args"]
    first = given[0] if given else None
    if isinstance(first, ast.Name) and len(values := module.values.get(first.id, [])) == 1:
        first = values[0]
    return first.elts if isinstance(first, (ast.List, ast.Tuple)) else given


def lines_of_shell(words: Sequence[ast.expr]) -> Iterator[str]:
    """Yield what a shell is given to run."""
    for option, line in pairwise(words):
        if isinstance(option, ast.Constant) and re.fullmatch("-[a-z]*c", str(option.value)):
            yield "".join(str(part.value) for part in ast.walk(line) if isinstance(part, ast.Constant))


def programs_of(line: str) -> Iterator[str]:
    """Yield the programs that a line of shell starts: the first word of each of its commands.

    >>> list(programs_of('id -u; [ -e x ] && exec ps -o tty= $$ | grep "a; b" >x'))
    ['id', 'ps', 'grep']
    """
    quiet = re.sub(r"'[^']*'|\"[^\"$]*\"", "'...'", line)
    for command in re.split(r"[;\n&|(`]+", quiet.replace("$(", ";")):
        words = [word for word in command.split() if not re.match(r"\w+=|[<>\d]*[<>]", word)]
        while words and words[0] in BEFORE_ANOTHER:
            words = words[1:]
        if words and not BUILTINS.fullmatch(words[0]) and re.fullmatch(r"[\w./-]*[a-z][\w./-]*", words[0]):
            yield PurePath(words[0]).name


def starts_in(path: str, source: str) -> Iterator[Start]:
    """Yield what a module's calls start, a shell's commands among them."""
    if not STARTS.search(source):
        return
    tree = ast.parse(source)
    whole = Module(tree)
    marked = [whole.excuses(value) for value in whole.values.get("pytestmark", [])]
    anywhere = whole.excuses(tree)
    for part in tree.body:
        module = Module(part, whole)
        excused = (module.excuses(part) if _is_asked_for(part) else anywhere).union(*marked)
        for node in ast.walk(part):
            for program in sorted(_started_by(module, node)):
                yield Start(path, node.lineno, program, excused)  # type: ignore[attr-defined] # a call's, or a table's


def _started_by(module: Module, node: ast.AST) -> set[str]:
    """Return the programs that a call, or an order to the lab's agent, starts."""
    match node:
        case ast.Call() if words := words_of(module, node):
            found = module.programs(words[0])
            lines = list(lines_of_shell(words)) if found & SHELLS else []
            return found.union(*map(programs_of, lines))
        case ast.Dict(keys=[ast.Constant(value="run"), *_], values=[ast.Constant(value=str() as line), *_]):
            return {"bash", *programs_of(line)}
    return set()


def _is_asked_for(part: ast.stmt) -> bool:
    """Tell whether pytest runs it: then it has to say by itself what it needs, and elsewhere whoever calls it."""
    if not isinstance(part, Function):
        return False
    return part.name.startswith("test_") or any("fixture" in ast.unparse(mark) for mark in part.decorator_list)


ALWAYS = {"python": "the environment's own", "gunbai": "the launcher", "sh": "what Python itself starts for a shell"}
MADE = {"script": "one of systemd/, copied", "no-such-program": "nowhere installed"}
BY_HAND = {
    "tests/lab/machine.py": "QEMU, for .ci/lab",
    "tests/lab/volatile_disk.py": "cp, for .ci/lab",
    "tests/lab/guest/agent.py": "bash, in the machine of .ci/lab; its tests say so themselves",
    "tests/hardware/sketch_rig.py": "node, for .ci/micropython/run",
    "tests/run.py": "what runs the tests",
}


def needless(start: Start) -> bool:
    """Tell whether a machine may lack the program, and the test that starts it doesn't say so."""
    return start.program not in {*ALWAYS, *MADE, *start.excused}


def test_tests_start_nothing_that_a_bare_machine_may_lack() -> None:
    paths = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests").rglob("*.py"))]
    found = [start for path in paths if path not in BY_HAND for start in starts_in(path, (ROOT / path).read_text())]
    assert [f"{start.path}:{start.line}: {start.program}" for start in found if needless(start)] == []
    assert {"python", "gunbai", "sh", "git", "bash", "mount"} <= {start.program for start in found}


BEGINNING = "import os, shutil, subprocess, sys\nfrom tests.programs import needs, require\n"


@pytest.mark.parametrize(
    ("source", "program"),
    [
        ("subprocess.run(['ps', '-o', 'tty='])", "ps"),
        ("subprocess.Popen(args=('/usr/bin/ps',))", "ps"),
        ("subprocess.check_output('ps')", "ps"),
        ("os.execv('/bin/ps', ['ps'])", "ps"),
        ("os.posix_spawn('/bin/ps', ['ps'], {})", "ps"),
        ("from subprocess import run as begin\nbegin(['ps'])", "ps"),
        ("program = shutil.which('ps')\ndef helper():\n    subprocess.run([str(program), '-o'])", "ps"),
        ("class Rig:\n    def __init__(self):\n        self.own = 'ps'\n        subprocess.run([self.own])", "ps"),
        ("def words():\n    return ['ps']\nsubprocess.run(words())", "ps"),
        ("git = ['git', '-C', x]\nsubprocess.run([*git, 'add'])", "git"),
        ("subprocess.run(['sh', '-c', 'id -u; X=1 ps -o tty= $$'])", "ps"),
        ("subprocess.run(['bash', '-euc', f'if x; then ps | cat {y}; fi'])", "ps"),
        ("from companion.appliance.host import Host\nHost(x).run_as('65534', 'sh', '-c', 'ps')", "ps"),
        ("from companion.appliance.host import Host\nthere = Host(x)\nthere.run('ps')", "ps"),
        ("from requirements import environment\nenvironment.run('ps')", "ps"),
        ("agent.ask({'run': 'exit 3; ps'})", "ps"),
        ("def helper(command):\n    subprocess.run(command)", "command"),
    ],
)
def test_a_program_that_may_not_be_there_is_seen(source: str, program: str) -> None:
    found = [start.program for start in starts_in("tests/x.py", BEGINNING + source) if needless(start)]
    assert program in found


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run([sys.executable, '-c', 'ps'])",
        "def helper(*more):\n    subprocess.run([sys.executable, *more])",
        "subprocess.run([ROOT / 'gunbai', 'test'])",
        "subprocess.run(['sh', '-c', 'exec \"$@\" >&-', 'sh', sys.executable])",
        "@needs('ps')\ndef test_it():\n    subprocess.run(['ps'])",
        "pytestmark = needs('ps', 'cat')\ndef test_it():\n    subprocess.run(['sh', '-c', 'ps | cat'])",
        "@pytest.fixture\ndef made():\n    require('ps')\n    subprocess.run(['ps'])",
        "needs_ps = needs('ps')\n@needs_ps\ndef test_it():\n    subprocess.run(['ps'])",
        "def helper():\n    subprocess.run(['ps'])\n@needs('ps')\ndef test_it():\n    helper()",
        "from tests.systemd.unit_files import needs_systemd\n"
        "@needs_systemd\ndef test_it():\n    subprocess.run(['systemd-analyze'])",
    ],
)
def test_one_that_is_there_or_excused_passes(source: str) -> None:
    assert not any(map(needless, starts_in("tests/x.py", BEGINNING + source)))


def test_another_test_s_skip_excuses_nothing() -> None:
    source = "@needs('ps')\ndef test_one():\n    pass\ndef test_other():\n    subprocess.run(['ps'])"
    assert any(map(needless, starts_in("tests/x.py", BEGINNING + source)))


def test_a_skip_names_what_is_not_installed() -> None:
    assert programs.missing("sh") == ""
    assert programs.missing("sh", "no-such-program") == "not installed: no-such-program"
    with pytest.raises(pytest.skip.Exception, match="not installed: no-such-program"):
        programs.require("no-such-program")
    assert programs.needs("no-such-program").args == (True,)
    assert programs.needs("sh").args == (False,)
