"""Cards as they are played inside a turn or between two, and what they do (Operation Cards)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.orders import cards, conflict
from engine.orders.actions import fire, move, muster, recall
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.position import Position, Turn, outlook_of
from engine.orders.steps import RESERVE, Play
from engine.ruling import Hearing


def judge_play(hearing: Hearing, position: Position, step: Play) -> None:
    """Judge whether a card may be played now, by this player, in this way."""
    by = cards.judge_faction(hearing, position, step.by)
    if by is None:
        return
    card = cards.judge_held(hearing, position, by, step.card)
    if card is None:
        return
    turn = position.turn
    if card.verb == "table":
        cards.judge_once(hearing, position, by, card)
        _judge_play_form(hearing, card, step)
        return
    # an effect may end its turn: played again before the next one begins, it is played twice in that turn
    again = turn is None and card.by == "mover" and card.name in position.last_spent[by]
    here = replace(position, spent=position.last_spent) if again else position
    if not cards.judge_once(hearing, here, by, card):
        return
    fits = turn is not None and card.action in ("", position.board.spaces[turn.space].action.name)
    now = fits and turn is not None and turn.open and turn.stage.value == card.moment
    if turn is not None and fits and cards.may_join_late(turn, card):
        now = hearing.weigh("card.late", cards.LATE in position.readings, card=card.heading)
        if not now:
            return
    if not hearing.weigh("card.moment", now, card=card.heading, condition=card.condition) or turn is None:
        return
    side = position.board.factions[cards.actor(position, card)]
    if hearing.weigh("card.side", side == step.by, card=card.heading, who=side):
        _judge_effect(hearing, position, turn, (card, step))


_PLAY_FORMS: dict[str, tuple[str, ...]] = {
    "dice": (),
    "join": ("units", "moves", "recall"),
    "place": ("place", "recall"),
    "again": ("target",),
}


def _judge_play_form(hearing: Hearing, card: Card, step: Play) -> None:
    for key in ("moves", "place", "target", "units", "recall"):
        if getattr(step, key) not in ((), None):
            hearing.weigh("card.form", key in _PLAY_FORMS.get(card.verb, ()), card=card.heading, key=key)


def _judge_effect(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    _judge_play_form(hearing, card, step)
    if card.verb == "again":
        fire.judge_target(
            hearing, outlook_of(position, position.to_move), position.board.spaces[turn.space], step.target
        )
    elif card.unit:
        left = _judge_added(hearing, position, turn, played)
        if card.verb == "place":
            _judge_placed(hearing, position, turn, played)
            muster.judge_limit(hearing, left, position.board.spaces[turn.space].action, step, card.amount)
        if hearing.thorough:
            _judge_surplus(hearing, left, turn, played)


def _judge_added(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> Position:
    """Judge whether a card adds the units it may and the reserve has; return the position after the recall."""
    card, step = played
    units, kind = added_units(position, card, step), position.board.mode.unit_index[card.unit]
    if step.recall:
        action = position.board.spaces[turn.space].action
        hearing.weigh("card.form", action.recall, card=card.heading, key="recall")
        needs = recall.Needs(card.heading, (kind,), {card.unit: units}, {})
        outlook = outlook_of(position, position.to_move)
        position = recall.judge(hearing, outlook, needs, step.recall, turn.entered)
    left = position.reserve(position.to_move, kind)
    hearing.weigh("card.amount", units <= card.amount, card=card.heading, most=card.amount, n=units)
    about = position.board.mode.units[kind].place
    hearing.weigh("reserve.short", units <= left, topic=about, unit=card.unit, n=units, left=left)
    for _, unit, _ in step.place + step.moves:
        hearing.weigh("card.unit", unit == card.unit, card=card.heading, n=card.amount, unit=card.unit)
    for source, _, _ in step.moves:
        hearing.weigh("card.from-reserve", source == RESERVE, card=card.heading, source=source)
    return position


def _judge_surplus(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    """Add findings on how many of a card's units go home again because an area is over its limit."""
    card, step = played
    outlook, action = outlook_of(position, position.to_move), position.board.spaces[turn.space].action
    if card.verb == "place":
        muster.judge_surplus(hearing, outlook, action, step.place)
    else:
        move.judge_surplus(
            hearing, outlook, turn.area, action.kind, added_units(position, card, replace(step, recall=()))
        )


def _judge_placed(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    hearing.weigh("card.place", bool(step.place), card=card.heading)
    action = position.board.spaces[turn.space].action
    open_to = (turn.places, turn.seizable if card.into_enemy else None)
    muster.judge_places(hearing, outlook_of(position, position.to_move), action, step.place, open_to)


def added_units(position: Position, card: Card, step: Play) -> int:
    """Count the units that a card adds: as many as the step says, or else as the card allows and the reserve has."""
    back = sum(n for _, _, n in step.recall)
    if step.place or step.moves:
        return sum(n for _, _, n in step.place + step.moves)
    if step.units is not None:
        return step.units
    return min(card.amount, back + position.reserve(position.to_move, position.board.mode.unit_index[card.unit]))


def perform_play(draft: Draft, step: Play) -> None:
    """Spend the card and do what it says, and all that follows by itself."""
    card, turn = draft.mode.cards[step.card], draft.turn
    cards.resolve(draft, draft.mode.faction_index[step.by], card.name)
    if card.verb == "table":
        conflict.carry_on(draft)
        return
    assert turn is not None
    recall.perform(draft, draft.to_move, step.recall)
    _EFFECT[card.verb](draft, draft.start, turn, (card, step))
    conflict.carry_on(draft)


def _add_dice(draft: Draft, _position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    draft.turn = turn._replace(dice=turn.dice + played[0].amount)


def _add_units(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    kind, units = draft.mode.unit_index[card.unit], added_units(position, card, step)
    draft.add(draft.to_move, kind, turn.area, units)
    draft.tell("joined", draft.to_move, turn.area, kind, units)


def _shoot_again(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    """Aim the same shot once more, with the dice of what was spent for it."""
    target = played[1].target
    assert target is not None
    fire.aim(draft, outlook_of(position, draft.to_move), draft.board.spaces[turn.space], target, turn.payload)
    assert draft.turn is not None
    draft.turn = draft.turn._replace(payload=turn.payload)


_EFFECT: dict[str, Callable[[Draft, Position, Turn, tuple[Card, Play]], None]] = {
    "dice": _add_dice,
    "join": _add_units,
    "place": lambda draft, position, turn, played: muster.place_units(
        draft, outlook_of(position, draft.to_move), played[1].place
    ),
    "again": _shoot_again,
}
