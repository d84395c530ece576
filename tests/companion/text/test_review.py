"""A review in words: what was better and why, what chance did, who won by what, and how lucky a side was."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from companion.core.language import speaking
from companion.text.people import People
from companion.text.review import (
    TurnWords,
    curve_parts,
    good_turns,
    luck_lines,
    point_lines,
    point_title,
    share_words,
    story,
    throw_words,
)
from engine.dice import Throw
from engine.orders.player import Reason
from engine.orders.player.review import Account, ReviewedTurn, Swing, TurningPoint, chances
from engine.orders.steps import Deploy
from tests.companion.sample_games import played
from tests.companion.sample_reviews import reviewed

PEOPLE = People(("red", "black"), {"red": "Ana"})
EVEN = Account(10, 5, -0.2)


def words(turn: ReviewedTurn) -> TurnWords:
    steps, positions = played()
    return TurnWords(turn, positions, steps, PEOPLE)


def mistake(*reasons: Reason) -> TurningPoint:
    """Return the first turn, as if another had been better for these reasons."""
    best = Deploy("plan:1", draw=2)
    swings = (Swing(0, "choice", "red", -0.2),)
    turn = replace(reviewed(1)[0], best=best, best_chance=0.6, taken_chance=0.4, reasons=reasons, swings=swings)
    return TurningPoint(turn, "choice", -0.2)


def test_a_choice_says_what_was_better_and_why() -> None:
    point = mistake(Reason("holds", ("e3",), 2), Reason("draws", amount=2))
    assert point_title(point, PEOPLE) == "Round 1 · Ana −20%"
    played_, better = point_lines(point, words(point.turn))
    assert played_ == "Ana advanced to c5 with 2 troops from d5."
    assert better == "Draw 2 cards wins 60% of the time, not 40%. It keeps the enemy out of e3: 2 points."
    with speaking("pt_BR"):
        assert list(point_lines(point, words(point.turn))) == [
            "Ana avançou para c5 com 2 tropas de d5.",
            "Comprar 2 cartas vence em 60% das vezes, não em 40%: mantém o inimigo fora de e3 (2 pontos).",
        ]


def test_a_reason_that_the_turn_tells_itself_is_left_out() -> None:
    point = mistake(Reason("draws", amount=2), Reason("initiative"))
    assert words(point.turn).better() == "Draw 2 cards wins 60% of the time, not 40%."


@pytest.mark.parametrize(
    ("luck", "told"), [(0.1, "Good luck for Ana: from 40% to 50%"), (-0.1, "Bad luck for Ana: from 40% to 30%")]
)
def test_luck_says_what_the_dice_did(luck: float, told: str) -> None:
    turn = next(turn for turn in reviewed(12) if any(swing.kind == "dice" for swing in turn.swings))
    roll = next(swing for swing in turn.swings if swing.kind == "dice")
    swings = (turn.swings[0], replace(roll, by="red", change=luck))
    lucky = replace(turn, side="red", expected=0.4, swings=swings)
    lines = list(point_lines(TurningPoint(lucky, "luck", luck), words(lucky)))
    assert "rolled" in lines[1]
    assert lines[2] == f"{told}."


def test_a_card_says_what_it_did() -> None:
    turn = next(turn for turn in reviewed() if any(swing.kind == "played" for swing in turn.swings))
    played_ = next(swing for swing in turn.swings if swing.kind == "played")
    swings = (turn.swings[0], replace(played_, by="red", change=0.3))
    brought = replace(turn, side="red", after=0.7, swings=swings)
    lines = list(point_lines(TurningPoint(brought, "card", 0.3), words(brought)))
    assert lines[-1] == "The card took Ana from 40% to 70%."


def test_the_parts_that_are_told_add_up_to_the_curve_to_the_point() -> None:
    turns = reviewed()
    curve, parts = chances(turns, "red"), curve_parts(turns, ("red", "black"))
    assert [part.name for part in parts] == 2 * ["choices", "cards played", "dice", "cards drawn", "seen later"]
    assert [part.side for part in parts] == 5 * ["red"] + 5 * ["black"]
    assert sum(part.points for part in parts) == round(100 * curve[-1]) - round(100 * curve[0])
    assert parts[-1].end == pytest.approx(curve[-1])
    assert all(part.end == other.begin for part, other in pairwise(parts))


def test_what_was_agreed_is_a_part_of_its_own() -> None:
    turn = reviewed(1)[0]
    given = replace(turn, swings=(*turn.swings, Swing(turn.first, "agreed", turn.side, 0.1)))
    assert "agreed" in [part.name for part in curve_parts([given], ("red", "black"))]


@pytest.mark.parametrize(
    ("won", "lost", "told"),
    [
        (EVEN, EVEN, ""),
        (replace(EVEN, choice=0.0), EVEN, "Ana won by better decisions."),
        (replace(EVEN, choice=0.0, dice=-0.1), EVEN, "Ana won by better decisions, though luck was against them."),
        (replace(EVEN, drawn=0.1), EVEN, "Ana won with luck."),
        (replace(EVEN, choice=-0.1, dice=0.3), EVEN, "Ana won with better decisions and a lot of luck."),
    ],
)
def test_a_sentence_says_what_decided(won: Account, lost: Account, told: str) -> None:
    assert story((won, lost), PEOPLE, "red") == told
    assert story((won, lost), PEOPLE, None) == ""
    assert good_turns(won) == "5 of 10"


# ---- luck ----------------------------------------------------------------------------------------

BOTH = People(("red", "black"), {"red": "Ana", "black": "Bo"})
SIX = (0, 0, 0, 0, 0, 1)
DIE = (0, 1, 1, 1, 1, 2)


def test_a_roll_says_how_often_it_comes() -> None:
    roll = Throw(0, "red", SIX, 12, 0)
    assert throw_words(roll, BOTH) == "Ana hit with 0 of 12 dice. That or worse comes 11% of the time."
    better = Throw(0, "red", DIE, 1, 2)
    assert throw_words(better, BOTH) == "Ana rolled 2 with 1 die. That or better comes 17% of the time."
    with speaking("pt_BR"):
        assert throw_words(roll, BOTH) == "Ana acertou com 0 de 12 dados. Isso ou pior sai 11% das vezes."


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
    assert list(luck_lines(rolls, BOTH)) == [
        "Ana: luckier with dice than 50 of 100 players.",
        "Luckiest roll: Ana rolled 2 with 1 die. That or better comes 17% of the time.",
        "Unluckiest roll: Ana rolled 0 with 1 die. That or worse comes 17% of the time.",
    ]
    assert list(luck_lines([], BOTH)) == []
