"""Making puzzles: what is written leads to the very position, and no board gets too much of one kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import puzzles as making
from engine.orders.cards import hand_size
from engine.orders.game import apply, judge
from engine.orders.notation import parse_step
from engine.orders.player.puzzles import opening, puzzles
from engine.orders.steps import Deploy, Pass
from tests import play
from tests.boards.practice import BOARDS
from tests.engine.orders.player.positions import last_turns
from tests.notation import format_step

RIVERS = "sengoku-rivers"
TOLD: dict[str, str | float] = {
    "at": "agreed to red",
    "turn": "pass",
    "theme": "hold",
    "found_by": "even",
    "chance": 0.9,
}


@pytest.mark.parametrize("board", ["rivers", "alpine", "island", "fortress"])
def test_what_is_agreed_on_leads_to_the_position(board: str) -> None:
    name = BOARDS[board]().name
    for position in play.turn_starts(play.game(board, 1))[::5]:
        told = making.agreed_on(position)
        assert parse_step(format_step(told)) == told
        assert judge(opening(name), told).legal
        found = apply(opening(name), told)
        mover = position.to_move
        sizes = tuple(map(hand_size, position.hands))
        hands = (position.hands[0], sizes[1]) if mover == 0 else (sizes[0], position.hands[1])
        blank = {"discard": (), "readings": frozenset[str](), "spent": ((), ())}
        assert replace(found, **blank) == replace(position, hands=tuple(h or () for h in hands), **blank)  # type: ignore[arg-type]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert making.read_puzzles(path) == []
    making.write_puzzles(path, [TOLD, TOLD])
    assert making.read_puzzles(path) == [TOLD, TOLD]


def told(theme: str, found_by: str, number: int) -> dict[str, str | float]:
    return TOLD | {"theme": theme, "found_by": found_by, "at": f"agreed to red round {number}"}


def test_no_theme_and_not_too_many_easy_ones() -> None:
    found = [told("hold", "even", number) for number in range(4)]
    assert making.is_wanted(told("hold", "even", 9), found[:3], 10)
    assert not making.is_wanted(told("hold", "even", 9), found, 10)
    assert not making.is_wanted(found[0], found[:3], 10), "it is there already"
    easy = [
        told(theme, "child", number)
        for number, theme in enumerate(("hold", "shot", "card", "supply", "ground", "hold", "shot"))
    ]
    assert making.is_wanted(told("card", "child", 9), easy[:6], 10)
    assert not making.is_wanted(told("card", "child", 9), easy, 10)


def test_what_a_turn_teaches_is_what_it_does_first() -> None:
    position = last_turns(RIVERS, ({"e3": 3, "d4": 1}, {"a3": 3}), (2, 2))
    advance, shot = Deploy("advance:c4", moves=(("d4", "troop", 1),)), Deploy("bombard:c3", target="b3")
    assert making.theme_of(position, advance, ["takes", "cuts"]) == "supply"
    assert making.theme_of(position, advance, ["wins", "cuts"]) == "headquarters"
    assert making.theme_of(position, advance, ["takes"]) == "ground"
    assert making.theme_of(position, replace(advance, cards=("ambush",)), ["wins"]) == "card"
    assert making.theme_of(position, shot, ["empties"]) == "shot"
    assert making.theme_of(position, Pass(), ["waits"]) == "ground"


def test_a_second_look_says_what_it_doubts() -> None:
    puzzle = puzzles(RIVERS)[0]
    assert making.doubts(puzzle, 12) == ""
    assert making.doubts(replace(puzzle, turn=Pass()), 12).endswith("is better")


def test_games_show_positions_in_which_one_space_looks_best() -> None:
    found = [position for number in range(3) for position in making.play_on(RIVERS, number)]
    assert found
    assert all(position.turn is None and position.winner is None for position in found)
