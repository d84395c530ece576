"""The rules of Sonae as questions: may I (judge, examine), do it (apply), what now (owed).

Beside them its book: the rules by their ids, what its text leaves open, and its sections in our own words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial

from engine.rulebook import load_book, load_readings, load_rules, switched_readings
from engine.sonae.pools import ROLLED, Pool, pool_of
from engine.sonae.position import Due, Position, Unit
from engine.sonae.scenario import Scenario
from engine.sonae.steps import Step
from engine.sonae.turn import carry_on, judge_step, perform_step, start_turn
from engine.sonae.words import changes, due_words
from engine.system import Judge

BOOK = "sonae"
rules = cache(partial(load_rules, BOOK))
"""Every rule of the game by its id."""
readings = cache(partial(load_readings, BOOK))
"""What the text leaves open, by name."""
sections = partial(load_book, BOOK)
"""What its book says, section by section, by name."""


@dataclass(frozen=True, slots=True)
class Owed:
    """What the table owes: the thing itself, in words, and for a test its dice with their reasons."""

    due: Due
    text: str
    pool: Pool | None = None


def new_game(scenario: Scenario, switched: Iterable[str] = ()) -> Position:
    """Start a battle before its first turn; raise BadPosition for a reading without another answer."""
    units = tuple(Unit(name, kind.start) for name, kind in scenario.units.items())
    modes = scenario.armies[0].mode, scenario.armies[1].mode
    return carry_on(start_turn(Position(scenario, units, modes, readings=switched_readings(readings(), switched))))


_JUDGE: Judge[Position, Step] = Judge(lambda position: rules(), judge_step, perform_step, readings, changes)
judge, examine, apply, fold, replay = _JUDGE.judge, _JUDGE.examine, _JUDGE.apply, _JUDGE.fold, _JUDGE.replay
play, play_recorded = _JUDGE.play, _JUDGE.play_recorded


def owed(position: Position) -> Owed | None:
    """Return what the table owes now; None while orders are free, and once the battle is over."""
    if not position.due:
        return None
    due = position.due[0]
    pool = pool_of(position, due) if due.kind in ROLLED and due.kind != "orders" else None
    return Owed(due, due_words(position, due), pool)
