"""The check values of a journal that grows and is cut: each is worked out once."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.storage import line_of
from companion.games import checksums
from companion.games.journal import parse_journal
from companion.games.match import Match
from engine.orders.steps import Pass
from intake.json_text import parse_object
from tests.companion.sample_games import REQUEST


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
