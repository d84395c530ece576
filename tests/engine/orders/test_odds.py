"""Exact odds, held against every way the dice can fall, and the reasons of each die."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine.errors import Illegal
from engine.orders import game
from engine.orders.bonuses import defence_parts
from engine.orders.notation import parse_step
from engine.orders.odds import (
    AreaOdds,
    ConflictOdds,
    RollPart,
    ShotOdds,
    conflict_odds,
    owed_odds,
    roll_parts,
    shot_odds,
    step_odds,
)
from engine.orders.position import Position
from engine.orders.steps import Accept, Agreed, OtherCorrections, Play, Roll, Step
from engine.orders.wire import position_to_json
from engine.referee import reply
from tests.boards.practice import castle
from tests.tables import after, atoll, deploy, rivers, rolled, stand

DIE = (0, 1, 1, 1, 1, 2)
TWO_FACED = (0, 3)


def fought(pips: int, attackers: int, defenders: int) -> tuple[int, int]:
    """Fight a conflict as the book tells it: the defence takes attackers, then each side loses one at a time."""
    for _ in range(pips):
        attackers -= 1 if attackers else 0
    while attackers and defenders:
        attackers, defenders = attackers - 1, defenders - 1
    return attackers, defenders


@pytest.mark.parametrize("die", [DIE, TWO_FACED])
@pytest.mark.parametrize("dice", [0, 1, 2, 3])
def test_a_conflict_is_every_fall_of_the_dice(die: tuple[int, ...], dice: int) -> None:
    for attackers, defenders in product(range(1, 9), range(1, 6)):
        ends = Counter(fought(sum(faces), attackers, defenders) for faces in product(die, repeat=dice))
        odds = conflict_odds(die, dice, attackers, defenders)
        whole = len(die) ** dice
        assert odds.attacker == {a: Fraction(n, whole) for (a, _), n in ends.items() if a}
        assert odds.defender == {d: Fraction(n, whole) for (_, d), n in ends.items() if d}
        assert odds.empty == Fraction(ends[0, 0], whole)
        assert odds.attacker_holds + odds.defender_holds + odds.empty == 1
        assert (odds.dice, odds.attackers, odds.defenders) == (dice, attackers, defenders)


@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4])
def test_a_shot_is_every_fall_of_the_dice(dice: int) -> None:
    for targets in range(7):
        ends = Counter(min(sum(faces), targets) for faces in product(DIE, repeat=dice))
        odds = shot_odds(DIE, dice, targets)
        assert odds.losses == {lost: Fraction(n, 6**dice) for lost, n in ends.items()}
        assert odds.empties == (Fraction(ends[targets], 6**dice) if targets else 0)


# --- on the board -----------------------------------------------------------------------


def played_out(position: Position) -> Counter[tuple[int, int]]:
    """How the roll that is owed ends in its area: units left of the side that moves and of the other, by the engine."""
    owed = game.owed(position)
    assert owed is not None
    assert owed.area is not None
    me = position.to_move_name
    ends: Counter[tuple[int, int]] = Counter()
    for faces in product(position.board.mode.die, repeat=owed.dice):
        end = game.apply(position, Roll(faces, owed.by))
        while end.turn is not None and game.owed(end) != owed and end.turn.stage.value in ("rolled", "again"):
            end = game.apply(end, Accept())
        left = {faction: sum(units.values()) for faction, units in end.units_in(owed.area).items()}
        ends[left.pop(me, 0), sum(left.values())] += 1
    return ends


def the_only(found: tuple[AreaOdds, ...]) -> AreaOdds:
    (one,) = found
    return one


def check_conflict(odds: ConflictOdds, ends: Mapping[tuple[int, int], int]) -> None:
    whole = sum(ends.values())
    assert odds.attacker == {a: Fraction(n, whole) for (a, _), n in ends.items() if a}
    assert odds.defender == {d: Fraction(n, whole) for (_, d), n in ends.items() if d}
    assert odds.empty == Fraction(ends.get((0, 0), 0), whole)


ATTACK = rivers("e3:3 d3:3 c3:1", "a3:3 b3:2")


@pytest.mark.parametrize(
    ("position", "step", "attackers"),
    [
        (ATTACK, "advance:b3 from d3=2t", 2),
        (rivers("e3:3 d3:3 c3:1", "a3:3 b3:2", hands={"red": "ground_assault"}),
         "advance:b3 from d3=2t reserve=2t with ground_assault", 4),
        (rivers("e3:3 d3:3 c3:1 d1:1 d2:1", "a3:3 b3:2", bonuses={"sun": "hidden_base"}), "advance:b3 from d3=2t", 3),
        (rivers("e3:3 d3:3 c3:1", "a3:3 b3:2", hands={"black": "ambush"}), "advance:b3 from d3=2t", 2),
        (rivers("e3:3 d3:3 c3:1", "a3:3 b3:2", hands={"red": "ground_assault"}), "advance:b3 from d3=2t", 2),
    ],
)  # fmt: skip
def test_a_deployment_counts_cards_named_and_bonuses(position: Position, step: str, attackers: int) -> None:
    odds = the_only(step_odds(position, parse_step(step)))
    assert isinstance(odds.odds, ConflictOdds)
    assert (odds.area, odds.by, odds.odds.attackers, odds.odds.defenders) == ("b3", "black", attackers, 2)
    check_conflict(odds.odds, played_out(game.apply(position, parse_step(step))))


def test_dice_added_by_a_card_count_once_it_is_played() -> None:
    position = rivers("e3:3 d3:4 c3:1", "a3:3 b3:2", hands={"black": "ambush"})
    attacked = game.apply(position, parse_step("advance:b3 from d3=3t"))
    before, later = the_only(owed_odds(attacked)), the_only(step_odds(attacked, parse_step("play ambush by black")))
    assert (before.odds.dice, later.odds.dice) == (1, 3)
    ambushed = game.apply(attacked, parse_step("play ambush by black"))
    assert the_only(owed_odds(ambushed)) == later
    assert isinstance(later.odds, ConflictOdds)
    check_conflict(later.odds, played_out(ambushed))


def test_a_fortified_area_defends_with_more_dice() -> None:
    position = stand(castle(), "a1:3 a2:5", "b2:2 c1:3")
    odds = the_only(step_odds(position, parse_step("advance:b2 from a2=4t")))
    assert odds.odds == conflict_odds(DIE, 2, 4, 2)
    assert isinstance(odds.odds, ConflictOdds)
    check_conflict(odds.odds, played_out(game.apply(position, parse_step("advance:b2 from a2=4t"))))


def test_each_contested_water_is_worked_out_by_itself() -> None:
    position = rivers("e3:5 e1:1 d2:2", "a3:3 c1:1 c2:2", hands={"red": "commandeer"})
    step = parse_step("embark:1 place c1=1s c2=2s with commandeer")
    first, second = step_odds(position, step)
    assert (first.area, first.odds) == ("c1", conflict_odds(DIE, 1, 1, 1))
    assert (second.area, second.odds) == ("c2", conflict_odds(DIE, 1, 2, 2))
    fighting = game.apply(position, step)
    assert owed_odds(fighting) == (first, second)
    assert owed_odds(game.apply(fighting, rolled("black", 1))) == (second,)


def test_a_shot_counts_ships_and_pirate_haven() -> None:
    bonus = {"sun": "pirate_haven"}
    position = rivers("e3:3 d3:1 e1:1 d1:1 c3:2", "a3:3 b3:4", bonuses=bonus)
    odds = the_only(step_odds(position, parse_step("bombard:c3 at b3")))
    assert (odds.area, odds.by, odds.ends) == ("b3", "red", Fraction(0))
    assert odds.odds == shot_odds(DIE, 3, 4)
    ends = played_out(game.apply(position, parse_step("bombard:c3 at b3")))
    assert isinstance(odds.odds, ShotOdds)
    assert odds.odds.losses == {4 - left: Fraction(n, 6**3) for (_, left), n in ends.items()}


def test_the_end_of_the_game_by_a_lost_headquarters_has_its_chance() -> None:
    position = rivers("e3:3 d3:1 c3:1 b3:5", "a3:2")
    conflict = the_only(step_odds(position, parse_step("advance:a3 from b3=3t")))
    assert isinstance(conflict.odds, ConflictOdds)
    assert conflict.ends == conflict.odds.attacker_holds + conflict.odds.empty == Fraction(5, 6)
    shooting = rivers("e3:3 d3:1 c3:1 b4:3", "a3:2")
    shot = the_only(step_odds(shooting, parse_step("bombard:b4 at a3")))
    assert isinstance(shot.odds, ShotOdds)
    assert shot.ends == shot.odds.empties == 1 - Fraction(1 + 12, 6**3)


def test_nothing_is_rolled_without_a_conflict_or_a_shot() -> None:
    assert step_odds(ATTACK, parse_step("plan:2 draw 2")) == ()
    assert step_odds(ATTACK, parse_step("advance:d2 from d3=1t")) == ()
    assert owed_odds(ATTACK) == ()
    with pytest.raises(Illegal):
        step_odds(ATTACK, parse_step("advance:b3 from d3=3t"))


# --- the request ------------------------------------------------------------------------


def ask(**request: object) -> dict[str, Any]:
    return reply(json.dumps({"do": "odds", **request}))


def test_odds_of_bare_numbers() -> None:
    (conflict,) = ask(board="sengoku-rivers", dice=1, attackers=3, defenders=2)["rolls"]
    assert conflict["outcomes"] == [
        {"holds": "attacker", "left": 1, "chance": "1/6", "decimal": 0.166667},
        {"holds": None, "left": 0, "chance": "2/3", "decimal": 0.666667},
        {"holds": "defender", "left": 1, "chance": "1/6", "decimal": 0.166667},
    ]
    assert conflict["defender_holds"] == {"chance": "1/6", "decimal": 0.166667}
    (certain,) = ask(dice=1, attackers=9, defenders=1)["rolls"]
    assert [outcome["left"] for outcome in certain["outcomes"]] == [8, 7, 6]
    (shot,) = ask(dice=2, targets=1)["rolls"]
    assert shot["outcomes"][0] == {"lost": 0, "left": 1, "chance": "1/36", "decimal": 0.027778}
    assert shot["empty"]["chance"] == "35/36"


def test_odds_of_a_step_and_of_what_is_owed() -> None:
    request = position_to_json(ATTACK)
    answer = ask(position=request, step={"deploy": "advance:b3", "moves": {"d3": {"troop": 2}}})
    (conflict,) = answer["rolls"]
    assert (conflict["area"], conflict["by"], conflict["attackers"]) == ("b3", "black", 2)
    assert {outcome["holds"] for outcome in conflict["outcomes"]} == {None, "black"}
    assert "ends_game" not in conflict
    assert "rerolls" in answer["note"]
    owed = position_to_json(after(ATTACK, deploy("advance:b3", "d3:2")))
    assert ask(position=owed) == answer
    assert ask(position=request)["rolls"] == []
    headquarters = position_to_json(rivers("e3:3 d3:1 c3:1 b4:3", "a3:2"))
    (shot,) = ask(position=headquarters, step={"deploy": "bombard:b4", "target": "a3"})["rolls"]
    assert shot["ends_game"]["chance"] == str(1 - Fraction(13, 216))


def test_odds_of_an_illegal_or_badly_written_step_name_the_rule() -> None:
    position = position_to_json(ATTACK)
    refused = ask(position=position, step={"deploy": "advance:b3", "moves": {"d3": {"troop": 3}}})["error"]
    assert (refused["step"], refused["rule"]) == (0, "advance.last-unit")
    assert ask(position=position, step={"jump": 1})["error"]["rule"] == "step.form"


@pytest.mark.parametrize(
    "request_keys",
    [{}, {"dice": 1}, {"dice": 0, "targets": 1}, {"dice": 41, "targets": 1}, {"dice": True, "targets": 1},
     {"dice": 1, "attackers": 100, "defenders": 1}, {"dice": 1, "attackers": 1},
     {"board": 3, "dice": 1, "targets": 1}, {"board": "chess", "dice": 1, "targets": 1}, {"position": 3}],
)  # fmt: skip
def test_a_bad_request_for_odds_is_one_clear_line(request_keys: dict[str, object]) -> None:
    error = ask(**request_keys)["error"]
    assert error["kind"] == "bad_request"
    assert "\n" not in error["message"]


# ==== Each die of a roll has its reason, and together they are the dice that are owed ==========

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
    assert list(roll_parts(now)) == parts
    owed = game.owed(now)
    assert owed is None or owed.wants != "roll" or sum(part.dice for part in parts) == owed.dice


def test_the_dice_that_lie_there_keep_their_reasons() -> None:
    now = after(OPEN, deploy("advance:c4", "d3:2"), rolled("black", 1))
    assert list(roll_parts(now)) == [RollPart("defence", 1)]


def test_dice_of_the_air_and_of_the_town_have_their_reasons() -> None:
    start = atoll("a1:4 b1:1 a2:4 zone-red:3", "d2:4 c2:2 b2:2 zone-green:1 zone-white:1")
    fought = after(start, deploy("advance:b2", "a2:3"))
    assert list(roll_parts(fought)) == [
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
    assert list(roll_parts(after(start, deploy("bomb:zone-white", "c2", payload=2)))) == [
        RollPart("payload", 2, "aircraft")
    ]
