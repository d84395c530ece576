"""How well the eye measures marked tables.

    python -m benchmarks.eye.markers [SEEDS] [--tuning] [--grades fair,usual,hard] [--errors]

With --errors it is asked how many bases lie within the error that is told of them, though nobody said how high they
are, or a corner marker was not laid where it belongs.

Tables are rendered with their truth (vision/simulation/marked/scenes.py). Figures are of the cast that the eye was not
tuned on, whose surfaces, lights and cameras are its own; --tuning measures the other cast. A marker is in clear view
when nothing lies over it and its cells are at least 2.5 px high and wide.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import hypot

import cv2
import numpy as np

from companion.settings.marking import MARKINGS, SAID_WITHIN
from vision.bases.bases import Measurement, measure
from vision.bases.markers import CORNERS
from vision.simulation.marked.scenes import GRADES, HELD_BACK, TUNING, Cast, Grade, random_table
from vision.simulation.marked.shots import Astray, BaseAt, MarkedScene, MarkedShot, camera_over, shoot

FIRST_HELD_BACK = 1000
"""The first seed of the tables that are only measured."""
SIZES = ((0, 1.5), (1.5, 2), (2, 2.5), (2.5, 3), (3, 4), (4, 6), (6, 99))
JPEG_QUALITY = 88


@dataclass(slots=True)
class Tally:
    """What was measured of some tables."""

    off: list[float] = field(default_factory=list)
    off_deg: list[float] = field(default_factory=list)
    beyond: int = 0
    clear: int = 0
    found: int = 0
    false: int = 0
    tables: int = 0
    measured: int = 0
    ratio: list[float] = field(default_factory=list)
    by_size: dict[float, list[int]] = field(default_factory=dict)

    def add(self, shot: MarkedShot, measurement: Measurement) -> None:
        """Count one table in."""
        self.tables += 1
        self.measured += measurement.camera is not None
        for number, pose in measurement.standing.items():
            base = shot.bases.get(number)
            if base is None:
                self.false += 1
                continue
            self.off.append(hypot(pose.x - base.x, pose.y - base.y))
            self.off_deg.append(abs((pose.facing_deg - base.facing_deg + 180) % 360 - 180))
            self.beyond += self.off[-1] > pose.error
        if measurement.camera is not None:
            self._count(shot, measurement)

    def _count(self, shot: MarkedShot, measurement: Measurement) -> None:
        for number in shot.bases:
            truth = shot.markers[number]
            here = number in measurement.standing
            self.clear += truth.clear
            self.found += truth.clear and here
            if truth.share > 0.99:
                least = next(low for low, high in SIZES if low <= truth.cell_px < high)
                counted = self.by_size.setdefault(least, [0, 0])
                counted[0] += here
                counted[1] += 1

    def row(self, name: str) -> str:
        """Format the figures as one line."""
        off, deg = (np.array(values or [np.nan]) for values in (self.off, self.off_deg))
        return (
            f"{name:8}{self.measured:4}/{self.tables:<4}{self.found:6}/{self.clear:<6}{self.false:5}"
            f"{np.percentile(off, 50):9.3f}{np.percentile(off, 95):8.3f}{off.max():8.3f}"
            f"{np.percentile(deg, 95):8.2f}{deg.max():7.2f}{100 * self.beyond / max(1, len(self.off)):8.1f}"
            f"{np.median(self.ratio):8.0f}"
        )


# ---- the error that is told --------------------------------------------------------------------

HEIGHTS, TILTS_DEG = (0.0, 0.04, 0.08, 0.12, 0.16), (20.0, 35.0, 50.0)
"""How high the bases of the tables are, in base widths, and how far the camera is tilted."""
USUAL = MARKINGS["middle"]
OFF = (0.0, 0.05, 0.1, 0.2, 0.5)
"""How far one corner marker is pushed, in base widths."""
LAID = 0.012
"""How far from their places hands lay all of them: one standard deviation along each axis."""


@dataclass(slots=True)
class HeldTally:
    """How many bases lay within the error told, of how many; how many of them were doubtful; the errors."""

    held: int = 0
    all: int = 0
    doubtful: int = 0
    off: list[float] = field(default_factory=list)

    def add(self, shot: MarkedShot, measurement: Measurement) -> None:
        """Count one table in."""
        for number, pose in measurement.standing.items():
            if number in shot.bases:
                self.off.append(hypot(pose.x - shot.bases[number].x, pose.y - shot.bases[number].y))
                self.held += self.off[-1] <= pose.error
                self.all += 1
                self.doubtful += pose.doubtful

    def words(self) -> str:
        """Format the share of bases within their error, the worst error, and the share in doubt."""
        worst = max(self.off, default=float("nan"))
        held, doubtful = (100 * n / max(1, self.all) for n in (self.held, self.doubtful))
        return f"{held:5.0f} % held, worst {worst:.3f}, {doubtful:3.0f} % doubtful"


def tilt(seed: int, tilt_deg: float) -> tuple[MarkedScene, tuple[BaseAt, ...]]:
    """Draw a fair table of the held back cast, with its camera tilted so far."""
    scene, bases = random_table(HELD_BACK, "fair", seed)
    return replace(scene, camera=camera_over(scene.table, replace(scene.camera, tilt_deg=tilt_deg), 0.95)), bases


def heights(seeds: Sequence[int]) -> None:
    """Measure bases of several heights, taken for the usual one, allowing for others, and with their own known."""
    print("height  tilt  believed to be usual                       not said                                   said")
    for height, tilt_deg in product(HEIGHTS, TILTS_DEG):
        ways = {
            "believed": (USUAL.base_height, 0.0),
            "not said": (USUAL.base_height, USUAL.height_within),
            "said": (height, SAID_WITHIN),
        }
        tallies = {way: HeldTally() for way in ways}
        for seed in seeds:
            scene, bases = tilt(seed, tilt_deg)
            shot = shoot(replace(scene, table=replace(scene.table, base_height=height)), bases)
            for way, (high, within) in ways.items():
                told = replace(scene.table, base_height=high, height_within=within)
                tallies[way].add(shot, measure(shot.picture, told))
        print(f"{height:6.2f}{tilt_deg:5.0f}° " + " | ".join(tally.words() for tally in tallies.values()), flush=True)


def corners(seeds: Sequence[int]) -> None:
    """Measure tables whose corner markers hands have laid, one of them pushed as well."""
    print("pushed by   named  nothing measured")
    for off in OFF:
        tally, named, nothing = HeldTally(), 0, 0
        for seed in seeds:
            scene, bases = tilt(seed, TILTS_DEG[seed % len(TILTS_DEG)])
            pushed, astray = _laid_by_hands(seed, off)
            shot = shoot(replace(scene, astray=astray), bases)
            measurement = measure(shot.picture, scene.table)
            tally.add(shot, measurement)
            named += tuple(measurement.misplaced) == (pushed,)
            nothing += measurement.camera is None
        print(f"{off:9.2f}{named:5}/{len(seeds)}{nothing:10}/{len(seeds)}   {tally.words()}", flush=True)


def _laid_by_hands(seed: int, off: float) -> tuple[int, tuple[Astray, ...]]:
    """Which corner marker is pushed by so much, any way, and where hands lay them all."""
    rng = np.random.default_rng([seed, 5])
    laid = {number: rng.normal(0.0, LAID, 2) for number in CORNERS}
    pushed, way = int(rng.choice(CORNERS)), float(rng.uniform(0, 2 * np.pi))
    laid[pushed] = laid[pushed] + off * np.array([np.cos(way), np.sin(way)])
    return pushed, tuple(Astray(number, float(x), float(y)) for number, (x, y) in laid.items())


# ---- every grade -------------------------------------------------------------------------------

HEAD = "grade     tables   found/clear  false   off 50%     95%     max  deg 95%    max  beyond%  x JPEG"


def measure_frames(cast: Cast, grade: Grade, seeds: Sequence[int]) -> Tally:
    """Render tables of a cast and a grade, measure them, and return the tally."""
    tally = Tally()
    for seed in seeds:
        scene, bases = random_table(cast, grade, seed)
        shot = shoot(scene, bases)
        _, data = cv2.imencode(".jpg", shot.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        start = time.perf_counter()
        cv2.imdecode(data, cv2.IMREAD_COLOR)
        decoded = time.perf_counter()
        measurement = measure(shot.picture, scene.table)
        tally.ratio.append((time.perf_counter() - decoded) / (decoded - start))
        tally.add(shot, measurement)
    return tally


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.eye.markers")
    parser.add_argument("seeds", nargs="?", type=int, default=20)
    parser.add_argument("--tuning", action="store_true")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--grades", default=",".join(GRADES))
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.errors:
        seeds = range(FIRST_HELD_BACK, FIRST_HELD_BACK + options.seeds)
        heights(seeds)
        corners(seeds)
        return
    cast = TUNING if options.tuning else HELD_BACK
    first = 0 if options.tuning else FIRST_HELD_BACK
    print(f"{cast.name}: {options.seeds} tables of each grade; lengths in base widths")
    print(HEAD)
    sizes: dict[float, list[int]] = {}
    grades = options.grades.split(",")
    if unknown := [grade for grade in grades if grade not in GRADES]:
        parser.error(f"--grades: {unknown[0]!r} is none of {', '.join(GRADES)}")
    for grade in (grade for grade in GRADES if grade in grades):
        tally = measure_frames(cast, grade, range(first, first + options.seeds))
        print(tally.row(grade), flush=True)
        for least, (found, all_) in tally.by_size.items():
            counted = sizes.setdefault(least, [0, 0])
            counted[0], counted[1] = counted[0] + found, counted[1] + all_
    print("found by the size of a cell, of markers that nothing lies over:")
    for least in sorted(sizes):
        print(f"  from {least:3.1f} px: {sizes[least][0]}/{sizes[least][1]}")


if __name__ == "__main__":
    main()
