"""What the app holds after an evening's odd jobs: resident memory at home after each of them, as the system counts it.

    python -m benchmarks.memory [--touches 1000] [--seed 1] [--demo]

One `gunbai play` whose camera is a folder of pictures (`benchmarks.eye.photographed`): a game is watched, the camera is
calibrated, boards are traced from photos, and a thousand random touches are made, on pygame's dummy display. With
--demo it is `gunbai play --demo`, which simulates the table, and reads it, in the app's own process.

Memory is told as it is, without asking the C library for what it keeps; beside it what is left once it was asked, the
most there ever was, and the most that any process held that the app has started.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2

from benchmarks.measuring import memory_mb
from benchmarks.window import separate_place
from companion.app.app import App
from companion.bootstrap import play
from companion.core.own_process import own_command, own_environment
from companion.perception import camera_process
from companion.perception.calibration import Calibration
from companion.scenes.home.home import HomeScene
from companion.scenes.table.board_table import BoardTable
from companion.tracing.eye import with_areas
from companion.tracing.work import TraceWork, new_draft
from tests.companion.scenes.test_random_touches import WAYS_BACK, Monkey
from vision.frame import load_picture
from vision.memory import give_back

SIZE_PX = (800, 480)
TURNS = 8
CALIBRATIONS = 3
TRACED = (901, 902, 903)
TICK_S = 2.0
LONGEST_S = 900.0


class PictureFolder:
    """The folder that plays the camera; photos: what it is to show."""

    def __init__(self, path: Path, photos: Path) -> None:
        self.path, self._photos, self._count = path, photos, 0
        path.mkdir()
        self.show("start")

    def show(self, name: str) -> None:
        """Let the camera see this picture from now on."""
        self._count += 1
        beside = self.path / "next.part"
        shutil.copy(self._photos / f"{name}.jpg", beside)
        beside.rename(self.path / f"{self._count:04}.jpg")


class Evening:
    """Somebody at the window of the app; camera: None where the table is simulated."""

    def __init__(self, app: App, photos: Path, camera: PictureFolder | None, options: argparse.Namespace) -> None:
        self.app, self.photos, self.camera, self.touches = app, photos, camera, options.touches
        self.monkey = Monkey(app, options.seed)
        self.now_s = self.others_mb = 0.0

    def spend(self) -> None:
        """Do all the jobs, and print the memory after each."""
        print(f"{'':24}{'as it is':>10}{'asked for':>10}{'at most':>10}{'others':>10}  MB")
        self.tell("at first")
        for what, job in (
            (f"{TURNS} turns watched", self.watch),
            *((f"calibration {n + 1}", self.calibrate) for n in range(CALIBRATIONS)),
            *((f"board {board} traced", lambda board=board: self.trace(board)) for board in TRACED),
            (f"{self.touches} random touches", self.touch),
        ):
            job()
            self.tell(what)

    def tell(self, what: str) -> None:
        """Print the memory as a line of the table."""
        self.tick()
        gc.collect()
        as_it_is = memory_mb("VmRSS")
        give_back()
        held = (as_it_is, memory_mb("VmRSS"), memory_mb("VmHWM"), self.others_mb)
        print(f"{what:24}{''.join(f'{mb:10.0f}' for mb in held)}", flush=True)

    def tick(self) -> None:
        """Let the window's loop turn once."""
        self.now_s += TICK_S
        self.others_mb = max(self.others_mb, *others_mb(), 0.0)
        self.app.tick(self.now_s)
        self.monkey.fingers.window.refresh()

    def until(self, done: Callable[[], bool]) -> None:
        """Let time pass until the condition holds."""
        began_s = time.monotonic()
        while not done():
            if time.monotonic() - began_s > LONGEST_S:
                raise SystemExit("waited in vain")
            self.tick()
            time.sleep(0.05)

    # ---- the jobs -----------------------------------------------------------------------------

    def watch(self) -> None:
        """Watch a game, and go home."""
        fingers = self.monkey.fingers
        if self.camera is None:
            self._watch_demo()
        else:
            self._watch_turns(self.camera)
        fingers.tap("home" if fingers.has("home") else "menu")
        self.go_home()

    def _watch_turns(self, camera: PictureFolder) -> None:
        """Do each turn on the board alone, and take it once it is offered."""
        fingers = self.monkey.fingers
        for turn in range(TURNS):
            camera.show(f"turn-{turn + 1:02}")
            self.until(lambda: fingers.has("take"))
            fingers.tap("take")

    def _watch_demo(self) -> None:
        """Watch a demonstration, each of whose positions is looked at by the eye before time goes on."""
        for verb, what in (("more", ""), ("demo", ""), ("demo", "orders")):
            self.monkey.fingers.tap(verb, what)
        scene = self.app.table
        assert isinstance(scene, BoardTable)
        while len(scene.match.steps) < TURNS:
            self.until(lambda: self.app.stage.sense.sign != "moving")
            self.tick()

    def calibrate(self) -> None:
        """Calibrate a table by the empty board and the start, until it is saved and in use."""
        cameras = self.app.stage.senses.cameras
        assert cameras is not None
        work = cameras.begin(str(self.camera.path) if self.camera else next(iter(cameras.names())))
        for what in ("empty", "start"):
            if self.camera is not None:
                self.camera.show(what)
            work.ask(what)
            self.until(lambda: self.judged(work))
            if what == "empty":
                work.take_empty()
        work.learn(with_start=True)
        self.until(work.take_learned)
        work.save()
        work.close()

    def judged(self, work: Calibration) -> bool:
        """Let the calibration look once more; return whether it has found a photo good."""
        work.look(self.now_s)
        return work.judged is not None and work.judged.good

    def trace(self, board: int) -> None:
        """Open a photo, find its grid and all that is on it, and take it over."""
        about = json.loads((self.photos / f"traced-{board}.json").read_text())
        picture = load_picture(self.photos / f"traced-{board}.jpg")
        height, width = picture.shape[:2]
        work = TraceWork(new_draft("sengoku-rivers", f"board-{board}", tuple(about["size_mm"])), picture)
        work.find_grid([(x / width, y / height) for x, y in about["corners_px"]])
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


def others_mb() -> Iterator[float]:
    """Yield the most memory, in MB, that each running child of this process has held."""
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            with suppress(OSError, StopIteration):  # it has ended meanwhile
                yield memory_mb("VmHWM", int(pid))


def main() -> int:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description="what the app holds")
    parser.add_argument("--touches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--demo", action="store_true", help="a simulated table, in the app's own process")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    cv2.setNumThreads(1)
    camera_process.STARTING_S = camera_process.SILENT_S = LONGEST_S  # a busy machine is no reason to start it anew
    with separate_place() as place:
        photos = place / "photos"
        photograph = own_command("benchmarks.eye.photographed", str(photos), "--seed", str(options.seed))
        subprocess.run(photograph, check=True, env=own_environment(), stdout=subprocess.DEVNULL)
        os.chdir(place)
        os.environ["PATH"] = str(place)  # nothing of the machine's own is started
        camera = None if options.demo else PictureFolder(place / "camera", photos)
        wished = argparse.Namespace(demo=options.demo, size=None, game=None, table=None, camera=None)
        if camera is not None:
            wished.game, wished.table, wished.camera = photos / "game.jsonl", photos / "kitchen.table", str(camera.path)

        def show(app: App, _size_px: tuple[int, int] | None) -> int:
            Evening(app, photos, camera, options).spend()
            return 0

        return play(wished, show)


if __name__ == "__main__":
    raise SystemExit(main())
