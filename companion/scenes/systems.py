"""The table of a game of any system, and its portrait for the screens around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.match import AnyMatch
from companion.games.saved.shelf import Saved
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.learn.lesson import SYSTEM_TUTORIALS
from companion.scenes.story.tables import PORTRAITS, Sight
from companion.systems.game_system import Slot
from companion.ui.small_map import SmallPicture

TABLES = Slot[Callable[[Stage, Any, Scene], Table]]("table")
"""Makes the table of a system's own match, with the scene that leaving it leads to."""


def table_of(stage: Stage, match: AnyMatch, home: Scene) -> Table:
    """Return the table's scene for a game of any system."""
    return TABLES.of(match.system.name)(stage, match, home)


def card_picture(system: str) -> SmallPicture | None:
    """Return what a system's games look like, for a card of a list; None for a system that teaches nothing."""
    return SYSTEM_TUTORIALS.of(system).picture() if SYSTEM_TUTORIALS.is_filled(system) else None


def sight_of(game: Saved) -> Sight:
    """Where a saved game stands, as a picture; nothing where its file cannot be read."""
    position: Any = game.position() if game.readable else None
    return {} if position is None else PORTRAITS.of(game.system).sight(position)
