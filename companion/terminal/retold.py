"""Games of the systems without a board on the terminal: step by step, and how a position stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.journal import AnyJournal
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.scenes.systems import telling_of
from companion.text.columns import columns
from intake.text import one_line


@dataclass(frozen=True, slots=True)
class Stands:
    """How a position stands: the turn, who won and why ("" while it goes on), and numbers for each side by name."""

    turn: int
    winner: str
    reason: str
    sides: Mapping[str, Mapping[str, int]]

    @property
    def verdict(self) -> str:
        """Who has won, in a line."""
        return f"{self.winner} wins: {self.reason}" if self.winner else f"turn {self.turn}, the game goes on"


def stands(system: str, position: Any) -> Stands:
    """How a position of a system without a board stands."""
    return _STANDS[system](position)


def stands_text(system: str, position: Any) -> str:
    """The numbers of both sides in columns, and who has won."""
    found = stands(system, position)
    headings = list(next(iter(found.sides.values())))
    rows = [["side", *headings], *([side, *map(str, numbers.values())] for side, numbers in found.sides.items())]
    return f"{columns(rows)}\n{found.verdict}"


def stands_json(system: str, position: Any) -> dict[str, Any]:
    """The same for programs."""
    found = stands(system, position)
    sides = {side: dict(numbers) for side, numbers in found.sides.items()}
    return {"system": system, "turn": found.turn, "winner": found.winner, "reason": found.reason, "sides": sides}


def _battle(position: Any) -> Stands:
    """Units left, how they are, and who stands on the objective."""
    from engine.sonae.told import reason_words

    scenario = position.scenario
    sides: dict[str, dict[str, int]] = {}
    for side, name in enumerate(scenario.sides):
        own = [one for one in position.units if position.side(one.name) == side]
        numbers = {"units": len(own), "of": sum(kind.side == side for kind in scenario.units.values())}
        numbers |= {status: sum(one.status == status for one in own) for status in ("wavering", "brittle")}
        if scenario.objective is not None:
            numbers["on the objective"] = sum(position.is_on(scenario.objective, one.place) for one in own)
        sides[name] = numbers
    return Stands(position.turn, position.winner_name or "", reason_words(position.reason), sides)


def _duel(position: Any) -> Stands:
    """Cards by zone, and generals on the battlefield."""
    from engine.generals.position import SIDES
    from engine.generals.told import reason_words

    sides = {
        name: {
            "resources": side.resources,
            "hand": side.hand,
            "generals": len(side.fighters),
            "expended": side.expended,
            "defeated": len(side.defeated),
        }
        for name, side in zip(SIDES, position.sides, strict=True)
    }
    return Stands(position.turn, position.winner_name or "", reason_words(position.reason), sides)


_STANDS: Mapping[str, Callable[[Any], Stands]] = {"sonae": _battle, "generals": _duel}


# ---- step by step ---------------------------------------------------------------------------------


def step_text(system: str, step: Any, before: Any) -> str:
    """A step in a sentence; a dash where nobody wants to read of it."""
    told: SystemPresenter[Any, Any] = telling_of(system)
    return one_line(told.line(step, before, people_of(told, before, {}))) or "–"


def game_text(journal: AnyJournal) -> str:
    """A saved game step by step, and how it stands at the end."""
    return "\n".join([*_lines(journal), stands_text(journal.system.name, journal.last)])


def _lines(journal: AnyJournal) -> Iterator[str]:
    system = journal.system.name
    start = journal.positions[0]
    yield telling_of(system).start_line(start)
    for number, step in enumerate(journal.steps, 1):
        before = journal.positions[number - 1]
        turn = f"turn {before.turn}" if number == 1 or before.turn != journal.positions[number - 2].turn else ""
        yield f"{number:>4}  {turn:<8}  {step_text(system, step, before)}"
