"""Which turn was played, for what only World War II has: drops, air zones, payloads, standby, cards of unknown text."""

from typing import Any

import pytest

from engine.orders.inference.evidence import evidence_of
from engine.orders.inference.infer import infer, infer_from_evidence
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Play, Roll
from tests.boards.practice import atoll, valley
from tests.engine.orders.inference.seeing import EVERY, all_told, best, changed, seen_after, table, told
from tests.tables import after, stand

BLUE, YELLOW = "a1:3 a2:2 b1:2", "c3:3 c2:3 b3:2"
ISLES, FOES = "a1:3 a2:2 b1:4", "d2:3 d1:2 c2:4 c1:1"


def alpine(blue: str = BLUE, yellow: str = YELLOW, **more: Any) -> Position:
    return stand(valley(), blue, yellow, **more)


def island(blue: str, yellow: str, **more: Any) -> Position:
    return stand(atoll(), f"{ISLES} {blue}", f"{FOES} {yellow}", **more)


SKIES = {"blue": "zone-red:2 zone-white:4", "yellow": "zone-green:3"}


@pytest.mark.parametrize(
    "steps",
    [
        "advance:b2 from a2=1t b1=1t",
        "paradrop:b1 at a3",
        "paradrop:b1 at b3; roll 1 by yellow",
        "paradrop:b1 at a1",
        "barrage:a2 at c2; roll 1 1 by blue",
        "reinforce:1 place a1=2t a2=3t b1=1t",
        "plan:2 draw 2",
    ],
)
def test_each_action_of_the_mountains_is_recognised(steps: str) -> None:
    assert best(seen_after(alpine(), steps)) == steps


@pytest.mark.parametrize(
    "steps",
    [
        "fly:zone-green from zone-white=3a; roll 1 by yellow",
        "bomb:zone-white at c2 payload 2; roll 1 1 by blue",
        "bomb:zone-white at c1 payload 1; roll 0 by blue",
        "take_off:1 place zone-red=2a zone-white=1a",
        "barrage:a2 at c2; roll 1 1 by blue",
    ],
)
def test_each_action_of_the_isles_is_recognised(steps: str) -> None:
    assert best(seen_after(island(SKIES["blue"], SKIES["yellow"]), steps)) == steps


def test_a_payload_tells_a_bomb_from_a_miss_of_another() -> None:
    result = seen_after(island(SKIES["blue"], SKIES["yellow"]), "bomb:zone-white at c2 payload 2; roll 0 0 by blue")
    assert set(all_told(result)) == {f"bomb:zone-white at {area} payload 2; roll 0 0 by blue" for area in ("c1", "c2")}


def test_the_zone_of_the_headquarters_is_taken_off_into_among_enemies() -> None:
    steps = "take_off:1 place zone-red=3a; roll 1 by yellow"
    result = seen_after(island("", "zone-green:3 zone-red:1"), steps)
    assert best(result) == steps
    assert result.explanations[0].why == "Blue takes off with 3 aircraft in the red zone; Yellow rolls 1"


def test_the_air_above_and_the_town_below_give_the_defender_dice() -> None:
    steps = "advance:c1 from b1=3t; roll 1 1 by yellow"
    assert best(seen_after(island("zone-red:2", "zone-white:2 zone-green:1"), steps)) == steps
    town = "advance:b2 from a2=4t; roll 1 1 by yellow"
    assert best(seen_after(alpine("a1:3 a2:5 b1:2", "c3:3 c2:3 b2:2"), town)) == town


@pytest.mark.parametrize("back", [1, 2])
def test_a_short_reserve_was_filled_before_a_drop(back: int) -> None:
    full = alpine("a1:5 a2:5 b1:5 a3:5 c1:5")
    steps = f"paradrop:b1 recall a1={back}t at b2"
    assert best(seen_after(full, steps)) == steps


@pytest.mark.parametrize("reserve", [0, 1])
def test_a_drop_onto_the_area_of_its_own_recall_leaves_the_same_board(reserve: int) -> None:
    full = alpine(f"a1:{5 - reserve} a2:5 b1:5 a3:5 c1:5")
    steps = "paradrop:b1 recall a3=1t at a3"
    result = seen_after(full, steps)
    assert not result.illegal
    assert steps in all_told(result)


def test_a_faction_uses_no_space_of_the_other() -> None:
    position = alpine("a1:3 a2:2 b3:2", "c3:3 c2:3 b1:2")
    units, _ = table(position)
    units["b2"] = {"blue": {"troop": 2}}
    assert not infer(position, units).explanations
    refused = infer(position, table(position)[0], {"paradrop:b3": "blue"})
    assert [refusal.finding.rule for refusal in refused.illegal if refusal.finding] == ["paradrop.faction"]


# --- commanders -------------------------------------------------------------------------


def lost_signal(**more: Any) -> Position:
    held = {"advance:c2": "yellow", "barrage:c2": "yellow", "plan:1": "yellow", "plan:2": "blue"}
    signal: dict[str, Any] = {"bonuses": {"4": "signal_unit"}, "standby": {"yellow": 3}, "left": {"yellow": 0}}
    return alpine("a1:3 a2:2 b1:4", "c3:3 c2:3 c1:2 b3:2", commanders=held, **signal, **more)


@pytest.mark.parametrize("space", ["plan:1", "advance:c2", "barrage:c2"])
def test_the_commander_that_a_lost_signal_unit_took_back_is_seen(space: str) -> None:
    steps = f"advance:c1 from b1=3t; roll 1 by yellow; return {space} by yellow"
    result = seen_after(lost_signal(), steps)
    assert best(result) == steps
    blind = seen_after(lost_signal(), steps, looked=False)
    assert {line.rpartition("return ")[2] for line in all_told(blind)[:3]} == {
        f"{name} by yellow" for name in ("plan:1", "advance:c2", "barrage:c2")
    }


def test_the_round_is_over_where_one_has_passed_and_the_other_has_none_left() -> None:
    last = alpine(passed="yellow", left={"blue": 1, "yellow": 2}, commanders={"plan:1": "blue"})
    result = seen_after(last, "advance:b2 from b1=1t")
    assert best(result) == "advance:b2 from b1=1t"
    assert result.explanations[0].position.round == 3


def test_the_round_is_over_where_a_lost_signal_unit_took_the_last_commander() -> None:
    last = alpine(
        "a1:3 a2:2 b1:4",
        "c3:3 c2:3 c1:2",
        bonuses={"4": "signal_unit"},
        standby={"blue": 0, "yellow": 3},
        left={"blue": 1, "yellow": 1},
    )
    result = seen_after(last, "advance:c1 from b1=3t; roll 0 by yellow")
    assert best(result) == "advance:c1 from b1=3t; roll 0 by yellow"
    assert result.explanations[0].position.round == 3


def test_a_commander_may_have_come_from_standby_by_card() -> None:
    result = seen_after(alpine(hands={"blue": "blitz"}), "advance:b2 from b1=1t")
    assert all_told(result) == ["advance:b2 from b1=1t", "advance:b2 from b1=1t with blitz"]
    assert result.explanations[0].likelihood > 0.8
    assert all_told(seen_after(alpine(), "advance:b2 from b1=1t")) == ["advance:b2 from b1=1t"]


# --- cards of unknown text --------------------------------------------------------------


def test_a_card_of_unknown_text_in_hand_leaves_more_doubt() -> None:
    near = ("a1:3 a2:2 b1:2 b2:3", YELLOW)
    sure = seen_after(alpine(*near), "advance:b3 from b2=2t; roll 1 by yellow")
    held = alpine(*near, hands={"blue": "ambush"})
    units, commanders = table(after(alpine(*near), parse_step("advance:b3 from b2=2t"), parse_step("roll 1 by yellow")))
    assert infer(held, units, commanders).none > 2 * sure.none > 0


def test_after_a_card_of_unknown_text_a_roll_may_have_more_dice() -> None:
    position = alpine("a1:3 a2:5 b1:2", "c3:3 c2:3 b2:1", hands={"yellow": "ambush"})
    announced = after(position, parse_step("play ambush by yellow"), parse_step("advance:b2 from a2=4t"))
    end = after(announced, parse_step("roll 2 2 2 by yellow"))
    result = infer(announced, *table(end))
    assert "roll" in told(result.explanations[0])
    assert result.explanations[0].position.units == end.units
    plain = after(position, parse_step("advance:b2 from a2=4t"))
    rolls = [
        step
        for explanation in infer(plain, *table(end)).explanations
        for step in explanation.steps
        if isinstance(step, Roll)
    ]
    assert {len(roll.dice) for roll in rolls} <= {2}


@pytest.mark.parametrize("hand", ["artillery_strike", 1], ids=["known", "hidden"])
def test_dice_that_nobody_owed_tell_of_a_card_of_unknown_text(hand: str | int) -> None:
    position = alpine(BLUE, "c3:3 c2:5 b3:2", hands={"blue": hand})
    end = after(position, *map(parse_step, ("barrage:a2 at c2", "play artillery_strike by blue", "roll 2 2 2 by blue")))
    result = infer(position, *table(end))
    assert not result.illegal
    (found,) = result.explanations
    assert found.position.units == end.units
    assert isinstance(found.steps[1], Play)
    none = alpine(BLUE, "c3:3 c2:5 b3:2")
    assert not infer(none, *table(end)).explanations


# --- put right --------------------------------------------------------------------------


def test_what_nothing_explains_in_the_air_is_refused_with_the_rule() -> None:
    position = island(SKIES["blue"], SKIES["yellow"])
    commanders: dict[str, Any] = {}
    gone = infer(position, changed(position, {"zone-red blue aircraft": -2}), commanders)
    assert [refusal.area for refusal in gone.illegal] == ["zone-red"]
    assert "the red zone has 2 blue aircraft missing: add them" in gone.illegal[0].message
    hit = infer(position, changed(position, {"d2 yellow troop": -1}), {"bomb:zone-white": "blue"})
    assert {refusal.area for refusal in hit.illegal} == {"zone-white", "d2"}
    dropped = alpine()
    refused = infer(dropped, changed(dropped, {"c2 blue troop": 2, "c2 yellow troop": -3}), {"paradrop:b1": "blue"})
    assert {refusal.finding.rule for refusal in refused.illegal if refusal.finding} == {"paradrop.no-drop"}


REINFORCED = {"a1 blue troop": 2, "a2 blue troop": 3, "b1 blue troop": 1}


@pytest.mark.parametrize(
    "more",
    [
        {"c2 yellow troop": -1},
        {"zone-white blue aircraft": -1},
        {"zone-white blue aircraft": -1, "c2 yellow troop": -1},
    ],
)
def test_a_bomb_beside_a_whole_reinforcement_is_one_deed_too_many(more: dict[str, int]) -> None:
    position = island(SKIES["blue"], SKIES["yellow"])
    result = infer(position, changed(position, REINFORCED | more))
    assert not result.explanations
    assert result.repair is not None
    assert "reinforces" in result.repair.why
    assert {refusal.area for refusal in result.illegal} == {key.split()[0] for key in more}
    assert any("that would be a second turn: Blue" in refusal.message for refusal in result.illegal)


def test_where_a_hand_lies_on_the_source_of_a_recall_it_may_have_been_any_number() -> None:
    full = alpine("a1:5 a2:5 b1:5 a3:5 c1:5")
    end = after(full, parse_step("paradrop:b1 recall a1=2t at b2"))
    counts = {area.name: [(end.units_in(area.name), 0.999)] for area in end.board.areas if area.name != "a1"}
    result = infer_from_evidence(full, evidence_of(full.board, counts, {"paradrop:b1": {"blue": 0.999}}))
    assert best(result) == "paradrop:b1 recall a1=2t at b2"


LAST: dict[str, Any] = {"left": {"blue": 1, "yellow": 0}, "passed": "yellow", "readings": "blitz-reserve"}


def test_a_plan_that_ends_the_round_by_its_card_is_recognised_by_the_pass_that_follows() -> None:
    """By the reading blitz-reserve: whoever has drawn no Blitz is out, and nobody sees what was drawn."""
    position = alpine(**LAST)
    known = after(position, parse_step("plan:2 draw ambush ambush"))
    assert known.round == position.round + 1
    result = infer(position, *table(known), most=EVERY)
    assert {"plan:1 draw 1; pass", "plan:2 draw 2; pass"} == {told(found) for found in result.explanations[:2]}
    assert result.explanations[0].why == "Blue plans and draws 1 card; Blue passes"
    assert result.none < 0.1


def test_who_may_have_drawn_the_card_is_not_out_of_the_round() -> None:
    assert best(seen_after(alpine(**LAST), "plan:2 draw ambush blitz")) == "plan:2 draw 2"


def test_a_round_ends_by_as_many_passes_as_there_are_hidden_hands() -> None:
    ends = alpine(hands={"blue": 1}, left={"blue": 0, "yellow": 1}, readings="blitz-reserve", to_move="yellow")
    steps = "reinforce:1 place c3=1t"
    assert best(seen_after(ends, f"{steps}; pass")) == f"{steps}; pass"
    steps = "plan:2 draw 2"
    assert f"{steps}; pass; pass" in all_told(seen_after(ends, f"{steps}; pass; pass"))


def test_a_pass_that_no_hidden_hand_needs_is_not_thought_of() -> None:
    open_hands = alpine(hands={"blue": "ambush"}, left={"blue": 1, "yellow": 1}, readings="blitz-reserve")
    assert not any("; pass" in line for line in all_told(seen_after(open_hands, "reinforce:1 place a1=2t")))
