"""What legal turn turns a position into what is seen."""

import json
from collections.abc import Callable, Mapping
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadPosition
from engine.orders import game
from engine.orders.board import Board, load_board
from engine.orders.endings import likeliest
from engine.orders.infer import Explanation, Inference, infer
from engine.orders.notation import format_step, parse_step
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass, Step
from engine.orders.wire import position_to_json
from engine.referee import reply
from tests.boards.practice import castle, strip
from tests.engine.turns import turns
from tests.tables import after, deploy, rivers, rolled, stand

EVERY = 1000


def table(position: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """The units and the commanders of a position, as somebody who looks at the table names them."""
    board = position.board
    units = {area.name: here for area in board.areas if (here := position.units_in(area.name))}
    commanders = {space.name: list(who) for space in board.spaces if (who := position.commanders_on(space.name))}
    return units, commanders


def seen_after(position: Position, steps: str, *, looked: bool = True, most: int = EVERY) -> Inference:
    """What is inferred from the table after these steps, written as lines."""
    units, commanders = table(after(position, *map(parse_step, steps.split("; "))))
    return infer(position, units, commanders if looked else None, most=most)


def told(one: Explanation) -> str:
    return "; ".join(map(format_step, one.steps))


def best(result: Inference) -> str:
    assert not result.illegal
    return told(result.explanations[0])


def all_told(result: Inference) -> list[str]:
    return [told(one) for one in result.explanations]


# --- random turns -----------------------------------------------------------------------


def same_turn(one: Explanation, steps: list[Step], end: Position) -> bool:
    """Whether an explanation is the turn that was played: the same space, and the same on the table after it."""
    first, played = one.steps[0], steps[0]
    if isinstance(first, Deploy) and isinstance(played, Deploy) and first.space != played.space:
        return False
    return type(first) is type(played) and table(one.position) == table(end)


def check_explanations(position: Position, result: Inference, end: Position, looked: bool) -> None:
    """Every explanation, carried out, gives exactly what was seen; the most likely comes first."""
    units, commanders = table(end)
    for one in result.explanations:
        found = table(game.fold(position, one.steps))
        assert found[0] == units
        assert not looked or found[1] == commanders
        assert game.fold(position, one.steps) == one.position
    shares = [one.likelihood for one in result.explanations]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1 - result.none)


BOARDS: dict[str, Callable[[], Board]] = {
    "rivers": lambda: load_board("sengoku-rivers"),
    "castle": castle,
    "strip": strip,
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("readings", [(), ("place-fewer", "empty-target", "empty-deck")], ids=["printed", "switched"])
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_a_random_turn_is_always_among_the_explanations(board: str, readings: tuple[str, ...], seed: int) -> None:
    for position, steps, end in islice(turns(Random(seed), BOARDS[board](), readings), 20):
        units, commanders = table(end)
        for looked in (True, False):
            result = infer(position, units, commanders if looked else None, most=EVERY)
            check_explanations(position, result, end, looked)
            assert any(same_turn(one, steps, end) for one in result.explanations), steps
            assert not result.illegal


def test_with_commanders_seen_the_turn_played_comes_first() -> None:
    played = list(islice(turns(Random(11), load_board("sengoku-rivers")), 500))
    first = 0
    for position, steps, end in played:
        units, commanders = table(end)
        result = infer(position, units, commanders)
        first += same_turn(result.explanations[0], steps, end)
    assert first >= 0.95 * len(played)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 3))
def test_a_table_that_somebody_touched_is_explained_or_refused_where_it_differs(seed: int, changes: int) -> None:
    rng = Random(seed)
    for position, _, end in islice(turns(rng, load_board("sengoku-rivers")), 12):
        units, commanders = table(end)
        for _ in range(changes):
            area = rng.choice(position.board.areas)
            faction, unit = rng.choice(position.board.factions), rng.choice(("troop", "ship"))
            units.setdefault(area.name, {}).setdefault(faction, {})[unit] = rng.randrange(7)
        looked = commanders if rng.random() < 0.5 else None
        result = infer(position, units, looked)
        assert bool(result.explanations) != bool(result.illegal)
        bare = {area: {f: u for f, u in sides.items() if any(u.values())} for area, sides in units.items()}
        for one in result.explanations:
            found, _ = table(game.fold(position, one.steps))
            assert found == {
                area: {f: {unit: n for unit, n in u.items() if n} for f, u in sides.items()}
                for area, sides in bare.items()
                if sides
            }
        here = {area.name for area in position.board.areas} | {space.name for space in position.board.spaces}
        assert all(one.area in here and "\n" not in one.message for one in result.illegal)


# --- each action ------------------------------------------------------------------------

OPEN = rivers("e3:3 d3:3 e1:2 d5:3 e4:3 c3:1", "a3:3 b3:2 b5:3 a1:2 a4:3")


@pytest.mark.parametrize(
    "steps",
    [
        "advance:c4 from d3=1t d5=2t",
        "advance:b3 from d3=2t; roll 1 by black",
        "advance:b3 from d3=1t; roll 1 by black",
        "sail:d4 from e4=2s",
        "bombard:c3 at b3; roll 1 by red",
        "reinforce:2 place d3=2t d5=1t e1=2t",
        "embark:1 place c3=2s d4=1s",
        "plan:1 draw 1",
        "plan:2 draw 2",
        "pass",
    ],
)
def test_each_action_is_recognised(steps: str) -> None:
    result = seen_after(OPEN, steps)
    assert best(result) == steps
    assert len(result.explanations) == 1 or "bombard" not in steps


def test_the_words_say_who_did_what() -> None:
    attack = seen_after(OPEN, "advance:b3 from d3=2t; roll 0 by black").explanations[0]
    assert attack.why == "red advances to b3 with 2 troops from d3; black rolls 0"
    assert attack.likelihood == pytest.approx(1)
    lost = seen_after(OPEN, "advance:b3 from d3=1t; roll 1 by black").explanations[0]
    assert lost.why == "red advances to b3 with 1 troop from d3; black rolls 1 (or 2)"


def test_without_commanders_every_space_that_fits_is_named_the_likeliest_first() -> None:
    five = seen_after(OPEN, "reinforce:2 place d3=2t d5=1t e1=2t", looked=False)
    assert best(five) == "reinforce:2 place d3=2t d5=1t e1=2t"
    assert five.explanations[0].likelihood > five.explanations[1].likelihood
    assert {one.partition(" ")[0] for one in all_told(five)} == {"reinforce:1", "reinforce:2"}


def test_a_miss_may_have_been_at_any_target_and_enemies_come_first() -> None:
    missed = seen_after(OPEN, "bombard:c3 at b3; roll 0 by red")
    assert best(missed) == "bombard:c3 at b3; roll 0 by red"
    assert {one.split()[2].rstrip(";") for one in all_told(missed)} == {"b3", "c4", "d3"}
    assert missed.explanations[0].likelihood > 0.5


def test_the_likeliest_dice_explain_the_losses() -> None:
    sunk = seen_after(rivers("e3:3 d3:1 c3:3", "a3:3 b3:1"), "bombard:c3 at b3; roll 2 2 1 by red")
    assert best(sunk) == "bombard:c3 at b3; roll 1 1 1 by red"
    assert sunk.explanations[0].why == "red bombards b3 from c3; red rolls 3 (or 1, 2, 4, 5, 6)"
    assert likeliest((0, 1, 1, 1, 1, 2), 3, 4) == (1, 1, 2)
    assert likeliest((0, 3), 2, 3) == (0, 3)


def test_bonuses_join_by_themselves_and_barracks_are_placed() -> None:
    supplied = "e3:3 d3:3 e1:1 d1:1 d2:1 c3:1"
    hidden = rivers(supplied, bonuses={"sun": "hidden_base"})
    assert best(seen_after(hidden, "advance:b3 from d3=2t")) == "advance:b3 from d3=2t"
    barracks = rivers(supplied, bonuses={"sun": "barracks"})
    eight = "reinforce:1 place d1=2t d2=3t e1=3t"
    assert best(seen_after(barracks, eight, looked=False)) == eight


def test_units_over_the_limit_went_home() -> None:
    crowded = rivers("e3:5 d3:5 e1:5 d5:5", "a3:3")
    result = seen_after(crowded, "advance:d2 from d3=4t e1=4t")
    assert best(result) == "advance:d2 from d3=4t e1=4t"
    assert result.explanations[0].position.units_in("d2") == {"red": {"troop": 5}}
    over = seen_after(rivers("e3:4 e1:2", "a3:3"), "reinforce:1 place e3=4t e1=2t")
    assert best(over) == "reinforce:1 place e1=2t e3=4t"


def test_a_short_reserve_is_filled_by_recalls() -> None:
    short = rivers("e3:5 d3:5 e1:5 d5:5 d1:4", "a3:3")
    with_d2 = rivers("e3:5 d3:5 e1:5 d5:4 d1:4 d2:1", "a3:3")
    assert best(seen_after(with_d2, "reinforce:1 place d2=3t recall d3=2t")) == "reinforce:1 place d2=3t recall d3=2t"
    over = seen_after(short, "reinforce:1 place e1=2t d1=1t recall d3=2t")
    assert best(over) == "reinforce:1 place d1=3t recall d3=2t"


def test_a_recall_that_brings_more_back_than_could_be_placed_explains_nothing() -> None:
    short = rivers("e3:4 d3:4 e1:4 d5:4 d1:4 d2:3 c5:1", "a3:3")
    units, commanders = table(short)
    units["d3"]["red"]["troop"] = 1
    units["c5"]["red"]["troop"] = 2
    assert not infer(short, units, {**commanders, "reinforce:1": "red"}).explanations
    roomy = rivers("e3:3 d3:3", "a3:3")
    units, commanders = table(roomy)
    units["d3"]["red"]["troop"] = 2
    units["e3"]["red"]["troop"] = 4
    assert not infer(roomy, units, {**commanders, "reinforce:1": "red"}).explanations


def test_after_the_last_commander_all_are_taken_back() -> None:
    last = rivers("e3:3 d3:3", "a3:3", left={"red": 1, "black": 0}, commanders={"plan:1": "red"})
    result = seen_after(last, "advance:d2 from d3=2t")
    assert best(result) == "advance:d2 from d3=2t"
    assert result.explanations[0].position.round == 3
    units, _ = table(after(last, parse_step("advance:d2 from d3=2t")))
    standing = infer(last, units, {"plan:1": "red", "advance:d2": "red"})
    assert not standing.explanations
    assert [(one.area, one.message) for one in standing.illegal] == [
        ("d2", "the round has ended: the commander of red on advance:d2 goes back to the reserve"),
        ("plan:1", "the round has ended: the commander of red on plan:1 goes back to the reserve"),
    ]
    passed = infer(last, table(last)[0], {"plan:1": "red"})
    assert [one.area for one in passed.illegal] == ["plan:1"]
    wrong = infer(last, units, {"plan:1": "red", "advance:d1": "red"})
    assert "no unit moves" not in wrong.illegal[0].message
    assert all("the round has ended" not in one.message for one in wrong.illegal)


def test_a_headquarters_that_falls_ends_the_game_before_any_limit() -> None:
    storm = rivers("e3:5 d3:1 c3:1 b3:5 b4:1 c4:5", "a3:1")
    result = seen_after(storm, "advance:a3 from b3=4t c4=4t; roll 0 by black")
    assert best(result) == "advance:a3 from b3=4t c4=4t; roll 0 by black"
    assert result.explanations[0].position.winner_name == "red"
    assert result.explanations[0].position.units_in("a3") == {"red": {"troop": 7}}


def test_windows_for_cards_are_passed_by() -> None:
    holding = rivers("e3:3 d3:3 c3:1", "a3:3 b3:2", hands={"red": "ground_assault", "black": 2})
    steps = "advance:b3 from d3=2t; roll 1 by black; accept"
    assert best(seen_after(holding, steps)) == steps


def test_the_support_board_may_be_out_of_sight() -> None:
    units, commanders = table(after(OPEN, parse_step("plan:1 draw 1")))
    on_map = {space: who for space, who in commanders.items() if not space.startswith("plan")}
    blind = infer(OPEN, units, on_map, support=False)
    assert all_told(blind)[:3] == ["plan:1 draw 1", "plan:2 draw 2", "pass"]
    assert best(infer(OPEN, units, on_map)) == "pass"


def test_no_more_explanations_than_asked_for() -> None:
    units, _ = table(OPEN)
    assert len(infer(OPEN, units, most=2).explanations) == 2
    assert len(infer(OPEN, units, most=EVERY).explanations) > 5


# --- inside a turn ----------------------------------------------------------------------


def test_the_rest_of_a_turn_in_progress_is_explained() -> None:
    attacked = after(OPEN, deploy("advance:b3", "d3:2"))
    assert best(seen_after(attacked, "roll 1 by black")) == "roll 1 by black"
    aimed = after(OPEN, deploy("bombard:c3", "b3"))
    assert best(seen_after(aimed, "roll 2 by red")) == "roll 2 by red"


def test_a_turn_that_only_cards_hold_open_may_be_over_or_the_next_may_have_begun() -> None:
    open_window = after(rivers("e3:3 d3:3", hands={"red": "mobilise"}), parse_step("reinforce:1 place e3=1t"))
    units, commanders = table(open_window)
    result = infer(open_window, units, commanders)
    assert (all_told(result), result.explanations[0].why) == (["accept", "pass"], "nobody plays a card")
    assert best(seen_after(open_window, "plan:1 draw 1")) == "plan:1 draw 1"


def test_what_no_dice_explain_is_refused_with_what_is_owed() -> None:
    attacked = after(OPEN, deploy("advance:b3", "d3:2"))
    units, commanders = table(attacked)
    units["b3"]["black"]["troop"] = 9
    result = infer(attacked, units, {**commanders, "plan:1": "red"})
    assert not result.explanations
    assert [(one.area, one.finding is not None and one.finding.rule) for one in result.illegal] == [
        ("plan:1", "turn.owed"),
        ("b3", "turn.owed"),
    ]
    assert "black rolls 1" in result.illegal[1].message


# --- siege weapons and mixed losses -----------------------------------------------------


def test_the_owner_chose_what_to_lose() -> None:
    position = stand(castle(), "a1:3 a2:3+2", "b2:1 c1:3 c2:2")
    steps = "advance:b2 from a2=2t+2w; roll 0 1 by black; remove 1t by red; remove 1w by red"
    assert best(seen_after(position, steps)) == steps
    both = stand(castle(), "a1:3 a2:3+2", "b2:2+1 c1:3 c2:2")
    steps = "advance:b2 from a2=1t+1w; roll 0 0 by black; remove 1t+1w by black"
    assert best(seen_after(both, steps)) == steps
    shot = stand(castle(), "a1:3 a2:3+2", "b2:2+1 c1:3 c2:2")
    steps = "siege:a2 at b2; roll 1 1 by red; remove 1t+1w by black"
    assert best(seen_after(shot, steps)) == steps


def test_units_that_made_room_for_others_were_not_recalled() -> None:
    position = stand(castle(), "a1:1 a2:2+1", "c1:3")
    steps = "reinforce:2 place a2=5t; remove 2t+1w by red"
    assert "remove" in best(seen_after(position, steps))


def test_losses_of_the_wrong_kind_explain_nothing() -> None:
    position = stand(castle(), "a1:3 a2:3+2", "b2:2+1 c1:3 c2:2")
    units, commanders = table(position)
    units["b2"]["black"] = {"troop": 0, "siege": 2}
    assert not infer(position, units, {**commanders, "siege:a2": "red"}).explanations
    over = stand(castle(), "a1:5+1", "c1:3")
    units, commanders = table(over)
    assert not infer(
        over, {**units, "a1": {"red": {"troop": 6, "siege": 1}}}, {**commanders, "reinforce:1": "red"}
    ).explanations


# --- what no legal turn explains --------------------------------------------------------

START = rivers("e3:3 d3:2 e1:2 d5:3 e4:3", "a3:3 b3:2 b5:3 a1:2 a4:3")

WRONG: list[tuple[str, dict[str, int], dict[str, Any] | None, dict[str, str]]] = [
    (
        "added where nobody supplies",
        {"b2 red troop": 1},
        None,
        {
            "b2": "b2 has 1 red troop too many: no legal turn of red adds units there: b2 is held by nobody; "
            "Reinforce places into land areas that you supply"
        },
    ),
    (
        "added among the enemy",
        {"b3 red troop": 1},
        None,
        {"b3": "b3 has 1 red troop too many: no legal turn of red adds units there: b3 is held by black"},
    ),
    (
        "added for the side that is not on turn",
        {"b2 black troop": 1},
        None,
        {"b2": "b2 has 1 black troop too many: it is red's turn, which adds no units of black"},
    ),
    (
        "too many at once",
        {"e3 red troop": 2, "d3 red troop": 3, "e1 red troop": 3},
        None,
        {"e1": "8 units are placed, at most 6", "d3": "8 units are placed", "e3": "e3 has 2 red troops too many"},
    ),
    (
        "two turns at once",
        {"e3 red troop": 2, "e4 red ship": -1, "d4 red ship": 1},
        None,
        {
            "e3": "it would be legal that red reinforces with 2 troops in e3, but that does not make all that is seen",
            "e4": "it would be legal that red sails to d4 with 1 ship from e4, but",
            "d4": "it would be legal that red",
        },
    ),
    (
        "taken from the enemy out of reach",
        {"b3 black troop": -1},
        None,
        {
            "b3": "b3 has 1 black troop too few: no legal turn of red takes them from there: c2 is held by nobody; "
            "no unit moves into b3"
        },
    ),
    (
        "the last unit left",
        {"e1 red troop": -2, "d1 red troop": 2},
        None,
        {"e1": "2 of 2 units would leave e1: one must stay", "d1": "d1 has 2 red troops too many"},
    ),
    (
        "too far",
        {"e1 red troop": -1, "c4 red troop": 1},
        None,
        {"e1": "e1 is neither next to", "c4": "c4 has 1 red troop too many"},
    ),
    (
        "another space",
        {"d5 red troop": -2, "c4 red troop": 2},
        {"plan:1": "red"},
        {"c4": "no legal turn of red adds units there from plan:1", "d5": "takes them from there from plan:1"},
    ),
    (
        "no commander placed",
        {"d5 red troop": -2, "c4 red troop": 2},
        {},
        {"c4": "as no commander was placed on a space that is free to it", "d5": "as no commander was placed"},
    ),
    (
        "a unit that cannot stand there",
        {"c1 red troop": 1},
        None,
        {"c1": "c1 has 1 red troop too many: no legal turn of red adds units there"},
    ),
    (
        "a commander of the wrong side",
        {},
        {"advance:c4": "black"},
        {"c4": "a commander of black is new on advance:c4, but it is red's turn"},
    ),
    (
        "two commanders",
        {},
        {"plan:1": "red", "plan:2": "red"},
        {"plan:1": "a turn places one commander, 2 are new", "plan:2": "a commander of red is new on plan:2"},
    ),
    (
        "a commander without units",
        {},
        {"advance:c4": "red"},
        {"c4": "a commander of red is new on advance:c4: no unit moves into c4"},
    ),
    (
        "a commander without supply",
        {},
        {"bombard:c2": "red"},
        {"c2": "a commander of red is new on bombard:c2: c2 is held by nobody"},
    ),
]


def changed(position: Position, changes: Mapping[str, int]) -> dict[str, Any]:
    units, _ = table(position)
    for what, n in changes.items():
        area, faction, unit = what.split()
        here = units.setdefault(area, {}).setdefault(faction, {})
        here[unit] = here.get(unit, 0) + n
    return units


@pytest.mark.parametrize(
    ("changes", "commanders", "messages"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_what_nothing_explains_is_refused_area_by_area(
    changes: dict[str, int], commanders: dict[str, Any] | None, messages: dict[str, str]
) -> None:
    result = infer(START, changed(START, changes), commanders)
    assert not result.explanations
    found = {one.area: one.message for one in result.illegal}
    assert found.keys() == messages.keys()
    for area, message in messages.items():
        assert message in found[area]


def test_a_commander_that_is_gone_or_on_a_space_too_many_is_refused() -> None:
    planned = rivers("e3:3 d3:2", commanders={"plan:1": "red"})
    (gone,) = infer(planned, table(planned)[0], {}).illegal
    assert (gone.area, gone.message) == ("plan:1", "the commander of red on plan:1 is gone, but the round is not over")
    (second,) = infer(planned, table(planned)[0], {"plan:1": "red", "plan:2": "red"}).illegal
    assert second.finding is not None
    assert second.finding.rule == "plan.one-per-round"
    moved = infer(planned, changed(planned, {"d3 red troop": 1, "e4 red ship": 1}), {"plan:1": "red", "plan:2": "red"})
    assert [one.area for one in moved.illegal] == ["plan:2", "d3", "e4"]


def test_a_new_commander_that_is_in_order_is_not_refused_for_the_units() -> None:
    result = infer(START, changed(START, {"e3 red troop": 9}), {"reinforce:1": "red"})
    assert [one.area for one in result.illegal] == ["e3"]
    assert "9 units are placed, at most 6 may be" in result.illegal[0].message


def test_nothing_is_played_after_the_game() -> None:
    over = after(rivers("e3:3 b4:3 c3:1 d3:1", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 1, 1))
    assert over.winner_name == "red"
    result = infer(over, changed(over, {"e3 red troop": 1}), {})
    assert not result.explanations
    assert {one.finding.rule for one in result.illegal if one.finding} == {"game.over"}
    assert infer(over, *table(over)) == Inference((), (), 1.0)


# --- the request ------------------------------------------------------------------------


def ask(position: Position, **request: object) -> dict[str, Any]:
    return reply(json.dumps({"do": "infer", "position": position_to_json(position), **request}))


def test_the_referee_explains() -> None:
    units, commanders = table(after(OPEN, parse_step("advance:c4 from d3=1t d5=2t")))
    answer = ask(OPEN, seen=units, commanders=commanders, id=7)
    assert answer["id"] == 7
    assert answer["explanations"] == [
        {
            "steps": [{"deploy": "advance:c4", "moves": {"d3": {"troop": 1}, "d5": {"troop": 2}}}],
            "why": "red advances to c4 with 1 troop from d3 and 2 from d5",
            "likelihood": 1.0,
        }
    ]
    assert answer["illegal"] == []
    assert len(ask(OPEN, seen=table(OPEN)[0], most=1)["explanations"]) == 1
    assert len(ask(OPEN, seen=table(OPEN)[0], commanders={}, support=False)["explanations"]) > 1


def test_the_referee_says_what_is_illegal_with_the_rule() -> None:
    answer = ask(START, seen=changed(START, {"b2 red troop": 1}))
    assert answer["explanations"] == []
    (one,) = answer["illegal"]
    assert (one["area"], one["rule"], one["cite"]) == ("b2", "reinforce.area", "Reinforce")
    (two,) = ask(START, seen=changed(START, {"b2 black troop": 1}))["illegal"]
    assert two.keys() == {"area", "message"}


@pytest.mark.parametrize(
    ("request_keys", "message"),
    [
        ({}, "seen: an object"),
        ({"seen": {"z9": {}}}, "seen.z9: no such area on this board"),
        ({"seen": {"a1": {"blue": {}}}}, "seen.a1: 'blue' is no faction"),
        ({"seen": {"a1": {"red": {"horse": 1}}}}, "seen.a1.red: no horse can stand there"),
        ({"seen": {"a1": {"red": {"troop": -1}}}}, "seen.a1.red.troop: a number from 0"),
        ({"seen": {}, "commanders": 3}, "commanders: an object"),
        ({"seen": {}, "commanders": {"plan:9": "red"}}, "commanders.plan:9: no such action space"),
        ({"seen": {}, "commanders": {"plan:1": "blue"}}, "commanders.plan:1: 'blue' is no faction"),
        ({"seen": {}, "support": 1}, "support: true or false"),
        ({"seen": {}, "most": 0}, "most: a number from 1"),
        ({"seen": {}, "most": True}, "most: a number from 1"),
    ],
)
def test_a_bad_request_to_infer_is_one_clear_line(request_keys: dict[str, object], message: str) -> None:
    error = ask(START, **request_keys)["error"]
    assert error["kind"] == "bad_request"
    assert error["message"].startswith(message)


def test_a_pass_is_the_only_step_of_a_pass() -> None:
    (one,) = infer(START, table(START)[0], {}).explanations
    assert one.steps == (Pass(),)
    with pytest.raises(BadPosition):
        infer(START, [])
