"""What the players agree on is recorded as it stands, whatever the rules make of it, as far as the box can hold it."""

from __future__ import annotations

import pytest

from engine.errors import BadStep, Illegal
from engine.orders import game
from engine.orders.describe import describe_step
from engine.orders.draft import event_text
from engine.orders.notation import parse_step
from engine.orders.position import Position
from engine.orders.steps import Agreed
from engine.orders.wire import position_from_json, position_to_json, step_from_json, step_to_json
from tests.notation import format_step
from tests.tables import after, deploy, rivers

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


@pytest.mark.parametrize(("obj", "text", "step", "sentence"), FORMS)
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
    ],
)
def test_what_the_box_cannot_hold_is_refused(step: Agreed, rule: str) -> None:
    assert [objection.rule for objection in game.judge(START, step).objections] == [rule]
    with pytest.raises(Illegal):
        game.apply(START, step)
