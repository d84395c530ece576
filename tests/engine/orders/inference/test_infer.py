"""What legal turn turns a position into what is seen: each action, the rest of a turn, and the referee's request."""

import json
from typing import Any

import pytest

from engine.errors import BadPosition
from engine.orders.inference.endings import likeliest_faces
from engine.orders.inference.infer import infer
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Pass
from engine.orders.wire import position_to_json
from engine.referee import reply
from tests.boards.practice import castle
from tests.engine.orders.inference.seeing import EVERY, OPEN, START, all_told, best, changed, seen_after, table
from tests.tables import after, deploy, rivers, stand


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
    assert attack.why == "Red advances to b3 with 2 troops from d3; Black rolls 0"
    assert attack.likelihood == pytest.approx(1)
    lost = seen_after(OPEN, "advance:b3 from d3=1t; roll 1 by black").explanations[0]
    assert lost.why == "Red advances to b3 with 1 troop from d3; Black rolls 1 (or 2)"


def test_without_commanders_every_space_that_fits_is_named_the_likeliest_first() -> None:
    five = seen_after(OPEN, "reinforce:2 place d3=2t d5=1t e1=2t", looked=False)
    assert best(five) == "reinforce:2 place d3=2t d5=1t e1=2t"
    assert five.explanations[0].likelihood > five.explanations[1].likelihood
    assert {text.partition(" ")[0] for text in all_told(five)} == {"reinforce:1", "reinforce:2"}


def test_a_miss_may_have_been_at_any_target_and_enemies_come_first() -> None:
    missed = seen_after(OPEN, "bombard:c3 at b3; roll 0 by red")
    assert best(missed) == "bombard:c3 at b3; roll 0 by red"
    assert {text.split()[2].rstrip(";") for text in all_told(missed)} == {"b3", "c4", "d3"}
    assert missed.explanations[0].likelihood > 0.5


def test_the_likeliest_dice_explain_the_losses() -> None:
    sunk = seen_after(rivers("e3:3 d3:1 c3:3", "a3:3 b3:1"), "bombard:c3 at b3; roll 2 2 1 by red")
    assert best(sunk) == "bombard:c3 at b3; roll 1 1 1 by red"
    assert sunk.explanations[0].why == "Red bombards b3 from c3; Red rolls 3 (or 1, 2, 4, 5, 6)"
    assert likeliest_faces((0, 1, 1, 1, 1, 2), 3, 4) == (1, 1, 2)
    assert likeliest_faces((0, 3), 2, 3) == (0, 3)


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
    assert [(refusal.area, refusal.message) for refusal in standing.illegal] == [
        ("d2", "the round is over: Red's commander on “Advance to d2” goes back to the reserve"),
        ("plan:1", "the round is over: Red's commander on “Plan 1” goes back to the reserve"),
    ]
    passed = infer(last, table(last)[0], {"plan:1": "red"})
    assert [refusal.area for refusal in passed.illegal] == ["plan:1"]
    wrong = infer(last, units, {"plan:1": "red", "advance:d1": "red"})
    assert [(refusal.area, refusal.message) for refusal in wrong.illegal] == [
        (
            "d1",
            "Red has a new commander on “Advance to d1”: take it off; "
            "the closest legal turn is different: Red advances to d2 with 2 troops from d3",
        ),
        ("plan:1", "the round is over: Red's commander on “Plan 1” goes back to the reserve"),
    ]


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
    assert [(refusal.area, refusal.finding is not None and refusal.finding.rule) for refusal in result.illegal] == [
        ("plan:1", "turn.owed"),
        ("b3", "turn.owed"),
    ]
    assert "Black rolls 1" in result.illegal[1].message


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


# ==== The referee's request `infer` ============================================================


def ask(position: Position, **request: object) -> dict[str, Any]:
    return reply(json.dumps({"do": "infer", "position": position_to_json(position), **request}))


def test_the_referee_explains() -> None:
    units, commanders = table(after(OPEN, parse_step("advance:c4 from d3=1t d5=2t")))
    answer = ask(OPEN, seen=units, commanders=commanders, id=7)
    assert answer["id"] == 7
    assert answer["explanations"] == [
        {
            "steps": [{"deploy": "advance:c4", "moves": {"d3": {"troop": 1}, "d5": {"troop": 2}}}],
            "why": "Red advances to c4 with 1 troop from d3 and 2 from d5",
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
        ({}, "seen: expected an object"),
        ({"seen": {"z9": {}}}, "seen.z9: no such area on this board"),
        ({"seen": {"a1": {"blue": {}}}}, "seen.a1: 'blue' is no faction"),
        ({"seen": {"a1": {"red": {"horse": 1}}}}, "seen.a1.red: no horse can stand there"),
        ({"seen": {"a1": {"red": {"troop": -1}}}}, "seen.a1.red.troop: expected a number from 0"),
        ({"seen": {}, "commanders": 3}, "commanders: expected an object"),
        ({"seen": {}, "commanders": {"plan:9": "red"}}, "commanders.plan:9: no such action space"),
        ({"seen": {}, "commanders": {"plan:1": "blue"}}, "commanders.plan:1: 'blue' is no faction"),
        ({"seen": {}, "support": 1}, "support: expected true or false"),
        ({"seen": {}, "most": 0}, "most: a number from 1"),
        ({"seen": {}, "most": True}, "most: a number from 1"),
    ],
)
def test_a_bad_request_to_infer_is_one_clear_line(request_keys: dict[str, object], message: str) -> None:
    error = ask(START, **request_keys)["error"]
    assert error["kind"] == "bad_request"
    assert error["message"].startswith(message)


def test_a_pass_is_the_only_step_of_a_pass() -> None:
    (explanation,) = infer(START, table(START)[0], {}).explanations
    assert explanation.steps == (Pass(),)
    with pytest.raises(BadPosition):
        infer(START, [])
