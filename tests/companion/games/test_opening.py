"""A game is started and opened: by one process at a time, cut anywhere, with the app as a player or without."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core import storage
from companion.core.errors import MatchError
from companion.games.journal import parse_journal, read_journal, start_of
from companion.games.match import GameSession, Match, open_game
from companion.games.opponent import COMMANDERS, HEAD_STARTS, KEY, LEVELS, NAME, USUAL, Opponent, opponent_of
from companion.games.saved.shelf import known_names, shelf
from engine.errors import BadPosition, UnknownBoard
from engine.orders.board import board_names, load_board
from engine.orders.player import LEVELS as ENGINE_LEVELS
from engine.orders.player import temperaments
from engine.orders.player.levels import HEAD_STARTS as ENGINE_HEAD_STARTS
from engine.orders.steps import Pass, Roll
from engine.orders.wire import step_from_json
from engine.referee import reply
from tests.companion.games.test_playing import started
from tests.companion.refusing import refusing
from tests.companion.sample_games import BOARD, BONUSES, OPENING, REQUEST, TAKEN, game_file, lines_of, played, saved


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    with pytest.raises(MatchError, match="a file with that name already exists"):
        Match.start(path, BOARD, "red", BONUSES)
    assert path.read_bytes() == saved()


def test_a_match_cannot_start_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "nowhere").write_text("a file")
    with pytest.raises(MatchError, match=r"can't be written \(File exists\)"):
        Match.start(tmp_path / "nowhere" / "game.jsonl", BOARD, "red", BONUSES)


def test_a_match_with_a_wrong_set_up_is_not_begun(tmp_path: Path) -> None:
    with pytest.raises(UnknownBoard):
        Match.start(tmp_path / "game.jsonl", "sengoku-lakes", "red", BONUSES)
    with pytest.raises(BadPosition):
        Match.start(tmp_path / "game.jsonl", BOARD, "red", {"sun": "armoury"})
    assert list(tmp_path.iterdir()) == []


def test_a_whole_game_opens_as_it_was_played(tmp_path: Path) -> None:
    match = Match.open(game_file(tmp_path))
    steps, positions = played()
    assert match.steps == steps
    assert match.positions == positions
    assert match.notice is None


def test_a_game_cut_off_in_a_line_opens_up_to_its_last_whole_step(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    path.write_bytes(saved()[:-6])
    match = Match.open(path)
    steps = played()[0]
    assert match.steps == steps[:-1]
    assert match.notice == (
        f"line {len(steps) + 1} is cut off; opened up to step {len(steps) - 1}; the rest is kept in game.jsonl.broken-1"
    )
    assert path.read_bytes() == saved(steps=len(steps) - 1)
    assert path.with_name("game.jsonl.broken-1").read_bytes() == saved().splitlines()[-1][:-5]


def test_a_last_line_that_lacks_only_its_end_counts(tmp_path: Path) -> None:
    path = game_file(tmp_path, steps=3)
    path.write_bytes(saved(steps=3)[:-1])
    match = Match.open(path)
    assert (match.notice, len(match.steps)) == (None, 3)
    assert path.read_bytes() == saved(steps=3)


def test_a_damaged_line_in_the_middle_ends_the_game_there_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    tail = b"\x00\x00\x00\n" + lines_of({"pass": True})
    path.write_bytes(lines_of(REQUEST, OPENING) + tail)
    match = Match.open(path)
    assert str(match.notice).startswith("line 3 is broken (not JSON")
    assert str(match.notice).endswith("opened up to step 1; the rest is kept in game.jsonl.broken-1")
    assert path.with_name("game.jsonl.broken-1").read_bytes() == tail
    assert match.offer(Pass()).legal


def test_a_step_that_the_rules_refuse_ends_the_game_there_with_the_ruling(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines_of(REQUEST, OPENING, TAKEN, {"pass": True}))
    match = Match.open(path)
    assert len(match.steps) == 1
    assert str(match.notice).startswith("the step on line 3 is against the rules: ")
    assert "opened up to step 1" in str(match.notice)


def test_blank_lines_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes((b"\n" + lines_of(REQUEST) + b"\n" + lines_of(OPENING) + b"\n").replace(b"\n", b"\r\n"))
    match = Match.open(path)
    assert (len(match.steps), match.notice) == (1, None)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not a saved game: the file is empty"),
        (b"\n\n", "not a saved game: the file is empty"),
        (b"hello\n", "not a saved game: line 1 is broken (not JSON: Expecting value at column 1)"),
        (b"\xff\xfe\n", "not a saved game: line 1 is broken (not UTF-8 text)"),
        (b'{"do": "new", "bo', "not a saved game: line 1 is cut off"),
        (b"[1]\n", "not a saved game: line 1 is broken (not a JSON object)"),
        (b"[" * 100_000 + b"\n", "not a saved game: line 1 is broken (nested too deeply)"),
        (b'{"pass": true}\n', 'not a saved game: line 1 is broken (a saved game starts with {"do": "new", ...})'),
        (b'{"do": "new"}\n', "not a saved game: line 1 is broken (board: expected a name, not None)"),
        (
            lines_of({**REQUEST, "bonuses": ["barracks"]}),
            "not a saved game: line 1 is broken (bonuses: expected an obj",
        ),
        (lines_of({**REQUEST, "board": "sengoku-lakes"}), "not a saved game: line 1 is broken (no board named"),
    ],
)
def test_what_is_no_game_is_refused_and_left_alone(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(MatchError) as caught:
        Match.open(path)
    assert str(caught.value).startswith(f"{path}: {told}")
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_not_there_or_a_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match=r"none\.jsonl: can't be opened \(No such file or directory\)"):
        Match.open(tmp_path / "none.jsonl")
    with pytest.raises(MatchError, match=r"can't be opened \(Is a directory\)"):
        Match.open(tmp_path)
    with pytest.raises(MatchError, match=r"can't be read \(not a plain file\)"):
        read_journal(tmp_path)


def test_a_game_that_cannot_be_mended_goes_on_and_is_mended_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(tmp_path)
    path.write_bytes(saved()[:-6])
    with monkeypatch.context() as patch:
        patch.setattr(storage, "keep_aside", refusing(errno.EROFS))
        match = Match.open(path)
    assert str(match.notice).endswith(f"opened up to step {len(match.steps)}")
    assert (match.is_saved, match.steps) == (False, played()[0][:-1])
    assert path.read_bytes() == saved()[:-6]
    assert match.offer(played()[0][-1]).legal
    assert match.is_saved
    match.close()
    assert read_journal(path).steps == played()[0]
    assert path.with_name("game.jsonl.broken-1").read_bytes() == saved().splitlines()[-1][:-5]
    assert Match.open(path).notice is None


def test_players_that_are_no_names_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(lines_of({**REQUEST, "players": 3}))
    assert Match.open(path).players == {}


HOLDER = """
import sys
from pathlib import Path
from companion.games.match import Match
match = Match.open(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_two_processes_do_not_play_one_game(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(MatchError, match=r"game\.jsonl: this game is open in another Gunbai"):
            Match.open(path)
        holder.kill()
        holder.wait()
    assert Match.open(path).notice is None


def test_a_file_put_in_place_while_waiting_for_it_is_the_one_that_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = game_file(tmp_path)
    swapped: list[bool] = []
    real = storage.lock

    def lock(handle: int) -> bool:
        if not swapped:
            swapped.append(True)
            storage.atomic_write(path, saved(steps=2))
        return real(handle)

    monkeypatch.setattr(storage, "lock", lock)
    assert len(Match.open(path).steps) == 2


def test_a_match_that_nobody_holds_any_more_lets_go_of_its_file(tmp_path: Path) -> None:
    match = started(tmp_path)
    path = match.path
    del match
    assert Match.open(path).steps == ()


def test_a_roll_that_nobody_owes_is_refused() -> None:
    journal = parse_journal(lines_of(REQUEST, {"roll": [1], "by": "red"}), "game")
    assert journal.fault is not None
    assert journal.steps == ()
    assert isinstance(step_from_json({"roll": [1], "by": "red"}), Roll)
    assert start_of(REQUEST) == journal.last


SIDES = ("red", "black")
GIVEN = Opponent("red", commander="falcon", head_start="troops")
AGAINST_THE_APP = {
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
    match = Match.begin(tmp_path / "game.jsonl", AGAINST_THE_APP)
    assert match.opponent == Opponent("black", "strong", 7)
    match.close()
    again = open_game(match.path)
    assert isinstance(again, Match)
    assert (again.opponent, again.players["black"]) == (match.opponent, NAME)
    again.close()


def test_a_reader_that_knows_no_opponent_sees_a_game_of_two(tmp_path: Path) -> None:
    plain = {key: value for key, value in AGAINST_THE_APP.items() if key not in (KEY, "players")}
    one, other = (reply(json.dumps({"do": "new", **request})) for request in (plain, AGAINST_THE_APP))
    assert one == other
    session: GameSession[object, object] = GameSession.begin(tmp_path / "game.jsonl", AGAINST_THE_APP)
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
    Match.begin(tmp_path / "games" / "game.jsonl", AGAINST_THE_APP).close()
    games = shelf().look().games
    assert games[0].players == {"red": "Ana", "black": NAME}, "the statistics know it"
    assert known_names(games) == ("Ana",)
