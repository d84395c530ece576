"""Generals Order: the card game."""

from companion.systems.game_system import GameSystem
from engine.words import mark

SYSTEM = GameSystem(
    name="generals",
    title=mark("Generals Order"),
    kind=mark("card game"),
    blurb=mark("A two-player card game, with your own decks or the practice ones."),
    needs="decks",
    request=("first",),
    folder="decks",
    records="companion.games.generals:RECORDS",
    portrait="companion.scenes.generals.presenter:PORTRAIT",
    setup="companion.scenes.generals.setup:DuelSetupScene",
    table="companion.scenes.generals.table:DuelTable",
    report="companion.terminal.generals:REPORT",
    demo="companion.demo.generals_player:DEMO",
    tutorials="companion.scenes.generals.lessons:TUTORIALS",
    rematch="companion.scenes.generals.setup:rematch",
    review="companion.scenes.generals.score:DuelReview",
)
