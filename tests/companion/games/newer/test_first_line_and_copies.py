"""Games that a newer Gunbai began, copies to go on with, and what lies beside a game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.core.errors import MatchError
from companion.games import checksums, undo_log
from companion.games.journal import read_game
from companion.games.match import Match
from companion.games.saved import shelf
from engine.orders.wire import step_to_json
from tests.companion.games.newer.newer_steps import NEWER, STEPS, TAILS, begun, lying, newer_start, refuses, went_on
from tests.companion.sample_games import REQUEST, lines_of


def test_a_game_that_a_newer_gunbai_began_is_looked_at_as_far_as_it_is_understood(tmp_path: Path) -> None:
    path = newer_start(begun(tmp_path), weather="fog")
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps, match.notice) == (True, STEPS[:6], "started in a newer Gunbai")
    refuses(match, STEPS[6])
    match.close()
    assert lying(tmp_path) == before


def test_damage_in_such_a_game_is_not_cut_off(tmp_path: Path) -> None:
    path = went_on(newer_start(begun(tmp_path)), rest=b'{"pass": tr')
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


def test_a_start_that_is_not_understood_is_told_and_left_alone(tmp_path: Path) -> None:
    path = newer_start(begun(tmp_path), board="sengoku-moon")
    before = lying(tmp_path)
    with pytest.raises(MatchError, match=r"game\.jsonl: started in a newer Gunbai \(no board named 'sengoku-moon'"):
        Match.open(path)
    assert lying(tmp_path) == before


@pytest.mark.parametrize("change", [lambda path: went_on(path, NEWER), newer_start], ids=["went on", "begun"])
def test_a_copy_is_gone_on_with(tmp_path: Path, change: Callable[[Path], Path]) -> None:
    path = change(begun(tmp_path))
    before = lying(tmp_path)
    match = Match.open(path)
    twin = Match.open(shelf.copy(path, match.file_until(4)))
    assert (twin.look_only, twin.steps, twin.notice, twin.players) == (False, STEPS[:4], None, match.players)
    assert twin.offer(STEPS[4]).legal
    twin.close()
    assert read_game(twin.path).steps == STEPS[:5]
    assert {name: lying(tmp_path)[name] for name in before} == before


def test_newer_steps_that_were_taken_back_are_kept_and_not_done_again(tmp_path: Path) -> None:
    path = begun(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    taken = [checksums.with_checksum(step_to_json(STEPS[6]), lines), checksums.with_checksum(NEWER, lines)]
    undo_log.append(path, undo_log.UndoRecord(6, Match.open(path).mark(6), undo_log.UNDO, tuple(taken)))
    strange = checksums.with_checksum({"branch": 4, "lines": ["?"]}, ())
    beside = undo_log.path_of(path)
    beside.write_bytes(strange + beside.read_bytes())
    before = beside.read_bytes()
    match = Match.open(path)
    assert match.redoable_steps == STEPS[6:7]
    assert not match.redo(2)
    assert match.redo()
    assert match.undo(2)
    assert beside.read_bytes().startswith(before)


DAMAGED = (b"\x00" * 40 + b"\n", b'{"pass": tru}\n', b'{"pass": true, "sum": "00000000"}\n', b"\xff\xfe\n")

LINES = (*TAILS.values(), {"pass": True}, "unsealed", *DAMAGED)


def written(start: int, following: list[Any]) -> list[bytes]:
    """Return a game's first lines, and behind them lines of all kinds, the whole ones with their check values."""
    lines: list[bytes] = []
    for value in ({**REQUEST, "format": 1}, *map(step_to_json, STEPS[:start])):
        lines.append(checksums.with_checksum(value, lines))
    whole = list(lines)
    for record in following:
        if isinstance(record, bytes):
            lines.append(record)
            continue
        line = lines_of(NEWER)[:-1] + b"\n" if record == "unsealed" else checksums.with_checksum(record, whole)
        whole.append(line)
        lines.append(line)
    return lines


@pytest.mark.long
@settings(max_examples=120, deadline=None)
@given(st.integers(0, 8), st.lists(st.sampled_from(LINES), max_size=5), st.integers(0, 60))
def test_no_whole_line_is_lost_by_opening(start: int, following: list[Any], torn: int) -> None:
    assume("unsealed" not in following or DAMAGED[2] not in following)  # a check value that speaks against such a line
    lines = written(start, following)
    data = b"".join(lines)
    data = data[: len(data) - torn] if torn < len(lines[-1]) and len(lines) > 1 else data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_bytes(data)
        before = read_game(path)
        match = Match.open(path)
        match.close()
        aside = b"".join(file.read_bytes() for file in Path(folder).glob("*.broken-*"))
        if match.look_only:
            assert (path.read_bytes(), aside) == (data, b"")
        else:
            assert (path.read_bytes() + aside).rstrip(b"\n") == data.rstrip(b"\n")
        assert match.steps == before.steps
        rest = [line + b"\n" for line in data.splitlines()[len(match.steps) + 1 :]]
        whole = bool(rest) and rest[0] in lines and rest[0] not in DAMAGED
        assert match.look_only == whole, "and what is whole and not understood is looked at"
