"""Steps as sentences for the log: who does what, with how many units from where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.orders.actions.draw import takes_initiative
from engine.orders.board import Space
from engine.orders.position import Position
from engine.orders.steps import (
    RESERVE,
    Accept,
    Agreed,
    Deploy,
    Load,
    OtherCorrections,
    Pass,
    Play,
    Remove,
    Reroll,
    Return,
    Roll,
    Step,
)
from engine.orders.turn import ready
from engine.words import count_words, join_words, mark, place, say, side


def describe_step(step: Step, position: Position) -> str:
    """Return what a step does at this position in words, without a full stop; the step need not be legal.

    >>> from engine.orders.game import new_game
    >>> step = Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1)))
    >>> describe_step(step, new_game("sengoku-rivers", "red", {}))
    'Red advances to c4 with 2 troops from d5 and 1 from d3'
    """
    return _SENTENCES[type(step)](step, position)


def describe_space(space: Space) -> str:
    """Return an action space in words.

    >>> from engine.orders.board import load_board
    >>> [describe_space(load_board("wwii-island").space(name)) for name in ("fly:zone-red", "barrage:c3", "take_off:1")]
    ['Fly to the red zone', 'Barrage from c3', 'Take-off 1']
    """
    action = say(space.action.title)
    if space.area is None:
        return f"{action} {space.name.partition(':')[2]}"
    form = mark("{action} to {area}") if space.action.verb == "move" else mark("{action} from {area}")
    return say(form, action=action, area=place(space.area))


FROM, IN = mark("{units} from {area}"), mark("{units} in {area}")


def _loads(loads: Sequence[Load], way: str) -> str:
    """Return in words which units come from or stand in areas, naming a kind again only where it changes.

    `way` is FROM or IN.
    """
    parts, named = [], ""
    for area, unit, n in loads:
        amount = str(n) if unit == named else count_words(n, unit)
        parts.append(say(way, units=amount, area=say("the reserve") if area == RESERVE else place(area)))
        named = unit
    return join_words(parts)


def _titles(position: Position, names: Iterable[str]) -> str:
    deck = position.board.mode.cards
    return join_words(deck[name].title if name in deck else name for name in names)


def _deploy(step: Deploy, position: Position) -> str:
    here = ready(position, step)
    who = side(here.to_move_name)
    index = position.board.space_index.get(step.space)
    if index is None:
        return say("{who} deploys to {space}", who=who, space=step.space)
    space = position.board.spaces[index]
    deed = _deed(space, step, here)
    sentence = say(
        _TOLD.get(space.action.name, _OTHERWISE),
        who=who,
        action=space.action.title,
        area=place(space.area or ""),
        **deed,
    )
    if step.recall:
        sentence = say("{told}, first recalling {units}", told=sentence, units=_loads(step.recall, FROM))
    return (
        say("{told}, playing {cards}", told=sentence, cards=_titles(position, step.cards)) if step.cards else sentence
    )


def _deed(space: Space, step: Deploy, position: Position) -> dict[str, object]:
    """Return the values for the fields `units` and `target` of an action's sentence."""
    if space.action.verb != "draw":
        moved = step.moves or step.place
        spent = count_words(step.payload or 0, space.action.payload)
        units = _loads(moved, FROM if space.action.verb == "move" else IN)
        return {"units": spent if space.action.payload else units, "target": step.target}
    drawn = step.draw or 0
    cards = count_words(drawn, "card") if isinstance(drawn, int) else _titles(position, drawn)
    takes = takes_initiative(position, space, position.to_move)
    return {"units": say("{cards}, taking the initiative", cards=cards) if takes else cards, "target": None}


_TOLD = {
    "advance": mark("{who} advances to {area} with {units}"),
    "sail": mark("{who} sails to {area} with {units}"),
    "bombard": mark("{who} bombards {target} from {area}"),
    "shell": mark("{who} shells {target} from {area}"),
    "siege": mark("{who} besieges {target} from {area}"),
    "reinforce": mark("{who} reinforces with {units}"),
    "embark": mark("{who} embarks {units}"),
    "plan": mark("{who} plans and draws {units}"),
    "fly": mark("{who} flies to {area} with {units}"),
    "paradrop": mark("{who} paradrops into {target} from {area}"),
    "barrage": mark("{who} lays a barrage on {target} from {area}"),
    "bomb": mark("{who} bombs {target} from {area} with {units}"),
    "take_off": mark("{who} takes off with {units}"),
}
_OTHERWISE = mark("{who}: {action} {area} {target} {units}")


def _play(step: Play, position: Position) -> str:
    sentence = say("{who} plays {cards}", who=side(step.by), cards=_titles(position, [step.card]))
    if step.target is not None:
        sentence = say("{told} at {target}", told=sentence, target=step.target)
    added = _added_units(step, position)
    sentence = say("{told} with {units}", told=sentence, units=added) if added else sentence
    return (
        say("{told}, first recalling {units}", told=sentence, units=_loads(step.recall, FROM))
        if step.recall
        else sentence
    )


def _added_units(step: Play, position: Position) -> str:
    """Return in words the units that a card adds."""
    if step.units is not None:
        card = position.board.mode.cards.get(step.card)
        return count_words(step.units, card.unit if card is not None and card.unit else "unit")
    if step.moves:
        return _loads(step.moves, FROM)
    return _loads(step.place, IN) if step.place else ""


def _remove(step: Remove, _position: Position) -> str:
    units = join_words(count_words(n, unit) for unit, n in step.units)
    if step.area is None:
        return say("{who} removes {units}", who=side(step.by), units=units)
    return say("{who} removes {units} from {area}", who=side(step.by), units=units, area=step.area)


def _agreed(step: Agreed, position: Position) -> str:
    parts = []
    for area, units in step.areas:
        force = join_words(count_words(n, unit, who) for who, unit, n in units)
        parts.append(say("{area} has {units}", area=place(area), units=force))
    for space, holders in step.spaces:
        commanders = [say("a {who} commander", who=side(who)) for who in holders] or [say("no commander")]
        parts.append(say("“{space}” has {units}", space=_space(space, position), units=join_words(commanders)))
    parts += [say("it's {who}'s turn", who=side(step.to_move))] if step.to_move is not None else []
    parts += [
        say(_ANSWERS.get(answer, "{name}: {answer}"), name=say(name), answer=answer) for name, answer in step.readings
    ]
    parts += _other(step.other, position)
    what = "; ".join(parts) or say("the board matches the record")
    return say("agreed ({note}): {what}", note=step.note, what=what) if step.note else say("agreed: {what}", what=what)


def _space(name: str, position: Position) -> str:
    index = position.board.space_index.get(name)
    return name if index is None else describe_space(position.board.spaces[index])


def _other(other: OtherCorrections, position: Position) -> list[str]:
    standby, left = mark("{who} has {commanders} on standby"), mark("{who} has {commanders} left")
    parts = [say(standby, who=side(who), commanders=count_words(n, "commander")) for who, n in other.standby]
    parts += [say(left, who=side(who), commanders=count_words(n, "commander")) for who, n in other.left]
    for who, hand in other.hands:
        cards = count_words(hand, "card") if isinstance(hand, int) else _titles(position, hand)
        parts.append(say("{who} has {cards} in hand", who=side(who), cards=cards))
    if other.discard is not None:
        parts.append(say("the discard pile is {cards}", cards=_titles(position, other.discard)))
    if other.initiative is not None:
        parts.append(say("{who} has the initiative", who=side(other.initiative)))
    parts += [] if other.round is None else [say("it's round {n}", n=other.round)]
    for slot, token in other.bonuses:
        known = position.board.mode.bonuses.get(token)
        units = known.title if known is not None else token or say("nothing")
        parts.append(say("{area} has {units}", area=slot, units=units))
    if other.passed is not None:
        passed = join_words(map(side, other.passed)) if other.passed else say("nobody")
        parts.append(say("{who} has passed for the round", who=passed))
    parts += [] if other.dice is None else [say("{dice} to roll", dice=count_words(other.dice, "die"))]
    return parts + ([] if other.winner is None else [say("{who} has won", who=side(other.winner))])


_ANSWERS = {
    "default": mark("{name}: the standard answer"),
    "other": mark("{name}: the other answer"),
}


def _reroll(step: Reroll, position: Position) -> str:
    return say("{who} spends {cards} to reroll", who=side(step.by), cards=_titles(position, [step.card]))


_SENTENCES: dict[type[Step], Callable[[Any, Position], str]] = {
    Deploy: _deploy,
    Pass: lambda step, position: say("{who} passes", who=side(ready(position, step).to_move_name)),
    Play: _play,
    Roll: lambda step, position: say("{who} rolls {dice}", who=side(step.by), dice=join_words(map(str, step.dice))),
    Reroll: _reroll,
    Remove: _remove,
    Return: lambda step, position: say(
        "{who} returns the commander on {space} to standby", who=side(step.by), space=step.space
    ),
    Agreed: _agreed,
    Accept: lambda step, position: (
        say("no card is played") if step.by is None else say("{who} plays no card", who=side(step.by))
    ),
}
