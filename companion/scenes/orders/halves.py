"""A panel as the table shows it: with the hands' list on one screen, shortened in a half, watched from the other."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.halves import in_half, without_log
from companion.scenes.base.panels import Face, Panel
from companion.scenes.orders.announced import AnnouncedPanel
from companion.scenes.orders.answers import LossPanel, RollPanel, WindowPanel
from companion.scenes.orders.forms import DeployForm
from companion.scenes.orders.hand_tasks import ToDo
from companion.scenes.orders.moving import MoveForm
from companion.scenes.orders.proposal import ProposalPanel, ThrowPanel
from companion.scenes.orders.turn import TurnPanel
from companion.ui.screen import Block, Button, Intent, Log, Prompt, Steppers, Text
from engine.orders.steps import Step


def with_tasks(panel: Panel[Step], face: Face, todo: ToDo) -> tuple[Block, ...]:
    """Add the list of pieces to move: below the prompt while no turn is open, else wherever the form leaves room."""
    first, *rest = face.blocks
    if not todo.open:
        return face.blocks
    if isinstance(panel, AnnouncedPanel):
        return (first, *todo.block(), *rest)
    if isinstance(panel, RollPanel | LossPanel | WindowPanel):
        return (first, *rest, Log((todo.line(),)))
    if not isinstance(panel, TurnPanel):
        return face.blocks
    if not isinstance(first, Prompt):
        return (first, *todo.block(), *without_log(rest))
    return (*todo.block(replace(first, hint="")), *without_log(rest))


def half_blocks(panel: Panel[Step], face: Face, news: str) -> tuple[Block, ...]:
    """Fit the panel into half the screen; the other half has the list of pieces to move.

    news: what to tell above an idle turn, in place of "Your turn".
    """
    first, *rest = face.blocks
    if not isinstance(first, Prompt):
        return without_log(face.blocks)
    if Intent("pass") in {action.intent for action in face.actions}:
        return (Text(news or _("Your turn"), "strong"), *without_log(rest))
    if isinstance(panel, DeployForm):  # the map counts as well as the steppers
        rest = sorted(rest, key=lambda block: isinstance(block, Steppers))
    if isinstance(panel, RollPanel):  # the dice need the room
        return (Text(first.text, "strong"), *rest, Log((panel.reasons(),)))
    return in_half((first, *rest))


def is_elsewhere(panel: Panel[Step], area: str) -> bool:
    """Return whether a touch on the area leaves the open form for another turn.

    That is so if the area is no target of the form and has none of the mover's units.
    """
    if not isinstance(panel, MoveForm) or area == panel.space.area:
        return False
    return panel.position.to_move_name not in panel.position.units_in(area)


def asks_about(panel: Panel[Step], area: str) -> bool:
    """Return whether a touch on the area asks about it.

    It does while a turn is offered, and on the target of an open form.
    """
    return isinstance(panel, ProposalPanel | ThrowPanel) or (isinstance(panel, DeployForm) and panel.space.area == area)


def cards_button() -> Button:
    """Make the button that opens the cards."""
    return Button(_("Cards"), Intent("cards"), "quiet", "hand")
