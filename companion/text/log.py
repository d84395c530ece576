"""Steps in sentences with the players' names: "Ana advanced to b2 with 2 troops from b1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.core.language import _, plural
from companion.text.orders import (
    area_label,
    area_name,
    bonus_title,
    card_count,
    card_title,
    join_words,
    losses_of,
    slot_name,
    space_title,
    unit_count,
)
from companion.text.people import People
from engine.orders import game
from engine.orders.actions.draw import takes_initiative
from engine.orders.board import Board, Space
from engine.orders.draft import Event
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


def step_sentence(step: Step, before: Position, people: People) -> str:
    """Return a legal step, taken in the position `before`, as a sentence; "" for one that goes without saying."""
    return _SENTENCES[type(step)](step, before, people)


def step_and_effects(step: Step, before: Position, people: People) -> str:
    """Return a step's sentence, and after it what it cost and decided: losses, a new round, the winner."""
    _after, events = game.play_recorded(before, step)
    if isinstance(step, Pass):  # the sentence has said already that this side passes
        events = tuple(event for event in events if (event.kind, event.faction) != ("out", ready(before, step).to_move))
    return " ".join(filter(None, (step_sentence(step, before, people), *_effects(events, before.board, people))))


def start_words(start: Position, chance: Mapping[str, str], people: People) -> str:
    """Say who had the initiative at the start, and which parts of the set-up the app drew."""
    text = _("{who} had the initiative at the start.").format(who=people.name(start.initiative_name))
    if chance.get("initiative") == "app":
        text += " " + _("Gunbai flipped the marker.")
    if chance.get("bonuses") == "app":
        text += " " + _("Gunbai drew the bonus tokens.")
    return text


# ---- what happened by itself --------------------------------------------------------------------


def _effects(events: Sequence[Event], board: Board, people: People) -> list[str]:
    told = [_loss(board, people, *loss) for loss in losses_of(events).items()]
    return told + [text for event in events if (text := _turning(event, board, people))]


def _loss(board: Board, people: People, whose: tuple[int, int, int], n: int) -> str:
    faction, unit, area = whose
    return _("{who} lost {units} in {area}.").format(
        who=people.name(board.factions[faction]),
        units=unit_count(board.mode.units[unit].name, n),
        area=area_name(board.areas[area].name),
    )


def _turning(event: Event, board: Board, people: People) -> str:
    if event.kind == "round":
        return _("Round {n} began.").format(n=event.units)
    form = {
        "won": _("{who} won."),
        "out": _("{who} had no commanders left and passed."),
        "commander": _("{who} took a commander from standby."),
        "returned": _("{who} lost a commander to standby."),
    }.get(event.kind, "")
    return form.format(who=people.name(board.factions[event.faction]))


# ---- one function a kind of step -----------------------------------------------------------------


def _deploy(step: Deploy, before: Position, people: People) -> str:
    space = before.board.space(step.space)
    here = ready(before, step)
    who = people.name(here.to_move_name)
    if takes_initiative(here, space, here.to_move):
        text = _("{who} drew {cards} and took the initiative.").format(who=who, cards=_drawn_cards(step))
    else:
        text = _DEEDS[space.action.verb](space, step, who)
    if not step.cards:
        return text
    cards = join_words(card_title(before.board, card) for card in step.cards)
    return f"{text} " + _("{who} played {cards} with it.").format(who=who, cards=cards)


def _move(space: Space, step: Deploy, who: str) -> str:
    form = {
        "advance": _("{who} advanced to {area} with {units}."),
        "sail": _("{who} sailed to {area} with {units}."),
        "fly": _("{who} flew to the {area} with {units}."),
    }.get(space.action.name, _("{who} moved to {area} with {units}."))
    return form.format(who=who, area=area_name(space.area or ""), units=units_by_source(step.moves))


def _shot(space: Space, step: Deploy, who: str) -> str:
    form = {
        "bombard": _("{who} bombarded {target} from {area}."),
        "shell": _("{who} shelled {target} from {area}."),
        "siege": _("{who} besieged {target} from {area}."),
        "barrage": _("{who} laid a barrage on {target} from {area}."),
        "bomb": _("{who} bombed {target} from the {area}, spending {units}."),
    }.get(space.action.name, _("{who} shot at {target} from {area}."))
    units = unit_count(space.action.payload, step.payload or 0) if space.action.payload else ""
    return form.format(who=who, target=step.target, area=area_name(space.area or ""), units=units)


def _drop(space: Space, step: Deploy, who: str) -> str:
    units = unit_count(space.action.unit, space.action.amount)
    form = _("{who} dropped {units} on {target} from {area}.")
    return form.format(who=who, units=units, target=step.target, area=space.area)


def _placement(space: Space, step: Deploy, who: str) -> str:
    form = {
        "reinforce": _("{who} reinforced: {units}."),
        "embark": _("{who} embarked: {units}."),
        "take_off": _("{who} took off: {units}."),
    }.get(space.action.name, _("{who} placed {units}."))
    text = form.format(who=who, units=placed_units(step.place))
    if not step.recall:
        return text
    return _("{who} recalled {units}.").format(who=who, units=units_by_source(step.recall)) + f" {text}"


def _draw(_space: Space, step: Deploy, who: str) -> str:
    return _("{who} drew {cards}.").format(who=who, cards=_drawn_cards(step))


def _drawn_cards(step: Deploy) -> str:
    drawn = step.draw or 0
    return card_count(drawn if isinstance(drawn, int) else len(drawn))


_DEEDS: Mapping[str, Callable[[Space, Deploy, str], str]] = {
    "move": _move,
    "shoot": _shot,
    "drop": _drop,
    "place": _placement,
    "draw": _draw,
}


def units_by_source(loads: Iterable[Load]) -> str:
    """Return units in words by where they come from: "2 troops from b1 and 1 troop from d3"."""
    whole = _("{units} from the reserve"), _("{units} from {area}")
    return join_words(
        whole[area != RESERVE].format(units=unit_count(unit, n), area=area_name(area)) for area, unit, n in loads
    )


def placed_units(loads: Iterable[Load]) -> str:
    """Return units in words by where they are put: "4 troops in e3 and 2 troops in d3"; "nothing" for none."""
    form = _("{units} in {area}")
    return join_words(form.format(units=unit_count(unit, n), area=area_name(area)) for area, unit, n in loads) or _(
        "nothing"
    )


def _pass(step: Pass, before: Position, people: People) -> str:
    who = people.name(ready(before, step).to_move_name)
    final = before.board.mode.final_pass
    return (_("{who} passed for the rest of the round.") if final else _("{who} passed.")).format(who=who)


def _play(step: Play, before: Position, people: People) -> str:
    who, card = people.name(step.by), card_title(before.board, step.card)
    if step.target is not None:
        return _("{who} played {card} at {area}.").format(who=who, card=card, area=step.target)
    units = units_by_source(step.moves) if step.moves else placed_units(step.place) if step.place else ""
    kind = before.board.mode.cards[step.card].unit
    if step.units is not None and kind:
        units = unit_count(kind, step.units)
    if units:
        return _("{who} played {card}: {units}.").format(who=who, card=card, units=units)
    return _("{who} played {card}.").format(who=who, card=card)


def _done(step: Roll | Reroll | Remove | Return, before: Position, people: People) -> str:
    """Say what a side did within a turn."""
    who = people.name(step.by)
    match step:
        case Roll():
            return _("{who} rolled {dice}.").format(who=who, dice=join_words(map(str, step.dice)))
        case Reroll():
            return _("{who} spent {card} to reroll.").format(who=who, card=card_title(before.board, step.card))
        case Remove():  # what the step cost says how many are lost
            units = join_words(unit_count(unit, n) for unit, n in step.units)
            return _("{who} chose to lose {units}.").format(who=who, units=units)
    space = space_title(before.board.space(step.space))
    return _("{who} put the commander on “{space}” back on standby.").format(who=who, space=space)


# ---- what the players agreed --------------------------------------------------------------------


def _agreement(step: Agreed, before: Position, people: People) -> str:
    parts = [text for area, units in step.areas for text in _force(area, units, people)]
    for space, holders in step.spaces:
        who = join_words(map(people.name, holders)) or _("no commander")
        parts.append(f"{space_title(before.board.space(space))}: {who}")
    parts += _others(step.other, before.board, people)
    parts += [_answer(before.board, *reading) for reading in step.readings]
    if step.to_move is not None and not parts:
        parts.append(_("it's {who}'s turn").format(who=people.name(step.to_move)))
    what = "; ".join(parts) or _("the board matches the record")
    note = f" ({step.note})" if step.note else ""
    return _("Agreed{note}: {what}.").format(note=note, what=what)


def _answer(board: Board, reading: str, answer: str) -> str:
    known = board.mode.readings.get(reading)
    question = known.question if known is not None else reading
    form = _("“{question}” – the alternative") if answer == "other" else _("“{question}” – the standard rule")
    return form.format(question=question)


def _force(area: str, units: Iterable[tuple[str, str, int]], people: People) -> list[str]:
    """Say what stands in an area, side by side: "Ana has 2 troops and 1 ship in c4"; "c4 is empty"."""
    kinds: dict[str, list[str]] = {}
    for who, unit, n in units:
        kinds.setdefault(who, []).append(unit_count(unit, n))
    form, place = _("{who} has {units} in {area}"), area_name(area)
    parts = [form.format(who=people.name(who), units=join_words(force), area=place) for who, force in kinds.items()]
    return parts or [_("{area} is empty").format(area=area_label(area))]


def _others(besides: OtherCorrections, board: Board, people: People) -> list[str]:
    parts = [_("{who} has {n} on standby").format(who=people.name(who), n=n) for who, n in besides.standby]
    left = _("{who} has {commanders} left")
    parts += [left.format(who=people.name(who), commanders=unit_count("commander", n)) for who, n in besides.left]
    for who, hand in besides.hands:  # how many cards, never which
        cards = card_count(hand if isinstance(hand, int) else len(hand))
        parts.append(_("{who} has {cards} in hand").format(who=people.name(who), cards=cards))
    if besides.discard is not None:
        parts.append(_("the discard pile has {cards}").format(cards=card_count(len(besides.discard))))
    if besides.initiative is not None:
        parts.append(_("{who} has the initiative").format(who=people.name(besides.initiative)))
    if besides.round is not None:
        parts.append(_("it is round {n}").format(n=besides.round))
    if besides.passed is not None:
        passed = join_words(map(people.name, besides.passed)) or _("nobody")
        parts.append(_("{who} has passed for the round").format(who=passed))
    for slot, token in besides.bonuses:
        what = bonus_title(board, token) if token else _("nothing")
        parts.append(_("{slot} has {token}").format(slot=slot_name(slot), token=what))
    if besides.dice is not None:
        parts.append(plural("{n} die to roll", "{n} dice to roll", besides.dice))
    if besides.winner is not None:
        parts.append(_("{who} has won").format(who=people.name(besides.winner)))
    return parts


_SENTENCES: Mapping[type[Step], Callable[[Any, Position, People], str]] = {
    Deploy: _deploy,
    Pass: _pass,
    Play: _play,
    Roll: _done,
    Reroll: _done,
    Remove: _done,
    Accept: lambda _step, _before, _people: "",
    Return: _done,
    Agreed: _agreement,
}
