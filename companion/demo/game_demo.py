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
    """What was asked for.

    board: a board or scenario, "" for the system's usual one; practice: every turn is photographed, to practise on.
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
        """Read the options from the command line; UsageError for a size that is none."""
        size = size_px(given.size) if given.size else None
        if given.practice:
            folder, turns = Path(given.practice), given.turns or PRACTICE_TURNS
            return cls(given.board, given.seed, turns, True, folder, size, given.system, given.verbose, True)
        pictures = Path(given.pictures) if given.pictures else None
        return cls(given.board, given.seed, given.turns, given.headless, pictures, size, given.system, given.verbose)

    @property
    def is_watched(self) -> bool:
        """Whether it plays on a screen."""
        from companion.view.window.display import has_screen

        return not self.headless and has_screen()

    def folder(self) -> Path:
        """Return where pictures and the game are put; it is made where it is missing. OutputError."""
        return make_folder(self.pictures or storage.data_dir() / "demo")

    def game_path(self) -> Path:
        """Return where the game is put; an earlier demo's may be there. OutputError where somebody else's is.

        Somebody else's photographs, too: a demo replaces its own.
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
    """What a system gives."""

    def run(self, options: DemoOptions, settings: Settings) -> int:
        """Play a whole game, in a window or printed: 0, 1 where it did not come to an end or a score."""

    def demonstration(self, seed: int, board: Board) -> Demonstration:
        """Begin a game in an app that is running already, kept with the others, on the board that new games have."""


DEMOS = Slot[GameDemo]("demo")


def run_demo(options: DemoOptions) -> int:
    """Play as asked; the exit status."""
    settings = load()
    if options.is_watched:  # what is printed is in the language of the terminal
        use_language(settings.language)
    return DEMOS.of(options.system).run(options, settings)
