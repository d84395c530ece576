"""Copies made and looked at by the tests of a backup."""

import io
import os
from collections import namedtuple
from datetime import date
from pathlib import Path

import pytest

from companion.appliance import copies
from companion.appliance.backing_up import Copied, back_up

Capture = pytest.CaptureFixture[str]
DAY = date(2026, 11, 21)
NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'
PASS = b'{"pass": true}\n'
LATIN = os.fsdecode(b"caf\xe9.jsonl")
Usage = namedtuple("Usage", "total used free")


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
