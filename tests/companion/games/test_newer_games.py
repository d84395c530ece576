"""Games that a newer Gunbai went on with: shown as far as they are understood, and not a byte of them changes."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.app.app import App
from companion.checks import health
from companion.cli import main
from companion.core.errors import MatchError
from companion.core.storage import line_of
from companion.games import checksums, saved_facts, shelf, undo_log
from companion.games.clock import clock_path
from companion.games.journal import MOST_BYTES, parse_journal, read_game
from companion.games.match import AnyMatch, Match, open_game
from companion.games.statistics import Gathered, gather
from companion.scenes.base.stage import Table
from companion.scenes.home.crash import CrashScene
from companion.scenes.home.home import HomeScene
from companion.scenes.home.only_look import OnlyLookScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders.steps import Pass
from engine.orders.wire import step_to_json
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import BOARD, BONUSES, REQUEST, TAKEN, lines_of, played
from tests.companion.touching import Hand

STEPS = played()[0]
NEWER = {"teleport": "c4", "by": "red", "format": 2}
TAILS: dict[str, dict[str, Any]] = {
    "of a newer format": NEWER,
    "a known step of a newer format": {"pass": True, "format": 2},
    "a format that is no number": {"pass": True, "format": "2.1"},
    "an unknown step": {"teleport": "c4"},
    "an unknown key": {"pass": True, "loudly": True},
    "an unknown card": {"play": "thunderstorm", "by": "red"},
    "against the rules": TAKEN,
}
SAID = "isn't a step this Gunbai knows"


def begun(folder: Path, steps: int = 6) -> Path:
    """A game of General Orders as it is written, closed, with all that may lie beside it."""
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES, {"red": "Ana", "black": "Bo"})
    for step in STEPS[: steps + 2]:
        assert match.offer(step).legal
    match.undo(2)
    match.close()
    clock_path(match.path).write_text('{"spent_s": {"red": 12.5}}')
    (folder / "game.jsonl.evidence").mkdir()
    (folder / "game.jsonl.evidence" / "turn-2-abc.jpg").write_bytes(b"a picture")
    return match.path


def went_on(path: Path, *steps: dict[str, Any], rest: bytes = b"") -> Path:
    """What another Gunbai may write behind a game: these steps with their check values, and a rest as it is."""
    lines = path.read_bytes().splitlines(keepends=True)
    for step in steps:
        lines.append(checksums.with_checksum(step, lines))
    path.write_bytes(b"".join(lines) + rest)
    return path


def lying(folder: Path) -> dict[str, bytes]:
    """All files of a folder, with what is in them."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refuses(match: AnyMatch, *steps: Any) -> None:
    """It takes no step, and lets none go."""
    deeds: list[Callable[[], object]] = [partial(match.offer, step) for step in steps]
    deeds += [match.undo, partial(match.recast, 0, ())]
    for deed in deeds:
        with pytest.raises(MatchError, match=r"\(it is view-only\)$"):
            deed()


# ---- what a game says of itself -----------------------------------------------------------------


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


# ---- opened, looked at, closed ------------------------------------------------------------------


@pytest.mark.parametrize("tail", TAILS.values(), ids=list(TAILS))
def test_steps_that_are_not_understood_stay_where_they_are(tmp_path: Path, tail: dict[str, Any]) -> None:
    path = went_on(begun(tmp_path), tail, {"pass": True}, tail)
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps, match.saved, match.unsaved) == (True, STEPS[:6], True, 0)
    assert match.notice is not None
    assert match.notice.endswith("; opened up to step 6")
    refuses(match, STEPS[6])
    assert match.save()
    assert match.again == ()
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


def test_a_step_without_a_check_value_stays_as_well(tmp_path: Path) -> None:
    path = begun(tmp_path)
    path.write_bytes(path.read_bytes() + lines_of(NEWER, {"pass": True}))
    before = lying(tmp_path)
    assert Match.open(path).look_only
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


def test_its_last_line_needs_no_newline(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    path.write_bytes(path.read_bytes()[:-1])
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


def test_damage_behind_such_a_step_is_nothing_to_cut_either(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER, rest=b'{"teleport": "d5", "su\x00\x00')
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


def test_damage_before_such_a_step_is_put_right_to_look_at_alone(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    path.write_bytes(path.read_bytes().replace(b"c4", b"c3", 1))
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps) == (True, STEPS[:6])
    assert match.notice is not None
    assert match.notice.startswith("line 3 was damaged and is put right; line 8 isn't ")
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
    assert match.notice == "line 6 is past the last step that is read; opened up to step 4"
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


# ---- the first line -----------------------------------------------------------------------------


def newer_start(path: Path, **more: Any) -> Path:
    """The game as a Gunbai would have begun it whose first line needs a newer format."""
    lines: list[bytes] = []
    for line in path.read_bytes().splitlines():
        value = checksums.plain(json.loads(line))
        lines.append(checksums.with_checksum({**value, "format": 2, **more} if not lines else value, lines))
    path.write_bytes(b"".join(lines))
    return path


def test_a_game_that_a_newer_gunbai_began_is_looked_at_as_far_as_it_is_understood(tmp_path: Path) -> None:
    path = newer_start(begun(tmp_path), weather="fog")
    before = lying(tmp_path)
    match = Match.open(path)
    assert (match.look_only, match.steps, match.notice) == (True, STEPS[:6], "started in a newer Gunbai")
    refuses(match, STEPS[6])
    match.close()
    assert lying(tmp_path) == before


def test_damage_in_such_a_game_is_not_cut_off(tmp_path: Path) -> None:
    path = went_on(newer_start(begun(tmp_path)), rest=b'{"pass": tr')
    before = lying(tmp_path)
    assert Match.open(path).look_only
    assert lying(tmp_path) == before


def test_a_start_that_is_not_understood_is_told_and_left_alone(tmp_path: Path) -> None:
    path = newer_start(begun(tmp_path), board="sengoku-moon")
    before = lying(tmp_path)
    with pytest.raises(MatchError, match=r"game\.jsonl: started in a newer Gunbai \(no board named 'sengoku-moon'"):
        Match.open(path)
    assert lying(tmp_path) == before


# ---- a copy to go on with -----------------------------------------------------------------------


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


# ---- what lies beside ---------------------------------------------------------------------------


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
    assert match.again == STEPS[6:7]
    assert not match.redo(2)
    assert match.redo()
    assert match.undo(2)
    assert beside.read_bytes().startswith(before)


# ---- nothing that is whole is ever lost ---------------------------------------------------------

DAMAGED = (b"\x00" * 40 + b"\n", b'{"pass": tru}\n', b'{"pass": true, "sum": "00000000"}\n', b"\xff\xfe\n")
LINES = (*TAILS.values(), {"pass": True}, "unsealed", *DAMAGED)


def written(start: int, following: list[Any]) -> list[bytes]:
    """A game's first lines, and behind them lines of all kinds, the whole ones with their check values."""
    lines: list[bytes] = []
    for value in ({**REQUEST, "format": 1}, *map(step_to_json, STEPS[:start])):
        lines.append(checksums.with_checksum(value, lines))
    whole = list(lines)
    for one in following:
        if isinstance(one, bytes):
            lines.append(one)
            continue
        line = lines_of(NEWER)[:-1] + b"\n" if one == "unsealed" else checksums.with_checksum(one, whole)
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
        aside = b"".join(one.read_bytes() for one in Path(folder).glob("*.broken-*"))
        if match.look_only:
            assert (path.read_bytes(), aside) == (data, b"")
        else:
            assert (path.read_bytes() + aside).rstrip(b"\n") == data.rstrip(b"\n")
        assert match.steps == before.steps
        rest = [line + b"\n" for line in data.splitlines()[len(match.steps) + 1 :]]
        whole = bool(rest) and rest[0] in lines and rest[0] not in DAMAGED
        assert match.look_only == whole, "and what is whole and not understood is looked at"


# ---- the shelf and what looks at it -------------------------------------------------------------


def test_the_shelf_offers_to_look_at_it(games: Path) -> None:
    path = went_on(begun(games), NEWER)
    (one,) = shelf.saved_games()
    assert (one.readable, one.running, bool(one.look_only), one.steps) == (True, False, True, 6)
    assert SAID in one.fault
    assert shelf.last_running([one]) is None
    assert shelf.export(path).read_bytes() == path.read_bytes() == shelf.copy(path).read_bytes()
    assert shelf.put_back(shelf.throw_away(path)).read_bytes() == shelf.saved_games()[0].path.read_bytes()


def test_a_newer_gunbai_looks_at_it_anew(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    went_on(begun(games), NEWER)
    assert shelf.saved_games()[0].look_only
    read: list[Path] = []

    def reading(path: Path) -> Any:
        read.append(path)
        return read_game(path)

    monkeypatch.setattr(shelf, "read_game", reading)
    shelf.saved_games()
    assert read == [], "the same one knows it already"
    monkeypatch.setattr(saved_facts, "__version__", "99.0")
    shelf.saved_games()
    assert len(read) == 1


def test_a_game_whose_only_steps_are_newer_is_not_thrown_away(games: Path) -> None:
    path = went_on(begun(games, steps=0), NEWER)
    before = lying(games)
    shelf.discard(path)
    assert lying(games) == before


def test_the_self_check_calls_it_no_damage(games: Path) -> None:
    went_on(begun(games), NEWER)
    assert health.games()[0] == "ok"


def test_statistics_leave_it_out(games: Path) -> None:
    went_on(begun(games), NEWER).rename(games / "went-on.jsonl")
    shutil.rmtree(games / "game.jsonl.evidence")
    newer_start(begun(games)).rename(games / "begun.jsonl")
    assert gather(games) == Gathered((), ("begun.jsonl", "went-on.jsonl"))


def test_a_copy_of_all_games_has_every_byte_and_gives_it_back(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    went_on(begun(games), NEWER)
    before = lying(games)
    assert main(["backup", "--to", str(tmp_path / "copies")]) == 0
    (copied,) = (tmp_path / "copies").iterdir()
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "other"))
    assert main(["restore", str(copied)]) == 0
    after = lying(tmp_path / "other" / "games")
    assert after == {name: data for name, data in before.items() if ".evidence" not in name}


# ---- commands -----------------------------------------------------------------------------------


def test_replay_goes_as_far_as_it_understands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    assert main(["replay", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "round 1" in out
    said = "line 8 isn't a step this Gunbai knows (written by a newer Gunbai); opened up to step 6"
    assert err == f"gunbai: note: {path}: {said}\n"
    assert main(["replay", str(newer_start(path)), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["board"] == BOARD
    assert f"{path}: started in a newer Gunbai; line 8 isn't a step" in err
    assert lying(tmp_path).keys() == before.keys()


def test_a_step_that_the_rules_refuse_ends_a_replay_with_a_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = went_on(begun(tmp_path), TAKEN)
    before = lying(tmp_path)
    assert main(["replay", str(path)]) == 1
    assert "against the rules" in capsys.readouterr().err
    assert lying(tmp_path) == before


@pytest.mark.parametrize("command", [["score"], ["check", "pass"]], ids=["score", "check"])
def test_other_commands_say_so_and_take_the_last_position_they_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    assert main([command[0], str(path), *command[1:]]) in (0, 1)
    out, err = capsys.readouterr()
    assert out
    assert SAID in err
    assert lying(tmp_path) == before


# ---- on the screen ------------------------------------------------------------------------------


def labels(hand: Hand) -> set[str]:
    return {one.label for one in hand.all_buttons()}


def test_it_is_looked_at_from_the_shelf_and_nothing_changes(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    went_on(begun(tmp_path / "games"), NEWER)
    hand.app.touch(Intent("hush"))
    assert "Continue last game" not in labels(hand)
    before = lying(tmp_path)
    hand.press("Saved games", "Ana vs Bo")
    assert "This Gunbai can't replay it to the end" in hand.text()
    hand.press("View")
    assert isinstance(hand.app.scene, OnlyLookScene)
    assert "The rest of this game was played with a newer Gunbai." in hand.text()
    assert "step 6 of 6" in hand.text()
    assert labels(hand) == {"Home", "Earlier", "Later", "Play on from here in a copy"}
    hand.app.stage.change(clock_minutes=10)
    for second in range(200):
        hand.app.tick(float(second))
    hand.press(*["Earlier"] * 9)
    assert "step 0 of 6" in hand.text()
    hand.press(*["Later"] * 9)
    for verb in ("undo", "deploy", "now", "unsaved", "lock", "page"):
        hand.app.touch(Intent(verb))
    assert (hand.app.table, hand.screen.map is not None) == (None, True)
    hand.press("Home")
    assert isinstance(hand.app.scene, HomeScene)
    after = lying(tmp_path)
    assert {name for name in after.keys() | before.keys() if after.get(name) != before.get(name)} <= {
        "games/index.json"
    }


def test_a_copy_is_gone_on_with_at_the_table(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    path = went_on(begun(tmp_path / "games"), NEWER)
    before = path.read_bytes()
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(path), hand.app.home)
    hand.press("Earlier", "Play on from here in a copy")
    assert isinstance(hand.app.scene, BoardTable)
    assert hand.app.table is hand.app.scene
    copied = hand.app.scene.match
    assert (copied.path.name, path.read_bytes()) == ("game-2.jsonl", before)
    assert copied.steps == STEPS[: len(copied.steps)]
    assert copied.offer(STEPS[len(copied.steps)]).legal
    copied.close()
    assert {one.label for one in shelf.saved_games()} == {"", "Ana vs Bo, copy"}


def test_the_ruling_against_a_step_is_shown(hand: Hand, tmp_path: Path) -> None:
    match = open_game(went_on(begun(tmp_path), TAKEN))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "The next step breaks the rules: " in hand.text()


def test_a_damaged_end_of_what_a_newer_gunbai_began_is_not_called_newer(hand: Hand, tmp_path: Path) -> None:
    match = open_game(went_on(newer_start(begun(tmp_path)), rest=b'{"pass": tr'))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "This game was started in a newer Gunbai." in hand.text()


def test_a_game_of_too_many_steps_says_so(hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("companion.games.journal", "companion.scenes.home.only_look"):
        monkeypatch.setattr(f"{place}.MOST_STEPS", 4)
    hand.app.scene = OnlyLookScene(hand.app.stage, open_game(begun(tmp_path)), hand.app.home)
    assert "This game is too long for Gunbai to follow." in hand.text()


@pytest.mark.parametrize("system", SYSTEMS)
def test_games_of_every_system_are_looked_at(hand: Hand, tmp_path: Path, system: str) -> None:
    match = open_game(newer_start(file_of(tmp_path, system)))
    hand.app.scene = OnlyLookScene(hand.app.stage, match, hand.app.home)
    assert "This game was started in a newer Gunbai." in hand.text()
    assert hand.screen.board is not None
    hand.press("Earlier", "Earlier", "Play on from here in a copy")
    assert isinstance(hand.app.scene, Table)
    assert not hand.app.scene.match.look_only


def test_a_start_that_was_begun_newer_is_told_on_the_shelf(hand: Hand, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    newer_start(begun(tmp_path / "games"))
    hand.app.touch(Intent("hush"))
    hand.press("Saved games", "Ana vs Bo")
    assert "This game was started in a newer Gunbai." in hand.text()


def test_play_opens_it_to_look_at(tmp_path: Path) -> None:
    path = went_on(begun(tmp_path), NEWER)
    before = lying(tmp_path)
    app = App(match=open_game(path))
    assert isinstance(app.scene, OnlyLookScene)
    assert app.table is None
    app.tick(0.0)
    assert lying(tmp_path) == before


def test_after_a_fault_of_our_own_it_is_looked_at_again(hand: Hand, tmp_path: Path) -> None:
    match = Match.open(begun(tmp_path))
    hand.app.scene = hand.app.table = BoardTable(hand.app.stage, match, hand.app.home)
    hand.app.crashed(ValueError("ours"))
    assert isinstance(hand.app.scene, CrashScene)
    went_on(match.path, NEWER)
    hand.press("Continue")
    assert isinstance(hand.app.scene, OnlyLookScene)
