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
import gc
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import pygame

from benchmarks.measuring import KIB, memory_mb
from benchmarks.window import separate_place
from companion.app.app import App, SavedGames
from companion.core import storage
from companion.core.heap import give_back
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import DemoPlayer, SimulatedEye, set_up, turns_of
from companion.desk.in_use import DeskInUse
from companion.evidence.recorder import Recorder
from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import TableView
from companion.perception.turn_inference import ThreadedExplainer
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Desk as StageDesk
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.home.crash import CrashScene
from companion.scenes.orders.proposal import ChoicePanel
from companion.scenes.table.board_table import BoardTable
from companion.settings.choices import Choices
from companion.settings.layers import chosen_file
from companion.view.window.ambience import ambience_of
from companion.view.window.window import Window
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.steps import Step
from hardware.card_reader import CardReader
from hardware.controller import TableController
from hardware.desk import Desk
from hardware.device import Health
from hardware.events import Chord, Event, Press, Turned
from hardware.lights import Buzz, Lights
from hardware.pins import PinDevice
from hardware.simulated_pins import SimulatedPins
from hardware.simulated_ports import Cable, SimulatedController, SimulatedTags
from hardware.wiring import Wiring
from tests.companion.desk.presses import Presses, Pressing
from tests.companion.driver import Driver, same
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from tests.companion.perception.seeing import reading_of
from vision.errors import UnknownPieces
from vision.frame import jpeg_of

BOARDS = ("sengoku-rivers", "sengoku-fortress", "wwii-alpine", "wwii-island")
WAYS = {"watched": 34, "touches": 2, "desk": 1, "board": 3}
"""How many games of forty are played in which way."""
SIZE_PX = (800, 480)
LOOP_S = 0.3  # of the soak's own clock, for each turn of the window's loop
PAUSE_S = 2.0  # the same while a game is watched
LOOKS = 60  # so often a turn on the board may be looked at before it is entered by touch
REAL_EVERY = 500  # readings, of which one is the real eye's
PICTURE_EVERY = 5  # readings, of which one brings a picture of the board, which is cut up and kept
PAINTED_EVERY = 4  # watched games, of which one is painted; the others are laid out only, for the time it takes
POLL_S = 0.01
WARM = 0.25  # of the turns, before lines are fitted
LEAST_SAMPLES = 5  # through which a line says anything
HANDLES = Path("/proc/self/fd")
BOUNDS = {"rss_kib": 1.0, "blocks": 1.0, "handles": 0.0005, "threads": 0.0005}
"""The most that each may grow a turn, at the slope of the fitted line, to be called flat."""
TAG = "0F00A1B2C3"


class SoakFailed(AssertionError):
    """The app fell into its calm screen, or a step was lost."""


# ---- the desk -----------------------------------------------------------------------------------


class SteppedDesk:
    """A desk of simulated devices that is polled by the soak's own clock rather than by its thread."""

    def __init__(self, seed: int) -> None:
        self.now_s = 0.0
        self.made: list[SimulatedPins] = []
        self.tags, self.box = SimulatedTags(), SimulatedController()
        clock = lambda: self.now_s  # noqa: E731
        self.cables = [Cable(self.tags, clock, seed), Cable(self.box, clock, seed)]
        devices = (
            PinDevice(Wiring(), self._pins),
            CardReader("reader", self.cables[0].open),
            TableController("controller", self.cables[1].open),
        )
        self.desk = Desk(devices, clock)
        self._put: Callable[[Event], None] = lambda event: None

    def _pins(self, wiring: Wiring) -> SimulatedPins:
        self.made.append(SimulatedPins(wiring))
        return self.made[-1]

    @property
    def pins(self) -> SimulatedPins:
        return self.made[-1]

    def start(self, put: Callable[[Event], None]) -> None:
        self._put = put

    def show(self, lights: Lights) -> None:
        self.desk.show(lights)

    def buzz(self, pattern: Buzz) -> None:
        self.desk.buzz(pattern)

    def health(self) -> tuple[Health, ...]:
        return self.desk.health()

    def close(self) -> None:
        self.desk.close()

    def run(self, seconds: float) -> None:
        """Let this time pass."""
        until_s = self.now_s + seconds
        while self.now_s < until_s:
            self.now_s += POLL_S
            for event in self.desk.poll(self.now_s):
                self._put(event)

    def shake(self, rng: random.Random) -> None:
        """Shake things up between two games: pull and plug in a cable, lay a strange card on the reader."""
        cable = rng.choice(self.cables)
        cable.unplug()
        self.run(1.0)
        cable.plug()
        self.tags.lay(TAG)
        self.run(3.0)
        self.tags.lift()
        self.run(1.0)


class DeskHands(Presses):
    """Presses that go through contacts, debounce and the queue of pygame before they mean anything."""

    desk: SteppedDesk

    def send(self, event: Event) -> None:
        self.desk.run(1.0)
        if isinstance(event, Turned):
            self.desk.pins.turn(event.steps)
            self.desk.run(0.2 + 0.05 * abs(event.steps))
        elif isinstance(event, Press | Chord):
            controls = event.controls if isinstance(event, Chord) else (event.control,)
            for control in controls:
                self.desk.pins.press(control)
            self.desk.run(1.0 if isinstance(event, Chord) or event.kind == "long" else 0.1)
            for control in controls:
                self.desk.pins.release(control)
            self.desk.run(0.2)
        self.drain()

    def drain(self) -> None:
        """Hand over all that waits in the queue."""
        for waiting in pygame.event.get():
            touch = self.window.reader.read(waiting)
            if touch:
                self.window.handle(touch)
                self.window.refresh()


# ---- the camera ---------------------------------------------------------------------------------


class SoakCamera:
    """What is laid on the table, read: from the position, and now and then by the real eye from a picture."""

    def __init__(self, seed: int) -> None:
        self.on_table: Position | None = None
        self.read = 0
        self.seen = 0
        self._eye = SimulatedEye(seed)
        self._last: tuple[Position, TableView] | None = None

    def glimpse(self, match: Match) -> TableView:
        position = self.on_table or match.position
        if self._last is None or self._last[0] is not position:
            self._last = (position, self._look(position))
        return self._last[1]

    def _look(self, position: Position) -> TableView:
        self.read += 1
        if self.read % REAL_EVERY == 0:
            try:
                look = self._eye.look(position)
            except UnknownPieces:
                return TableView("settled", reading_of(position))
            self.seen += 1
            return TableView("settled", look.reading, frame=jpeg_of(look.picture, 90), dice=look.dice)
        return TableView("settled", reading_of(position, picture=self.read % PICTURE_EVERY == 0))


# ---- the soak -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """What the process holds at home between two games."""

    turns: int
    rss_kib: float
    blocks: int
    handles: int
    threads: int
    cpu_s: float


def take_sample(turns: int) -> Sample:
    """Return what is held once garbage is collected and the C library has given back what it only keeps for later."""
    gc.collect()
    give_back()
    return Sample(
        turns,
        memory_mb("VmRSS") * KIB,
        sys.getallocatedblocks(),
        len(list(HANDLES.iterdir())),
        threading.active_count(),
        time.process_time(),
    )


class Soak:
    """One app, and everybody who plays with it."""

    def __init__(self, turns: int, seed: int, tell: Callable[[Sample], None]) -> None:
        self.turns_wanted, self.seed, self.tell = turns, seed, tell
        self.rng = random.Random(seed)
        self.turns = self.games = self.steps = 0
        self.ways: Counter[str] = Counter()
        self.samples: list[Sample] = []
        self.now_s = 0.0
        self.loop_s = LOOP_S
        self.camera = SoakCamera(seed)
        self.desk = SteppedDesk(seed)
        self.thinking = ThreadedExplainer()
        self.recorder = Recorder()
        stage = Stage(
            Services(SavedGames(), choices=Choices(chosen_file()), demonstration=self._demonstration),
            Senses(monitor=SyncMonitor(self.thinking), recorder=self.recorder),
            StageDesk(DeskInUse(lambda plan: self.desk)),
        )
        self.app = App(stage, watcher=self.camera.glimpse)
        stage.apply(
            replace(stage.settings, round_end=False, desk_pins=True, readers=("reader",), controller="controller")
        )
        self.touching, self.pressing = self._hands()

    def _hands(self) -> tuple[Fingers, DeskHands]:
        """Return fingers and presses at one window, with the attendant that the app has."""
        fingers, hands = Fingers(self.app, SIZE_PX, looks=False), DeskHands(self.app, SIZE_PX, looks=False)
        self.around = ambience_of(self.app)
        self.window = Window(self.app, pygame.display.get_surface() or pygame.display.set_mode(SIZE_PX), self.around)
        fingers.window = hands.window = self.window
        hands.desk = self.desk
        return fingers, hands

    def run(self) -> None:
        """Play until so many turns are played; SoakFailed if the app crashes."""
        moves = self._all_games()
        self.window.run(lambda: self._turn(moves), lambda: self.now_s)
        if isinstance(self.app.scene, CrashScene):
            raise SoakFailed(self.app.scene.crash.trace)

    def close(self) -> None:
        self.around.close()
        self.thinking.close()
        self.recorder.close()

    def _turn(self, moves: Iterator[None]) -> list[pygame.event.Event]:
        """Go once around the window's loop: somebody does something, and time passes."""
        self.now_s += self.loop_s
        if isinstance(self.app.scene, CrashScene) or next(moves, self) is self:
            self.app.running = False
        self.pressing.drain()
        return []

    def _all_games(self) -> Iterator[None]:
        ways = [way for way, n in WAYS.items() for _ in range(n)]
        self._sample()
        while self.turns < self.turns_wanted:
            way, board = self.rng.choice(ways), BOARDS[self.games % len(BOARDS)]
            self.games += 1
            self.ways[way] += 1
            layout = "two" if way in ("touches", "desk") and self.rng.random() < 0.3 else "one"
            self.app.stage.change(layout=layout)
            yield from self._game(way, board)
            self.desk.shake(self.rng)
            yield
            self._sample()

    def _sample(self) -> None:
        self.samples.append(take_sample(self.turns))
        self.tell(self.samples[-1])

    # ---- a game -----------------------------------------------------------------------------------

    def _game(self, way: str, board: str) -> Iterator[None]:
        self.seed += 1
        driver = (Pressing if way == "desk" else Driver)(self.pressing if way == "desk" else self.touching, self.seed)
        driver.hidden |= way == "board"  # beside a camera cards are drawn unseen
        driver.fingers.seat = ""
        if way == "watched":
            with nullcontext() if self.ways[way] % PAINTED_EVERY == 0 else unpainted():
                yield from self._watch()
        else:
            driver.begin(board)
            yield from self._play(way, driver)
        match, self.camera.on_table = self.match, None
        if match.position.winner_name is None:
            raise SoakFailed(f"{match.path}: the game did not end")
        self.turns += turns_of(match)
        self.steps += len(match.steps)
        self.touching.seat = ""
        while self.app.table is not None:
            self._leave()
            yield
        if not match.saved:
            raise SoakFailed(f"{match.path}: {match.unsaved} steps are not on the disk")

    @property
    def match(self) -> Match:
        assert isinstance(self.app.table, BoardTable)
        return self.app.table.match

    def _leave(self) -> None:
        """Go home from wherever a game ended."""
        self.touching.tap("home" if self.touching.has("home") else "score")

    def _demonstration(self, _system: str) -> Demonstration:
        board = load_board(BOARDS[(self.games - 1) % len(BOARDS)])
        initiative, bonuses = set_up(board, self.seed)
        match = Match.start(storage.new_game_path(f"soak-{self.seed}"), board.name, initiative, bonuses)
        return Demonstration(match, DemoPlayer(self.seed), self.camera.glimpse)

    def _watch(self) -> Iterator[None]:
        """Watch a demonstration, from home."""
        self.touching.tap("more")
        self.touching.tap("demo")
        self.touching.tap("demo", "orders")
        self.loop_s = PAUSE_S
        while self.match.position.winner_name is None:
            yield
        self.loop_s = LOOP_S

    def _play(self, way: str, driver: Driver) -> Iterator[None]:
        while self.match.position.winner_name is None:
            if way == "board" and game.owed(self.match.position) is None:
                yield from self._on_board(driver)
            else:
                driver.enter(driver.next_step())
            yield

    def _on_board(self, driver: Driver) -> Iterator[None]:
        """Do a turn on the board: if the eye sees it, take it by the confirm button, else enter it by touch."""
        position = self.match.position
        step = driver.next_step()
        after, player = game.apply(position, step), Autoplayer(self.seed)
        while after.turn is not None:
            after = game.apply(after, player.step(after))
        self.camera.on_table = after
        for _look in range(LOOKS):
            yield
            if self.match.position is not position:
                break
            if isinstance(self._panel, ChoicePanel):
                choose_seen(self._panel, step, self.touching)
            elif self.touching.has("take"):
                self.pressing.seat = position.to_move_name
                self.pressing.button(f"confirm-{self.pressing.side}")
                self.pressing.seat = ""
            elif self.app.stage.sense.sign in ("sync", "unsure", "out"):
                break
            time.sleep(0.002)  # the explainer has a thread of its own
        self.camera.on_table = None
        if self.match.position is position and isinstance(self.app.scene, BoardTable):
            yield
            if self.touching.has("none"):  # what is offered too late
                self.touching.tap("none")
            driver.enter(step)

    @property
    def _panel(self) -> object:
        """The panel that the table shows now; None away from the table."""
        scene = self.app.scene
        return scene.panel if isinstance(scene, BoardTable) else None


def choose_seen(panel: ChoicePanel, step: Step, fingers: Fingers) -> None:
    """Touch the one of a few turns that was done on the board, or that it was none of them."""
    done = (n for n, turn in enumerate(panel.turns[: panel.few]) if same(turn.steps[0]) == same(step))
    number = next(done, None)
    if number is None:
        fingers.tap("none")
    else:
        fingers.tap("take", n=number)


# ---- figures ------------------------------------------------------------------------------------


def slope(samples: list[Sample], what: str) -> float:
    """Return the growth a turn: of the line fitted to the samples by least squares."""
    xs, ys = [float(sample.turns) for sample in samples], [float(getattr(sample, what)) for sample in samples]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


def after_warm_up(samples: list[Sample]) -> list[Sample]:
    """Return the samples after the warm-up."""
    return [sample for sample in samples if sample.turns >= WARM * samples[-1].turns]


def verdict(samples: list[Sample]) -> tuple[str, ...]:
    """Return what is not flat; nothing can be said of a few samples."""
    if len(after_warm_up(samples)) < LEAST_SAMPLES:
        return (f"fewer than {LEAST_SAMPLES} samples",)
    return tuple(what for what, most in BOUNDS.items() if slope(after_warm_up(samples), what) > most)


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
