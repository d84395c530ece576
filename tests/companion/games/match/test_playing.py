"""A game is played, taken back and put right, and each step is on the disk."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from companion.core import storage
from companion.core.errors import MatchError
from companion.games import checksums
from companion.games.journal import read_journal, start_of
from companion.games.match import Match
from engine.errors import BadPosition
from engine.orders.steps import Deploy, Pass
from engine.orders.wire import step_from_json
from tests.companion.games.match.started import started
from tests.companion.sample_games import BOARD, OPENING, REQUEST


def test_a_new_match_is_on_the_disk_with_the_players_names(tmp_path: Path) -> None:
    match = started(tmp_path)
    line = checksums.plain(json.loads(match.path.read_text()))
    assert line == {**REQUEST, "format": 1, "players": {"red": "Mali", "black": "Bo"}}
    assert match.players == {"red": "Mali", "black": "Bo"}
    assert match.board.name == BOARD
    assert match.notice is None


def test_a_reading_that_is_neither_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPosition, match=r"readings\.empty-target: default or other, not 'maybe'"):
        start_of({**REQUEST, "readings": {"empty-target": "maybe"}})


def test_the_tables_readings_are_kept_with_the_game(tmp_path: Path) -> None:
    request = {**REQUEST, "readings": {"empty-target": "other", "place-fewer": "default"}}
    match = Match.begin(tmp_path / "game.jsonl", request)
    assert match.position.readings == {"empty-target"}
    match.close()
    assert Match.open(match.path).position.readings == {"empty-target"}


def test_a_legal_step_is_taken_and_its_line_written(tmp_path: Path) -> None:
    match = started(tmp_path)
    step = step_from_json(OPENING)
    assert match.offer(step).legal
    assert match.steps == (step,)
    assert match.positions[-1] is match.position
    assert match.position.controller("c4") == "red"
    assert checksums.plain(json.loads(match.path.read_text().splitlines()[1])) == OPENING
    assert [event.kind for event in match.events] == ["moved"]


def test_an_illegal_step_changes_nothing(tmp_path: Path) -> None:
    match = started(tmp_path)
    before, data = match.position, match.path.read_bytes()
    step = Deploy("advance:b1", moves=(("d5", "troop", 1),))
    assert not match.judge(step).legal
    assert not match.offer(step).legal
    assert match.position is before
    assert match.path.read_bytes() == data


def test_the_line_is_synced_before_the_position_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = started(tmp_path)
    real, seen = os.fsync, []

    def fsync(handle: int) -> None:
        seen.append((len(match.steps), match.path.read_bytes().count(b"\n")))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    match.offer(Pass())
    assert seen == [(0, 2)]


def test_a_step_that_cannot_be_saved_waits_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = started(tmp_path)
    before = match.path.read_bytes()

    def full(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    assert match.offer(Pass()).legal
    assert match.steps == (Pass(),)
    assert (match.is_saved, match.unsaved) == (False, 1)
    assert match.fault is not None
    assert match.fault.errno == errno.ENOSPC
    assert match.path.read_bytes() == before
    monkeypatch.undo()
    assert match.save()
    assert (match.is_saved, match.unsaved) == (True, 0)
    assert read_journal(match.path).steps == (Pass(),)


def test_a_closed_match_takes_no_step(tmp_path: Path) -> None:
    match = started(tmp_path)
    match.close()
    with pytest.raises(MatchError, match="couldn't save"):
        match.offer(Pass())
    with pytest.raises(MatchError, match="couldn't undo the step"):
        match.recast(0, ())


def test_undo_takes_steps_back_one_by_one_on_the_disk_too(tmp_path: Path) -> None:
    match = started(tmp_path)
    start = match.path.read_bytes()
    match.offer(step_from_json(OPENING))
    before = match.path.read_bytes()
    match.offer(Pass())
    assert match.undo()
    assert match.path.read_bytes() == before
    assert match.undo()
    assert match.path.read_bytes() == start
    assert not match.undo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.jsonl", "game.jsonl.undone"]


def test_after_an_undo_the_game_goes_on_in_the_same_file_and_stays_locked(tmp_path: Path) -> None:
    match = started(tmp_path)
    match.offer(step_from_json(OPENING))
    match.undo()
    match.offer(Pass())
    with pytest.raises(MatchError, match="open in another Gunbai"):
        Match.open(match.path)
    match.close()
    assert Match.open(match.path).steps == (Pass(),)


def test_an_undo_that_the_disk_refuses_leaves_the_disk_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started(tmp_path)
    match.offer(Pass())
    before = match.path.read_bytes()

    def refuse(path: Path, data: bytes) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(storage, "write_new", refuse)
    assert match.undo()
    assert match.steps == ()
    assert (match.is_saved, match.unsaved) == (False, 1)
    assert match.path.read_bytes() == before
    monkeypatch.undo()
    assert match.redo()
    assert (match.is_saved, match.unsaved) == (True, 0)
    assert match.path.read_bytes() == before
