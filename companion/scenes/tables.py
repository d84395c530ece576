"""The scene of a game at the table, by the system that it is played by."""

from __future__ import annotations

from companion.match import AnyMatch, Match
from companion.scenes.stage import Scene, Stage, Table
from companion.scenes.table import TableScene


def table_of(stage: Stage, match: AnyMatch, home: Scene) -> Table:
    """The table of a game."""
    assert isinstance(match, Match)
    return TableScene(stage, match, home)
