"""Games of the systems without a board on the terminal: step by step, and how a position stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.language import _
from companion.games.journal import AnyJournal
from companion.scenes.story.presenter import SystemPresenter, people_of
from companion.terminal.reports import GameReport, kept_lines
from companion.text.columns import columns
from intake.text import one_line


@dataclass(frozen=True, slots=True)
class Standings:
    """How a position stands: the turn, who won and why ("" while it goes on), and {side: {heading: number}}."""

    turn: int
    winner: str
    reason: str
    sides: Mapping[str, Mapping[str, int]]


class BoardlessReport(GameReport):
    """The report of a system without a board, made from its presenter's sentences and its standings."""

    def __init__(self, system: str, presenter: SystemPresenter[Any, Any], standings: Callable[[Any], Standings]):
        self.system = system
        self.presenter = presenter
        self.standings = standings

    def step_text(self, step: Any, before: Any) -> str:
        """Return the presenter's sentence on a step; a dash if it has none."""
        return one_line(self.presenter.line(step, before, people_of(self.presenter, before, {}))) or "–"

    def game_text(self, journal: AnyJournal) -> str:
        """Return a saved game as text: the start, a line for each step, and the standings."""
        return "\n".join([*self._lines(journal), self.score_text(journal.last)])

    def _lines(self, journal: AnyJournal) -> Iterator[str]:
        positions = journal.positions
        yield self.presenter.start_line(positions[0])
        for number, step in enumerate(journal.steps, 1):
            before = positions[number - 1]
            turn = (
                _("turn {n}").format(n=before.turn) if number == 1 or before.turn != positions[number - 2].turn else ""
            )
            yield f"{number:>4}  {turn:<8}  {self.step_text(step, before)}"
            yield from kept_lines(journal, number)

    def score_text(self, position: Any) -> str:
        """Return both sides' numbers in columns, and below them who has won and why, or the turn."""
        found = self.standings(position)
        headings = list(next(iter(found.sides.values())))
        rows = [[_("side"), *map(_, headings)]]
        rows += [[side, *map(str, numbers.values())] for side, numbers in found.sides.items()]
        form = _("{who} wins: {why}") if found.winner else _("turn {n}, the game goes on")
        return f"{columns(rows)}\n{form.format(who=found.winner, why=found.reason, n=found.turn)}"

    def score_json(self, position: Any) -> dict[str, Any]:
        """Return the score as JSON for other programs."""
        found = self.standings(position)
        sides = {side: dict(numbers) for side, numbers in found.sides.items()}
        return {
            "system": self.system,
            "turn": found.turn,
            "winner": found.winner,
            "reason": found.reason,
            "sides": sides,
        }
