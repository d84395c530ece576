"""Keyboard and mouse do what fingers do: a focus over the targets, pages, steppers, typing, the way back."""

from __future__ import annotations

import pygame

from companion.app.app import App
from companion.scenes.base.stage import Scene
from companion.ui.screen import Button, Buttons, Intent, Key, Keys, Screen, Stepper, Steppers, Text
from companion.view.window.input import InputEvent, Reader
from companion.view.window.keyboard import FocusSpot, nearest_spot, next_spot
from companion.view.window.window import Window

LATER_S = 1.0  # nobody strikes a key twice by mistake so slowly
SIZE = (800, 480)


class Told:
    """A scene of one screen that keeps what it is told."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.told: list[Intent] = []

    def show(self) -> Screen:
        return self.screen

    def touch(self, intent: Intent) -> Scene | None:
        self.told.append(intent)
        return None


FOUR = Screen(
    blocks=(
        Buttons((Button("one", Intent("one")), Button("two", Intent("two"))), 2),
        Steppers((Stepper("troops", 1, 3, "count", "troop"),)),
    ),
    actions=(Button("Back", Intent("back")), Button("Go", Intent("go"))),
)
LONG = Screen(blocks=tuple(Text(f"{n} " + "word " * 60) for n in range(20)), actions=(Button("Back", Intent("back")),))
TYPING = Screen(blocks=(Keys(((Key("a", Intent("type", "a")),),), ((Key("a", Intent("type", "a")),),)),))


def opened(screen: Screen, display: pygame.Surface) -> tuple[Window, Told]:
    app, scene = App(), Told(screen)
    app.scene = scene
    return Window(app, display), scene


def keys(window: Window, *names: str) -> None:
    for name in names:
        window.now_s += LATER_S
        window.handle(InputEvent("key", key=name))
        window.refresh()


def verbs(scene: Told) -> list[str]:
    return [intent.verb for intent in scene.told]


def test_tab_leads_through_everything_and_enter_touches_it(display: pygame.Surface) -> None:
    window, scene = opened(FOUR, display)
    for _target in window.canvas.sheet.targets:
        keys(window, "next", "enter")
    assert verbs(scene) == ["one", "two", "count", "count", "back", "go"]
    assert [intent.n for intent in scene.told][2:4] == [-1, 1]
    keys(window, "next", "space", "previous", "enter")
    assert verbs(scene)[-2:] == ["one", "go"], "round and back"


def test_arrows_lead_to_what_is_beside(display: pygame.Surface) -> None:
    window, scene = opened(FOUR, display)
    keys(window, "right", "enter", "right", "enter", "right", "enter", "down", "down", "enter", "right", "enter")
    assert verbs(scene) == ["one", "two", "two", "back", "go"]


def test_the_focus_is_seen_and_goes_when_a_finger_comes(display: pygame.Surface) -> None:
    window, _scene = opened(FOUR, display)
    still = pygame.image.tobytes(display, "RGB")
    keys(window, "next")
    assert pygame.image.tobytes(display, "RGB") != still
    window.handle(InputEvent("down", (1, 240)))
    window.handle(InputEvent("up", (400, 240)))
    window.present()
    assert pygame.image.tobytes(display, "RGB") == still


def test_escape_is_the_way_back_and_never_the_end(display: pygame.Surface) -> None:
    window, scene = opened(FOUR, display)
    keys(window, "escape")
    assert verbs(scene) == ["back"]
    assert window.app.running
    window, scene = opened(TYPING, display)
    keys(window, "escape")
    assert scene.told == []
    assert window.app.running


def test_plus_and_minus_count_what_is_in_focus(display: pygame.Surface) -> None:
    window, scene = opened(FOUR, display)
    keys(window, "next", "next", "next")
    for character in ("+", "-", "x"):
        window.handle(InputEvent("char", key=character))
    assert scene.told == [Intent("count", "troop", 1), Intent("count", "troop", -1)]


def test_pages_turn_by_keys_wheel_and_swipe_though_the_scene_has_none(display: pygame.Surface) -> None:
    window, scene = opened(LONG, display)
    first = pygame.image.tobytes(display, "RGB")
    keys(window, "page-down")
    second = pygame.image.tobytes(display, "RGB")
    assert second != first
    keys(window, "page-up")
    assert pygame.image.tobytes(display, "RGB") == first
    window.handle(InputEvent("wheel", (400, 200), steps=-1))
    window.refresh()
    assert pygame.image.tobytes(display, "RGB") == second
    window.handle(InputEvent("down", (400, 100)))
    window.handle(InputEvent("up", (400, 300)))
    window.refresh()
    assert pygame.image.tobytes(display, "RGB") == first
    scene.screen = FOUR
    window.app.version += 1
    window.refresh()
    keys(window, "page-down")
    assert verbs(scene) == ["page"] * 4, "a single page is not turned"


def test_another_screen_begins_at_its_first_page(display: pygame.Surface) -> None:
    window, scene = opened(LONG, display)
    keys(window, "page-down")
    for screen in (FOUR, LONG):
        scene.screen = screen
        window.app.version += 1
        window.refresh()
    assert "page 1" in "".join(label.text for label in window.canvas.sheet.labels)


def test_what_is_typed_reaches_the_scene(display: pygame.Surface) -> None:
    window, scene = opened(TYPING, display)
    for character in ("T", " ", "õ"):
        window.handle(InputEvent("char", key=character))
    keys(window, "space", "backspace", "enter")
    assert [intent.what for intent in scene.told] == ["T", " ", "õ", "\b", "\n"]
    assert set(verbs(scene)) == {"type"}
    keys(window, "next", "enter")
    assert scene.told[-1] == Intent("type", "a"), "a key in focus is touched by Enter"


def test_keys_and_wheel_are_read() -> None:
    reader = Reader(SIZE, 0)
    down = pygame.KEYDOWN
    assert reader.read(pygame.event.Event(down, key=pygame.K_ESCAPE, mod=0)) == InputEvent("key", key="escape")
    assert reader.read(pygame.event.Event(down, key=pygame.K_TAB, mod=pygame.KMOD_LSHIFT)) == InputEvent(
        "key", key="previous"
    )
    assert reader.read(pygame.event.Event(pygame.TEXTINPUT, text="ã")) == InputEvent("char", key="ã")
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    wheel = reader.read(pygame.event.Event(pygame.MOUSEWHEEL, y=-2, x=0, touch=False))
    assert wheel is not None
    assert (wheel.kind, wheel.steps) == ("wheel", -2)
    pygame.display.quit()


def test_an_empty_screen_has_no_focus() -> None:
    assert next_spot([], None, "next") is None
    assert nearest_spot([], None) is None


def test_the_focus_stays_where_the_same_thing_is(display: pygame.Surface) -> None:
    window, _scene = opened(FOUR, display)
    spots = window.keyboard.spots()
    assert nearest_spot(spots, spots[3]) == spots[3]
    gone = FocusSpot(0, spots[0].target, pygame.Rect(790, 470, 4, 4))
    lone = [spot for spot in spots if spot.target.intent.verb != gone.target.intent.verb]
    near = nearest_spot(lone, gone)
    assert near is not None
    assert near.target.intent.verb == "go", "else on what is nearest"
