"""The app's turn while it thinks about it: a choice is ready at any moment, and a thought that hangs is ended."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.games.opponent import Opponent
from companion.thinking.player import TurnWanted, choice, choices
from companion.thinking.thought import Thinking
from engine.orders.player import Choice
from engine.orders.position import Position

LONGEST_S = {"usual": 60.0, "long": 240.0}
"""A level's work is done much earlier; on a machine that is slower than any, the best turn so far is taken."""
TIMES = {"usual": 1, "long": 16}
"""How far it looks at each pace, in times of what its level does."""
HUNG_S = 30.0
"""A thought that has gone on for so long after its time hangs."""


def turn_wanted(opponent: Opponent, view: Position, steps: int) -> TurnWanted:
    """Return what the app's side has to think through after so many steps of the game."""
    return TurnWanted(
        view,
        opponent.side,
        opponent.level,
        opponent.seed_at(steps),
        LONGEST_S[opponent.pace],
        TIMES[opponent.pace],
        opponent.commander,
    )


class TurnThought:
    """What comes of thinking about one turn. chosen: the turn taken, None while it thinks."""

    def __init__(self, thinking: Thinking, wanted: TurnWanted) -> None:
        self.chosen: Choice | None = None
        self._wanted = wanted
        self._thought = thinking.begin(partial(choices, wanted))
        self._so_far: Choice | None = None
        self._hurried = False
        self._since_s: float | None = None

    def choice(self) -> Choice | None:
        """Return the turn that is taken; None while it is thinking."""
        if self.chosen is None:
            *_before, self._so_far = (self._so_far, *self._thought.news())
            if self._thought.state != "thinking" or (self._hurried and self._so_far is not None):
                self._end()
        return self.chosen

    def hurry(self) -> None:
        """Take the best turn found so far, as soon as there is one."""
        self._hurried = True

    def end_if_hung(self, now_s: float) -> bool:
        """Take the best turn found so far if it has thought for far too long; return whether it has."""
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s < self._wanted.seconds + HUNG_S:
            return False
        self._end()
        return True

    def stop(self) -> None:
        """Think no more, as nobody needs the turn."""
        self._thought.stop()

    def _end(self) -> None:
        """Take the best turn found; the best one at a glance where no process could be had to think in."""
        self._thought.stop()
        self.chosen = self._so_far or next(choice(replace(self._wanted, seconds=0.0)))
