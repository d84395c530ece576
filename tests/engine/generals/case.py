"""Positions of Generals Order to try rules on: a small deck whose cards say what they are."""

from __future__ import annotations

from typing import Any

from engine.generals.cards import Deck, read_deck
from engine.generals.game import examine, judge
from engine.generals.position import SIDES, Fighter, Position, Side
from engine.generals.steps import Step
from engine.generals.tally import points_of

DECK = """
title = "A deck for tests"
known = "practice"

[cards.horse]
title = "Horse"
kind = "general"
faction = "Hill"
copies = 3
cost = 3
military = 3
intelligence = 2

[cards.fox]
title = "Fox"
kind = "general"
faction = "Hill"
copies = 3
cost = 1
military = 1
intelligence = 5
effect = { verb = "draw", amount = 1, cost = 1 }

[cards.hawk]
title = "Hawk"
kind = "general"
faction = "Lake"
copies = 3
cost = 2
military = 2
intelligence = 2
arrives = "outside"
swift = true

[cards.boar]
title = "Boar"
kind = "general"
faction = "Lake"
copies = 3
cost = 0
military = 0
effect = { verb = "military", amount = 2 }

[cards.sword]
title = "Sword"
kind = "item"
copies = 3
cost = 1
military = 2

[cards.lamp]
title = "Lamp"
kind = "item"
copies = 1
cost = 0
feature = { verb = "intelligence", when = "facing", amount = 1 }

[cards.band]
title = "Band"
kind = "troop"
copies = 3
cost = 0
intelligence = 1
"""
EVENTS = {
    "rain": ("event", 'verb = "draw", amount = 2'),
    "fire": ("event", 'verb = "damage", amount = 3'),
    "theft": ("event", 'verb = "discard", amount = 2'),
    "plot": ("event", 'verb = "strike"'),
    "drum": ("event", 'verb = "ready"'),
    "recall": ("event", 'verb = "withdraw"'),
    "duel": ("event", 'verb = "defeat"'),
    "crown": ("event", 'verb = "win"'),
    "riddle": ("event", 'verb = "table"'),
    "study": ("event", 'verb = "intelligence", amount = 4'),
    "thieves": ("event", 'verb = "disarm"'),
    "fever": ("event", 'verb = "weaken", amount = 2'),
    "trap": ("special", 'verb = "damage", amount = 1'),
    "snare": ("special", 'verb = "strike"'),
}
THREE = ("rain", "fire", "theft", "plot")


def deck_text() -> str:
    """Return the text of the deck's file: 19 generals and equipment, 32 others."""
    rows = []
    for name, (kind, effect) in EVENTS.items():
        after = 'after = "move"\n' if kind == "special" else ""
        head = f'[cards.{name}]\ntitle = "{name.title()}"\nkind = "{kind}"\n'
        copies = 3 if name in THREE else 2
        rows.append(f"{head}copies = {copies}\ncost = 1\n{after}effect = {{ {effect} }}\n")
    return DECK + "\n".join(rows) + "\n"


def deck() -> Deck:
    """Return the deck of 51 cards."""
    return read_deck("hills", deck_text(), "hills.toml")


def side(*fighters: Fighter, hand: int = 5, **changes: Any) -> Side:
    """Return a side with these generals and the rest of its deck as its resources."""
    empty = Side(deck(), 0, hand, fighters=fighters, **changes)
    return Side(deck(), deck().size - empty.cards, hand, fighters=fighters, **changes)


def position(red: Side, black: Side | None = None, **changes: Any) -> Position:
    """Red's turn, unless said otherwise."""
    return Position((red, black or side()), changes.pop("to_move", 0), **changes)


def at(label: str, zone: Any = "city", **changes: Any) -> Fighter:
    """Return a general of that label who is ready to act."""
    return Fighter(label, label.partition("-")[0], zone, **changes)


def red(where: Position) -> Side:
    return where.sides[0]


def black(where: Position) -> Side:
    return where.sides[1]


def points(where: Position, number: int, form: str) -> int:
    """Points of one of red's generals."""
    return points_of(where, 0, red(where).fighters[number], form).total


def objections(where: Position, step: Step) -> list[str]:
    """Return the names of the rules that a step breaks."""
    return [finding.rule for finding in judge(where, step).objections]


def looked_at(where: Position, step: Step) -> dict[str, bool]:
    """Every rule that was looked at, and whether it holds."""
    return {finding.rule: finding.holds for finding in examine(where, step).findings}


__all__ = ["SIDES", "at", "black", "deck", "deck_text", "looked_at", "objections", "points", "position", "red", "side"]
