"""Why a roll has as many dice as it has: each part of the pool with its reason (Conflicts, Bombard, Shell, Siege)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.orders import bonuses, cards, conflict
from engine.orders.draft import Draft
from engine.orders.outlook import outlook
from engine.orders.position import Position, Stage, Turn

ROLLS = (Stage.DEFENCE, Stage.SHOT, Stage.ROLLED)


@dataclass(frozen=True, slots=True)
class Part:
    """So many dice of a pool. reason: "defence", "fort", "action", "units", "bonus", "card" or "agreed" (set by hand,
    below 0 where there are fewer); name: of the bonus, the card, or the kind of unit that rolls.
    """

    reason: str
    dice: int
    name: str = ""


def pool(position: Position) -> tuple[Part, ...]:
    """The parts of the roll that is owed or lies there; none where there is none."""
    turn = position.turn
    if turn is not None and turn.stage is Stage.JOIN:
        draft = Draft(position)
        conflict.close_window(draft)
        position = draft.freeze()
        turn = position.turn
    if turn is None or turn.stage not in ROLLS:
        return ()
    shot = position.board.spaces[turn.space].action.verb == "shoot"
    parts = [*(_shot(position, turn) if shot else _defence(position, turn)), *_cards(position, turn)]
    rest = turn.dice - sum(part.dice for part in parts)
    return (*parts, Part("agreed", rest)) if rest else tuple(parts)


def _defence(position: Position, turn: Turn) -> list[Part]:
    board, mode = position.board, position.board.mode
    fort = bool(board.forts >> turn.area & 1)
    return [Part("fort", mode.fort_dice) if fort else Part("defence", mode.defence_dice)]


def _shot(position: Position, turn: Turn) -> list[Part]:
    seen, space = outlook(position, position.to_move), position.board.spaces[turn.space]
    action = space.action
    parts = [Part("action", action.dice)] if action.dice else []
    if action.dice_per:
        n = seen.rows[seen.mode.unit_index[action.dice_per]][space.area_index]
        parts.append(Part("units", n, action.dice_per))
    extra = bonuses.extra(seen, action.name)
    return [*parts, Part("bonus", extra, seen.bonuses[action.name].name)] if extra else parts


def _cards(position: Position, turn: Turn) -> list[Part]:
    """The dice of cards resolved this turn by whoever rolls."""
    action = position.board.spaces[turn.space].action.name
    spent = (position.board.mode.cards[name] for name in position.spent[cards.roller(position)])
    return [Part("card", card.amount, card.name) for card in spent if card.verb == "dice" and card.action == action]
