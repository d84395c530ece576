"""Steps and first lines that a newer Gunbai wrote stay in their file; damage is told apart; copies are gone on with."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.core.errors import MatchError
from companion.core.storage import line_of
from companion.games import checksums, undo_log
from companion.games.journal import MOST_BYTES, parse_journal, read_game
from companion.games.match import Match, open_game
from companion.games.saved import shelf
from engine.orders.steps import Pass
from engine.orders.wire import step_to_json
from tests.companion.games.newer.newer_steps import NEWER, STEPS, TAILS, begun, lying, newer_start, refuses, went_on
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import REQUEST, TAKEN, lines_of


def test_a_new_game_says_which_format_it_is_of(tmp_path: Path) -> None:
    for path in (begun(tmp_path), *(file_of(tmp_path, system, name=system) for system in SYSTEMS)):
        first, *steps = map(json.loads, path.read_bytes().splitlines())
        assert list(first)[:2] == ["do", "format"]
        assert first["format"] == 1
        assert not any("format" in step for step in steps), "a step says so only where it needs a newer one"


def test_a_game_that_says_nothing_is_of_the_first_format() -> None:
    plain = parse_journal(lines_of(REQUEST, {"pass": True}), "game")
    said = parse_journal(lines_of({**REQUEST, "format": 1}, {"pass": True, "format": 1}), "game")
    assert (plain.newer, plain.fault, plain.steps) == (said.newer, said.fault, said.steps) == (False, None, (Pass(),))


@pytest.mark.parametrize("tail", TAILS.values(), ids=list(TAILS))
def test_steps_that_are_not_understood_stay_where_they_are(tmp_path: Path, tail: dict[str, Any]) -> None:
    path = went_on(begun(tmp_path), tail, {"pass": True}, tail)
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps, match.is_saved, match.unsaved) == (True, STEPS[:6], True, 0)
    assert str(match.notice).endswith("; opened up to step 6")
    refuses(match, STEPS[6])
    assert match.save()
    assert match.redoable_steps == ()
    match.close()
    assert lying(tmp_path) == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_so_they_do_in_games_of_every_system(tmp_path: Path, system: str) -> None:
    path = went_on(file_of(tmp_path, system), {"teleport": "c4"})
    before = lying(tmp_path)
    match = open_game(path)
    assert (match.look_only, len(match.steps)) == (True, 3)
    refuses(match)
    match.close()
    assert lying(tmp_path) == before


@pytest.mark.parametrize(
    "tail", [{"deep": 0}, {"number": 2**70}, {"note": "x" * 5_000_000}], ids=["nested", "number", "length"]
)
def test_a_whole_line_that_is_beyond_what_is_read_stays_as_well(tmp_path: Path, tail: dict[str, Any]) -> None:
    for _ in range(80 if "deep" in tail else 0):
        tail = {"deep": tail}
    path = begun(tmp_path)
    last = int(json.loads(path.read_bytes().splitlines()[-1])["sum"], 16)
    path.write_bytes(path.read_bytes() + line_of({**tail, "sum": f"{checksums.next_checksum(last, tail):08x}"}))
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(path.read_bytes() + lines_of(NEWER, {"pass": True})),
        lambda path: path.write_bytes(went_on(path, NEWER).read_bytes()[:-1]),
        lambda path: went_on(path, NEWER, rest=b'{"teleport": "d5", "su\x00\x00'),
        lambda path: went_on(newer_start(path), rest=b'{"pass": tr'),
    ],
    ids=["no check value", "no newline", "damage behind it", "damage behind a newer start"],
)
def test_however_such_a_game_ends_nothing_of_it_is_cut_off(tmp_path: Path, change: Callable[[Path], object]) -> None:
    path = begun(tmp_path)
    change(path)
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


def test_damage_before_such_a_step_is_put_right_to_look_at_alone(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    path.write_bytes(path.read_bytes().replace(b"c4", b"c3", 1))
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps) == (True, STEPS[:6])
    assert str(match.notice).startswith("line 3 was damaged and is put right; line 8 isn't ")
    assert lying(tmp_path) == before


def test_a_step_that_the_rules_refuse_today_is_shown_with_its_ruling(tmp_path: Path) -> None:
    match = Match.open(went_on(begun(tmp_path), TAKEN))
    assert match.stopped is not None
    assert match.stopped.ruling is not None
    assert not match.stopped.ruling.legal
    assert match.stopped.message.startswith("the step on line 8 is against the rules: ")


def test_what_is_damaged_is_cut_off_and_kept_beside_as_ever(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), rest=lines_of({**NEWER, "sum": "00000000"}))
    match = Match.open(path)
    assert not match.look_only
    assert match.offer(STEPS[6]).legal
    assert path.with_name("game.jsonl.broken-1").read_bytes() == lines_of({**NEWER, "sum": "00000000"})


def test_a_damaged_check_value_makes_no_newer_step(tmp_path: Path) -> None:
    """A line that seems to bear none, and the next one that does tells that it was changed."""
    path = begun(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], lines[4].replace(b'"sum"', b'"s\\n"'), *lines[5:]]))
    match = Match.open(path)
    assert (match.look_only, match.steps) == (False, STEPS[:3])


def test_a_game_that_was_opened_to_look_at_is_free_for_others(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    first, second = Match.open(path), Match.open(path)
    assert first.steps == second.steps


def test_steps_beyond_those_that_are_read_stay_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.games.journal.MOST_STEPS", 4)
    path = begun(tmp_path)
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps) == (True, STEPS[:4])
    assert match.notice == "line 6 comes after the last step Gunbai reads; opened up to step 4"
    assert lying(tmp_path) == before


def test_a_file_that_is_longer_than_a_game_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = begun(tmp_path)
    os.truncate(path, MOST_BYTES + 1)
    with pytest.raises(MatchError, match=r"game\.jsonl: longer than such a file may be"):
        Match.open(path)
    with pytest.raises(MatchError, match=r"game\.jsonl: can't be read \(longer than 50 MB, the limit\)"):
        read_game(path)
    assert path.stat().st_size == MOST_BYTES + 1


def test_a_pipe_is_no_game(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "game.jsonl")
    for deed in (Match.open, read_game):
        with pytest.raises(MatchError, match=r"game\.jsonl: can't be read"):
            deed(tmp_path / "game.jsonl")


def test_a_game_that_a_newer_gunbai_began_is_looked_at_as_far_as_it_is_understood(tmp_path: Path) -> None:
    path = newer_start(begun(tmp_path), weather="fog")
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps, match.notice) == (True, STEPS[:6], "started in a newer Gunbai")
    refuses(match, STEPS[6])
    match.close()
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
