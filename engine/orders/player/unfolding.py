"""How a turn goes on: what a seat may know of it, every outcome of its dice, and what a player answers in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from math import comb
from typing import NamedTuple

from engine.areas import members
from engine.orders.cards import hand_size, unseen_copies
from engine.orders.conflict import close_window
from engine.orders.draft import Draft
from engine.orders.game import Owed, carry_out, judge, owed
from engine.orders.mode import Card
from engine.orders.player.evaluation import winning_chance
from engine.orders.player.terrain import rolls_by_pips
from engine.orders.position import Hand, Position, Stage
from engine.orders.score import is_over
from engine.orders.steps import Accept, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.turn import ROLLS, perform_step


def view_of(position: Position, seat: int) -> Position:
    """Return the position as a seat knows it: the other's hand is a number."""
    mine, theirs = position.hands[seat], hand_size(position.hands[1 - seat])
    hands: tuple[Hand, Hand] = (theirs, mine) if seat else (mine, theirs)
    return position if hands == position.hands else replace(position, hands=hands)


def holding_chance(position: Position, faction: int, card: str) -> float:
    """Return how likely a faction holds at least one copy of a card; 0 or 1 if its hand is known."""
    hand = position.hands[faction]
    if not isinstance(hand, int):
        return float(card in hand)
    unseen = sum(unseen_copies(position, name) for name in position.board.mode.cards)
    return _at_least_one(unseen, unseen_copies(position, card), hand)


@cache
def _at_least_one(cards: int, copies: int, drawn: int) -> float:
    if drawn > cards - copies:
        return 1.0
    return 1 - comb(cards - copies, drawn) / comb(cards, drawn)


_CHOICES = (*ROLLS, Stage.LOSSES, Stage.RETURN)


class Ending(NamedTuple):
    """A position at the end of a turn, and how likely it is."""

    chance: float
    position: Position


def endings(position: Position, step: Step, wary: bool = False) -> list[Ending]:
    """List the positions that a legal step can lead to once its turn is over, each with its chance.

    No cards are played. With `wary`, though, dice that a defender's card may add are counted with the chance that the
    card is held.
    """
    return _all(_close_windows(carry_out(position, step)), wary)


def endings_of(position: Position, wary: bool = False) -> list[Ending]:
    """List the positions that a turn in progress can lead to from now on, each with its chance."""
    return _all(_close_windows(Draft(position)), wary)


def _all(position: Position, wary: bool) -> list[Ending]:
    found: list[Ending] = []
    _follow(position, 1.0, wary, found)
    return found


def _close_windows(draft: Draft) -> Position:
    """Return the draft as a position, once every window for cards has been passed by."""
    while draft.turn is not None and draft.winner is None and draft.turn.stage not in _CHOICES:
        close_window(draft)
    return draft.freeze()


def _follow(position: Position, chance: float, wary: bool, found: list[Ending]) -> None:
    turn = position.turn
    if turn is None or is_over(position):
        found.append(Ending(chance, position))
        return
    if turn.stage not in ROLLS:
        _follow(_after(position, quiet_answer(position)), chance, wary, found)
        return
    action = position.board.spaces[turn.space].action
    by = position.to_move if action.verb == "shoot" else 1 - position.to_move
    hit = sum(row[turn.area] for row in position.units[1 - by])
    name = position.board.factions[by]
    more = defence_card(position, action.name) if wary and by != position.to_move else ()
    for added, share in more or ((0, 1.0),):
        rolling = replace(position, turn=turn._replace(dice=turn.dice + added)) if added else position
        for faces, likely in rolls_by_pips(position.board.mode.die, turn.dice + added, hit):
            _follow(_after(rolling, Roll(faces, name)), chance * share * likely, wary, found)


def defence_card(position: Position, action: str) -> tuple[tuple[int, float], ...]:
    """Return (dice added, chance) with and without a defender's card for this action; () if none can be held."""
    window = position.board.mode.windows.get((Stage.DEFENCE.value, action), ())
    dice_cards = (card for card in window if card.verb == "dice")
    for card in dice_cards:
        held = holding_chance(position, 1 - position.to_move, card.name)
        if held:
            return ((0, 1 - held), (card.amount, held)) if held < 1 else ((card.amount, 1.0),)
    return ()


def _after(position: Position, step: Step) -> Position:
    draft = Draft(position)
    perform_step(draft, step)
    return _close_windows(draft)


def quiet_answer(position: Position) -> Step:
    """Return the plainest answer to what is owed: the commonest units go first, the first commander; no card."""
    due = owed(position)
    if due is None or due.wants == "accept":
        return Accept()
    if due.wants == "return":
        return Return(due.spaces[0], due.by)
    assert due.area is not None, "dice are the table's"
    here = Counter(position.units_in(due.area).get(due.by, {}))
    return Remove(cheapest_units(here, due.units, position), due.by, due.area)


def cheapest_units(here: Counter[str], losses: int, position: Position) -> tuple[tuple[str, int], ...]:
    """Choose which units to lose, as ((unit, n), ...): those with the largest reserve first."""
    taken = []
    for kind in sorted(position.board.mode.units, key=lambda kind: -kind.reserve):
        number = min(here[kind.name], losses)
        losses -= number
        if number:
            taken.append((kind.name, number))
    return tuple(taken)


# --- what a player answers --------------------------------------------------------------

CARD_GAIN = 0.004
"""A card is played if it raises the chance to win by more than this, though the hand is then a card smaller."""
Worth = Callable[[Position, int], float]


def best_answer(position: Position, seat: int, worth: Worth = winning_chance) -> Step | None:
    """Return the best step for a seat to answer what is owed now.

    None if it has nothing to decide, or dice are to be rolled and no card is worth playing. The position has to be one
    that the seat may see.
    """
    due = owed(position)
    if due is None:
        return None
    mine = position.board.factions[seat] == due.by
    if mine and due.wants in ("remove", "return"):
        return max(_choices(position, due), key=lambda step: _worth_after(position, step, seat, worth))
    card = _best_card(position, due, seat, worth)
    if card is not None or due.wants == "roll":
        return card
    return Accept(due.by) if mine else None


def _worth_after(position: Position, step: Step, seat: int, worth: Worth) -> float:
    return sum(end.chance * worth(end.position, seat) for end in endings(position, step))


def _best_card(position: Position, due: Owed, seat: int, worth: Worth) -> Step | None:
    """Return the best card for the window that is open, if it gains something."""
    plays = [step for step in card_plays(position, due, seat) if judge(position, step).legal]
    if not plays:
        return None
    before = sum(end.chance * worth(end.position, seat) for end in endings_of(position))
    gains = [(_worth_after(position, step, seat, worth) - before, at) for at, step in enumerate(plays)]
    gain, at = max(gains, key=lambda pair: (pair[0], -pair[1]))
    return plays[at] if gain > CARD_GAIN else None


def card_plays(position: Position, due: Owed, seat: int) -> Iterator[Step]:
    """Yield the steps that the cards of a seat allow in the open window: plays, or a reroll.

    Cards of unknown text are only spent.
    """
    who, mode = position.board.factions[seat], position.board.mode
    for faction, name in dict.fromkeys(due.cards):
        if faction == who:
            yield from _ways_to_play(position, mode.cards[name], who)
    hand = position.hands[seat]
    if due.may_reroll and due.by == who and isinstance(hand, tuple) and hand:
        # any card will do: the one of which the least is known
        yield Reroll(min(hand, key=lambda name: (mode.cards[name].verb != "table", name)), who)


def _ways_to_play(position: Position, card: Card, who: str) -> Iterator[Step]:
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
