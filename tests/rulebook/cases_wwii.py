"""A case for every rule of the World War II book: a step that breaks it, and one that keeps it."""

from __future__ import annotations

from typing import Any

from engine.orders.board import board_from
from engine.orders.mode import load_mode
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Pass, Play, Remove, Return
from tests.boards.practice import board_data
from tests.rulebook.case import Book, Case, besides, cases_alike
from tests.tables import after, atoll, deploy, loads, rolled, stand, valley

OPEN = valley("a1:4 a2:3 b1:3", hands={"blue": "ambush"})
AIR = atoll("a1:4 a2:2 b1:3 zone-red:3 zone-white:3", "d2:4 c2:3 zone-green:2")
CUT = atoll("a1:4 c1:3 zone-red:1 zone-green:3", "d2:4 b1:2 zone-white:1")
OVER = after(valley("a1:3 a2:2", "c3:1 c2:3"), deploy("barrage:a2", "c3"), rolled("blue", 1, 0))
ATTACK = valley("a1:3 a2:1 b2:4", "c3:4 c2:2", hands={"blue": "ground_assault ground_assault", "yellow": "ambush"})
ATTACK_BY_BOTH = valley("a1:3 a2:1 b2:4", "c3:4 c2:2", hands={"blue": "ground_assault", "yellow": "ground_assault"})
FOUGHT = after(ATTACK, deploy("advance:c2", "b2:2"))
ANSWERED = after(FOUGHT, Accept())
ENTERED = after(
    valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4 c2:2", hands={"blue": "ground_assault"}), deploy("advance:c2", "b2:4")
)
DRAWN = valley(
    hands={"blue": "", "yellow": ""},
    discard=" ".join(f"{card} {card} {card}" for card in load_mode("wwii-alpine").cards if card != "mobilize")
    + " mobilize mobilize",
)
JOIN = deploy("advance:c2", "b2:2 reserve:2", cards="ground_assault")
ROLLED = after(FOUGHT, rolled("yellow", 0))
SUPPORT = atoll(commanders={"reinforce:1": "blue", "take_off:1": "blue", "plan:1": "blue"})
SHORT = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:1", "c3:4 c2:3")
FEW: dict[str, Any] = {"blue": "a1:5 a2:2 b1:2 c1:5 b2:5 a3:5", "yellow": "c3:4", "bonuses": {"1": "depot"}}
MOBILIZED = after(valley("a1:1 a2:1", hands={"blue": "mobilize"}), deploy("reinforce:1", "a1:1"))
BOTH = after(atoll("a1:3 b1:4 zone-red:1", "d2:4 c2:2 b2:2 zone-green:1 zone-white:1"), deploy("advance:b2", "b1:3"))
HELD: dict[str, Any] = {
    "standby": {"blue": 3, "yellow": 4},
    "left": {"blue": 0, "yellow": 3},
    "commanders": {"plan:1": "blue", "advance:a2": "blue", "plan:2": "yellow"},
    "bonuses": {"3": "signal_unit"},
    "to_move": "yellow",
}
LOST = after(valley("a1:4 a2:2 a3:1", "c3:4 b3:4", **HELD), deploy("advance:a3", "b3:3"), rolled("blue", 0))
HOME_LOST = atoll("a1:3 b1:1 zone-white:3", "d2:4 c2:2 zone-green:2 zone-red:1")
HOME_OPEN = atoll("a1:3 b1:1 zone-white:3", "d2:4 c2:2 zone-green:2 zone-red:1", readings="hq-zone-lost")
STRICT_OWN = valley("a1:4 a2:3 b1:3", readings="own-target")
ADVANCE = deploy("advance:b2", "a2:1")
BOMB = deploy("bomb:zone-white", "c2", payload=1)
FLY = deploy("fly:zone-white", "zone-red:1")
FLYING = atoll("a1:4 zone-red:3", "d2:4")


def _own_card() -> Position:
    """Return a valley whose owner has entered the text of Counter Attack.

    Yellow's commander is in the space beside blue.
    """
    text = {"title": "Counter Attack", "text": "x", "condition": "Your deployment.", "copies": 3, "by": "mover"}
    effect = {"action": "advance", "moment": "deploy", "verb": "share", "amount": 0}
    board = board_from(board_data("valley") | {"cards": {"counter_attack": text | effect}})
    held = {"advance:b2": "yellow"}
    return stand(board, "a1:4 a2:3", "c3:4", hands={"blue": "counter_attack"}, commanders=held)


def _windy() -> Position:
    """Return a valley with an air zone beside it, which no unit of Alpine enters."""
    data = board_data("valley")
    box = {"polygon_mm": [[0.0, 80.0], [5.0, 80.0], [5.0, 90.0]], "centres_mm": [[2.0, 86.0]]}
    data["areas"]["zone-red"] = {"kind": "air", "hexes": [], "adjacent": [], **box}
    return stand(board_from(data), "a1:4 a2:3 b1:3", "c3:4")


ZONE_LOST = after(atoll("a1:3 b1:2 c1:3", "d2:4 c2:2 zone-white:1"), deploy("advance:c2", "c1:1"))
COUNTER, WINDY = _own_card(), _windy()

_TURNS = {
    "game.headquarters": Case(
        valley("a2:2"), Pass(), "Blue has lost control of the headquarters (a1), so Yellow wins", None
    ),
    "game.both-hqs": Case(
        valley("a2:2", "c2:2"), Pass(), "both headquarters have fallen; Blue has the initiative and wins", None
    ),
    "commander.left": Case(
        valley(left={"blue": 0, "yellow": 1}), ADVANCE, "Blue has no commanders left in the reserve", ADVANCE, OPEN
    ),
    "commander.extra": Case(
        valley(hands={"blue": "blitz"}, left={"blue": 0, "yellow": 1}),
        deploy("plan:1", 1, cards="blitz"),
        "Blue has no commanders in the reserve and must pass, even with a card that brings one",
        deploy("plan:1", 1, cards="blitz"),
        valley(hands={"blue": "blitz"}, left={"blue": 0, "yellow": 1}, readings="blitz-reserve"),
    ),
    "pass.final": Case(
        valley(passed="blue"), ADVANCE, "Blue has passed and is out until the next round", ADVANCE, OPEN
    ),
    "space.occupied": Case(
        valley(commanders={"advance:b2": "yellow"}),
        ADVANCE,
        "advance:b2 is already taken by Yellow",
        deploy("advance:a3", "a2:1"),
    ),
}
_LINKED = {
    "advance.not-controlled": Case(OPEN, deploy("advance:a2", "a1:1"), "you already control a2", ADVANCE),
    "advance.units": Case(OPEN, deploy("advance:b2"), "no units move into b2", ADVANCE),
    "advance.kind": Case(AIR, deploy("advance:b2", "zone-red:1aircraft"), "1 aircraft can't be on land", ADVANCE),
    "advance.source-supply": Case(CUT, deploy("advance:c2", "c1:1"), "breaks at", deploy("advance:a2", "a1:1")),
    "advance.reach": Case(OPEN, deploy("advance:b2", "a1:1"), "a1 is not next to b2", ADVANCE),
    "advance.enough": Case(OPEN, deploy("advance:b2", "a2:4"), "only 3 troops, not 4", ADVANCE),
    "advance.last-unit": Case(OPEN, deploy("advance:b2", "a2:3"), "a2 has only 3 units, and one must stay", ADVANCE),
    "fly.not-controlled": Case(AIR, FLY, "you already control the white zone", FLY, FLYING),
    "fly.units": Case(FLYING, deploy("fly:zone-white"), "no aircraft move into the white zone", FLY),
    "fly.kind": Case(FLYING, deploy("fly:zone-white", "a1:1troop"), "1 troop can't be in an air zone", FLY),
    "fly.source-supply": Case(CUT, deploy("fly:zone-white", "zone-green:1"), "breaks at", FLY, FLYING),
    "fly.reach": Case(
        FLYING, deploy("fly:zone-green", "zone-red:1"), "the red zone is not next to the green zone", FLY
    ),
    "fly.enough": Case(FLYING, deploy("fly:zone-white", "zone-red:4"), "only 3 aircraft, not 4", FLY),
    "fly.last-unit": Case(
        FLYING, deploy("fly:zone-white", "zone-red:3"), "the red zone has only 3 units, and one must stay", FLY
    ),
    "paradrop.faction": Case(
        valley("a1:3 a2:1 b2:1 b3:2", "c3:3"),
        deploy("paradrop:b3", "a3"),
        "paradrop:b3 belongs to Yellow, not Blue",
        deploy("paradrop:b1", "a3"),
        OPEN,
    ),
    "paradrop.supply": Case(
        valley("a1:3 a2:1", "c3:3 c2:1 b1:1"),
        deploy("paradrop:b1", "a3"),
        "Paradrop needs supply: Yellow controls b1",
        deploy("paradrop:b1", "a3"),
        OPEN,
    ),
    "paradrop.target": Case(OPEN, deploy("paradrop:b1"), "drop from b1", deploy("paradrop:b1", "a3")),
    "paradrop.target-kind": Case(WINDY, deploy("paradrop:b1", "zone-red"), "is air", deploy("paradrop:b1", "b3")),
    "paradrop.headquarters": Case(
        OPEN,
        deploy("paradrop:b1", "c3"),
        "c3 is the enemy headquarters, where no drop is allowed",
        deploy("paradrop:b1", "b3"),
    ),
    "paradrop.no-drop": Case(OPEN, deploy("paradrop:b1", "c2"), "forbids a drop", deploy("paradrop:b1", "b3")),
    "paradrop.own": Case(
        STRICT_OWN, deploy("paradrop:b1", "a1"), "you control a1 yourself", deploy("paradrop:b1", "b3")
    ),
    "paradrop.units": Case(
        valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4"),
        deploy("paradrop:b1", "c1"),
        "the reserve has no troops to drop",
        deploy("paradrop:b1", "c1"),
        valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4", readings="empty-drop"),
    ),
    "barrage.faction": Case(
        valley("a1:3 b1:1 c1:1 c2:1", "c3:3"),
        deploy("barrage:c2", "c3"),
        "barrage:c2 belongs to Yellow, not Blue",
        deploy("barrage:a2", "c2"),
        OPEN,
    ),
    "barrage.supply": Case(
        valley("a1:3", "c3:3 a2:1"),
        deploy("barrage:a2", "c3"),
        "Barrage needs supply: Yellow controls a2",
        deploy("barrage:a2", "c2"),
        OPEN,
    ),
    "barrage.target": Case(OPEN, deploy("barrage:a2"), "shot from a2", deploy("barrage:a2", "c2")),
    "barrage.range": Case(
        atoll("a1:4 a2:2", "d2:4 d1:2"),
        deploy("barrage:a2", "d1"),
        "d1 is more than 3 areas away from a2",
        deploy("barrage:a2", "d2"),
    ),
    "barrage.target-kind": Case(AIR, deploy("barrage:a2", "zone-green"), "is air", deploy("barrage:a2", "c2")),
    "barrage.enemy": Case(OPEN, deploy("barrage:a2", "b2"), "b2 has no enemy units", deploy("barrage:a2", "c2")),
    "bomb.supply": Case(
        atoll("a1:4 zone-green:3", "d2:4 d1:2 c2:1 zone-white:1"),
        deploy("bomb:zone-green", "d1", payload=1),
        "breaks at",
        BOMB,
        AIR,
    ),
    "bomb.target": Case(
        AIR, deploy("bomb:zone-white", payload=1), "choose a target for the shot from the white zone", BOMB
    ),
    "bomb.armed": Case(atoll("a1:4 zone-red:1 zone-white:1"), BOMB, "no aircraft to spare", BOMB, AIR),
    "bomb.beneath": Case(AIR, deploy("bomb:zone-white", "d2", payload=1), "d2 is not under the white zone", BOMB),
    "bomb.target-kind": Case(AIR, deploy("bomb:zone-white", "zone-green", payload=1), "is air", BOMB),
    "bomb.enemy": Case(AIR, deploy("bomb:zone-white", "b1", payload=1), "b1 has no enemy units", BOMB),
    "bomb.payload": Case(
        AIR, deploy("bomb:zone-white", "c2"), "spend at least 1 and at most 2 aircraft from the white zone, not 0", BOMB
    ),
    "bomb.last-unit": Case(AIR, deploy("bomb:zone-white", "c2", payload=3), "one must stay", BOMB),
    "supply.home-zone": Case(
        HOME_LOST, BOMB, "Blue controls the white zone, but its supply line breaks at the red zone", BOMB, HOME_OPEN
    ),
}
_SUPPORT = {
    "reinforce.kind": Case(
        AIR, deploy("reinforce:1", "a1:1aircraft"), "Reinforce can't place 1 aircraft", deploy("reinforce:1", "a1:1")
    ),
    "reinforce.area": Case(
        OPEN,
        deploy("reinforce:1", "c3:1"),
        "Reinforce only places in land areas you supply: Yellow controls c3",
        deploy("reinforce:1", "a1:1"),
    ),
    "reinforce.amount": Case(
        OPEN, deploy("reinforce:1", "a1:20"), "at most 6 units can be placed, not 20", deploy("reinforce:1", "a1:1")
    ),
    "take_off.one-per-round": Case(
        SUPPORT, deploy("take_off:2", "zone-red:1"), "take_off:1", deploy("take_off:2", "zone-red:1"), AIR
    ),
    "take_off.kind": Case(
        AIR, deploy("take_off:1", "zone-red:1troop"), "Take-off can't place 1 troop", deploy("take_off:1", "zone-red:1")
    ),
    "take_off.area": Case(
        AIR,
        deploy("take_off:1", "zone-green:1"),
        "Take-off only places in zones you supply or in your headquarters zone: Yellow controls the green zone",
        deploy("take_off:1", "zone-red:1"),
    ),
    "take_off.amount": Case(
        AIR,
        deploy("take_off:1", "zone-red:9"),
        "at most 3 units can be placed, not 9",
        deploy("take_off:1", "zone-red:1"),
    ),
    "recall.kind": Case(
        atoll("a1:4 zone-red:5 zone-white:3 zone-green:1", "d2:4"),
        deploy("take_off:2", "zone-white:2", recall="a1:1troop"),
        "1 troop can't be recalled for Take-off",
        deploy("take_off:2", "zone-white:2", recall="zone-red:1"),
    ),
    "recall.beyond": Case(
        valley(**FEW, readings="short-reserve"),
        deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1"),
        "1 troop can't be recalled for a bonus or a card",
        deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1"),
        valley(**FEW),
    ),
    "reinforce.limit": Case(OPEN, deploy("reinforce:1", "a2:6"), "the limit is 5", deploy("reinforce:1", "a2:2")),
    "take_off.limit": Case(
        FLYING,
        deploy("take_off:1", "zone-red:3"),
        "the red zone would have 6 aircraft; the limit is 5",
        deploy("take_off:1", "zone-red:2"),
    ),
    "limit.added": Case(
        valley(**FEW),
        deploy("reinforce:1", "b1:1 a2:5"),
        "a2 would have 7 troops; the limit is 5, even with Depot or Mobilize",
        None,
    ),
}
_CARDS = {
    "extra.standby": Case(
        valley(hands={"blue": "blitz"}, standby={"blue": 0, "yellow": 4}, left={"blue": 5, "yellow": 5}),
        deploy("plan:1", 1, cards="blitz"),
        "Blue has no commanders on standby",
        deploy("plan:1", 1, cards="blitz"),
        valley(hands={"blue": "blitz"}),
    ),
    "counterattack.space": Case(
        COUNTER,
        deploy("advance:a3", "a2:1", cards="counter_attack"),
        "the card needs a space with exactly one commander on it, your opponent's",
        deploy("advance:b2", "a2:1", cards="counter_attack"),
    ),
    "card.moment": Case(
        valley(hands={"blue": "mobilize"}),
        Play("mobilize", "blue", place=loads("a1:1", "troop")),
        "Mobilize can't be played now. Condition: When you Reinforce.",
        Play("mobilize", "blue", place=loads("a1:1", "troop")),
        MOBILIZED,
    ),
    "card.side": Case(
        after(ATTACK_BY_BOTH, deploy("advance:c2", "b2:2")),
        Play("ground_assault", "yellow", units=1),
        "only Blue can play Ground Assault now",
        Play("ground_assault", "blue", units=1),
    ),
    "card.place": Case(
        MOBILIZED,
        Play("mobilize", "blue"),
        "Mobilize: choose the areas",
        Play("mobilize", "blue", place=loads("a1:1", "troop")),
    ),
}
_CONFLICTS = {
    "roll.zone": Case(ZONE_LOST, rolled("yellow", 1, 1), "roll 1 die, not 2", rolled("yellow", 1)),
    "roll.both": Case(BOTH, rolled("yellow", 1, 1), "roll 3 dice, not 2", rolled("yellow", 1, 1, 0)),
    "remove.owed": Case(OPEN, Remove((("troop", 1),), "blue"), "Blue has no losses to choose", None),
    "return.owed": Case(OPEN, Return("plan:1", "blue"), "no commander to return", Return("plan:1", "blue"), LOST),
    "return.own": Case(LOST, Return("plan:2", "blue"), "Blue has no commander on plan:2", Return("plan:1", "blue")),
}
_AGREED = {
    "agreed.kind": Case(
        AIR,
        Agreed(areas=(("b2", (("blue", "aircraft", 1),)),)),
        "1 aircraft can't be in b2",
        Agreed(areas=(("zone-red", (("blue", "aircraft", 1),)),)),
    ),
    "agreed.commanders": Case(
        valley(standby={"blue": 4, "yellow": 4}, left={"blue": 5, "yellow": 5}),
        besides(left=(("blue", 6),)),
        "Blue would need 10 commanders, but the box only has 9",
        besides(left=(("blue", 5),)),
    ),
    "agreed.token": Case(
        OPEN, besides(bonuses=(("1", "town_centre"),)), "Town Centre can't be on 1", besides(bonuses=(("1", "depot"),))
    ),
}
BOOK = Book(
    us="blue",
    them="yellow",
    opening=OPEN,
    attack=ATTACK,
    source="b2",
    target="c2",
    load="b2:2",
    join=JOIN,
    begun=FOUGHT,
    answered=ANSWERED,
    owed=FOUGHT,
    rolled=ROLLED,
    other_unit="aircraft",
    headquarters="a1",
    fixed_reading="cap-every-action",
    card="mobilize",
    tokens=(("1", "depot"), ("2", "recon_post"), "Depot"),
    over=OVER,
    support=SUPPORT,
    drawn=DRAWN,
    entered=ENTERED,
    short=SHORT,
    areas_when_short=("a3", "a1", "c2", "c1"),
)
CASES = {**cases_alike(BOOK), **_TURNS, **_LINKED, **_SUPPORT, **_CARDS, **_CONFLICTS, **_AGREED}
