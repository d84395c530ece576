"""A long soak: thousands of turns in one app, and whether its memory, handles and threads stay flat.

    python -m benchmarks.soak [--turns 10000] [--seed 1] [--csv FILE]

The real app with its window (pygame's dummy display), scenes, attendant, explainer and recorder plays game after game
on all boards and never ends in between. Games are played in four ways: watched (the demo's player, drawn step by step),
by touches, by the desk (buttons and the knob of simulated pins, through the debounce; a card reader and a controller on
simulated cables come and go), and on the board (a turn is done there alone, the app explains what is seen, and the
confirm button takes it). What the camera sees is told from the position, and every so often read by the real eye from
a drawn picture. Samples are taken at home between two games; lines are fitted to those after the warm-up. Memory is
what is resident once the C library has given back what it keeps: pictures of many sizes leave holes in its heap.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

import cv2

from benchmarks.soak.play import BOUNDS, Sample, Soak, after_warm_up, slope, verdict
from benchmarks.window import separate_place


def report(soak: Soak, seconds: float) -> bool:
    """Print the figures, and return whether all is flat."""
    kept = after_warm_up(soak.samples)
    ways = ", ".join(f"{n} {way}" for way, n in sorted(soak.ways.items()))
    print(
        f"\n{soak.turns} turns, {soak.steps} steps, {soak.games} games ({ways}), {soak.camera.read} readings, "
        f"{soak.camera.seen} of them by the real eye; {seconds:.0f} s by the clock, {time.process_time():.0f} s of CPU"
    )
    print(f"lines fitted to {len(kept)} samples from turn {kept[0].turns} on\n")
    print(f"{'':14}{'first':>10}{'last':>10}{'least':>10}{'most':>10}{'a turn':>12}{'flat below':>12}")
    for what, most in BOUNDS.items():
        values = [float(getattr(sample, what)) for sample in kept]
        figures = "".join(f"{value:10.0f}" for value in (values[0], values[-1], min(values), max(values)))
        print(f"{what:14}{figures}{slope(kept, what):12.5f}{most:12.4f}")
    wrong = verdict(soak.samples)
    print(f"\n{'flat' if not wrong else 'not flat: ' + ', '.join(wrong)}")
    return not wrong


def main() -> int:
    """Run this benchmark from the command line; 0 if all is flat."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description="thousands of turns in one app")
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="write the samples to this file too")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)
    rows: list[str] = []

    def tell(sample: Sample) -> None:
        rows.append(
            f"{sample.turns},{sample.rss_kib:.0f},{sample.blocks},{sample.handles},{sample.threads},{sample.cpu_s:.1f}"
        )
        print(rows[-1], file=sys.stderr, flush=True)

    with separate_place():
        began_s = time.monotonic()
        soak = Soak(options.turns, options.seed, tell)
        soak.run()
        soak.close()
        if options.csv:
            options.csv.write_text("\n".join(["turns,rss_kib,blocks,handles,threads,cpu_s", *rows]) + "\n")
        return 0 if report(soak, time.monotonic() - began_s) else 1


if __name__ == "__main__":
    raise SystemExit(main())
