"""Panels and forms where land holds troops and siege weapons side by side: on a made-up board with both."""

from __future__ import annotations

from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.panels import Why
from companion.scenes.orders.answers import LossPanel, answer_for
from companion.scenes.orders.forms import CardOffer
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.orders.targeting import ShotForm
from companion.scenes.orders.turn import AreaPanel, Spaces, TurnPanel, form_for
from companion.ui.screen import Intent, Screen, Steppers
from companion.view.page.canvas import lay_out
from engine.orders.game import apply, owed
from engine.orders.position import Position
from engine.orders.steps import Deploy, Remove, Roll
from tests.boards.practice import castle
from tests.tables import stand

START = stand(castle(), "a1:3 a2:3+2", "c1:3 b2:2+2")


def attacked() -> Position:
    """Red has moved three troops into the fortified b2; the defence rolled a one: black has a choice of losses."""
    moved = apply(START, Deploy("advance:b2", moves=(("a2", "troop", 3),)))
    return apply(moved, Roll((1, 0), "black"))


def labels(blocks: tuple[object, ...]) -> list[str]:
    return [stepper.label for block in blocks if isinstance(block, Steppers) for stepper in block.steppers]


def test_the_owner_chooses_losses_by_kind() -> None:
    position = attacked()
    due = owed(position)
    assert due is not None
    panel = answer_for(position, due)
    assert isinstance(panel, LossPanel)
    assert labels(panel.show().blocks) == ["2 troops", "2 siege weapons"]
    assert isinstance(panel.touch(Intent("confirm")), Why)
    panel.touch(Intent("count", "b2/troop", 1))
    assert panel.show().marks.changes == {("b2", "troop"): -1}
    assert panel.show().actions[1].look == "off"
    panel.touch(Intent("count", "b2/siege", 1))
    panel.touch(Intent("other"))
    assert panel.show().actions[1].look == "primary"
    assert panel.touch(Intent("confirm")) == CardOffer(Remove((("troop", 1), ("siege", 1)), "black", "b2"))


def test_too_many_losses_are_objected_to_in_words() -> None:
    position = attacked()
    due = owed(position)
    assert due is not None
    panel = answer_for(position, due)
    for _ in range(3):
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


def test_any_board_is_drawn() -> None:
    panel = AreaPanel(Spaces(START), "b2")
    screen = Screen(blocks=panel.show().blocks, map=map_picture(START, Marks(), None))
    assert lay_out(screen, (800, 480)).target_at((799, 470)) is None
    assert TurnPanel(Spaces(START), []).show().marks.live
