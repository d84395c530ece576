"""A case for every rule of the Sengoku book: a step that breaks it, and one that keeps it."""

from __future__ import annotations

from engine.orders.board import board_from
from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Agreed, Pass, Play, Remove, Return
from tests.boards.practice import board_data, castle
from tests.rulebook.case import Book, Case, besides, cases_alike
from tests.tables import after, deploy, loads, rivers, rolled, stand


def rushed(standby: int) -> Position:
    """Return a castle whose owner has entered a card that brings a commander from standby."""
    text = {"title": "Rush", "text": "x", "condition": "Your deployment.", "copies": 3, "by": "mover"}
    effect = {"action": "", "moment": "deploy", "verb": "extra", "amount": 1}
    board = board_from(board_data("castle") | {"cards": {"rush": text | effect}}, load_mode("sengoku-fortress"))
    return stand(board, "a1:3", "c1:3", hands={"red": "rush"}, standby={"red": standby, "black": 0})


OPEN = rivers("e3:3 d3:3 e1:3 e4:2 d4:2", "a3:3 c4:2 b3:2", hands={"red": "ambush"})
CUT = rivers("e3:3 d3:3 c1:2 b1:2", "a3:3 c2:2 b2:2")
CASTLE = stand(castle(), "a1:3 a2:1+2 b1:2", "c1:3 b2:3+1")
STRICT = rivers("e3:3 d3:2 d4:2 e1:1", "a3:3 c4:2 c3:1", readings="empty-target")
STRICT_CASTLE = stand(castle(), "a1:3 a2:1+2", "c1:3 b2:3", readings="empty-target")
OVER = after(rivers("e3:3 d4:1 c3:1 b4:2", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 0))
FOUGHT = after(OPEN, deploy("advance:c4", "d3:2"))
CHOOSING = after(CASTLE, deploy("siege:a2", "b2"), rolled("red", 1, 1))
LAST = rivers("e3:3", left={"red": 0, "black": 1})
SUPPORT = rivers("e3:2 e1:2", commanders={"reinforce:1": "red", "embark:1": "red", "plan:1": "red"})
SHORT = rivers("e3:5 e1:4 d3:4 d2:5 d1:1 b2:4 d4:2", "a3:3 b3:2")
EMBARK = rivers("e3:3 d3:2", "a3:3 d4:1 c1:1", hands={"red": "commandeer"})
MANY = rivers("e3:3", "a3:3 d4:1 e4:1", hands={"red": "commandeer"}, readings="commandeer-many")
EMBARKED = after(EMBARK, deploy("embark:1", "e4:1"))
COUNTER = rivers("e3:3 e1:3", commanders={"advance:d1": "black"}, hands={"red": "counterattack"})
ASSAULT = rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ground_assault ground_assault", "black": "ambush"})
JOINED = after(ASSAULT, deploy("advance:c4", "d3:1"))
ROLLED = after(JOINED, rolled("black", 0))
ANSWERED = after(JOINED, Play("ambush", "black"))
ENTERED = after(
    rivers("e3:5 e1:5 d3:5 d5:5 d1:5 d4:1", "a3:3 c4:2", hands={"red": "ground_assault"}), deploy("advance:c4", "d3:4")
)
DRAWN = rivers(
    "e3:3",
    hands={"red": "", "black": ""},
    discard=" ".join(f"{card} {card} {card}" for card in load_mode("sengoku-rivers").cards if card != "mobilise")
    + " mobilise mobilise",
)
JOIN = deploy("advance:c4", "d3:1 reserve:2", cards="ground_assault")

BOOK = Book(
    us="red",
    them="black",
    opening=OPEN,
    attack=ASSAULT,
    source="d3",
    target="c4",
    load="d3:1",
    join=JOIN,
    begun=JOINED,
    answered=ANSWERED,
    owed=FOUGHT,
    rolled=ROLLED,
    other_unit="ship",
    headquarters="e3",
    fixed_reading="both-hqs",
    card="mobilise",
    tokens=(("sun", "barracks"), ("moon", "shipyard"), "Barracks"),
    over=OVER,
    support=SUPPORT,
    drawn=DRAWN,
    entered=ENTERED,
    short=SHORT,
    areas_when_short=("d3", "d2", "b3", "d1"),
)
CASES = {
    **cases_alike(BOOK),
    "game.headquarters": Case(
        rivers("d3:2"), Pass(), "Red has no units left in the headquarters (e3), so Black wins", None
    ),
    "game.both-hqs": Case(
        rivers("d3:2", "b3:2"), Pass(), "both headquarters have fallen; Red has the initiative and wins", None
    ),
    "commander.left": Case(LAST, Pass(), "Red has no commanders left in the reserve", Pass(), OPEN),
    "space.occupied": Case(
        COUNTER, deploy("advance:d1", "e1:1"), "advance:d1 is already taken by Black", deploy("advance:d2", "e1:1")
    ),
    "advance.not-controlled": Case(
        OPEN, deploy("advance:d3", "e3:1"), "you already control d3", deploy("advance:d2", "d3:1")
    ),
    "advance.units": Case(OPEN, deploy("advance:c4"), "no units move into c4", deploy("advance:c4", "d3:1")),
    "advance.kind": Case(
        OPEN, deploy("advance:c4", "d4:1ship"), "1 ship can't be on land", deploy("advance:c4", "d3:1")
    ),
    "advance.source-supply": Case(
        CUT,
        deploy("advance:a1", "b1:1"),
        "units can only come from supplied areas: Red controls b1, but its supply line breaks at c2",
        deploy("advance:d2", "d3:1"),
    ),
    "advance.reach": Case(
        OPEN,
        deploy("advance:c4", "e1:1"),
        "e1 is not next to c4, nor linked to it by a supplied water",
        deploy("advance:c4", "e3:1"),
    ),
    "advance.enough": Case(OPEN, deploy("advance:c4", "d3:4"), "only 3 troops, not 4", deploy("advance:c4", "d3:2")),
    "advance.last-unit": Case(
        OPEN, deploy("advance:c4", "d3:3"), "d3 has only 3 units, and one must stay", deploy("advance:c4", "d3:2")
    ),
    "sail.not-controlled": Case(OPEN, deploy("sail:d4", "e4:1"), "you already control d4", deploy("sail:c3", "e4:1")),
    "sail.units": Case(OPEN, deploy("sail:c3"), "no ships move into c3", deploy("sail:c3", "e4:1")),
    "sail.kind": Case(OPEN, deploy("sail:c3", "d3:1troop"), "1 troop can't be on water", deploy("sail:c3", "e4:1")),
    "sail.source-supply": Case(CUT, deploy("sail:c3", "c1:1"), "breaks at", deploy("sail:c3", "e4:1"), OPEN),
    "sail.reach": Case(
        OPEN,
        deploy("sail:c2", "e4:1"),
        "no unbroken chain of supplied waters links e4 to c2",
        deploy("sail:c3", "e4:1"),
    ),
    "sail.enough": Case(OPEN, deploy("sail:c3", "e4:3"), "only 2 ships, not 3", deploy("sail:c3", "e4:1")),
    "sail.last-unit": Case(
        OPEN, deploy("sail:c3", "e4:2"), "e4 has only 2 units, and one must stay", deploy("sail:c3", "d4:1")
    ),
    "bombard.supply": Case(
        CUT,
        deploy("bombard:c1", "b2"),
        "Bombard needs supply: Red controls c1, but its supply line breaks at c2",
        deploy("bombard:d4", "c4"),
        OPEN,
    ),
    "bombard.armed": Case(OPEN, deploy("bombard:c3", "b3"), "c3 has no ships", deploy("bombard:d4", "c4")),
    "bombard.target": Case(OPEN, deploy("bombard:d4"), "shot from d4", deploy("bombard:d4", "c4")),
    "bombard.adjacent": Case(OPEN, deploy("bombard:d4", "b3"), "b3 is not next to d4", deploy("bombard:d4", "c4")),
    "bombard.target-kind": Case(OPEN, deploy("bombard:d4", "c3"), "c3 is water", deploy("bombard:d4", "c4")),
    "bombard.fort": Case(CASTLE, deploy("bombard:b1", "b2"), "b2 is fortified", deploy("bombard:b1", "c1")),
    "bombard.enemy": Case(STRICT, deploy("bombard:d4", "d5"), "d5 has no enemy units", deploy("bombard:d4", "c4")),
    "shell.supply": Case(
        rivers("e3:3 b3:2"),
        deploy("shell:b3", "c3"),
        "Shell needs supply: Red controls b3, but its supply line breaks at c2",
        deploy("shell:d3", "c3"),
        OPEN,
    ),
    "shell.target": Case(OPEN, deploy("shell:d3"), "shot from d3", deploy("shell:d3", "c3")),
    "shell.adjacent": Case(OPEN, deploy("shell:d3", "c1"), "c1 is not next to d3", deploy("shell:d3", "c3")),
    "shell.target-kind": Case(OPEN, deploy("shell:d3", "d2"), "d2 is land", deploy("shell:d3", "c3")),
    "shell.enemy": Case(STRICT, deploy("shell:d3", "c2"), "c2 has no enemy units", deploy("shell:d3", "c3")),
    "siege.supply": Case(
        stand(castle(), "a1:3 c2:1+1", "c1:3"),
        deploy("siege:c2", "c1"),
        "Siege needs supply: Red controls c2, but its supply line breaks at b1",
        deploy("siege:a2", "b2"),
        CASTLE,
    ),
    "siege.armed": Case(
        stand(castle(), "a1:3 a2:2", "c1:3"),
        deploy("siege:a2", "b2"),
        "a2 has no siege weapons",
        deploy("siege:a2", "b2"),
        CASTLE,
    ),
    "siege.target": Case(CASTLE, deploy("siege:a2"), "shot from a2", deploy("siege:a2", "b2")),
    "siege.adjacent": Case(CASTLE, deploy("siege:a2", "c2"), "c2 is not next to a2", deploy("siege:a2", "b2")),
    "siege.target-kind": Case(CASTLE, deploy("siege:a2", "b3"), "b3 is water", deploy("siege:a2", "b2")),
    "siege.enemy": Case(STRICT_CASTLE, deploy("siege:a2", "a1"), "a1 has no enemy units", deploy("siege:a2", "b2")),
    "reinforce.kind": Case(
        OPEN, deploy("reinforce:1", "e3:1ship"), "Reinforce can't place 1 ship", deploy("reinforce:1", "e3:1")
    ),
    "reinforce.area": Case(
        OPEN,
        deploy("reinforce:1", "c4:1"),
        "Reinforce only places in land areas you supply: Black controls c4",
        deploy("reinforce:1", "e3:1"),
    ),
    "reinforce.amount": Case(OPEN, deploy("reinforce:1", "e3:7"), "at most 6", deploy("reinforce:1", "e3:6")),
    "reinforce.siege": Case(CASTLE, deploy("reinforce:2", "a1:0+2"), "at most 1", deploy("reinforce:1", "a1:0+2")),
    "embark.one-per-round": Case(SUPPORT, deploy("embark:2", "e4:1"), "embark:1", deploy("embark:2", "e4:1"), OPEN),
    "embark.kind": Case(
        OPEN, deploy("embark:1", "e4:1troop"), "Embark can't place 1 troop", deploy("embark:1", "e4:1")
    ),
    "embark.area": Case(
        OPEN,
        deploy("embark:1", "c1:1"),
        "Embark only places in waters you supply, or enemy-free ones at your supplied ports: c1 is empty",
        deploy("embark:1", "e4:1"),
    ),
    "embark.chain": Case(
        OPEN,
        deploy("embark:1", "e4:1 c6:1"),
        "a ship placed next to it doesn't open the next water: c6 is empty",
        deploy("embark:1", "e4:1 d4:1"),
    ),
    "embark.amount": Case(OPEN, deploy("embark:2", "e4:3"), "at most 2", deploy("embark:1", "e4:3")),
    "recall.beyond": Case(
        rivers("e3:5 e1:5 d3:5 d5:5 d1:5", bonuses={"sun": "hidden_base"}, readings="short-reserve"),
        deploy("advance:d2", "d3:1", recall="e1:1"),
        "1 troop can't be recalled for a bonus or a card",
        deploy("advance:d2", "d3:1", recall="e1:1"),
        rivers("e3:5 e1:5 d3:5 d5:5 d1:5", bonuses={"sun": "hidden_base"}),
    ),
    "recall.kind": Case(
        SHORT,
        deploy("reinforce:2", "d3:3", recall="d4:1ship"),
        "1 ship can't be recalled for Reinforce",
        deploy("reinforce:2", "d3:3", recall="d2:1"),
    ),
    "commandeer.many": Case(
        MANY,
        deploy("embark:1", "d4:1 e4:1", cards="commandeer"),
        "only one contested water is allowed, not 2",
        deploy("embark:1", "d4:2", cards="commandeer"),
    ),
    "commandeer.range": Case(
        EMBARK,
        deploy("embark:1", "c1:1", cards="commandeer"),
        "Black controls c1, and Commandeer doesn't open it",
        deploy("embark:1", "d4:1", cards="commandeer"),
    ),
    "counterattack.space": Case(
        COUNTER,
        deploy("advance:d2", "e1:1", cards="counterattack"),
        "Counterattack needs a space with exactly one commander on it, your opponent's",
        deploy("advance:d1", "e1:1", cards="counterattack"),
    ),
    "card.moment": Case(OPEN, Play("ambush", "red"), "before you roll", Play("ground_assault", "red"), JOINED),
    "card.side": Case(
        after(rivers("e3:3 d3:4 d4:1", "a3:3 c4:2", hands={"red": "ambush"}), deploy("advance:c4", "d3:1")),
        Play("ambush", "red"),
        "only Black can play Ambush now",
        Play("ambush", "black"),
        JOINED,
    ),
    "card.place": Case(
        EMBARKED,
        Play("commandeer", "red"),
        "Commandeer: choose the areas",
        Play("commandeer", "red", place=loads("e4:1", "ship")),
    ),
    "remove.owed": Case(
        OPEN, Remove((("troop", 1),), "red"), "Red has no losses to choose", Remove((("troop", 2),), "black"), CHOOSING
    ),
    "remove.number": Case(
        CHOOSING, Remove((("troop", 1),), "black"), "remove 2 units from b2, not 1", Remove((("troop", 2),), "black")
    ),
    "remove.units": Case(
        CHOOSING,
        Remove((("siege", 2),), "black"),
        "b2 has 1 siege weapon, not 2",
        Remove((("troop", 1), ("siege", 1)), "black"),
    ),
    "agreed.kind": Case(
        OPEN,
        Agreed(areas=(("c4", (("red", "ship", 1),)),)),
        "1 ship can't be in c4",
        Agreed(areas=(("c4", (("red", "troop", 1),)),)),
    ),
    "agreed.commanders": Case(
        LAST,
        Agreed(spaces=(("advance:c4", ("red",)),)),
        "Red would need 6 commanders, but the box only has 5",
        Agreed(spaces=(("advance:c4", ("black",)),)),
    ),
    "agreed.token": Case(
        OPEN, besides(bonuses=(("sun", "dragon"),)), "dragon can't be on sun", besides(bonuses=(("sun", "barracks"),))
    ),
    "agreed.passed": Case(
        OPEN, besides(passed=("red",)), "Red can't be out of the round: a pass isn't final", besides(passed=())
    ),
    "return.owed": Case(OPEN, Return("advance:c4", "red"), "Red has no commander to return", None),
    "extra.standby": Case(
        rushed(0),
        deploy("plan:1", 1, cards="rush"),
        "Red has no commanders on standby",
        deploy("plan:1", 1, cards="rush"),
        rushed(1),
    ),
}
