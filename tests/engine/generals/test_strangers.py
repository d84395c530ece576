"""Whatever a stranger's file or request has in it, the outcome is a value or one fault that names it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.errors import BadPosition, BadStep, BadTable
from engine.generals.cards import Deck, read_deck
from engine.generals.game import apply, check_deck, examine, judge, legal, owed
from engine.generals.wire import position_from_json, position_to_json, step_from_json, step_to_json
from tests.engine.generals.case import deck_text
from tests.engine.generals.test_properties import played

ODD: list[Any] = [None, True, -1, 10**30, 1.5, "", "{who}", "fox", "red", [], {}, ["fox"], {"zone": "city"}, "é" * 200]


def deck_or_fault(text: str) -> Deck | str:
    try:
        return read_deck("hills", text, "hills.toml")
    except BadTable as fault:
        return str(fault)


@pytest.mark.parametrize("seed", range(20))
def test_decks(seed: int) -> None:
    chance, text = Random(seed), deck_text()
    for _ in range(15):
        at, length = chance.randrange(len(text)), chance.randrange(12)
        other = chance.choice(["", '"', "=", "[", "\n", "99", "true", "{", "\\u0000", "cards", text[at : at + 40]])
        found = deck_or_fault(text[:at] + other + text[at + length :])
        assert found.startswith("hills.toml: ") if isinstance(found, str) else check_deck(found) is not None


def spoiled(chance: Random, value: Any) -> Any:
    """Return the same JSON with one part changed, left out or added."""
    out = copy.deepcopy(value)
    places = list(_tables(out))
    table, key = chance.choice(places)
    how = chance.randrange(3)
    if how == 0:
        del table[key]
    elif how == 1:
        table[key] = chance.choice(ODD)
    else:
        table[chance.choice(["luck", key + "-2", "zone", "seen"])] = table[key]
    return out


def _tables(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield value, key
            yield from _tables(part)


@pytest.fixture(scope="module")
def game() -> tuple[list[Any], list[Any]]:
    steps, positions = played(3)
    return [step_to_json(step) for step in steps], [position_to_json(where) for where in positions]


def test_positions(game: tuple[list[Any], list[Any]]) -> None:
    chance, read, refused = Random(1), 0, 0
    for obj in game[1]:
        for _ in range(3):
            try:
                where = position_from_json(spoiled(chance, obj))
            except BadPosition:
                refused += 1
            else:
                read += 1
                assert (owed(where) is not None) == bool(legal(where).specials)
    assert read
    assert refused


AGREED: list[dict[str, Any]] = [
    {"agreed": "red", "hand": 3, "generals": {"crane_scout": {"zone": "siege", "item": "war_fan"}, "fox": None}},
    {"agreed": "black", "generals": {"wolf_pup-2": {"military": 2, "acted": True}}, "defeated": ["wolf_rider"]},
    {"agreed": "red", "resources": 40, "expended": 5, "defeated": [], "winner": "black", "note": "so be it"},
]


def test_what_is_agreed(game: tuple[list[Any], list[Any]]) -> None:
    """Whatever is agreed on is heard, and if it is done, it can be written and read."""
    chance, done = Random(4), 0
    for before in game[1]:
        where = position_from_json(before)
        for obj in AGREED:
            try:
                step = step_from_json(spoiled(chance, obj) if chance.random() < 0.7 else obj)
            except BadStep:
                continue
            if judge(where, step).legal:
                done += 1
                after = apply(where, step)
                assert position_from_json(position_to_json(after)) == after
    assert done


def test_steps(game: tuple[list[Any], list[Any]]) -> None:
    chance, heard, refused = Random(2), 0, 0
    for obj, before in zip(game[0], game[1], strict=False):
        where = position_from_json(before)
        for _ in range(3):
            try:
                step = step_from_json(spoiled(chance, obj))
            except BadStep:
                refused += 1
            else:
                heard += 1
                assert all(finding.citation.section for finding in examine(where, step).findings)
    assert heard
    assert refused
