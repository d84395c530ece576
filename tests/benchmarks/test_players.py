"""Games between players, commanders and head starts: the same by their number, kept, and what is told of them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import fairness, head_starts, players, temperaments
from benchmarks.players import Ended
from benchmarks.seating import seats
from benchmarks.seating.kept import Kept
from benchmarks.temperaments import Played, Style
from engine.orders.player import LEVELS, view_of
from engine.orders.player.levels import HEAD_STARTS, HeadStart, Worth
from tests.engine.orders.player.positions import last_turns

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("pair", [("child", "demo"), ("greedy", "random"), ("even0", "greedy"), ("demo", "random")])
def test_games_end_and_are_the_same_by_their_number(pair: tuple[str, str]) -> None:
    first, again = (players.play_game(pair, "sengoku-rivers", 6) for _ in range(2))
    assert first[:2] == again[:2]
    assert all(seconds > 0 for seconds in first.seconds)


def test_the_better_player_wins_from_either_seat() -> None:
    assert all(players.play_game(("even0", "random"), "wwii-alpine", number).won for number in range(4))


def test_greedy_takes_the_most_points() -> None:
    view = view_of(replace(last_turns("sengoku-rivers", ({"e3": 3, "d4": 1}, {"a3": 3}), (2, 2)), hands=((), ())), 0)
    turn = seats.seat_of("greedy", 1).turn(view)
    assert getattr(turn, "space", "") == "advance:c4"


def test_a_report_has_the_share_and_its_interval() -> None:
    games = [Ended(True, False, (1.0, 0.0))] * 3 + [Ended(False, True, (2.0, 0.0))]
    text = players.report(("strong", "demo"), "sengoku-rivers", games)
    assert "3/4" in text
    assert "75.0 % (30 to 95)" in text
    assert "25 % by headquarters" in text
    assert players.elo(0.5) == 0
    assert players.elo(0.75) == pytest.approx(190.8, abs=0.1)


def test_an_older_player_is_asked_in_a_process_of_its_own() -> None:
    """Of the same age it plays the very game that the level plays here."""
    first, again = (players.play_game(("child", "child"), "sengoku-rivers", 6, against=old) for old in (None, ROOT))
    assert first[:2] == again[:2]


@pytest.mark.parametrize(
    ("wins", "games", "decided"), [(0, 0, False), (6, 8, False), (11, 12, True), (0, 6, True), (24, 40, False)]
)
def test_a_sequential_test_stops_when_it_knows(wins: int, games: int, decided: bool) -> None:
    assert players.is_decided(wins, games, 0.5, 0.7) is decided


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--pair strong:nobody", "argument --pair: no player 'nobody' (choose from "),
        ("--pair strong:even5x", "argument --pair: no player 'even5x' (choose from "),
        ("--pair strong", "argument --pair: expected two players, such as strong:demo, not 'strong'"),
        ("--pair demo:demo", "--pair: demo against itself tells nothing: name another, or --against FOLDER"),
        ("--games 0", "argument --games: expected a number from 1, not '0'"),
        ("--games -3", "argument --games: expected a number from 1, not '-3'"),
        ("--processes 0.5", "argument --processes: expected a number from 1, not '0.5'"),
        ("--board nowhere", "argument --board: invalid choice: 'nowhere' (choose from "),
        ("--sprt 0.7,0.5", "argument --sprt: expected two shares such as 0.5,0.7, not '0.7,0.5'"),
        ("--sprt high", "argument --sprt: expected two shares such as 0.5,0.7, not 'high'"),
        ("--sprt 0.5,0.7 --games 7", "--sprt: needs at least 8 --games"),
        ("--against no-folder --pair strong:strong", "--against: no-folder: not a Gunbai that has a player"),
        (
            f"--against {ROOT / 'docs'} --pair strong:strong",
            f"--against: {ROOT / 'docs'}: not a Gunbai that has a player",
        ),
        (f"--against {ROOT}", "--against: needs a --pair, the second of which the older Gunbai plays"),
        (f"--against {ROOT} --pair strong:demo", "--against: an older Gunbai plays one of "),
        (f"--keep {ROOT}", f"--keep: {ROOT}: Is a directory"),
        (f"--keep {ROOT / 'LICENSE'}", f"--keep: {ROOT / 'LICENSE'}: not a file of kept games"),
    ],
)
def test_what_asks_for_no_games_is_refused_in_a_line(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        players.parse_arguments(words.split())
    assert refused.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"players: {told}")
    assert said.count("\n") == 1


def test_a_pair_named_twice_is_played_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["players", *["--pair", "child:demo", "--pair", "child:demo", "--board", "sengoku-rivers", "--games", "3"]]
    monkeypatch.setattr("sys.argv", words)
    monkeypatch.setattr(players, "in_processes", lambda *_: lambda _numbers: [Ended(True, False, (1.0, 0.0))] * 3)
    players.main()
    assert capsys.readouterr().out.count("3/3") == 2


def test_time_is_told_for_each_level_and_each_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {name: LEVELS[name] for name in ("child", "strong")}
    monkeypatch.setattr(players, "TIMES_S", (0.0, 0.1))
    monkeypatch.setattr(players, "LEVELS", levels)
    text = players.time_report("sengoku-rivers")
    assert "0 positions in 0 s" in text
    assert "positions in 0.1 s" in text
    assert all(level in text for level in levels)


class Games:
    """Plays games of which the figures are their numbers, and remembers which."""

    def __init__(self) -> None:
        self.played: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> Iterator[int]:
        for number in numbers:
            self.played.append(number)
            yield 10 * number


def test_a_run_goes_on_where_another_ended_and_without_a_file_nothing_is_kept(tmp_path: Path) -> None:
    games, path = Games(), tmp_path / "games.jsonl"
    assert Kept(path, int, str).play("chess", range(1, 3), games) == [10, 20]
    assert Kept(path, int, str).play("go", [1], games) == [10], "another game's numbers are its own"
    assert Kept(path, int, str).play("chess", range(2, 5), games) == [10, 20, 30, 40]
    assert games.played == [1, 2, 1, 3, 4]
    assert Kept(path, int, str).play("chess", [], games) == [10, 20, 30, 40]
    games = Games()
    assert [Kept(None, int, str).play("chess", [1], games) for _ in range(2)] == [[10], [10]]
    assert games.played == [1, 1]


LADDER = ["--pair", "greedy:random", "--games", "2", "--processes", "1"]
FAIRNESS = ["--player", "random", "--games", "2"]


@pytest.mark.parametrize(
    "run",
    [(players.main, LADDER, "greedy : random   all"), (fairness.main, FAIRNESS, "sengoku-rivers: 2 games")],
    ids=["ladder", "fairness"],
)
def test_what_is_kept_is_told_again(
    run: tuple[Callable[[], None], list[str], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main, arguments, line = run
    where = ["--board", "sengoku-rivers", "--keep", str(tmp_path / "games.jsonl")]
    monkeypatch.setattr("sys.argv", ["benchmark", *arguments, *where])
    main()
    first = capsys.readouterr().out
    main()
    assert capsys.readouterr().out == first
    assert line in first


def test_a_commanders_game_is_the_same_by_its_number_and_watched() -> None:
    first, again = (temperaments.play_game("child", "falcon", "sengoku-rivers", 6) for _ in range(2))
    assert first == again
    assert first.own.areas > 0
    assert first.own.initiative == pytest.approx(1 - first.other.initiative)
    assert temperaments.game_of_figures([first.won, list(first.own), list(first.other)]) == first


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
