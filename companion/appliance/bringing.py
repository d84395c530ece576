"""Imports from a memory stick: boards, decks, battles, tables, saved games and copies of everything.

A stick may be a stranger's. Each file is read as what its name says it is before it is offered, and only what is new
here is; a copy (`gunbai backup`) is offered unread, because it may be large, and read before anything of it is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from companion.appliance import copies, restoring
from companion.appliance.backing_up import NAME
from companion.appliance.kinds import kind_of
from companion.content.decks import DECKS
from companion.content.own_files import OwnFiles
from companion.content.shelves import BATTLES, BOARDS
from companion.core import storage
from companion.core.errors import ApplianceError, OwnFileError
from engine.errors import BadTable
from intake.errors import Unreadable
from intake.files import read_file

What = Literal["board", "deck", "battle", "table", "game", "copy"]
SHELVES: Mapping[What, OwnFiles[Any]] = {"board": BOARDS, "deck": DECKS, "battle": BATTLES}
FOLDERS: Mapping[str, tuple[What, str]] = {".table": ("table", "tables"), storage.GAME_SUFFIX: ("game", "games")}
"""{suffix of a file: (what it is, its folder here)}"""
MOST_LOOKED_AT, MOST_OFFERED = 400, 60


@dataclass(frozen=True, slots=True)
class Find:
    """A file on a stick that can be imported."""

    what: What
    path: Path


@dataclass(frozen=True, slots=True)
class Brought:
    """The result of an import: how many files were written, and how many left out."""

    files: int = 1
    left_out: int = 0


def find_imports(folder: Path) -> tuple[Find, ...]:
    """Return what can be imported from a stick's top folder: by kind, copies first, in reverse order of names."""
    try:
        paths = sorted(islice((path for path in folder.iterdir() if path.is_file()), MOST_LOOKED_AT), reverse=True)
    except OSError:
        return ()
    order = ("copy", "game", "board", "deck", "battle", "table")
    found = sorted((find for path in paths for find in _finds(path)), key=lambda find: order.index(find.what))
    return tuple(found[:MOST_OFFERED])


def _finds(path: Path) -> Iterator[Find]:
    if NAME.fullmatch(path.name):
        yield Find("copy", path)
    elif path.suffix in FOLDERS:
        what, _folder = FOLDERS[path.suffix]
        if not os.path.lexists(_target(path)) and _content(path) is not None:
            yield Find(what, path)
    elif path.suffix == ".toml":
        yield from (Find(what, path) for what, shelf in SHELVES.items() if _is_new(shelf, path))


def _is_new(shelf: OwnFiles[Any], path: Path) -> bool:
    """Return whether a file is valid for this shelf and its name isn't taken here."""
    try:
        return not os.path.lexists(shelf.path_of(shelf.load(path).name))
    except (OwnFileError, BadTable):
        return False


def _target(path: Path) -> Path:
    return storage.data_dir() / FOLDERS[path.suffix][1] / path.name


def _content(path: Path) -> bytes | None:
    """Return a file's bytes; None if it is unreadable, or not what its name says."""
    name = f"{FOLDERS[path.suffix][1]}/{path.name}"
    kind = kind_of(name)
    try:
        data = read_file(path, kind.most_bytes) if kind is not None else b""
    except (OSError, Unreadable):
        return None
    return data if kind is not None and not kind.fault(name, kind.part(data)) else None


def import_find(find: Find) -> Brought:
    """Import a file; nothing here is lost. ApplianceError, OwnFileError, BadTable or OSError if it can't be."""
    ways: Mapping[What, Callable[[Path], Brought]] = {"copy": _restore, "table": _take, "game": _take}
    if find.what in ways:
        return ways[find.what](find.path)
    SHELVES[find.what].import_file(find.path)
    return Brought()


def make_known() -> None:
    """Register with the engine the boards, decks and battles that copies brought; not while a screen reads them."""
    for shelf in SHELVES.values():
        shelf.register()


def _restore(path: Path) -> Brought:
    with copies.open_copy(path) as file:
        surveyed = restoring.survey(file)
        restoring.restore(file, surveyed)
    written = [plan for plan in surveyed.plans if plan.fate in restoring.WRITTEN]
    return Brought(len(written), len(surveyed.left_out))


def _take(path: Path) -> Brought:
    data = _content(path)
    if data is None:
        raise ApplianceError(f"{path}: can't be read (not what its name says)")
    target = _target(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    storage.create(target, data)
    return Brought()
