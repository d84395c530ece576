"""What the app holds after an evening's odd jobs: resident memory at home after each of them, as the system counts it.

    python -m benchmarks.memory [--touches 1000] [--seed 1]

One `gunbai play --demo`, whose eye is in the app's own process: a game is watched, the camera is calibrated, boards are
traced from photos, and a thousand random touches are made, on pygame's dummy display. Memory is told as it is, without
asking the C library for what it keeps; beside it what is left once it was asked, and the most there ever was.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Callable

import cv2

from benchmarks.eye.traced_tables import photograph
from benchmarks.measuring import memory_mb
from benchmarks.window import separate_place
from companion.app.app import App
from companion.bootstrap import play
from companion.perception.calibration import Calibration
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.tracing.begin import with_areas
from companion.tracing.work import TraceWork, new_draft
from tests.companion.scenes.test_random_touches import WAYS_BACK, Monkey
from vision.heap import give_back

SIZE_PX = (800, 480)
TURNS = 8
CALIBRATIONS = 3
PHOTOS = (901, 902, 903)
TICK_S = 2.0
LONGEST_S = 120.0


class Evening:
    """Somebody at the window of the app."""

    def __init__(self, app: App, seed: int, touches: int) -> None:
        self.app, self.touches = app, touches
        self.monkey = Monkey(app, seed)
        self.now_s = 0.0

    def spend(self) -> None:
        """Do all the jobs, and print the memory after each."""
        print(f"{'':24}{'as it is':>10}{'asked for':>10}{'at most':>10}  MB")
        self.tell("at home")
        for what, job in (
            (f"{TURNS} turns watched", self.watch),
            *((f"calibration {n + 1}", self.calibrate) for n in range(CALIBRATIONS)),
            *((f"board {seed} traced", lambda seed=seed: self.trace(seed)) for seed in PHOTOS),
            (f"{self.touches} random touches", self.touch),
        ):
            job()
            self.tell(what)

    def tell(self, what: str) -> None:
        """Print a line of the table."""
        self.tick()
        gc.collect()
        as_it_is = memory_mb("VmRSS")
        give_back()
        print(f"{what:24}{as_it_is:10.0f}{memory_mb('VmRSS'):10.0f}{memory_mb('VmHWM'):10.0f}", flush=True)

    def tick(self) -> None:
        self.now_s += TICK_S
        self.app.tick(self.now_s)
        self.monkey.fingers.window.refresh()

    def until(self, done: Callable[[], bool]) -> None:
        """Let time pass until the condition holds."""
        began_s = time.monotonic()
        while not done():
            if time.monotonic() - began_s > LONGEST_S:
                raise SystemExit("waited in vain")
            self.tick()
            time.sleep(0.005)

    # ---- the jobs -----------------------------------------------------------------------------

    def watch(self) -> None:
        """Watch a demonstration, each of whose positions is looked at by the eye before time goes on."""
        fingers = self.monkey.fingers
        for verb, what in (("more", ""), ("demo", ""), ("demo", "orders")):
            fingers.tap(verb, what)
        scene = self.app.table
        assert isinstance(scene, BoardTable)
        while len(scene.match.steps) < TURNS:
            self.until(lambda: self.app.stage.sense.sign != "moving")
            self.tick()
        fingers.tap("home" if fingers.has("home") else "menu")
        self.go_home()

    def calibrate(self) -> None:
        """Calibrate a table by the empty board and the start, until it is saved and in use."""
        assert self.app.stage.senses.cameras is not None
        work = self.app.stage.senses.cameras.begin(next(iter(self.app.stage.senses.cameras.names())))
        for what in ("empty", "start"):
            work.ask(what)
            self.until(lambda: self.judged(work))
            if what == "empty":
                work.take_empty()
        work.learn(with_start=True)
        self.until(work.just_made)
        work.save()
        work.close()

    def judged(self, work: Calibration) -> bool:
        work.look(self.now_s)
        return work.judged is not None and work.judged.good

    def trace(self, seed: int) -> None:
        """Open a photo, find its grid and all that is on it, and take it over."""
        sight = photograph(seed)
        height, width = sight.picture_bgr.shape[:2]
        work = TraceWork(new_draft("sengoku-rivers", f"board-{seed}", sight.plan.size_mm), sight.picture_bgr)
        work.find_grid([(x / width, y / height) for x, y in sight.corners_px])
        self.until(work.fetch)
        assert work.look is not None
        assert work.look.grid is not None
        assert work.proposal is not None
        work.put(with_areas(work.draft, work.look.grid, work.proposal))
        work.close()

    def touch(self) -> None:
        """Touch whatever is on the glass, and go home again."""
        for _n in range(self.touches):
            self.monkey.touch(list(self.monkey.targets()))
            self.tick()
        self.go_home()

    def go_home(self) -> None:
        """Go home by what looks like a way back; if nothing does, by whatever is there."""
        while not isinstance(self.app.scene, HomeScene):
            here = list(self.monkey.targets())
            ways = [target for target in here if target[1].intent.verb in WAYS_BACK]
            self.monkey.touch(ways or here)
            self.tick()


def main() -> int:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description="what the app holds")
    parser.add_argument("--touches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)

    def show(app: App, _size_px: tuple[int, int] | None) -> int:
        Evening(app, options.seed, options.touches).spend()
        return 0

    options_given = argparse.Namespace(demo=True, size=None, game=None, table=None, camera=None)
    with separate_place() as place:
        os.chdir(place)
        os.environ["PATH"] = str(place)  # nothing of the machine's own is started
        return play(options_given, show)


if __name__ == "__main__":
    raise SystemExit(main())
