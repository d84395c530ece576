"""Steps written as lines of text, the way `engine.orders.notation` reads them: `parse_step(format_step(x)) == x`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from engine.orders.notation import KEYWORDS, KINDS, NOTHING
from engine.orders.steps import Accept, Agreed, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from engine.orders.wire.steps import OTHER_CORRECTIONS

_LETTERS = {kind: letter for letter, kind in KINDS.items()}
_PLAIN = re.compile(r"[a-z][a-z0-9_]*(?:[:-][a-z0-9_]+)*")


def format_step(step: Step) -> str:
    """Return a step as one line.

    >>> format_step(Deploy("advance:c4", moves=(("d5", "troop", 2), ("d3", "troop", 1))))
    'advance:c4 from d5=2t d3=1t'
    """
    return " ".join(_FORMAT[type(step)](step))


def quote_name(name: str) -> str:
    """Return a name as it is written: plain if it is a small word, else in quotes as JSON writes text.

    >>> quote_name("advance:c4"), quote_name("draw"), quote_name("Two words")
    ('advance:c4', '"draw"', '"Two words"')
    """
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else json.dumps(name)


def _names(given: Iterable[str]) -> list[str]:
    return [quote_name(name) for name in given] or [NOTHING]


def _row(given: Iterable[str]) -> str:
    return " ".join(_names(given))


def _pairs(table: Mapping[str, Any]) -> str:
    """As many "name=value" as there are; a value is a number, a name, or names joined by "+"."""

    def together(value: Any) -> str:
        if isinstance(value, int):
            return str(value)
        return "+".join(_names([value] if isinstance(value, str) else value))

    return " ".join(f"{quote_name(name)}={together(value)}" for name, value in table.items())


_BESIDES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "standby": ("standby", _pairs),
    "left": ("commanders_left", _pairs),
    "hands": ("hands", _pairs),
    "discard": ("discard", _row),
    "initiative": ("initiative", quote_name),
    "round": ("round", str),
    "bonuses": ("bonuses", _pairs),
    "due": ("dice", str),
    "winner": ("winner", quote_name),
    "passed": ("passed", _row),
}


def _units(units: Iterable[tuple[str, int]]) -> str:
    return "+".join(f"{n}{_kind(kind)}" for kind, n in units) or NOTHING


def _kind(kind: str) -> str:
    return f'"{kind}"' if kind in KINDS else _LETTERS.get(kind) or quote_name(kind)


def _loads(word: str, loads: Iterable[Load]) -> list[str]:
    parts = [
        f"{quote_name(area)}={_units((kind, n) for _, kind, n in group)}"
        for area, group in groupby(loads, key=lambda load: load[0])
    ]
    return [word, *parts] if parts else []


def _said(word: str, name: str | None) -> list[str]:
    return [] if name is None else [word, quote_name(name)]


def _format_deploy(step: Deploy) -> list[str]:
    parts = [quote_name(step.space), *_loads("from", step.moves), *_loads("place", step.place)]
    parts += [*_loads("recall", step.recall), *_said("at", step.target)]
    parts += [] if step.payload is None else ["payload", str(step.payload)]
    if step.draw is not None:
        parts += ["draw", *([str(step.draw)] if isinstance(step.draw, int) else _names(step.draw))]
    return parts + (["with", *_names(step.cards)] if step.cards else [])


def _format_play(step: Play) -> list[str]:
    parts = ["play", quote_name(step.card), *_said("by", step.by)]
    parts += [*_loads("from", step.moves), *_loads("place", step.place), *_loads("recall", step.recall)]
    return parts + _said("at", step.target) + ([] if step.units is None else ["units", str(step.units)])


def _format_agreed(step: Agreed) -> list[str]:
    parts = ["agreed"]
    for area, units in step.areas:
        parts.append(
            f"{quote_name(area)}={'+'.join(f'{n}{_kind(u)}/{quote_name(who)}' for who, u, n in units) or NOTHING}"
        )
    parts += ["commanders"] if step.spaces else []
    parts += [f"{quote_name(space)}={'+'.join(_names(holders))}" for space, holders in step.spaces]
    parts += _said("to", step.to_move)
    parts += ["readings"] if step.readings else []
    parts += [f"{quote_name(name)}={quote_name(answer)}" for name, answer in step.readings]
    table = OTHER_CORRECTIONS.write(step.other)
    for word, (key, write) in _BESIDES.items():
        parts += [word, write(table[key])] if key in table else []
    return parts + _said("note", step.note or None)


_FORMAT: dict[type[Step], Callable[[Any], list[str]]] = {
    Deploy: _format_deploy,
    Pass: lambda step: ["pass"],
    Play: _format_play,
    Roll: lambda step: ["roll", *(map(str, step.dice) if step.dice else NOTHING), *_said("by", step.by)],
    Reroll: lambda step: ["reroll", quote_name(step.card), *_said("by", step.by)],
    Agreed: _format_agreed,
    Remove: lambda step: ["remove", _units(step.units), *_said("by", step.by), *_said("in", step.area)],
    Return: lambda step: ["return", quote_name(step.space), *_said("by", step.by)],
    Accept: lambda step: ["accept", *_said("by", step.by)],
}
