"""Paradrop: units from the reserve land almost anywhere (Paradrop)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.actions import recall
from engine.orders.actions.move import judge_surplus
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.outlook import Option, Outlook, spare
from engine.orders.position import Stage, Turn
from engine.orders.steps import Deploy
from engine.orders.supply import standing
from engine.ruling import Hearing

EMPTY = "empty-drop"
"""The reading by which nothing may be dropped, too."""


def targets(seen: Outlook, space: Space) -> int:
    """Return the areas that may be dropped into, as a set.

    These are all but the enemy's headquarters and the areas with the symbol.
    """
    board = seen.board
    found = board.of_kind[space.action.kind] & ~board.no_drop & ~(1 << board.hq[seen.foe])
    return found & ~seen.control if _strange_only(seen, space) else found


def _strange_only(seen: Outlook, space: Space) -> bool:
    return space.action.target_reading in seen.position.readings


def amount(seen: Outlook, space: Space) -> int:
    """Count the units that are dropped, by the action's number and that of a bonus."""
    return space.action.amount + bonuses.extra(seen, space.action.name)


def option(seen: Outlook, space: Space) -> Option | None:
    """Offer the areas that may be dropped into, and the number."""
    if not seen.supply >> space.area_index & 1:
        return None
    kind = seen.mode.unit_index[space.action.unit]
    some = seen.position.reserve(seen.me, kind) > 0 or (space.action.recall and spare(seen.rows, kind) > 0)
    some = some or EMPTY in seen.position.readings
    found = targets(seen, space) if some else 0
    return Option(space, found, amount(seen, space)) if found else None


def judge(hearing: Hearing, seen: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    """Judge the deployment criteria, the target, the recall and the reserve."""
    del cards  # none changes where a drop may go
    space = seen.board.space(step.space)
    action = space.action
    supplied = bool(seen.supply >> space.area_index & 1)
    if hearing.thorough or not supplied:
        hearing.weigh(f"{action.name}.supply", supplied, standing=standing(seen.position, seen.me, space.area_index))
    _judge_target(hearing, seen, space, step.target)
    kind, due = seen.mode.unit_index[action.unit], amount(seen, space)
    needs = recall.Needs(action.title, (kind,), {action.unit: due}, {action.unit: action.amount})
    seen = recall.outlook_after(hearing, seen, needs, step.recall)
    n = min(due, seen.position.reserve(seen.me, kind))
    if not n:
        hearing.weigh(f"{action.name}.units", EMPTY in seen.position.readings, unit=action.unit)
    area = seen.board.area_index.get(step.target or "")
    if hearing.thorough and area is not None:
        judge_surplus(hearing, seen, area, action.kind, n)


def _judge_target(hearing: Hearing, seen: Outlook, space: Space, target: str | None) -> None:
    action, board = space.action, seen.board
    if not hearing.weigh(f"{action.name}.target", target is not None, area=space.area) or target is None:
        return
    area = board.area_index.get(target)
    if not hearing.weigh("area.known", area is not None, area=target) or area is None:
        return
    kind, bit = board.areas[area].kind, 1 << area
    hearing.weigh(f"{action.name}.target-kind", kind == action.kind, target=target, kind=kind)
    hearing.weigh(f"{action.name}.headquarters", area != board.hq[seen.foe], target=target)
    hearing.weigh(f"{action.name}.no-drop", not board.no_drop & bit, target=target)
    hearing.weigh(f"{action.name}.own", not (_strange_only(seen, space) and seen.control & bit), target=target)


def perform(draft: Draft, seen: Outlook, step: Deploy) -> None:
    """Recall, drop what the reserve has, and name the conflict if there is one."""
    space = seen.board.space(step.space)
    assert step.target is not None
    area, kind = seen.board.area_index[step.target], seen.mode.unit_index[space.action.unit]
    recall.take(draft, seen.me, step.recall)
    n = min(amount(seen, space), draft.reserve(seen.me, kind))
    if n:
        draft.add(seen.me, kind, area, n)
        draft.tell("placed", seen.me, area, kind, n)
    for card in (seen.mode.cards[name] for name in step.cards):
        _join(draft, seen, area, card)
    contested = (area,) if seen.enemy >> area & 1 and draft.standing(seen.me, area) else ()
    draft.turn = Turn(space.index, Stage.JOIN, area, contested, entered=1 << area & ~seen.control)


def _join(draft: Draft, seen: Outlook, area: int, card: Card) -> None:
    """Add the units of a card that lets some join the drop.

    They are as many as the card allows and the reserve has.
    """
    if card.verb == "join":
        kind = seen.mode.unit_index[card.unit]
        n = min(card.amount, draft.reserve(seen.me, kind))
        draft.add(seen.me, kind, area, n)
        draft.tell("joined", seen.me, area, kind, n)
