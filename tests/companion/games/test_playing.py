"""A game is played, taken back and done again, and each step is on the disk."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from companion.core import storage
from companion.core.errors import MatchError
from companion.games import checksums, undo_log
from companion.games.journal import mark_of, read_journal, start_of
from companion.games.match import Match
from engine.errors import BadPosition, Illegal
from engine.orders.steps import Deploy, Pass, Roll
from engine.orders.wire import step_from_json
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, OPENING, REQUEST, game_file, played


def started(folder: Path) -> Match:
    return Match.start(folder / "game.jsonl", BOARD, "red", BONUSES, {"red": "Mali", "black": "Bo"})


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


def test_a_legal_step_is_taken_and_its_line_written(match: Match) -> None:
    step = step_from_json(OPENING)
    assert match.offer(step).legal
    assert match.steps == (step,)
    assert match.positions[-1] is match.position
    assert match.position.controller("c4") == "red"
    assert checksums.plain(json.loads(match.path.read_text().splitlines()[1])) == OPENING
    assert [event.kind for event in match.events] == ["moved"]


def test_an_illegal_step_changes_nothing(match: Match) -> None:
    before, data = match.position, match.path.read_bytes()
    step = Deploy("advance:b1", moves=(("d5", "troop", 1),))
    assert not match.judge(step).legal
    assert not match.offer(step).legal
    assert match.position is before
    assert match.path.read_bytes() == data


def test_the_line_is_synced_before_the_position_changes(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = os.fsync, []

    def fsync(handle: int) -> None:
        seen.append((len(match.steps), match.path.read_bytes().count(b"\n")))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    match.offer(Pass())
    assert seen == [(0, 2)]


def test_a_step_that_cannot_be_saved_waits_in_memory(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    before = match.path.read_bytes()
    monkeypatch.setattr(os, "write", refusing())
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


def test_a_closed_match_takes_no_step(match: Match) -> None:
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


def test_after_an_undo_the_game_goes_on_in_the_same_file_and_stays_locked(match: Match) -> None:
    match.offer(step_from_json(OPENING))
    match.undo()
    match.offer(Pass())
    with pytest.raises(MatchError, match="open in another Gunbai"):
        Match.open(match.path)
    match.close()
    assert Match.open(match.path).steps == (Pass(),)


def test_an_undo_that_the_disk_refuses_leaves_the_disk_as_it_was(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    match.offer(Pass())
    before = match.path.read_bytes()
    monkeypatch.setattr(storage, "write_new", refusing(errno.EROFS))
    assert match.undo()
    assert match.steps == ()
    assert (match.is_saved, match.unsaved) == (False, 1)
    assert match.path.read_bytes() == before
    monkeypatch.undo()
    assert match.redo()
    assert (match.is_saved, match.unsaved) == (True, 0)
    assert match.path.read_bytes() == before


STEPS = played()[0]


def match_of(folder: Path, steps: int = 8) -> Match:
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
    for step in STEPS[:steps]:
        assert match.offer(step).legal
    return match


def test_steps_taken_back_can_be_done_again_in_their_order_after_a_restart_too(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    assert match.undo(2)
    assert match.undo()
    assert match.redoable_steps == STEPS[5:8]
    match.close()
    match = Match.open(match.path)
    assert match.redoable_steps == STEPS[5:8]
    assert match.redo()
    assert match.redoable_steps == STEPS[6:8]
    assert match.undo(3)
    assert match.redoable_steps == STEPS[3:8]
    assert match.redo(5)
    assert match.redoable_steps == ()
    assert match.positions == played()[1][:9]
    match.close()
    assert Match.open(match.path).steps == STEPS[:8]


def test_another_step_ends_what_could_be_done_again(tmp_path: Path) -> None:
    match = match_of(tmp_path, 3)
    match.undo(3)
    other = next(step for step in STEPS if step != STEPS[0] and match.judge(step).legal)
    assert match.offer(other).legal
    assert not match.redoable_steps
    assert not match.redo()
    assert not match.undo(2)
    match.undo()
    assert match.redoable_steps == (other,)


def test_the_very_step_taken_again_keeps_the_rest_of_the_list(tmp_path: Path) -> None:
    match = match_of(tmp_path, 5)
    match.undo(4)
    assert match.offer(STEPS[1]).legal
    assert match.redoable_steps == STEPS[2:5]


def test_a_file_without_check_values_is_done_again_as_well(tmp_path: Path) -> None:
    match = Match.open(game_file(tmp_path, 6))
    match.undo(3)
    assert match.redo()
    assert match.redoable_steps == STEPS[4:6]


def test_where_the_power_goes_before_the_game_gets_shorter_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of(tmp_path)
    match.undo(2)
    monkeypatch.setattr(storage, "write_new", refusing())
    assert match.undo(2)
    match.close()
    monkeypatch.undo()
    match = Match.open(match.path)
    assert match.steps == STEPS[:6]
    assert match.redoable_steps == STEPS[6:8]


def test_a_disk_that_refuses_the_list_keeps_the_steps_until_it_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = match_of(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(storage, "append", refusing())
        assert match.undo()
        assert read_journal(match.path).steps == STEPS[:8]
    assert match.save()
    assert read_journal(match.path).steps == match.steps == STEPS[:7]
    assert undo_log.read_undone(match.path)[-1].lines


@pytest.mark.parametrize("harm", [b"\n", b"{}\n", b"[1]\n", b'{"after": 3, "sum": "00000000"}\n', b"\xff\xfe\n", b"["])
def test_a_broken_line_costs_the_list_and_no_step(tmp_path: Path, harm: bytes) -> None:
    match = match_of(tmp_path)
    match.undo(2)
    match.close()
    path = undo_log.path_of(match.path)
    path.write_bytes(harm)
    match = Match.open(match.path)
    assert match.steps == STEPS[:6]
    assert match.redoable_steps == ()
    match.undo()
    match.close()
    assert Match.open(match.path).redoable_steps == STEPS[5:6]


def test_a_changed_byte_in_the_list_is_found(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    match.undo(2)
    path = undo_log.path_of(match.path)
    path.write_bytes(path.read_bytes().replace(b'"left": 0', b'"left": 1'))
    assert undo_log.read_undone(match.path) == (undo_log.NOTHING,)


def test_a_list_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    match.close()
    undo_log.path_of(match.path).mkdir()
    assert Match.open(match.path).redoable_steps == ()


def test_a_step_in_the_middle_can_be_replaced_in_one_go(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    at = next(i for i, step in enumerate(STEPS[:8]) if isinstance(step, Roll))
    assert STEPS[at] == Roll((1,), "black")
    match.recast(at, (Roll((0,), "black"),))
    assert match.steps == (*STEPS[:at], Roll((0,), "black"))
    assert match.redoable_steps == ()
    match.close()
    match = Match.open(match.path)
    assert match.steps[-1] == Roll((0,), "black")
    assert [(entry.after, entry.why) for entry in match.taken_back] == [(at, undo_log.CORRECT)]
    assert json.loads(match.taken_back[0].lines[0])["roll"] == [1]


def test_a_replacement_that_is_against_the_rules_changes_nothing(tmp_path: Path) -> None:
    match = match_of(tmp_path)
    with pytest.raises(Illegal):
        match.recast(2, (Roll((2,), "red"),))
    assert match.steps == STEPS[:8]
    assert match.taken_back == ()


@pytest.mark.parametrize(
    "record",
    [
        {"after": -9, "mark": mark_of([]), "why": "undo", "left": 0, "lines": ["{}"]},
        {"after": 0, "mark": "", "why": "undo", "left": -2, "lines": ["{}"]},
        {"after": 1, "mark": "", "why": "undo", "left": 0, "lines": ["{{{", "[]", ""]},
        {"after": 1, "mark": "", "why": "undo", "left": 0, "lines": 7},
        {"after": 1e300, "mark": "?", "why": "undo", "left": 0, "lines": []},
        {"after": True, "mark": 3, "why": [], "left": "0", "lines": {"pass": True}},
    ],
)
def test_a_strangers_list_costs_no_step_and_no_game(tmp_path: Path, record: dict[str, object]) -> None:
    match = match_of(tmp_path, 4)
    match.close()
    record["mark"] = record["mark"] or match.mark(int(str(record["after"])))
    undo_log.path_of(match.path).write_bytes(checksums.with_checksum(record, ()))
    match = Match.open(match.path)
    assert (match.steps, match.redoable_steps) == (STEPS[:4], ())
    assert all(0 <= entry.after < 4 for entry in match.taken_back)
    assert match.undo()
    assert match.redoable_steps == STEPS[3:4]


def test_a_list_that_is_no_plain_file_is_done_without(tmp_path: Path) -> None:
    match = match_of(tmp_path, 4)
    match.close()
    os.mkfifo(undo_log.path_of(match.path))
    match = Match.open(match.path)
    assert (match.steps, match.redoable_steps) == (STEPS[:4], ())
