"""The command line under test: the starting position as a file, and what every fault must look like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from engine.orders.game import new_game
from engine.orders.wire import position_to_json
from tests.companion.sample_games import BOARD, BONUSES

START = position_to_json(new_game(BOARD, "red", BONUSES))

Capture = pytest.CaptureFixture[str]


def written(path: Path, *objects: object) -> str:
    path.write_text("\n".join(json.dumps(item) for item in objects))
    return str(path)


def printed(capsys: Capture, *argv: str, status: int = 0) -> str:
    """Return what a command prints that ends with this status."""
    assert main(argv) == status
    return capsys.readouterr().out


def fault(capsys: Capture, *argv: str) -> str:
    """Return the one line that bad input ends with, after checking everything else about the refusal."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gunbai: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("gunbai: ").removesuffix("\n")
