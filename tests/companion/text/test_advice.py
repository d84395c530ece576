"""The player's turns, reasons and risks as sentences."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from companion.core.language import speaking
from companion.text.advice import reason_words, risk_words, turn_advice
from engine.orders.board import board_names, load_board
from engine.orders.game import new_game
from engine.orders.odds import AreaOdds, conflict_odds, shot_odds
from engine.orders.player import LEVELS, Reason, choose
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass

RIVERS = new_game("sengoku-rivers", "red", {})
ALPINE, ISLAND = (new_game(board, "blue", {}) for board in ("wwii-alpine", "wwii-island"))
DIE = (0, 1, 1, 1, 1, 2)


TURNS: list[tuple[Position, Deploy | Pass, str]] = [
    (RIVERS, Deploy("advance:c4", moves=(("b4", "troop", 2),)), "Advance to c4 with 2 troops from b4"),
    (RIVERS, Deploy("bombard:d4", target="c3"), "Bombard c3 from d4"),
    (
        RIVERS,
        Deploy("reinforce:1", place=(("e3", "troop", 2), ("d3", "siege", 1))),
        "Reinforce with 2 troops in e3 and 1 siege weapon in d3",
    ),
    (replace(RIVERS, initiative=1), Deploy("plan:1", draw=2), "Draw 2 cards and take the initiative"),
    (RIVERS, Pass(), "Pass"),
    (
        ISLAND,
        Deploy("fly:zone-red", moves=(("zone-blue", "aircraft", 3),)),
        "Fly to the red zone with 3 aircraft from blue zone",
    ),
    (ALPINE, Deploy("paradrop:b3", target="c2"), "Drop 2 troops on c2 from b3"),
    (
        ISLAND,
        Deploy("bomb:zone-red", payload=2, target="c2", cards=("airstrike",)),
        "Bomb c2 from the red zone, spending 2 aircraft, playing Airstrike",
    ),
]


@pytest.mark.parametrize(("position", "turn", "told"), TURNS)
def test_a_turn_is_said_as_one_tells_somebody_to_do_it(position: Position, turn: Deploy | Pass, told: str) -> None:
    assert turn_advice(turn, position) == told


REASONS = [
    (Reason("wins"), "wins the game"),
    (Reason("wins", chance=0.97), "wins the game: 97%"),
    (Reason("takes", ("c4",), 2, 0.7), "takes c4: 2 points"),
    (Reason("empties", ("c4",), 0, 0.7), "drives the enemy out of c4"),
    (Reason("cuts", ("b2", "b3"), 4), "cuts off b2 and b3: 4 points"),
    (Reason("links", ("d2",), 1), "brings d2 back into supply: 1 point"),
    (Reason("guards", ("e3",), chance=0.4), "guards the headquarters in e3"),
    (Reason("threatens", ("a3",), chance=0.45), "threatens the headquarters in a3: 45% next turn"),
    (Reason("holds", ("e3",), 2), "keeps the enemy out of e3: 2 points"),
    (Reason("strengthens", ("c3", "d4"), 6), "puts 6 units into c3 and d4"),
    (Reason("initiative"), "takes the initiative"),
    (Reason("draws", amount=1), "draws 1 card"),
    (Reason("waits"), "no move is better"),
    (Reason("prepares"), "improves the position"),
]


@pytest.mark.parametrize(("reason", "told"), REASONS)
def test_a_reason_says_what_the_turn_does(reason: Reason, told: str) -> None:
    assert reason_words(reason) == told


RISKS = [
    (
        AreaOdds("c4", "black", conflict_odds(DIE, 1, attackers=3, defenders=2), Fraction(0)),
        "Red takes c4 in 17% of rolls.",
    ),
    (
        AreaOdds("c4", "black", conflict_odds(DIE, 1, attackers=5, defenders=2), Fraction(0)),
        "Red takes c4, whatever the dice show.",
    ),
    (
        AreaOdds("c4", "black", conflict_odds(DIE, 1, attackers=2, defenders=2), Fraction(0)),
        "Red can't take c4, but clears it in 17% of rolls.",
    ),
    (
        AreaOdds("c4", "black", conflict_odds(DIE, 0, attackers=2, defenders=4), Fraction(0)),
        "Red can't take c4 this turn.",
    ),
    (
        AreaOdds("a3", "red", shot_odds(DIE, 2, targets=1), Fraction(35, 36)),
        "Black loses the unit in a3 in 97% of rolls. 97%: a headquarters falls and the game ends.",
    ),
    (
        AreaOdds("c3", "red", shot_odds(DIE, 2, targets=3), Fraction(0)),
        "Black loses 2.0 of 3 in c3 on average, all of them in 25% of rolls.",
    ),
    (AreaOdds("c3", "red", shot_odds(DIE, 1, targets=5), Fraction(0)), "Black loses 1.0 of 5 in c3 on average."),
    (AreaOdds("c3", "red", shot_odds(DIE, 1, targets=0), Fraction(0)), "There's nothing to hit in c3."),
]


@pytest.mark.parametrize(("odds", "told"), RISKS)
def test_a_risk_is_told_with_exact_odds(odds: AreaOdds, told: str) -> None:
    assert risk_words(odds, RIVERS) == told


def test_advice_is_said_in_the_language_in_use() -> None:
    with speaking("pt_BR"):
        assert turn_advice(TURNS[7][1], ISLAND) == (
            "Bombardear c2 a partir da zona vermelha, gastando 2 aeronaves, jogando Airstrike"
        )
        assert reason_words(Reason("threatens", ("a3",), chance=0.45)) == "ameaça o QG em a3 (45% no próximo turno)"
        assert risk_words(RISKS[5][0], RIVERS) == "Preto perde em média 2,0 de 3 em c3, todas elas em 25% das rolagens."


@pytest.mark.parametrize("board", board_names())
def test_all_that_the_player_weighs_is_said(board: str) -> None:
    position = new_game(board, load_board(board).factions[0], {})
    found = choose(position, position.to_move_name, LEVELS["child"], Random(1)).candidates
    told = [
        text
        for candidate in found
        for text in (
            turn_advice(candidate.turn, position),
            *map(reason_words, candidate.reasons),
            *(risk_words(odds, position) for odds in candidate.odds),
        )
    ]
    assert len(told) >= 2 * len(found) > 2
    assert all(text and "{" not in text for text in told)
