"""The table of a game of any system, and its portrait for the screens around it."""

from __future__ import annotations

from typing import Any, cast

from companion.games.match import AnyMatch
from companion.games.saved.shelf import Saved
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.learn.lesson import Tutorials
from companion.scenes.story.portrait import Portrait, Sight
from companion.systems.game_system import game_system, part
from companion.ui.small_map import SmallPicture


def table_of(stage: Stage, match: AnyMatch, home: Scene) -> Table:
    """Return the table's scene for a game of any system."""
    return cast(Table, part(game_system(match.system.name).table)(stage, match, home))


def portrait_of(system: str) -> Portrait:
    """How a system shows a game away from its table."""
    return cast(Portrait, part(game_system(system).portrait))


def card_picture(system: str) -> SmallPicture | None:
    """Return what a system's games look like, for a card of a list; None for a system that teaches nothing."""
    path = game_system(system).tutorials
    return cast(Tutorials, part(path)).picture() if path else None


def sight_of(game: Saved) -> Sight:
    """Where a saved game stands, as a picture; nothing where its file cannot be read."""
    position: Any = game.position() if game.readable else None
    return {} if position is None else portrait_of(game.system).sight(position)
