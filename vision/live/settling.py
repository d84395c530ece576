"""When a reading may be believed: it has held for a while, over several pictures of a table on which nothing moves.

Pictures of one still scene err alike: what a shadow hides in one it hides in all. So several readings never make an
area surer than the surest of them: their beliefs are averaged (a linear pool; Stone, 1961), which a flicker lowers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.geometry import Picture
from vision.reading.count import KEEP, MOST_OPTIONS, Combo, CountBelief, commanders_of, units_of
from vision.reading.read import Reading

# A reading is believed once it has been the same for so long, over so many readings (one comes every 0.3 s).
HOLD_S = 1.0
LEAST_READINGS = 3
# What is covered is waited for: a resting hand never keeps still for so long, a card does.
COVERED_S = 3.0
# What flickers is waited for too, and then told with this confidence at most: a question to the players.
FLICKER_S = 3.0
FLICKER_MOST = 0.6
# Readings that are pooled, and pictures that are averaged; 16 of them still fit into 16 bits a pixel (16 * 255).
MOST_KEPT = 8
MOST_AVERAGED = 16


class StillMean:
    """The mean of pictures of a still scene: the camera's noise goes, the scene stays."""

    def __init__(self) -> None:
        self._sum = np.zeros((0, 0, 3), np.uint16)
        self._count = 0

    def add(self, picture: Picture) -> None:
        """Take another picture (H, W, 3) uint8, but no more than MOST_AVERAGED; one of another size begins anew."""
        if self._count == 0 or self._sum.shape != picture.shape:
            self._sum, self._count = picture.astype(np.uint16), 1
        elif self._count < MOST_AVERAGED:
            cv2.add(self._sum, picture, dst=self._sum, dtype=cv2.CV_16U)
            self._count += 1

    @property
    def mean(self) -> Picture:
        """The mean (H, W, 3) uint8 of all since `clear`; there must be one."""
        assert self._count
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8)

    def clear(self) -> None:
        """Begin a new mean, as something has moved."""
        self._count = 0


@dataclass(frozen=True, slots=True)
class SettledReading:
    """What a still stretch has come to. reading: the fused one; areas, spaces: where the readings did not agree."""

    reading: Reading
    areas: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()


@dataclass(slots=True)
class Settling:
    """Gathers the readings of a still stretch; `now_s` is monotonic and comes from outside."""

    hold_s: float = HOLD_S
    _since_s: float | None = None
    _steady_s: float = 0.0
    _readings: list[Reading] = field(default_factory=list)

    @property
    def holding(self) -> bool:
        """Whether a still stretch is under way."""
        return self._since_s is not None

    def clear(self) -> None:
        """Forget all readings: something has moved, so they no longer hold."""
        self._since_s = None
        self._readings.clear()

    def add(self, reading: Reading, now_s: float, usual: frozenset[str] = frozenset()) -> SettledReading | None:
        """Take another reading of the still table; return what it settled to, once that may be believed.

        usual: areas that were hidden before and need not be waited for. What is hidden now, perhaps by a hand, is
        waited for longer; what flickers is waited for, and then told as unsure.
        """
        if self._since_s is None:
            self._since_s = self._steady_s = now_s
        if self._readings and contents_of(reading) != contents_of(self._readings[-1]):
            self._steady_s = now_s
        self._readings = [*self._readings, reading][-MOST_KEPT:]
        return self._fuse_recent(now_s, usual) if self._may_settle(now_s, usual) else None

    def _may_settle(self, now_s: float, usual: frozenset[str]) -> bool:
        assert self._since_s is not None
        still_s = now_s - self._since_s
        hidden = set(self._readings[-1].unreadable) - usual
        if len(self._readings) < LEAST_READINGS or still_s < self.hold_s or (hidden and still_s < COVERED_S):
            return False
        return now_s - self._steady_s >= self.hold_s or still_s >= FLICKER_S

    def _fuse_recent(self, now_s: float, usual: frozenset[str]) -> SettledReading:
        """Fuse the readings since the table last looked different, or all of them where it flickers."""
        flickers = now_s - self._steady_s < self.hold_s
        last = contents_of(self._readings[-1])
        return fuse(
            self._readings if flickers else [reading for reading in self._readings if contents_of(reading) == last]
        )


def contents_of(reading: Reading) -> tuple[object, ...]:
    """Return what a reading tells, without how sure it is: two readings that tell the same are equal here."""
    units = {area: count.best for area, count in reading.counts.items() if area not in reading.unreadable}
    return sorted(units.items()), sorted(reading.commanders.items()), reading.unreadable, reading.support


def fuse(readings: Sequence[Reading]) -> SettledReading:
    """Fuse several readings of one still scene, in the picture and the registration of the last of them."""
    last = readings[-1]
    hidden = _in_any(recent.unreadable for recent in readings)
    seen = [area for area in last.counts if area not in hidden]
    areas = tuple(area for area in seen if len({recent.counts[area].best for recent in readings}) > 1)
    every = sorted({space for recent in readings for space in recent.leaders})
    spaces = tuple(space for space in every if len({recent.commanders.get(space) for recent in readings}) > 1)
    counts = {area: _pooled_count(area, readings, area in areas) for area in last.counts}
    leaders = {space: _pooled_leaders(space, readings, space in spaces) for space in every}
    reading = replace(
        last,
        units={area: units for area, units in units_of(counts).items() if area not in hidden},
        commanders=commanders_of(leaders),
        confidence={area: 0.0 if area in hidden else round(count.confidence, 4) for area, count in counts.items()},
        unreadable=hidden,
        counts=counts,
        leaders=leaders,
        support=tuple(space for space in last.support if all(space in recent.support for recent in readings)),
        cut_off=_in_any(recent.cut_off for recent in readings),
        at_a_line=_in_any(recent.at_a_line for recent in readings),
        why=_reasons_in_all(readings),
    )
    return SettledReading(reading, areas, spaces)


def _in_any(areas: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({area for some in areas for area in some}))


def _reasons_in_all(readings: Sequence[Reading]) -> dict[str, tuple[str, ...]]:
    """Return {area: reasons} of all readings together, those of the last one first."""
    found: dict[str, dict[str, None]] = {}
    for reading in reversed(readings):
        for area, reasons in reading.why.items():
            found.setdefault(area, {}).update(dict.fromkeys(reasons))
    return {area: tuple(reasons) for area, reasons in found.items()}


def _pooled_count(area: str, readings: Sequence[Reading], flickers: bool) -> CountBelief:
    pooled: dict[Combo, float] = {}
    for reading in readings:
        for combo, chance in reading.counts[area].options:
            pooled[combo] = pooled.get(combo, 0.0) + chance / len(readings)
    likely = sorted(((combo, chance) for combo, chance in pooled.items() if chance > KEEP), key=lambda pair: -pair[1])
    (best, sure), *rest = likely[:MOST_OPTIONS]
    return CountBelief(((best, min(sure, FLICKER_MOST) if flickers else sure), *rest))


def _pooled_leaders(space: str, readings: Sequence[Reading], changes: bool) -> Mapping[str, float]:
    factions = {faction for reading in readings for faction in reading.leaders.get(space, {})}
    chances = {
        faction: sum(reading.leaders.get(space, {}).get(faction, 0.0) for reading in readings) / len(readings)
        for faction in sorted(factions)
    }
    return {faction: min(chance, FLICKER_MOST) for faction, chance in chances.items()} if changes else chances
