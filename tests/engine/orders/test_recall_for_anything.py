"""World War II: units taken back for drops, bonuses and cards; commanders that a bonus brings and takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.orders import board, game
from engine.orders.player.unfolding import best_answer, quiet_answer
from engine.orders.position import Position, count_recallable, outlook_of
from engine.orders.steps import Accept, Deploy, Play, Return
from engine.orders.wire import step_from_json
from tests.boards import practice
from tests.tables import after, allowed, atoll, deploy, due_in, refused, reserve, rivers, rolled, stand, units, valley

FULL = "a1:5 a2:5 b1:5 b2:5 a3:5"
"""All 25 troops of blue are on the map."""


def full(**hands: str) -> Position:
    return valley(FULL, "c3:4 c2:1", bonuses={"1": "forward_base"}, hands=hands)


def test_forward_base_brings_a_troop_that_was_taken_back() -> None:
    step = deploy("advance:c2", "b2:2", recall="b1:1")
    allowed(full(), step, "recall.beyond", "1 troop recalled for a bonus or a card", "short-reserve")
    now = after(full(), step)
    assert (units(now, "c2"), units(now, "b1")) == ("blue 3 troop, yellow 1 troop", "blue 4 troop")


def test_what_is_taken_back_is_no_longer_there_to_move() -> None:
    refused(
        full(),
        deploy("advance:c2", "b2:4", recall="b2:1"),
        "advance.last-unit",
        "b2 has only 4 units, and one must stay",
    )
    assert units(after(full(), deploy("advance:c2", "b2:3", recall="b2:1")), "b2") == "blue 1 troop"


def test_no_more_come_back_than_the_reserve_is_short_of() -> None:
    refused(full(), deploy("advance:c2", "b2:2", recall="b1:2"), "recall.more")
    some = valley("a1:5 a2:5 b1:5 b2:5", "c3:4 c2:1", bonuses={"1": "forward_base"})
    refused(
        some,
        deploy("advance:c2", "b2:2", recall="b1:1"),
        "recall.short",
        "you can only recall troops when your reserve runs short; it still has 5",
    )
    refused(valley(FULL, "c3:4 c2:1"), deploy("advance:c2", "b2:2", recall="b1:1"), "recall.short")


def test_a_card_of_the_advance_brings_them_too() -> None:
    step = deploy("advance:c2", "b2:2 reserve:2", recall="b1:3", cards="ground_assault")
    assert units(after(full(blue="ground_assault"), step), "c2") == "blue 5 troop, yellow 1 troop"
    short = deploy("advance:c2", "b2:2 reserve:2", recall="b1:2", cards="ground_assault")
    refused(full(blue="ground_assault"), short, "reserve.short")


def test_a_card_played_later_takes_back_itself() -> None:
    fought = after(full(blue="ground_assault"), deploy("advance:c2", "b2:2"))
    assert ("blue", "ground_assault") in due_in(fought).cards
    step = Play("ground_assault", "blue", recall=(("b1", "troop", 2),))
    assert units(after(fought, step), "c2") == "blue 4 troop, yellow 1 troop"
    assert units(after(fought, step), "b1") == "blue 3 troop"
    refused(fought, Play("ground_assault", "blue", units=2), "reserve.short")
    refused(fought, Play("ground_assault", "blue", units=1, recall=(("b1", "troop", 2),)), "recall.more")
    refused(
        fought, Play("ground_assault", "blue", units=1, recall=(("c3", "troop", 1),)), "recall.control reserve.short"
    )


def test_mobilize_takes_back_before_it_places() -> None:
    few = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:2", "c3:4", hands={"blue": "mobilize"})
    start = after(few, deploy("reinforce:1"))
    step = Play("mobilize", "blue", place=(("a3", "troop", 1),), recall=(("b2", "troop", 1),))
    assert units(after(start, step), "b2") == "blue 4 troop"


def test_by_the_other_reading_units_come_back_for_the_action_alone() -> None:
    strict = valley(FULL, "c3:4 c2:1", bonuses={"1": "forward_base"}, readings="short-reserve")
    advance, why = deploy("advance:c2", "b2:2", recall="b1:1"), "1 troop can't be recalled for a bonus or a card"
    refused(strict, advance, "recall.beyond", why, "short-reserve")
    fought = after(
        valley(FULL, "c3:4 c2:1", hands={"blue": "ground_assault"}, readings="short-reserve"),
        deploy("advance:c2", "b2:2"),
    )
    assert due_in(fought).wants == "roll"
    assert due_in(fought).cards == ()
    room = valley("a1:5 a2:5 b1:5 b2:5 a3:3 c1:2", "c3:4", readings="short-reserve")
    assert after(room, deploy("reinforce:1", "a3:2", recall="b1:2")).round == 2
    drop = deploy("paradrop:b1", "c1", recall="b2:3")
    control: dict[str, Any] = {"bonuses": {"1": "air_control_post"}}
    refused(valley(FULL, **control, readings="short-reserve"), drop, "recall.beyond", "1 troop")
    assert units(after(valley(FULL, **control), drop), "c1") == "blue 3 troop"


def test_a_drop_with_a_short_reserve_drops_what_there_is() -> None:
    one = valley("a1:4 a2:5 b1:5 b2:5 a3:5")
    assert units(after(one, deploy("paradrop:b1", "c1")), "c1") == "blue 1 troop"
    assert game.legal(one).spaces["paradrop:b1"].amount == 2
    none = valley(FULL)
    refused(none, deploy("paradrop:b1", "c1"), "paradrop.units", "the reserve has no troops to drop")
    assert "paradrop:b1" in game.legal(none).spaces
    assert units(after(none, deploy("paradrop:b1", "c1", recall="b2:1")), "c1") == "blue 1 troop"
    assert reserve(after(none, deploy("paradrop:b1", "c1", recall="b2:2")), "blue", "troop") == 0


def test_where_nothing_can_come_back_nothing_is_dropped() -> None:
    board = practice.valley()
    thin = " ".join(f"{area.name}:1" for area in board.areas if area.hq != "yellow")
    few = stand(board, thin, "c3:1")
    assert count_recallable(few.units[0], 0) == 0
    assert few.reserve(0, 0) > 0


def test_units_are_spare_where_another_kind_stays() -> None:
    castle = stand(practice.castle(), "a1:3 a2:1+2 b1:2", "c1:3")
    rows, kinds = castle.units[0], castle.board.mode.unit_index
    assert count_recallable(rows, kinds["troop"]) == 3
    assert count_recallable(rows, kinds["siege"]) == 2
    assert count_recallable(rows, kinds["ship"]) == 1
    assert outlook_of(castle, 0).me == 0


def test_actions_that_take_nothing_from_the_reserve_recall_nothing() -> None:
    step = Deploy("barrage:a2", target="c2", recall=(("a1", "troop", 1),))
    refused(valley(), step, "deploy.form", "Barrage doesn't use “recall”")
    shot = Deploy("bombard:d4", target="c4", recall=(("e3", "troop", 1),))
    refused(rivers("e3:3 d4:1"), shot, "deploy.form", "Bombard doesn't use “recall”")


def test_sengokus_bonuses_and_cards_bring_units_that_were_taken_back() -> None:
    full = "e3:5 e1:5 d3:5 d5:5 d1:5"
    start = rivers(full, bonuses={"sun": "hidden_base"}, hands={"red": "ground_assault"})
    now = after(start, deploy("advance:d2", "d3:1", recall="e3:1"), Accept())
    assert (units(now, "d2"), units(now, "e3")) == ("red 2 troop", "red 4 troop")
    step = step_from_json({"play": "ground_assault", "by": "red", "units": 1, "recall": {"e3": {"troop": 1}}})
    assert units(after(start, deploy("advance:d2", "d3:1"), step), "d2") == "red 2 troop"


@pytest.mark.parametrize(
    ("recall", "rules"),
    [
        ((("z9", "troop", 1),), "area.known"),
        ((("b1", "lancer", 1),), "recall.kind"),
        ((("b1", "aircraft", 1),), "recall.kind"),
        ((("c3", "troop", 1),), "recall.control"),
        ((("b1", "troop", 5),), "recall.last-unit"),
        ((("b1", "troop", 3), ("b1", "troop", 2)), "recall.last-unit recall.last-unit"),
    ],
)
def test_what_cannot_come_back_is_refused(recall: tuple[tuple[str, str, int], ...], rules: str) -> None:
    step = Deploy("paradrop:b1", target="c1", recall=recall)
    objections = [finding.rule for finding in game.judge(valley(FULL), step).objections]
    assert objections[: len(rules.split())] == rules.split()


def test_aircraft_come_back_for_take_off() -> None:
    start = atoll("a1:4 zone-red:3 zone-white:5 zone-green:2", "d2:4")
    now = after(start, deploy("take_off:1", "zone-red:2", recall="zone-white:2"))
    assert (units(now, "zone-white"), units(now, "zone-red")) == ("blue 3 aircraft", "blue 5 aircraft")


def test_a_window_that_only_a_recall_would_serve_is_passed_by() -> None:
    fought = after(full(blue="ground_assault"), deploy("advance:c2", "b2:2"), Accept())
    assert due_in(fought).cards == ()


# ==== Commanders that an area bonus brings and takes ===========================================

LOST = deploy("advance:a3", "b3:3")


def held(bring: int = 1, **more: Any) -> Position:
    """Blue holds a3 with a bonus that brings so many commanders; yellow is to move, and three stand next to it."""
    made_up = practice.valley()
    signal = replace(made_up.mode.bonuses["signal_unit"], amount=bring)
    mode = replace(made_up.mode, bonuses={**made_up.mode.bonuses, "signal_unit": signal})
    given: dict[str, Any] = {"bonuses": {"3": "signal_unit"}, "to_move": "yellow"}
    return stand(replace(made_up, mode=mode), "a1:4 a2:2 a3:1", "c3:4 b3:4", **{**given, **more})


def lost(position: Position) -> Position:
    return after(position, LOST, rolled("blue", 0))


def test_who_has_none_in_the_reserve_and_none_deployed_gives_none_back() -> None:
    now = lost(held(left={"blue": 0, "yellow": 3}))
    assert (now.left("blue"), now.standing_by("blue"), game.owed(now)) == (0, 4, None)


def test_those_in_the_reserve_go_first_then_the_owner_chooses() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue", "reinforce:1": "blue"}
    standby = {"blue": 1, "yellow": 4}
    now = lost(held(3, left={"blue": 1, "yellow": 3}, commanders=spaces, standby=standby))
    assert (now.left("blue"), now.standing_by("blue")) == (0, 2)
    assert due_in(now).spaces == ("advance:a2", "reinforce:1", "plan:1")
    refused(now, Return("plan:9", "blue"), "space.known")
    refused(now, Return("plan:1", "green"), "faction.known return.owed")
    then = after(now, Return("plan:1", "blue"))
    assert due_in(then).spaces == ("advance:a2", "reinforce:1")
    assert then.commanders_on("plan:1") == ()
    done = after(then, Return("reinforce:1", "blue"))
    assert (game.owed(done), done.standing_by("blue"), done.commanders_on("advance:a2")) == (None, 4, ("blue",))


def test_the_player_gives_one_back_that_may_go() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue", "reinforce:1": "blue"}
    now = lost(held(3, left={"blue": 1, "yellow": 3}, commanders=spaces, standby={"blue": 1, "yellow": 4}))
    assert quiet_answer(now) == Return("advance:a2", "blue")
    chosen = best_answer(now, 0)
    assert isinstance(chosen, Return)
    assert game.judge(now, chosen).legal
    assert best_answer(now, 1) is None
    begun = held(3, left={"blue": 1, "yellow": 3})
    assert (quiet_answer(begun), best_answer(begun, 0)) == (Accept(), None)


def test_the_last_one_needs_no_choice() -> None:
    spaces = {"advance:a2": "blue", "plan:1": "blue"}
    now = lost(held(2, left={"blue": 0, "yellow": 3}, commanders=spaces, standby={"blue": 2, "yellow": 4}))
    done = after(now, Return("plan:1", "blue"))
    assert (game.owed(done), done.standing_by("blue"), done.commanders[0]) == (None, 4, 0)


def test_a_game_begins_with_all_that_a_bonus_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = practice.valley()
    monkeypatch.setitem(board.BOARDS._added, made_up.name, made_up)
    start = game.new_game(made_up.name, "blue", {"1": "signal_unit"})
    assert (start.commanders_left, start.standby) == ((6, 5), (3, 4))
