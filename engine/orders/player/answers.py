"""What a player answers inside a turn: cards for an open window, dice rolled again, losses, commanders that go back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from engine.areas import members
from engine.orders.game import Owed, judge, owed
from engine.orders.mode import Card
from engine.orders.player.evaluation import winning_chance
from engine.orders.player.unfolding import endings, endings_of
from engine.orders.position import Position
from engine.orders.steps import Accept, Play, Remove, Reroll, Return, Step

CARD_GAIN = 0.004
"""A card is played where it raises the chance to win by more than this, the card's own worth deducted."""
Worth = Callable[[Position, int], float]


def best_answer(position: Position, seat: int, worth: Worth = winning_chance) -> Step | None:
    """Return what a seat does about what is owed now.

    None if it has nothing to decide, or dice are to be rolled. The position has to be one that the seat may see.
    """
    due = owed(position)
    if due is None:
        return None
    mine = position.board.factions[seat] == due.by
    if mine and due.wants in ("remove", "return"):
        return max(_choices(position, due), key=lambda step: _after(position, step, seat, worth))
    card = _card(position, due, seat, worth)
    if card is not None or due.wants == "roll":
        return card
    return Accept(due.by) if mine else None


def _after(position: Position, step: Step, seat: int, worth: Worth) -> float:
    return sum(end.chance * worth(end.position, seat) for end in endings(position, step))


def _card(position: Position, due: Owed, seat: int, worth: Worth) -> Step | None:
    """Return the best card for the window that is open, if it gains something."""
    plays = [step for step in card_plays(position, due, seat) if judge(position, step).legal]
    if not plays:
        return None
    before = sum(end.chance * worth(end.position, seat) for end in endings_of(position))
    gains = [(_after(position, step, seat, worth) - before, at) for at, step in enumerate(plays)]
    gain, at = max(gains, key=lambda pair: (pair[0], -pair[1]))
    return plays[at] if gain > CARD_GAIN else None


def card_plays(position: Position, due: Owed, seat: int) -> Iterator[Step]:
    """Yield what may be done with the cards of a seat in the open window.

    Cards of unknown text are only spent.
    """
    who, mode = position.board.factions[seat], position.board.mode
    for faction, name in dict.fromkeys(due.cards):
        if faction == who:
            yield from _plays(position, mode.cards[name], who)
    hand = position.hands[seat]
    if due.may_reroll and due.by == who and isinstance(hand, tuple) and hand:
        # any card will do: the one of which the least is known
        yield Reroll(min(hand, key=lambda name: (mode.cards[name].verb != "table", name)), who)


def _plays(position: Position, card: Card, who: str) -> Iterator[Step]:
    board, mode = position.board, position.board.mode
    kind = mode.unit_index[card.unit] if card.unit else -1
    reserve = position.reserve(mode.faction_index[who], kind) if card.unit else 0
    units = min(card.amount, reserve)
    if card.verb == "dice":
        yield Play(card.name, who)
    elif card.verb == "join" and units:
        yield from (Play(card.name, who, units=n) for n in range(1, units + 1))
    elif card.verb == "place" and units:
        yield from (Play(card.name, who, place=((area.name, card.unit, units),)) for area in board.areas)
    elif card.verb == "again":
        enemy = position.survey.control[1 - mode.faction_index[who]]
        yield from (Play(card.name, who, target=board.areas[area].name) for area in members(enemy))


def _choices(position: Position, due: Owed) -> list[Step]:
    """List every way to take the losses, or every commander that may go back."""
    if due.wants == "return":
        return [Return(space, due.by) for space in due.spaces]
    assert due.area is not None, "only losses and commanders are chosen"
    here = position.units_in(due.area).get(due.by, {})
    found: list[Step] = []
    for numbers in product(*(range(n + 1) for n in here.values())):
        if sum(numbers) == due.units:
            taken = tuple((unit, n) for unit, n in zip(here, numbers, strict=True) if n)
            found.append(Remove(taken, due.by, due.area))
    return found
