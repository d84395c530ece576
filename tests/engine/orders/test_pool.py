"""Each die of a roll has its reason, and together they are the dice that are owed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders import game
from engine.orders.bonuses import defence_parts
from engine.orders.odds import RollPart, pool
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Play, Step
from tests.boards.practice import castle
from tests.tables import after, atoll, deploy, rivers, rolled, stand

OPEN = rivers("e3:3 d3:3 e4:2 d4:2", "a3:3 c4:2 b3:2", hands={"red": 1, "black": 2})
SHIPS = rivers("e3:3 d4:2 c3:1", "a3:3 c4:2", hands={"red": "shore_strike"}, bonuses={"sun": "pirate_haven"})
HAVEN = rivers("e3:3 e1:2 d1:2 b1:1 d3:1 d4:2", "a3:3 c4:2", bonuses={"sun": "pirate_haven"})
CASTLE = stand(castle(), "a1:3 a2:1+2 b1:2", "c1:3 b2:3+1")


def dice(n: int) -> Agreed:
    return Agreed(other=OtherCorrections(dice=n))


@pytest.mark.parametrize(
    ("position", "steps", "parts"),
    [
        (OPEN, [deploy("advance:c4", "d3:2")], [RollPart("defence", 1)]),
        (
            OPEN,
            [deploy("advance:c4", "d3:2"), Play("ambush", "black")],
            [RollPart("defence", 1), RollPart("card", 2, "ambush")],
        ),
        (OPEN, [deploy("advance:c4", "d3:2"), dice(3)], [RollPart("defence", 1), RollPart("agreed", 2)]),
        (OPEN, [deploy("shell:d3", "d4")], [RollPart("action", 2)]),
        (OPEN, [deploy("shell:d3", "d4"), dice(1)], [RollPart("action", 2), RollPart("agreed", -1)]),
        (SHIPS, [deploy("bombard:d4", "c4")], [RollPart("units", 2, "ship")]),
        (
            SHIPS,
            [deploy("bombard:d4", "c4", cards="shore_strike")],
            [RollPart("units", 2, "ship"), RollPart("card", 2, "shore_strike")],
        ),
        (HAVEN, [deploy("bombard:d4", "c4")], [RollPart("units", 2, "ship"), RollPart("bonus", 1, "pirate_haven")]),
        (OPEN, [], []),
        (OPEN, [deploy("advance:d2", "d3:2")], []),
        (CASTLE, [deploy("siege:a2", "b2")], [RollPart("units", 2, "siege")]),
    ],
)
def test_the_parts_of_a_pool(position: Position, steps: list[Step], parts: list[RollPart]) -> None:
    now = after(position, *steps)
    assert list(pool(now)) == parts
    owed = game.owed(now)
    assert owed is None or owed.wants != "roll" or sum(part.dice for part in parts) == owed.dice


def test_the_dice_that_lie_there_keep_their_reasons() -> None:
    now = after(OPEN, deploy("advance:c4", "d3:2"), rolled("black", 1))
    assert list(pool(now)) == [RollPart("defence", 1)]


def test_dice_of_the_air_and_of_the_town_have_their_reasons() -> None:
    start = atoll("a1:4 b1:1 a2:4 zone-red:3", "d2:4 c2:2 b2:2 zone-green:1 zone-white:1")
    fought = after(start, deploy("advance:b2", "a2:3"))
    assert list(pool(fought)) == [
        RollPart("defence", 1),
        RollPart("zone", 1, "zone-white"),
        RollPart("bonus", 1, "town_centre"),
    ]
    either = replace(fought, readings=frozenset({"defence-adds"}), turn=None)
    assert list(defence_parts(either, either.board.area_index["b2"], 1)) == [
        RollPart("defence", 1),
        RollPart("zone", 1, "zone-white"),
    ]


def test_a_payload_is_a_reason_of_its_own() -> None:
    start = atoll("a1:4 zone-red:1 zone-white:3")
    assert list(pool(after(start, deploy("bomb:zone-white", "c2", payload=2)))) == [RollPart("payload", 2, "aircraft")]
