"""What the players agree on is recorded as it stands, on the board and besides, as far as the box can hold it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BadStep, Illegal
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.draft import event_text
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Agreed, OtherCorrections, Pass
from engine.orders.wire import position_from_json, position_to_json, step_from_json, step_to_json
from tests.notation import format_step
from tests.tables import after, deploy, rivers, rolled, valley

START = game.new_game("sengoku-rivers", "red", {"sun": "barracks", "moon": "war_room", "star": "shipyard"})
FOUGHT = after(rivers("e3:3 d3:3 e4:2 d4:2", "a3:3 c4:2 b3:2"), deploy("advance:c4", "d3:2"))
BOTH = (("red", "troop", 2), ("black", "troop", 1))

FORMS = [
    (
        {"agreed": {"c4": {"red": {"troop": 2}, "black": {"troop": 1}}, "b2": {}}},
        "agreed c4=2t/red+1t/black b2=-",
        Agreed(areas=(("c4", BOTH), ("b2", ()))),
        "agreed: c4 has 2 red troops and 1 black troop; b2 has nothing",
    ),
    (
        {"agreed": {}, "commanders": {"sail:c2": ["red", "black"], "advance:c4": []}, "to_move": "black", "note": "we"},
        "agreed commanders sail:c2=red+black advance:c4=- to black note we",
        Agreed(spaces=(("sail:c2", ("red", "black")), ("advance:c4", ())), to_move="black", note="we"),
        "agreed (we): “Sail to c2” has a Red commander and a Black commander; “Advance to c4” has no commander; "
        "it's Black's turn",
    ),
    (
        {"agreed": {}, "readings": {"empty-target": "other", "empty-deck": "default"}, "note": "we"},
        "agreed readings empty-target=other empty-deck=default note we",
        Agreed(readings=(("empty-target", "other"), ("empty-deck", "default")), note="we"),
        "agreed (we): empty-target: the other answer; empty-deck: the standard answer",
    ),
    ({"agreed": {}, "note": "It's so."}, 'agreed note "It\'s so."', Agreed(note="It's so."), ""),
]


OTHER_FORMS: list[tuple[dict[str, Any], str, OtherCorrections, str]] = [
    (
        {"standby": {"red": 1}, "commanders_left": {"red": 2, "black": 0}},
        "agreed standby red=1 left red=2 black=0",
        OtherCorrections(standby=(("red", 1),), left=(("red", 2), ("black", 0))),
        "Red has 1 commander on standby; Red has 2 commanders left; Black has 0 commanders left",
    ),
    (
        {"hands": {"red": 2, "black": ["ambush", "mobilise"]}, "discard": []},
        "agreed hands red=2 black=ambush+mobilise discard -",
        OtherCorrections(hands=(("red", 2), ("black", ("ambush", "mobilise"))), discard=()),
        "Red has 2 cards in hand; Black has Ambush and Mobilise in hand; the discard pile is nothing",
    ),
    (
        {"discard": ["ambush"], "initiative": "black", "round": 3, "bonuses": {"sun": "hidden_base", "moon": ""}},
        'agreed discard ambush initiative black round 3 bonuses sun=hidden_base moon=""',
        OtherCorrections(
            discard=("ambush",), initiative="black", round=3, bonuses=(("sun", "hidden_base"), ("moon", ""))
        ),
        "the discard pile is Ambush; Black has the initiative; it's round 3; sun has Hidden Base; moon has nothing",
    ),
    (
        {"dice": 3, "winner": "red"},
        "agreed due 3 winner red",
        OtherCorrections(dice=3, winner="red"),
        "3 dice to roll; Red has won",
    ),
    (
        {"passed": ["red"]},
        "agreed passed red",
        OtherCorrections(passed=("red",)),
        "Red has passed for the round",
    ),
    ({"passed": []}, "agreed passed -", OtherCorrections(passed=()), "nobody has passed for the round"),
]

EVERY_FORM = [
    *FORMS,
    *(
        (
            {"agreed": {}, **keys, "note": "we"},
            f"{text} note we",
            Agreed(other=more, note="we"),
            f"agreed (we): {said}",
        )
        for keys, text, more, said in OTHER_FORMS
    ),
]


@pytest.mark.parametrize(("obj", "text", "step", "sentence"), EVERY_FORM)
def test_it_has_a_form_as_json_as_a_line_and_as_a_sentence(
    obj: dict[str, object], text: str, step: Agreed, sentence: str
) -> None:
    assert step_from_json(obj) == step
    assert step_to_json(step) == obj
    assert parse_step(text) == step
    assert format_step(step) == text
    assert describe_step(step, START) == (sentence or "agreed (It's so.): the board matches the record")


def test_one_commander_may_be_said_without_a_list() -> None:
    assert step_from_json({"agreed": {}, "commanders": {"sail:c2": "red"}}) == Agreed(spaces=(("sail:c2", ("red",)),))


@pytest.mark.parametrize(
    ("obj", "told"),
    [
        ({"agreed": 1}, "agreed: expected an object"),
        ({"agreed": {"c4": {"red": 2}}}, "agreed.c4.red: expected an object"),
        ({"agreed": {}, "commanders": {"sail:c2": 3}}, "commanders.sail:c2: expected a list of names"),
        ({"agreed": {}, "note": 1}, "note: expected a name"),
        ({"agreed": {}, "readings": ["empty-target"]}, "readings: expected an object"),
        ({"agreed": {}, "readings": {"empty-target": 1}}, "readings.empty-target: expected a name"),
        ({"agreed": {}, "by": "red"}, "by: the agreed step has no such key"),
        ({"agreed": {}, "standby": 1}, "standby: expected an object"),
        ({"agreed": {}, "standby": {"red": -1}}, "standby.red: expected a number from 0"),
        ({"agreed": {}, "hands": {"red": None}}, "hands.red: expected a number from 0"),
        ({"agreed": {}, "discard": "ambush"}, "discard: expected a list of names"),
        ({"agreed": {}, "round": "2"}, "round: expected a number from 0"),
        ({"agreed": {}, "bonuses": {"sun": 1}}, "bonuses.sun: expected a name"),
        ({"agreed": {}, "winner": 1}, "winner: expected a name"),
    ],
)
def test_a_badly_written_one_is_refused_in_one_line(obj: dict[str, object], told: str) -> None:
    with pytest.raises(BadStep, match=told):
        step_from_json(obj)


def test_only_the_areas_and_spaces_named_change() -> None:
    now = game.apply(START, Agreed(areas=(("c4", BOTH),), spaces=(("sail:c2", ("red",)),)))
    assert now.units_in("c4") == {"red": {"troop": 2}, "black": {"troop": 1}}
    assert now.units_in("d5") == START.units_in("d5")
    assert now.commanders_on("sail:c2") == ("red",)
    assert (now.left("red"), now.left("black")) == (4, 5)
    assert now.to_move_name == "red", "it says nothing of the turn"
    back = game.apply(now, Agreed(spaces=(("sail:c2", ("black",)),), to_move="black"))
    assert (back.left("red"), back.left("black"), back.to_move_name) == (5, 4, "black")
    assert position_from_json(position_to_json(back)) == back


def test_a_turn_in_progress_ends_with_it() -> None:
    assert game.owed(FOUGHT) is not None
    now, events = game.play(FOUGHT, Agreed(areas=(("c4", BOTH),), to_move="black"))
    assert game.owed(now) is None
    assert now.to_move_name == "black"
    assert [event_text(START, event) for event in events] == ["board corrected as agreed; it's Black's turn"]


def test_the_round_ends_where_all_commanders_are_accounted_for() -> None:
    table = position_to_json(START) | {"commanders_left": {"red": 1, "black": 0}}
    last: Position = position_from_json(table)
    assert game.apply(last, Agreed(to_move="black")).to_move_name == "red", "Black has none left to deploy"
    now = game.apply(last, Agreed(spaces=(("advance:c4", ("red",)),), to_move="black"))
    assert (now.round, now.left("red"), now.commanders_on("advance:c4")) == (2, 5, ())


def test_a_reading_is_switched_in_the_middle_of_a_turn_which_goes_on() -> None:
    owed = game.owed(FOUGHT)
    now, events = game.play(FOUGHT, Agreed(readings=(("empty-target", "other"),)))
    assert now.readings == {"empty-target"}
    assert game.owed(now) == owed
    assert now.to_move_name == FOUGHT.to_move_name
    assert [event_text(START, event) for event in events] == ["unclear rule settled as agreed"]
    back = game.apply(now, Agreed(readings=(("empty-target", "default"), ("empty-deck", "other"))))
    assert back.readings == {"empty-deck"}
    assert position_from_json(position_to_json(back)) == back


def test_a_reading_with_a_correction_ends_the_turn_as_a_correction_does() -> None:
    now = game.apply(FOUGHT, Agreed(areas=(("c4", BOTH),), readings=(("empty-deck", "other"),), to_move="black"))
    assert game.owed(now) is None
    assert now.to_move_name == "black"
    assert now.readings == {"empty-deck"}


@pytest.mark.parametrize(
    ("step", "rule"),
    [
        (Agreed(areas=(("z9", ()),)), "area.known"),
        (Agreed(spaces=(("sail:z9", ()),)), "space.known"),
        (Agreed(spaces=(("sail:c2", ("green",)),)), "faction.known"),
        (Agreed(to_move="green"), "faction.known"),
        (Agreed(areas=(("c4", (("red", "dragon", 1),)),)), "agreed.kind"),
        (Agreed(areas=(("c4", (("red", "troop", 99),)),)), "agreed.box"),
        (Agreed(readings=(("no-such", "other"),)), "reading.known"),
        (Agreed(readings=(("both-hqs", "other"),)), "reading.known"),
        (Agreed(readings=(("empty-target", "maybe"),)), "reading.known"),
        (Agreed(other=OtherCorrections(standby=(("green", 1),))), "faction.known"),
        (Agreed(other=OtherCorrections(initiative="green")), "faction.known"),
        (Agreed(other=OtherCorrections(hands=(("red", ("dragon",)),))), "card.known"),
        (Agreed(other=OtherCorrections(discard=("dragon",))), "card.known"),
        (Agreed(other=OtherCorrections(round=5)), "agreed.round"),
        (Agreed(other=OtherCorrections(dice=2)), "agreed.dice"),
        (Agreed(other=OtherCorrections(passed=("red",))), "agreed.passed"),
        (Agreed(other=OtherCorrections(bonuses=(("flower", "barracks"),))), "agreed.token"),
        (Agreed(other=OtherCorrections(bonuses=(("sun", "dragon"),))), "agreed.token"),
        (Agreed(other=OtherCorrections(bonuses=(("sun", "shipyard"),))), "agreed.token-twice"),
        (Agreed(other=OtherCorrections(discard=("ambush",) * 4)), "agreed.cards"),
        (Agreed(other=OtherCorrections(hands=(("red", 20), ("black", 5)))), "agreed.cards"),
        (Agreed(other=OtherCorrections(standby=(("red", 6),))), "agreed.commanders"),
        (Agreed(other=OtherCorrections(left=(("red", 6),))), "agreed.commanders"),
    ],
)
def test_what_the_box_cannot_hold_is_refused(step: Agreed, rule: str) -> None:
    assert [objection.rule for objection in game.judge(START, step).objections] == [rule]
    with pytest.raises(Illegal):
        game.apply(START, step)


# ==== What players agree on besides the board ==================================================

OVER = after(rivers("e3:3 d4:1 c3:1 b4:2", "a3:1"), deploy("bombard:b4", "a3"), rolled("red", 1, 0))


def agreed(position: Position, **keys: Any) -> Position:
    return game.apply(position, Agreed(other=OtherCorrections(**keys)))


def test_only_what_is_named_changes() -> None:
    now = agreed(START, standby=(("red", 1),), hands=(("red", 2), ("black", ("ambush",))), discard=("mobilise",))
    assert (now.standing_by("red"), now.left("red"), now.left("black")) == (1, 4, 5)
    assert (now.hand("red"), now.hand("black"), now.discard) == (2, ("ambush",), ("mobilise",))
    assert (now.to_move_name, now.units, now.round) == ("red", START.units, 1)
    now = agreed(now, initiative="black", round=3, left=(("red", 2),), bonuses=(("sun", "hidden_base"), ("moon", "")))
    assert (now.initiative_name, now.round, now.left("red"), now.to_move_name) == ("black", 3, 2, "red")
    assert now.bonuses == ("hidden_base", "", "shipyard")
    assert position_from_json(position_to_json(now)) == now


def test_a_turn_in_progress_goes_on() -> None:
    now = agreed(FOUGHT, hands=(("black", 2),), dice=3)
    owed = game.owed(now)
    assert owed is not None
    assert (owed.wants, owed.by, owed.dice) == ("roll", "black", 3)
    assert {card for _who, card in owed.cards} == {"ambush"}
    assert game.owed(agreed(now, hands=(("black", 0),))) is not None


def test_a_window_closes_where_no_card_is_left_to_be_played() -> None:
    waiting = after(rivers("e3:3 d3:3", "a3:3", hands={"red": 1}), deploy("advance:d2", "d3:2"))
    assert game.owed(waiting) is not None
    assert game.owed(agreed(waiting, hands=(("red", 0),))) is None


def test_a_turn_ends_where_the_board_is_agreed_on_too() -> None:
    step = Agreed(areas=(("c4", (("red", "troop", 1),)),), to_move="black", other=OtherCorrections(hands=(("red", 1),)))
    now = game.apply(FOUGHT, step)
    assert (game.owed(now), now.to_move_name, now.hand("red")) == (None, "black", 1)


def test_the_round_ends_where_no_commander_is_left() -> None:
    now = agreed(START, standby=(("red", 5), ("black", 5)))
    assert (now.round, now.left("red"), now.standing_by("red")) == (2, 5, 0)


def test_who_has_passed_may_be_agreed_on_where_a_pass_is_final() -> None:
    now = agreed(valley(), passed=("blue",))
    assert (now.passed, now.to_move_name) == ((True, False), "yellow")
    assert agreed(now, passed=()).passed == (False, False)
    assert agreed(START, passed=()) == START


def test_players_say_who_has_won() -> None:
    now = agreed(START, winner="black")
    assert (now.winner_name, now.reason) == ("black", "agreed")


def test_a_finished_game_is_scored_anew_or_goes_on() -> None:
    assert (OVER.winner_name, OVER.reason) == ("red", "hq_lost")
    again = game.apply(OVER, Agreed(note="looked again"))
    assert (again.winner_name, again.reason) == ("red", "hq_lost"), "the headquarters is still empty"
    held = game.apply(OVER, Agreed(areas=(("a3", (("black", "troop", 1),)),), to_move="black"))
    assert (held.winner_name, held.to_move_name) == (None, "black")
    last = position_from_json(position_to_json(START) | {"round": 4, "commanders_left": {"red": 1, "black": 0}})
    counted = game.apply(last, Pass())
    assert (counted.winner_name, counted.reason) == ("red", "victory_points")
    scored = game.apply(counted, Agreed(areas=(("b1", (("black", "troop", 1),)),)))
    assert (scored.winner_name, scored.reason) == ("black", "victory_points")


@pytest.mark.parametrize("dice", [0, 13])
def test_dice_are_a_number_that_can_be_rolled(dice: int) -> None:
    assert [
        objection.rule for objection in game.judge(FOUGHT, Agreed(other=OtherCorrections(dice=dice))).objections
    ] == ["agreed.dice"]
