"""A small board for tests of the eye, two lands and two waters of no printed game, and simulated pictures of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from vision.calibration.calibrate import calibrate
from vision.geometry import Grid, Picture
from vision.plan import AreaPlan, BoardPlan, SpacePlan, plan_text
from vision.reading.network import CLASSES, STRIDE, Detections, cells_of
from vision.simulation.board_art import BoardMarks, hexagon
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.random_scenes import with_support_board
from vision.simulation.support_board import SupportBoard
from vision.simulation.table import Habits, Moment, PlacedPiece, Scene, Shot, Studio, place_pieces
from vision.table import Support, Table

Found = TypeVar("Found")

SIZE_MM = (150.0, 140.0)
CAMERA = SimulatedCamera(target_mm=(75.0, 70.0), distance_mm=330.0, tilt_deg=18.0, size_px=(640, 480))
LAYOUT = {
    "a1": ("land", (42.0, 98.0)),
    "b1": ("land", (108.0, 98.0)),
    "a2": ("water", (42.0, 44.0)),
    "b2": ("water", (108.0, 44.0)),
}
START = (("a1", "black", "troop", 3), ("a2", "black", "ship", 2), ("b1", "red", "troop", 3), ("b2", "red", "ship", 2))
LATER = {
    "a1": {"red": {"troop": 2}},
    "b1": {"black": {"troop": 3}, "red": {"troop": 1}},
    "b2": {"black": {"ship": 2}},
}


def there(found: Found | None) -> Found:
    """Return what has to be there."""
    assert found is not None
    return found


def four_areas() -> BoardPlan:
    areas = tuple(AreaPlan(n, kind, tuple(hexagon(at, 27.0)), (at,)) for n, (kind, at) in LAYOUT.items())
    spaces = tuple(
        SpacePlan(f"{'sail' if kind == 'water' else 'advance'}:{name}", name, (x - 10.0, y - 16.0))
        for name, (kind, (x, y)) in LAYOUT.items()
    )
    units = (("land", ("troop",)), ("water", ("ship",)))
    return BoardPlan("test-four", SIZE_MM, areas, spaces, 6.5, ("red", "black"), units, START)


@dataclass(frozen=True)
class Pictures:
    """A simulated table's pictures with their truth, and the table calibrated from them."""

    studio: Studio
    reference: Shot
    start: Shot
    later: Shot
    table: Table


def units_at_start() -> dict[str, dict[str, dict[str, int]]]:
    return four_areas().start_units()


def moved(
    picture: np.ndarray, shift: tuple[float, float] = (0.0, 0.0), turn_deg: float = 0.0, scale: float = 1.0
) -> tuple[Picture, np.ndarray]:
    """Return the picture moved, and the (3, 3) matrix of the movement."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, scale)
    matrix[:, 2] += np.array(shift)
    seen = cv2.warpAffine(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), np.vstack([matrix, [0, 0, 1]])


def lamp_lit(picture: Picture) -> Picture:
    """Return the same picture under a lamp at the left: brighter and warmer there, half as bright at the right."""
    across = np.linspace(1.2, 0.5, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(picture * across ** np.array([1.4, 1.0, 0.8], np.float32), 0, 255), np.uint8)


def nothing_found(grid: Grid, heat: float = 0.0) -> Detections:
    """Return what a network finds where there is nothing, for finds to be written into."""
    rows, columns = (-(-side // STRIDE) for side in grid.shape)
    covered, stacked, thing = np.zeros((3, rows, columns), np.float32)
    return Detections(np.full((len(CLASSES), rows, columns), heat, np.float32), covered, stacked, thing, grid)


def cell_at(grid: Grid, at_mm: tuple[float, float]) -> tuple[int, int]:
    """Return the row and column of a network's cells at a place."""
    row, column = np.round(cells_of([at_mm], grid)[0]).astype(int).tolist()
    return row, column


def laid(
    studio: Studio, units: dict[str, dict[str, dict[str, int]]], commanders: dict[str, str], seed: int
) -> list[PlacedPiece]:
    habits = Habits(studio.scene.look, together=0.0, on_symbols=0.0)
    return list(place_pieces(four_areas(), units, commanders, np.random.default_rng(seed), habits))


@lru_cache(maxsize=1)
def pictures() -> Pictures:
    plan = four_areas()
    scene = Scene(camera=CAMERA, lens=Lens(noise=1.0), clutter_seed=None, shadow_samples=2)
    studio = Studio(plan, scene, BoardMarks(points={}, headquarters={}, ports={}, slots={}))
    reference = studio.shoot((), Moment(seed=1))
    start = studio.shoot(laid(studio, units_at_start(), {}, 3), Moment(seed=2))
    later = studio.shoot(laid(studio, LATER, {"advance:a1": "black"}, 5), Moment(seed=3))
    table = calibrate(reference.picture, plan, reference.truth["corners_px"], start.picture)
    return Pictures(studio, reference, start, later, table)


SUPPORT = SupportBoard(
    (160.0, 15.0),
    (62.0, 105.0),
    (("muster:1", (176.0, 36.0)), ("muster:2", (206.0, 36.0)), ("plan:1", (176.0, 76.0)), ("plan:2", (206.0, 76.0))),
)


def supported_studio(support: SupportBoard = SUPPORT) -> Studio:
    """Return the small board with a support board beside it, and a camera that sees `SUPPORT` too."""
    scene = Scene(camera=CAMERA, lens=Lens(noise=1.0), clutter_seed=None, shadow_samples=2)
    return Studio(four_areas(), replace(with_support_board(scene, four_areas(), SUPPORT), support=support))


def led(studio: Studio, commanders: dict[str, str], seed: int = 5) -> list[PlacedPiece]:
    """Later units, and commanders on the map and on the support board."""
    support = there(studio.scene.support)
    habits, rng = Habits(studio.scene.look, together=0.0, on_symbols=0.0), np.random.default_rng(seed)
    return list(place_pieces(support.joined_to(four_areas()), LATER, commanders, rng, habits))


@lru_cache(maxsize=1)
def supported() -> Table:
    """Return a table calibrated with the support board's spaces touched."""
    studio = supported_studio()
    reference = studio.shoot((), Moment(seed=1))
    start = studio.shoot(laid(studio, units_at_start(), {}, 3), Moment(seed=2))
    touched = reference.truth["support_px"].items()
    support: Support = tuple((name, (x + 1.5, y - 1.5)) for name, (x, y) in touched)
    return calibrate(reference.picture, four_areas(), reference.truth["corners_px"], start.picture, support)


def write_table(folder: Path) -> Path:
    """Write the empty board, the start, one frame and the plan into a folder, as `gunbai bench` reads it."""
    shots = pictures()
    named = {"reference": shots.reference, "start": shots.start, "frame-01": shots.later}
    folder.mkdir(parents=True)
    for name, shot in named.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), shot.picture)
    (folder / "plan.json").write_text(plan_text(four_areas()))
    (folder / "table.json").write_text(json.dumps({"corners_px": shots.reference.truth["corners_px"]}))
    (folder / "truth.json").write_text(json.dumps({name: named[name].truth for name in ("start", "frame-01")}))
    return folder
