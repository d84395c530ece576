"""The app's figures: idle at the table, a touch until it is shown, a frame of motion, the start, and the memory.

    python -m benchmarks.app [--idle-s 20] [--sizes 800x480,1280x720]

Idle and memory are those of the real `gunbai play`, looked at from outside; touches are those of games of all three
systems, played by the tests' drivers; pygame's dummy display takes the pictures. Touches are told in CPU time as well
as by the clock, and as a ratio to filling and showing the same screen plainly, so that machines can be compared.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import pygame

from benchmarks.measuring import Timed, children_cpu_s, memory_mb, size_px, time_work
from benchmarks.window import print_row, separate_place
from companion.app.app import App
from companion.core.heap import collect_at_rest
from companion.demo.sonae_player import SonaePlayer
from companion.games.match import Match
from companion.scenes.sonae.table import BattleTable
from companion.ui.screen import Intent
from companion.view.kit.sheet import Target
from companion.view.window.display import LOOK_MS
from companion.view.window.panes import Shown
from tests.companion.driver import Driver
from tests.companion.fingers import Fingers
from tests.companion.generals.fingers import DuelDriver
from tests.companion.other_games import begun
from tests.companion.sample_games import BOARD, BONUSES, played
from tests.companion.sonae.test_whole_battle import bring_about
from tests.companion.touching import Hand

STARTS = 5
TOUCHED_STEPS = 40
BATTLE_STEPS = 120
TURNS_BETWEEN = 10  # of the window's loop between two touches: a second
SETTLE_S = 3.0
FRAME_S = LOOK_MS / 1000
FILLS = 50
WANTED = {
    "idle": "under 1 %",
    "touch": "15 median, 30 worst",
    "motion": "6 worst",
    "start": "under 1 s of CPU",
    "memory": "under 150 MB",
}

FIRST_SCREEN = """
import os, sys, pygame
show = pygame.display.flip
def first():
    show()
    os._exit(0)
pygame.display.flip = first
from companion.cli import main
sys.exit(main(["play", "--size", sys.argv[1]]))
"""


# ---- the real program, from outside -------------------------------------------------------------


def at_rest(size: str, game: Path, seconds: float) -> tuple[float, float]:
    """Return the per cent of a core used at the table while nobody touches it, and the peak memory in MB."""
    command = [sys.executable, "-m", "companion", "play", "--size", size, "--game", str(game)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_until_started(child.pid)
        began, used = time.monotonic(), _cpu_s(child.pid)
        time.sleep(seconds)
        share = (_cpu_s(child.pid) - used) / (time.monotonic() - began)
        return 100 * share, memory_mb("VmHWM", child.pid)
    finally:
        child.terminate()
        child.wait()


def _wait_until_started(pid: int) -> None:
    """Wait until the start is over: until a while has passed with hardly any work."""
    used = -1.0
    while _cpu_s(pid) - used > SETTLE_S * 0.1:
        used = _cpu_s(pid)
        time.sleep(SETTLE_S)


def _cpu_s(pid: int) -> float:
    """Return the CPU seconds that a process has used, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_s(size: str) -> tuple[float, float]:
    """Return (wall, CPU) seconds from the start of the process to the first screen, at the median."""
    timed = [_time_command([sys.executable, "-c", FIRST_SCREEN, size]) for _ in range(STARTS)]
    return median(wall for wall, _cpu in timed), median(cpu for _wall, cpu in timed)


def _time_command(command: list[str]) -> tuple[float, float]:
    began, before = time.perf_counter(), children_cpu_s()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began, children_cpu_s() - before


# ---- touches ------------------------------------------------------------------------------------


class TimedFingers(Fingers):
    """Fingers that note how long each touch takes from the event until the picture is shown, and what then moves.

    took: each touch; moved_ms: the CPU milliseconds of each frame of motion after it.
    """

    def __init__(self, app: App, window_px: tuple[int, int]) -> None:
        super().__init__(app, window_px, looks=False)
        self.took: list[Timed] = []
        self.moved_ms: list[float] = []
        self.clock_s = 0.0
        self.let_move()

    def _touch(self, shown: Shown, target: Target) -> None:
        for _turn in range(TURNS_BETWEEN):
            self.window.rest()
        self.took.append(time_work(lambda: super(TimedFingers, self)._touch(shown, target)))
        self.let_move()

    def let_move(self) -> None:
        """Turn the window's loop until everything has arrived."""
        began = 0.0

        def next_frame() -> tuple[pygame.event.Event, ...]:
            nonlocal began
            now = time.process_time()
            if began:
                self.moved_ms.append(1000 * (now - began))
            began = now if self.window.motion.flights else 0.0
            self.clock_s += FRAME_S
            self.app.running = bool(self.window.motion.flights)
            return ()

        self.window.run(next_frame, lambda: self.clock_s)
        self.app.running = True


def touches(size: str, layout: str) -> TimedFingers:
    """Play a game's first steps by touches."""
    app = App()
    app.stage.change(layout=layout)
    gc.collect()
    collect_at_rest()  # as `gunbai play` does
    fingers = TimedFingers(app, size_px(size))
    driver = Driver(fingers, 1)
    driver.begin()
    driver.play(TOUCHED_STEPS)
    return fingers


class BattleApp(App):
    """An app that times each touch by its meaning; dragging a finger over the field is one meaning, wherever it is."""

    fingers: TimedFingers | None = None

    def touch(self, intent: Intent) -> None:
        """Touch, and show what comes of it."""
        touch = super().touch
        if self.fingers is None:
            touch(intent)
            return
        window = self.fingers.window
        for _turn in range(TURNS_BETWEEN):
            window.rest()

        def work() -> None:
            touch(intent)
            window.refresh()

        self.fingers.took.append(time_work(work))
        self.fingers.let_move()


def battle_touches(size: str, layout: str, game: Path) -> TimedFingers:
    """Play a battle's first steps by touches."""
    app = BattleApp(match=begun(game, "sonae", steps=0))
    app.stage.change(layout=layout)
    gc.collect()
    collect_at_rest()
    app.fingers = fingers = TimedFingers(app, size_px(size))
    hand, player = Hand(app), SonaePlayer(5)
    table = app.table
    assert isinstance(table, BattleTable)
    for _step in range(BATTLE_STEPS):
        step = player.step(table.position)
        assert step is not None
        known = len(table.match.steps)
        bring_about(hand, step)
        if len(table.match.steps) == known:  # led to a hair's breadth elsewhere, where it is not allowed
            app.touch(Intent("cancel"))
            table.match.offer(step)
            table.refresh()
    return fingers


def duel_touches(size: str, layout: str, game: Path) -> TimedFingers:
    """Play a card game's first steps by touches."""
    app = App(match=begun(game, "generals", steps=0))
    app.stage.change(layout=layout)
    gc.collect()
    collect_at_rest()
    fingers = TimedFingers(app, size_px(size))
    DuelDriver(fingers, 1).play(TOUCHED_STEPS)
    return fingers


def fill_ms() -> float:
    """Return CPU milliseconds to fill the display and show it."""
    display = pygame.display.get_surface()
    assert display is not None
    began = time.process_time()
    for _ in range(FILLS):
        display.fill((20, 30, 40))
        pygame.display.flip()
    return 1000 * (time.process_time() - began) / FILLS


# ---- the table ----------------------------------------------------------------------------------


def _summary(values: Iterable[float]) -> str:
    ordered = sorted(values)
    return f"{median(ordered):5.1f} median, {ordered[int(0.95 * len(ordered))]:5.1f} of 95 %, {ordered[-1]:5.1f} worst"


def _report(size: str, seconds: float, game: Path) -> None:
    share, peak = at_rest(size, game, seconds)
    print_row(f"{size} idle at the table", f"{share:.2f} % of a core", WANTED["idle"])
    print_row(f"{size} peak memory", f"{peak:.0f} MB", WANTED["memory"])
    wall, cpu = start_s(size)
    print_row(f"{size} start to first screen", f"{wall:.2f} s, {cpu:.2f} s of CPU", WANTED["start"])
    for layout in ("one", "two"):
        _report_touches(size, f"layout {layout}", touches(size, layout))
        battle = game.with_name(f"battle-{layout}.jsonl")
        _report_touches(size, f"Sonae, layout {layout}", battle_touches(size, layout, battle))
        duel = game.with_name(f"duel-{layout}.jsonl")
        _report_touches(size, f"Generals Order, layout {layout}", duel_touches(size, layout, duel))


def _report_touches(size: str, what: str, fingers: TimedFingers) -> None:
    name = f"{size} touch, {what}"
    print_row(f"{name}, CPU ms", _summary(cpu for cpu, _wall in fingers.took), WANTED["touch"])
    print_row(f"{name}, ms by the clock", _summary(wall for _cpu, wall in fingers.took))
    ratio = median(cpu for cpu, _wall in fingers.took) / fill_ms()
    print_row(f"{name}, as fills", f"{ratio:.0f} times a plain fill of the screen")
    print_row(f"{size} motion, {what}, CPU ms a frame", _summary(fingers.moved_ms), WANTED["motion"])


def main() -> None:
    """Run this benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.app", description="the app's figures")
    parser.add_argument("--idle-s", type=float, default=20.0, help="how long the idle app is watched")
    parser.add_argument("--sizes", default="800x480,1280x720")
    options = parser.parse_args()
    for size in options.sizes.split(","):
        with separate_place() as place:
            _report(size, options.idle_s, _game(place))


def _game(folder: Path) -> Path:
    """Save a game of some turns, and return its file."""
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
    for step in played()[0][:20]:
        match.offer(step)
    match.close()
    return match.path


if __name__ == "__main__":
    main()
