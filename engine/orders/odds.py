"""What a roll is made of, and the exact odds of conflicts and shots before it (Conflicts, Bombard, Shell, Siege).

Chances are exact fractions. Cards that might still be played and dice that might be rolled again are not part of them:
nobody has to spend a card, and what is not yet done is not known. Units over an area's limit go home after the action;
the numbers here are those before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.dice import pool_odds
from engine.orders import bonuses, cards, conflict
from engine.orders.bonuses import RollPart, defence_dice, defence_parts
from engine.orders.draft import Draft
from engine.orders.game import apply
from engine.orders.position import Position, Stage, Turn, outlook_of
from engine.orders.steps import Step

Chances = Mapping[int, Fraction]
"""{number of units: its chance}, without those that cannot happen."""

NEVER = Fraction(0)


@dataclass(frozen=True, slots=True)
class ConflictOdds:
    """How a conflict ends.

    `attacker` and `defender`: {units left, from 1: the chance that this side holds the area with them}; `empty`: the
    chance that nobody is left. All of them together are 1.
    """

    dice: int
    attackers: int
    defenders: int
    attacker: Chances
    defender: Chances
    empty: Fraction

    @property
    def attacker_holds(self) -> Fraction:
        """The chance that attackers are left."""
        return sum(self.attacker.values(), NEVER)

    @property
    def defender_holds(self) -> Fraction:
        """The chance that defenders are left."""
        return sum(self.defender.values(), NEVER)


@dataclass(frozen=True, slots=True)
class ShotOdds:
    """What a shot does: the chance of each number of units lost, of `targets` that stand there."""

    dice: int
    targets: int
    losses: Chances

    @property
    def empties(self) -> Fraction:
        """The chance that units stood there and none is left."""
        return self.losses.get(self.targets, NEVER) if self.targets else NEVER


@dataclass(frozen=True, slots=True)
class AreaOdds:
    """The odds of one roll, of a conflict or a shot. `by` rolls; `ends`: the chance that a headquarters falls by it."""

    area: str
    by: str
    odds: ConflictOdds | ShotOdds
    ends: Fraction


def conflict_odds(die: tuple[int, ...], dice: int, attackers: int, defenders: int) -> ConflictOdds:
    """Return the exact odds of a conflict: the defence roll of `dice` dice with these faces, then attrition.

    >>> odds = conflict_odds((0, 1, 1, 1, 1, 2), 1, attackers=3, defenders=2)
    >>> odds.attacker, odds.defender, odds.empty
    ({1: Fraction(1, 6)}, {1: Fraction(1, 6)}, Fraction(2, 3))
    """
    ends = _gathered(die, dice, lambda pips: max(0, attackers - pips) - defenders)
    attacker = {lead: chance for lead, chance in ends.items() if lead > 0}
    defender = {-lead: chance for lead, chance in ends.items() if lead < 0}
    return ConflictOdds(dice, attackers, defenders, attacker, defender, ends.get(0, NEVER))


def shot_odds(die: tuple[int, ...], dice: int, targets: int) -> ShotOdds:
    """Return the exact odds of a shot of `dice` dice at an area with `targets` units of the enemy.

    `die` has the faces of one die.

    >>> shot_odds((0, 1, 1, 1, 1, 2), 2, targets=1).losses
    {0: Fraction(1, 36), 1: Fraction(35, 36)}
    """
    return ShotOdds(dice, targets, _gathered(die, dice, lambda pips: min(pips, targets)))


def _gathered(die: tuple[int, ...], dice: int, end: Callable[[int], int]) -> dict[int, Fraction]:
    """Return the chance of each outcome, where `end` gives the outcome of a total of pips."""
    chances: dict[int, Fraction] = {}
    for pips, chance in pool_odds(die, dice).items():
        chances[end(pips)] = chances.get(end(pips), NEVER) + chance
    return dict(sorted(chances.items()))


def step_odds(position: Position, step: Step) -> tuple[AreaOdds, ...]:
    """Return the odds of every roll that a step leads to: one entry for each conflict, or for the shot.

    A deployment counts with its bonuses and the cards that it names; for a card these are the odds once it is played.
    Empty if nothing is rolled. Raises Illegal if the step is not legal.
    """
    return owed_odds(apply(position, step))


def owed_odds(position: Position) -> tuple[AreaOdds, ...]:
    """Return the odds of every roll that is still owed in the turn in progress; empty if none is."""
    turn = position.turn
    return () if turn is None else tuple(_area_odds(position, area, dice) for area, dice in owed_rolls(position, turn))


def owed_rolls(position: Position, turn: Turn) -> Iterator[tuple[int, int]]:
    """Yield the area and number of dice of each roll owed: the one owed now, then that of each conflict to come."""
    if turn.stage in (Stage.DEFENCE, Stage.SHOT):
        yield turn.area, turn.dice
    for area in turn.contested:
        yield area, defence_dice(position, area, 1 - position.to_move)


def _area_odds(position: Position, area: int, dice: int) -> AreaOdds:
    board, me = position.board, position.to_move
    attackers, defenders = (sum(row[area] for row in position.units[faction]) for faction in (me, 1 - me))
    roller = cards.roller(position)
    odds: ConflictOdds | ShotOdds
    if roller == me:
        odds = shot_odds(board.mode.die, dice, defenders)
        falls = odds.empties
    else:
        odds = conflict_odds(board.mode.die, dice, attackers, defenders)
        falls = 1 - odds.defender_holds
    ends = falls if area == board.hq[1 - me] else NEVER
    return AreaOdds(board.areas[area].name, board.factions[roller], odds, ends)


__all__ = ["RollPart", "roll_parts"]

ROLLS = (Stage.DEFENCE, Stage.SHOT, Stage.ROLLED)


def roll_parts(position: Position) -> tuple[RollPart, ...]:
    """Return the dice of the roll that is owed or was just made, by reason; nothing if there is no such roll."""
    turn = position.turn
    if turn is not None and turn.stage is Stage.JOIN:
        draft = Draft(position)
        conflict.close_window(draft)
        position = draft.freeze()
        turn = position.turn
    if turn is None or turn.stage not in ROLLS:
        return ()
    shot = position.board.spaces[turn.space].action.verb == "shoot"
    own = _shot(position, turn) if shot else defence_parts(position, turn.area, 1 - position.to_move)
    parts = [*own, *_cards(position, turn)]
    rest = turn.dice - sum(part.dice for part in parts)
    return (*parts, RollPart("agreed", rest)) if rest else tuple(parts)


def _shot(position: Position, turn: Turn) -> list[RollPart]:
    outlook, space = outlook_of(position, position.to_move), position.board.spaces[turn.space]
    action = space.action
    parts = [RollPart("action", action.dice)] if action.dice else []
    if action.dice_per:
        n = outlook.rows[outlook.mode.unit_index[action.dice_per]][space.area_index]
        parts.append(RollPart("units", n, action.dice_per))
    if turn.payload:
        parts.append(RollPart("payload", turn.payload, action.payload))
    extra = bonuses.bonus_amount(outlook, action.name)
    return [*parts, RollPart("bonus", extra, outlook.bonuses[action.name].name)] if extra else parts


def _cards(position: Position, turn: Turn) -> list[RollPart]:
    """List the dice of cards resolved this turn by the side that rolls."""
    action = position.board.spaces[turn.space].action.name
    spent = (position.board.mode.cards[name] for name in position.spent[cards.roller(position)])
    return [RollPart("card", card.amount, card.name) for card in spent if card.verb == "dice" and card.action == action]
