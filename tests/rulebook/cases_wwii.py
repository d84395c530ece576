"""A case for every rule of the World War II book: a step that breaks it, and one that keeps it."""

from __future__ import annotations

from typing import Any

from engine.orders.board import board_from
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, Deploy, Pass, Play, Remove, Reroll, Return
from tests.boards.practice import board_data
from tests.rulebook.case import Case, besides
from tests.tables import after, atoll, deploy, loads, rolled, stand, valley

OPEN = valley("a1:4 a2:3 b1:3", hands={"blue": "ambush"})
AIR = atoll("a1:4 a2:2 b1:3 zone-red:3 zone-white:3", "d2:4 c2:3 zone-green:2")
CUT = atoll("a1:4 c1:3 zone-red:1 zone-green:3", "d2:4 b1:2 zone-white:1")
OVER = after(valley("a1:3 a2:2", "c3:1 c2:3"), deploy("barrage:a2", "c3"), rolled("blue", 1, 0))
ATTACK = valley("a1:3 a2:1 b2:4", "c3:4 c2:2", hands={"blue": "ground_assault ground_assault", "yellow": "ambush"})
ATTACK_BY_BOTH = valley("a1:3 a2:1 b2:4", "c3:4 c2:2", hands={"blue": "ground_assault", "yellow": "ground_assault"})
FOUGHT = after(ATTACK, deploy("advance:c2", "b2:2"))
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
    """A valley whose owner has entered what Counter Attack says; yellow's commander is in the space beside blue."""
    text = {"title": "Counter Attack", "text": "x", "condition": "Your deployment.", "copies": 3, "by": "mover"}
    effect = {"action": "advance", "moment": "deploy", "verb": "share", "amount": 0}
    board = board_from(board_data("valley") | {"cards": {"counter_attack": text | effect}})
    held = {"advance:b2": "yellow"}
    return stand(board, "a1:4 a2:3", "c3:4", hands={"blue": "counter_attack"}, commanders=held)


def _windy() -> Position:
    """A valley with an air zone beside it, which no unit of Alpine enters."""
    data = board_data("valley")
    box = {"polygon_mm": [[0.0, 80.0], [5.0, 80.0], [5.0, 90.0]], "centres_mm": [[2.0, 86.0]]}
    data["areas"]["zone-red"] = {"kind": "air", "hexes": [], "adjacent": [], **box}
    return stand(board_from(data), "a1:4 a2:3 b1:3", "c3:4")


ZONE_LOST = after(atoll("a1:3 b1:2 c1:3", "d2:4 c2:2 zone-white:1"), deploy("advance:c2", "c1:1"))
COUNTER, WINDY = _own_card(), _windy()

_TURNS = {
    "game.over": Case(OVER, Pass(), "the game is over (hq_lost)", Pass(), OPEN),
    "game.headquarters": Case(valley("a2:2"), Pass(), "blue does not control the headquarters a1: yellow", None),
    "game.both-hqs": Case(valley("a2:2", "c2:2"), Pass(), "blue has the initiative and has won", None),
    "turn.owed": Case(FOUGHT, Pass(), "yellow rolls 1 die for c2", Pass(), OPEN),
    "commander.left": Case(valley(left={"blue": 0, "yellow": 1}), ADVANCE, "no commander left", ADVANCE, OPEN),
    "commander.extra": Case(
        valley(hands={"blue": "blitz"}, left={"blue": 0, "yellow": 1}),
        deploy("plan:1", 1, cards="blitz"),
        "must pass, whatever card",
        deploy("plan:1", 1, cards="blitz"),
        valley(hands={"blue": "blitz"}, left={"blue": 0, "yellow": 1}, readings="blitz-reserve"),
    ),
    "pass.final": Case(valley(passed="blue"), ADVANCE, "blue has passed", ADVANCE, OPEN),
    "faction.known": Case(FOUGHT, rolled("green", 1), "green is none", rolled("yellow", 1)),
    "area.known": Case(OPEN, deploy("advance:b2", "a2:1 z9:1"), "z9 is no area", ADVANCE),
    "space.known": Case(OPEN, deploy("fly:zone-red", "a2:1"), "fly:zone-red", ADVANCE),
    "space.occupied": Case(
        valley(commanders={"advance:b2": "yellow"}), ADVANCE, "of yellow", deploy("advance:a3", "a2:1")
    ),
    "deploy.form": Case(
        OPEN, Deploy("advance:b2", moves=loads("a2:1", "troop"), target="c3"), "no use for target", ADVANCE
    ),
}
_LINKED = {
    "advance.not-controlled": Case(OPEN, deploy("advance:a2", "a1:1"), "a2 is already", ADVANCE),
    "advance.units": Case(OPEN, deploy("advance:b2"), "no unit moves into b2", ADVANCE),
    "advance.kind": Case(AIR, deploy("advance:b2", "zone-red:1aircraft"), "1 aircraft cannot", ADVANCE),
    "advance.source-supply": Case(CUT, deploy("advance:c2", "c1:1"), "breaks at", deploy("advance:a2", "a1:1")),
    "advance.reach": Case(OPEN, deploy("advance:b2", "a1:1"), "a1 is not next to b2", ADVANCE),
    "advance.enough": Case(OPEN, deploy("advance:b2", "a2:4"), "only 3 troops, not 4", ADVANCE),
    "advance.last-unit": Case(OPEN, deploy("advance:b2", "a2:3"), "3 of 3 units would leave a2", ADVANCE),
    "fly.not-controlled": Case(AIR, FLY, "zone-white is already", FLY, FLYING),
    "fly.units": Case(FLYING, deploy("fly:zone-white"), "no unit moves into", FLY),
    "fly.kind": Case(FLYING, deploy("fly:zone-white", "a1:1troop"), "troop cannot", FLY),
    "fly.source-supply": Case(CUT, deploy("fly:zone-white", "zone-green:1"), "breaks at", FLY, FLYING),
    "fly.reach": Case(FLYING, deploy("fly:zone-green", "zone-red:1"), "zone-red is not next to", FLY),
    "fly.enough": Case(FLYING, deploy("fly:zone-white", "zone-red:4"), "only 3 aircraft, not 4", FLY),
    "fly.last-unit": Case(FLYING, deploy("fly:zone-white", "zone-red:3"), "3 of 3 units would leave", FLY),
    "paradrop.faction": Case(
        valley("a1:3 a2:1 b2:1 b3:2", "c3:3"),
        deploy("paradrop:b3", "a3"),
        "paradrop:b3 belongs to yellow, not to blue",
        deploy("paradrop:b1", "a3"),
        OPEN,
    ),
    "paradrop.supply": Case(
        valley("a1:3 a2:1", "c3:3 c2:1 b1:1"),
        deploy("paradrop:b1", "a3"),
        "b1 is held by yellow",
        deploy("paradrop:b1", "a3"),
        OPEN,
    ),
    "paradrop.target": Case(OPEN, deploy("paradrop:b1"), "drop from b1", deploy("paradrop:b1", "a3")),
    "paradrop.target-kind": Case(WINDY, deploy("paradrop:b1", "zone-red"), "is air", deploy("paradrop:b1", "b3")),
    "paradrop.headquarters": Case(OPEN, deploy("paradrop:b1", "c3"), "opponent", deploy("paradrop:b1", "b3")),
    "paradrop.no-drop": Case(OPEN, deploy("paradrop:b1", "c2"), "forbids a drop", deploy("paradrop:b1", "b3")),
    "paradrop.own": Case(STRICT_OWN, deploy("paradrop:b1", "a1"), "your own control", deploy("paradrop:b1", "b3")),
    "paradrop.units": Case(
        valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4"),
        deploy("paradrop:b1", "c1"),
        "no troop in the reserve",
        deploy("paradrop:b1", "c1"),
        valley("a1:5 a2:5 b1:5 b2:5 a3:5", "c3:4", readings="empty-drop"),
    ),
    "barrage.faction": Case(
        valley("a1:3 b1:1 c1:1 c2:1", "c3:3"),
        deploy("barrage:c2", "c3"),
        "barrage:c2 belongs to yellow, not to blue",
        deploy("barrage:a2", "c2"),
        OPEN,
    ),
    "barrage.supply": Case(
        valley("a1:3", "c3:3 a2:1"),
        deploy("barrage:a2", "c3"),
        "a2 is held by yellow",
        deploy("barrage:a2", "c2"),
        OPEN,
    ),
    "barrage.target": Case(OPEN, deploy("barrage:a2"), "shot from a2", deploy("barrage:a2", "c2")),
    "barrage.range": Case(
        atoll("a1:4 a2:2", "d2:4 d1:2"), deploy("barrage:a2", "d1"), "not within 3", deploy("barrage:a2", "d2")
    ),
    "barrage.target-kind": Case(AIR, deploy("barrage:a2", "zone-green"), "is air", deploy("barrage:a2", "c2")),
    "barrage.enemy": Case(OPEN, deploy("barrage:a2", "b2"), "b2 holds no enemy", deploy("barrage:a2", "c2")),
    "bomb.supply": Case(
        atoll("a1:4 zone-green:3", "d2:4 d1:2 c2:1 zone-white:1"),
        deploy("bomb:zone-green", "d1", payload=1),
        "breaks at",
        BOMB,
        AIR,
    ),
    "bomb.target": Case(AIR, deploy("bomb:zone-white", payload=1), "shot from zone-white", BOMB),
    "bomb.armed": Case(atoll("a1:4 zone-red:1 zone-white:1"), BOMB, "no aircraft to spare", BOMB, AIR),
    "bomb.beneath": Case(AIR, deploy("bomb:zone-white", "d2", payload=1), "d2 does not lie in zone-white", BOMB),
    "bomb.target-kind": Case(AIR, deploy("bomb:zone-white", "zone-green", payload=1), "is air", BOMB),
    "bomb.enemy": Case(AIR, deploy("bomb:zone-white", "b1", payload=1), "b1 holds no enemy", BOMB),
    "bomb.payload": Case(AIR, deploy("bomb:zone-white", "c2"), "2 at most", BOMB),
    "bomb.last-unit": Case(AIR, deploy("bomb:zone-white", "c2", payload=3), "one must stay", BOMB),
    "supply.home-zone": Case(HOME_LOST, BOMB, "zone-white is held by blue, but", BOMB, HOME_OPEN),
}
_SUPPORT = {
    "reinforce.one-per-round": Case(
        SUPPORT, deploy("reinforce:2", "a1:1"), "reinforce:1", deploy("reinforce:2", "a1:1"), OPEN
    ),
    "reinforce.kind": Case(
        AIR, deploy("reinforce:1", "a1:1aircraft"), "aircraft cannot", deploy("reinforce:1", "a1:1")
    ),
    "reinforce.area": Case(OPEN, deploy("reinforce:1", "c3:1"), "held by yellow", deploy("reinforce:1", "a1:1")),
    "reinforce.amount": Case(OPEN, deploy("reinforce:1", "a1:20"), "20 units", deploy("reinforce:1", "a1:1")),
    "take_off.one-per-round": Case(
        SUPPORT, deploy("take_off:2", "zone-red:1"), "take_off:1", deploy("take_off:2", "zone-red:1"), AIR
    ),
    "take_off.kind": Case(
        AIR, deploy("take_off:1", "zone-red:1troop"), "troop cannot", deploy("take_off:1", "zone-red:1")
    ),
    "take_off.area": Case(
        AIR, deploy("take_off:1", "zone-green:1"), "held by yellow", deploy("take_off:1", "zone-red:1")
    ),
    "take_off.amount": Case(AIR, deploy("take_off:1", "zone-red:9"), "9 units", deploy("take_off:1", "zone-red:1")),
    "plan.one-per-round": Case(SUPPORT, deploy("plan:2", 2), "plan:1", deploy("plan:2", 2), OPEN),
    "plan.amount": Case(OPEN, deploy("plan:2", 9), "not 9", deploy("plan:2", 2)),
    "plan.short-deck": Case(
        valley(hands={"blue": 23}), deploy("plan:2", 2), "the deck has only 1", deploy("plan:2", 1)
    ),
    "plan.copies": Case(
        valley(discard="blitz blitz blitz"), deploy("plan:1", "blitz"), "only 0 can still", deploy("plan:1", "ambush")
    ),
    "place.whole": Case(
        valley("a1:1 a2:1", readings="place-fewer"),
        deploy("reinforce:1", "a1:2"),
        "only 2 of the 6 units due",
        deploy("reinforce:1", "a1:2"),
        valley("a1:1 a2:1"),
    ),
    "reserve.short": Case(SHORT, deploy("reinforce:2", "a3:2"), "2 troops needed", deploy("reinforce:2", "a3:1")),
    "recall.kind": Case(
        atoll("a1:4 zone-red:5 zone-white:3 zone-green:1", "d2:4"),
        deploy("take_off:2", "zone-white:2", recall="a1:1troop"),
        "troop is not what",
        deploy("take_off:2", "zone-white:2", recall="zone-red:1"),
    ),
    "recall.control": Case(
        SHORT,
        deploy("reinforce:2", "a3:2", recall="c2:1"),
        "c2 is not under your control",
        deploy("reinforce:2", "a3:2", recall="a1:1"),
    ),
    "recall.last-unit": Case(
        SHORT,
        deploy("reinforce:2", "a3:2", recall="c1:1"),
        "cannot be recalled from c1",
        deploy("reinforce:2", "a3:2", recall="b1:1"),
    ),
    "recall.short": Case(
        SHORT,
        deploy("reinforce:2", "a3:2", recall="a1:2"),
        "not short of that many",
        deploy("reinforce:2", "a3:2", recall="a1:1"),
    ),
    "recall.beyond": Case(
        valley(**FEW, readings="short-reserve"),
        deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1"),
        "cannot be recalled for",
        deploy("reinforce:2", "a2:3 b1:3", recall="c1:4 b2:1"),
        valley(**FEW),
    ),
    "reinforce.limit": Case(OPEN, deploy("reinforce:1", "a2:6"), "the limit is 5", deploy("reinforce:1", "a2:2")),
    "take_off.limit": Case(
        FLYING, deploy("take_off:1", "zone-red:3"), "zone-red would hold 6 aircraft", deploy("take_off:1", "zone-red:2")
    ),
    "limit.added": Case(valley(**FEW), deploy("reinforce:1", "b1:1 a2:5"), "a2 would hold 7 troops", None),
}
_CARDS = {
    "extra.standby": Case(
        valley(hands={"blue": "blitz"}, standby={"blue": 0, "yellow": 4}, left={"blue": 5, "yellow": 5}),
        deploy("plan:1", 1, cards="blitz"),
        "no commander on standby",
        deploy("plan:1", 1, cards="blitz"),
        valley(hands={"blue": "blitz"}),
    ),
    "counterattack.space": Case(
        COUNTER,
        deploy("advance:a3", "a2:1", cards="counter_attack"),
        "advance:a3 does not hold one commander",
        deploy("advance:b2", "a2:1", cards="counter_attack"),
    ),
    "card.known": Case(FOUGHT, Play("bribery", "blue"), "bribery", Play("ambush", "yellow")),
    "card.held": Case(OPEN, deploy("advance:b2", "a2:1", cards="ground_assault"), "blue does not have", JOIN, ATTACK),
    "card.enough": Case(valley("a1:3 a2:1 b2:4", hands={"blue": 0}), JOIN, "does not have 1 card to", JOIN, ATTACK),
    "card.moment": Case(
        valley(hands={"blue": "mobilize"}),
        Play("mobilize", "blue", place=loads("a1:1", "troop")),
        "Your Reinforce",
        Play("mobilize", "blue", place=loads("a1:1", "troop")),
        MOBILIZED,
    ),
    "card.side": Case(
        after(ATTACK_BY_BOTH, deploy("advance:c2", "b2:2")),
        Play("ground_assault", "yellow", units=1),
        "only for blue",
        Play("ground_assault", "blue", units=1),
    ),
    "card.once-per-turn": Case(
        valley("a1:3 a2:1 b2:4", hands={"blue": "ground_assault"}, spent={"blue": "ground_assault"}),
        JOIN,
        "already resolved ground_assault",
        JOIN,
        ATTACK,
    ),
    "card.same-twice": Case(
        ATTACK, deploy("advance:c2", "b2:2", cards="ground_assault ground_assault"), "named twice", JOIN
    ),
    "card.amount": Case(
        FOUGHT, Play("ground_assault", "blue", units=3), "at most 2, not 3", Play("ground_assault", "blue", units=2)
    ),
    "card.reserve-units": Case(ATTACK, deploy("advance:c2", "b2:2 reserve:1"), "1 troop join", JOIN),
    "card.place": Case(
        MOBILIZED, Play("mobilize", "blue"), "no area is named", Play("mobilize", "blue", place=loads("a1:1", "troop"))
    ),
    "card.unit": Case(
        FOUGHT,
        Play("ground_assault", "blue", moves=loads("reserve:1", "aircraft")),
        "troops only",
        Play("ground_assault", "blue", moves=loads("reserve:1", "troop")),
    ),
    "card.form": Case(
        FOUGHT,
        Play("ground_assault", "blue", target="c2"),
        "no use for target",
        Play("ground_assault", "blue", units=1),
    ),
    "card.from-reserve": Case(
        FOUGHT,
        Play("ground_assault", "blue", moves=loads("b2:1", "troop")),
        "not from b2",
        Play("ground_assault", "blue", moves=loads("reserve:1", "troop")),
    ),
    "reroll.owed": Case(FOUGHT, Reroll("ambush", "yellow"), "no dice", Reroll("ambush", "yellow"), ROLLED),
    "reroll.own": Case(ROLLED, Reroll("ground_assault", "blue"), "only yellow", Reroll("ambush", "yellow")),
    "accept.window": Case(OPEN, Accept(), "no window", Accept(), MOBILIZED),
}
_CONFLICTS = {
    "roll.owed": Case(OPEN, rolled("blue", 1), "no roll is owed", rolled("yellow", 1), FOUGHT),
    "roll.by": Case(FOUGHT, rolled("blue", 1), "yellow is to roll", rolled("yellow", 1)),
    "roll.dice": Case(FOUGHT, rolled("yellow", 1, 1), "owed, not 2", rolled("yellow", 1)),
    "roll.face": Case(FOUGHT, rolled("yellow", 3), "3 is no face", rolled("yellow", 2)),
    "roll.zone": Case(ZONE_LOST, rolled("yellow", 1, 1), "1 die owed, not 2", rolled("yellow", 1)),
    "roll.both": Case(BOTH, rolled("yellow", 1, 1), "3 dice owed, not 2", rolled("yellow", 1, 1, 0)),
    "remove.owed": Case(OPEN, Remove((("troop", 1),), "blue"), "blue has no losses", None),
    "return.owed": Case(OPEN, Return("plan:1", "blue"), "no commander to return", Return("plan:1", "blue"), LOST),
    "return.own": Case(LOST, Return("plan:2", "blue"), "no commander of blue", Return("plan:1", "blue")),
}
_AGREED = {
    "agreed.kind": Case(
        AIR,
        Agreed(areas=(("b2", (("blue", "aircraft", 1),)),)),
        "no aircraft can stand in b2",
        Agreed(areas=(("zone-red", (("blue", "aircraft", 1),)),)),
    ),
    "agreed.box": Case(
        OPEN,
        Agreed(areas=(("a1", (("blue", "troop", 99),)),)),
        "blue would have 105 troops on the board",
        Agreed(areas=(("a1", (("blue", "troop", 5),)),)),
    ),
    "agreed.commanders": Case(
        valley(standby={"blue": 4, "yellow": 4}, left={"blue": 5, "yellow": 5}),
        besides(left=(("blue", 6),)),
        "blue would need 10 commanders, and the box has 9",
        besides(left=(("blue", 5),)),
    ),
    "reading.known": Case(
        OPEN,
        Agreed(readings=(("cap-every-action", "other"),)),
        "there is no other answer to cap-every-action",
        Agreed(readings=(("empty-deck", "other"),)),
    ),
    "agreed.round": Case(OPEN, besides(round=5), "there is no round 5", besides(round=4)),
    "agreed.dice": Case(OPEN, besides(dice=2), "no roll of 2 dice can be owed", besides(dice=2), FOUGHT),
    "agreed.cards": Case(
        OPEN, besides(discard=("mobilize",) * 4), "4 of mobilize would be out", besides(discard=("mobilize",) * 3)
    ),
    "agreed.token": Case(
        OPEN, besides(bonuses=(("1", "town_centre"),)), "town_centre cannot lie", besides(bonuses=(("1", "depot"),))
    ),
    "agreed.token-twice": Case(
        OPEN,
        besides(bonuses=(("1", "depot"), ("2", "depot"))),
        "depot would lie on two slots",
        besides(bonuses=(("1", "depot"), ("2", "recon_post"))),
    ),
}
CASES = {**_TURNS, **_LINKED, **_SUPPORT, **_CARDS, **_CONFLICTS, **_AGREED}
