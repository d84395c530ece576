"""In every mode: of what can be aimed at, what is meant in nine cases of ten comes first, empty and own areas last."""

from __future__ import annotations

from functools import cache

import pytest

from companion.demo.autoplayer import Autoplayer
from companion.scenes.orders.targeting import DropForm, ShotForm, TargetForm
from companion.scenes.orders.turn import form_for
from engine.orders import game
from engine.orders.board import board_names, load_board
from engine.orders.position import Position
from tests.companion.touching import buttons

STEPS, LEAST = 90, 5
"""So long a game plays itself in each mode; so many forms with a choice of targets are looked at in it at least."""


def positions(name: str) -> list[Position]:
    """Those of a game that plays itself, as far as so many steps."""
    board, player = load_board(name), Autoplayer(1)
    found = [game.new_game(name, board.factions[0], dict(zip(board.slots, board.mode.tokens, strict=False)))]
    while found[-1].winner_name is None and len(found) < STEPS:
        found.append(game.apply(found[-1], player.step(found[-1])))
    return [position for position in found if position.turn is None and position.winner_name is None]


@cache
def aimed(name: str) -> list[TargetForm]:
    """Return the forms that may be opened in that game and are aimed at an area."""
    forms = (form_for(position, space) for position in positions(name) for space in game.legal(position).spaces)
    return [form for form in forms if isinstance(form, ShotForm | DropForm)]


def listed(form: TargetForm) -> list[str]:
    """Return the targets that the form has buttons for, as they come."""
    return [button.intent.what for button in buttons(form.show().blocks) if button.intent.verb == "target"]


def rank(form: TargetForm, area: str) -> int:
    """Enemies first, then nobody's, then the mover's own."""
    if isinstance(form, DropForm):
        return int(form.position.controller(area) == form.mover)
    return 0 if form.enemies(area) else 1 + (form.mover in form.position.units_in(area))


@pytest.mark.parametrize("name", board_names())
def test_what_is_meant_comes_first_and_own_areas_last(name: str) -> None:
    looked_at = 0
    for form in aimed(name):
        order = listed(form)
        ranks = [rank(form, area) for area in order]
        assert ranks == sorted(ranks), (form.space.name, order)
        assert form.target in (order[0], None), "what is filled in stands first"
        assert form.target is not None or ranks[0] > 0, "where there is somebody to hit, it is filled in"
        looked_at += len(order) > 1
    assert looked_at >= LEAST


@pytest.mark.parametrize("name", board_names())
def test_of_shots_the_most_points_and_then_the_most_enemies_come_first(name: str) -> None:
    for form in aimed(name):
        if isinstance(form, ShotForm):
            held = [area for area in listed(form) if form.enemies(area)]
            worth = [(form.board.area(area).vp, form.enemies(area)) for area in held]
            assert worth == sorted(worth, reverse=True)
