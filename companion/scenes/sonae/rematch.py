"""The same battle once more, with the same players."""

from __future__ import annotations

from companion.scenes.base.stage import Scene
from companion.scenes.sonae.laying import LayingScene
from companion.scenes.sonae.setup import BattleSetUp
from companion.scenes.sonae.table import BattleTable
from companion.scenes.story.tables import GameTable
from engine.sonae.position import Position
from engine.sonae.steps import Step


def rematch(table: GameTable[Position, Step], back: Scene, swap: bool) -> Scene:
    """Return the scene that lays out the field anew; with `swap`, each player takes the other's army."""
    match, setup = table.match, BattleSetUp(table.stage)
    setup.scenario = match.position.scenario.name
    setup.switched = match.positions[0].readings
    names = [match.players.get(side, "") for side in setup.loaded.sides]
    for side, name in zip(setup.loaded.sides, reversed(names) if swap else names, strict=True):
        setup.name(side, name)
    following = table.stage.services.games.start(setup.request())
    match.close()
    return LayingScene(BattleTable(table.stage, following, table.home), back)
