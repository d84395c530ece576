"""A game that plays itself: what `gunbai demo` was asked for, and what each system of rules gives for it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.core import storage
from companion.core.errors import OutputError
from companion.core.language import use_language
from companion.core.outputs import check_output, make_folder
from companion.scenes.base.ports import Demonstration
from companion.settings.layers import Settings, load
from companion.settings.values import size_px
from companion.systems.game_system import Slot
from engine.orders.board import Board
from engine.systems import DEFAULT

GAME, PHOTOGRAPHS = "game.jsonl", "photos"
PRACTICE_TURNS = 10
BESIDE = ("demo.table", "*-screen.png")
"""One of these lies beside the game of every demo."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What `gunbai demo` was asked for.

    board: a board or scenario, "" for the system's usual one; practice: photograph every turn, for a practice set.
    """

    board: str
    seed: int
    turns: int | None = None
    headless: bool = False
    pictures: Path | None = None
    size: tuple[int, int] | None = None
    system: str = DEFAULT
    verbose: bool = False
    practice: bool = False

    @classmethod
    def of(cls, given: argparse.Namespace) -> DemoOptions:
        """Return the options in a parsed command line; UsageError for a malformed size."""
        size = size_px(given.size) if given.size else None
        if given.practice:
            folder, turns = Path(given.practice), given.turns or PRACTICE_TURNS
            return cls(given.board, given.seed, turns, True, folder, size, given.system, given.verbose, True)
        pictures = Path(given.pictures) if given.pictures else None
        return cls(given.board, given.seed, given.turns, given.headless, pictures, size, given.system, given.verbose)

    @property
    def is_watched(self) -> bool:
        """Whether the game is shown in a window."""
        from companion.view.window.display import has_screen

        return not self.headless and has_screen()

    def folder(self) -> Path:
        """Return the folder for pictures and the game, created if missing; OutputError if it can't be."""
        return make_folder(self.pictures or storage.data_dir() / "demo")

    def game_path(self) -> Path:
        """Return the path for the game, which an earlier demo's may occupy; OutputError if anything else does.

        That includes somebody else's photographs: a demo replaces only its own.
        """
        path = self.folder() / GAME
        check_output(path)
        if any(found for form in BESIDE for found in path.parent.glob(form)):
            return path
        if path.exists():
            raise OutputError(f"{path}: not the game of a demo, and it stays as it is: choose another folder")
        photographs = path.parent / PHOTOGRAPHS
        if photographs.is_dir() and any(photographs.iterdir()):
            told = "not the photographs of a demo, and they stay as they are: choose another folder"
            raise OutputError(f"{photographs}: {told}")
        return path


class GameDemo(Protocol):
    """The demo of one system of rules."""

    def run(self, options: DemoOptions, settings: Settings) -> int:
        """Play a game in a window or in print; return 0, or 1 if it came to no end or no score."""

    def demonstration(self, seed: int, board: Board) -> Demonstration:
        """Start a game for an app that is running, saved with the others, on the board of new games."""


DEMOS = Slot[GameDemo]("demo")


def run_demo(options: DemoOptions) -> int:
    """Run the demo that was asked for and return its exit status."""
    settings = load()
    if options.is_watched:  # what is printed is in the language of the terminal
        use_language(settings.language)
    return DEMOS.of(options.system).run(options, settings)
