"""How a game of any system went: both sides' numbers by turn, where it was fought, and the turn that decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from companion.core.language import _
from companion.games.saved.statistics import CourseFacts
from companion.scenes.story.game_log import MatchLog
from companion.scenes.story.outline import Followed, LogPart
from companion.scenes.story.presenter import SystemPresenter, Told
from companion.ui.charts import Curve, CurveSide
from companion.ui.intents import Intent

SCRUBBER_PT = 68.0  # its height: enough for a finger
Standing = tuple[int, int]
"""Both sides' points, or whatever the system counts, the near side's first."""


@dataclass(frozen=True, slots=True)
class CourseTurn:
    """A turn: its last step (from 1), its round, both sides' points after it, and where it was fought, or ""."""

    last: int
    round: int
    standing: Standing
    fought: str


class Course:
    """A game turn by turn in points, for its curve; only what is new since the last call is worked out.

    A system that counts nothing has no turns here.
    """

    def __init__(self, log: MatchLog) -> None:
        self._log = log
        self._followed = Followed(log.match)
        self._turns: list[CourseTurn] = []

    @property
    def start(self) -> Standing | None:
        """Both sides' points before the first turn; None if the system counts nothing."""
        return self._log.presenter.standing(self._log.match.positions[0])

    @property
    def turns(self) -> tuple[CourseTurn, ...]:
        """All turns so far, brought up to date; empty if the system counts nothing."""
        if self.start is None:
            return ()
        parts, same = self._log.parts, self._followed.catch_up()
        while self._turns and not self._holds(parts, same):
            self._turns.pop()
        presenter, match = self._log.presenter, self._log.match
        self._turns += [_turn_of(presenter, match, part.steps, part.round) for part in parts[len(self._turns) :]]
        return tuple(self._turns)

    def _holds(self, parts: tuple[LogPart, ...], same: int) -> bool:
        """Return whether the last turn known is still part of the game."""
        n, last = len(self._turns), self._turns[-1].last
        return last <= same and n <= len(parts) and parts[n - 1].steps.stop == last

    def values(self, side: int) -> tuple[int, ...]:
        """Return one side's points at the start and after each turn."""
        start = self.start or (0, 0)
        return (start[side], *(turn.standing[side] for turn in self.turns))

    def turns_begun(self, step: int) -> int:
        """Return how many turns have begun after this many steps: the place of that moment on the curve."""
        return next((n for n, turn in enumerate(self.turns, 1) if step <= turn.last), len(self.turns)) if step else 0

    def steps_after(self, turn: int) -> int:
        """Return how many steps had been taken at the end of this turn (from 1; 0 for the start)."""
        turns = self.turns
        return turns[min(turn, len(turns)) - 1].last if turn > 0 and turns else 0

    def step_at(self, part: float) -> int:
        """Return how many steps had been taken at a place on the curve, given as a fraction of its width (0 to 1)."""
        return self.steps_after(round(part * len(self.turns)))

    def turning_point(self) -> int | None:
        """Return which turn (from 1) decided the game; None if none did, without a winner, or after an agreed end."""
        start = self.start
        return None if start is None else _turning_point(self._log.presenter, self._log.match, start, self.turns)

    def deciding_step(self, turn: int, winner: int) -> int:
        """Return the number of the step in a turn that gained the winner most, or of the decision that led to it.

        turn, and the number returned, count from 1; winner: the side's index.
        """
        match, presenter = self._log.match, self._log.presenter
        steps = range(self.steps_after(turn - 1), self.steps_after(turn))

        def gain(index: int) -> int:
            before, after = (presenter.standing(match.positions[n]) or (0, 0) for n in (index, index + 1))
            return after[winner] - before[winner] - after[1 - winner] + before[1 - winner]

        most = max(steps, key=gain)
        chosen = (n for n in range(most, steps.start - 1, -1) if presenter.by_will(match.steps[n]))
        return next(chosen, most) + 1

    def scrubber(self, step: int) -> tuple[Curve, ...]:
        """Return a low curve to pick moments on (Intent "scrub"), marked after this many steps; empty without turns."""
        found = self.curve(self.turns_begun(step), Intent("scrub"), SCRUBBER_PT)
        now = self._log.presenter.standing(self._log.match.positions[step])
        return () if found is None else (replace(found, now=now),)

    def curve(self, at: int | None = None, intent: Intent | None = None, high_pt: float = 112.0) -> Curve | None:
        """Return the curve of the game; None if it has no turn yet. at: the turn to mark; intent: of a touch on it."""
        turns, people, presenter = self.turns, self._log.people, self._log.presenter
        if not turns:
            return None
        one, other = (CurveSide(seat, people.name(seat), self.values(n)) for n, seat in enumerate(people.factions))
        before = (0, *(turn.round for turn in turns))
        rounds = tuple((n, str(turn.round)) for n, turn in enumerate(turns) if turn.round != before[n])
        return Curve(
            _("{what} by turn · × conflict").format(what=presenter.standing_words()) if at is None else "",
            (one, other),
            rounds=rounds,
            fights=tuple(n for n, turn in enumerate(turns, 1) if turn.fought),
            turning=self.turning_point(),
            at=at,
            intent=intent,
            high_pt=high_pt,
        )


def _turn_of(presenter: SystemPresenter[Any, Any], game: Told[Any, Any], steps: range, round_: int) -> CourseTurn:
    """Return a turn's points and fight from the indices of its steps."""
    fought = (presenter.fought(game.steps[n], game.positions[n]) for n in steps)
    standing = presenter.standing(game.positions[steps.stop])
    assert standing is not None
    return CourseTurn(steps.stop, round_, standing, next(filter(None, fought), ""))


def _turning_point(
    presenter: SystemPresenter[Any, Any], game: Told[Any, Any], start: Standing, turns: Sequence[CourseTurn]
) -> int | None:
    """Return which turn (from 1) decided the game; None if none did, without a winner, or after an agreed end."""
    winner = presenter.winner(game.positions[-1])
    if winner is None or not turns or presenter.is_agreed(game.steps[-1]):
        return None
    if presenter.is_sudden(game.positions[-1]):
        return len(turns)
    standings = (start, *(turn.standing for turn in turns))
    return deciding_turn([standing[winner] - standing[1 - winner] for standing in standings])


def course_facts(presenter: SystemPresenter[Any, Any], game: Told[Any, Any]) -> CourseFacts:
    """Return the curve, deciding round and fights of a game, for the statistics; empty if nothing is counted."""
    start = presenter.standing(game.positions[0])
    if start is None:
        return CourseFacts()
    turns = [_turn_of(presenter, game, steps, round_) for steps, round_ in presenter.parts(game, 0)]
    ends = {turn.round: turn.standing for turn in turns}  # the last turn of each round
    turning = _turning_point(presenter, game, start, turns)
    return CourseFacts(
        curve=(start, *ends.values()),
        decided=0 if turning is None else [*ends].index(turns[turning - 1].round) + 1,
        fights=sum(bool(turn.fought) for turn in turns),
    )


def deciding_turn(leads: Sequence[int]) -> int | None:
    """Return the turn in which the winner took the lead for good.

    For a winner who was never behind, or never ahead, it is the turn that brought most. None if no turn brought
    anything. leads: at the start, and after each turn.

    >>> deciding_turn([0, 2, -1, 1, 3]), deciding_turn([0, 1, 4, 5]), deciding_turn([0, 0])
    (3, 2, None)
    """
    behind = [n for n, lead in enumerate(leads) if lead <= 0]
    if behind and 0 < behind[-1] < len(leads) - 1:
        return behind[-1] + 1
    gains = [after - before for before, after in pairwise(leads)]
    most = max(gains, default=0)
    return gains.index(most) + 1 if most > 0 else None
