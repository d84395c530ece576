"""A position as a picture: supply lines, who earns the points, and what the last turn changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.perception.adapters import Difference
from companion.perception.sync.status import Item, SyncStatus
from companion.scenes.base.map_picture import (
    Marks,
    Overlay,
    map_picture,
    overlay_of,
    status,
    supply_lines,
    turn_traces,
    verdict,
)
from companion.settings.layers import Settings
from companion.ui.screen import Stack, SupplyChain, Trace
from engine.orders.game import apply
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from tests.companion.games.test_playing import started
from tests.tables import rivers

START = rivers("e3:3 e4:2 d3:4", "a3:3 b3:2 c3:1")


def traced(*steps: Step, start: Position = START) -> tuple[Trace, ...]:
    positions = [start]
    for step in steps:
        positions.append(apply(positions[-1], step))
    return turn_traces(positions, steps)


@pytest.mark.parametrize(
    ("steps", "traces"),
    [
        ((), ()),
        ((Deploy("advance:d2", moves=(("d3", "troop", 1),)), Pass()), ()),
        ((Deploy("advance:d2", moves=(("d3", "troop", 3),)),), (Trace("move", "red", "d3", "d2", 3),)),
        ((Agreed(areas=(("d3", (("red", "troop", 2),)),)),), (Trace("less", "red", "", "d3", 2),)),
    ],
)
def test_the_last_turn_is_drawn_as_arrows_and_numbers(steps: tuple[Step, ...], traces: tuple[Trace, ...]) -> None:
    assert traced(*steps) == traces


def test_losses_of_a_conflict_stand_beside_the_arrow() -> None:
    start = rivers("e3:3 d3:4", "a3:3 d2:1")
    steps = (Deploy("advance:d2", moves=(("d3", "troop", 3),)), Roll((1,), "black"))
    found = traced(*steps, start=start)
    assert found[0] == Trace("move", "red", "d3", "d2", 3)
    assert {trace.kind for trace in found[1:]} <= {"less"}
    assert Trace("less", "black", "", "d2", 1) in found


def test_a_shot_is_a_line_with_what_it_hit() -> None:
    steps = (Deploy("shell:d3", target="c3"), Roll((1, 1), "red"))
    found = traced(*steps, start=rivers("e3:3 d3:4", "a3:3 c3:3"))
    assert found[0].kind == "fire"
    assert (found[0].start, found[0].end) == ("d3", "c3")
    assert found[0].n == 2


def test_units_from_the_reserve_are_told_by_their_number() -> None:
    found = traced(Deploy("reinforce:1", place=(("e3", "troop", 2), ("d3", "troop", 1))))
    assert {(trace.kind, trace.end, trace.n) for trace in found} >= {("more", "e3", 2), ("more", "d3", 1)}
    assert all(trace.start == "" for trace in found)


# ---- supply and points ------------------------------------------------------------------------


def test_supply_lines_run_to_the_headquarters_or_to_their_gap() -> None:
    found = supply_lines(rivers("e3:3 e4:1 b1:2"))
    assert SupplyChain("red", ("e4", "e3")) in found
    cut = next(trace for trace in found if trace.areas[0] == "b1")
    assert cut.gap == cut.areas[-1] != "e3"
    assert all(len(trace.areas) > 1 for trace in found), "a headquarters needs no line"


def test_overlays_are_off_unless_asked_for() -> None:
    plain = map_picture(START, Marks(), None)
    assert (plain.supply, plain.traces, plain.names) == ((), (), True)
    assert not any(area.earns or area.change for area in plain.areas)
    position = rivers("e3:3 d4:1 b1:2", "a3:3 b4:1")
    shown = map_picture(position, Marks(), None, Overlay(supply=True, names=False, points=True))
    assert {area.name: area.earns for area in shown.areas if area.earns} == {"d4": "red", "b4": "black"}
    assert shown.supply == supply_lines(position)
    assert not shown.names


def test_an_open_form_hides_the_last_turn_and_tells_what_it_does_to_supply() -> None:
    overlay = Overlay(traces=(Trace("move", "red", "d3", "d2", 3),))
    assert map_picture(START, Marks(), None, overlay).traces == overlay.traces
    marks = Marks(areas={"d3": "chosen"}, supply={"d2": "gained"})
    shown = map_picture(START, marks, None, overlay)
    assert shown.traces == ()
    assert {area.name: area.change for area in shown.areas if area.change} == {"d2": "gained"}


def test_the_settings_say_what_is_drawn(tmp_path: Path) -> None:
    match = started(tmp_path)
    assert match.offer(Deploy("advance:c4", moves=(("d5", "troop", 1),))).legal
    settings = Settings()
    assert overlay_of(settings, match).traces
    assert overlay_of(settings, match).supply
    off = replace(
        settings, show_supply=False, show_changes=False, show_names=False, show_points=True, show_camera=False
    )
    assert overlay_of(off, match) == Overlay(supply=False, names=False, points=True, camera=False)


def test_what_the_camera_sees_otherwise_may_be_left_out() -> None:
    differences = [Difference("d3", "differs", {}, {}, 1.0), Difference("e4", "hidden", {}, {}, 0.2)]
    marked = map_picture(START, Marks(), differences)
    assert {area.name: area.check for area in marked.areas if area.check} == {"d3": "differs", "e4": "hidden"}
    assert not any(area.check for area in map_picture(START, Marks(), differences, Overlay(camera=False)).areas)
    hidden = Difference("advance:d2", "hidden", {}, {}, 0.1)
    sure = Difference("d2", "differs", {}, {"red": {"troop": 1}}, 0.99)
    picture = map_picture(START, Marks(), (sure, hidden, Difference("a3", "agrees", {}, {}, 1.0)))
    checks = {area.name: area.check for area in picture.areas if area.check}
    assert checks == {"d2": "differs"}, "what it is sure of counts more than what is hidden"


def test_units_that_a_form_brings_are_a_stack_of_their_own() -> None:
    marks = Marks(changes={("d3", "troop"): -1, ("d2", "troop"): 1, ("a3", "troop"): 1, ("b3", "troop"): 0})
    stacks = {area.name: area.stacks for area in map_picture(START, marks, None).areas}
    assert stacks["d3"] == (Stack("red", "troop", 4, -1),)
    assert stacks["d2"] == (Stack("red", "troop", 0, 1),)
    assert stacks["a3"] == (Stack("black", "troop", 3, 0), Stack("red", "troop", 0, 1)), "the enemy's stay theirs"
    assert stacks["b3"] == (Stack("black", "troop", 2, 0),)


def test_spaces_tell_who_may_go_there_and_which_is_chosen() -> None:
    picture = map_picture(START, Marks(live=frozenset({"advance:d2"}), space="advance:c4"), None)
    assert {space.name for space in picture.spaces if space.live} == {"advance:d2"}
    assert {space.name for space in picture.spaces if space.chosen} == {"advance:c4"}
    assert not {space.name for space in picture.spaces} & {"reinforce:1", "plan:1"}, "those have no place on the map"


@pytest.mark.parametrize(("places", "told"), [("a1 b2 c3 d4", "a1 b2 c3 d4"), ("a1 b2 c3 d4 e1", "a1 b2 c3 +2")])
def test_areas_that_differ_are_told_as_far_as_there_is_room(places: str, told: str) -> None:
    items = tuple(Item(place, "red", "troop", 1) for place in places.split())
    assert verdict(SyncStatus("out", items=(*items, items[0]))) == ("out", f"Board differs: {told}")


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (Item("advance:d2", "red", "commander", 1), "Take back: d2"),
        (Item("advance:d2", "red", "commander", -1), "Move the pieces: d2"),
        (Item("d2", "red", "troop", 1), "Move the pieces: d2"),
    ],
)
def test_commanders_that_are_still_there_are_to_be_taken_back(item: Item, told: str) -> None:
    assert verdict(SyncStatus("behind", items=(item,))) == ("behind", told)


def test_the_status_tells_whose_turn_it_is_and_who_leads() -> None:
    sides = {side.faction: side for side in status(START, {"red": "Ana"}).sides}
    assert (sides["red"].player, sides["black"].player) == ("Ana", "")
    assert (sides["red"].to_move, sides["black"].to_move) == (True, False)
    ahead = [side.faction for side in sides.values() if side.ahead]
    assert ahead == [faction for faction, side in sides.items() if side.points == max(s.points for s in sides.values())]
    over = replace(START, winner=1, reason="headquarters")
    assert [(side.to_move, side.ahead) for side in status(over, {}).sides] == [(False, False), (False, True)]
