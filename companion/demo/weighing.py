"""What a position is worth to a player: points, pieces, cards, commanders, and how safe the headquarters are."""

from __future__ import annotations

from functools import cache

from engine.areas import members
from engine.orders.actions import fire, move
from engine.orders.board import Space
from engine.orders.defence import defence_dice
from engine.orders.odds import conflict_odds, shot_odds
from engine.orders.outlook import Outlook, outlook
from engine.orders.position import Position

# what each thing is worth, against one another: only their proportions matter
LOST = 60.0  # a game
POINT = 3.0  # a victory point in supply
POINT_CUT_OFF = 1.0
BONUS = 1.0  # an area with a bonus, in supply
UNIT, RARE = 0.35, 2.5  # any unit, and what a kind's rarity adds, shared by all of it in the reserve
COVER = 0.5  # a die of defence that an air zone gives an own area
CARD = 1.0
CARDS_ENOUGH = 4  # more cards than these are worth nothing
COMMANDER = 1.5  # one that stands by
INITIATIVE = 0.7  # four times that in the last round, where it decides ties
FEAR = 0.45
"""How much of a lost game it is worth that one may be lost in the next turn."""
LOOMS = 0.7
"""For each unit by which a shot and a move together, one turn after the other, may be too many."""


def worth(position: Position, faction: str) -> float:
    """How much better this position is for one faction than for the other."""
    other = next(one for one in position.board.factions if one != faction)
    if position.winner_name is not None:
        return LOST if position.winner_name == faction else -LOST
    return _side(position, faction) - _side(position, other)


def _side(position: Position, faction: str) -> float:
    hand = position.hand(faction)
    cards = hand if isinstance(hand, int) else len(hand)
    total = _held(position, faction) + CARD * min(cards, CARDS_ENOUGH)
    total -= COMMANDER * position.standing_by(faction)
    if position.initiative_name == faction:
        total += INITIATIVE * (4 if position.round == position.board.mode.rounds else 1)
    return total - _danger(position, position.board.mode.faction_index[faction])


def _held(position: Position, faction: str) -> float:
    """Areas and the units in them, and land under an air zone that its owner supplies."""
    board, me = position.board, position.board.mode.faction_index[faction]
    control, supply = (sides[me] for sides in position.survey)
    total = sum(
        (UNIT + RARE / kind.reserve) * sum(row)
        for kind, row in zip(board.mode.units, position.units[me], strict=True)
        if kind.reserve
    )
    for area in members(control):
        supplied = bool(supply >> area & 1)
        total += (POINT if supplied else POINT_CUT_OFF) * board.vps[area]
        total += BONUS if supplied and (board.areas[area].slot or board.areas[area].printed) else 0.0
        total += COVER * board.mode.zone_dice * (board.beneath[area] & control).bit_count() if supplied else 0.0
    return total


def _danger(position: Position, me: int) -> float:
    """How open the headquarters is to moves and shots of the other side's next turns."""
    theirs, board = outlook(position, 1 - me), position.board
    home, die = board.hq[me], board.mode.die
    garrison = sum(row[home] for row in position.units[me])
    attackers = max((_attackers(theirs, space, home) for space in board.spaces), default=0)
    soon = theirs.supply | board.adjacency.around(theirs.supply)
    spaces = [space for space in board.spaces if space.action.verb == "shoot"]
    now, later = (max((_dice(theirs, one, home, held) for one in spaces), default=0) for held in (theirs.supply, soon))
    falls = max(
        _fall_chance(die, defence_dice(position, home, me), attackers, garrison), _emptying_chance(die, now, garrison)
    )
    return FEAR * LOST * falls + LOOMS * max(0, attackers + later + 1 - garrison)


@cache
def _fall_chance(die: tuple[int, ...], dice: int, attackers: int, garrison: int) -> float:
    """How likely so many attackers take a headquarters."""
    return float(1 - conflict_odds(die, dice, attackers, garrison).defender_holds) if attackers else 0.0


@cache
def _emptying_chance(die: tuple[int, ...], dice: int, garrison: int) -> float:
    """How likely a shot empties it."""
    return float(shot_odds(die, dice, garrison).empties) if dice else 0.0


def _attackers(seen: Outlook, space: Space, home: int) -> int:
    """The units that may move into a headquarters from a space."""
    if space.action.verb != "move" or space.area_index != home:
        return 0
    sources = move.reach(seen, space) & seen.spare
    return sum(sum(row[area] for row in seen.rows) - 1 for area in members(sources))


def _dice(seen: Outlook, space: Space, home: int, held: int) -> int:
    """The dice of a shot at a headquarters from a space in one of the areas of a set."""
    if not held >> space.area_index & 1 or space.faction not in (None, seen.board.factions[seen.me]):
        return 0
    return fire.dice(seen, space) if fire.targets(seen, space) >> home & 1 else 0
