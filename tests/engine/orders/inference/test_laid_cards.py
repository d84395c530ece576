"""Cards that lie face up beside the board tell turns apart that the board alone can't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.orders.inference.infer import Explanation, Inference, weigh
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import cards_of
from tests.engine.orders.inference.test_weigh import end_of, watched
from tests.tables import after, rivers

FIELD, FOES = "e3:3 d3:5 c3:1", "a3:3 b3:1"
ADVANCE = "advance:b3 from d3=4t"
SHOT = "roll 1 by black"


@pytest.fixture
def position() -> Position:
    return rivers(FIELD, FOES, hands={"red": 3, "black": 3})


def seen(position: Position, steps: str, *laid: str, two: bool = False) -> Inference:
    evidence = replace(watched(end_of(position, steps)), face_up=laid)
    return weigh(position, evidence, idle=0.5, two=two)


def cards_in(explanation: Explanation) -> list[str]:
    return [card for step in explanation.steps for card in cards_of(step)]


def played(inference: Inference) -> list[str]:
    return cards_in(inference.explanations[0])


def test_one_hit_is_no_ambush_unless_the_card_lies_there(position: Position) -> None:
    steps = f"{ADVANCE}; {SHOT}"
    assert played(seen(position, steps)) == []
    assert played(seen(position, steps, "ambush")) == ["ambush"]


def test_a_card_that_no_legal_turn_plays_brings_none_forward(position: Position) -> None:
    steps = f"{ADVANCE}; {SHOT}"
    plain, odd = seen(position, steps), seen(position, steps, "mobilise")
    assert played(odd) == []
    assert odd.explanations[0].steps == plain.explanations[0].steps
    assert odd.none < 0.5


def test_a_card_laid_before_a_piece_was_moved_is_no_turn(position: Position) -> None:
    nothing = weigh(position, replace(watched(position), face_up=("ambush",)), idle=0.5)
    assert nothing.explanations[0].steps == ()


def test_each_copy_counts_for_itself(position: Position) -> None:
    steps = f"{ADVANCE}; {SHOT}"
    once, twice = seen(position, steps, "ambush"), seen(position, steps, "ambush", "ambush")
    assert played(once) == played(twice) == ["ambush"]
    assert twice.explanations[0].likelihood == pytest.approx(once.explanations[0].likelihood, abs=0.01)


def test_where_one_is_seen_another_that_was_played_would_be_seen_as_well(position: Position) -> None:
    steps = f"{ADVANCE}; {SHOT}"
    both = [
        explanation for explanation in seen(position, steps, "ambush").explanations if len(cards_in(explanation)) == 2
    ]
    shown = seen(position, steps, "ambush", "ground_assault")
    assert sorted(played(shown)) == ["ambush", "ground_assault"]
    assert max(explanation.likelihood for explanation in both) < shown.explanations[0].likelihood


def test_of_two_turns_either_may_have_played_it(position: Position) -> None:
    first = f"{ADVANCE}; {SHOT}"
    begun = end_of(position, first)
    second = after(begun, parse_step("reinforce:1 place a3=2t"))
    found = weigh(position, replace(watched(second), face_up=("ambush",)), idle=0.5, two=True)
    assert played(found) == ["ambush"]
