"""Strict reading of the data files: TOML checked against a form, every fault reported at once with file and key.

A form is written as plain values: a type (`str`, `int`, `float`, `bool`), a tuple of the words allowed, `Within` for a
number in a range, `Word` for a text of a pattern, a list with one form for each entry or `Several` with a length,
`Each(form)` for a table with free keys, or a dict of keys; a key ending in "?" may be missing.

The text may come from a stranger: whatever is in it, the outcome is plain values or BadTable, and soon.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib import resources
from typing import Any, Generic, TypeVar, get_type_hints

from engine.errors import BadTable
from intake.errors import Unreadable
from intake.toml_text import parse_toml

T = TypeVar("T")
Form = Any
MOST_FAULTS = 60
MOST_SHOWN = 60
HUGE = 10**9


@dataclass(frozen=True, slots=True)
class Each:
    """A table with free keys whose values all follow one form; `names` is a pattern that every key has to match."""

    form: Form
    names: str = ""


@dataclass(frozen=True, slots=True)
class Several:
    """A list of `least` to `most` entries that all follow one form."""

    form: Form
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Within:
    """A number of a kind (`int` or `float`) in a range, its ends included."""

    kind: type
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Word:
    """A text that matches a pattern as a whole; `noun` says in words what it has to look like."""

    pattern: str
    noun: str


def form_of(made: type, but: Sequence[str] = ("name",), **forms: Form) -> dict[str, Form]:
    """Return the form of a table that holds the fields of a dataclass.

    Every field is a key, except those in `but`; its form is the field's type, or the one given in `forms`. A field with
    a default may be missing.
    """
    types = get_type_hints(made)
    needed = {field.name: field.default is MISSING and field.default_factory is MISSING for field in fields(made)}
    return {name if needed[name] else f"{name}?": forms.get(name, types[name]) for name in needed if name not in but}


def read_table(kind: str, name: str, form: Form) -> dict[str, Any]:
    """Read one of the engine's own data files, `data/<kind>/<name>.toml`, as plain values.

    Raises BadTable with every fault.
    """
    return parse_table(f"{kind}/{name}.toml", table_text(kind, name), form)


def table_text(kind: str, name: str) -> str:
    """Return the text of a data file."""
    return (resources.files("engine") / "data" / kind / f"{name}.toml").read_text(encoding="utf-8")


@cache
def table_names(kind: str) -> tuple[str, ...]:
    """Return the names of the data files of one kind, sorted."""
    folder = resources.files("engine") / "data" / kind
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


class Registry(Generic[T]):
    """All things of one kind by name, such as boards: those that come with the engine, and those added by the owner.

    folder: where the engine has a data file for each of its own; read: reads one of these by its name, and is called
    once for each.
    """

    def __init__(self, folder: str, read: Callable[[str], T]) -> None:
        self._folder = folder
        self._read = cache(read)
        self._added: dict[str, T] = {}

    def load(self, name: str) -> T:
        """Return the thing of that name, added or built in; raise what `read` raises if there is none."""
        return self._added[name] if name in self._added else self._read(name)

    def names(self) -> tuple[str, ...]:
        """Return all names, built in and added, sorted."""
        return tuple(sorted({*table_names(self._folder), *self._added}))

    def added_names(self) -> tuple[str, ...]:
        """Return the names of the added things, in the order in which they were added."""
        return tuple(self._added)

    def add(self, name: str, thing: T, taken: str) -> None:
        """Add a thing under this name; raise BadTable with the message `taken` if a built-in one has that name."""
        if name in table_names(self._folder):
            raise BadTable(taken)
        self._added[name] = thing

    def remove(self, name: str) -> None:
        """Remove an added thing; do nothing if there is none of that name."""
        self._added.pop(name, None)


def parse_table(where: str, text: str, form: Form) -> dict[str, Any]:
    """Parse a TOML text and check it against a form; raise BadTable with every fault, named by file and key."""
    try:
        table = parse_toml(text)
    except Unreadable as fault:
        raise BadTable(f"{where}: {fault}") from fault
    faults = list(_faults(table, form, ""))
    if faults:
        raise BadTable(join_faults(where, faults))
    return table


def join_faults(where: str, faults: Sequence[str]) -> str:
    """Join a file's faults into one line, each with the file's name; after MOST_FAULTS just count the rest."""
    named = [f"{where}: {fault}" for fault in faults[:MOST_FAULTS]]
    more = len(faults) - MOST_FAULTS
    return "; ".join(named + ([f"{where}: and {more} more"] if more > 0 else []))


def _faults(value: object, form: Form, key: str) -> Iterator[str]:
    if isinstance(form, dict):
        yield from _table_faults(value, form, key)
    elif isinstance(form, Each):
        yield from _each_faults(value, form, key)
    elif isinstance(form, (list, Several)):
        yield from _list_faults(value, form, key)
    elif not _is_valid(value, form):
        yield f"{key}: {describe_value(value)} is {_wanted_words(form)}"


def _is_valid(value: object, form: Form) -> bool:
    """Return whether a single value is as its form wants it."""
    if isinstance(form, tuple):
        return isinstance(value, str) and value in form
    if isinstance(form, Within):
        return _is_a(value, form.kind) and isinstance(value, (int, float)) and form.least <= value <= form.most
    if isinstance(form, Word):
        return isinstance(value, str) and re.fullmatch(form.pattern, value) is not None
    return _is_a(value, form)


def _wanted_words(form: Form) -> str:
    """Describe in words what a value should have been but is not."""
    if isinstance(form, tuple):
        return f"none of {', '.join(map(str, form))}"
    if isinstance(form, Within):
        return f"no {form.kind.__name__} from {form.least} to {form.most}"
    return f"no {form.noun}" if isinstance(form, Word) else f"no {form.__name__}"


def _is_a(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and _finite(value)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and _finite(value)
    return isinstance(value, kind)


def _finite(value: float) -> bool:
    return -HUGE <= value <= HUGE and not math.isnan(value)


def describe_value(value: object) -> str:
    """Describe a value briefly for a fault's message, however large it is."""
    if isinstance(value, (dict, list)) and value:
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and not _finite(value):
        return "a huge number"
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _table_faults(value: object, form: dict[str, Form], key: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{key}: {describe_value(value)} is no table"
        return
    known = {name.removesuffix("?"): (name, part) for name, part in form.items()}
    for name, (written, part) in known.items():
        if name in value:
            yield from _faults(value[name], part, _join_keys(key, name))
        elif not written.endswith("?"):
            yield f"{_join_keys(key, name)}: missing"
    yield from (f"{_join_keys(key, name)}: unknown key" for name in value if name not in known)


def _each_faults(value: object, form: Each, key: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{key}: {describe_value(value)} is no table"
        return
    for name, part in value.items():
        if form.names and re.fullmatch(form.names, name) is None:
            yield f"{_join_keys(key, name)}: a name that may not be"
        yield from _faults(part, form.form, _join_keys(key, name))


def _list_faults(value: object, form: Form, key: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{key}: {describe_value(value)} is no list"
        return
    if isinstance(form, Several) and not form.least <= len(value) <= form.most:
        many = str(form.least) if form.least == form.most else f"{form.least} to {form.most}"
        yield f"{key}: {len(value)} entries, not {many}"
    item_form = form.form if isinstance(form, Several) else form[0]
    for number, part in enumerate(value):
        yield from _faults(part, item_form, f"{key}[{number}]")


def _join_keys(key: str, name: str) -> str:
    name = name if len(name) <= MOST_SHOWN else f"{name[:MOST_SHOWN]}…"
    return f"{key}.{name}" if key else name
