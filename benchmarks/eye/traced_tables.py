"""Boards of no game for trying the tracing of boards: random hexes, areas, kinds and spaces, drawn and photographed.

Every board comes from its seed: hexes that lie flat or stand, areas of one to three of them, boards with and without
thin lines between the hexes of an area, any style that boards are drawn in, photographed without pieces.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np

from companion.tracing.hexes import BoardGrid, NotOnePiece, area_name, hex_names, neighbours, outline, regular
from vision.geometry import Picture
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import Moment, Studio

Rng = np.random.Generator
Cell = tuple[int, int]
SIZE_MM = (260.0, 290.0)
TAP_PX = 1.4


@dataclass(frozen=True)
class Sight:
    """A board's photo, the corners as a finger gave them, and what is truly printed: plan, grid, areas as hexes."""

    name: str
    picture_bgr: Picture
    corners_px: np.ndarray
    plan: BoardPlan
    flat: bool


def random_plan(seed: int) -> tuple[BoardPlan, BoardGrid, dict[str, tuple[Cell, ...]]]:
    """Draw a random board by lot; return its plan, its grid, and the cells of each area."""
    rng = np.random.default_rng([seed, 31])
    flat = bool(rng.random() < 0.6)
    side = float(rng.uniform(20.0, 31.0))
    grid = regular((float(rng.uniform(25, 50)), float(rng.uniform(25, 50))), side, flat)
    cells = _blob(grid, rng)
    names = hex_names(cells)
    groups = _groups(grid, cells, rng)
    areas = {area_name(group, names): group for group in groups}
    kinds = _kinds(areas, grid, rng)
    plans = tuple(
        AreaPlan(name, kinds[name], outline(grid, group), tuple(grid.centre(cell) for cell in group))
        for name, group in sorted(areas.items())
    )
    units = (("land", ("troop",)), ("water", ("ship",)))
    spaces = tuple(space for area in plans for space in _spaces(area, side, rng))
    start = tuple((area.name, ("red", "black")[i % 2], "troop" if area.kind == "land" else "ship", 2)
                  for i, area in enumerate(plans[::4]))  # fmt: skip
    plan = BoardPlan(f"traced-{seed}", SIZE_MM, plans, spaces, side / 4, ("red", "black"), units, start)
    return plan, grid, areas


def _blob(grid: BoardGrid, rng: Rng) -> list[Cell]:
    """Most of the hexes that fit on the board, hanging together."""
    fits = [
        cell
        for cell in grid.cells(SIZE_MM)
        if all(1 <= x <= SIZE_MM[0] - 1 and 1 <= y <= SIZE_MM[1] - 1 for x, y in grid.corners(cell))
    ]
    middle = min(fits, key=lambda cell: abs(grid.centre(cell)[0] - 130) + abs(grid.centre(cell)[1] - 145))
    kept, most = [middle], round(len(fits) * float(rng.uniform(0.6, 0.95)))
    while len(kept) < most:
        edge = sorted({n for cell in kept for n in neighbours(grid.flat, cell) if n in fits and n not in kept})
        if not edge:
            break
        crowd = np.array([sum(n in kept for n in neighbours(grid.flat, cell)) for cell in edge], float) ** 2
        kept.append(edge[int(rng.choice(len(edge), p=crowd / crowd.sum()))])
    return kept


def _groups(grid: BoardGrid, cells: list[Cell], rng: Rng) -> list[tuple[Cell, ...]]:
    left, groups = sorted(cells), []
    while left:
        group = [left.pop(int(rng.integers(len(left))))]
        for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))):
            near = [n for cell in group for n in neighbours(grid.flat, cell) if n in left]
            if near:
                group.append(near[int(rng.integers(len(near)))])
                left.remove(group[-1])
        try:
            outline(grid, group)
        except NotOnePiece:
            left += group[1:]
            group = group[:1]
        groups.append(tuple(group))
    return groups


def _kinds(areas: dict[str, tuple[Cell, ...]], grid: BoardGrid, rng: Rng) -> dict[str, str]:
    way, share = rng.normal(0, 1, 2), float(rng.uniform(-0.9, 0.6))
    found = {}
    for name, group in areas.items():
        x, y = grid.centre(group[0])
        value = way[0] * (x - 130) / 80 + way[1] * (y - 145) / 80 + rng.normal(0, 0.7)
        found[name] = "water" if value < share else "land"
    return found


def _spaces(area: AreaPlan, side: float, rng: Rng) -> list[SpacePlan]:
    """One or two spaces at the upper side of an area's first hex."""
    x, y = area.centres_mm[0]
    kinds = ("sail", "bombard") if area.kind == "water" else ("advance", "shell")
    count = int(rng.choice([1, 2], p=[0.6, 0.4]))
    return [
        SpacePlan(f"{kinds[i]}:{area.name}", area.name, (x + (2 * i - 1) * side * 0.375, y - 0.6 * side))
        for i in range(count)
    ]


def photograph(seed: int, size_px: tuple[int, int] = (1280, 960)) -> Sight:
    """Photograph a random board in a random style and light."""
    plan, grid, areas = random_plan(seed)
    rng = np.random.default_rng([seed, 32])
    studio = Studio(plan, random_scene(seed, plan, size_px))
    if rng.random() < 0.3:
        _draw_thin(studio, grid, [cell for group in areas.values() for cell in group])
    shot = studio.shoot((), Moment(seed=seed))
    corners = np.array(shot.truth["corners_px"], np.float64) + rng.normal(0, TAP_PX, (4, 2))
    return Sight(plan.board, shot.picture, corners, plan, grid.flat)


def _draw_thin(studio: Studio, grid: BoardGrid, cells: Collection[Cell]) -> None:
    """Thin pale lines round every hex, as on boards that print them within areas too."""
    over = studio.art.copy()
    for cell in cells:
        points = np.round((np.array(grid.corners(cell)) * studio.art_scale - 0.5) * 16).astype(np.int32)
        cv2.polylines(over, [points], True, studio.scene.style.ink_bgr, 1, cv2.LINE_AA, 4)
    studio.art = np.asarray(cv2.addWeighted(studio.art, 0.6, over, 0.4, 0), np.uint8)
