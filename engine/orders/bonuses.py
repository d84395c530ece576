"""What area bonuses add to an action (Area Bonuses)."""

from __future__ import annotations

from engine.orders.draft import Draft
from engine.orders.outlook import Outlook


def extra(seen: Outlook, action: str) -> int:
    """By how much a bonus raises the amount of this action: units to place, cards to draw, dice to roll."""
    bonus = seen.bonuses.get(action)
    return bonus.amount if bonus is not None and bonus.verb == "more" else 0


def joining(seen: Outlook, action: str) -> tuple[int, int]:
    """The unit kind and number that a bonus lets join after the move in, from the reserve; (0, 0) for none."""
    bonus = seen.bonuses.get(action)
    if bonus is None or bonus.verb != "join":
        return 0, 0
    kind = seen.mode.unit_index[bonus.unit]
    return kind, min(bonus.amount, seen.position.reserve(seen.me, kind))


def join(draft: Draft, seen: Outlook, action: str, area: int) -> None:
    """Add the unit of Hidden Base or Shipyard to the linked area; supply is judged as the action starts."""
    kind, units = joining(seen, action)
    if units:
        draft.add(seen.me, kind, area, units)
        draft.tell("bonus", seen.me, area, kind, units)
