"""Where the drill happens, and what its players do there.

It is a scratch folder with data and settings of its own; nothing of the owner's is touched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast

from companion.core.own_process import own_environment
from companion.demo.autoplayer import Autoplayer
from companion.demo.player import set_up
from companion.drill.player import APP, AppPlayer, ensure
from companion.games.match import Match
from engine.orders.board import load_board
from engine.orders.game import owed

BOARD = "sengoku-rivers"
SEED = 2  # of a game in which a roll is owed early, and nothing is once it has been rolled
STEPS_BEFORE = 6
DICE = 2  # of that roll
NOT_INHERITED = ("GUNBAI_", "XDG_", "NOTIFY_SOCKET", "WATCHDOG_", "SDL_")

Made = TypeVar("Made")

SETTINGS = "[automatic]\nrounds = false\n"
"""A drill goes on with the next round at once: nobody reads the card between."""


class Place:
    """A scratch folder with games, and the apps that run there; `command` starts one."""

    def __init__(self, folder: Path, command: Sequence[str] = APP) -> None:
        self.folder = folder
        self.board = load_board(BOARD)
        self._command = tuple(command)
        self._players: list[AppPlayer] = []
        self._ends: list[Callable[[], object]] = []
        self._games = 0
        self._shared: dict[Callable[[Place], object], object] = {}
        (folder / "data" / "games").mkdir(parents=True)
        (folder / "config" / "gunbai").mkdir(parents=True)
        (folder / "config" / "gunbai" / "settings.toml").write_text(SETTINGS)

    def env(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment for an app that knows no camera, desk, settings or service of this machine."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_INHERITED)}
        own = {f"XDG_{kind}_HOME": str(self.folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}
        return {
            **kept,
            **own,
            "XDG_CONFIG_DIRS": str(self.folder / "machine"),
            "GUNBAI_DATA": str(self.folder / "data"),
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": own_environment()["PYTHONPATH"],
            **(more or {}),
        }

    def new_game(self) -> Path:
        """Save a game before its first turn, and return its file."""
        match = self._start_match()
        match.close()
        return match.path

    def _start_match(self) -> Match:
        self._games += 1
        path = self.folder / "data" / "games" / f"drill-{self._games}.jsonl"
        return Match.start(path, BOARD, *set_up(self.board, SEED))

    def mid_turn_game(self) -> Path:
        """Save a game in mid-turn, with the dice of an attack owed, and return its file."""
        match, players = self._start_match(), Autoplayer(SEED)
        while not (len(match.steps) >= STEPS_BEFORE and (due := owed(match.position)) and due.wants == "roll"):
            match.offer(players.step(match.position))
        match.close()
        return match.path

    def play(self, options: Sequence[str] = (), env: Mapping[str, str] | None = None) -> AppPlayer:
        """Start the app here with these options and return its player."""
        player = AppPlayer(self.folder, options, self.env(env), self._command)
        self._players.append(player)
        return player

    def play_game(self, game: Path, env: Mapping[str, str] | None = None) -> AppPlayer:
        """Start the app at the table of a saved game and return its player."""
        return self.play(["--game", str(game)], env)

    def shared(self, make: Callable[[Place], Made]) -> Made:
        """Return what several scenarios use in turn; the first of them makes it, and it is kept until one fails."""
        made = self._shared.get(make)
        if made is None:
            made = self._shared[make] = make(self)
        return cast(Made, made)

    def at_end(self, do: Callable[[], object]) -> None:
        """Register a call for when the place is left."""
        self._ends.append(do)

    def leave(self) -> None:
        """End all apps that still run here, and make the calls registered for the end."""
        self._shared.clear()
        while self._players:
            self._players.pop().kill()
        while self._ends:
            self._ends.pop()()


def roll(player: AppPlayer) -> None:
    """Enter the dice that are owed, all with the same face, and confirm."""
    before = len(player.confirmed)
    for _die in range(DICE):
        player.tap("die", "", 0)
    player.tap("confirm")
    ensure(len(player.confirmed) == before + 1, "the roll was not taken")


def ensure_roll_owed(player: AppPlayer) -> None:
    """Raise DrillFailed unless the screen asks for all the dice of a roll, with none entered yet."""
    asked = {"die", "dice"} <= set(player.glass.touch) and "undie" not in player.glass.touch
    ensure(asked, f"the roll is not asked for again: {' / '.join(player.glass.texts)}")


def pass_turn(player: AppPlayer) -> None:
    """Pass, and check that the pass was taken."""
    before = len(player.confirmed)
    player.tap("pass")
    ensure(len(player.confirmed) == before + 1, "the pass was not taken")
