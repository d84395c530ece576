"""A system of rules as the app has it, and how its value and its parts are found by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Generic, TypeVar

from engine.systems import SYSTEMS

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GameSystem:
    """One system: facts of the game, then its parts, each as "module:name", "" for none.

    A part is loaded by the `Slot` of the room that asks for it, which says what it must be.

    title, kind, blurb: the game as people call it, what kind of game it is, and a sentence for somebody who has never
    heard of it; all three are marked, so that they can be translated where they are shown.
    needs: the key of a `new` request that names what is played with, in a text or a mapping of texts; request: the
    other keys that only this system has. folder: where owners keep such files, in Gunbai's folder for data.
    has_board: played on a board of `engine/data/boards`, so it has a map, and the camera can follow it.
    counts_rounds: it is told in rounds, each of many turns; else in turns.

    records: what is kept of its saved games (`games.summary`). session: the class that plays one (`games.match`).
    statistics: adds the figures that only this system has (`games.saved.statistics`).
    portrait: how a game looks away from its table (`scenes.story.tables`). setup: makes the scene of a new game
    (`scenes.home.home`). table: that of a running one (`scenes.systems`).
    report: how commands print a game (`terminal.reports`). demo: how it plays itself (`demo.game_demo`).
    tutorials: what it is learnt by (`scenes.learn.lesson`). rematch: begins the next game (`scenes.table.ending`).
    review: makes the scene that looks back on the whole game (`scenes.review.log`). practice: that in which turns are
    tried again (`scenes.review.looking_back`).
    """

    name: str
    title: str
    kind: str
    blurb: str
    needs: str
    request: tuple[str, ...]
    folder: str
    records: str
    portrait: str
    setup: str
    table: str
    report: str
    demo: str
    has_board: bool = False
    counts_rounds: bool = False
    session: str = "companion.games.match:GameSession"
    statistics: str = ""
    rematch: str = ""
    tutorials: str = ""
    review: str = ""
    practice: str = ""


def game_system(name: str) -> GameSystem:
    """Load the system with this name in `engine.systems`; KeyError for any other name."""
    if name not in SYSTEMS:
        raise KeyError(name)
    found = import_module(f"companion.systems.{name}").SYSTEM
    assert isinstance(found, GameSystem)
    return found


class Slot(Generic[T]):
    """One of the parts that each system may have, with its type: `Slot[Portrait]("portrait").of("orders")`."""

    def __init__(self, field: str) -> None:
        self._field = field

    def is_filled(self, system: str) -> bool:
        """Return whether the system has this part."""
        return bool(self._path(system))

    def of(self, system: str) -> T:
        """Load a system's part; ValueError if it has none.

        import-linter doesn't see these imports, and must not: this is how rooms far below reach a system's own.
        """
        module, _colon, name = self._path(system).partition(":")
        if not module:
            raise ValueError(f"{system} has no {self._field}")
        found: T = getattr(import_module(module), name)
        return found

    def _path(self, system: str) -> str:
        path = getattr(game_system(system), self._field)
        assert isinstance(path, str)
        return path
