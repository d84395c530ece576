"""When a reading may be believed: nothing moves before the camera, and it has held for a while.

Motion is seen in small grey pictures, without a clock. Light is not motion: a lamp that flickers, a rolling shutter
that bands the rows and a camera that sets its exposure anew change every place of a row by one factor, which is taken
out. What remains is compared with the picture's noise, for which the change of most of the picture is taken. Where that
is large, it is noise or light only if both pictures still show the same things; otherwise the camera sees something
else, and all of the picture has changed.

Pictures of one still scene err alike: what a shadow hides in one it hides in all. So several readings never make an
area surer than the surest of them: their beliefs are averaged (a linear pool; Stone, 1961), which a flicker lowers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Matrix, Picture, apply
from vision.reading.count import KEEP, MOST_OPTIONS, Combo, CountBelief, commanders_of, units_of
from vision.reading.read import Reading

WIDTH_PX = 320
CELL_PX = 8
# A cell has changed by more than this many grey levels, and by more than so many times the noise.
LEAST_STEP = 3.0
STEP_NOISES = 5.0
# One cell alone may be an accident of the camera's.
LEAST_CELLS = 2
# A camera's noise is less than this, as a cell is a mean of many pixels; above, the two pictures have to be alike.
MOST_NOISE = 1.2
# Correlation of two evened pictures: 0.5 to 1 where a lamp went on or off or the light fell to a tenth, below 0.2 where
# the camera saw another table, a ceiling or a lens cap, or the same table turned by 5 degrees.
LEAST_ALIKE = 0.35
# The square whose brightness and contrast are evened for that, and what is added to its variance (squared grey levels).
ALIKE_WINDOW_PX = 15
ALIKE_VARIANCE = 4.0
# Grey level that the brightest tenth of a picture has to reach.
DARK_LEVEL = 9.0
# Added to grey levels before they are divided by one another.
BLACK_OFFSET = 1.0
# A picture is compared with one of so long ago as well.
SINCE_S = 1.0
# A shift of the whole picture: points tracked, how many there have to be, the part of them that has to agree on one
# movement, and to within how much.
SHIFT_POINTS = 120
SHIFT_LEAST_POINTS = 12
SHIFT_MAJORITY = 0.55
SHIFT_AGREE_PX = 1.0


def small_of(picture_bgr: Picture) -> Picture:
    """Return a picture (H, W, 3) uint8 as (h, WIDTH_PX) uint8, small and grey; every pixel a mean of several."""
    step = max(1, picture_bgr.shape[1] // (4 * WIDTH_PX))
    thinned = picture_bgr[::step, ::step]
    height = round(picture_bgr.shape[0] * WIDTH_PX / picture_bgr.shape[1])
    small = cv2.resize(thinned, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def is_dark(small: Picture) -> bool:
    """Return whether there is too little light to see a board by."""
    return float(np.percentile(small, 90)) < DARK_LEVEL


def changed_cells(before: Picture, now: Picture) -> Mask:
    """Return which cells of CELL_PX differ between two small pictures by more than light and noise, (rows, columns).

    All of them where the second picture shows something else.
    """
    whole = _gap(before, now)
    rows, columns = whole.shape[0] // CELL_PX, whole.shape[1] // CELL_PX
    cells = whole[: rows * CELL_PX, : columns * CELL_PX]
    # the mean of each cell: what moves is larger than one, noise averages out
    gap = np.asarray(cv2.resize(cells, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
    # 1.4826 times the median of the absolute deviations: the standard deviation of what has not moved, whatever has.
    noise = 1.4826 * float(np.median(np.abs(gap - np.median(gap))))
    if noise > MOST_NOISE and likeness(before, now) < LEAST_ALIKE:
        return np.ones((rows, columns), np.bool_)
    return np.asarray(np.abs(gap) > max(LEAST_STEP, STEP_NOISES * noise), np.bool_)


def likeness(before: Picture, now: Picture) -> float:
    """Return how alike the patterns of two small pictures are, whatever the light: 1 for equal, 0 for unrelated."""
    first, second = _evened(before), _evened(now)
    strength = float(np.sqrt((first * first).mean() * (second * second).mean()))
    return float((first * second).mean()) / max(strength, 1e-6)


def _evened(small: Picture) -> Floats:
    """Even out a small picture's local brightness and contrast, a little blurred against noise."""
    grey, window = cv2.GaussianBlur(small, (0, 0), 1.0).astype(np.float32), (ALIKE_WINDOW_PX, ALIKE_WINDOW_PX)
    mean = cv2.boxFilter(grey, cv2.CV_32F, window)
    variance = cv2.sqrBoxFilter(grey, cv2.CV_32F, window) - mean * mean
    return np.asarray((grey - mean) / np.sqrt(np.maximum(variance, 0) + ALIKE_VARIANCE), np.float32)


def cells_within(outline: Matrix, shape: tuple[int, ...]) -> Mask:
    """Return the cells, (rows, columns), in or next to an outline (N, 2), for a small picture of this shape.

    outline: in parts of the picture's width.
    """
    rows, columns = shape[0] // CELL_PX, shape[1] // CELL_PX
    mask = np.zeros((rows, columns), np.uint8)
    corners = np.round(outline * (WIDTH_PX / CELL_PX) - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, corners, 1)
    return np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0, np.bool_)


def _gap(before: Picture, now: Picture) -> Floats:
    """Subtract the earlier picture, in the light of the later, from the later: rows are matched by one factor each."""
    first = before.astype(np.float32) + BLACK_OFFSET
    second = now.astype(np.float32) + BLACK_OFFSET
    factor = np.median(second[:, ::2] / first[:, ::2], axis=1, keepdims=True)
    whole = float(np.median(factor))
    factor = np.clip(factor, 0.8 * whole, 1.25 * whole)  # a row that is mostly hand tells nothing of the light
    return np.asarray((second - factor * first) / max(whole, 1.0), np.float32)


class Motion:
    """Finds what moves, against the last small picture and one from a while ago, so that slow hands are seen too."""

    def __init__(self) -> None:
        self._last: Picture | None = None
        self._anchor: tuple[float, Picture] | None = None

    def moving_cells(self, small: Picture, now_s: float) -> Mask:
        """Take the next small picture; return the cells in which something has moved lately.

        All of them for the first picture, or the first of another size: nothing is known yet.
        """
        last, self._last = self._last, small
        if last is None or self._anchor is None or last.shape != small.shape:
            self._anchor = (now_s, small)
            return np.ones((small.shape[0] // CELL_PX, small.shape[1] // CELL_PX), np.bool_)
        began_s, anchor = self._anchor
        moved = changed_cells(last, small)
        crept = changed_cells(anchor, small)
        if is_motion(crept) or now_s - began_s >= SINCE_S:
            self._anchor = (now_s, small)
        return np.asarray(moved | crept, np.bool_)


def is_motion(cells: Mask) -> bool:
    """Return whether too many cells changed for it to be noise."""
    return int(cells.sum()) >= LEAST_CELLS


@dataclass(frozen=True, slots=True)
class Shift:
    """How far a whole picture has moved: its corners at most, as a share of its width, and the turn."""

    share: float
    turn_deg: float


def shift_between(before: Picture, now: Picture) -> Shift | None:
    """Return how far a whole small picture has moved; None if points are few or most disagree on one movement.

    A hand moves the few points that it covers, a knock against the camera or the table all of them.
    """
    points: Any = cv2.goodFeaturesToTrack(before, SHIFT_POINTS, 0.02, 7, blockSize=5)
    if points is None or len(points) < SHIFT_LEAST_POINTS:
        return None
    moved, found, _ = cv2.calcOpticalFlowPyrLK(before, now, points, points.copy(), winSize=(15, 15), maxLevel=3)
    kept = found.ravel() == 1
    if kept.sum() < SHIFT_LEAST_POINTS:
        return None
    cv2.setRNGSeed(7)
    fitted: Any = cv2.estimateAffinePartial2D(points[kept], moved[kept], ransacReprojThreshold=SHIFT_AGREE_PX)
    matrix, agree = fitted
    if matrix is None or agree.sum() < SHIFT_MAJORITY * len(points):
        return None
    height, width = now.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    way = float(np.hypot(*(apply(np.vstack([matrix, [0.0, 0.0, 1.0]]), corners) - corners).T).max())
    return Shift(way / width, float(np.degrees(np.arctan2(matrix[1, 0], matrix[0, 0]))))


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
        """Add a picture (H, W, 3) uint8 to the mean, up to MOST_AVERAGED of them; another size begins a new mean."""
        if self._count == 0 or self._sum.shape != picture.shape:
            self._sum, self._count = picture.astype(np.uint16), 1
        elif self._count < MOST_AVERAGED:
            cv2.add(self._sum, picture, dst=self._sum, dtype=cv2.CV_16U)
            self._count += 1

    @property
    def mean(self) -> Picture:
        """The mean (H, W, 3) uint8 of the pictures added since `clear`, one at least."""
        assert self._count
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8)

    def clear(self) -> None:
        """Begin a new mean, as something has moved."""
        self._count = 0


@dataclass(frozen=True, slots=True)
class SettledReading:
    """The readings of a still stretch fused into one; areas, spaces: where these did not agree."""

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
        """Forget all readings, as something has moved."""
        self._since_s = None
        self._readings.clear()

    def add(self, reading: Reading, now_s: float, usual: frozenset[str] = frozenset()) -> SettledReading | None:
        """Add a reading of the still table; return the settled one once it may be believed, None before.

        usual: areas that were hidden before and need not be waited for. What is hidden now, perhaps by a hand, is
        waited for longer; what flickers is waited for, and then reported as unsure.
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
    """Return what a reading says, apart from how sure it is; equal for two readings that say the same."""
    units = {area: count.best for area, count in reading.counts.items() if area not in reading.unreadable}
    return sorted(units.items()), sorted(reading.commanders.items()), reading.unreadable, reading.support


def fuse(readings: Sequence[Reading]) -> SettledReading:
    """Fuse several readings of a still scene; picture and registration are those of the last."""
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
