"""Dice pools and their exact odds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import pool_odds

DIE = (0, 1, 1, 1, 1, 2)


@pytest.mark.parametrize("dice", range(6))
def test_the_odds_are_those_of_counting_every_way(dice: int) -> None:
    ways = [sum(faces) for faces in product(DIE, repeat=dice)]
    assert pool_odds(DIE, dice) == {total: Fraction(ways.count(total), len(ways)) for total in sorted(set(ways))}


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6), st.integers(0, 8))
def test_odds_add_up_to_one_and_the_mean_grows_with_the_dice(faces: list[int], dice: int) -> None:
    odds = pool_odds(tuple(faces), dice)
    assert sum(odds.values()) == 1
    assert sum(total * chance for total, chance in odds.items()) == Fraction(dice * sum(faces), len(faces))
