"""Games with steps that no Gunbai of today knows."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import MatchError
from companion.games import checksums
from companion.games.clock import clock_path
from companion.games.match import AnyMatch, Match
from tests.companion.sample_games import BOARD, BONUSES, TAKEN, played

STEPS = played()[0]

NEWER = {"teleport": "c4", "by": "red", "format": 2}

TAILS: dict[str, dict[str, Any]] = {
    "of a newer format": NEWER,
    "a known step of a newer format": {"pass": True, "format": 2},
    "a format that is no number": {"pass": True, "format": "2.1"},
    "an unknown step": {"teleport": "c4"},
    "an unknown key": {"pass": True, "loudly": True},
    "an unknown card": {"play": "thunderstorm", "by": "red"},
    "against the rules": TAKEN,
}


def begun(folder: Path, steps: int = 6) -> Path:
    """Write a game of General Orders, closed, with all that may lie beside it; return its file."""
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Bo"})
    for step in STEPS[: steps + 2]:
        assert match.offer(step).legal
    match.undo(2)
    match.close()
    clock_path(match.path).write_text('{"spent_s": {"red": 12.5}}')
    (folder / "game.jsonl.evidence").mkdir()
    (folder / "game.jsonl.evidence" / "turn-2-abc.jpg").write_bytes(b"a picture")
    return match.path


def went_on(path: Path, *steps: dict[str, Any], rest: bytes = b"") -> Path:
    """Append what another Gunbai may write: these steps with their check values, then `rest` as it is."""
    lines = path.read_bytes().splitlines(keepends=True)
    for step in steps:
        lines.append(checksums.with_checksum(step, lines))
    path.write_bytes(b"".join(lines) + rest)
    return path


def lying(folder: Path) -> dict[str, bytes]:
    """All files of a folder, with what is in them."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refuses(match: AnyMatch, *steps: Any) -> None:
    """Check that the game accepts no step and gives none up."""
    deeds: list[Callable[[], object]] = [partial(match.offer, step) for step in steps]
    deeds += [match.undo, partial(match.recast, 0, ())]
    for deed in deeds:
        with pytest.raises(MatchError, match=r"\(it is view-only\)$"):
            deed()


def newer_start(path: Path, **more: Any) -> Path:
    """Rewrite the game as if a Gunbai with a newer format of the first line had begun it."""
    lines: list[bytes] = []
    for line in path.read_bytes().splitlines():
        value = checksums.plain(json.loads(line))
        lines.append(checksums.with_checksum({**value, "format": 2, **more} if not lines else value, lines))
    path.write_bytes(b"".join(lines))
    return path
