"""Boards set up anew: `python -m benchmarks.eye.laid_anew FOLDER`, or `--drawn 4` for tables that are drawn for it.

FOLDER holds tables as `gunbai bench` reads them. Each frame is turned in steps of 15 degrees, so many steps as
`--turns` says, and seen from another side: up to 15 degrees of tilt, 0.6 to 1.5 of its size as far as it fits into the
picture, blurred table round it. That warps the board rightly, but not what stands on it: of such frames only those
count for reading that are turned and no more (`--flat`). Drawn tables have it all in three dimensions: the camera is
set up anew at any turn, as far tilted and as far away; the same pieces are read with the camera left where it was, too.
`--light FOLDER` takes the empty board and the start in another
light, as `benchmarks.eye.other_light` does; drawn tables with `--other-light` change their lamps. `--mirrored` shows
each picture mirrored: then no place is the right one.

Prints in how many frames the board was found, in how many of them in a false place, how exactly, how long registering
took, and the figures of reading them. `--list` names every wrong area.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.eye.boards import marks_for
from benchmarks.eye.other_light import WAYS, calibrated
from companion.core.errors import CompanionError
from companion.perception.adapters import plan_of
from companion.terminal.bench import KnownTable, miss_text, open_source, sources_in, tally_text
from engine.errors import EngineError
from engine.orders.board import Board, load_board
from vision.calibration.calibrate import calibrate
from vision.errors import VisionError
from vision.frame import fit_to_size, picture_of
from vision.geometry import Matrix, Picture, apply
from vision.reading.limits import View, cut_off_areas
from vision.reading.read import read
from vision.registration.register import Anchors, anchors_of, register
from vision.scoring import Tally, Truth, score_frame, truth_of
from vision.simulation.camera import SimulatedCamera, fit_in_picture
from vision.simulation.random_scenes import in_other_light, random_scene
from vision.simulation.table import Moment, Studio
from vision.simulation.tables import TableShots, random_manner, random_pieces
from vision.table import Table

Rng = np.random.Generator

STEP_DEG, MOST_TILT_DEG, SIZES, FILLED = 15, 15.0, (0.6, 1.5), 0.97
LOWEST_DEG = 40.0
"""No camera is set up to look at a board from lower than this: tables aren't drawn so either."""
FALSE_MM = 4.0
"""A board whose corners are further off than this was found where it isn't."""
FOCAL = 1.05
BLUR_PX = 30.0
FIRST = 930_001


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A picture of a table set up anew, and what is truly there.

    corners_px: (4, 2) where the board's corners are; left: the same pieces with the camera left where it was, None
    where nobody knows how they look.
    """

    name: str
    picture: Picture
    corners_px: Matrix
    truth: Truth
    left: Picture | None = None


@dataclass(slots=True)
class Figures:
    """How often boards were found, by how much their corners were missed, how long it took, and what was read."""

    pictures: int = 0
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    off_mm: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    left: Tally = field(default_factory=Tally)

    def see(self, known: tuple[Table, Anchors], sight: Sight, *, reads: bool) -> None:
        """Register a picture, and with `reads` also read it and its twin from where the camera was left."""
        table, anchors = known
        began = time.process_time()
        found = register(anchors, sight.picture)
        self.seconds.append(time.process_time() - began)
        self.pictures += 1
        if found is None or not found.good:
            self.missed.append(sight.name)
        else:
            seen_mm = apply(table.board_from_reference @ found.reference_from_frame, sight.corners_px)
            own_mm = apply(table.board_from_reference, np.asarray(table.corners_px))
            off = float(np.linalg.norm(seen_mm - own_mm, axis=1).max())
            self.off_mm.append(off)
            if off > FALSE_MM:
                self.false.append(f"{sight.name} ({off:.0f} mm)")
        if reads:
            self.tally.add(score_frame(read(table, sight.picture), sight.truth, table.plan, sight.name))
            if sight.left is not None:
                self.left.add(score_frame(read(table, sight.left), sight.truth, table.plan, sight.name))

    def add(self, other: Figures) -> None:
        """Add the figures of another table."""
        for name in self.__slots__:
            if name not in ("tally", "left"):
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.tally.add(other.tally)
        self.left.add(other.left)

    def lines(self, name: str) -> str:
        """Return the figures as lines to print."""
        found = self.pictures - len(self.missed)
        lines = [f"{name}: found in {found} of {self.pictures} pictures, {len(self.false)} times in a false place"]
        if self.off_mm:
            lines.append(f"  corners within {max(self.off_mm):.2f} mm, {np.median(self.off_mm):.2f} mm in the median")
        lines.append(f"  registering: {np.median(self.seconds):.2f} s of a core, {max(self.seconds):.2f} s at most")
        lines += [f"  not found: {', '.join(self.missed)}"] if self.missed else []
        lines += [f"  false: {', '.join(self.false)}"] if self.false else []
        read_there = {"  read": self.tally, "  read with the camera left where it was": self.left}
        return "\n".join([*lines, *(tally_text(how, tally) for how, tally in read_there.items() if tally.frames)])


# ---- photographs, warped -------------------------------------------------------------------------


def warp_of(corners_px: Matrix, size_px: tuple[int, int], turn_deg: float, rng: Rng | None) -> Matrix:
    """Return the homography that turns a picture about its board, and tilts and scales it by chance where asked to."""
    width, height = size_px
    focal = FOCAL * width
    x, y = corners_px.mean(axis=0)
    centred = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]], np.float64)
    turn = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(turn_deg)]))[0]
    side, tilt, wanted = 0.0, 0.0, 1.0
    if rng is not None:
        side, tilt, wanted = rng.uniform(0, 2 * np.pi), rng.uniform(0, MOST_TILT_DEG), rng.uniform(*SIZES)
    lean = cv2.Rodrigues(np.radians(tilt) * np.array([np.cos(side), np.sin(side), 0.0]))[0]
    lens = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])

    def seen(size: float) -> Matrix:
        plane = np.column_stack([lean[:, 0], lean[:, 1], [0.0, 0.0, focal / size]])
        return np.asarray(lens @ plane @ turn @ centred, np.float64)

    for size in np.arange(wanted, 0.3, -0.05):
        away = np.abs(apply(seen(size), corners_px) - lens[:2, 2])
        if (away <= FILLED * np.array(size_px) / 2).all():
            return seen(size)
    return seen(0.3)


def warped(picture: Picture, warp: Matrix) -> Picture:
    """Return a picture as another camera sees it; beyond its edge there is table, blurred."""
    size = picture.shape[1], picture.shape[0]
    table = cv2.warpPerspective(cv2.GaussianBlur(picture, (0, 0), BLUR_PX), warp, size, borderMode=cv2.BORDER_REFLECT)
    seen = cv2.warpPerspective(picture, warp, size, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(seen, np.uint8)


def anchors_in(table: Table) -> Anchors:
    """Return what is tracked of a table's empty board."""
    return anchors_of(table.reference_bgr, np.asarray(table.corners_px))


def warped_sights(known: KnownTable, turns: int, *, flat: bool) -> Iterator[Sight]:
    """Yield each frame of a table, turned; tilted and scaled too, unless flat. Frames without a board are left out."""
    table, anchors = known.table, anchors_in(known.table)
    for number, frame in enumerate(known.frames):
        picture = fit_to_size(picture_of(frame.data(), frame.name), table.picture_size, frame.name)
        found = register(anchors, picture)
        if found is None or not found.good:
            continue
        corners = apply(np.asarray(np.linalg.inv(found.reference_from_frame)), np.asarray(table.corners_px))
        for step in range(turns):
            turn = (number * turns + step) * STEP_DEG % 360
            rng = None if flat else np.random.default_rng([number, step, 61])
            warp = warp_of(corners, table.picture_size, turn, rng)
            view = View(
                warp @ np.linalg.inv(table.board_from_reference @ found.reference_from_frame), table.picture_size
            )
            truth = replace(frame.truth, covered=frame.truth.covered | cut_off_areas(table.plan, view))
            yield Sight(f"{known.name} {frame.name} {turn}°", warped(picture, warp), apply(warp, corners), truth)


# ---- tables drawn for it -------------------------------------------------------------------------


def camera_anew(camera: SimulatedCamera, corners_mm: Matrix, rng: Rng) -> SimulatedCamera:
    """Return a camera set up anew: at any turn, tilted up to 15 degrees more or less, nearer or further away."""
    moved = replace(
        camera,
        side_deg=camera.side_deg + float(rng.uniform(0, 360)),
        tilt_deg=min(abs(camera.tilt_deg + float(rng.uniform(-MOST_TILT_DEG, MOST_TILT_DEG))), LOWEST_DEG),
        distance_mm=camera.distance_mm / float(rng.uniform(*SIZES)),
    )
    nearest = fit_in_picture(moved, corners_mm, FILLED)
    return replace(moved, distance_mm=max(moved.distance_mm, nearest.distance_mm))


def drawn_sights(board: Board, seed: int, frames: int, *, other_light: bool) -> tuple[Table, list[Sight]]:
    """Draw a table, calibrated by one camera, and pictures of it by others."""
    plan, rng = plan_of(board), np.random.default_rng([seed, 62])
    marks = marks_for(board, seed)
    studio = Studio(plan, random_scene(seed, plan), marks)
    shots = TableShots(studio, random_manner(seed, studio.scene.look), seed, tuple(marks.slots.values()))
    empty = shots.reference()
    corners = np.asarray(empty.truth["corners_px"]) + rng.normal(0, 1.4, (4, 2))
    table = calibrate(empty.picture, plan, corners, shots.start().picture)
    width, height = plan.size_mm
    around = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    sights = []
    for number in range(frames):
        scene = studio.scene
        scene = in_other_light(scene, plan, rng) if other_light else scene
        anew = replace(scene, camera=camera_anew(scene.camera, around, rng))
        pieces = random_pieces(plan, rng, shots.manner.habits)
        moment = Moment(seed=number)
        shot, left = (studio.in_light_of(seen).shoot(pieces, moment) for seen in (anew, scene))
        truth, corners_px = truth_of(shot.truth, plan), np.asarray(shot.truth["corners_px"])
        sights.append(Sight(f"{seed} {number}", shot.picture, corners_px, truth, left.picture))
    return table, sights


def mirrored(sight: Sight) -> Sight:
    """Return a sight in a mirror: no place on it is the board's."""
    return replace(sight, picture=np.ascontiguousarray(sight.picture[:, ::-1]), name=f"{sight.name} mirrored")


# ---- the command ---------------------------------------------------------------------------------


def tables(wanted: argparse.Namespace) -> Iterator[tuple[str, Table, Iterable[Sight]]]:
    """Yield the tables that were asked for, each with its sights."""
    if wanted.folder is None:
        for seed in range(wanted.first, wanted.first + wanted.drawn):
            yield str(seed), *drawn_sights(wanted.board, seed, wanted.frames, other_light=wanted.other_light)
        return
    for folder in sources_in(wanted.folder):
        if wanted.light is not None and not (wanted.light / folder.name).is_dir():
            continue
        known = open_source(folder)
        known = replace(known, frames=known.frames[: wanted.frames])
        sights = warped_sights(known, wanted.turns, flat=wanted.flat)
        used = known if wanted.light is None else calibrated(known, folder, wanted.light / folder.name, WAYS[2])
        yield folder.name, used.table, sights


def main(argv: list[str] | None = None) -> int:
    """Measure and print; return 0, or 2 on bad input."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.laid_anew", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--light", type=Path, help="tables' empty boards and starts in another light")
    parser.add_argument("--frames", type=int, default=8, help="of each table")
    parser.add_argument("--turns", type=int, default=3, help="of each frame")
    parser.add_argument("--flat", action="store_true", help="turn pictures, and no more")
    parser.add_argument("--drawn", type=int, default=4, help="tables that are drawn where no folder is given")
    parser.add_argument("--first", type=int, default=FIRST)
    parser.add_argument("--board", type=load_board, default="sengoku-rivers")
    parser.add_argument("--other-light", action="store_true", help="of drawn tables")
    parser.add_argument("--mirrored", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--find", action="store_true", help="find boards only, read nothing")
    wanted = parser.parse_args(argv)
    cv2.setNumThreads(1)
    total = Figures()
    try:
        for name, table, sights in tables(wanted):
            here, anchors = Figures(), anchors_in(table)
            for sight in sights:
                shown = mirrored(sight) if wanted.mirrored else sight
                here.see((table, anchors), shown, reads=not (wanted.find or wanted.mirrored))
            total.add(here)
            print(here.lines(name), flush=True)
            if wanted.list:
                print(*(miss_text("  wrong", miss) for miss in here.tally.wrong), sep="\n")
    except (OSError, CompanionError, EngineError, VisionError) as error:
        print(f"laid_anew: {error}", file=sys.stderr)
        return 2
    print(total.lines("all tables"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
