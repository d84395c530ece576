"""A household whose games are copied, and copies made and looked at."""

import io
import os
from collections import namedtuple
from datetime import date
from pathlib import Path

import pytest

from companion.appliance import copies
from companion.appliance.backing_up import Copied, back_up
from companion.settings import layers

DAY = date(2026, 11, 21)
NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'
PASS = b'{"pass": true}\n'
LATIN = os.fsdecode(b"caf\xe9.jsonl")
Usage = namedtuple("Usage", "total used free")
CHOSEN = b'language = "pt_BR"\n'
HOUSE = {
    "games/a.jsonl": NEW + PASS,
    "games/a.jsonl.undone": b"{}\n",
    "games/a.jsonl.clock.json": b"{}",
    "games/trash/b.jsonl": NEW,
    "games/labels.json": b"{}",
    "boards/own.text": b"x",
    "decks/foxes.text": b"d",
    "decks/drafts/owls.json": b"{}",
    "scenarios/ford.text": b"s",
    "tables/sengoku-rivers.table": b"\x00table",
    "tags/sengoku.toml": b"",
}
"""A game, the files beside it, boards, decks, a battle, a table and tags."""


@pytest.fixture
def data(data: Path) -> Path:
    """Return a data folder with all of that, beside what was chosen."""
    for name, text in HOUSE.items():
        put(data / name, text)
    put(layers.chosen_file(), CHOSEN)
    return data


def copied(folder: Path, kept: int = 14) -> Copied:
    return back_up(folder, kept, DAY)


def copy(folder: Path, kept: int = 14) -> Path:
    path = copied(folder, kept).path
    assert path is not None
    return path


def files_of(path: Path) -> dict[str, bytes]:
    with copies.open_copy(path) as file:
        return {content.name: content.read() for content in copies.contents(file)}


def given(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data))


def put(path: Path, data: bytes) -> None:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def state_of(folder: Path) -> dict[str, bytes]:
    """{name below the folder: bytes}."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
