"""The app as a player in a saved game: told in the first line, and in the players' names for who doesn't know it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.match import GameSession, Match, open_game
from companion.games.opponent import COMMANDERS, HEAD_STARTS, KEY, LEVELS, NAME, USUAL, Opponent, opponent_of
from companion.games.saved.shelf import known_names, shelf
from engine.orders.board import board_names, load_board
from engine.orders.player import LEVELS as ENGINE_LEVELS
from engine.orders.player import temperaments
from engine.orders.player.levels import HEAD_STARTS as ENGINE_HEAD_STARTS
from engine.referee import reply
from tests.companion.sample_games import BOARD, BONUSES

SIDES = ("red", "black")
GIVEN = Opponent("red", commander="falcon", head_start="troops")
REQUEST = {
    "board": BOARD,
    "initiative": "red",
    "bonuses": BONUSES,
    "players": {"red": "Ana", "black": NAME},
    KEY: Opponent("black", "strong", 7).to_request(),
}


def test_the_levels_are_those_of_the_engines_player() -> None:
    assert set(LEVELS) == set(ENGINE_LEVELS)
    assert USUAL in LEVELS


def test_the_commanders_and_head_starts_are_those_of_the_engines_player() -> None:
    eras = {load_board(name).mode.rulebook for name in board_names()}
    assert set(COMMANDERS) == {name for era in eras for name in temperaments(era)}
    assert HEAD_STARTS == ENGINE_HEAD_STARTS


def test_what_is_as_usual_is_not_written() -> None:
    assert Opponent("red", seed=3).to_request() == {"side": "red", "level": USUAL, "seed": 3}
    told = replace(GIVEN, level="strong", seed=3, pace="long")
    assert opponent_of({KEY: told.to_request()}, SIDES) == told


def test_a_saved_game_keeps_who_plays_against_the_app(tmp_path: Path) -> None:
    match = Match.begin(tmp_path / "game.jsonl", REQUEST)
    assert match.opponent == Opponent("black", "strong", 7)
    match.close()
    again = open_game(match.path)
    assert isinstance(again, Match)
    assert (again.opponent, again.players["black"]) == (match.opponent, NAME)
    again.close()


def test_a_reader_that_knows_no_opponent_sees_a_game_of_two(tmp_path: Path) -> None:
    plain = {key: value for key, value in REQUEST.items() if key not in (KEY, "players")}
    one, other = (reply(json.dumps({"do": "new", **request})) for request in (plain, REQUEST))
    assert one == other
    session: GameSession[object, object] = GameSession.begin(tmp_path / "game.jsonl", REQUEST)
    assert session.players == {"red": "Ana", "black": NAME}
    session.close()


@pytest.mark.parametrize(
    ("told", "known"),
    [
        (None, None),
        ("black", None),
        ({"side": "green"}, None),
        ({"level": "even"}, None),
        ({"side": "black"}, Opponent("black")),
        ({"side": "black", "level": "grandmaster", "seed": "x"}, Opponent("black")),
        ({"side": "red", "level": ["even"], "seed": 3}, Opponent("red", USUAL, 3)),
        ({"side": "red", "pace": "long"}, Opponent("red", pace="long")),
        ({"side": "red", "pace": "forever"}, Opponent("red")),
        ({"side": "red", "commander": "falcon", "head_start": "troops"}, GIVEN),
        ({"side": "red", "commander": "napoleon", "head_start": ["troops"]}, Opponent("red")),
    ],
)
def test_what_a_newer_gunbai_or_a_stranger_wrote_is_taken_as_far_as_it_goes(
    told: object, known: Opponent | None
) -> None:
    assert opponent_of({KEY: told}, SIDES) == known


def test_the_same_moment_has_the_same_seed_and_another_has_another() -> None:
    one = Opponent("red", seed=4)
    assert one.seed_at(3) == Opponent("red", "strong", 4).seed_at(3)
    assert len({one.seed_at(3), one.seed_at(4), Opponent("red", seed=5).seed_at(3)}) == 3


def test_nobody_is_offered_the_apps_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    (tmp_path / "games").mkdir()
    Match.begin(tmp_path / "games" / "game.jsonl", REQUEST).close()
    games = shelf().look().games
    assert games[0].players == {"red": "Ana", "black": NAME}, "the statistics know it"
    assert known_names(games) == ("Ana",)
