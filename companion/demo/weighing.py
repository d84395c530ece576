"""What a position is worth to a player: points, pieces, cards, and how safe the headquarters are."""

from __future__ import annotations

from engine.orders.position import Position
from engine.orders.supply import supply

LOST = 60.0
POINT = 3.0
POINT_CUT_OFF = 1.0
BONUS = 1.0
LAND_UNIT = 0.45
SHIP = 0.6
CARD = 1.0
CARDS_ENOUGH = 4
INITIATIVE = 0.7
DANGER = 2.2
SHELLED = 1.5


def worth(position: Position, faction: str) -> float:
    """How much better this position is for one faction than for the other."""
    other = next(one for one in position.board.factions if one != faction)
    if position.winner_name is not None:
        return LOST if position.winner_name == faction else -LOST
    return _side(position, faction) - _side(position, other)


def _side(position: Position, faction: str) -> float:
    hand = position.hand(faction)
    cards = hand if isinstance(hand, int) else len(hand)
    total = _land(position, faction) + CARD * min(cards, CARDS_ENOUGH)
    if position.initiative_name == faction:
        total += INITIATIVE * (4 if position.round == position.board.mode.rounds else 1)
    return total - _danger(position, faction)


def _land(position: Position, faction: str) -> float:
    """Areas and the units in them."""
    supplied = frozenset(supply(position)[faction])
    total = 0.0
    for area in position.board.areas:
        units = position.units_in(area.name).get(faction)
        if not units:
            continue
        each = SHIP if area.kind == "water" else LAND_UNIT
        total += each * sum(units.values())
        total += (POINT if area.name in supplied else POINT_CUT_OFF) * area.vp
        total += BONUS if area.slot and area.name in supplied else 0.0
    return total


def _danger(position: Position, faction: str) -> float:
    """How open the headquarters is to an Advance or a Bombard of the other side's next turn."""
    board = position.board
    other = next(one for one in board.factions if one != faction)
    home = next(area for area in board.areas if area.hq == faction)
    garrison = sum(position.units_in(home.name).get(faction, {}).values())
    supplied = frozenset(supply(position)[other])
    near = {name for name in home.adjacent if name in supplied}
    bridged = {beyond for name in near if board.area(name).kind == "water" for beyond in board.area(name).adjacent}
    sources = {name for name in near | (bridged & supplied) if board.area(name).kind == "land"}
    attackers = sum(_spare(position, name, other) for name in sources)
    ships = max((_spare(position, name, other) + 1 for name in near if board.area(name).kind == "water"), default=0)
    return DANGER * max(0, attackers - garrison) + SHELLED * max(0, ships + 1 - garrison)


def _spare(position: Position, area: str, faction: str) -> int:
    return sum(position.units_in(area).get(faction, {}).values()) - 1
