"""The review of a game, worked out off the screen's thread: how far it has got, and the turns reviewed so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from companion.games.match import Match
from companion.games.reviews import read_review, write_review
from companion.thinking.thought import State, Thinking, Thought
from engine.orders.player.review import ReviewedTurn, review, turn_count
from engine.orders.position import Position
from engine.orders.steps import Step


def look_back(positions: Sequence[Position], steps: Sequence[Step]) -> Iterator[ReviewedTurn]:
    """Review every turn of a game; runs in a process of its own."""
    return review(positions, steps)


class RunningReview:
    """The review of a game as it is now: read from beside the game, or begun, and saved there once it is complete."""

    def __init__(self, match: Match, thinking: Thinking) -> None:
        self.game, self.mark = match.path, match.mark(len(match.steps))
        self.total = turn_count(match.steps)
        kept = read_review(self.game, self.mark, match.positions, match.steps)
        self.turns: tuple[ReviewedTurn, ...] = kept or ()
        self._thought: Thought[ReviewedTurn] | None = None
        self._state: State = "done"
        if kept is None:
            self._thought = thinking.begin(partial(look_back, match.positions, match.steps))
            self._state = "thinking"

    @property
    def state(self) -> State:
        """Whether the review is being worked out, done or failed, as of the last `look`."""
        return self._state

    def look(self) -> bool:
        """Collect the turns reviewed since the last look; return whether there are any, or the review has ended."""
        if self._thought is None:
            return False
        came = self._thought.news()
        self.turns = (*self.turns, *came)
        self._state = self._thought.state
        if self._state != "thinking":
            self._thought = None
            if self._state == "done":
                with suppress(OSError):  # the next look at the game works it out again
                    write_review(self.game, self.mark, self.turns)
        return bool(came) or self._thought is None

    def stop(self) -> None:
        """Stop the review, as nobody is waiting for it any more."""
        if self._thought is not None:
            self._thought.stop()
            self._thought, self._state = None, "failed"


class Reviews:
    """Keeps the review asked for last: it goes on while players look elsewhere, until another game's is asked for."""

    def __init__(self, thinking: Thinking) -> None:
        self._thinking = thinking
        self._last: RunningReview | None = None

    def of(self, match: Match, *, anew: bool = False) -> RunningReview:
        """Return the game's review: the last one if it still fits, else a new one; anew: also if the last failed."""
        last = self._last
        if last is not None and (last.game, last.mark) == (match.path, match.mark(len(match.steps))):
            if last.state != "failed" or not anew:
                return last
        elif last is not None:
            last.stop()
        self._last = RunningReview(match, self._thinking)
        return self._last
