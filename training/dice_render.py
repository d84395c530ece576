"""Render windows with dice to a folder: `python -m training.dice_render OUT --first 0 --tables 400`.

Each table is one .npz: `windows` (N, 96, 96, 3), their `leans` (N,), and `dice` (M, 4): which window, x and y of the
middle of a top in its pixels, and the class. Everything follows from the table's number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from training.boards import random_board
from training.render import main
from vision.dice.network import CLASSES, UNREADABLE, WINDOW_PX, Window, cut_window, window_at
from vision.geometry import Camera, apply, board_from_image, camera_of
from vision.simulation.dice import Body
from vision.simulation.tables import random_manner, random_pieces
from vision.simulation.throws import Group, Lying, Point, Rng, ThrowStudio

Floats = npt.NDArray[np.float64]

GROUPS = 15
CUTS = 3
ELSEWHERE = 8
JITTER_MM = 9.0
TURN_RAD = 0.12
CORNER_PX = 1.0


def render_table(seed: int) -> dict[str, Any]:
    """Render one training table: one picture, cut into windows; return its arrays by name."""
    plan, marks = random_board(seed)
    studio = ThrowStudio(seed, plan, marks)
    rng = np.random.default_rng([seed, 31])
    groups = studio.groups(rng, GROUPS)
    pieces = random_pieces(plan, rng, random_manner(seed, studio.scene.look).habits) if rng.random() < 0.7 else ()
    frame = studio.seen(studio.bare(pieces), groups)
    width, height = plan.size_mm
    corners = studio.camera.px(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0.0]]))
    from_image = board_from_image(corners + rng.normal(0, CORNER_PX, (4, 2)), plan.size_mm)
    setting = camera_of(from_image, studio.camera.size_px), np.asarray(np.linalg.inv(from_image), np.float64)
    windows = [window_at(at, *setting, turn) for at, turn in _places(studio, groups, rng, setting)]
    lying = [die for group in groups for die in group.lying]
    rows = [row for index, window in enumerate(windows) for row in _rows(index, window, lying, studio)]
    return {
        "windows": np.stack([cut_window(frame, window) for window in windows]),
        "leans": np.array([window.lean for window in windows], np.float32),
        "dice": np.array(rows, np.float32).reshape(-1, 4),
    }


def _places(
    studio: ThrowStudio, groups: list[Group], rng: Rng, setting: tuple[Camera, Floats]
) -> list[tuple[Point, float]]:
    """Return where windows are cut: some at each group, some at other things and anywhere off the map."""
    middles: list[Point] = []
    for group in groups:
        bodies: list[Body] = [group.bodies[int(i)] for i in rng.integers(len(group.bodies), size=CUTS)]
        middles += [body.middle_mm[:2] for body in bodies]
    solids = studio.studio.clutter
    spots = [at for at, _ground in studio.places(rng, ELSEWHERE)]
    spots += [solids[int(i)].at_mm for i in rng.integers(len(solids), size=ELSEWHERE if solids else 0)]
    jittered = [
        (x + float(dx), y + float(dy))
        for (x, y), (dx, dy) in zip(
            middles + spots, rng.uniform(-JITTER_MM, JITTER_MM, (len(middles + spots), 2)), strict=True
        )
    ]
    width, height = studio.camera.size_px
    seen = apply(setting[1], jittered)
    return [
        (at, float(rng.normal(0, TURN_RAD)))
        for at, (x, y) in zip(jittered, seen, strict=True)
        if 0 < x < width and 0 < y < height
    ]


def _rows(index: int, window: Window, lying: list[Lying], studio: ThrowStudio) -> list[tuple[int, float, float, int]]:
    found = []
    seen = studio.camera.px(np.array([die.top_mm for die in lying])) if lying else np.zeros((0, 2))
    places = apply(np.asarray(np.linalg.inv(window.image_from_window), np.float64), seen) if lying else seen
    for die, (x, y) in zip(lying, places, strict=True):
        if -6 < x < WINDOW_PX + 6 and -6 < y < WINDOW_PX + 6:
            found.append((index, float(x), float(y), UNREADABLE if die.pips is None else CLASSES.index(die.pips)))
    return found


if __name__ == "__main__":
    main(lambda seed, _: render_table(seed), __doc__)
