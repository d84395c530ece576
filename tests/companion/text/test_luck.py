"""Luck in words: how unlikely a roll was, and how lucky a side was over a game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.core.language import speaking
from companion.text.luck import luck_lines, share_words, throw_words
from companion.text.people import People
from engine.dice import Throw

PEOPLE = People(("red", "black"), {"red": "Ana", "black": "Bo"})
SIX = (0, 0, 0, 0, 0, 1)
DIE = (0, 1, 1, 1, 1, 2)


def test_a_roll_says_how_often_it_comes() -> None:
    roll = Throw(0, "red", SIX, 12, 0)
    assert throw_words(roll, PEOPLE) == "Ana hit with 0 of 12 dice. That or worse comes 11% of the time."
    better = Throw(0, "red", DIE, 1, 2)
    assert throw_words(better, PEOPLE) == "Ana rolled 2 with 1 die. That or better comes 17% of the time."
    with speaking("pt_BR"):
        assert throw_words(roll, PEOPLE) == "Ana acertou com 0 de 12 dados. Isso ou pior sai 11% das vezes."


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0.8, "Ana: luckier with dice than 80 of 100 players."),
        (0.2, "Ana: unluckier with dice than 80 of 100 players."),
        (1.0, "Ana: luckier with dice than 99 of 100 players."),
    ],
)
def test_a_game_is_told_as_a_share_of_players(share: float, told: str) -> None:
    assert share_words("Ana", Fraction(share).limit_denominator(1000)) == told


def test_a_side_without_dice_has_no_luck() -> None:
    rolls = [Throw(0, "red", DIE, 1, 2), Throw(1, "red", DIE, 1, 0)]
    assert list(luck_lines(rolls, PEOPLE)) == [
        "Ana: luckier with dice than 50 of 100 players.",
        "Luckiest roll: Ana rolled 2 with 1 die. That or better comes 17% of the time.",
        "Unluckiest roll: Ana rolled 0 with 1 die. That or worse comes 17% of the time.",
    ]
    assert list(luck_lines([], PEOPLE)) == []
