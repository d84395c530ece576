"""Two turns that were played before anybody said the first."""

import pytest

from engine.orders import game
from engine.orders.inference.evidence import Evidence, evidence_of
from engine.orders.inference.infer import weigh
from engine.orders.notation import parse_step
from engine.orders.position import Position
from tests.engine.orders.inference.seeing import OPEN, START, changed, table, told
from tests.tables import after, deploy, rivers, rolled


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
    result = weigh(ready, seen_from_above(end), idle=0.5, two=True)
    first = result.explanations[0]
    last = turns.rpartition("; ")[2]
    assert told(first).endswith(last)
    assert told(first).partition(":")[0] == turns.partition(":")[0]
    assert game.fold(ready, first.steps) == first.position
    assert table(first.position)[0] == table(end)[0]
    assert not result.illegal
    assert weigh(ready, seen_from_above(end), idle=0.5).none > 0.5


def test_what_the_second_turn_shot_off_again_had_come_in_the_first() -> None:
    ready = rivers("e3:3 d3:3 e1:2 e4:3", "a3:3 b3:2 b5:3 c5:3 a4:2")
    turns = "sail:c6 from e4=2s; shell:b5 at c6; roll 2 1 by black"
    end = after(ready, *map(parse_step, turns.split("; ")))
    assert not end.units_in("c6")
    first = weigh(ready, seen_from_above(end), idle=0.5, two=True).explanations[0]
    assert told(first).startswith("sail:c6 from e4=2s; shell:b5 at c6")


def test_a_unit_too_many_is_no_second_turn() -> None:
    wrong = seen_from_above(START, changed(START, {"b3 black troop": 1}))
    result = weigh(START, wrong, idle=0.5, two=True)
    assert result.none > 0.5
    assert {refusal.area for refusal in result.illegal} == {"b3"}


def test_a_turn_in_progress_and_a_game_that_is_over_have_no_second_turn() -> None:
    begun = after(OPEN, parse_step("bombard:c3 at b3"))
    over = after(rivers("e3:3 b4:3 c3:1 d3:1", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    for position in (begun, over):
        wrong = seen_from_above(position, changed(position, {"a4 red ship": 1, "c6 red ship": 1}))
        assert weigh(position, wrong, two=True) == weigh(position, wrong)


def test_the_first_of_two_turns_does_not_end_the_game() -> None:
    storm = rivers("e3:3 b4:3 c3:1 d3:1", "a3:1 b5:3")
    end = after(storm, deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    moved = seen_from_above(end, changed(end, {"b5 black troop": -2, "c5 black troop": 2}))
    result = weigh(storm, moved, two=True)
    assert all(len(explanation.steps) < 3 or explanation.position.winner is None for explanation in result.explanations)
