"""What a grid's cells show: which lie on the map, where solid borders part them, and what kind of ground they are.

Along the side between two cells the print shows a line or none: how strong it is even at its weak places, beside the
board's clearest borders, becomes a chance. What lies outside is one more area: the cells that the board's edge cuts,
and all that no border parts from them. Kinds are two clusters of colour, the bluer one water.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.geometry import NO_MAP, Floats, Matrix
from vision.registration.align import log_lab
from vision.tracing.sheet import Cell, HexGrid, Pair, Sheet, pair_of

# The thresholds here were set on the development tables 1 and 2 and a few drawn boards (benchmarks/README.md).
PX_PER_MM = 3.0
MARGIN_MM = 2.0
# For each side: samples along it, parts that it is cut into, how far across it samples reach, and in what steps.
ALONG, PARTS, ACROSS_MM, STEP_MM = 28, 7, 4.0, 0.25
# How far off its side a line may run, how wide it is about, and how far beside it the ground is looked at.
ON_MM, LINE_MM, BESIDE_MM = 1.2, 0.5, 1.5
# The part of a cell, of its inner circle, whose colour is its ground's: borders and names are left out.
INNER = 0.62
# How far a cell's corner may lie beyond the board and the cell still count as whole: corners were touched by fingers.
SLACK_MM = 2.5
# A board's usual border is as strong as the 0.85 quantile of its sides; about 0.17 of that is as likely one as not.
USUAL, BORDER_SHARE, BORDER_STEEP = 0.85, 0.17, 4.0
# A clean print may have faint borders too: where the fainter sides on the map fall into two groups this far apart (as a
# logarithm, of strengths counted from NO_LINE), with at least so many in each, the gap parts a border from none.
NO_LINE, CLEAR_GAP, LEAST_ALIKE = 1.0, 0.55, 4
# Weights of `outside_inputs`: always, mean chance of a border to the outside, log of unlikeness, how much lies outside.
OUTSIDE_MODEL = np.array([2.0, -1.5, -3.0, 0.0])


@dataclass(frozen=True, slots=True)
class Proposal:
    """The probability of a border between neighbours, and of each kind of each cell; the likeliest areas."""

    borders: Mapping[Pair, float]
    kinds: Mapping[Cell, Mapping[str, float]]
    areas: tuple[tuple[Cell, ...], ...]


class CellSampler:
    """The straight board in evened Lab, looked at cell by cell and side by side."""

    def __init__(self, sheet: Sheet, grid: HexGrid) -> None:
        self.sheet, self.grid = sheet, grid
        self.lab = log_lab(sheet.flat(PX_PER_MM, MARGIN_MM))
        self.cells = tuple(cell for cell in grid.cells(sheet.size_mm) if self.share_on_board(cell) > 0.15)
        self.whole = tuple(cell for cell in self.cells if grid.inside(cell, sheet.size_mm, SLACK_MM))

    def share_on_board(self, cell: Cell) -> float:
        """Return the share of a cell that lies on the board, 0 to 1."""
        points = self.points(cell)
        return float(((points > 0) & (points < np.array(self.sheet.size_mm))).all(axis=1).mean())

    def points(self, cell: Cell) -> Matrix:
        """Return places (N, 2) all over the inner part of a cell."""
        spread = np.linspace(-1, 1, 15)
        square = np.stack(np.meshgrid(spread, spread), axis=-1).reshape(-1, 2)
        round_ones = square[(square**2).sum(axis=1) < 1] * self.grid.side_mm * 0.866 * INNER / 0.75
        return np.asarray(np.array(self.grid.centre(cell)) + round_ones, np.float64)

    def sample(self, places_mm: Matrix) -> Floats:
        """Return the evened Lab (..., 3) at places (..., 2); beyond the board, the colour at its edge."""
        size = np.array(self.sheet.size_mm)
        px = ((np.clip(places_mm, 0.5, size - 0.5) + MARGIN_MM) * PX_PER_MM - 0.5).astype(np.float32)
        flat = px.reshape(px.shape[0], -1, 2)
        return np.asarray(cv2.remap(self.lab, flat, NO_MAP, cv2.INTER_LINEAR), np.float32)

    def colour(self, cell: Cell) -> Matrix:
        """Return the median colour of a cell's ground and its spread, (6,)."""
        points = self.points(cell)
        inside = points[((points > 1) & (points < np.array(self.sheet.size_mm) - 1)).all(axis=1)]
        values = self.sample((inside if len(inside) else points)[None]).reshape(-1, 3)
        middle = np.median(values, axis=0)
        return np.concatenate([middle, np.median(np.abs(values - middle), axis=0)])

    @cached_property
    def colours(self) -> dict[Cell, Matrix]:
        """The colours of all cells."""
        return {cell: self.colour(cell) for cell in self.cells}

    @cached_property
    def lines(self) -> dict[Pair, float]:
        """The strength of the line printed between each pair of neighbours."""
        pairs = sorted({pair_of(c, n) for c in self.cells for n in self.grid.neighbours(c) if n in self.colours})
        return {pair: self._line(pair) for pair in pairs}

    @cached_property
    def even_line(self) -> float:
        """The strength of a line that is as likely a solid border as not, by the board's usual borders."""
        return BORDER_SHARE * float(np.quantile(list(self.lines.values()) or [0.0], USUAL)) + 1.0

    @cached_property
    def borders(self) -> dict[Pair, float]:
        """The probability, for each pair of neighbours, that a solid border parts them."""
        return {pair: border_chance(line, self.even_line) for pair, line in self.lines.items()}

    def _line(self, pair: Pair) -> float:
        start, end = self.grid.side(*pair)
        along = (end - start) / np.linalg.norm(end - start)
        normal = np.array([along[1], -along[0]])
        tried = np.arange(-ACROSS_MM, ACROSS_MM + STEP_MM / 2, STEP_MM)
        points = start + (end - start) * np.linspace(0.06, 0.94, ALONG)[:, None]
        return line_along(self.sample(points[:, None] + normal * tried[None, :, None]), tried)


def line_along(profile: Floats, tried: Matrix) -> float:
    """Return how strong a line is throughout a side, from the colours across it (ALONG, len(tried), 3).

    The side is cut into parts, and the weakest but one counts: a symbol printed over a part of it makes no border.
    """
    smooth = cv2.blur(profile, (round(2 * LINE_MM / STEP_MM) + 1, 1))
    reach = round(BESIDE_MM / STEP_MM)
    ridge = smooth[:, reach:-reach] - (smooth[:, 2 * reach :] + smooth[:, : -2 * reach]) / 2
    on = np.abs(tried[reach:-reach]) <= ON_MM
    parts = [np.median(part[:, on], axis=0) for part in np.array_split(ridge, PARTS)]
    return float(sorted(np.linalg.norm(part, axis=1).max() for part in parts)[1])


def border_chance(line: float, even_line: float) -> float:
    """Return the probability that a line of this strength is a solid border; 0.5 if it is 0.3 below `even_line`."""
    return _logistic(BORDER_STEEP * float(np.log((line + 0.3) / even_line)))


def faint_line(lines: Iterable[float], even_line: float) -> float:
    """Return the strength that parts faint borders from sides without any; `even_line` where nothing clearly does.

    >>> round(faint_line([0.0, 0.0, 0.1, 0.2, 4.0, 4.0, 8.0, 8.0, 50.0], 9.0), 1), faint_line([0.1, 4.0, 50.0], 9.0)
    (1.4, 9.0)
    """
    logs = np.log(np.sort([line for line in lines if line < even_line]) + NO_LINE)
    gaps = np.diff(logs)[LEAST_ALIKE - 1 : 1 - LEAST_ALIKE]
    if not len(gaps) or gaps.max() < CLEAR_GAP:
        return even_line
    at = int(gaps.argmax()) + LEAST_ALIKE
    return float(np.exp(logs[at - 1 : at + 1].mean()) - NO_LINE)


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def outside_inputs(ground: CellSampler, cell: Cell, outside: Iterable[Cell]) -> Matrix:
    """Return what speaks for a cell being outside, (4,): 1, borders to outside neighbours, unlikeness, their share."""
    near = [other for other in ground.grid.neighbours(cell) if other in outside and other in ground.colours]
    borders = [ground.borders[pair_of(cell, other)] for other in near]
    mine = ground.colours[cell]
    every = np.array([ground.colours[other] for other in (near or list(outside))])
    gaps = np.abs(every[:, :3] - mine[:3]) / (every[:, 3:] + mine[3:] + 4.0)
    unlike = float(np.linalg.norm(gaps, axis=1).min())
    return np.array([1.0, float(np.mean(borders)) if borders else 1.0, np.log(unlike + 0.1), len(near) / 6])


def chances_on_map(sheet: Sheet, grid: HexGrid) -> dict[Cell, float]:
    """Return, for each cell that fits on the board, the probability that it belongs to the map."""
    return flood_from_outside(CellSampler(sheet, grid))


def flood_from_outside(ground: CellSampler) -> dict[Cell, float]:
    """Return the probability of each whole cell to be on the map.

    The likeliest neighbour of the outside joins it, one at a time.
    """
    outside = {cell for cell in ground.cells if cell not in ground.whole}
    chances: dict[Cell, float] = {}
    left = set(ground.whole)
    # One at a time, the likeliest first: each that joins the outside tells something of its neighbours.
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


def propose_areas(sheet: Sheet, grid: HexGrid, on_map: Mapping[Cell, float]) -> Proposal:
    """Propose borders, kinds and areas of the cells on the map."""
    ground = CellSampler(sheet, grid)
    here = [cell for cell in ground.whole if on_map.get(cell, 0.0) > 0.5]
    lines = {pair: line for pair, line in ground.lines.items() if pair[0] in here and pair[1] in here}
    even_line = faint_line(lines.values(), ground.even_line)
    borders = {pair: border_chance(line, even_line) for pair, line in lines.items()}
    kinds = _kinds(ground, here, on_map)
    return Proposal(borders, kinds, _areas(here, borders))


def _areas(cells: list[Cell], borders: Mapping[Pair, float]) -> tuple[tuple[Cell, ...], ...]:
    """Group cells that touch without a border between them, in the order of the cells."""
    left, areas = sorted(cells), []
    while left:
        group = [left.pop(0)]
        for cell in group:
            joined = [other for other in left if borders.get(pair_of(cell, other), 1.0) < 0.5]
            group += joined
            left = [other for other in left if other not in joined]
        areas.append(tuple(sorted(group)))
    return tuple(areas)


def _kinds(ground: CellSampler, here: list[Cell], on_map: Mapping[Cell, float]) -> dict[Cell, dict[str, float]]:
    """Tell land from water by two clusters of colour, the bluer one water.

    How far apart the clusters are says how sure that is.
    """
    water = _water_chances(np.array([ground.colours[cell][:3] for cell in here])) if here else []
    chances = dict(zip(here, water, strict=True))
    kinds = {}
    for cell, share in on_map.items():
        wet = chances.get(cell, 0.5)
        kinds[cell] = {"land": share * (1 - wet), "water": share * wet, "none": 1 - share}
    return kinds


def _water_chances(colours: Matrix) -> list[float]:
    """Return the chance of each colour (N, 3) to be water."""
    if len(colours) < 4:
        return [0.5] * len(colours)
    cv2.setRNGSeed(7)  # k-means begins by chance: the same photo should give the same proposal
    scaled = (colours * np.array([0.35, 1.0, 1.0])).astype(np.float32)  # lightness counts less: shadows change it
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.1)
    none = np.zeros((len(scaled), 1), np.int32)
    _, _, middles = cv2.kmeans(scaled, 2, none, criteria, 6, cv2.KMEANS_PP_CENTERS)
    blue = int(np.argmin(middles[:, 2] + 0.3 * middles[:, 1]))  # Lab's b is low for blue, its a for green
    axis = middles[blue] - middles[1 - blue]
    far = float(np.linalg.norm(axis))
    places = (scaled - middles.mean(axis=0)) @ axis / max(far, 1e-6)
    spread = float(np.median(np.abs(np.abs(places) - far / 2))) + 1.5
    return [_logistic(2.5 * float(place) / spread) for place in places]
