"""Following a game step by step: what hands have to do after each, and what is to be said once."""

from __future__ import annotations

from companion.language import _
from companion.match import Match
from companion.scenes.on_board import Task, put_back, tasks
from companion.scenes.todo import ToDo
from companion.scenes.words import faction_name
from engine.orders.ending import HQ_LOST, VICTORY_POINTS
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Step

Played = tuple[Position, Step, Position]


class Hands:
    """The hands' list and the news of a game; `follow` takes in what was played or taken back since the last time."""

    def __init__(self, match: Match) -> None:
        self.todo = ToDo()
        self.news = ""
        self._seen = _played(match)

    def follow(self, match: Match) -> None:
        """What is new since the last look."""
        before, now = self._seen, _played(match)
        self._seen = now
        same = _common(before, now)
        gone, came = before[same:], now[same:]
        if not gone and not came:
            return
        back = [task for one in reversed(gone) for task in put_back(one[0], one[2], one[1])]
        new = [task for one in came for task in tasks(one[0], one[2], one[1])]
        self.news = news(came[-1]) if came else ""
        if back:
            self.todo = ToDo(_("Put back on the board:"), (*back, *new))
        else:
            self.todo = ToDo(_("On the board:"), (*self._left(came), *new))

    def _left(self, came: list[Played]) -> list[Task]:
        """What was not ticked off of the same turn; with the next turn it is taken as done."""
        if any(isinstance(step, Deploy | Pass) for _before, step, _after in came):
            return []
        return [task for n, task in enumerate(self.todo.tasks) if n not in self.todo.done]


def _played(match: Match) -> list[Played]:
    positions = match.positions
    return list(zip(positions, match.steps, positions[1:], strict=False))


def _common(before: list[Played], now: list[Played]) -> int:
    """How many steps from the start both have."""
    pairs = zip(before, now, strict=False)
    return next((n for n, (was, is_) in enumerate(pairs) if was[1] != is_[1]), min(len(before), len(now)))


def news(played: Played) -> str:
    """What a step brought that all must know: a new round, or the end; "" else."""
    before, _step, after = played
    if after.winner_name is not None:
        return {
            HQ_LOST: _("A headquarters stands without units."),
            VICTORY_POINTS: _("The last round is over."),
        }.get(after.reason or "", _("As the players agreed."))
    if before.round != after.round:
        return _("Round {n}: {who} to move").format(n=after.round, who=faction_name(after.to_move_name))
    return ""
