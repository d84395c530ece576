"""A system of rules as the app has it, and how its value and its parts are found by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from engine.systems import SYSTEMS


@dataclass(frozen=True, slots=True)
class GameSystem:
    """One system: facts of the game, then its parts, each as "module:name" (`part` loads it).

    title, kind, blurb: the game as people call it, what it is played with, and a sentence for somebody who has never
    heard of it; all three are marked, so that they can be translated where they are shown.
    needs: the key of a `new` request that names what is played with, in a text or a mapping of texts; request: the
    other keys that only this system has. folder: where owners keep such files, in Gunbai's folder for data.
    has_board: played on a board of `engine/data/boards`, so it has a map, and the camera can follow it.
    counts_rounds: it is told in rounds, each of many turns; else in turns.

    records: a `games.summary.Records`. session: the `games.session.GameSession` that plays it. statistics: a function
    from a journal to the `games.statistics.GameFacts` that only this system has, "" for none.
    portrait: a `scenes.story.portrait.Portrait`. setup, table: called for the scene of a new game and of a running one
    (`scenes.systems`). report: a `terminal.reports.GameReport`. demo: a `demo.game_demo.GameDemo`.
    tutorials: a `scenes.learn.lesson.Tutorials`, "" where there is nothing to learn by. review: called with a table and
    the scene to go back to, for the one that looks back on the whole game; "" where nothing does.
    practice: called with a stage, `games.exercises` and the scene to go back to, for the one in which turns are tried
    again; "" where nothing does.
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
    session: str = "companion.games.session:GameSession"
    statistics: str = ""
    rematch: str = ""
    tutorials: str = ""
    review: str = ""
    practice: str = ""


def game_system(name: str) -> GameSystem:
    """Load the system of this name, as `engine.systems` has it; KeyError for any other name."""
    if name not in SYSTEMS:
        raise KeyError(name)
    found = import_module(f"companion.systems.{name}").SYSTEM
    assert isinstance(found, GameSystem)
    return found


def part(path: str) -> Any:
    """Return the value that "module:name" names, loading its module if needed.

    import-linter doesn't see these imports, and must not: this is how rooms far below reach a system's own.
    """
    module, _colon, name = path.partition(":")
    return getattr(import_module(module), name)
