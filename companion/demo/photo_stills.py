"""Pictures for docs/photographs.md, of simulated tables: what to photograph, and which light and camera do for it.

python -m companion.demo.photo_stills docs/pictures
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.demo.table import marks_of
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.plan import BoardPlan
from vision.simulation.camera import SimulatedCamera, fit_in_picture
from vision.simulation.light import Light
from vision.simulation.placing import Habits, PlacedPiece, place_pieces
from vision.simulation.props import Cloth, reach_in
from vision.simulation.table import Moment, Scene, Studio
from vision.simulation.tables import random_pieces, start_units

BOARD = "sengoku-rivers"
SEED = 11
SIZE_PX = (1280, 960)
PANEL_PX = (424, 318)
GAP_PX, CAPTION_PX = 6, 26
PAPER, INK, FONT = (250, 250, 250), (50, 45, 40), cv2.FONT_HERSHEY_SIMPLEX
QUALITY = 76

WINDOW = (Light((-600.0, -300.0, 900.0), 350.0, (0.62, 0.6, 0.58)),)
LOW_LAMP = (Light((-330.0, 60.0, 170.0), 12.0, (0.62, 0.85, 1.05)),)
MIRRORED = (Light((130.0, 40.0, 560.0), 70.0, (0.66, 0.7, 0.72)),)
PLAIN = Scene(camera=SimulatedCamera(tilt_deg=12.0), lights=WINDOW, cloth=Cloth(5, "wood", (62, 92, 128), 0.2))


def save_photo_stills(folder: Path, size_px: tuple[int, int] = SIZE_PX) -> None:
    """Write photos-what.jpg (the three kinds of photos) and photos-how.jpg (a good one and five bad) to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    plan, marks = plan_of(load_board(BOARD)), marks_of(load_board(BOARD))
    tokens, pieces = tuple(marks.slots.values()), _pieces(plan)
    good = replace(PLAIN, camera=_fitting(plan, replace(PLAIN.camera, size_px=size_px)))
    studio = Studio(plan, good, marks)
    start = place_pieces(plan, start_units(plan), {}, np.random.default_rng(SEED), Habits(good.look, together=0.2))
    what = {
        "reference.jpg: the empty board": studio.shoot((), Moment(seed=1)).picture,
        "start.jpg: as printed, with tokens": studio.shoot(start, Moment(seed=2, tokens=tokens)).picture,
        "frame-01.jpg ...: any positions": (shown := studio.shoot(pieces, Moment(seed=3, tokens=tokens)).picture),
    }
    how = {"good": shown}
    for caption, scene in _bad_scenes(plan, good).items():
        how[caption] = Studio(plan, scene, marks).shoot(pieces, Moment(seed=4, tokens=tokens)).picture
    hand = reach_in(np.random.default_rng(SEED), (150.0, 190.0), 1.2)
    how["bad: a hand over the board"] = studio.shoot(pieces, Moment(seed=5, tokens=tokens, hand=hand)).picture
    for name, panels in (("photos-what", what), ("photos-how", how)):
        (folder / f"{name}.jpg").write_bytes(jpeg_of(_sheet(panels), QUALITY))


def _pieces(plan: BoardPlan) -> Sequence[PlacedPiece]:
    return random_pieces(plan, np.random.default_rng(SEED), Habits(PLAIN.look))


def _bad_scenes(plan: BoardPlan, good: Scene) -> Mapping[str, Scene]:
    low = _fitting(plan, replace(good.camera, tilt_deg=58.0))
    beside = replace(good.camera, target_mm=(good.camera.target_mm[0] + 90.0, good.camera.target_mm[1] + 60.0))
    dark = (0.16, 0.18, 0.2)
    return {
        "bad: one low lamp, hard shadows": replace(good, lights=LOW_LAMP, ambient=dark, shadow_samples=2),
        "bad: the lamp mirrored in the board": replace(good, lights=MIRRORED, gloss=1.0),
        "bad: from too far aside": replace(good, camera=low),
        "bad: a part is cut off": replace(good, camera=beside),
    }


def _fitting(plan: BoardPlan, camera: SimulatedCamera) -> SimulatedCamera:
    across, down = plan.size_mm
    return fit_in_picture(camera, [(0.0, 0.0), (across, 0.0), (across, down), (0.0, down)], 0.92)


def _sheet(panels: Mapping[str, Picture]) -> Picture:
    """Arrange the pictures, captions below, three in a row."""
    cells = [_cell(caption, picture) for caption, picture in panels.items()]
    rows = [np.hstack(cells[at : at + 3]) for at in range(0, len(cells), 3)]
    return np.asarray(np.vstack(rows)[:, :-GAP_PX], np.uint8)


def _cell(caption: str, picture: Picture) -> Picture:
    width, height = PANEL_PX
    cell = np.full((height + CAPTION_PX, width + GAP_PX, 3), PAPER, np.uint8)
    cell[:height, :width] = cv2.resize(picture, PANEL_PX, interpolation=cv2.INTER_AREA)
    cv2.putText(cell, caption, (4, height + 18), FONT, 0.52, INK, 1, cv2.LINE_AA)
    return cell


if __name__ == "__main__":
    save_photo_stills(Path(sys.argv[1]))
