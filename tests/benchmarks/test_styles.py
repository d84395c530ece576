"""Games of commanders with a temperament and with a head start: the same by their number, and what is told of them."""

from __future__ import annotations

import tomllib

import pytest

from benchmarks import head_starts, temperaments
from benchmarks.temperaments import Played, Style
from engine.orders.player.levels import HEAD_STARTS, HeadStart, Worth


def test_a_commanders_game_is_the_same_by_its_number_and_watched() -> None:
    first, again = (temperaments.play_game("child", "falcon", "sengoku-rivers", 6) for _ in range(2))
    assert first == again
    assert first.own.areas > 0
    assert first.own.initiative == pytest.approx(1 - first.other.initiative)
    assert temperaments.played([first.won, list(first.own), list(first.other)]) == first


def test_a_commanders_report_has_its_share_and_how_both_sides_play() -> None:
    games = [Played(True, Style(7, 0.1, 4, 1.0), Style(5, 0.0, 2, 0.0))] * 3
    told = temperaments.report("falcon", [*games, games[0]._replace(won=False)])
    assert "3/4" in told
    assert "(30 to 95 %)" in told
    assert "areas early 7.00 : 5.00" in told


def test_commanders_are_told_apart_by_ten_games_where_they_play_otherwise() -> None:
    plain = Style(6, 0.1, 4, 0.5)
    games = {
        name: [Played(True, plain._replace(areas=6 + more + number % 3), plain) for number in range(20)]
        for name, more in (("rice_lord", 3), ("falcon", 0))
    }
    assert temperaments.told_apart(games) == (4, 4)
    assert temperaments.told_apart({name: found[:9] for name, found in games.items()}) == (0, 0)


@pytest.mark.parametrize("given", HEAD_STARTS)
def test_a_game_with_a_head_start_ends(given: HeadStart) -> None:
    games = [head_starts.play_game(("first", "first"), given, "wwii-island", number) for number in (4, 5)]
    assert all(isinstance(won, bool) for won in games)


def test_the_table_of_head_starts_has_what_was_counted() -> None:
    counted = [(("child", "even"), given, Worth(at, 40)) for at, given in enumerate(HEAD_STARTS)]
    rows = tomllib.loads(head_starts.table(counted))["counts"]
    assert rows[1] == {"weaker": "child", "stronger": "even", "given": "troops", "wins": 1, "games": 40}
    assert "child : even" in head_starts.report(*counted[1])
