"""Battles in words: units, divisions, statuses, dice with their chances, and each step in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from companion.core.language import _, plural
from companion.text.orders import join_words, sentence
from companion.text.percent import chance_percent
from engine.sonae.orders import Move, end_of
from engine.sonae.pools import Pool
from engine.sonae.position import Due, Position, Unit
from engine.sonae.ranges import enemies_touched
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.words import reason_words, tired_by_shock
from engine.words import decimal

SIX = 6


# ---- names ---------------------------------------------------------------------------------------


def title(position: Position, name: str) -> str:
    """Return a unit's name as players know it."""
    kind = position.scenario.units.get(name)
    return _(kind.title) if kind is not None else name


def short_title(position: Position, name: str) -> str:
    """Return a unit's name without that of its division, which is said beside it."""
    whole, division = title(position, name), division_title(position, position.scenario.units[name].division)
    return " ".join(whole.replace(division, "").split()) or whole


def division_title(position: Position, name: str) -> str:
    """Return a division's name as players know it."""
    division = position.scenario.divisions.get(name)
    return _(division.title) if division is not None else name


def army_title(position: Position, side: int) -> str:
    """Return an army's name as players know it."""
    return _(position.scenario.armies[side].title)


def titles(position: Position, names: tuple[str, ...]) -> str:
    """Return the names of units in a row."""
    return join_words(title(position, name) for name in names)


def with_titles(position: Position, text: str) -> str:
    """Return a sentence of the engine with titles in place of names."""
    scenario = position.scenario
    known = {name: title(position, name) for name in scenario.units}
    known |= {name: division_title(position, name) for name in scenario.divisions}
    known |= {army.name: _(army.title) for army in scenario.armies}
    names = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{names})(?![\w-])", lambda found: known[found[0]], text)


def sign_of(position: Position, name: str) -> str:
    """Return the sign of a unit: its type; of an Army General, how it is now."""
    kind = position.scenario.units[name]
    if kind.type == "general":
        return "camp" if position.is_camp(name) else "mounted"
    return kind.type


def kind_words(position: Position, name: str) -> str:
    """Return the words for a unit's kind: "melee", "encamped general"."""
    return sign_words()[sign_of(position, name)]


def sign_words() -> dict[str, str]:
    """Return what each sign of a unit means."""
    return {
        "normal": _("standard"),
        "firing": _("firing"),
        "melee": _("melee"),
        "shock": _("shock"),
        "command": _("commander"),
        "camp": _("encamped general"),
        "mounted": _("mobile general"),
    }


def status_words(unit: Unit) -> str:
    """Say how a unit is: its status, and its fatigue."""
    words = {"fresh": _("fresh"), "wavering": _("wavering"), "brittle": _("brittle")}[unit.status]
    return _("{status}, fatigued").format(status=words) if unit.fatigue else words


def movements(length: float) -> str:
    """Return a length in words: "1.6 Movements"."""
    return _("{n} Movements").format(n=decimal(length, 1))


# ---- dice ----------------------------------------------------------------------------------------


def pool_words(pool: Pool) -> str:
    """Return the dice with their reasons, and the chance of one success."""
    return _("{dice}. At least one six: {chance}.").format(
        dice=pool.reasons().replace("-", "−"), chance=chance_percent(pool.chance)
    )


def sixes(dice: tuple[int, ...]) -> str:
    """Say how many sixes came of how many dice."""
    n = sum(die == SIX for die in dice)
    if not dice:
        return _("no dice, no six")
    if n == 0:
        return plural("no six with {n} die", "no six with {n} dice", len(dice))
    return plural("{n} six", "{n} sixes", n) + " " + plural("with {n} die", "with {n} dice", len(dice))


def beats(pool: Pool, other: Pool) -> Fraction:
    """Return the exact chance that one pool has more successes than another."""
    return sum(
        (chance * against for n, chance in pool.odds.items() for m, against in other.odds.items() if n > m),
        start=Fraction(0),
    )


def roll_kind(due: Due) -> str:
    """Return the kind of a roll in a word or two."""
    return {
        "messenger": _("Messenger"),
        "intercept": _("Stop the messenger"),
        "fire": _("Fire"),
        "reply": _("Fire back"),
        "opportunity-fire": _("Opportunity Fire"),
        "closing-fire": _("Closing Fire"),
        "rally": _("Rally"),
        "melee": _("Melee"),
        "shock": _("Shock"),
        "heir": _("Successor?"),
        "regent": _("Successor?"),
        "loyalty": _("Loyalty"),
    }.get(due.kind, _("Morale"))


def roll_title(position: Position, due: Due) -> str:
    """Return the heading of what is rolled."""
    forms = {
        "messenger": _("Messenger to {against}"),
        "intercept": _("Stop the messenger to {against}"),
        "orders": _("{division}: roll one die for orders"),
        "fire": _("{units} fires at {against}"),
        "reply": _("{units} fires back at {against}"),
        "morale": _("{units}: Morale"),
        "opportunity-fire": _("Opportunity Fire: {units} at {against}"),
        "nerve": _("{units}: Morale before charging"),
        "closing-fire": _("Closing Fire: {units} at {against}"),
        "closing-morale": _("{units}: Morale under Closing Fire"),
        "retreat": _("{units}: Morale after falling back from combat"),
        "strain": _("{units}: Morale after so many orders"),
        "rally": _("{units}: rally"),
        "melee": _("Melee: {units} against {against}"),
        "blocked": _("{units}: Morale, unable to fall back"),
        "shock": _("Shock: {units} against {against}"),
        "heir": _("{units}: new commander?"),
        "regent": _("{units}: new Army General?"),
        "loyalty": _("{units}: loyalty after losing its commander"),
    }
    against = join_words(
        title(position, name) if name in position.scenario.units else division_title(position, name)
        for name in due.against
    )
    return forms[due.kind].format(
        units=titles(position, due.units), against=against, division=division_title(position, position.acting)
    )


# ---- steps ---------------------------------------------------------------------------------------


def step_words(step: Step, before: Position) -> str:
    """Return a step as a sentence."""
    return _TOLD[type(step)](before, step)


def _settle(before: Position, step: Settle) -> str:
    who = army_title(before, before.scenario.sides.index(step.by))
    if step.mode == "mobile":
        return _("{who}'s general mounts up.").format(who=who)
    if step.messenger:
        to = division_title(before, step.messenger)
        return _("{who}'s general makes camp and sends a messenger to {to}.").format(who=who, to=to)
    return _("{who}'s general makes camp.").format(who=who)


def _token(before: Position, step: Token) -> str:
    return _("{who}'s token is drawn.").format(who=army_title(before, before.scenario.sides.index(step.by)))


def _activate(before: Position, step: Activate) -> str:
    return _("{division} activates.").format(division=division_title(before, step.division))


def _roll(before: Position, step: Roll) -> str:
    if not before.due:
        return sentence(sixes(step.dice))
    due = before.due[0]
    if due.kind == "orders":
        return _("{division} rolls a {n} for its orders.").format(
            division=division_title(before, before.acting), n=sum(step.dice)
        )
    return _("{what} – {sixes}.").format(what=roll_title(before, due).rstrip("?"), sixes=sixes(step.dice))


def _move(before: Position, step: Move) -> str:
    unit = before.unit(step.unit)
    if unit is None:
        return title(before, step.unit)
    end = end_of(before, unit, step)
    facts = {"unit": title(before, step.unit), "far": movements(before.measure.distance(unit.place.at, end.at))}
    met = enemies_touched(before, unit, end) if isinstance(step, Advance) else ()
    if met:
        return _("{unit} charges {enemy}.").format(enemy=titles(before, met), **facts)
    if isinstance(step, Wheel):
        turn = (step.facing_deg - unit.place.facing_deg + 180) % 360 - 180
        way = _("to the right") if 0 < turn < 135 else _("to the left") if -135 < turn < 0 else _("around")
        if before.measure.distance(unit.place.at, end.at) < 0.06:
            return _("{unit} turns {way}.").format(way=way, **facts)
        return _("{unit} turns {way} and moves {far}.").format(way=way, **facts)
    form = _("{unit} advances {far}.") if isinstance(step, Advance) else _("{unit} falls back {far}.")
    return form.format(**facts)


def _fire(before: Position, step: Fire) -> str:
    return _("{unit} opens fire on {enemy}.").format(unit=title(before, step.unit), enemy=title(before, step.target))


def _rally(before: Position, step: Rally) -> str:
    return _("{unit} tries to rally.").format(unit=title(before, step.unit))


def _closing(before: Position, step: Closing) -> str:
    due = before.due[0] if before.due else None
    units = titles(before, due.units) if due is not None else ""
    opportunity = due is not None and due.kind == "opportunity"
    if opportunity:
        form = _("{unit} uses Opportunity Fire.") if step.fires else _("{unit} lets the enemy pass.")
    else:
        form = _("{unit} uses Closing Fire.") if step.fires else _("{unit} holds its fire.")
    return form.format(unit=units)


def _end_of_orders(before: Position, step: Done) -> str:
    if before.due:
        return _("{units} declines the Shock Phase.").format(units=titles(before, before.due[0].units))
    if before.bonus:
        return _("The bonus order goes unused.")
    left = plural("{n} order left", "{n} orders left", before.orders)
    return _("{division} ends its activation with {left}.").format(
        division=division_title(before, before.acting), left=left
    )


def _agreement(before: Position, step: Agreed) -> str:
    told = [_agreed_unit(before, name, row) for name, row in step.units.items()]
    if step.orders is not None:
        told.append(plural("{n} order left", "{n} orders left", step.orders))
    if step.winner:
        winner = army_title(before, before.scenario.sides.index(step.winner))
        told.append(_("{who} wins").format(who=winner))
    return _("Agreed: {what}.").format(what="; ".join(told) or step.note or _("nothing"))


def _agreed_unit(before: Position, name: str, row: Mapping[str, object] | None) -> str:
    unit = title(before, name)
    if row is None:
        return _("{unit} has left the battle").format(unit=unit)
    if before.unit(name) is None:
        return _("{unit} is back in the battle").format(unit=unit)
    told = []
    if {"x", "y"} & set(row):
        told.append(_("{unit} has moved").format(unit=unit))
    elif "facing" in row:
        told.append(_("{unit} faces another way").format(unit=unit))
    if "status" in row or "fatigue" in row:
        told.append(_("{unit} has a different status").format(unit=unit))
    return join_words(told)


_TOLD: dict[type[Step], Callable[[Position, Any], str]] = {
    Settle: _settle,
    Token: _token,
    Activate: _activate,
    Roll: _roll,
    Advance: _move,
    FallBack: _move,
    Wheel: _move,
    Fire: _fire,
    Rally: _rally,
    Closing: _closing,
    Done: _end_of_orders,
    Agreed: _agreement,
}


def question(step: Step, position: Position) -> str:
    """Return the question of somebody who asks whether a step is allowed: "Can the guards advance that far?"."""
    enemy = _enemy(step, position)
    forms = {
        Advance: _("Can {unit} charge {enemy}?") if enemy else _("Can {unit} advance that far?"),
        FallBack: _("Can {unit} fall back there?"),
        Wheel: _("Can {unit} turn and go there?"),
        Fire: _("Can {unit} fire at {enemy}?"),
        Rally: _("Can {unit} rally?"),
    }
    if type(step) not in forms:
        return _("Allowed? {what}").format(what=step_words(step, position))
    return forms[type(step)].format(unit=title(position, getattr(step, "unit", "")), enemy=enemy)


def brief_question(step: Step, position: Position) -> str:
    """Return the same question where it is clear which unit is meant: "Advance that far?"."""
    enemy = _enemy(step, position)
    forms = {
        Advance: _("Charge {enemy}?") if enemy else _("Advance that far?"),
        FallBack: _("Fall back there?"),
        Wheel: _("Turn and go there?"),
        Fire: _("Fire at {enemy}?"),
        Rally: _("Rally?"),
    }
    return forms[type(step)].format(enemy=enemy) if type(step) in forms else question(step, position)


def _enemy(step: Step, position: Position) -> str:
    """Return the enemies that a step is about: those that an advance ends in contact with, or those fired at."""
    if isinstance(step, Fire):
        return title(position, step.target)
    if isinstance(step, Advance) and (mover := position.unit(step.unit)) is not None:
        return titles(position, enemies_touched(position, mover, end_of(position, mover, step)))
    return ""


# ---- what came of a step -------------------------------------------------------------------------


def changes(before: Position, after: Position) -> tuple[str, ...]:
    """Return what came of a step by itself: who is worse off, who has left, who fell back, and the end."""
    told = [_change(before, unit, after.unit(unit.name)) for unit in before.units]
    if after.winner is not None and before.winner is None:
        told.append(ending(after))
    return tuple(filter(None, told))


def _change(before: Position, was: Unit, now: Unit | None) -> str:
    unit = title(before, was.name)
    if now is None:
        return _("{unit} has left the battle.").format(unit=unit)
    if was.status != now.status:
        return _("{unit} is now {status}.").format(unit=unit, status=status_words(now))
    if not was.fatigue and now.fatigue:
        worn = tired_by_shock(before, was.name)
        form = _("{unit} is fatigued: only one six in Shock.") if worn else _("{unit} is fatigued: too many orders.")
        return form.format(unit=unit)
    return ""


def ending(position: Position) -> str:
    """Say who has won, and why."""
    assert position.winner is not None
    who, why = army_title(position, position.winner), reason_words(position.reason)
    return _("{who} wins: {why}.").format(who=who, why=why)
