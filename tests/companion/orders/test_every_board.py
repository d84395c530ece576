"""Forms and panels on every board: two kinds on land, targets in order, and closed spaces refused as in an argument."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.demo.autoplayer import Autoplayer
from companion.scenes.base.panels import Why
from companion.scenes.disputes.questions import space_question
from companion.scenes.orders.answers import LossPanel, answer_for
from companion.scenes.orders.forms import CardOffer
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.orders.targeting import DropForm, ShotForm, TargetForm
from companion.scenes.orders.turn import Spaces, form_for
from companion.ui.screen import Intent, Steppers
from engine.orders import game
from engine.orders.board import board_names, load_board
from engine.orders.position import Position
from engine.orders.steps import Deploy, Remove, Roll
from engine.ruling import Ruling
from tests.boards.practice import BOARDS, castle
from tests.companion.touching import buttons
from tests.play import game as random_game
from tests.play import turn_starts
from tests.tables import stand

START = stand(castle(), "a1:3 a2:3+2", "c1:3 b2:2+2")


def losing() -> LossPanel:
    """Let red move three troops into the fortified b2, whose defence rolls a one: black has a choice of losses."""
    step = Deploy("advance:b2", moves=(("a2", "troop", 3),))
    position = game.fold(START, (step, Roll((1, 0), "black")))
    due = game.owed(position)
    assert due is not None
    panel = answer_for(position, due)
    assert isinstance(panel, LossPanel)
    return panel


def labels(blocks: tuple[object, ...]) -> list[str]:
    return [stepper.label for block in blocks if isinstance(block, Steppers) for stepper in block.steppers]


def test_the_owner_chooses_losses_by_kind() -> None:
    panel = losing()
    assert labels(panel.show().blocks) == ["2 troops", "2 siege weapons"]
    assert isinstance(panel.touch(Intent("confirm")), Why)
    panel.touch(Intent("count", "b2/troop", 1))
    assert panel.show().marks.changes == {("b2", "troop"): -1}
    assert panel.show().actions[1].look == "off"
    panel.touch(Intent("count", "b2/siege", 1))
    panel.touch(Intent("other"))
    assert panel.show().actions[1].look == "primary"
    assert panel.touch(Intent("confirm")) == CardOffer(Remove((("troop", 1), ("siege", 1)), "black", "b2"))
    panel.touch(Intent("count", "b2/troop", 1))
    panel.touch(Intent("count", "b2/siege", 1))
    assert "remove 2 units from b2, not 4" in str(panel.show().blocks)


def test_sources_with_two_kinds_are_named_by_kind() -> None:
    form = form_for(START, "advance:b2")
    assert isinstance(form, MoveForm)
    assert labels(form.show().blocks)[:2] == ["a2 · troops", "a2 · siege"]
    assert form.ruling().legal, "the last unit stays, of whatever kind"
    for area, unit, n in form.step().moves:
        for _ in range(n):
            form.touch(Intent("count", f"{area}/{unit}", -1))
    form.touch(Intent("count", "a2/siege", 1))
    assert form.step() == Deploy("advance:b2", moves=(("a2", "siege", 1),))


def test_a_siege_has_targets_and_odds() -> None:
    form = form_for(START, "siege:a2")
    assert isinstance(form, ShotForm)
    form.touch(Intent("target", "b2"))
    assert "2 dice against 4 in b2" in str(form.show().blocks)


def test_reinforcements_may_be_of_both_kinds() -> None:
    form = form_for(START, "reinforce:1")
    assert isinstance(form, PlaceForm)
    assert ("a2", "siege") in form.places()
    for _ in range(3):
        form.touch(Intent("count", "a2/siege", 1))
    assert ("a2", "siege", 2) in form.step().place, "two of six at most"
    assert "Including at most 2 siege weapons." in str(form.show().blocks)


# ---- what is aimed at ----------------------------------------------------------------------------


STEPS, LEAST = 90, 5
"""So long a game plays itself in each mode; so many forms with a choice of targets are looked at in it at least."""


def positions(name: str) -> list[Position]:
    """Those of a game that plays itself, as far as so many steps."""
    board, player = load_board(name), Autoplayer(1)
    found = [game.new_game(name, board.factions[0], dict(zip(board.slots, board.mode.tokens, strict=False)))]
    while found[-1].winner_name is None and len(found) < STEPS:
        found.append(game.apply(found[-1], player.step(found[-1])))
    return [position for position in found if position.turn is None and position.winner_name is None]


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
        if isinstance(form, ShotForm):
            worth = [(form.board.area(area).vp, form.enemies(area)) for area in order if form.enemies(area)]
            assert worth == sorted(worth, reverse=True), "of shots the most points, then the most enemies first"
        looked_at += len(order) > 1
    assert looked_at >= LEAST


# ---- why a space is closed -----------------------------------------------------------------------


EVERY = 3  # turns of a game
AT_LEAST = {  # closed spaces that a random game on each board has in those turns
    "alpine": 140, "atoll": 90, "castle": 50, "fortress": 300, "island": 300, "rivers": 300,
    "strip": 10, "valley": 90,
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS)
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
