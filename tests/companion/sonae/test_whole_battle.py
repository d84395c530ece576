"""A battle fought by touches alone: another player's choices are brought about on the screen."""

from __future__ import annotations

import pytest

from companion.demo.sonae_player import SonaePlayer
from companion.games.match import GameSession
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import OrdersPanel
from companion.scenes.sonae.unit import UnitPanel
from companion.ui.screen import Intent
from engine.sonae.field import Place
from engine.sonae.position import Position
from engine.sonae.steps import (
    Activate,
    Advance,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from tests.companion.sonae.battle import begun, finger, position_at, sixes, table_at
from tests.companion.touching import Hand

pytestmark = pytest.mark.long

STEPS = 170


def test_a_battle_is_fought_by_touches(hand: Hand) -> None:
    begun(hand)
    player, by_touch, kinds = SonaePlayer(5), 0, set()
    for _n in range(STEPS):
        step = player.step(position_at(hand))
        assert step is not None
        kinds.add(type(step))
        before = len(table_at(hand).match.steps)
        bring_about(hand, step)
        if len(table_at(hand).match.steps) == before:  # led to a hair's breadth elsewhere, where it is not allowed
            hand.app.touch(Intent("cancel"))
            assert table_at(hand).match.offer(step).legal
            table_at(hand).refresh()
        else:
            by_touch += 1
    assert by_touch > 0.9 * STEPS
    assert {Settle, Token, Activate, Roll, Advance, Wheel, Fire, Done} <= kinds
    table_at(hand).match.close()
    again: GameSession[Position, Step] = GameSession.open(table_at(hand).match.path)
    assert again.position == position_at(hand)
    again.close()


def bring_about(hand: Hand, step: Step) -> None:
    """Touch what a person would touch for this step."""
    touch = hand.app.touch
    match step:
        case Settle():
            touch(Intent("messenger", step.messenger) if step.messenger else Intent("mode", step.mode))
        case Token():
            touch(Intent("token", step.by))
        case Activate():
            touch(Intent("division", step.division))
        case Roll():
            roll(hand, step)
        case Closing():
            touch(Intent("closing", "yes" if step.fires else "no"))
        case Done():
            touch(Intent("done"))
        case Advance() | FallBack() | Wheel() | Fire() | Rally():
            order(hand, step)


def roll(hand: Hand, step: Roll) -> None:
    if position_at(hand).due[0].kind == "orders":
        hand.app.touch(Intent("face", "", step.dice[0]))
    else:
        sixes(hand, step.dice.count(6))


def order(hand: Hand, step: Advance | FallBack | Wheel | Fire | Rally) -> None:
    """By one touch where a button of the panel means it; else the unit is led."""
    panel = table_at(hand).panel
    assert isinstance(panel, OrdersPanel | UnitPanel)
    if touched_at_once(hand, step):
        return
    if isinstance(step, Rally):
        hand.app.touch(Intent("unit", step.unit))
        assert touched_at_once(hand, step)
    elif isinstance(step, Fire):
        shoot(hand, step)
    else:
        lead(hand, step)
        hand.app.touch(Intent("confirm"))


def touched_at_once(hand: Hand, step: Step) -> bool:
    """Touch the button that means this step, where the panel has one."""
    panel = table_at(hand).panel
    for button in hand.all_buttons():
        if button.intent.verb == "likely" and isinstance(panel, OrdersPanel):
            meant: Step | None = panel.likely[button.intent.n].step
        elif button.intent.verb == "order" and isinstance(panel, UnitPanel) and panel.options is not None:
            meant = panel.options.orders[button.intent.n].step
        else:
            continue
        if meant == step and button.look != "off":
            hand.app.touch(button.intent)
            return True
    return False


def shoot(hand: Hand, step: Fire) -> None:
    """From the unit onto the enemy; where it may be charged as well, it is said which."""
    position = position_at(hand)
    start, end = position.here(step.unit).place.at, position.here(step.target).place.at
    finger(hand, start, middle(start, end), end)
    if position_at(hand) is position:
        assert touched_at_once(hand, step)


def lead(hand: Hand, step: Advance | FallBack | Wheel) -> None:
    """Lead the base there by a finger, or by the form for a turn to where no finger leads."""
    place = position_at(hand).here(step.unit).place
    end = (step.x, step.y)
    finger(hand, place.at, middle(place.at, end, 2.0), end)
    form = table_at(hand).panel
    if not isinstance(form, MovePanel) or type(form.step()) is not type(step):
        turn_by_form(hand, step)
        form = table_at(hand).panel
    assert isinstance(form, MovePanel)
    if isinstance(step, Wheel) and abs(form.end().facing_deg - step.facing_deg) > 1:
        finger(hand, Place(form.x, form.y, step.facing_deg).moved(0, 4).at)
    if abs(form.x - step.x) + abs(form.y - step.y) > 0.1:
        finger(hand, (form.x, form.y), (step.x, step.y))


def turn_by_form(hand: Hand, step: Step) -> None:
    """Choose the unit, and open the form of a turn."""
    assert isinstance(step, Advance | FallBack | Wheel)
    if isinstance(table_at(hand).panel, MovePanel):
        hand.app.touch(Intent("turn", "", 1))
        return
    if not isinstance(table_at(hand).panel, UnitPanel):
        hand.app.touch(Intent("unit", step.unit))
    hand.app.touch(next(button.intent for button in hand.all_buttons() if button.intent.what == "turn"))


def middle(start: tuple[float, float], end: tuple[float, float], far: float = 1.0) -> tuple[float, float]:
    """Return a place that a finger passes: at least so far from where it came down."""
    x, y = end[0] - start[0], end[1] - start[1]
    part = max(0.5, far / max((x * x + y * y) ** 0.5, 0.01))
    return start[0] + x * part, start[1] + y * part
