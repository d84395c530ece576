"""What legal turn turns a position into what is seen, where cards were played, lie face up, or two turns were."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders import game
from engine.orders.inference.evidence import Evidence, evidence_of
from engine.orders.inference.infer import Explanation, Inference, infer, infer_from_evidence
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import cards_of
from tests.engine.orders.inference.seeing import EVERY, OPEN, START, all_told, best, changed, seen_after, table, told
from tests.engine.orders.inference.test_weigh import end_of, watched
from tests.tables import after, deploy, rivers, rolled

FIELD = "e3:3 d3:3 e1:2 d5:3 e4:3 c3:2"
FOES = "a3:3 b3:2 b5:3 a1:2 a4:3 c4:2 b4:1"


def holding(red: str | int = "", black: str | int = "", **more: Any) -> Position:
    return rivers(FIELD, FOES, hands={"red": red, "black": black}, **more)


CARDS = [
    ("ground_assault", "", "advance:d2 from d3=2t reserve=2t with ground_assault"),
    ("ground_assault", "", "advance:b3 from d3=2t reserve=2t with ground_assault; roll 0 by black"),
    ("river_assault", "", "sail:d4 from e4=1s reserve=1s with river_assault"),
    ("mobilise", "", "reinforce:1 place d3=2t d5=2t e1=3t e3=1t with mobilise"),
    ("commandeer", "", "embark:2 place c3=1s d4=2s with commandeer"),
    ("shore_strike", "", "bombard:c3 at b3; roll 1 1 by red; accept"),
    ("", "ambush", "advance:b3 from d3=2t; roll 1 by black; accept"),
]


@pytest.mark.parametrize(("red", "black", "steps"), CARDS)
@pytest.mark.parametrize("hidden", [False, True], ids=["known", "hidden"])
def test_what_cards_add_is_recognised(red: str, black: str, steps: str, hidden: bool) -> None:
    position = holding(3 if hidden and red else red, 3 if hidden and black else black)
    found = seen_after(position, steps)
    plain = all_told(found)
    assert steps in plain
    assert plain[0].partition(" ")[0] == steps.partition(" ")[0]


def test_a_card_that_nobody_has_explains_nothing() -> None:
    units, commanders = table(after(holding("mobilise"), parse_step(CARDS[3][2])))
    assert infer(holding("mobilise"), units, commanders).explanations
    assert not infer(holding(), units, commanders).explanations
    gone = holding(3, discard="mobilise mobilise mobilise")
    assert not infer(gone, units, commanders).explanations


def test_more_losses_than_one_die_shows_were_an_ambush() -> None:
    position = rivers("e3:3 d3:5 c3:1", "a3:3 b3:1", hands={"black": "ambush"})
    steps = "advance:b3 from d3=4t; play ambush by black; roll 1 1 1 by black"
    assert best(seen_after(position, steps)) == steps
    assert seen_after(position, steps).explanations[0].why.endswith("Black plays Ambush; Black rolls 3")


def test_more_losses_than_the_ships_could_deal_were_a_shore_strike() -> None:
    position = rivers("e3:3 d3:1 c3:1", "a3:3 b3:4", hands={"red": 2})
    steps = "bombard:c3 at b3; play shore_strike by red; roll 1 1 1 by red; accept"
    assert best(seen_after(position, steps)) == steps


def test_a_second_shell_is_a_ship_strike() -> None:
    position = rivers("e3:3 d3:2", "a3:3 c3:2 d4:2", hands={"red": "ship_strike"})
    steps = "shell:d3 at c3; roll 1 1 by red; accept; play ship_strike by red at d4; roll 0 1 by red"
    other = "shell:d3 at d4; roll 0 1 by red; accept; play ship_strike by red at c3; roll 1 1 by red"
    assert set(all_told(seen_after(position, steps))[:2]) == {steps, other}
    thrice = rivers("e3:3 d3:2", "a3:3 c3:3", hands={"red": 1})
    both = "shell:d3 at c3; roll 0 1 by red; accept; play ship_strike by red at c3; roll 1 1 by red"
    assert any("play ship_strike by red at c3" in line for line in all_told(seen_after(thrice, both)))


def test_a_commander_beside_the_enemys_is_a_counterattack() -> None:
    position = holding("counterattack ground_assault", commanders={"advance:d2": "black"})
    steps = "advance:d2 from d3=2t with counterattack; accept"
    assert best(seen_after(position, steps)) == steps
    both = "advance:d2 from d3=2t reserve=1t with counterattack ground_assault"
    assert both in all_told(seen_after(position, both))
    assert best(seen_after(position, "plan:1 draw 1")) == "plan:1 draw 1"


def test_ships_among_the_enemys_are_a_commandeer() -> None:
    position = rivers("e3:3 d3:3 e4:1", "a3:3 b3:2 d4:1", hands={"red": "commandeer"})
    steps = "embark:1 place d4=4s with commandeer; roll 1 by black"
    assert best(seen_after(position, steps)) == steps
    lost = "embark:1 place d4=1s with commandeer; roll 1 by black"
    assert lost in all_told(seen_after(position, lost))


def test_a_placement_has_to_be_whole_where_the_table_says_so() -> None:
    position = rivers("e3:2 d3:2", "a3:3", readings="place-fewer")
    commanders = {"reinforce:1": "red"}
    assert not infer(position, changed(position, {"e3 red troop": 1}), commanders).explanations
    assert infer(rivers("e3:2 d3:2", "a3:3"), changed(position, {"e3 red troop": 1}), commanders).explanations


def test_cards_played_in_a_turn_in_progress() -> None:
    placed = after(holding("mobilise"), parse_step("reinforce:1 place d3=2t d5=2t"))
    steps = "play mobilise by red place e1=1t e3=1t"
    assert steps in all_told(seen_after(placed, steps))
    moved = after(holding("ground_assault"), parse_step("advance:d2 from d3=1t"))
    assert best(seen_after(moved, "play ground_assault by red units 2")) == "play ground_assault by red units 2"
    landed = after(
        rivers("e3:3 d3:3 e4:1", "a3:3 d4:1", hands={"red": "commandeer"}), parse_step("embark:2 place e4=2s")
    )
    seized = "play commandeer by red place d4=1s; roll 0 by black"
    assert seized in all_told(seen_after(landed, seized, most=EVERY))


# ==== Cards that lie face up beside the board tell turns apart that the board alone can't ======

LAID_FIELD, LAID_FOES = "e3:3 d3:5 c3:1", "a3:3 b3:1"
ADVANCE = "advance:b3 from d3=4t"
SHOT = "roll 1 by black"


@pytest.fixture
def position() -> Position:
    return rivers(LAID_FIELD, LAID_FOES, hands={"red": 3, "black": 3})


def seen(position: Position, steps: str, *laid: str, two: bool = False) -> Inference:
    evidence = replace(watched(end_of(position, steps)), face_up=laid)
    return infer_from_evidence(position, evidence, idle=0.5, two=two)


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
    nothing = infer_from_evidence(position, replace(watched(position), face_up=("ambush",)), idle=0.5)
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
    found = infer_from_evidence(position, replace(watched(second), face_up=("ambush",)), idle=0.5, two=True)
    assert played(found) == ["ambush"]


# ==== Two turns that were played before anybody said the first =================================


def seen_from_above(position: Position, units: dict[str, dict[str, dict[str, int]]] | None = None) -> Evidence:
    """Return what an eye over the map is sure of while the support board is out of its sight."""
    here = table(position)[0] if units is None else units
    counts = {area.name: [(here.get(area.name, {}), 0.9999)] for area in position.board.areas}
    held = {
        space.name: {
            who: 0.999 if who in position.commanders_on(space.name) else 0.001 for who in position.board.factions
        }
        for space in position.board.spaces
        if space.area is not None
    }
    return evidence_of(position.board, counts, held)


@pytest.mark.parametrize(
    "turns",
    [
        "advance:c4 from d5=2t; advance:c5 from b5=2t",
        "bombard:c3 at b3; roll 1 1 by red; sail:b4 from a4=1s",
        "plan:2 draw 2; advance:c5 from b5=2t",
    ],
)
def test_two_turns_are_told_in_their_order(turns: str) -> None:
    ready = rivers("e3:3 d3:3 e1:2 d5:3 e4:3 c3:2", "a3:3 b3:2 b5:3 a1:2 a4:3")
    end = after(ready, *map(parse_step, turns.split("; ")))
    result = infer_from_evidence(ready, seen_from_above(end), idle=0.5, two=True)
    first = result.explanations[0]
    last = turns.rpartition("; ")[2]
    assert told(first).endswith(last)
    assert told(first).partition(":")[0] == turns.partition(":")[0]
    assert game.fold(ready, first.steps) == first.position
    assert table(first.position)[0] == table(end)[0]
    assert not result.illegal
    assert infer_from_evidence(ready, seen_from_above(end), idle=0.5).none > 0.5


def test_what_the_second_turn_shot_off_again_had_come_in_the_first() -> None:
    ready = rivers("e3:3 d3:3 e1:2 e4:3", "a3:3 b3:2 b5:3 c5:3 a4:2")
    turns = "sail:c6 from e4=2s; shell:b5 at c6; roll 2 1 by black"
    end = after(ready, *map(parse_step, turns.split("; ")))
    assert not end.units_in("c6")
    first = infer_from_evidence(ready, seen_from_above(end), idle=0.5, two=True).explanations[0]
    assert told(first).startswith("sail:c6 from e4=2s; shell:b5 at c6")


def test_a_unit_too_many_is_no_second_turn() -> None:
    wrong = seen_from_above(START, changed(START, {"b3 black troop": 1}))
    result = infer_from_evidence(START, wrong, idle=0.5, two=True)
    assert result.none > 0.5
    assert {refusal.area for refusal in result.illegal} == {"b3"}


def test_a_turn_in_progress_and_a_game_that_is_over_have_no_second_turn() -> None:
    begun = after(OPEN, parse_step("bombard:c3 at b3"))
    over = after(rivers("e3:3 b4:3 c3:1 d3:1", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    for position in (begun, over):
        wrong = seen_from_above(position, changed(position, {"a4 red ship": 1, "c6 red ship": 1}))
        assert infer_from_evidence(position, wrong, two=True) == infer_from_evidence(position, wrong)


def test_the_first_of_two_turns_does_not_end_the_game() -> None:
    storm = rivers("e3:3 b4:3 c3:1 d3:1", "a3:1 b5:3")
    end = after(storm, deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    moved = seen_from_above(end, changed(end, {"b5 black troop": -2, "c5 black troop": 2}))
    result = infer_from_evidence(storm, moved, two=True)
    assert all(len(explanation.steps) < 3 or explanation.position.winner is None for explanation in result.explanations)
