"""Which programs the tests start, found in their syntax trees: `starts_in` yields them with what may excuse each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePath

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

    def programs(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> set[str]:  # noqa: C901, PLR0911 - a line a form
        """Return the programs that a command, or its first word, may stand for; its source where that can't be told."""
        match node:
            case ast.Constant(value=str() as text):
                return {PurePath(text).name}
            case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]) | ast.Starred(value=first):
                return self.programs(first, seen)
            case ast.List(elts=[]) | ast.Tuple(elts=[]):
                return set()
            case ast.IfExp(body=either, orelse=other):
                return self.programs(either, seen) | self.programs(other, seen)
            case ast.BinOp(left=left, op=ast.Add()):
                return self.programs(left, seen)
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
