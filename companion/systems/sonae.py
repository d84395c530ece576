"""Sonae: battles with miniatures."""

from companion.systems.game_system import GameSystem
from engine.words import mark

SYSTEM = GameSystem(
    name="sonae",
    title=mark("Sonae"),
    kind=mark("miniatures battle"),
    blurb=mark("A miniatures battle on any table: ruler, dice and orders."),
    needs="scenario",
    request=("grid",),
    folder="scenarios",
    records="companion.games.sonae:RECORDS",
    portrait="companion.scenes.sonae.presenter:PORTRAIT",
    setup="companion.scenes.sonae.setup:BattleSetupScene",
    table="companion.scenes.sonae.table:BattleTable",
    report="companion.terminal.sonae:REPORT",
    demo="companion.demo.sonae_player:DEMO",
    tutorials="companion.scenes.sonae.lessons:TUTORIALS",
    rematch="companion.scenes.sonae.setup:rematch",
    review="companion.scenes.sonae.score:BattleReview",
)
