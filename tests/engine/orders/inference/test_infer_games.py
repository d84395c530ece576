"""Which turn was played, over random games, and how likely a turn is only the beginning of a fuller one."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders import game
from engine.orders.board import load_board
from engine.orders.game import apply, fold, new_game
from engine.orders.inference.infer import Explanation, Inference, add_fuller_odds, fuller_odds, infer
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from tests.boards.practice import BOARDS
from tests.engine.orders.inference.seeing import EVERY, table
from tests.engine.orders.inference.turns import turns, turns_with_cards


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


@pytest.mark.chance
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


@pytest.mark.chance
@pytest.mark.parametrize("board", ["rivers", "castle", "fortress", "alpine", "island"])
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_a_random_turn_with_cards_leaves_what_the_first_explanation_leaves(board: str, seed: int) -> None:
    for position, steps, end in islice(turns_with_cards(Random(seed), BOARDS[board]()), 12):
        result = infer(position, *table(end), most=EVERY)
        check_explanations(position, result, end, looked=True)
        assert any(same_turn(explanation, steps, end) for explanation in result.explanations), steps


@pytest.mark.chance
def test_with_commanders_seen_the_turn_played_comes_first() -> None:
    played = list(islice(turns(Random(11), load_board("sengoku-rivers")), 200))
    first = 0
    for position, steps, end in played:
        units, commanders = table(end)
        result = infer(position, units, commanders)
        first += same_turn(result.explanations[0], steps, end)
    assert first >= 0.95 * len(played)


@pytest.mark.chance
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


# ==== How likely a turn is only the beginning of a fuller one, against that it is done =========


@pytest.fixture
def position() -> Position:
    board = load_board("sengoku-rivers")
    tokens = dict(zip(board.slots, sorted(board.mode.tokens), strict=False))
    return new_game("sengoku-rivers", "red", tokens)


def agreed(position: Position, **areas: tuple[tuple[str, str, int], ...]) -> Position:
    return apply(position, Agreed(areas=tuple(areas.items())))


def advance(n: int) -> Deploy:
    return Deploy("advance:c4", moves=(("d5", "troop", n),))


def test_all_that_may_leave_is_no_beginning(position: Position) -> None:
    assert position.units_in("d5") == {"red": {"troop": 3}}
    assert fuller_odds(position, (advance(2),)) == 0.0


def test_one_of_two_that_may_leave_is_as_likely_a_beginning_as_not(position: Position) -> None:
    assert fuller_odds(position, (advance(1),)) == pytest.approx(1.0)


def test_another_area_that_may_send_some_makes_it_one_now_and_then(position: Position) -> None:
    beside = agreed(position, c5=(("red", "troop", 2),))
    one_more = fuller_odds(beside, (advance(2),)) - fuller_odds(position, (advance(2),))
    assert one_more == pytest.approx(0.4 / 0.6)


def test_of_several_other_areas_hardly_more_than_one_sends_some(position: Position) -> None:
    beside = agreed(position, c5=(("red", "troop", 2),))
    two = agreed(position, c5=(("red", "troop", 2),), b5=(("red", "troop", 2),))
    assert fuller_odds(two, (advance(2),)) == fuller_odds(beside, (advance(2),))


def test_an_area_that_can_not_send_all_it_can_spare_hardly_joins(position: Position) -> None:
    strong = agreed(position, c5=(("red", "troop", 5),))
    assert fuller_odds(strong, (advance(2),)) == pytest.approx(0.05)


def test_into_a_full_area_nothing_follows(position: Position) -> None:
    crowd = agreed(position, d5=(("red", "troop", 6),))
    most = position.board.mode.caps["land"]
    assert most == 5
    assert fuller_odds(crowd, (advance(4),)) > 0.0
    assert fuller_odds(agreed(position, d5=(("red", "troop", 7),)), (advance(5),)) == 0.0


def test_who_lets_units_join_from_the_reserve_may_send_more_from_the_areas_as_well(position: Position) -> None:
    crowd = agreed(position, d5=(("red", "troop", 4),))
    joined = Deploy("advance:c4", moves=(("d5", "troop", 1), ("reserve", "troop", 1)), cards=("ground_assault",))
    assert fuller_odds(crowd, (joined,)) == fuller_odds(crowd, (advance(1),)) == pytest.approx(2.0)


def test_fewer_units_than_may_be_placed_are_mostly_a_beginning(position: Position) -> None:
    def placed(*areas: tuple[str, int]) -> float:
        return fuller_odds(position, (Deploy("reinforce:1", place=tuple((area, "troop", n) for area, n in areas)),))

    assert placed(("d3", 3), ("e1", 3)) == 0.0
    assert placed(("d3", 2), ("e1", 3)) == pytest.approx(20.0)
    assert placed(("d3", 6)) == pytest.approx(20.0), "what the limit sends home isn't there to be seen"


def test_a_shot_may_have_hit_more_than_has_been_taken_off(position: Position) -> None:
    target = agreed(position, d5=(("black", "troop", 4),))
    shot = Deploy("bombard:e4", target="d5")

    def hit(*faces: int) -> float:
        return fuller_odds(target, (shot, Roll(faces, "red")))

    # two dice with the faces 0, 1, 1, 1, 1 and 2: no pip in 1 of 36, 1 in 8, 2 in 18, 3 in 8, 4 in 1
    assert [hit(0, 0), hit(0, 1), hit(1, 1), hit(2, 1), hit(2, 2)] == pytest.approx([35, 27 / 8, 9 / 18, 1 / 8, 0])


def test_a_defender_may_have_hit_more_as_well(position: Position) -> None:
    held = agreed(position, c4=(("black", "troop", 1),), d5=(("red", "troop", 4),))
    begun = apply(held, advance(3))
    assert begun.turn is not None
    dice = begun.turn.dice
    assert dice == 1
    assert fuller_odds(held, (advance(3), Roll((0,), "black"))) == pytest.approx(5.0)
    assert fuller_odds(held, (advance(3), Roll((2,), "black"))) == 0.0


@pytest.mark.parametrize("step", [Pass(), Deploy("plan:1", draw=1)])
def test_nothing_follows_what_is_done_at_once(position: Position, step: Step) -> None:
    assert fuller_odds(position, (step,)) == 0.0


def test_of_two_turns_the_second_may_be_a_beginning(position: Position) -> None:
    black = Deploy("advance:b2", moves=(("b3", "troop", 1),))
    assert fuller_odds(position, (advance(1), black)) == fuller_odds(apply(position, advance(1)), (black,))


def test_the_odds_of_a_sight_are_those_of_all_turns_that_leave_the_same_units(position: Position) -> None:
    after = fold(position, (advance(1),))
    units = {area.name: after.units_in(area.name) for area in position.board.areas}
    found = add_fuller_odds(infer(position, units, {"advance:c4": "red"}), position)
    assert found.explanations[0].steps == (advance(1),)
    assert found.fuller == pytest.approx(1.0)
    assert add_fuller_odds(infer(position, {}), position).fuller == 0.0


def test_from_another_support_space_the_same_units_may_be_a_beginning(position: Position) -> None:
    def turn(space: str) -> Explanation:
        step = Deploy(space, place=(("d3", "troop", 3), ("e1", "troop", 2)))
        return Explanation((step,), fold(position, (step,)), "", {"reinforce:1": 0.05, "reinforce:2": 0.9}[space])

    assert [fuller_odds(position, turn(space).steps) for space in ("reinforce:2", "reinforce:1")] == (
        pytest.approx([0.0, 20.0])
    )
    both = Inference((turn("reinforce:2"), turn("reinforce:1")), ())
    assert add_fuller_odds(both, position).fuller == pytest.approx(20 * 0.05 / 0.95)


def test_a_doubt_about_what_is_there_makes_no_beginning_of_what_is_likeliest(position: Position) -> None:
    turns = tuple(
        Explanation((step,), fold(position, (step,)), "", chance)
        for step, chance in ((advance(2), 0.8), (advance(1), 0.2))
    )
    assert add_fuller_odds(Inference(turns, ()), position).fuller == 0.0
