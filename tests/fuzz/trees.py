"""JSON, JSON lines and TOML spoiled by what they say: values exchanged, left out, doubled, moved, nested."""

from __future__ import annotations

import json
import pickle
import tomllib
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

from tests.fuzz.spoil import RAW, VALUES, Stock, as_text

MOST_PARSED = 300_000
MARK = "\ue000"
Place = tuple[Any, Any]
"""A dict or list, and the key or index of something in it."""


def as_json(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a JSON text with one value changed; spoil what isn't JSON as text."""
    tree = _json(data)
    if tree is None or rng.random() < 0.25:
        return as_text(data, rng, stock)
    return _dumped(_changed(tree, rng, lambda: _json(rng.choice(stock.inputs))), rng)


def as_json_lines(data: bytes, rng: Random, stock: Stock) -> bytes:
    """JSON lines with a value of one line changed; else spoiled as text, by whole lines too."""
    lines = data.split(b"\n")
    here = rng.randrange(len(lines))
    tree = _json(lines[here])
    if tree is None or rng.random() < 0.3:
        return as_text(data, rng, stock)
    lines[here] = _dumped(_changed(tree, rng, lambda: _line_of(rng, stock)), rng)
    return b"\n".join(lines)


def as_toml(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Return a TOML text with one value changed, written anew; spoil what isn't TOML as text."""
    kept = _toml(data) if rng.random() < 0.5 else None
    if kept is None:
        return as_text(data, rng, stock)
    table = _changed(pickle.loads(kept), rng, lambda: _loaded(rng, stock))
    return _unmarked("".join(f"{_key(key)} = {_told(value)}\n" for key, value in table.items()), rng)


def _json(data: bytes) -> Any:
    try:
        found = json.loads(data) if len(data) < MOST_PARSED else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) and found else None


def _line_of(rng: Random, stock: Stock) -> Any:
    return _json(rng.choice(rng.choice(stock.inputs).split(b"\n")))


@lru_cache(maxsize=64)
def _toml(data: bytes) -> bytes | None:
    """Return a TOML text's tables, pickled because parsing takes longer than all else; None if there are none."""
    try:
        return pickle.dumps(tomllib.loads(data.decode())) if len(data) < 20_000 else None
    except (ValueError, RecursionError):
        return None


def _loaded(rng: Random, stock: Stock) -> Any:
    kept = _toml(rng.choice(stock.inputs))
    return None if kept is None else pickle.loads(kept)


# ---- changing ---------------------------------------------------------------------------------


def _places(tree: Any) -> list[Place]:
    """Everything in a tree, each by what keeps it."""
    found: list[Place] = []
    todo = [tree]
    while todo:
        branch = todo.pop()
        pairs = branch.items() if isinstance(branch, dict) else enumerate(branch)
        for key, value in pairs:
            found.append((branch, key))
            if isinstance(value, dict | list):
                todo.append(value)
    return found


def _changed(tree: Any, rng: Random, other: Callable[[], Any]) -> Any:
    """Return the tree with one to three of its values changed."""
    for _time in range(rng.choice((1, 1, 1, 2, 3))):
        places = _places(tree)
        if places:
            _change(rng.choice(places), places, rng, other)
    return tree


def _change(place: Place, places: list[Place], rng: Random, other: Callable[[], Any]) -> None:
    holder, key = place
    way = rng.random()
    if way < 0.45:
        holder[key] = _value(holder[key], rng)
    elif way < 0.6:
        holder[key] = _copied(rng.choice(places))
    elif way < 0.7:
        there = _places(other() or [0])
        holder[key] = _copied(rng.choice(there)) if there else None
    elif way < 0.8:
        del holder[key]
    elif way < 0.9:
        _double(holder, key, rng)
    else:
        _swap(place, rng.choice(places))


def _copied(place: Place) -> Any:
    return pickle.loads(pickle.dumps(place[0][place[1]]))


def _value(value: Any, rng: Random) -> Any:
    """Something else in the place of a value: another type, a near number, what breaks readers."""
    match rng.randrange(10):
        case 0:
            return f"{MARK}{rng.randrange(len(RAW))}{MARK}"
        case 1 | 2 if isinstance(value, int | float) and abs(value) < 2**70:
            return value + rng.choice((-2, -1, 1, 2, 10, 0.5))
        case 1 | 2 if isinstance(value, str):
            return rng.choice((value.upper(), value[:-1], value + "x", value * 2, [value], ""))
        case 3 if isinstance(value, list) and value:
            return value * rng.choice((2, 2, 50, 3000 // len(value) + 1))
        case 4:
            return rng.choice(([value], {"x": value}, str(value)[:500]))
        case 5 if isinstance(value, dict | list):
            return type(value)()
    return pickle.loads(pickle.dumps(rng.choice(VALUES)))


def _double(holder: Any, key: Any, rng: Random) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), _copied((holder, key)))
        return
    names = [*holder, "x", "", "é", "sum", "\x1b[31m", str(key) + "x", str(key).upper(), "a" * 300]
    holder[rng.choice(names)] = _copied((holder, key))


def _swap(here: Place, there: Place) -> None:
    """Two things change places; copied, as one may be in the other."""
    one, other = _copied(here), _copied(there)
    there[0][there[1]] = one
    here[0][here[1]] = other


# ---- written ----------------------------------------------------------------------------------


def _dumped(tree: Any, rng: Random) -> bytes:
    return _unmarked(json.dumps(tree, ensure_ascii=rng.random() < 0.5), rng)


def _unmarked(text: str, rng: Random) -> bytes:
    """Return the text as bytes, with invalid text that no writer would produce in place of its marks."""
    data = text.encode("utf-8", "surrogatepass")
    for mark in (MARK, "\\ue000"):
        told = mark.encode()
        while data.count(told) >= 2:
            before, number, behind = data.split(told, 2)
            raw = RAW[int(number)] if number.isdigit() and int(number) < len(RAW) else b""
            data = before.removesuffix(b'"') + raw + behind.removeprefix(b'"')
    return data


def _key(key: str) -> str:
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")


def _told(value: Any) -> str:
    """Return a value as TOML writes it, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(str(key))} = {_told(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_told, value)) + "]"
    if isinstance(value, str):
        return _key(value)
    return '""' if value is None else json.dumps(value)
