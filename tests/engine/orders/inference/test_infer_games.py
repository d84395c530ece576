"""What legal turn turns a position into what is seen, over random games."""

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders import game
from engine.orders.board import load_board
from engine.orders.inference.infer import Explanation, Inference, infer
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step
from tests.boards.practice import BOARDS
from tests.engine.orders.inference.seeing import EVERY, table
from tests.engine.orders.inference.turns import turns, turns_with_cards

pytestmark = pytest.mark.chance


def same_turn(explanation: Explanation, steps: list[Step], end: Position) -> bool:
    """Whether an explanation is the turn that was played: the same space, and the same on the table after it."""
    first, played = explanation.steps[0], steps[0]
    if isinstance(first, Deploy) and isinstance(played, Deploy) and first.space != played.space:
        return False
    return type(first) is type(played) and table(explanation.position) == table(end)


def check_explanations(position: Position, result: Inference, end: Position, looked: bool) -> None:
    """Every explanation, carried out, gives exactly what was seen; the most likely comes first."""
    units, commanders = table(end)
    for explanation in result.explanations:
        found = table(game.fold(position, explanation.steps))
        assert found[0] == units
        assert not looked or found[1] == commanders
        assert game.fold(position, explanation.steps) == explanation.position
    shares = [explanation.likelihood for explanation in result.explanations]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1 - result.none)


SWITCHED: tuple[str, ...] = (
    "place-fewer",
    "empty-target",
    "empty-deck",
    "forward-base-gain",
    "bomb-last-aircraft",
    "barrage-path",
)
SWITCHED += ("own-target", "signal-after-pass", "defence-adds", "hq-zone-lost", "short-reserve")


@pytest.mark.parametrize("board", ["rivers", "castle", "strip", "valley", "atoll"])
@pytest.mark.parametrize("switched", [False, True], ids=["printed", "switched"])
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_a_random_turn_is_always_among_the_explanations(board: str, switched: bool, seed: int) -> None:
    ground = BOARDS[board]()
    readings = tuple(name for name in SWITCHED if switched and name in ground.mode.readings)
    for position, steps, end in islice(turns(Random(seed), ground, readings), 20):
        units, commanders = table(end)
        for looked in (True, False):
            result = infer(position, units, commanders if looked else None, most=EVERY)
            check_explanations(position, result, end, looked)
            assert any(same_turn(explanation, steps, end) for explanation in result.explanations), steps
            assert not result.illegal


@pytest.mark.parametrize("board", ["rivers", "castle", "fortress", "alpine", "island"])
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_a_random_turn_with_cards_leaves_what_the_first_explanation_leaves(board: str, seed: int) -> None:
    for position, steps, end in islice(turns_with_cards(Random(seed), BOARDS[board]()), 12):
        result = infer(position, *table(end), most=EVERY)
        check_explanations(position, result, end, looked=True)
        assert any(same_turn(explanation, steps, end) for explanation in result.explanations), steps


def test_with_commanders_seen_the_turn_played_comes_first() -> None:
    played = list(islice(turns(Random(11), load_board("sengoku-rivers")), 200))
    first = 0
    for position, steps, end in played:
        units, commanders = table(end)
        result = infer(position, units, commanders)
        first += same_turn(result.explanations[0], steps, end)
    assert first >= 0.95 * len(played)


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 3))
def test_a_table_that_somebody_touched_is_explained_or_refused_where_it_differs(seed: int, changes: int) -> None:
    rng = Random(seed)
    for position, _, end in islice(turns(rng, load_board("sengoku-rivers")), 6):
        units, commanders = table(end)
        for _ in range(changes):
            area = rng.choice(position.board.areas)
            faction, unit = rng.choice(position.board.factions), rng.choice(("troop", "ship"))
            units.setdefault(area.name, {}).setdefault(faction, {})[unit] = rng.randrange(7)
        looked = commanders if rng.random() < 0.5 else None
        result = infer(position, units, looked)
        assert bool(result.explanations) != bool(result.illegal)
        bare = {area: {f: u for f, u in sides.items() if any(u.values())} for area, sides in units.items()}
        for explanation in result.explanations:
            found, _ = table(game.fold(position, explanation.steps))
            assert found == {
                area: {f: {unit: n for unit, n in u.items() if n} for f, u in sides.items()}
                for area, sides in bare.items()
                if sides
            }
        here = {area.name for area in position.board.areas} | {space.name for space in position.board.spaces}
        assert all(refusal.area in here and "\n" not in refusal.message for refusal in result.illegal)
