"""How a turn may end: every outcome of its dice with its chance, played on quietly, without cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from engine.orders.conflict import close_window
from engine.orders.draft import Draft
from engine.orders.game import carry_out, owed
from engine.orders.player.terrain import rolls_by_pips
from engine.orders.player.view import holding_chance
from engine.orders.position import Position, Stage
from engine.orders.score import is_over
from engine.orders.steps import Accept, Remove, Return, Roll, Step
from engine.orders.turn import ROLLS, perform_step

_CHOICES = (*ROLLS, Stage.LOSSES, Stage.RETURN)


class Ending(NamedTuple):
    """A position at the end of a turn, and how likely it is."""

    chance: float
    position: Position


def endings(position: Position, step: Step, wary: bool = False) -> list[Ending]:
    """List the positions that a legal step can lead to once its turn is over, each with its chance.

    No cards are played, but for `wary`: the dice that a defender's card may add are then as likely as it is held.
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
    """Return the dice that a card of the defender may add, with its chance.

    None if no such card can be held.
    """
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
    """Answer plainly what is owed: the commonest units go first, the first commander goes back, no card."""
    due = owed(position)
    if due is None or due.wants == "accept":
        return Accept()
    if due.wants == "return":
        return Return(due.spaces[0], due.by)
    assert due.area is not None, "dice are the table's"
    here = Counter(position.units_in(due.area).get(due.by, {}))
    return Remove(cheapest_units(here, due.units, position), due.by, due.area)


def cheapest_units(here: Counter[str], losses: int, position: Position) -> tuple[tuple[str, int], ...]:
    """Return so many of the units that are there, those of the largest reserve first."""
    taken = []
    for kind in sorted(position.board.mode.units, key=lambda kind: -kind.reserve):
        number = min(here[kind.name], losses)
        losses -= number
        if number:
            taken.append((kind.name, number))
    return tuple(taken)
