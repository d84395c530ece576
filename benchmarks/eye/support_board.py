"""How well the eye reads the support board beside the map: `python -m benchmarks.eye.support_board --tables 4`.

Draws tables of the four modes that nothing was trained on, each with an invented support board beside the map whose
spaces are touched as a finger does, in all kinds of light. Commanders stand on half of its spaces; after half of the
frames it is pushed a few millimetres. Prints how many of them are read, of the wrong side, missed and invented, and
what is right of the map, which the camera sees from further away than usual.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.eye.boards import marks_for
from benchmarks.measuring import BOARDS
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.calibration.calibrate import calibrate
from vision.reading.read import Reading, read
from vision.simulation.board_art import BoardMarks
from vision.simulation.placing import Placer
from vision.simulation.table import Moment, Shot, Studio
from vision.simulation.tables import TableShots, random_pieces, table_shots
from vision.table import Table

FIRST, FRAMES = 930_001, 8
TOUCH_PX, PUSH_MM = 2.0, 4.0
TAKEN = 0.5


def main() -> None:
    """Draw and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--first", type=int, default=FIRST)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    total: Counter[str] = Counter()
    for name in wanted.boards:
        board = load_board(name)
        spaces = [space.name for space in board.spaces if space.support is not None]
        for seed in range(wanted.first, wanted.first + wanted.tables):
            marks = marks_for(board, seed)
            shots = table_shots(seed, plan_of(board), marks, spaces)
            table = calibrated(shots)
            found = sum((tally(read(table, shot.picture), shot, table) for shot in frames(shots, marks)), Counter())
            print(text(f"{name} {seed}", found), flush=True)
            total += found
    print(text("all tables", total))


def calibrated(shots: TableShots) -> Table:
    """Calibrate the table as an owner does, whose touches are a little off."""
    empty, rng = shots.reference(), np.random.default_rng([shots.seed, 18])
    corners = np.array(empty.truth["corners_px"]) + rng.normal(0, TOUCH_PX, (4, 2))
    middles = {name: np.array(at) + rng.normal(0, TOUCH_PX, 2) for name, at in empty.truth["support_px"].items()}
    support = tuple((name, (float(x), float(y))) for name, (x, y) in middles.items())
    return calibrate(empty.picture, shots.studio.plan, corners, shots.start().picture, support)


def frames(shots: TableShots, marks: BoardMarks) -> Iterator[Shot]:
    """Yield random positions with commanders on the support board, which is pushed after half of them."""
    rng = np.random.default_rng([shots.seed, 19])
    plan, scene = shots.studio.plan, shots.studio.scene
    assert scene.support is not None
    x, y = rng.normal(0, PUSH_MM, 2).tolist()
    for support in (scene.support, scene.support.moved((x, y))):
        studio = Studio(plan, replace(scene, support=support), marks)
        for number in range(FRAMES // 2):
            placer = Placer(support.joined_to(plan), rng, shots.manner.habits)
            for name, _ in support.spaces:
                if rng.random() < TAKEN:
                    placer.commander(name, plan.factions[int(rng.integers(2))])
            pieces = (*random_pieces(plan, rng, shots.manner.habits), *placer.pieces)
            yield studio.shoot(pieces, Moment(seed=number, tokens=shots.slots))


def tally(reading: Reading, shot: Shot, table: Table) -> Counter[str]:
    """Count what was read rightly and wrongly of the support board, and of the map."""
    names, truth = [name for name, _ in table.support_px], shot.truth["commanders"]
    found: Counter[str] = Counter()
    for name in names:
        want, got = truth.get(name), reading.commanders.get(name)
        kind = "right" if want == got else "invented" if want is None else "missed" if got is None else "other"
        found[kind if want or got else "free"] += 1
        found["sure and wrong"] += want != got and max(reading.leaders.get(name, {}).values(), default=0.0) > 0.9
    found["hidden"] += len(set(names) - set(reading.support))
    led = [space for space in truth if space not in names]
    found["on the map"] += len(led)
    found["right on the map"] += sum(reading.commanders.get(space) == truth[space] for space in led)
    found["areas"] += len(table.plan.areas)
    units = shot.truth["units"]
    found["areas right"] += sum(
        reading.units.get(area.name, {}) == units.get(area.name, {}) for area in table.plan.areas
    )
    return found


def text(name: str, found: Counter[str]) -> str:
    """Format the figures as one line."""
    there = found["right"] + found["other"] + found["missed"]
    wrong = ", ".join(f"{found[kind]} {kind}" for kind in ("other", "missed", "invented", "sure and wrong", "hidden"))
    led = f"{found['right on the map']} of {found['on the map']} right on the map"
    areas = f"{100 * found['areas right'] / max(found['areas'], 1):.1f} % of {found['areas']} areas right"
    head = f"{name}: {found['right']} of {there} commanders right on {there + found['free']} spaces"
    return f"{head}, {wrong}; {led}; {areas}"


if __name__ == "__main__":
    main()
