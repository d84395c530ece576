"""A closed space is refused for the same reasons by a touch on the map and in an argument."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.scenes.base.panels import Why
from companion.scenes.disputes.questions import space_question
from companion.scenes.orders.turn import Spaces
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Deploy
from engine.ruling import Ruling
from tests.boards.practice import BOARDS
from tests.play import game as random_game
from tests.play import turn_starts

pytestmark = pytest.mark.long

EVERY = 3  # turns of a game
AT_LEAST = {  # closed spaces that a random game on each board has in those turns
    "alpine": 140, "atoll": 90, "castle": 50, "fortress": 300, "island": 300, "rivers": 300,
    "strip": 10, "valley": 90,
}  # fmt: skip


def test_every_board_is_tried() -> None:
    assert AT_LEAST.keys() == BOARDS.keys()


@pytest.mark.parametrize("board", sorted(BOARDS))
def test_map_and_argument_refuse_a_closed_space_for_the_same_reasons(board: str) -> None:
    compared = 0
    for position in turn_starts(random_game(board, 0))[::EVERY]:
        for space, step in refused_on_the_map(position):
            on_map = objections(game.judge(position, step))
            assert on_map, space
            assert on_map == objections(space_question(position, position.to_move_name, space).ruling), space
            compared += 1
    assert compared >= AT_LEAST[board]


def refused_on_the_map(position: Position) -> Iterator[tuple[str, Deploy]]:
    """Yield the closed spaces, each with the deployment that a touch on it asks the rules about."""
    spaces = Spaces(position)
    for space in position.board.spaces:
        if space.name not in spaces.live:
            reply = spaces.touch(space.name)
            assert isinstance(reply, Why)
            assert isinstance(reply.step, Deploy)
            yield space.name, reply.step


def objections(ruling: Ruling) -> set[str]:
    return {objection.rule for objection in ruling.objections}
