"""Saved games that were damaged: each opens up to its last good step and says so; nothing wrong slips in."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from companion.core.errors import MatchError
from companion.core.storage import line_of
from companion.games import checksums
from companion.games.journal import parse_journal
from companion.games.match import Match
from engine.orders.steps import Pass, Step
from engine.orders.wire import step_to_json
from intake.json_text import parse_object
from tests.companion.sample_games import BOARD, BONUSES, OPENING, REQUEST, lines_of, played

pytestmark = pytest.mark.long

SHORT = 4  # steps of the short game, which is damaged everywhere


@cache
def written(steps: int | None = None) -> bytes:
    """Return a saved game's bytes as a match writes them, whole or only its first steps."""
    lines: list[bytes] = []
    request = {"do": "new", "format": 1, **REQUEST, "players": {"red": "Jô"}}
    for value in (request, *map(step_to_json, played()[0][:steps])):
        lines.append(checksums.with_checksum(value, lines))
    return b"".join(lines)


def opened(folder: Path, data: bytes) -> tuple[tuple[Step, ...], str | None]:
    """Return the steps and the notice of a file with these bytes.

    Opened once more, the file must have the same steps and nothing to say; what is cut off lies beside it.
    """
    path = folder / "game.jsonl"
    path.write_bytes(data)
    match = Match.open(path)
    match.close()
    again = Match.open(path)
    again.close()
    assert (again.steps, again.notice) == (match.steps, None)
    kept = b"".join(aside.read_bytes() for aside in folder.glob("*.broken-*"))
    whole = path.read_bytes().removesuffix(b"\n") + b"\n" + kept
    assert kept == data or whole.removesuffix(b"\n") == data.removesuffix(b"\n"), "nothing is lost"
    for aside in folder.glob("*.broken-*"):
        aside.unlink()
    return match.steps, match.notice


def test_what_a_match_writes_is_read_again(tmp_path: Path) -> None:
    match = Match.start(tmp_path / "game.jsonl", BOARD, "red", BONUSES, {"red": "Jô"})
    for step in played()[0]:
        assert match.offer(step).legal
    assert match.path.read_bytes() == written()
    assert parse_journal(written(), "game").steps == played()[0]


def test_a_game_cut_at_any_byte_opens_up_to_its_last_whole_step(tmp_path: Path) -> None:
    whole = written(SHORT)
    ends = [i for i in range(1, len(whole) + 1) if whole[i - 1 : i] == b"\n"]
    for first, end in pairwise(ends):
        for cut in range(first, end):
            steps, notice = opened(tmp_path, whole[:cut])
            good = ends.index(first) + (cut == end - 1)  # the newline alone is no loss
            assert steps == played()[0][:good]
            assert (notice is None) == (cut in (first, end - 1)), notice


def test_a_game_cut_in_its_first_line_is_none(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    whole = written(0)
    for cut in range(len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(MatchError, match="not a saved game"):
            Match.open(path)
        assert path.read_bytes() == whole[:cut]


def flipped(data: bytes, place: int, bit: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]


def test_a_flipped_bit_anywhere_is_put_right_and_told(tmp_path: Path) -> None:
    rng = random.Random(11)
    whole = written(SHORT)
    for place in range(0, len(whole), 3):
        steps, notice = opened(tmp_path, flipped(whole, place, rng.randrange(8)))
        assert steps == played()[0][:SHORT], place
        assert place == len(whole) - 1 or (notice and "was damaged and is put right" in notice), (place, notice)


def test_no_damage_to_a_whole_game_slips_in_unseen(tmp_path: Path) -> None:
    """Several bytes of a line changed at once: too much to put right, and the game ends before it."""
    rng = random.Random(12)
    whole = written()
    first = whole.index(b"\n") + 1
    for _ in range(60):
        start = rng.randrange(first, len(whole) - 8)
        damaged = whole[:start] + rng.randbytes(8) + whole[start + 8 :]
        steps, notice = opened(tmp_path, damaged)
        good = whole[:start].count(b"\n") - 1
        assert steps == played()[0][:good]
        assert "opened up to" in str(notice)


def test_another_legal_step_in_place_of_one_is_noticed(tmp_path: Path) -> None:
    whole = written(SHORT)
    assert json.loads(whole.splitlines()[1])["deploy"] == played()[0][0].space  # type: ignore[union-attr]
    other = lines_of({"pass": True, "sum": json.loads(whole.splitlines()[1])["sum"]})
    steps, notice = opened(tmp_path, whole.replace(whole.splitlines(keepends=True)[1], other))
    assert steps == ()
    assert "line 2 is broken (its check value doesn't match); opened up to its start" in str(notice)


def test_a_line_that_is_there_twice_or_missing_is_noticed(tmp_path: Path) -> None:
    lines = written(SHORT).splitlines(keepends=True)
    passes = [*lines, checksums.with_checksum({"pass": True}, lines)]
    for data, good in ((passes + passes[-1:], SHORT + 1), (lines[:2] + lines[3:], 1)):
        steps, notice = opened(tmp_path, b"".join(data))
        assert len(steps) == good
        assert "its check value doesn't match" in str(notice)


@pytest.mark.parametrize("tail", [bytes(512), b"\0" * 40 + b"\n", b"\xff" * 64], ids=["zeros", "zero line", "ones"])
def test_a_tail_that_was_never_written_is_put_aside(tmp_path: Path, tail: bytes) -> None:
    steps, notice = opened(tmp_path, written(SHORT) + tail)
    assert steps == played()[0][:SHORT]
    assert f"opened up to step {SHORT}" in str(notice)


def test_what_was_put_right_is_kept_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    damaged = flipped(flipped(written(SHORT), 3, 2), 300, 1)
    path.write_bytes(damaged)
    match = Match.open(path)
    assert match.notice == (
        "line 1 was damaged and is put right; line 3 was damaged and is put right; "
        "the file as it was is kept in game.jsonl.broken-1"
    )
    assert path.with_name("game.jsonl.broken-1").read_bytes() == damaged
    assert path.read_bytes() == written(SHORT)
    assert match.offer(Pass()).legal


def test_a_first_line_that_lost_its_check_value_is_put_right(tmp_path: Path) -> None:
    damaged = written(SHORT).replace(b'"sum"', b'"sun"', 1)
    steps, notice = opened(tmp_path, damaged)
    assert len(steps) == SHORT
    assert str(notice).startswith("line 1 was damaged and is put right")


def test_games_without_check_values_are_gone_on_with(tmp_path: Path) -> None:
    """By hand or by another program: what is new is checked, from there on."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines_of(REQUEST, OPENING))
    match = Match.open(path)
    match.offer(Pass())
    match.offer(Pass())
    match.close()
    assert [b"sum" in line for line in path.read_bytes().splitlines()] == [False, False, True, True]
    steps, notice = opened(tmp_path, path.read_bytes().replace(b"d5", b"b5"))
    assert (len(steps), notice is None) == (0, False)


def test_another_programs_spacing_is_no_damage(tmp_path: Path) -> None:
    compact = b"".join(json.dumps(json.loads(line)).encode() + b"\n" for line in written().splitlines())
    assert compact != written()
    assert opened(tmp_path, compact) == (played()[0], None)


def test_a_long_line_behind_a_damaged_one_stays_whole() -> None:
    lines = written(2).splitlines(keepends=True)
    lines.append(checksums.with_checksum({"agreed": {}, "note": "x" * 5000}, lines))
    whole = b"".join(lines)
    journal = parse_journal(whole.replace(b"c4", b"c3", 1), "game")
    assert (journal.data, journal.fault, len(journal.steps)) == (whole, None, 3)


def test_an_endless_line_is_not_searched_for_a_wrong_byte() -> None:
    journal = parse_journal(lines_of(REQUEST) + b"x" * 20_000_000, "game")
    assert (journal.fault is not None, journal.steps) == (True, ())


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n" + bytes(80), b"[screen]\nsize = 1\n", b'{"sum": 1e999}\n'])
def test_a_file_of_another_program_is_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(MatchError, match="not a saved game: line 1"):
        Match.open(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == data


@pytest.mark.parametrize("depth", [50, 990, 5000])
def test_nesting_ends_no_reading(depth: int) -> None:
    nested = b'{"pass": ' + b"[" * depth + b"]" * depth + b"}\n"
    assert parse_journal(written(1) + nested, "game").fault is not None


def test_the_example_of_the_docs_is_one() -> None:
    text = (Path(__file__).parents[3] / "docs" / "saved-games.md").read_text()
    example = text.split("```\n")[1].encode()
    assert b'"sum"' in example
    journal = parse_journal(example, "the example")
    assert (journal.fault, journal.mended, len(journal.steps)) == (None, (), 1)
    broken = parse_journal(example.replace(b"c4", b"b4"), "the example")
    assert broken.mended


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return a list that collects the lines read to work out a check value."""
    lines: list[bytes] = []
    real = parse_object

    def parsing(line: bytes) -> dict[str, object]:
        lines.append(line)
        return real(line)

    monkeypatch.setattr(checksums, "parse_object", parsing)
    return lines


def test_lines_without_check_values_are_looked_at_once(parsed: list[bytes]) -> None:
    loose = [line_of({"n": n}) for n in range(50)]
    chain = checksums.ChecksumChain()
    first = chain.with_checksum({"last": 1}, loose)
    assert first == checksums.with_checksum({"last": 1}, loose)
    parsed.clear()
    for n in range(50, 0, -1):
        again = chain.with_checksum({"last": n}, loose[:n])
        assert parsed == []
        assert again == checksums.with_checksum({"last": n}, loose[:n])
        parsed.clear()


def test_a_line_behind_a_sealed_one_needs_that_one_alone(parsed: list[bytes]) -> None:
    lines: list[bytes] = []
    for n in range(20):
        lines.append(checksums.with_checksum({"n": n}, lines))
    parsed.clear()
    checksums.with_checksum({"n": 20}, lines)
    assert parsed == lines[-1:]


def test_what_follows_a_cut_is_worked_out_anew() -> None:
    chain, lines = checksums.ChecksumChain(), [line_of({"n": n}) for n in range(10)]
    chain.with_checksum({"last": 1}, lines)
    other = [*lines[:4], line_of({"other": 1})]
    chain.cut(4)
    assert chain.with_checksum({"last": 1}, other) == checksums.with_checksum({"last": 1}, other)


def test_a_game_of_other_programs_is_gone_on_with_back_and_forth(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(line_of(record) for record in (REQUEST, {"pass": True}, {"pass": True}, {"pass": True})))
    match = Match.open(path)
    for back in (2, 1, 3):
        match.undo(back)
        match.offer(Pass())
        match.offer(Pass())
    steps = match.steps
    match.close()
    found = parse_journal(path.read_bytes(), "game")
    assert (found.fault, found.steps) == (None, steps)
