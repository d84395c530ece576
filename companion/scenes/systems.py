"""What a screen needs of each system of rules, loaded when it is asked for: its table, its words, its picture."""

from __future__ import annotations

from typing import Any, TypedDict

from companion.games.match import AnyMatch, Match
from companion.games.shelf import Saved
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.stage import Scene, Stage, Table
from companion.scenes.story.presenter import SystemPresenter
from companion.scenes.table.table import TableScene
from companion.ui.screen import MapPicture, Picture
from engine.systems import SYSTEMS


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


class Sight(TypedDict, total=False):
    """What a screen shows beside its words."""

    map: MapPicture
    board: Picture


def telling_of(system: str) -> SystemPresenter[Any, Any]:
    """How the screen tells of a system without a board, loaded when it is first asked for."""
    if system == "sonae":
        from companion.scenes.sonae.telling import SONAE

        return SONAE
    from companion.scenes.generals.telling import GENERALS

    return GENERALS


def sight_of(game: Saved) -> Sight:
    """Where a game stands, as a picture; nothing where its file cannot be read."""
    position = game.position() if game.readable else None
    return {} if position is None else picture_of(game.system, position)


def picture_of(system: str, position: Any) -> Sight:
    """A position of a system as a picture."""
    if system == SYSTEMS[0]:
        return {"map": map_picture(position, Marks(), None)}
    return {"board": telling_of(system).picture(position)}


def seat_of(game: Saved, side: str) -> str:
    """The colour of a side; the near one's for nobody's."""
    if game.system == SYSTEMS[0]:
        return side
    return telling_of(game.system).seats[game.sides.index(side) if side in game.sides else 0]
