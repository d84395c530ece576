"""Legal turns weighed against what an eye makes of the table, with probabilities."""

from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadPosition
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.inference.case import LOOSE, case_of
from engine.orders.inference.evidence import Evidence, evidence_of
from engine.orders.inference.infer import infer, infer_from_evidence
from engine.orders.notation import parse_step
from engine.orders.position import Position
from tests.boards.practice import castle, valley
from tests.engine.orders.inference.seeing import EVERY, OPEN, START, best, changed, table, told
from tests.engine.orders.inference.turns import turns_with_cards
from tests.tables import after, rivers, stand

Counts = dict[str, list[tuple[Any, float]]]


def counts_of(position: Position, hidden: Iterable[str] = (), sure: float = 0.999) -> Counts:
    """Return the counts that an eye is sure of: what stands in each area except the hidden ones."""
    units, _ = table(position)
    return {area.name: [(units.get(area.name, {}), sure)] for area in position.board.areas if area.name not in hidden}


def held_by(position: Position, hidden: Iterable[str] = (), sure: float = 0.999) -> dict[str, dict[str, float]]:
    return {
        space.name: dict.fromkeys(position.commanders_on(space.name), sure)
        for space in position.board.spaces
        if space.area is None or space.area not in hidden
    }


def watched(position: Position, hidden: Iterable[str] = ()) -> Evidence:
    return evidence_of(position.board, counts_of(position, hidden), held_by(position, hidden))


def end_of(position: Position, steps: str) -> Position:
    return after(position, *map(parse_step, steps.split("; ")))


# --- random turns -----------------------------------------------------------------------


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_what_was_counted_for_certain_is_the_special_case(seed: int) -> None:
    for position, _, end in islice(turns_with_cards(Random(seed), load_board("sengoku-rivers")), 10):
        exact, weighed = infer(position, *table(end)), infer_from_evidence(position, watched(end))
        assert exact.explanations[0].steps == weighed.explanations[0].steps


@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), board=st.sampled_from(["rivers", "castle"]))
def test_shares_are_probabilities_and_every_turn_is_legal(seed: int, board: str) -> None:
    rng = Random(seed)
    ground = castle() if board == "castle" else load_board("sengoku-rivers")
    for position, _, end in islice(turns_with_cards(rng, ground), 8):
        hidden = rng.sample([area.name for area in ground.areas], 3)
        result = infer_from_evidence(position, watched(end, hidden), idle=rng.choice((0.0, 0.5)))
        shares = [explanation.likelihood for explanation in result.explanations]
        assert shares == sorted(shares, reverse=True)
        assert 0 <= result.none <= 1
        assert sum(shares) + result.none <= 1.000001
        for explanation in result.explanations:
            assert game.fold(position, explanation.steps) == explanation.position
        assert (result.repair is None) == (not result.illegal)


def test_unsure_counts_are_settled_by_the_rules() -> None:
    right = 0
    rng, asked = Random(4), 80
    for position, _, end in islice(turns_with_cards(rng, load_board("sengoku-rivers")), asked):
        counts = counts_of(end)
        for area in rng.sample(sorted(counts), 3):
            ((truth, _),) = counts[area]
            counts[area] = [(other_than(truth), 0.55), (truth, 0.45)]
        (first, *_) = infer_from_evidence(position, evidence_of(position.board, counts, held_by(end))).explanations
        right += (first.position.units, first.position.commanders) == (end.units, end.commanders)
    assert right >= 0.9 * asked


def other_than(truth: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    for faction, units in truth.items():
        return {faction: {unit: n + 1 for unit, n in units.items()}}
    return {"red": {"troop": 1}}


def test_a_space_held_by_a_shot_at_nobody_is_no_plan_out_of_sight() -> None:
    end = end_of(OPEN, "shell:d5 at e4; roll 1 1 by red")
    counts, held = counts_of(end), held_by(end, sure=0.995)
    on_the_map = {space.name: held[space.name] for space in OPEN.board.spaces if space.area is not None}
    first, *_ = infer_from_evidence(OPEN, evidence_of(OPEN.board, counts, on_the_map)).explanations
    assert told(first).startswith("shell:d5 at ")


@pytest.mark.parametrize(
    ("position", "owed"),
    [
        (OPEN, {2}),
        (rivers("e3:3 d3:5 c3:1", "a3:3 b3:1", hands={"black": "ambush"}), {2, 4}),
        (stand(valley(), "a1:3 a2:2 b1:2", "c3:3 c2:3 b3:2", hands={"blue": 2}), {2}),
    ],
)
def test_the_dice_that_are_owed_are_certain_and_others_are_guesses(position: Position, owed: set[int]) -> None:
    pools = case_of(position, watched(position)).pools(2, "defence", "advance")
    assert {dice for dice, chance in pools.items() if chance == 0} == owed
    assert {chance for dice, chance in pools.items() if dice not in owed} <= {LOOSE}
    assert bool(pools.keys() - owed) == bool(position.board.mode.table_cards)


# --- one table at a time ----------------------------------------------------------------


def test_the_source_tells_how_many_arrived_under_a_hand() -> None:
    end = end_of(OPEN, "advance:c4 from d5=2t")
    result = infer_from_evidence(OPEN, watched(end, hidden=["c4"]))
    assert best(result) == "advance:c4 from d5=2t"
    assert result.explanations[0].likelihood > 0.9


def test_a_count_that_no_turn_leaves_gives_way_to_one_that_does() -> None:
    end = end_of(OPEN, "advance:c4 from d5=2t")
    counts = counts_of(end)
    counts["d3"] = [({"red": {"troop": 4}}, 0.7), ({"red": {"troop": 3}}, 0.3)]
    assert best(infer_from_evidence(OPEN, evidence_of(OPEN.board, counts, held_by(end)))) == "advance:c4 from d5=2t"


def test_nothing_done_yet_is_an_explanation_where_it_is_asked_for() -> None:
    idle = infer_from_evidence(OPEN, watched(OPEN), idle=0.5)
    assert (idle.explanations[0].steps, idle.explanations[0].why) == ((), "nothing has happened yet")
    assert idle.explanations[0].position == OPEN
    assert all(explanation.steps for explanation in infer_from_evidence(OPEN, watched(OPEN)).explanations)
    moved = infer_from_evidence(OPEN, watched(end_of(OPEN, "advance:c4 from d5=2t")), idle=0.5)
    assert best(moved) == "advance:c4 from d5=2t"


def test_what_no_turn_explains_leaves_most_for_none_of_these_and_a_way_back() -> None:
    counts: Counts = {
        area.name: [(changed(START, {"b3 red troop": 1}).get(area.name, {}), 0.999)] for area in START.board.areas
    }
    result = infer_from_evidence(START, evidence_of(START.board, counts), idle=0.5)
    assert result.none > 0.5
    assert result.repair is not None
    (fix,) = result.repair.fixes
    assert (fix.place, fix.take, fix.put) == ("b3", (("red", "troop", 1),), ())
    assert fix.expected == (("black", "troop", 2),)
    assert fix.finding is not None
    assert fix.finding.rule == "reinforce.area"
    assert result.repair.steps == ()


def test_the_commanders_of_a_round_just_ended_may_still_stand() -> None:
    last = rivers("e3:3 d3:3", "a3:3", left={"red": 1, "black": 0}, commanders={"plan:1": "red"})
    end = end_of(last, "advance:d2 from d3=2t")
    late = {"plan:1": {"red": 0.99}, "advance:d2": {"red": 0.99}}
    spaces = {space.name: late.get(space.name, {}) for space in last.board.spaces}
    assert best(infer_from_evidence(last, evidence_of(last.board, counts_of(end), spaces))) == "advance:d2 from d3=2t"
    assert best(infer_from_evidence(last, watched(end))) == "advance:d2 from d3=2t"


def test_where_nobody_looked_anything_may_be() -> None:
    blind = evidence_of(OPEN.board, {})
    result = infer_from_evidence(OPEN, blind, idle=0.5)
    assert result.explanations[0].steps == ()
    assert len(result.explanations) == 24
    assert not evidence_of(OPEN.board, {"a1": []}).areas[OPEN.board.area_index["a1"]]


def test_a_turn_in_progress_is_weighed_too() -> None:
    attacked = after(OPEN, parse_step("advance:b3 from d3=2t"))
    end = after(attacked, parse_step("roll 1 by black"))
    assert best(infer_from_evidence(attacked, watched(end))) == "roll 1 by black"


def test_losses_of_mixed_forces_may_be_hidden() -> None:
    position = stand(castle(), "a1:3 a2:3+2", "b2:2+1 c1:3 c2:2")
    steps = "siege:a2 at b2; roll 1 1 by red; remove 1t+1w by black"
    end = end_of(position, steps)
    hidden = infer_from_evidence(position, watched(end, hidden=["b2"]), most=EVERY)
    assert steps in [told(explanation) for explanation in hidden.explanations]
    assert best(infer_from_evidence(position, watched(end))) == steps


@pytest.mark.parametrize(
    ("counts", "commanders", "message"),
    [
        ({"z9": []}, None, "counts.z9: no such area on this board"),
        ({"a1": [({"blue": {}}, 1.0)]}, None, "counts.a1: 'blue' is no faction"),
        ({"a1": [({}, 1.5)]}, None, "counts.a1: a probability from 0 to 1, not 1.5"),
        ({}, {"plan:9": {}}, "commanders.plan:9: no such action space on this board"),
        ({}, {"plan:1": {"blue": 1.0}}, "commanders.plan:1: 'blue' is no faction"),
        ({}, {"plan:1": {"red": -0.5}}, "commanders.plan:1.red: a probability from 0 to 1, not -0.5"),
    ],
)
def test_evidence_of_what_is_not_on_the_board_is_refused(counts: Any, commanders: Any, message: str) -> None:
    with pytest.raises(BadPosition) as caught:
        evidence_of(OPEN.board, counts, commanders)
    assert str(caught.value).startswith(message)
