"""The cards that the app was told outlast a restart, and a damaged file is no hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.private_hand import HandNote, keep_told, kept_told, note_of, told_path
from engine.orders.board import load_board
from intake.errors import Unreadable
from tests.companion.sample_games import BOARD

MODE = load_board(BOARD).mode
NOTE = HandNote({"ambush": 2, "mobilise": 1}, ("shore_strike",))


def test_what_was_told_is_there_again(tmp_path: Path) -> None:
    game = tmp_path / "game.jsonl"
    assert kept_told(game, MODE) is None
    keep_told(game, NOTE)
    assert kept_told(game, MODE) == NOTE


def test_cards_of_another_deck_are_none(tmp_path: Path) -> None:
    keep_told(tmp_path / "game.jsonl", HandNote({"paratroopers": 1}, ()))
    assert kept_told(tmp_path / "game.jsonl", MODE) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"cards": {}, "discard": {}}',
        b'{"cards": {"ambush": 0}, "discard": []}',
        b'{"cards": {"ambush": true}, "discard": []}',
        b'{"cards": {}, "discard": [1]}',
        b'{"cards": {}, "discard": [%s]}' % b", ".join([b'"ambush"'] * 101),
    ],
)
def test_a_broken_file_is_no_hand(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(Unreadable):
        note_of(data)
    told_path(tmp_path / "game.jsonl").write_bytes(data)
    assert kept_told(tmp_path / "game.jsonl", MODE) is None


def test_where_the_disk_refuses_the_game_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep_told(tmp_path / "nowhere" / "game.jsonl", NOTE)
    assert "can't be written" in capsys.readouterr().err
