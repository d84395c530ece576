"""The scene of a game at the table, by the system that it is played by."""

from __future__ import annotations

from companion.games.match import AnyMatch, Match
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.table.table import TableScene


def table_of(stage: Stage, match: AnyMatch, home: Scene) -> Table:
    """The table of a game; those of the other systems are loaded when one is first played."""
    if match.system.name == "sonae":
        from companion.scenes.sonae.table import BattleTable

        return BattleTable(stage, match, home)
    if match.system.name == "generals":
        from companion.scenes.generals.table import DuelTable

        return DuelTable(stage, match, home)
    assert isinstance(match, Match)
    return TableScene(stage, match, home)
