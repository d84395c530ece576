"""How well and how fast dice are read: throws beside simulated tables that nothing was trained or tuned on.

    python -m benchmarks.eye.dice [--first 8000] [--tables 40] [--size 1280x960]

Each table gives an empty reference and frames with pieces on the board and throws beside it; on every second table the
camera is nudged. The time of one reading (the frame's place being known) is also told as a ratio to decoding the JPEG.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from benchmarks.measuring import size_px
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.calibration.calibrate import calibrate
from vision.dice.network import TOP_MM, DiceNetwork
from vision.dice.reader import DiceReader, DiceReading, Die
from vision.geometry import Camera, Picture
from vision.plan import BoardPlan, Point
from vision.registration.register import anchors_of, register
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import Moment
from vision.simulation.tables import random_manner, random_pieces
from vision.simulation.throws import Group, Lying, ThrowStudio
from vision.table import Table

SURE = 0.9
NEAR_MM = 12.0
FRAMES = 3
GROUPS = 6
CORNER_PX = 1.2


@dataclass
class Score:
    """Counts over many frames, and the times of readings and of decoding, ms."""

    counts: Counter[str] = field(default_factory=Counter)
    read_ms: list[float] = field(default_factory=list)
    decode_ms: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    said: list[tuple[float, bool]] = field(default_factory=list)

    def take(self, reading: DiceReading, lying: list[Lying], camera: Camera, name: str) -> None:
        """Count one reading against what lies there, seen at the usual height of tops."""
        left = [(_apparent(die, camera), die) for die in lying]
        for die in reading.dice:
            truth = _take_nearest(left, die.at_mm)
            what = _verdict(die, truth)
            self.said.append((die.confidence, what == "right"))
            self._count(what, die.confidence >= SURE, f"{name} {die} {truth}")
        for at in reading.unreadable:
            truth = _take_nearest(left, at)
            self.counts["no die, asked" if truth is None else "asked" if truth.pips is not None else "refused"] += 1
        self.counts["missed"] += sum(die.pips is not None for _at, die in left)
        self.counts["missed, not to be read"] += sum(die.pips is None for _at, die in left)
        self.counts["dice"] += sum(die.pips is not None for die in lying)
        self.counts["frames"] += 1

    def _count(self, what: str, sure: bool, fault: str) -> None:
        self.counts[what] += 1
        if sure:
            self.counts[f"{what}, sure"] += 1
        if what != "right":
            self.faults.append(fault)


def _verdict(die: Die, truth: Lying | None) -> str:
    if truth is None:
        return "no die"
    if truth.pips is None:
        return "not to be read"
    return "right" if truth.pips == die.pips else "wrong"


def _apparent(die: Lying, camera: Camera) -> Point:
    """Return where a top of any height seems to be, at the height that tops are taken to have."""
    x, y, height = die.top_mm
    lean_x, lean_y = camera.up([(x, y)], TOP_MM)[0]
    return float(x + lean_x * (height - TOP_MM)), float(y + lean_y * (height - TOP_MM))


def _take_nearest(left: list[tuple[Point, Lying]], at_mm: Point) -> Lying | None:
    """Take the nearest die within reach out of those that are left; None where none is within reach."""
    gaps = [(float(np.hypot(x - at_mm[0], y - at_mm[1])), i) for i, ((x, y), _die) in enumerate(left)]
    gap, index = min(gaps, default=(NEAR_MM, 0))
    return left.pop(index)[1] if gap < NEAR_MM else None


def table_of(studio: ThrowStudio, plan: BoardPlan, rng: np.random.Generator) -> Table:
    """Calibrate a studio's table from its bare board, with corners as a finger taps them."""
    width, height = plan.size_mm
    corners = studio.camera.px(np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0.0]]))
    tapped = corners + rng.normal(0, CORNER_PX, (4, 2))
    return calibrate(studio.seen(studio.bare(), []), plan, tapped)


def throws(seed: int, plan: BoardPlan, frame_px: tuple[int, int]) -> Iterator[tuple[Table, Picture, list[Group]]]:
    """Yield frames of one simulated table, each with its calibrated table and what lies beside the board."""
    studio = ThrowStudio(seed, plan, scene=random_scene(seed, plan, frame_px))
    rng = np.random.default_rng([seed, 41])
    table = table_of(studio, plan, rng)
    habits = random_manner(seed, studio.scene.look).habits
    for number in range(FRAMES):
        shift = rng.normal(0, 4, 2) if seed % 2 else np.zeros(2)
        turn = float(rng.normal(0, 0.7)) if seed % 2 else 0.0
        moment = Moment(seed=seed * 10 + number, shift_mm=(float(shift[0]), float(shift[1])), turn_deg=turn)
        groups = studio.groups(rng, GROUPS)
        pieces = random_pieces(plan, rng, habits)
        yield table, studio.seen(studio.bare(pieces, moment), groups, moment), groups


def judge(seeds: range, frame_px: tuple[int, int], weights: bytes | None) -> Score:
    """Read the throws of many tables and return the score."""
    plan, score = plan_of(load_board("sengoku-rivers")), Score()
    for seed in seeds:
        reader, anchors = None, None
        for number, (table, frame, groups) in enumerate(throws(seed, plan, frame_px)):
            if reader is None or anchors is None:
                reader = DiceReader(table, network=DiceNetwork(weights))
                anchors = anchors_of(table.reference_bgr, np.asarray(table.corners_px, np.float64))
            jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
            began = time.perf_counter()
            decoded = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
            score.decode_ms.append((time.perf_counter() - began) * 1000)
            reading = reader.read(decoded, register(anchors, decoded))
            score.read_ms.append(reading.ms)
            lying = [die for group in groups for die in group.lying]
            score.take(reading, lying, table.camera, f"{seed}/{number}")
    return score


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=8000)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--size", default="1280x960")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--list", action="store_true", help="every fault")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(wanted.first, wanted.first + wanted.tables)
    score = judge(seeds, size_px(wanted.size), wanted.weights.read_bytes() if wanted.weights else None)
    for what, count in sorted(score.counts.items()):
        print(f"{what:28} {count}")
    read, decode = median(score.read_ms), median(score.decode_ms)
    print(f"median ms a frame: {read:.1f} to read, {decode:.1f} to decode, ratio {read / decode:.2f}")
    for low, high in pairwise((0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)):
        these = [right for said, right in score.said if low <= said < high]
        print(f"said {low:.2f} to {min(high, 1):.2f}: {len(these)} dice, {sum(these)} right")
    if wanted.list:
        print(*score.faults, sep="\n")


if __name__ == "__main__":
    main()
