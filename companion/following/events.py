"""What is told of a game: plain values that change from step to step, and the events that make one of another.

Nothing here names a card in a hand: a draw is a number, as in the journal, and where players entered their cards openly
they are counted. Of the players' names there are those in the game's first line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.journal import AnyJournal, players_of
from companion.games.summary import SYSTEM_RECORDS
from companion.terminal.reports import REPORTS
from engine.system import System

Event = dict[str, Any]
"""A JSON object; `event` says which."""

KEPT = ("round", "turn", "owed", "score", "winner")
"""The events that say how the game is now: the last of each holds until the next."""


def facts_of(system: System[Any, Any], position: Any) -> Event:
    """Return {event: what it says now} of a position, for each of KEPT; "" is nobody."""
    short = SYSTEM_RECORDS.of(system.name).summary(position)
    score = REPORTS.of(system.name).score_json(position)
    over = bool(short.winner)
    owed = None if over else system.pending(position)
    return {
        "round": {"round": short.round},
        "turn": {"to_move": "" if over else short.to_move},
        "owed": {"owed": owed and {key: value for key, value in owed.items() if key != "cards"}},
        "score": {"score": score.get("vp") or score.get("sides", {})},
        "winner": {"winner": short.winner, "reason": str(score.get("reason") or "") if over else ""},
    }


def opening(journal: AnyJournal, name: str) -> Event:
    """Return the event that tells of a game that begins, or is on the table again."""
    start = SYSTEM_RECORDS.of(journal.system.name).summary(journal.positions[0])
    return {
        "event": "game",
        "game": name,
        "system": journal.system.name,
        "board": start.board,
        "sides": list(start.sides),
        "players": players_of(journal.request),
        "steps": len(journal.steps),
    }


def step_event(system: System[Any, Any], name: str, n: int, step: Any, before: Any) -> Event:
    """Return the event of a confirmed step; n: its number, from 1.

    The event's text says the same in English, for people.
    """
    written = system.write_step(step)
    if isinstance(written.get("draw"), list):
        written = {**written, "draw": len(written["draw"])}
        step = system.read_step(written)
    text = REPORTS.of(system.name).step_text(step, before)
    return {"event": "step", "game": name, "n": n, "step": written, "text": text}


def changes(before: Mapping[str, Any], now: Mapping[str, Any], name: str, n: int) -> Iterator[Event]:
    """Yield an event for each fact that is different now, in the order of KEPT; n: how many steps the game has."""
    for key in KEPT:
        if now[key] != before.get(key):
            yield {"event": key, "game": name, "n": n, **now[key]}
