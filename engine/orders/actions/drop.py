"""Paradrop: units from the reserve land almost anywhere (Paradrop)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.actions import recall
from engine.orders.actions.move import judge_surplus
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Option, Outlook, Stage, Turn, count_recallable
from engine.orders.steps import Deploy
from engine.orders.supply import standing_words
from engine.ruling import Hearing

EMPTY = "empty-drop"
"""The reading by which a Paradrop of no units is allowed, too."""


def targets(outlook: Outlook, space: Space) -> int:
    """Return the areas that may be dropped into, as a set.

    These are all but the enemy's headquarters and the areas with the symbol.
    """
    board = outlook.board
    found = board.of_kind[space.action.kind] & ~board.no_drop & ~(1 << board.hq[outlook.foe])
    return found & ~outlook.control if _is_foreign_only(outlook, space) else found


def _is_foreign_only(outlook: Outlook, space: Space) -> bool:
    return space.action.target_reading in outlook.position.readings


def amount(outlook: Outlook, space: Space) -> int:
    """Count the units that a drop brings by the action's number and a bonus, whatever the reserve has."""
    return space.action.amount + bonuses.bonus_amount(outlook, space.action.name)


def option(outlook: Outlook, space: Space) -> Option | None:
    """Return the option to drop, with the areas and the number of units; None if there is none."""
    if not outlook.supply >> space.area_index & 1:
        return None
    kind = outlook.mode.unit_index[space.action.unit]
    some = outlook.position.reserve(outlook.me, kind) > 0 or (
        space.action.recall and count_recallable(outlook.rows, kind) > 0
    )
    some = some or EMPTY in outlook.position.readings
    found = targets(outlook, space) if some else 0
    return Option(space, found, amount(outlook, space)) if found else None


def judge(hearing: Hearing, outlook: Outlook, step: Deploy, _cards: Sequence[Card]) -> None:
    """Judge a drop: the deployment criteria, the target, the recall and the reserve.

    No card changes where a drop may go.
    """
    space = outlook.board.space(step.space)
    action = space.action
    supplied = bool(outlook.supply >> space.area_index & 1)
    if hearing.thorough or not supplied:
        hearing.weigh(
            f"{action.name}.supply", supplied, standing=standing_words(outlook.position, outlook.me, space.area_index)
        )
    _judge_target(hearing, outlook, space, step.target)
    kind, due = outlook.mode.unit_index[action.unit], amount(outlook, space)
    needs = recall.Needs(action.title, (kind,), {action.unit: due}, {action.unit: action.amount})
    outlook = recall.outlook_after(hearing, outlook, needs, step.recall)
    n = min(due, outlook.position.reserve(outlook.me, kind))
    if not n:
        hearing.weigh(f"{action.name}.units", EMPTY in outlook.position.readings, unit=action.unit)
    area = outlook.board.area_index.get(step.target or "")
    if hearing.thorough and area is not None:
        judge_surplus(hearing, outlook, area, action.kind, n)


def _judge_target(hearing: Hearing, outlook: Outlook, space: Space, target: str | None) -> None:
    action, board = space.action, outlook.board
    if not hearing.weigh(f"{action.name}.target", target is not None, area=space.area) or target is None:
        return
    area = board.area_index.get(target)
    if not hearing.weigh("area.known", area is not None, area=target) or area is None:
        return
    kind, bit = board.areas[area].kind, 1 << area
    hearing.weigh(f"{action.name}.target-kind", kind == action.kind, target=target, kind=kind)
    hearing.weigh(f"{action.name}.headquarters", area != board.hq[outlook.foe], target=target)
    hearing.weigh(f"{action.name}.no-drop", not board.no_drop & bit, target=target)
    hearing.weigh(f"{action.name}.own", not (_is_foreign_only(outlook, space) and outlook.control & bit), target=target)


def perform(draft: Draft, outlook: Outlook, step: Deploy) -> None:
    """Carry out a drop: recall, add units as far as the reserve has them, and start a conflict if enemies are there."""
    space = outlook.board.space(step.space)
    assert step.target is not None
    area, kind = outlook.board.area_index[step.target], outlook.mode.unit_index[space.action.unit]
    recall.perform(draft, outlook.me, step.recall)
    n = min(amount(outlook, space), draft.reserve(outlook.me, kind))
    if n:
        draft.add(outlook.me, kind, area, n)
        draft.tell("placed", outlook.me, area, kind, n)
    for card in (outlook.mode.cards[name] for name in step.cards):
        _join_by_card(draft, outlook, area, card)
    contested = (area,) if outlook.enemy >> area & 1 and draft.standing(outlook.me, area) else ()
    draft.turn = Turn(space.index, Stage.JOIN, area, contested, entered=1 << area & ~outlook.control)


def _join_by_card(draft: Draft, outlook: Outlook, area: int, card: Card) -> None:
    """Add the units of a card that lets some join the drop.

    They are as many as the card allows and the reserve has.
    """
    if card.verb == "join":
        kind = outlook.mode.unit_index[card.unit]
        n = min(card.amount, draft.reserve(outlook.me, kind))
        draft.add(outlook.me, kind, area, n)
        draft.tell("joined", outlook.me, area, kind, n)
