"""Dice pools, their exact odds, and how lucky rolls were, held against counting every way the dice can fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Throw, luckier_than, luckiest, pool_odds, unluckiest

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


# ==== How lucky rolls were, held against counting every way in which the dice can fall =========

SIX = (0, 0, 0, 0, 0, 1)


def throw(hits: int, dice: int = 2, faces: tuple[int, ...] = DIE, step: int = 0) -> Throw:
    return Throw(step, "red", faces, dice, hits)


@pytest.mark.parametrize("faces", [DIE, SIX])
@pytest.mark.parametrize("dice", [1, 3])
def test_how_often_that_or_worse_comes_is_counted_over_all_faces(faces: tuple[int, ...], dice: int) -> None:
    totals = [sum(rolled) for rolled in product(faces, repeat=dice)]
    for hits in range(max(totals) + 1):
        roll = throw(hits, dice, faces)
        assert roll.chance_at_most == Fraction(sum(total <= hits for total in totals), len(totals))
        assert roll.chance_at_least == Fraction(sum(total >= hits for total in totals), len(totals))
        assert roll.expected == Fraction(sum(totals), len(totals))
        assert roll.rarity == (roll.chance_at_least if hits > roll.expected else roll.chance_at_most)


def test_one_hit_with_twelve_dice() -> None:
    assert float(throw(0, 12, SIX).chance_at_most) == pytest.approx((5 / 6) ** 12)
    assert throw(1, 12, SIX).chance_at_most == Fraction(5, 6) ** 12 + 12 * Fraction(1, 6) * Fraction(5, 6) ** 11


def test_all_rolls_together_are_a_share_of_players() -> None:
    rolls = [throw(2, 1), throw(0, 1)]
    totals = [pips + other for pips in DIE for other in DIE]
    share = Fraction(2 * sum(total < 2 for total in totals) + sum(total == 2 for total in totals), 72)
    assert luckier_than(rolls) == share == Fraction(1, 2)
    assert luckier_than([]) == Fraction(1, 2)


def test_the_luckiest_and_the_unluckiest_roll_of_a_game() -> None:
    plain, good, bad = throw(2), throw(4, step=1), throw(0, step=2)
    assert luckiest([plain, good, bad]) == good
    assert unluckiest([plain, good, bad]) == bad
    assert luckiest([plain, bad]) is None
    assert unluckiest([plain, good]) is None
