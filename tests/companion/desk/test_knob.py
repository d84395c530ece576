"""Presses in their order, and the ring that turns through what can be touched."""

from __future__ import annotations

import pygame

from companion.scenes.settings.settings import SettingsScene
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from companion.view.window.ambience import Ambience
from companion.view.window.input import DESK, Reader, merge_turns, post
from companion.view.window.taps import plain
from engine.orders.steps import Deploy, Pass
from hardware.events import Plugged, Press, Turned
from tests.companion.desk.presses import Presses


def test_events_of_the_desk_come_through_the_queue_of_touches(at: Presses) -> None:
    pygame.event.clear()
    post(Press("choose", "short", 1.0))
    found = [event for event in pygame.event.get() if event.type == DESK]
    touch = Reader((800, 480), 0).read(found[0])
    assert touch is not None
    assert (touch.kind, touch.event) == ("desk", Press("choose", "short", 1.0))
    at.window.run(lambda: [pygame.event.Event(DESK, told=Turned(1, 1.0)), pygame.event.Event(pygame.QUIT)], lambda: 1.0)
    assert at.ringed is not None


def test_neighbouring_turns_of_the_knob_are_one() -> None:
    told = [Turned(1, 1.0), Turned(2, 2.0), Press("choose", "short", 3.0), Turned(1, 4.0), Turned(-1, 5.0)]
    events = [pygame.event.Event(DESK, told=event) for event in told]
    events.insert(3, pygame.event.Event(pygame.USEREVENT))
    found = [getattr(event, "told", None) for event in merge_turns(events)]
    assert found == [Turned(3, 2.0), Press("choose", "short", 3.0), None, Turned(0, 5.0)]


def test_without_a_queue_an_event_is_lost_and_nobody_falls() -> None:
    pygame.display.quit()
    post(Press("choose", "short", 1.0))


def test_a_press_wakes_the_screen_and_is_done_as_well_and_a_cable_that_is_pulled_is_not(at: Presses) -> None:
    around = Ambience(at.app)
    around.idle.after_s = 1
    at.window.attendant = around
    around.wake(0.0)
    at.window.now_s = 100.0
    at.send(Plugged("pins", False, 100.0))
    assert around.attend(100.0) == 0.0
    at.button("pass-one", "long")
    assert [type(step) for step in at.table.match.steps] == [Pass]
    assert around.attend(100.0) == 1.0


def test_the_first_click_shows_the_ring_on_the_first_useful_thing(at: Presses) -> None:
    assert at.ringed is None
    at.turn(1)
    assert at.ringed == Intent("space", "reinforce:1")
    at.turn(-1)
    assert at.ringed == Intent("pass"), "one click back are the buttons of the lower edge"
    at.turn(-1)
    assert at.ringed == Intent("dispute")


def test_the_knob_leads_through_the_panel_then_area_by_area(at: Presses) -> None:
    at.turn(1)
    seen = []
    for _click in range(200):
        found = at.ringed
        if found in seen or found is None:
            break
        seen.append(found)
        at.turn(1)
    everything = {plain(spot.target.intent) for spot in at.window.keyboard.spots()}
    assert set(seen) == everything, "nothing is out of reach"
    live = at.table.show().map
    assert live is not None
    open_to = {space.name.partition(":")[2] for space in live.spaces if space.live}
    areas = [intent.what for intent in seen if intent.verb == "area"]
    assert areas[: len(open_to)] == sorted(open_to), "where something can be done comes first, area by area"
    assert set(areas[len(open_to) :]).isdisjoint(open_to)
    assert seen.index(Intent("menu")) > seen.index(Intent("area", max(open_to)))


def test_a_finger_takes_the_ring_away_and_a_key_makes_it_the_keyboard_s(at: Presses) -> None:
    at.turn(1)
    touch = at.window.reader.read(pygame.event.Event(pygame.FINGERDOWN, x=0.01, y=0.99, finger_id=1))
    assert touch is not None
    at.window.handle(touch)
    assert at.window.keyboard.at is None
    assert not at.window.desk_presses.leads


def test_the_ring_goes_to_what_can_be_confirmed_now(at: Presses) -> None:
    at.tap("space", "reinforce:1")
    assert at.ringed == Intent("confirm"), "a form is filled in: deploying is what it proposes"
    at.button("confirm-one")
    assert isinstance(at.table.match.steps[-1], Deploy)


def test_a_second_strike_on_the_same_button_is_not_meant_for_the_next_screen(at: Presses) -> None:
    at.tap("space", "reinforce:1")
    at.send(Press("confirm-one", "short", at.at_s + 1.0))
    before = len(at.table.match.steps)
    scene = at.table.panel
    at.send(Press("confirm-one", "short", at.at_s + 1.2))
    assert (len(at.table.match.steps), at.table.panel) == (before, scene)


def test_held_arrows_turn_pages_and_a_held_knob_leads_back(at: Presses) -> None:
    at.app.scene = SettingsScene(at.app.stage, at.app.scene)
    at.redraw()
    at.button("choose", "long")
    assert isinstance(at.app.scene, BoardTable)
    at.button("next")
    first = at.ringed
    at.button("next")
    assert at.ringed != first
    at.button("previous")
    assert at.ringed == first
    at.button("next", "long")
    assert at.ringed == first, "one page only"


def test_both_arrows_are_the_push_of_the_knob(at: Presses) -> None:
    at.chord("previous", "next")
    assert at.ringed is not None
    at.chord("previous", "next")
    assert at.ringed == Intent("confirm")
