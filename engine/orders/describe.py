"""Steps as sentences for the log: who does what, with how many units from where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.orders.board import Space
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Accept, Agreed, Besides, Deploy, Load, Pass, Play, Remove, Reroll, Roll, Step
from engine.orders.turn import ready
from engine.words import counted, joined


def describe_step(step: Step, position: Position) -> str:
    """What a step does at this position, as a sentence without a full stop. It need not be legal.

    >>> from engine.orders.game import new_game
    >>> step = Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1)))
    >>> describe_step(step, new_game("sengoku-rivers", "red", {}))
    'red advances to c4 with 2 troops from d5 and 1 from d3'
    """
    return _SENTENCES[type(step)](step, position)


def _loads(loads: Sequence[Load], way: str) -> str:
    """Units from or in areas; the kind is named again only where it changes."""
    parts, named = [], ""
    for area, unit, n in loads:
        amount = str(n) if unit == named else counted(n, unit)
        parts.append(f"{amount} {way} {'the reserve' if area == RESERVE else area}")
        named = unit
    return joined(parts)


def _titles(position: Position, names: Iterable[str]) -> str:
    deck = position.board.mode.cards
    return joined(deck[name].title if name in deck else name for name in names)


def _deploy(step: Deploy, position: Position) -> str:
    who = ready(position, step).to_move_name
    index = position.board.space_index.get(step.space)
    if index is None:
        return f"{who} deploys to {step.space}"
    space = position.board.spaces[index]
    deed = _DEEDS[space.action.verb](space, step, position)
    playing = f", playing {_titles(position, step.cards)}" if step.cards else ""
    return f"{who} {space.action.name}s {deed}{playing}"


def _move(space: Space, step: Deploy, position: Position) -> str:
    del position
    return f"to {space.area} with {_loads(step.moves, 'from')}"


def _shot(space: Space, step: Deploy, position: Position) -> str:
    del position
    return f"{step.target} from {space.area}"


def _placement(space: Space, step: Deploy, position: Position) -> str:
    del space, position
    first = f", first recalling {_loads(step.recall, 'from')}" if step.recall else ""
    return f"with {_loads(step.place, 'in')}{first}"


def _draw(space: Space, step: Deploy, position: Position) -> str:
    drawn = step.draw or 0
    cards = f"{drawn} card{'' if drawn == 1 else 's'}" if isinstance(drawn, int) else _titles(position, drawn)
    initiative = space.support is not None and space.support.initiative
    return f"and draws {cards}" + (", taking the initiative" if initiative else "")


_DEEDS: dict[str, Callable[[Space, Deploy, Position], str]] = {
    "move": _move,
    "shoot": _shot,
    "place": _placement,
    "draw": _draw,
}


def _play(step: Play, position: Position) -> str:
    card = position.board.mode.cards.get(step.card)
    added = f" with {_loads(step.place, 'in')}" if step.place else ""
    added = f" with {_loads(step.moves, 'from')}" if step.moves else added
    if step.units is not None:
        added = f" with {counted(step.units, card.unit if card is not None and card.unit else 'unit')}"
    target = "" if step.target is None else f" at {step.target}"
    return f"{step.by} plays {_titles(position, [step.card])}{target}{added}"


def _remove(step: Remove, position: Position) -> str:
    del position
    area = "" if step.area is None else f" from {step.area}"
    return f"{step.by} removes {joined(counted(n, unit) for unit, n in step.units)}{area}"


def _agreed(step: Agreed, position: Position) -> str:
    parts = [f"{area} holds {_force(units)}" for area, units in step.areas]
    parts += [f"{space} holds {_commanders(holders)}" for space, holders in step.spaces]
    parts += [f"{step.to_move} is to move"] if step.to_move is not None else []
    parts += [f"{name} is played by its {_ANSWERS.get(answer, answer)} answer" for name, answer in step.readings]
    parts += _besides(step.besides, position)
    note = f" ({step.note})" if step.note else ""
    return f"agreed{note}: {'; '.join(parts) or 'the board is as recorded'}"


def _besides(besides: Besides, position: Position) -> list[str]:
    parts = [f"{who} has {counted(n, 'commander')} on standby" for who, n in besides.standby]
    parts += [f"{who} has {counted(n, 'commander')} left" for who, n in besides.left]
    for who, hand in besides.hands:
        cards = counted(hand, "card") if isinstance(hand, int) else _titles(position, hand)
        parts.append(f"{who} holds {cards}")
    parts += [] if besides.discard is None else [f"the discard pile is {_titles(position, besides.discard)}"]
    parts += [] if besides.initiative is None else [f"{besides.initiative} has the initiative"]
    parts += [] if besides.round is None else [f"it is round {besides.round}"]
    parts += [f"{slot} holds {_token(token, position)}" for slot, token in besides.bonuses]
    parts += [] if besides.dice is None else [f"{counted(besides.dice, 'die')} to roll"]
    return parts + ([] if besides.winner is None else [f"{besides.winner} has won"])


def _token(token: str, position: Position) -> str:
    known = position.board.mode.bonuses.get(token)
    return known.title if known is not None else token or "nothing"


_ANSWERS = {"default": "usual", "other": "other"}


def _force(units: Iterable[tuple[str, str, int]]) -> str:
    return joined(counted(n, unit, who) for who, unit, n in units)


def _commanders(holders: Iterable[str]) -> str:
    return joined([f"a commander of {who}" for who in holders] or ["no commander"])


_SENTENCES: dict[type[Step], Callable[[Any, Position], str]] = {
    Deploy: _deploy,
    Pass: lambda step, position: f"{ready(position, step).to_move_name} passes",
    Play: _play,
    Roll: lambda step, position: f"{step.by} rolls {joined(map(str, step.dice))}",
    Reroll: lambda step, position: f"{step.by} spends {_titles(position, [step.card])} to roll again",
    Remove: _remove,
    Agreed: _agreed,
    Accept: lambda step, position: "no card is played" if step.by is None else f"{step.by} plays no card",
}
