"""A battle fought by touches alone: another player's choices are brought about on the screen."""

from __future__ import annotations

import pytest

from companion.demo.sonae_player import SonaePlayer
from companion.games.session import GameSession
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.orders import ConfirmPanel, UnitPanel
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
from tests.companion.sonae.battle import begun, finger, position_at, table_at
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
            touch(Intent("mode", step.mode))
            touch(Intent("messenger", step.messenger))
            touch(Intent("confirm"))
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
    due = position_at(hand).due[0]
    if due.kind == "orders":
        hand.app.touch(Intent("face", "", step.dice[0]))
    else:
        for n, die in enumerate(step.dice):
            if die == 6:
                hand.app.touch(Intent("die", "", n))
    hand.app.touch(Intent("confirm"))


def order(hand: Hand, step: Advance | FallBack | Wheel | Fire | Rally) -> None:
    hand.app.touch(Intent("unit", step.unit))
    panel = table_at(hand).panel
    assert isinstance(panel, UnitPanel)
    assert panel.options is not None
    if isinstance(step, Fire | Rally):
        found = next(n for n, one in enumerate(panel.options.orders) if one.step == step)
        hand.app.touch(Intent("order", "", found))
        assert isinstance(table_at(hand).panel, ConfirmPanel)
    else:
        lead(hand, step)
    hand.app.touch(Intent("confirm"))


def lead(hand: Hand, step: Advance | FallBack | Wheel) -> None:
    """Open the form of the move, and lead the base there by a finger."""
    kind = {Advance: "advance", FallBack: "fall_back", Wheel: "turn"}[type(step)]
    panel = table_at(hand).panel
    assert isinstance(panel, UnitPanel)
    assert panel.options is not None
    found = next(n for n, one in enumerate(panel.options.orders) if one.kind == kind)
    hand.app.touch(Intent("order", kind, found))
    form = table_at(hand).panel
    if not isinstance(form, MovePanel):  # its straight way is closed: the ruling says so; a finger shows another one
        hand.app.scene = hand.app.table  # type: ignore[assignment]
        finger(hand, (step.x, step.y))
        form = table_at(hand).panel
    if isinstance(form, MovePanel) and isinstance(step, Wheel):
        finger(hand, Place(form.x, form.y, step.facing_deg).moved(0, 4).at)
    if isinstance(form, MovePanel):
        finger(hand, (form.x, form.y), (step.x, step.y))
