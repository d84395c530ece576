"""How long the eye takes for a frame, and how much memory: with a camera that stands still, and with a nudged one.

    python -m benchmarks.eye [--size 1280x960] [--rounds 20]

One core, CPU time, a simulated table; the same run decodes the frame's JPEG, and each figure is also told as a ratio to
that. The stages after registration are told apart; "a window again" is what each window costs that is looked at again,
one or two in most frames of the development tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from benchmarks.measuring import cpu_ms, memory_mb, size_px
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.calibration.calibrate import calibrate
from vision.geometry import Picture
from vision.reading.count import beliefs
from vision.reading.limits import cover_of, covered_shares
from vision.reading.pieces import candidates, packaged_weights, pieces_of
from vision.reading.read import read
from vision.reading.second_look import look_again
from vision.reading.setting import board_image, network, prepare_table, stack_network
from vision.reading.stacks import look_closer as with_stacks
from vision.registration.register import register
from vision.simulation.random_scenes import random_scene
from vision.simulation.table import Moment, Studio
from vision.simulation.tables import random_manner, random_pieces
from vision.table import Table

SEED = 4242
QUALITY = 92


def table_and_frames(frame_px: tuple[int, int]) -> tuple[Table, Picture, Picture]:
    """Simulate a calibrated table, a frame from the same place, and one after a nudge of 5 mm and 1 degree."""
    plan = plan_of(load_board("sengoku-rivers"))
    studio = Studio(plan, random_scene(SEED, plan, frame_px))
    habits = random_manner(SEED, studio.scene.look).habits
    pieces = random_pieces(plan, np.random.default_rng(SEED), habits)
    empty = studio.shoot(())
    table = calibrate(empty.picture, plan, empty.truth["corners_px"], studio.shoot(pieces, Moment(seed=1)).picture)
    nudged = Moment(seed=2, shift_mm=(4.0, -3.0), turn_deg=1.0)
    return table, studio.shoot(pieces, Moment(seed=3)).picture, studio.shoot(pieces, nudged).picture


def stages(table: Table, frame: Picture) -> dict[str, Callable[[], object]]:
    """Return the stages of reading a frame by name, each to be run alone."""
    setting = prepare_table(table)
    found = register(setting.anchors, frame)
    if found is None:
        raise SystemExit("the simulated frame's board was not found")
    board = board_image(table, frame, found)
    eyes = {eye.known.network: eye for eye in setting.eyes}
    finds = network(setting.known).find(board, setting.printed, setting.looks)
    seen = candidates(finds, setting.places)
    middle = np.array([table.plan.size_mm]) / 2
    again = with_stacks(seen, board, setting.ground, stack_network())
    pieces = pieces_of(again, packaged_weights())
    return {
        "register": lambda: register(setting.anchors, frame),
        "board image": lambda: board_image(table, frame, found),
        **{
            f"network {name}": partial(network(eye.known).find, board, eye.printed, eye.looks)
            for name, eye in eyes.items()
        },
        "candidates": lambda: candidates(finds, setting.places),
        "a window again": lambda: look_again(finds, middle, board, setting.again, network(setting.known)),
        "closer look": lambda: with_stacks(seen, board, setting.ground, stack_network()),
        "pieces": lambda: pieces_of(again, packaged_weights()),
        "cover": lambda: covered_shares(cover_of(finds, setting.places), setting.places),
        "counts": lambda: beliefs(pieces, table.plan),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="1280x960")
    parser.add_argument("--rounds", type=int, default=20)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    table, still, nudged = table_and_frames(size_px(wanted.size))
    jpeg = cv2.imencode(".jpg", still, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
    decode = cpu_ms(lambda: cv2.imdecode(jpeg, cv2.IMREAD_COLOR), wanted.rounds)
    print(f"decode the JPEG     {decode:6.1f} ms")
    for name, frame in (("still camera", still), ("nudged camera", nudged)):
        whole = cpu_ms(partial(read, table, frame), wanted.rounds)
        print(f"{name:19} {whole:6.1f} ms   {whole / decode:5.1f} x decoding")
        for stage, work in stages(table, frame).items():
            print(f"  {stage:17} {cpu_ms(work, wanted.rounds):6.1f} ms")
    print(f"memory at most      {memory_mb('VmHWM'):6.0f} MiB, simulator included")


if __name__ == "__main__":
    main()
