"""Area bonuses: who has which at this moment (Area Bonuses)."""

from __future__ import annotations

from engine.orders.draft import Draft
from engine.orders.mode import Bonus
from engine.orders.outlook import Outlook


def bonus_for(seen: Outlook, action: str) -> Bonus | None:
    """The bonus that adds to this action for the acting faction: it supplies the land area with the token now."""
    for name, area in zip(seen.position.bonuses, seen.board.slot_areas, strict=True):
        if name and seen.supply >> area & 1:
            bonus = seen.mode.bonuses[name]
            if bonus.action == action:
                return bonus
    return None


def extra(seen: Outlook, action: str) -> int:
    """By how much a bonus raises the amount of this action: units to place, cards to draw, dice to roll."""
    bonus = bonus_for(seen, action)
    return bonus.amount if bonus is not None and bonus.verb == "more" else 0


def joining(seen: Outlook, action: str) -> tuple[int, int]:
    """The unit kind and number that a bonus lets join after the move in, from the reserve; (0, 0) for none."""
    bonus = bonus_for(seen, action)
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
