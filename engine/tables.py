"""Strict reading of the data files: TOML checked against a form, every fault reported at once with file and key.

A form is written as plain values: a type (`str`, `int`, `float`, `bool`), a tuple of the words allowed, a list with one
form for each entry, `Each(form)` for a table with free keys, or a dict of keys; a key ending in "?" may be missing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

from engine.errors import BadTable

Form = Any


@dataclass(frozen=True, slots=True)
class Each:
    """A table with free keys whose values all follow one form."""

    form: Form


def read_table(kind: str, name: str, form: Form) -> dict[str, Any]:
    """One of the engine's own data files, `data/<kind>/<name>.toml`, as plain values.

    Raises BadTable with every fault.
    """
    file = resources.files("engine") / "data" / kind / f"{name}.toml"
    return parse_table(f"{kind}/{name}.toml", file.read_text(encoding="utf-8"), form)


def table_names(kind: str) -> tuple[str, ...]:
    """The names of the data files of one kind, sorted."""
    folder = resources.files("engine") / "data" / kind
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def parse_table(where: str, text: str, form: Form) -> dict[str, Any]:
    """TOML text checked against a form. Raises BadTable with every fault, named by file and key."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadTable(f"{where}: {fault}") from fault
    faults = list(_faults(table, form, ""))
    if faults:
        raise BadTable("; ".join(f"{where}: {fault}" for fault in faults))
    return table


def _faults(value: object, form: Form, key: str) -> Iterator[str]:
    if isinstance(form, dict):
        yield from _table_faults(value, form, key)
    elif isinstance(form, Each):
        yield from _each_faults(value, form.form, key)
    elif isinstance(form, list):
        yield from _list_faults(value, form[0], key)
    elif isinstance(form, tuple):
        if value not in form:
            yield f"{key}: {value!r} is none of {', '.join(map(str, form))}"
    elif not _is_a(value, form):
        yield f"{key}: {value!r} is no {form.__name__}"


def _is_a(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _table_faults(value: object, form: dict[str, Form], key: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{key}: {value!r} is no table"
        return
    known = {name.removesuffix("?"): (name, part) for name, part in form.items()}
    for name, (written, part) in known.items():
        if name in value:
            yield from _faults(value[name], part, _dotted(key, name))
        elif not written.endswith("?"):
            yield f"{_dotted(key, name)}: missing"
    yield from (f"{_dotted(key, name)}: unknown key" for name in value if name not in known)


def _each_faults(value: object, form: Form, key: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{key}: {value!r} is no table"
        return
    for name, part in value.items():
        yield from _faults(part, form, _dotted(key, name))


def _list_faults(value: object, form: Form, key: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{key}: {value!r} is no list"
        return
    for number, part in enumerate(value):
        yield from _faults(part, form, f"{key}[{number}]")


def _dotted(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name
