"""The demo plays every mode: whole games by its player, their words, and a table whose pieces the eye cannot read."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.demo import show
from companion.demo.autoplayer import Autoplayer, deployments, quiet_answer, rate_position, with_extra_commander
from companion.demo.game_demo import DemoOptions, run_demo
from companion.demo.player import BlindEye, DemoPlayer, SimulatedEye, TableLook, set_up, turns_of
from companion.demo.show import play_turns
from companion.demo.table import SimulatedTable
from companion.demo.telling import turn_words
from companion.games.match import Match
from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Return, Step
from tests.boards.practice import atoll, castle, valley
from tests.tables import after, stand
from vision.errors import UnknownPieces
from vision.table import Table

pytestmark = pytest.mark.long

MODES = ("sengoku-fortress", "wwii-alpine", "wwii-island")


def whole(board: Board, seed: int) -> tuple[list[Step], Position]:
    initiative, tokens = set_up(board, seed)
    position, player, steps = game.new_game(board.name, initiative, tokens), Autoplayer(seed), list[Step]()
    while position.winner is None:
        steps.append(player.step(position))
        position = game.apply(position, steps[-1])
    return steps, position


@pytest.mark.parametrize("board", MODES)
def test_a_whole_game_of_every_mode_is_played_by_the_rules(board: str) -> None:
    steps, last = whole(load_board(board), 2)
    assert last.winner_name in last.board.factions
    assert sum(isinstance(step, Deploy) for step in steps) > 10
    assert sum(isinstance(step, Pass) for step in steps) <= 2
    assert whole(load_board(board), 2) == (steps, last)


def thought_of(position: Position) -> set[str]:
    found = deployments(position, Random(1))
    assert all(game.judge(position, step).legal for step in found)
    return {step.space.partition(":")[0] for step in found}


def test_every_verb_is_thought_of() -> None:
    mountains = stand(valley(), "a1:3 a2:2 b1:2", "c3:3 c2:3 b3:2")
    assert thought_of(mountains) == {"advance", "paradrop", "barrage", "reinforce", "plan"}
    skies = stand(atoll(), "a1:3 a2:2 b1:4 zone-red:2 zone-white:4", "d2:3 d1:2 c2:4 zone-green:3")
    assert thought_of(skies) == {"advance", "barrage", "fly", "bomb", "reinforce", "take_off", "plan"}


def test_siege_weapons_and_bombs_keep_to_their_limits() -> None:
    position = stand(castle(), "a1:2 a2:1", "c1:2 c2:1")
    placed = [
        sum(n for _, unit, n in step.place if unit == "siege")
        for seed in range(8)
        for step in deployments(position, Random(seed))
        if step.space == "reinforce:1"
    ]
    assert {0, 1, 2} == set(placed)
    position = stand(atoll(), "a1:3 b1:2 zone-red:2 zone-white:5", "d2:3 c2:1 zone-green:3")
    bombs = [step.payload for step in deployments(position, Random(1)) if step.payload]
    assert bombs == [1, 2], "no more than there is to hit, and one"


def test_an_extra_commander_comes_by_the_card_in_hand_alone() -> None:
    step = Deploy("plan:2", draw=2)
    held = stand(valley(), "a1:3", "c3:3", hands={"blue": "blitz"})
    assert with_extra_commander(held, step).cards == ("blitz",)
    assert with_extra_commander(stand(valley(), "a1:3", "c3:3"), step) is step
    assert with_extra_commander(stand(valley(), "a1:3", "c3:3", hands={"blue": 2}), step) is step


def lost_signal() -> Position:
    held = {"advance:c2": "yellow", "plan:1": "yellow"}
    position = stand(
        valley(),
        "a1:3 b1:4",
        "c3:3 c2:3 c1:2",
        bonuses={"4": "signal_unit"},
        commanders=held,
        standby={"yellow": 3},
        left={"yellow": 0},
    )
    return after(position, parse_step("advance:c1 from b1=3t"), parse_step("roll 1 by yellow"))


def test_a_commander_that_has_to_go_back_does() -> None:
    position = lost_signal()
    owed = game.owed(position)
    assert owed is not None
    assert quiet_answer(position, owed) == Return("advance:c2", "yellow")


def test_standby_costs_and_air_above_ones_own_land_is_worth_something() -> None:
    many, few = (stand(valley(), "a1:3", "c3:3", standby={"blue": n}) for n in (3, 4))
    assert rate_position(many, "blue") > rate_position(few, "blue")
    above, beside = (stand(atoll(), f"a1:3 a2:3 b1:3 {zones}", "d2:3") for zones in ("zone-red:2", "zone-green:2"))
    assert rate_position(above, "blue") > rate_position(beside, "blue")


TOLD = [
    ("paradrop:b1 at b3; roll 1 by yellow", "paradrop b3 from b1: yellow rolls 1, yellow holds with 1"),
    ("paradrop:b1 at a3", "paradrop a3 from b1"),
    ("barrage:a2 at c2; roll 1 1 by blue", "barrage c2 from a2: blue rolls 1+1, hits 2"),
]


@pytest.mark.parametrize(("steps", "words"), TOLD)
def test_turns_of_the_mountains_in_words(steps: str, words: str) -> None:
    before = stand(valley(), "a1:3 a2:2 b1:2", "c3:3 c2:3 b3:2")
    done = [parse_step(step) for step in steps.split("; ")]
    assert turn_words(before, done, after(before, *done)) == words


def test_what_a_bomb_spends_and_what_goes_back_is_told() -> None:
    before = stand(atoll(), "a1:3 b1:2 zone-red:2 zone-white:5", "d2:3 c2:3 zone-green:3")
    done = [parse_step(step) for step in ("bomb:zone-white at c2 payload 2", "roll 1 1 by blue")]
    words = "bomb c2 from zone-white with 2 spent: blue rolls 1+1, hits 2"
    assert turn_words(before, done, after(before, *done)) == words
    position = lost_signal()
    back = Return("plan:1", "yellow")
    line = turn_words(position, [Deploy("plan:2", draw=1), back], after(position, back))
    assert line == "plan draws 1 card: yellow recalls a commander from plan:1"


# ---- pieces that nobody has learnt to read ------------------------------------------------------


class Untaught(SimulatedEye):
    """An eye that has learnt no pieces."""

    asked = 0

    def _calibrate(self, board: Board) -> tuple[SimulatedTable, Table]:
        self.asked += 1
        raise UnknownPieces(f"the eye cannot read the board {board.name}")


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of nothing, of pieces that the eye does not know."""
    monkeypatch.setattr(show, "SimulatedEye", Untaught)
    monkeypatch.setattr(BlindEye, "look", lambda self, position: TableLook(np.zeros((96, 128, 3), np.uint8), None))


def test_an_eye_that_knows_no_such_pieces_says_so_and_is_asked_once() -> None:
    eye, board = Untaught(1), load_board("wwii-alpine")
    blind = eye.ready_for(board)
    assert isinstance(blind, BlindEye)
    assert blind.fault == "the eye cannot read the board wwii-alpine"
    assert isinstance(eye.ready_for(board), BlindEye)
    assert eye.asked == 1
    look = blind.look(game.new_game(board.name, *set_up(board, 1)))
    assert (look.reading, look.differences) == (None, ())
    assert look.picture.shape == (960, 1280, 3), "its pictures show the table"


def test_a_demo_without_an_eye_plays_on_and_is_scored_by_its_record(
    tmp_path: Path, unseen: None, capsys: pytest.CaptureFixture[str]
) -> None:
    board = "wwii-alpine"
    options = DemoOptions(board, seed=2, turns=3, headless=True, pictures=tmp_path)
    assert run_demo(options) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"the eye cannot read the board {board}; its pictures are drawn and not read"
    assert not [line for line in lines if "agree" in line]
    assert any(line.startswith("gunbai score ") and line.endswith("game.jsonl") for line in lines)
    assert not (tmp_path / "demo.table").exists()
    assert {path.name for path in tmp_path.glob("final-*.png")} == {"final-table.png", "final-screen.png"}


def test_a_window_that_closes_without_an_eye_is_scored_by_the_record(tmp_path: Path, unseen: None) -> None:
    board = load_board("wwii-alpine")
    initiative, tokens = set_up(board, 1)
    match = Match.start(tmp_path / "game.jsonl", board.name, initiative, tokens)
    player = DemoPlayer(1, turns=2)
    blind = Untaught(1).ready_for(board)
    assert [turn.look.reading for turn in play_turns(match, player, blind)] == [None, None]
    assert turns_of(match) == 2
    folder = tmp_path / "shots"
    folder.mkdir()
    assert show._scored_after(match, Untaught(1), folder / "game.jsonl") == 0
    assert (tmp_path / "shots" / "final-table.png").exists()
