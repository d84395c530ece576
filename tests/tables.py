"""Positions, steps and rulings written briefly, for every test of the engine.

Units of a faction stand as "e3:5 d4:2 b2:1+3": the area, then so many troops (ships on water, aircraft in an air zone),
then siege weapons.
Steps name units the same way, "d3:2" or, to name another unit than the action's own, "d3:2ship".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from engine.errors import Illegal
from engine.orders.board import Board, load_board
from engine.orders.game import Owed, apply, examine, fold, judge, owed
from engine.orders.position import Hand, Position
from engine.orders.steps import Deploy, Load, Roll, Step
from engine.orders.wire import check_position
from engine.ruling import Finding
from tests.boards import practice

Hands = Mapping[str, str | int]
_UNITS = re.compile(r"([\w-]+):(\d+)([a-z]*)(?:\+(\d+))?")
_UNIT_OF_ACTION = {"sail": "ship", "embark": "ship", "fly": "aircraft", "take_off": "aircraft"}
_FIELD_OF_ACTION = {
    **dict.fromkeys(("advance", "sail", "fly"), "moves"),
    **dict.fromkeys(("reinforce", "embark", "take_off"), "place"),
}


def rivers(red: str, black: str = "a3:3", *, to_move: str = "red", hands: Hands | None = None, **more: Any) -> Position:
    """Return a position on Rivers in round 2 with only these units, red holding the initiative."""
    return stand(load_board("sengoku-rivers"), red, black, to_move=to_move, hands=hands, **more)


def stand(
    board: Board, first: str, second: str, *, to_move: str = "", hands: Hands | None = None, **more: Any
) -> Position:
    """Return a position on any board with the units of its two factions; the first holds the initiative.

    `hands` are cards in a row of words, or a number where they are hidden.
    `more`: initiative, round, bonuses {slot: bonus}, commanders {space: faction or both}, left and standby
    {faction: n}, passed (factions), discard and spent {faction: cards} in a row of words, readings (those switched, in
    a row of words).
    """
    given = _Given(board, more)
    one, other = board.factions
    commanders = given.commanders()
    standby = given.pair("standby", (board.mode.standby, board.mode.standby))
    passed = given.word("passed", "").split()
    in_reserve = (board.mode.commanders - commanders[f].bit_count() - standby[f] for f in (0, 1))
    position = Position(
        board=board,
        round=given.number("round", 2),
        initiative=board.factions.index(given.word("initiative", one)),
        to_move=board.factions.index(to_move or one),
        bonuses=given.bonuses(),
        units=(_rows(board, first), _rows(board, second)),
        commanders=commanders,
        commanders_left=given.pair("left", tuple(in_reserve)),
        standby=standby,
        hands=(_hand(hands, one), _hand(hands, other)),
        discard=tuple(given.word("discard", "").split()),
        spent=given.spent(),
        readings=frozenset(given.word("readings", "").split()),
        passed=(one in passed, other in passed),
    )
    assert not given.unused, f"unknown: {given.unused}"
    return check_position(position)


class _Given:
    """The fields that a test names beside the units, each taken once."""

    def __init__(self, board: Board, more: dict[str, object]) -> None:
        self.board = board
        self.unused = dict(more)

    def number(self, key: str, otherwise: int) -> int:
        value = self.unused.pop(key, otherwise)
        assert isinstance(value, int)
        return value

    def word(self, key: str, otherwise: str) -> str:
        value = self.unused.pop(key, otherwise)
        assert isinstance(value, str)
        return value

    def table(self, key: str) -> dict[str, object]:
        value = self.unused.pop(key, {})
        assert isinstance(value, dict)
        return value

    def pair(self, key: str, otherwise: tuple[int, ...]) -> tuple[int, int]:
        value = self.table(key)
        first, second = (value.get(name, n) for name, n in zip(self.board.factions, otherwise, strict=True))
        assert isinstance(first, int)
        assert isinstance(second, int)
        return first, second

    def bonuses(self) -> tuple[str, ...]:
        value = self.table("bonuses")
        assert set(value) <= set(self.board.slots)
        return tuple(str(value.get(slot, "")) for slot in self.board.slots)

    def commanders(self) -> tuple[int, int]:
        sides = [0, 0]
        for space, holders in self.table("commanders").items():
            for holder in str(holders).split():
                sides[self.board.factions.index(holder)] |= 1 << self.board.space(space).index
        return sides[0], sides[1]

    def spent(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        value = self.table("spent")
        first, second = (tuple(str(value.get(name, "")).split()) for name in self.board.factions)
        return first, second


def _rows(board: Board, units: str) -> tuple[tuple[int, ...], ...]:
    rows = [[0] * len(board.areas) for _ in board.mode.units]
    for area, n, _, siege in _UNITS.findall(units):
        place = board.area(area)
        rows[board.mode.kinds_on[place.kind][0]][place.index] = int(n)
        if siege:
            rows[board.mode.unit_index["siege"]][place.index] = int(siege)
    return tuple(map(tuple, rows))


def _hand(hands: Hands | None, faction: str) -> Hand:
    hand = (hands or {}).get(faction, "")
    return hand if isinstance(hand, int) else tuple(sorted(hand.split()))


def loads(units: str, unit: str) -> tuple[Load, ...]:
    """Units from or into areas, as a step names them."""
    found: list[Load] = []
    for area, n, other, siege in _UNITS.findall(units):
        found += [(area, other or unit, int(n))] if int(n) else []
        found += [(area, "siege", int(siege))] if siege else []
    return tuple(found)


def deploy(
    space: str, what: str | int = "", *, recall: str = "", cards: str = "", payload: int | None = None
) -> Deploy:
    """Return a deployment, with what its action needs.

    `what`: units that move or are placed, a target, or cards drawn.
    """
    action = space.partition(":")[0]
    unit = _UNIT_OF_ACTION.get(action, "troop")
    named, back = tuple(cards.split()), loads(recall, unit)
    if action == "plan":
        return Deploy(space, draw=what if isinstance(what, int) else tuple(what.split()), cards=named)
    field = _FIELD_OF_ACTION.get(action)
    if field is None:
        return Deploy(space, target=str(what) or None, recall=back, cards=named, payload=payload)
    units = loads(str(what), unit)
    if field == "moves":
        return Deploy(space, moves=units, recall=back, cards=named)
    return Deploy(space, place=units, recall=back, cards=named)


def rolled(by: str, *dice: int) -> Roll:
    """Return a roll of these dice, as an answer to the roll that is owed."""
    return Roll(dice, by)


def valley(blue: str = "a1:4 a2:2 b1:2", yellow: str = "c3:4 c2:2 b3:2", **more: Any) -> Position:
    """Return a position on the made-up valley (Alpine), with blue to move."""
    return stand(practice.valley(), blue, yellow, **more)


def atoll(
    blue: str = "a1:4 a2:2 b1:2 zone-red:3", yellow: str = "d2:4 d1:2 c2:2 zone-green:3", **more: Any
) -> Position:
    """Return a position on the made-up atoll (Island), with blue to move."""
    return stand(practice.atoll(), blue, yellow, **more)


# --- what a test says -------------------------------------------------------------------


def after(position: Position, *steps: Step) -> Position:
    """Return the position after these steps."""
    return fold(position, steps)


def refused(position: Position, step: Step, rules: str, *words: str) -> Finding:
    """Return the first objection to a step, having checked that its message has these words.

    `rules` are all the step's objections, in a row.
    """
    objections = judge(position, step).objections
    assert [finding.rule for finding in objections] == rules.split(), objections
    finding = objections[0]
    missing = [word for word in words if word not in finding.message]
    assert not missing, finding.message
    assert str(finding.citation)
    with pytest.raises(Illegal) as caught:
        apply(position, step)
    assert caught.value.ruling.objections == objections
    return finding


def allowed(position: Position, step: Step, rule: str, *words: str) -> Finding:
    """Return the finding of a rule that a legal step keeps, having checked that its message has these words."""
    ruling = examine(position, step)
    assert ruling.legal, ruling.objections
    found = [finding for finding in ruling.findings if finding.rule == rule]
    assert found, [finding.rule for finding in ruling.findings]
    texts = " / ".join(finding.message for finding in found)
    missing = [word for word in words if word not in texts]
    assert not missing, texts
    return found[0]


def due_in(position: Position) -> Owed:
    """Return what the table owes in a position inside a turn."""
    due = owed(position)
    assert due is not None
    return due


def cards_owed(position: Position) -> set[tuple[str, str]]:
    """Return the cards that may be played now, with their factions; none outside a turn."""
    due = owed(position)
    return set() if due is None else set(due.cards)


def assault(**hands: str | int) -> Position:
    """Red is to move, next to c4 which black holds with two; ATTACK is the attack."""
    return rivers("e3:3 d3:5 d4:1", "a3:3 c4:2", hands=hands)


def units(position: Position, area: str) -> str:
    """Return the units of an area in a few words: "red 2 troop, black 1 siege"; "" for none."""
    return ", ".join(
        f"{faction} {n} {unit}" for faction, kinds in position.units_in(area).items() for unit, n in kinds.items()
    )


def reserve(position: Position, faction: str, unit: str) -> int:
    """Units in a faction's reserve, by name."""
    mode = position.board.mode
    return position.reserve(mode.faction_index[faction], mode.unit_index[unit])


ATTACK = deploy("advance:c4", "d3:3")
