"""General Orders: the board game with its map, commanders and cards."""

from companion.systems.game_system import GameSystem
from engine.words import mark

SYSTEM = GameSystem(
    name="orders",
    title=mark("General Orders"),
    kind=mark("board game"),
    blurb=mark("The board game: Sengoku Jidai or World War II, with its map, commanders and cards."),
    needs="board",
    request=("initiative", "bonuses"),
    folder="boards",
    has_board=True,
    counts_rounds=True,
    session="companion.games.match:Match",
    records="companion.games.orders:RECORDS",
    statistics="companion.games.orders:statistics",
    portrait="companion.scenes.table.orders_presenter:PORTRAIT",
    setup="companion.scenes.setup.setup:SetupScene",
    table="companion.scenes.table.solo_table:orders_table",
    report="companion.terminal.orders:REPORT",
    demo="companion.demo.show:DEMO",
    tutorials="companion.scenes.setup.lessons:TUTORIALS",
    rematch="companion.scenes.setup.setup:rematch",
    review="companion.scenes.review.looking_back:ReviewedGame",
    practice="companion.scenes.learn.practice:PracticeScene",
)
