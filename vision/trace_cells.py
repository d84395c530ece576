"""What a grid's cells show: which lie on the map, where solid borders part them, and what kind of ground they are.

Along the side between two cells the print shows a line, a step of colour, both or neither. How much it does so, beside
what lines at a little distance show and beside the board's clearest borders, becomes a chance by a logistic model with
weights set by hand. What lies outside is one more area: the cells that the board's edge cuts, and all that no border
parts from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.geometry import Floats, Matrix
from vision.trace_hexes import Cell, HexGrid, Pair, pair_of
from vision.trace_lines import evened_lab
from vision.trace_sheet import Sheet

PX_PER_MM = 3.0
MARGIN_MM = 2.0
ALONG, ACROSS_MM, STEP_MM = 24, 7.0, 0.25
ON_MM, LINE_MM, BESIDE_MM, FAR_MM = 1.2, 0.5, 1.6, 4.2
INNER = 0.62
SLACK_MM = 2.5
BORDER_MODEL = np.array([-3.0, 2.0, 2.0, 1.0, 1.0, 2.0])
OUTSIDE_MODEL = np.array([2.0, -1.5, -3.0, 0.0])


@dataclass(frozen=True, slots=True)
class Proposal:
    """Chance of a border between neighbours on the map; chance of each kind of each cell; the likeliest areas."""

    borders: Mapping[Pair, float]
    kinds: Mapping[Cell, Mapping[str, float]]
    areas: tuple[tuple[Cell, ...], ...]


class Ground:
    """The straight board in evened Lab, looked at cell by cell and side by side."""

    def __init__(self, sheet: Sheet, grid: HexGrid) -> None:
        self.sheet, self.grid = sheet, grid
        self.lab = evened_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
        self.cells = tuple(cell for cell in grid.cells(sheet.size_mm) if self.share_on_board(cell) > 0.15)
        self.whole = tuple(cell for cell in self.cells if grid.inside(cell, sheet.size_mm, SLACK_MM))

    def share_on_board(self, cell: Cell) -> float:
        """The part of a cell that lies on the board, by points of it."""
        points = self.points(cell)
        return float(((points > 0) & (points < np.array(self.sheet.size_mm))).all(axis=1).mean())

    def points(self, cell: Cell) -> Matrix:
        """(N, 2) places all over the inner part of a cell."""
        spread = np.linspace(-1, 1, 15)
        square = np.stack(np.meshgrid(spread, spread), axis=-1).reshape(-1, 2)
        round_ones = square[(square**2).sum(axis=1) < 1] * self.grid.side_mm * 0.866 * INNER / 0.75
        return np.asarray(np.array(self.grid.centre(cell)) + round_ones, np.float64)

    def seen(self, places_mm: Matrix) -> Floats:
        """(..., 3) evened Lab at places (..., 2); the rim's colour beyond the board."""
        size = np.array(self.sheet.size_mm)
        px = ((np.clip(places_mm, 0.5, size - 0.5) + MARGIN_MM) * PX_PER_MM - 0.5).astype(np.float32)
        flat = px.reshape(px.shape[0], -1, 2)
        return np.asarray(cv2.remap(self.lab, flat, np.zeros(0, np.float32), cv2.INTER_LINEAR), np.float32)

    def colour(self, cell: Cell) -> Matrix:
        """(6,) the middle colour of a cell's ground, and how much it spreads."""
        points = self.points(cell)
        inside = points[((points > 1) & (points < np.array(self.sheet.size_mm) - 1)).all(axis=1)]
        values = self.seen((inside if len(inside) else points)[None]).reshape(-1, 3)
        middle = np.median(values, axis=0)
        return np.concatenate([middle, np.median(np.abs(values - middle), axis=0)])

    @cached_property
    def colours(self) -> dict[Cell, Matrix]:
        """The colours of all cells."""
        return {cell: self.colour(cell) for cell in self.cells}

    @cached_property
    def sides(self) -> dict[Pair, Matrix]:
        """For each two neighbours what the side between them shows: line, step, evenness, and both beside the usual."""
        pairs = sorted({pair_of(c, n) for c in self.cells for n in self.grid.neighbours(c) if n in self.colours})
        shown = {pair: self._shown(pair) for pair in pairs}
        lines = np.array([values[0] for values in shown.values()] or [1.0])
        usual = float(np.quantile(lines, 0.85)) + 1.0
        return {pair: np.concatenate([values, [values[0] / usual]]) for pair, values in shown.items()}

    def _shown(self, pair: Pair) -> Matrix:
        start, end = self.grid.side(*pair)
        along = (end - start) / np.linalg.norm(end - start)
        normal = np.array([along[1], -along[0]])
        tried = np.arange(-ACROSS_MM, ACROSS_MM + STEP_MM / 2, STEP_MM)
        points = start + (end - start) * np.linspace(0.12, 0.88, ALONG)[:, None]
        return side_features(self.seen(points[:, None] + normal * tried[None, :, None]), tried)


def side_features(profile: Floats, tried: Matrix) -> Matrix:
    """(5,) of the colours across a side (ALONG, len(tried), 3): line, line beside what is usual, step, evenness."""
    smooth = cv2.blur(profile.reshape(*profile.shape[:2], 3), (round(2 * LINE_MM / STEP_MM) + 1, 1))
    reach = round(BESIDE_MM / STEP_MM)
    ridge = smooth[:, reach:-reach] - (smooth[:, 2 * reach :] + smooth[:, : -2 * reach]) / 2
    places = tried[reach:-reach]
    common = np.median(ridge, axis=0)
    size = np.linalg.norm(common, axis=1)
    on, off = np.abs(places) <= ON_MM, np.abs(places) > 2 * ON_MM
    at = int(np.flatnonzero(on)[size[on].argmax()])
    noise = float(np.median(size[off])) + 1.0
    way = common[at] / (size[at] + 1e-6)
    agree = float((ridge[:, at] @ way > 0.4 * size[at]).mean())
    left, right = (tried > -FAR_MM) & (tried < -BESIDE_MM), (tried < FAR_MM) & (tried > BESIDE_MM)
    step = np.median(profile[:, left], axis=1) - np.median(profile[:, right], axis=1)
    gap = float(np.linalg.norm(np.median(step, axis=0)))
    return np.array([size[at], np.log(size[at] / noise), gap / (gap + 8.0), agree])


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def border_inputs(shown: Matrix) -> Matrix:
    """(6,) what the model of borders takes, from what a side shows."""
    line, noisy, step, agree, usual = shown
    return np.array([1.0, np.log(line + 1), noisy, step, agree, min(usual, 1.5)])


def border_chance(shown: Matrix) -> float:
    """How likely a solid border is on a side that shows this."""
    return _logistic(float(BORDER_MODEL @ border_inputs(shown)))


def outside_inputs(ground: Ground, cell: Cell, outside: Iterable[Cell]) -> Matrix:
    """(4,) what speaks for a cell being outside: borders to outside cells, unlike colours, how many there are."""
    near = [other for other in ground.grid.neighbours(cell) if other in outside and other in ground.colours]
    borders = [border_chance(ground.sides[pair_of(cell, other)]) for other in near]
    mine = ground.colours[cell]
    every = np.array([ground.colours[other] for other in (near or list(outside))])
    gaps = np.abs(every[:, :3] - mine[:3]) / (every[:, 3:] + mine[3:] + 4.0)
    unlike = float(np.linalg.norm(gaps, axis=1).min())
    return np.array([1.0, float(np.mean(borders)) if borders else 1.0, np.log(unlike + 0.1), len(near) / 6])


def chances_on_map(sheet: Sheet, grid: HexGrid) -> dict[Cell, float]:
    """For every cell that fits on the board the chance that it belongs to the map, not to the outside."""
    return flooded(Ground(sheet, grid))


def flooded(ground: Ground) -> dict[Cell, float]:
    """All whole cells' chances to be on the map: the likeliest neighbour of the outside joins it, one at a time."""
    outside = {cell for cell in ground.cells if cell not in ground.whole}
    chances: dict[Cell, float] = {}
    left = set(ground.whole)
    while left and outside:
        near = [cell for cell in sorted(left) if any(other in outside for other in ground.grid.neighbours(cell))]
        asked = {cell: _logistic(float(OUTSIDE_MODEL @ outside_inputs(ground, cell, outside))) for cell in near}
        chances |= {cell: 1 - chance for cell, chance in asked.items()}
        best = max(asked, key=lambda cell: asked[cell], default=None)
        if best is None or asked[best] < 0.5:
            break
        outside.add(best)
        left.remove(best)
    return {cell: chances.get(cell, 0.99) for cell in ground.whole}


def proposed(sheet: Sheet, grid: HexGrid, on_map: Mapping[Cell, float]) -> Proposal:
    """Borders, kinds and areas of the cells on the map."""
    ground = Ground(sheet, grid)
    here = [cell for cell in ground.whole if on_map.get(cell, 0.0) > 0.5]
    borders = {
        pair: border_chance(shown) for pair, shown in ground.sides.items() if pair[0] in here and pair[1] in here
    }
    kinds = _kinds(ground, here, on_map)
    return Proposal(borders, kinds, _areas(here, borders))


def _areas(cells: list[Cell], borders: Mapping[Pair, float]) -> tuple[tuple[Cell, ...], ...]:
    """Cells grown together over sides without a border, in the order of the cells."""
    left, areas = sorted(cells), []
    while left:
        group = [left.pop(0)]
        for cell in group:
            joined = [other for other in left if borders.get(pair_of(cell, other), 1.0) < 0.5]
            group += joined
            left = [other for other in left if other not in joined]
        areas.append(tuple(sorted(group)))
    return tuple(areas)


def _kinds(ground: Ground, here: list[Cell], on_map: Mapping[Cell, float]) -> dict[Cell, dict[str, float]]:
    """Land or water by two clusters of colour, the bluer one water; how far apart they are says how sure it is."""
    water = _water(np.array([ground.colours[cell][:3] for cell in here])) if here else []
    chances = dict(zip(here, water, strict=True))
    kinds = {}
    for cell, share in on_map.items():
        wet = chances.get(cell, 0.5)
        kinds[cell] = {"land": share * (1 - wet), "water": share * wet, "none": 1 - share}
    return kinds


def _water(colours: Matrix) -> list[float]:
    """The chance of each colour (N, 3) to be water."""
    if len(colours) < 4:
        return [0.5] * len(colours)
    cv2.setRNGSeed(7)
    scaled = (colours * np.array([0.35, 1.0, 1.0])).astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.1)
    none = np.zeros((len(scaled), 1), np.int32)
    _, _, middles = cv2.kmeans(scaled, 2, none, criteria, 6, cv2.KMEANS_PP_CENTERS)
    blue = int(np.argmin(middles[:, 2] + 0.3 * middles[:, 1]))
    axis = middles[blue] - middles[1 - blue]
    far = float(np.linalg.norm(axis))
    places = (scaled - middles.mean(axis=0)) @ axis / max(far, 1e-6)
    spread = float(np.median(np.abs(np.abs(places) - far / 2))) + 1.5
    return [_logistic(2.5 * float(place) / spread) for place in places]
