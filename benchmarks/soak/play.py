"""One app, and everybody who plays with it: game after game in four ways, and samples of it that have to stay flat."""

from __future__ import annotations

import gc
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pygame

from benchmarks.measuring import BOARDS, KIB, memory_mb
from benchmarks.soak.devices import DeskHands, SoakCamera, SteppedDesk
from companion.app.app import App, SavedGames
from companion.core import storage
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import DemoPlayer, set_up, turns_of
from companion.desk.in_use import DeskInUse
from companion.evidence.recorder import Recorder
from companion.games.match import Match
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.turn_inference import ThreadedExplainer
from companion.scenes.base.ports import Demonstration
from companion.scenes.base.stage import Desk as StageDesk
from companion.scenes.base.stage import Senses, Services, Stage
from companion.scenes.home.crash import CrashScene
from companion.scenes.orders.proposal import ChoicePanel
from companion.scenes.table.board_table import BoardTable
from companion.settings.layers import Choices, chosen_file
from companion.view.window.ambience import ambience_of
from companion.view.window.window import Window
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Step
from tests.companion.desk.presses import Pressing
from tests.companion.driver import Driver, same
from tests.companion.fingers import Fingers
from tests.companion.gallery.gallery import unpainted
from vision.memory import give_back

WARM = 0.25  # of the turns, before lines are fitted
LEAST_SAMPLES = 5  # through which a line says anything
HANDLES = Path("/proc/self/fd")
BOUNDS = {"rss_kib": 1.0, "blocks": 1.0, "handles": 0.0005, "threads": 0.0005}
"""The most that each may grow a turn, at the slope of the fitted line, to be called flat."""


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
    """Return what the process holds once garbage is collected and free memory is given back."""
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


def slope(samples: list[Sample], what: str) -> float:
    """Return how much a figure grows a turn: the slope of the line fitted to the samples by least squares."""
    xs, ys = [float(sample.turns) for sample in samples], [float(getattr(sample, what)) for sample in samples]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread if spread else 0.0


def after_warm_up(samples: list[Sample]) -> list[Sample]:
    """Return the samples after the warm-up."""
    return [sample for sample in samples if sample.turns >= WARM * samples[-1].turns]


def verdict(samples: list[Sample]) -> tuple[str, ...]:
    """Return what is not flat; nothing if there are too few samples to tell."""
    if len(after_warm_up(samples)) < LEAST_SAMPLES:
        return (f"fewer than {LEAST_SAMPLES} samples",)
    return tuple(what for what, most in BOUNDS.items() if slope(after_warm_up(samples), what) > most)


WAYS = {"watched": 34, "touches": 2, "desk": 1, "board": 3}
"""How many games of forty are played in which way."""
SIZE_PX = (800, 480)
LOOP_S = 0.3  # of the soak's own clock, for each turn of the window's loop
PAUSE_S = 2.0  # the same while a game is watched
LOOKS = 60  # so often a turn on the board may be looked at before it is entered by touch
PAINTED_EVERY = 4  # watched games, of which one is painted; the others are laid out only, for the time it takes


class SoakFailed(AssertionError):
    """The app fell into its calm screen, or a step was lost."""


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
        """Close the devices, the thinking and the recorder."""
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
            self.touching.tap("home" if self.touching.has("home") else "score")
            yield
        if not match.is_saved:
            raise SoakFailed(f"{match.path}: {match.unsaved} steps are not on the disk")

    @property
    def match(self) -> Match:
        assert isinstance(self.app.table, BoardTable)
        return self.app.table.match

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
    """Touch the turn, among a few, that was done on the board, or that it was none of them."""
    done = (n for n, turn in enumerate(panel.turns[: panel.few]) if same(turn.steps[0]) == same(step))
    number = next(done, None)
    if number is None:
        fingers.tap("none")
    else:
        fingers.tap("take", n=number)
