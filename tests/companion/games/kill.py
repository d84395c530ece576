"""Kill the app again and again while games are played, and look whether anything that was confirmed is lost.

python -m tests.companion.games.kill 500 [--seed 1]

Each life ends with SIGKILL: at a random moment from outside, or at a random call to the system that writes, before it,
after it, or with half of the bytes written. Most lives are forks of this process, some start a fresh interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from companion.core.errors import MatchError
from companion.games.journal import read_journal
from companion.games.saved import shelf
from companion.settings.layers import chosen_file, load
from engine.orders.wire import step_to_json
from tests.companion.fingers import own_place
from tests.companion.games.lives import Plan, live, plan_of

FRESH_EVERY = 16  # lives, of which one is a fresh interpreter
DRAWN_EVERY = 10
LONGEST_LIFE = 30  # things that are done before it is killed at the latest
LATEST_CALL = 70

Json = dict[str, Any]


class Lost(AssertionError):
    """Something that was confirmed is not on the disk."""


@dataclass
class Known:
    """What has been confirmed: the steps of each game, the games' names, what was chosen."""

    games: dict[str, list[Json]] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    chosen: Json = field(default_factory=dict)
    about: Json = field(default_factory=dict)

    def hear(self, message: Json) -> None:
        """Take in a message of a life."""
        if "shown" in message:
            self._take(self.about)
            self.about = {}
        elif "opened" not in message:
            self.about = message

    def _take(self, done: Mapping[str, Any]) -> None:
        if "new" in done:
            self.games[done["new"]] = []
        elif "game" in done:
            self.games[done["game"]] = [*self.games[done["game"]][: done["keep"]], *done["add"]]
        elif "named" in done:
            self.labels[done["named"]] = done["label"]
        elif "chosen" in done:
            self.chosen = done["chosen"]

    def courses(self, game: str) -> Iterator[list[Json]]:
        """Every course that this game may have on the disk now, the confirmed one first."""
        steps = self.games[game]
        yield steps
        if self.about.get("game") == game:
            kept, added = steps[: self.about["keep"]], self.about["add"]
            for n in range(len(added) + 1):
                if n == len(added) or not self.about["whole"]:
                    yield [*kept, *added[:n]]


class Reaper:
    """Lets lives begin, ends them, and looks at what they leave behind."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.rng = random.Random(seed)
        self.known = Known()
        self.count: Counter[str] = Counter()
        self.touched: set[str] = set()  # the games that the last life had to do with

    def reap(self, number: int) -> None:
        """One life from its beginning to its end, and the disk after it."""
        at_call = self.rng.randint(1, LATEST_CALL) if self.rng.random() < 0.5 else None
        plan = Plan(self.rng.randrange(2**32), at_call, draws=number % DRAWN_EVERY == 0)
        fresh = number % FRESH_EVERY == FRESH_EVERY - 1
        child, pipe = self._fresh(plan) if fresh else self._forked(plan)
        self._listen(child, pipe, self.rng.randint(1, LONGEST_LIFE))
        self.count["fresh interpreters" if fresh else "forks"] += 1
        self.look()

    def _forked(self, plan: Plan) -> tuple[int, int]:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _only_live(self.folder, writing, plan)
        os.close(writing)
        return child, reading

    def _fresh(self, plan: Plan) -> tuple[int, int]:
        reading, writing = os.pipe()
        given = [str(self.folder), str(writing), json.dumps(asdict(plan))]
        command = [sys.executable, "-m", "tests.companion.games.kill", "--life", *given]
        child = subprocess.Popen(command, pass_fds=[writing])
        child.returncode = 0  # it is waited for below, by its number
        os.close(writing)
        return child.pid, reading

    def _listen(self, child: int, pipe: int, most: int) -> None:
        """Hear what the life tells; end it after so many things done, a moment later than told, if it still lives."""
        with os.fdopen(pipe, "rb") as lines:
            done = 0
            for line in lines:
                self.hear(json.loads(line))
                done += b"shown" in line
                if done == most:
                    time.sleep(self.rng.random() * 0.004)
                    os.kill(child, signal.SIGKILL)
        self.count["ended from outside" if done >= most else "ended at a call"] += 1
        _pid, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            raise Lost(f"a life ended by itself: {status}")

    def hear(self, message: Json) -> None:
        """Take in a message; of a game that is opened again all confirmed steps must be there."""
        if "opened" in message:
            if message["steps"] != len(self.known.games[message["opened"]]):
                raise Lost(f"{message['opened']}: opened with {message['steps']} steps")
            self.count["games told to be cut off"] += message["notice"] is not None
        self.touched |= {message[key] for key in ("opened", "game", "new") if key in message}
        self.known.hear(message)
        self.count["confirmed"] += "shown" in message

    def look(self, *, everywhere: bool = False) -> None:
        """Whether all that was confirmed is on the disk; what was under way may be there or not."""
        games = self.folder / "data" / "games"
        self._begun(games)
        for name in self.known.games if everywhere else self.touched & self.known.games.keys():
            self._game(games, name)
        self._labels(games)
        self._settings()
        self.known.about = {}
        self.touched.clear()

    def _begun(self, games: Path) -> None:
        """Count a game that was about to begin from now on, if its file is whole; half of one is no game."""
        new = self.known.about.get("new")
        if new is None or not (games / new).exists():
            return
        try:
            read_journal(games / new)
        except MatchError:
            (games / new).unlink()
            self.count["games begun by half"] += 1
        else:
            self.known.games[new] = []

    def _game(self, games: Path, name: str) -> None:
        journal = read_journal(games / name)
        steps = [step_to_json(step) for step in journal.steps]
        if steps not in self.known.courses(name):
            raise Lost(f"{name}: {len(steps)} steps on the disk, {len(self.known.games[name])} confirmed")
        if journal.fault is not None and "cut off" not in journal.fault.message:
            raise Lost(f"{name}: {journal.fault.message}")
        self.known.games[name] = steps

    def _labels(self, games: Path) -> None:
        found = json.loads((games / shelf.LABELS).read_text()) if (games / shelf.LABELS).exists() else {}
        about = self.known.about
        for name, label in self.known.labels.items():
            if found.get(name, "") not in (label, about["label"] if about.get("named") == name else label):
                raise Lost(f"{name} is called {found.get(name)!r}, not {label!r}")
        self.known.labels = {name: label for name, label in found.items() if name in self.known.games}

    def _settings(self) -> None:
        settings = load([chosen_file()])
        for wanted in (self.known.chosen, *([self.known.about["chosen"]] if "chosen" in self.known.about else [])):
            if all(getattr(settings, name) == value for name, value in wanted.items()):
                self.known.chosen = wanted
                return
        raise Lost(f"chosen was {self.known.chosen}, on the disk is {settings}")


def _only_live(folder: Path, pipe: int, plan: Plan) -> None:
    """All that a forked process does; it never comes back."""
    try:
        live(folder, pipe, plan)
    finally:
        traceback.print_exc()
        os._exit(1)


def kill(times: int, seed: int) -> Counter[str]:
    """So many lives on one disk; what happened, by name. Raises Lost."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        own_place(folder)
        reaper = Reaper(folder, seed)
        for number in range(times):
            reaper.reap(number)
        reaper.look(everywhere=True)
        count = reaper.count
        count["killed"] = times
        count["games"] = len(reaper.known.games)
        count["games finished"] = sum(game.readable and not game.running for game in shelf.saved_games())
        count["steps on the disk"] = sum(map(len, reaper.known.games.values()))
        return count


def main() -> int:
    """Run the command: kill the app again and again, and check that nothing confirmed is lost."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.companion.games.kill", description="kill the app, lose nothing"
    )
    parser.add_argument("times", type=int, nargs="?", default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--life", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.life:
        folder, pipe, plan = options.life
        live(Path(folder), int(pipe), plan_of(plan))
    for name, number in sorted(kill(options.times, options.seed).items()):
        print(f"{number:6}  {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
