"""Readings as the eye would give them, made from positions: what it sees is said, not photographed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.games.match import Match
from companion.perception.area_questions import standing_in
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import InferenceRequest, SyncStatus, TableView
from engine.orders.inference.infer import Inference, infer
from engine.orders.position import Position
from vision.dice.reader import DiceReading, Die
from vision.geometry import Grid
from vision.reading.count import Combo, CountBelief
from vision.reading.pieces import Piece
from vision.reading.read import Reading

Options = tuple[tuple[Combo, float], ...]


def reading_of(
    position: Position,
    doubts: Mapping[str, Options] | None = None,
    covered: tuple[str, ...] = (),
    picture: bool = False,
    support: tuple[str, ...] = (),
) -> Reading:
    """Return what the eye sees of a position.

    The eye is sure of all but `doubts` ({area: its count's options}) and what is covered.
    support: the spaces of the support board that are in sight.
    """
    spaces = [space.name for space in position.board.spaces if space.area is not None or space.name in support]
    counts = {area.name: CountBelief(((standing_in(position, area.name), 0.9999),)) for area in position.board.areas}
    counts |= {area: CountBelief(options) for area, options in (doubts or {}).items()}
    confidence = {area: 0.0 if area in covered else count.confidence for area, count in counts.items()}
    down, across = Grid(position.board.size_mm).shape
    return Reading(
        units={area: _force(count.best) for area, count in counts.items() if count.best and area not in covered},
        commanders={space: position.commanders_on(space)[0] for space in spaces if position.commanders_on(space)},
        confidence=confidence,
        unreadable=covered,
        ms=40.0,
        counts=counts,
        leaders={space: dict.fromkeys(position.commanders_on(space), 0.9999) for space in spaces},
        pieces=tuple(_pieces(position)),
        board_image=np.full((down, across, 3), 90, np.uint8) if picture else None,
        quality=0.9,
        support=support,
    )


def say(monitor: SyncMonitor, status: SyncStatus) -> None:
    """Let the screen say this of the table, whatever was seen."""
    monitor.state = replace(monitor.state, status=status)


def _force(combo: Combo) -> dict[str, dict[str, int]]:
    force: dict[str, dict[str, int]] = {}
    for faction, unit, n in combo:
        force.setdefault(faction, {})[unit] = n
    return force


def _pieces(position: Position) -> list[Piece]:
    return [
        Piece(faction, unit, area.name, area.centres_mm[0], 0.99 if i == 0 else 0.6)
        for area in position.board.areas
        for faction, unit, n in standing_in(position, area.name)
        for i in range(n)
    ]


class Eye:
    """A watch that shows what the test lays before it; it follows the game until something is laid."""

    def __init__(self) -> None:
        self.laid: TableView | None = None
        self._followed: tuple[Position, TableView] | None = None

    def lay(self, position: Position, doubts: Mapping[str, Options] | None = None, state: str = "settled") -> None:
        self.laid = TableView(state, reading_of(position, doubts))  # type: ignore[arg-type]

    def follow(self) -> None:
        self.laid = None

    def glimpse(self, match: Match) -> TableView:
        if self.laid is not None:
            return self.laid
        if self._followed is None or self._followed[0] is not match.position:
            self._followed = (match.position, TableView("settled", reading_of(match.position)))
        return self._followed[1]


class Exact:
    """An explainer that takes what is seen for certain: a turn explains all of it, or there is a nearest one."""

    def __init__(self) -> None:
        self._last: tuple[InferenceRequest, Inference] | None = None

    def explanation(self, asked: InferenceRequest) -> Inference:
        """Return the inference from exact counts."""
        if self._last is None or self._last[0] is not asked:
            seen = asked.reading
            self._last = (asked, infer(asked.position, dict(seen.units), dict(seen.commanders), support=False))
        return self._last[1]


TRAY = [(-40.0, 20.0), (-30.0, 60.0), (-60.0, 90.0), (-50.0, 130.0)]


def dice_look(*faces: int | None, move: float = 0.0, sure: float = 0.97) -> DiceReading:
    """Return a look at dice in the tray, None for one that cannot be read, all of them shifted by some mm."""
    places = [(x + move, y) for x, y in TRAY]
    dice = tuple(Die(at, face, sure) for at, face in zip(places, faces, strict=False) if face is not None)
    return DiceReading(dice, tuple(at for at, face in zip(places, faces, strict=False) if face is None))
