"""Why a roll has as many dice as it has: each part of the pool with its reason (Conflicts, Bombard, Shell, Siege)."""

from __future__ import annotations

from engine.orders import bonuses, cards, conflict
from engine.orders.defence import Part, defence_parts
from engine.orders.draft import Draft
from engine.orders.outlook import outlook
from engine.orders.position import Position, Stage, Turn

__all__ = ["Part", "pool"]

ROLLS = (Stage.DEFENCE, Stage.SHOT, Stage.ROLLED)


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
    own = _shot(position, turn) if shot else defence_parts(position, turn.area, 1 - position.to_move)
    parts = [*own, *_cards(position, turn)]
    rest = turn.dice - sum(part.dice for part in parts)
    return (*parts, Part("agreed", rest)) if rest else tuple(parts)


def _shot(position: Position, turn: Turn) -> list[Part]:
    seen, space = outlook(position, position.to_move), position.board.spaces[turn.space]
    action = space.action
    parts = [Part("action", action.dice)] if action.dice else []
    if action.dice_per:
        n = seen.rows[seen.mode.unit_index[action.dice_per]][space.area_index]
        parts.append(Part("units", n, action.dice_per))
    if turn.payload:
        parts.append(Part("payload", turn.payload, action.payload))
    extra = bonuses.extra(seen, action.name)
    return [*parts, Part("bonus", extra, seen.bonuses[action.name].name)] if extra else parts


def _cards(position: Position, turn: Turn) -> list[Part]:
    """The dice of cards resolved this turn by whoever rolls."""
    action = position.board.spaces[turn.space].action.name
    spent = (position.board.mode.cards[name] for name in position.spent[cards.roller(position)])
    return [Part("card", card.amount, card.name) for card in spent if card.verb == "dice" and card.action == action]
