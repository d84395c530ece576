"""Games that earlier releases saved are read whole: a step that today's rules judge otherwise stays as it was recorded.

The games beside this module were played and written by 0.1 and 0.2 themselves, by players that choose at random: a file
is named after its mode or system and its release.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from companion.following.follower import Follower
from companion.games import checksums
from companion.games.journal import parse_journal, read_game
from companion.games.match import open_game
from companion.scenes.story.game_log import redo_lines, step_lines
from companion.scenes.story.tables import PORTRAITS
from companion.terminal.reports import REPORTS
from tests.companion.games.newer.newer_steps import lying
from tests.companion.other_games import file_of

GAMES = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.jsonl"))}
KEPT = {
    "alpine-0.2": {15: "limit.added"},
    "island-0.2": {36: "limit.added"},
    "sonae-0.2": {95: "roll.dice", 144: "roll.dice", 151: "roll.dice"},
}
"""The steps of them, counted from 1, that rules mended since judge otherwise."""
NOTE = "Kept as it was recorded; today's rules wouldn't allow it: "


def saved(folder: Path, name: str) -> Path:
    return Path(shutil.copy(GAMES[name], folder / "game.jsonl"))


@pytest.mark.parametrize("name", GAMES)
def test_it_is_read_to_its_end_and_played_on(tmp_path: Path, name: str) -> None:
    path = saved(tmp_path, name)
    before = lying(tmp_path)
    match = open_game(path)
    assert (match.look_only, match.notice, match.stopped) == (False, None, None)
    assert len(match.steps) == len(path.read_bytes().splitlines()) - 1
    system = match.system
    refused = {n: system.judge(match.positions[n - 1], match.steps[n - 1]) for n in match.kept_steps}
    assert {n: ruling.objections[0].rule for n, ruling in refused.items()} == KEPT.get(name, {})
    for position in match.positions:
        assert system.write_position(system.read_position(system.write_position(position))) == system.write_position(
            position
        )
    match.close()
    assert lying(tmp_path) == before


@pytest.mark.parametrize("name", KEPT)
def test_the_log_says_so_where_it_is_and_nowhere_else(tmp_path: Path, name: str) -> None:
    match = open_game(saved(tmp_path, name))
    told = dict(step_lines(PORTRAITS.of(match.system.name).log(match)))
    assert {n for n, text in told.items() if NOTE in text} == set(KEPT[name])


@pytest.mark.parametrize("name", KEPT)
def test_so_does_the_terminal(name: str) -> None:
    journal = read_game(GAMES[name])
    text = REPORTS.of(journal.system.name).game_text(journal)
    assert text.count("kept as it was recorded; today's rules wouldn't allow it: ") == len(KEPT[name])


@pytest.mark.parametrize("name", KEPT)
def test_taken_back_it_can_be_done_again(tmp_path: Path, name: str) -> None:
    match = open_game(saved(tmp_path, name))
    last, steps, end = max(KEPT[name]), match.steps, match.position
    assert match.undo(len(steps) - last + 1)
    assert last not in match.kept_steps
    assert match.redo(len(steps) - last + 1)
    assert (match.steps, match.position, match.kept_steps) == (steps, end, frozenset(KEPT[name]))
    match.close()
    assert read_game(match.path).kept == tuple(KEPT[name])


@pytest.mark.parametrize("name", KEPT)
def test_a_new_step_is_judged_by_todays_rules(tmp_path: Path, name: str) -> None:
    match = open_game(saved(tmp_path, name))
    number = min(KEPT[name])
    step = match.steps[number - 1]
    assert match.undo(len(match.steps) - number + 1)
    assert not match.offer(step).legal
    assert len(match.steps) == number - 1
    assert redo_lines(PORTRAITS.of(match.system.name).log(match))


@pytest.mark.parametrize("name", KEPT)
def test_written_by_hand_it_is_judged_like_any_other_step(name: str) -> None:
    lines = [checksums.plain(json.loads(line)) for line in GAMES[name].read_bytes().splitlines()]
    journal = parse_journal(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "game")
    assert journal.fault is not None
    assert journal.fault.ruling is not None
    assert (len(journal.steps), journal.kept) == (min(KEPT[name]) - 1, ())


@pytest.mark.parametrize("name", KEPT)
def test_it_is_followed_as_it_is_played(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.jsonl"
    lines = GAMES[name].read_bytes().splitlines(keepends=True)
    number = min(KEPT[name])
    path.write_bytes(b"".join(lines[:number]))
    follower = Follower(tmp_path, only=path)
    assert len(list(follower.look())) > 0
    path.write_bytes(b"".join(lines[: number + 1]))
    assert len([event for event in follower.look() if event["event"] == "step"]) == 1


def test_so_it_is_in_the_card_game(tmp_path: Path) -> None:
    path = file_of(tmp_path, "generals")
    lines = path.read_bytes().splitlines(keepends=True)[:1]
    for step in ({"deploy": "reed_guard"}, {"move": "reed_guard", "to": "siege"}):
        lines.append(checksums.with_checksum(step, lines))
    path.write_bytes(b"".join(lines))
    match = open_game(path)
    assert not match.look_only
    assert match.kept_steps == {2}
    assert "act.fresh" in {objection.rule for objection in match.judge(match.steps[1]).objections}
    assert NOTE in dict(step_lines(PORTRAITS.of("generals").log(match)))[2]
    assert match.offer(match.system.read_step({"end": True})).legal


def test_what_cannot_be_carried_out_is_kept_apart_as_ever(tmp_path: Path) -> None:
    """A commander that is not there can't be placed, whoever recorded it: the game is only to be looked at."""
    path = saved(tmp_path, "rivers-0.2")
    lines = path.read_bytes().splitlines(keepends=True)
    lines.append(checksums.with_checksum({"deploy": "advance:z9", "moves": {"d3": {"troop": 1}}}, lines))
    path.write_bytes(b"".join(lines))
    match = open_game(path)
    assert (match.look_only, match.kept_steps) == (True, frozenset())
