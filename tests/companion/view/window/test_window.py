"""The window: fingers and mouse, a turned screen, and drawing only what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.app.app import App
from companion.scenes.home.home import HomeScene
from companion.scenes.setup.setup import SetupScene
from companion.view.window import display as display_module
from companion.view.window import window as window_module
from companion.view.window.display import ScreenError, has_screen, wait_for_events
from companion.view.window.input import InputEvent, Reader
from companion.view.window.window import Window, run_window

SIZE = (800, 480)


def place_of(window: Window, verb: str) -> tuple[float, float]:
    target = next(target for target in window.canvas.sheet.targets if target.intent.verb == verb)
    x, y = target.rect.centre
    return x * window.canvas.px_per_pt, y * window.canvas.px_per_pt


def test_a_touch_acts_when_the_finger_leaves(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    place = place_of(window, "new")
    still = pygame.image.tobytes(display, "RGB")
    window.handle(InputEvent("down", place))
    assert pygame.image.tobytes(display, "RGB") != still, "the button lights up"
    assert isinstance(app.scene, HomeScene)
    window.handle(InputEvent("up", place))
    assert isinstance(app.scene, SetupScene)
    assert window.drawn != app.version
    window.refresh()
    assert window.drawn == app.version
    assert any(target.intent.verb == "next" for target in window.canvas.sheet.targets)


def test_a_finger_that_slides_off_does_nothing(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    still = pygame.image.tobytes(display, "RGB")
    window.handle(InputEvent("down", place_of(window, "new")))
    window.handle(InputEvent("up", (1, 1)))
    assert isinstance(app.scene, HomeScene)
    assert pygame.image.tobytes(display, "RGB") == still
    window.handle(InputEvent("up", place_of(window, "new")))
    assert isinstance(app.scene, HomeScene), "and a finger that never came down neither"


def test_an_area_of_the_map_lights_up_in_its_outline(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    window.handle(InputEvent("down", place_of(window, "area")))
    [press] = window.presses.values()
    assert press.target is not None
    assert press.target.outline


def test_nothing_is_drawn_while_nothing_changes(
    app: App, display: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(app, display)
    monkeypatch.setattr(window_module, "divide_glass", lambda *_: pytest.fail("drew without need"))
    for _ in range(3):
        window.refresh()


def test_the_loop_reads_events_ticks_and_ends(
    app: App, display: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(app, display)
    x, y = place_of(window, "new")
    batches = iter(
        [
            [pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(x, y), touch=False)],
            [pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=(x, y), touch=False)],
            [pygame.event.Event(pygame.MOUSEMOTION, pos=(x, y), rel=(0, 0), buttons=(0, 0, 0))],
            [pygame.event.Event(pygame.WINDOWEXPOSED), pygame.event.Event(pygame.QUIT)],
        ]
    )
    ticks: list[float] = []
    monkeypatch.setattr(app, "tick", ticks.append)
    window.run(lambda: next(batches), lambda: 7.0)
    assert ticks == [7.0] * 4
    assert isinstance(app.scene, SetupScene)
    assert not app.running


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_screen_is_set_right_once(app: App, rotation: int) -> None:
    """What is drawn at a place of the upright screen is touched at the place where the display shows it."""
    pygame.display.init()
    upright = (800, 480)
    display = pygame.display.set_mode(upright if rotation in (0, 180) else upright[::-1])
    app.stage.settings = replace(app.stage.settings, rotation_degrees=rotation)
    window = Window(app, display)
    assert window.canvas.size_px == upright
    x, y = place_of(window, "new")
    w, h = display.get_size()
    shown = {0: (x, y), 90: (w - y, x), 180: (w - x, h - y), 270: (y, h - x)}[rotation]
    assert window.reader.upright(shown) == pytest.approx((x, y))
    colour = window.canvas.paint().get_at((round(x - 60), round(y)))
    dx, dy = {0: (-60, 0), 90: (0, -60), 180: (60, 0), 270: (0, 60)}[rotation]
    at = (min(w - 1, round(shown[0] + dx)), min(h - 1, round(shown[1] + dy)))
    assert display.get_at(at)[:3] == colour[:3]
    pygame.display.quit()


def test_fingers_are_read_and_their_mouse_twins_left_out() -> None:
    reader = Reader(SIZE, 0)
    finger = pygame.event.Event(pygame.FINGERDOWN, x=0.5, y=0.25, touch_id=1, finger_id=1)
    assert reader.read(finger) == InputEvent("down", (400, 120), finger=1)
    lifted = pygame.event.Event(pygame.FINGERUP, x=0.5, y=0.25, touch_id=1, finger_id=1)
    assert reader.read(lifted) == InputEvent("up", (400, 120), finger=1)
    twin = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(400, 120), touch=True)
    assert reader.read(twin) is None
    assert reader.read(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=3, pos=(1, 1), touch=False)) is None
    assert reader.read(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a)) is None
    assert reader.read(pygame.event.Event(pygame.QUIT)) == InputEvent("quit")


def test_a_portrait_display_on_its_side_is_used_upright() -> None:
    assert Reader((480, 800), 90).upright_size() == (800, 480)
    assert Reader((800, 480), 180).upright_size() == (800, 480)


def test_the_window_opens_runs_and_closes(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "tick", lambda now_s: setattr(app, "running", False))
    assert run_window(app, SIZE) == 0
    assert not pygame.display.get_init()


def test_the_whole_screen_hides_the_arrow(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "tick", lambda now_s: setattr(app, "running", False))
    shown: list[bool] = []
    monkeypatch.setattr(pygame.mouse, "set_visible", shown.append)
    assert run_window(app) == 0
    assert shown == [False]


def test_no_screen_is_one_clear_line(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    pygame.display.quit()
    with pytest.raises(ScreenError, match="couldn't open a screen"):
        run_window(app, SIZE)


@pytest.fixture
def no_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate a shell over the network: neither a desktop nor a card, and nobody asks for a driver."""
    monkeypatch.setattr(display_module, "DRM", tmp_path)
    for variable in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(variable, raising=False)
    pygame.display.quit()
    yield
    pygame.display.quit()


@pytest.mark.usefixtures("no_screen")
def test_without_a_screen_nothing_runs_unseen(app: App) -> None:
    with pytest.raises(ScreenError, match=r"^there is no screen here; without one, try `gunbai demo --headless`$"):
        run_window(app, SIZE)
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("no_screen")
def test_a_driver_that_nobody_sees_is_no_screen(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDL falls back on one where the screen that was there can't be opened."""
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    with pytest.raises(ScreenError, match=r"^there is no screen here"):
        run_window(app, SIZE)


@pytest.mark.usefixtures("no_screen")
def test_one_that_is_asked_for_is_opened(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    monkeypatch.setattr(app, "tick", lambda now_s: setattr(app, "running", False))
    assert run_window(app, SIZE) == 0


@pytest.mark.usefixtures("no_screen")
def test_a_wayland_desktop_is_found_without_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not display_module._finds_a_screen()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not display_module._finds_a_screen()
    (tmp_path / "wayland-0").touch()
    assert display_module._finds_a_screen()


def test_waiting_gives_all_events_there_are() -> None:
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    pygame.event.clear()
    pygame.event.post(pygame.event.Event(pygame.USEREVENT))
    pygame.event.post(pygame.event.Event(pygame.USEREVENT, n=2))
    assert [event.type for event in wait_for_events()].count(pygame.USEREVENT) == 2
    pygame.event.clear()
    assert wait_for_events() == []
    pygame.display.quit()


def test_a_screen_is_looked_for_before_it_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(display_module, "DRM", tmp_path)
    monkeypatch.setattr(display_module, "CARDS", tmp_path)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("DISPLAY", ":0")
    assert not has_screen()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    assert has_screen()
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_screen()
    (tmp_path / "card1-HDMI-A-1").mkdir()
    status = tmp_path / "card1-HDMI-A-1" / "status"
    status.write_text("connected\n")
    assert not has_screen(), "a monitor, but a card that may not be opened"
    (tmp_path / "card1").touch()
    assert has_screen()
    status.write_text("disconnected\n")
    assert not has_screen()


class Attending:
    """What goes on around the app, as the test wants it."""

    def __init__(self) -> None:
        self.asleep = False
        self.light = 1.0

    def wake(self, now_s: float) -> bool:
        asleep, self.asleep = self.asleep, False
        return asleep

    def attend(self, now_s: float) -> float:
        return self.light


def test_a_touch_that_wakes_the_screen_means_nothing_else(app: App, display: pygame.Surface) -> None:
    around = Attending()
    window = Window(app, display, around)
    around.asleep = True
    place = place_of(window, "new")
    window.handle(InputEvent("down", place))
    window.handle(InputEvent("up", place))
    assert isinstance(app.scene, HomeScene)
    window.now_s += 0.1
    window.handle(InputEvent("down", place))
    window.handle(InputEvent("up", place))
    assert isinstance(app.scene, HomeScene), "nor does the second tap of a double tap: nothing was seen yet"
    window.now_s += 1.0
    window.handle(InputEvent("down", place))
    window.handle(InputEvent("up", place))
    assert isinstance(app.scene, SetupScene)


def test_the_picture_is_dimmed_as_the_attendant_says(app: App, display: pygame.Surface) -> None:
    around = Attending()
    window = Window(app, display, around)
    bright = sum(pygame.transform.average_color(display)[:3])
    lights = iter([0.5, 1.0])

    def events() -> list[pygame.event.Event]:
        light = next(lights, None)
        app.running = light is not None
        around.light = light or around.light
        seen.append(sum(pygame.transform.average_color(display)[:3]))
        return []

    seen: list[int] = []
    window.run(events, lambda: 1.0)
    assert seen[1] < bright * 0.6
    assert seen[2] == bright


def test_a_finger_outside_every_part_is_nothing(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    window.handle(InputEvent("down", (-5, -5)))
    window.handle(InputEvent("wheel", (-5, -5), steps=1))
    assert window.presses == {}
