"""A life of the app that is bound to end with SIGKILL: it plays, and tells what it does over a pipe.

Before each thing that changes the disk it tells what it is about to do, and after it, once the app has shown it, that
it is done. Whoever listens knows what must be on the disk, whenever the life ends.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.app.app import App
from companion.core import storage
from companion.demo.autoplayer import Autoplayer
from companion.games.match import Match
from companion.games.saved import shelf
from companion.scenes.base.stage import Stage
from companion.scenes.table.board_table import BoardTable
from companion.settings.layers import Choices, chosen_file, load
from companion.view.page.canvas import lay_out
from engine.orders.game import apply
from engine.orders.position import Position
from engine.orders.steps import Accept, Step
from engine.orders.wire import step_to_json
from tests.companion.driver import Driver
from tests.companion.equip import equip
from tests.companion.fingers import Fingers, own_place
from tests.companion.gallery.gallery import unpainted
from tests.companion.sample_games import BOARD, BONUSES

CALLS = ("write", "fsync", "pwrite", "ftruncate", "replace", "rename", "unlink", "open")
LAYOUTS = ("one", "two")
SIZE_PX = (800, 480)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a life goes.

    Its chance, at which call to the system it ends (None: when it is killed from outside), and whether it draws
    what it shows.
    """

    seed: int
    ends_at_call: int | None = None
    draws: bool = False


def live(folder: Path, pipe: int, plan: Plan) -> None:
    """Play until killed."""
    own_place(folder)
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    life = Life(pipe, plan)
    if plan.ends_at_call is not None:
        die_at_call(plan.ends_at_call, random.Random(plan.seed), pipe)
    while True:
        life.act()


def die_at_call(number: int, rng: random.Random, pipe: int) -> None:
    """End this process at its n-th call to the system that may change the disk: before it, in the middle, or after."""
    left = [number]

    def wrapped(real: Callable[..., Any], name: str, *given: Any, **named: Any) -> Any:
        if given[0] == pipe:
            return real(*given, **named)
        left[0] -= 1
        if left[0] > 0:
            return real(*given, **named)
        moment = rng.choice(("before", "amid", "after"))
        if name in ("write", "pwrite") and moment == "amid":
            real(given[0], bytes(given[1])[: rng.randrange(len(given[1]) + 1)], *given[2:])
        elif moment == "after":
            real(*given, **named)
        return os.kill(os.getpid(), signal.SIGKILL)

    for name in CALLS:
        setattr(os, name, partial(wrapped, getattr(os, name), name))


class Life:
    """One run of the app, from its start on."""

    def __init__(self, pipe: int, plan: Plan) -> None:
        self.pipe = pipe
        self.plan = plan
        self.rng = random.Random(plan.seed)
        self.player = Autoplayer(plan.seed)
        self.app = self._opened()

    def _opened(self) -> App:
        """Return the app at the table of the game played last, or at home if there is none."""
        last = next((game for game in shelf.saved_games() if game.readable), None)
        match = Match.open(last.path) if last is not None else None
        app = App(match=match)
        equip(app.stage, choices=Choices(chosen_file()))
        app.stage.apply(load())
        if match is not None:
            self.tell(opened=match.path.name, steps=len(match.steps), notice=match.notice)
        return app

    def tell(self, **message: object) -> None:
        """One message to whoever listens, in one piece."""
        os.write(self.pipe, storage.line_of(message))

    @property
    def match(self) -> Match:
        """The game in play."""
        assert isinstance(self.app.table, BoardTable)
        return self.app.table.match

    def act(self) -> None:
        """Something that people do at the table; then it is shown, then told."""
        if self.app.table is None or self.match.position.winner_name is not None:
            self.begin()
        else:
            kinds = (self.play, self.touch, self.undo, self.redo, self.correct, self.name, self.choose, self.begin)
            self.rng.choices(kinds, (60, 12, 8, 8, 4, 4, 5, 1))[0]()
        self.show()
        self.tell(shown=True)

    def show(self) -> None:
        """Lay out what is on the screen now, and now and then draw its picture too."""
        screen = self.app.screen()
        if self.plan.draws:
            lay_out(screen, SIZE_PX)

    def about(self, after: int, steps: list[Step], whole: bool) -> None:
        """Tell that the game will keep its first steps and go on with these: all at once, or one by one."""
        self.tell(game=self.match.path.name, keep=after, add=[step_to_json(step) for step in steps], whole=whole)

    def play(self) -> None:
        step = self.player.step(self.match.position)
        self.about(len(self.match.steps), [step], whole=True)
        assert self.match.offer(step).legal

    def touch(self) -> None:
        """Take a step by touches on the screen; windows for cards may close by themselves with it."""
        fingers = Fingers(self.app, SIZE_PX, looks=False)
        driver = Driver(fingers, self.rng.randrange(2**32))
        before = len(self.match.steps)
        step = driver.next_step()
        self.about(before, [step, Accept()], whole=False)
        with nullcontext() if self.plan.draws else unpainted():
            driver.enter(step)
        self.about(before, list(self.match.steps[before:]), whole=True)

    def undo(self) -> None:
        back = self.rng.randint(1, 3)
        if back <= len(self.match.steps):
            self.about(len(self.match.steps) - back, [], whole=True)
            assert self.match.undo(back)

    def redo(self) -> None:
        waiting = self.match.redoable_steps
        if waiting:
            steps = list(waiting[: self.rng.randint(1, 3)])
            self.about(len(self.match.steps), steps, whole=False)
            assert self.match.redo(len(steps))

    def correct(self) -> None:
        """Let another course of things follow a step of the past."""
        after = max(0, len(self.match.steps) - self.rng.randint(0, 6))
        steps = self._course(self.match.positions[after])
        self.about(after, steps, whole=True)
        self.match.recast(after, steps)

    def _course(self, position: Position) -> list[Step]:
        steps: list[Step] = []
        for _ in range(self.rng.randint(0, 4)):
            if position.winner_name is None:
                steps.append(self.player.step(position))
                position = apply(position, steps[-1])
        return steps

    def name(self) -> None:
        label = self.rng.choice(("Friday", "Sábado à noite", "The long one", ""))
        self.tell(named=self.match.path.name, label=label)
        shelf.set_label(self.match.path, label)

    def choose(self) -> None:
        changes = {"text_scale": self.rng.choice((1.0, 1.25)), "layout": self.rng.choice(LAYOUTS)}
        self.tell(chosen=changes)
        self.app.stage.change(**changes)

    def begin(self) -> None:
        """Begin a new game from home, as people begin one."""
        path = storage.new_game_path("game")
        request = {"board": BOARD, "initiative": self.rng.choice(("red", "black")), "bonuses": BONUSES}
        self.tell(new=path.name, request=request)
        if self.app.table is not None:
            self.match.close()
        stage = Stage(self.app.stage.services, settings=self.app.stage.settings)
        self.app = App(stage, match=Match.begin(path, request))


def plan_of(text: str) -> Plan:
    """Return a plan as it is handed to a fresh interpreter."""
    return Plan(**json.loads(text))
