"""In random games on every board: every option listed is accepted, and every other refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from engine.orders.game import Offer, judge, legal
from engine.orders.mode import ActionKind
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, Pass
from tests.boards.practice import BOARDS
from tests.play import SEEDS, game, most_there, recalling, turn_starts

pytestmark = pytest.mark.chance

on_every_board = pytest.mark.parametrize("board", sorted(BOARDS))


def placed(position: Position, action: ActionKind) -> str:
    """Return the unit that an action mainly places or moves."""
    mode = position.board.mode
    return mode.units[mode.kinds_on[action.kind][0]].name


def fitting(position: Position, area: str, n: int) -> int:
    """So many units, or as many as an area takes where the limit binds as they are placed."""
    bound = position.board.mode.rulebook == "wwii"
    return min(n, most_there(position, area)) if bound else n


def called_back(position: Position, action: ActionKind) -> tuple[Load, ...]:
    """Return the recall of a unit for a drop that the reserve has none for; nothing for any other action."""
    if action.verb != "drop" or position.reserve(position.to_move, position.board.mode.unit_index[action.unit]):
        return ()
    return recalling(position, action.unit, 1, set())


def deployments(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each single choice that an offer lists, and the most of it."""
    action = position.board.space(space).action
    for area, kinds in offer.sources.items():
        for kind, most in kinds.items():
            yield Deploy(space, moves=((area, kind, 1),))
            yield Deploy(space, moves=((area, kind, most),))
    for target in offer.targets:
        payloads = range(1, offer.payload + 1) if action.payload else [None]
        back = called_back(position, action)
        yield from (Deploy(space, target=target, payload=n, recall=back) for n in payloads)
    if action.verb == "place" and "place-fewer" not in position.readings:
        unit = placed(position, action)
        room = min(offer.amount, position.reserve(position.to_move, position.board.mode.unit_index[unit]))
        yield from (
            Deploy(space, place=((a, unit, n),)) for a in offer.areas for n in range(1, fitting(position, a, room) + 1)
        )
    if action.verb == "draw":
        yield Deploy(space, draw=offer.draw)


def beyond(position: Position, space: str, offer: Offer) -> Iterator[Deploy]:
    """Each choice just outside an offer."""
    action = position.board.space(space).action
    areas = [area.name for area in position.board.areas]
    if offer.sources:
        unit = placed(position, action)
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas if area not in offer.sources)
        yield from (Deploy(space, moves=((a, kind, n + 1),)) for a, k in offer.sources.items() for kind, n in k.items())
    if offer.targets:
        least = 1 if action.payload else None
        yield from (Deploy(space, target=area, payload=least) for area in areas if area not in offer.targets)
    if action.payload:
        yield from (Deploy(space, target=area, payload=n) for area in offer.targets for n in (0, offer.payload + 1))
    if action.verb == "place":
        unit = placed(position, action)
        yield from (Deploy(space, place=((area, unit, 1),)) for area in areas if area not in offer.areas)
        yield from (Deploy(space, place=((area, unit, offer.amount + 1),)) for area in offer.areas)
    if action.verb == "draw":
        yield Deploy(space, draw=offer.draw + 1)


def closed(position: Position, space: str) -> Iterator[Deploy]:
    """Every single choice at a space that is not offered."""
    areas = [area.name for area in position.board.areas]
    for unit in position.board.mode.unit_index:
        yield from (Deploy(space, moves=((area, unit, 1),)) for area in areas)
    yield from (Deploy(space, target=area, payload=n) for area in areas for n in (None, 1))
    yield Deploy(space)
    yield from (Deploy(space, draw=n) for n in (1, 2, 3))


@on_every_board
@given(SEEDS)
@settings(max_examples=2)
def test_every_option_listed_is_accepted_and_none_beside_it(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::5]:
        now = legal(position)
        assert now.may_pass
        assert judge(position, Pass()).legal
        for space, offer in now.spaces.items():
            assert all(judge(position, step).legal for step in deployments(position, space, offer))
            assert not any(judge(position, step).legal for step in beyond(position, space, offer))


@on_every_board
@given(SEEDS)
@settings(max_examples=1)
def test_a_space_that_is_not_listed_is_closed_whatever_is_tried(board: str, seed: int) -> None:
    for position in turn_starts(game(board, seed))[::9]:
        for space in {space.name for space in position.board.spaces} - set(legal(position).spaces):
            assert not any(judge(position, step).legal for step in closed(position, space))
