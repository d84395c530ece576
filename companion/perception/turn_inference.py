"""Weighs the engine's legal turns against a reading, at once or in a thread, so that the screen never waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace

from companion.perception.adapters import compare, is_in_sight
from companion.perception.area_questions import force_of
from companion.perception.mistaken_commanders import new_commanders, taken_for_units
from companion.perception.sync.status import InferenceRequest
from companion.perception.sync.turn_progress import has_come, sharpen
from engine.orders.inference.evidence import Evidence, evidence_of
from engine.orders.inference.infer import Inference, add_fuller_odds, infer_from_evidence
from engine.orders.position import Position
from vision.reading.read import Reading

IDLE = 0.5
"""How likely it is beforehand, at a table that is watched, that nothing was done since the last step."""
CHANGED = 0.1
"""The same where the eye is sure of an area that it isn't as recorded, or a commander seems to have come: for that it
has to be wrong where it is sure."""


def weigh_turns(asked: InferenceRequest) -> Inference:
    """Weigh the legal turns, and doing none, as explanations of a reading; where none fits, find what is wrong."""
    position, reading = asked.position, asked.reading
    others = tuple(
        (commander.odds, _evidence(position, commander.reading, asked))
        for commander in new_commanders(position, reading)
    )
    evidence = replace(_evidence(position, reading, asked), others=others)
    idle = idle_chance(position, reading, refused=asked.refused)
    return add_fuller_odds(infer_from_evidence(position, evidence, idle=idle, two=True), position)


def _evidence(position: Position, reading: Reading, asked: InferenceRequest) -> Evidence:
    return replace(evidence_of_reading(position, reading), face_up=asked.laid_cards)


def idle_chance(position: Position, reading: Reading, *, refused: bool = False) -> float:
    """Return the prior probability that nothing was done since the last step; refused: people refused the turns."""
    changed = any(
        difference.state == "differs" and difference.area in reading.counts for difference in compare(position, reading)
    )
    came = not refused and (has_come(position, reading) or taken_for_units(position, reading))
    return CHANGED if changed or came else IDLE


def evidence_of_reading(position: Position, reading: Reading) -> Evidence:
    """Return what the eye makes of the table as evidence for the rules; covered areas are left out."""
    hidden = set(reading.unreadable)
    counts = {
        area: [(force_of(combo), chance) for combo, chance in belief.options]
        for area, belief in reading.counts.items()
        if area not in hidden
    }
    return evidence_of(position.board, counts, _commanders(position, reading))


def _commanders(position: Position, reading: Reading) -> dict[str, Mapping[str, float]] | None:
    """Return {looked-at space: {faction: probability of its commander there}}; None if nothing was looked at.

    Two commanders on one space stand on each other: the eye can't tell both.
    """
    if reading.board_image is None and not reading.counts:
        return None
    return {
        space.name: {who: sharpen(chance) for who, chance in reading.leaders.get(space.name, {}).items()}
        for space in position.board.spaces
        if is_in_sight(space, reading) and len(position.commanders_on(space.name)) < 2
    }


class InlineExplainer:
    """Explains at once, while the caller waits: for tests and pictures."""

    def __init__(self) -> None:
        self._last: tuple[InferenceRequest, Inference] | None = None

    def explanation(self, asked: InferenceRequest) -> Inference:
        """Return what explains the reading; worked out once for each request."""
        if self._last is None or self._last[0] is not asked:
            self._last = (asked, weigh_turns(asked))
        return self._last[1]


class ThreadedExplainer:
    """Explains in a thread of its own, one request at a time; a call after it is done starts the next.

    An exception in the thread is raised by the `explanation` call that fetches its result.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "thinking")
        self._running: tuple[InferenceRequest, Future[Inference]] | None = None
        self._last: tuple[InferenceRequest, Inference] | None = None

    def explanation(self, asked: InferenceRequest) -> Inference | None:
        """Return what explains the reading; None while the thread is still working on it."""
        if self._running is not None and self._running[1].done():
            (about, found), self._running = self._running, None
            self._last = (about, found.result())
        if self._last is not None and self._last[0] is asked:
            return self._last[1]
        if self._running is None:
            self._running = (asked, self._thread.submit(copy_context().run, weigh_turns, asked))
        return None

    def close(self) -> None:
        """End the thread once it is done with its present request, without waiting."""
        self._thread.shutdown(wait=False)

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.shutdown()
