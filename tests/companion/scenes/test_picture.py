"""A position as a picture: supply lines, who earns the points, and what the last turn changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.perception.adapters import Difference
from companion.scenes.base.map_picture import PLAIN, Marks, Overlay, map_picture, overlay_of, supply_lines
from companion.scenes.base.traces import last_turn
from companion.settings.layers import Settings
from companion.ui.screen import SupplyChain, Trace
from engine.orders.game import apply
from engine.orders.position import Position
from engine.orders.steps import Agreed, Deploy, Pass, Roll, Step
from tests.companion.games.match.started import started
from tests.tables import rivers

START = rivers("e3:3 e4:2 d3:4", "a3:3 b3:2 c3:1")


def traced(*steps: Step, start: Position = START) -> tuple[Trace, ...]:
    positions = [start]
    for step in steps:
        positions.append(apply(positions[-1], step))
    return last_turn(positions, steps)


def test_before_the_first_turn_and_after_a_pass_nothing_is_drawn() -> None:
    assert traced() == ()
    assert traced(Deploy("advance:d2", moves=(("d3", "troop", 1),)), Pass()) == ()


def test_a_move_is_an_arrow_with_its_number() -> None:
    assert traced(Deploy("advance:d2", moves=(("d3", "troop", 3),))) == (Trace("move", "red", "d3", "d2", 3),)


def test_losses_of_a_conflict_stand_beside_the_arrow() -> None:
    start = rivers("e3:3 d3:4", "a3:3 d2:1")
    steps = (Deploy("advance:d2", moves=(("d3", "troop", 3),)), Roll((1,), "black"))
    found = traced(*steps, start=start)
    assert found[0] == Trace("move", "red", "d3", "d2", 3)
    assert {one.kind for one in found[1:]} <= {"less"}
    assert Trace("less", "black", "", "d2", 1) in found


def test_a_shot_is_a_line_with_what_it_hit() -> None:
    steps = (Deploy("shell:d3", target="c3"), Roll((1, 1), "red"))
    found = traced(*steps, start=rivers("e3:3 d3:4", "a3:3 c3:3"))
    assert found[0].kind == "fire"
    assert (found[0].start, found[0].end) == ("d3", "c3")
    assert found[0].n == 2


def test_units_from_the_reserve_are_told_by_their_number() -> None:
    found = traced(Deploy("reinforce:1", place=(("e3", "troop", 2), ("d3", "troop", 1))))
    assert {(one.kind, one.end, one.n) for one in found} >= {("more", "e3", 2), ("more", "d3", 1)}
    assert all(one.start == "" for one in found)


def test_what_was_agreed_is_told_too() -> None:
    found = traced(Agreed(areas=(("d3", (("red", "troop", 2),)),)))
    assert found == (Trace("less", "red", "", "d3", 2),)


# ---- supply and points ------------------------------------------------------------------------


def test_supply_lines_run_to_the_headquarters_or_to_their_gap() -> None:
    found = supply_lines(rivers("e3:3 e4:1 b1:2"))
    assert SupplyChain("red", ("e4", "e3")) in found
    cut = next(one for one in found if one.areas[0] == "b1")
    assert cut.gap == cut.areas[-1] != "e3"
    assert all(len(one.areas) > 1 for one in found), "a headquarters needs no line"


def test_overlays_are_off_unless_asked_for() -> None:
    plain = map_picture(START, Marks(), None)
    assert (plain.supply, plain.traces, plain.names) == ((), (), True)
    assert not any(area.earns or area.change for area in plain.areas)
    assert Overlay() == PLAIN


def test_an_overlay_shows_who_earns_the_points() -> None:
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
