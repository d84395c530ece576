"""The divided glass: where each player's part is, what a touch there means, several fingers at once."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from companion.app.app import App
from companion.scenes.table.game_menu import MenuScene
from companion.ui.screen import Intent
from companion.view.kit.glass import glass_of
from companion.view.window.input import InputEvent
from companion.view.window.panes import Shown, divide_glass
from companion.view.window.window import Window
from tests.companion.gallery.gallery import draw_glass
from tests.companion.touching import two_sided

SIZES = [(800, 480), (1280, 720), (720, 1280)]


@pytest.fixture
def app(app: App) -> App:
    return two_sided(app)


def spot(shown_pane: Shown, verb: str, what: str = "") -> tuple[float, float]:
    """Where something is touched on the upright screen."""
    targets = [target for layer in shown_pane.canvas.sheet.layers() for target in layer.targets]
    target = next(t for t in targets if t.intent.verb == verb and what in ("", t.intent.what))
    return shown_pane.box_px(target).center


def told(app: App, monkeypatch: pytest.MonkeyPatch) -> list[Intent]:
    """Return what the app is told from now on."""
    intents: list[Intent] = []
    monkeypatch.setattr(app, "touch", intents.append)
    return intents


@pytest.mark.parametrize("size", SIZES)
def test_the_players_panels_and_the_map_fill_the_glass(app: App, size: tuple[int, int]) -> None:
    glass = glass_of(app.stage.settings)
    near, far, between = divide_glass(app.faces(), size, (glass, glass.grain(size, True)))
    assert (near.seat, far.seat, between.seat) == ("red", "black", "red")
    assert (near.turned, far.turned, between.turned) == (False, True, False)
    assert near.rect_px.unionall([far.rect_px, between.rect_px]).size == size
    assert sum(pane.rect_px.w * pane.rect_px.h for pane in (near, far, between)) == size[0] * size[1]
    assert between.turn == (0 if size[0] > size[1] else 90)
    app.touch(Intent("pass", seat="red"))
    *_panels, between = divide_glass(app.faces(), size, (glass, glass.grain(size, True)))
    assert (between.seat, between.turned) == ("black", True)
    assert between.turn == (180 if size[0] > size[1] else 270), "the board lies as before"


@pytest.mark.parametrize("size", SIZES)
def test_every_area_of_the_map_between_is_large_enough_for_a_finger(app: App, size: tuple[int, int]) -> None:
    _picture, shown = draw_glass(app.faces(), size, glass_of(app.stage.settings))
    sheet = shown[-1].canvas.sheet
    areas = [target for target in sheet.targets if target.intent.verb == "area"]
    assert len(areas) == len(app.faces().middle.screen.map.areas)  # type: ignore[union-attr]
    assert min(min(area.rect.w, area.rect.h) for area in areas) >= sheet.touch - 0.5


def test_buttons_over_several_pages_are_all_as_wide(app: App) -> None:
    app.touch(Intent("menu", seat="red"))
    large = replace(app.stage.settings, text_scale=1.15)
    _picture, (near, *_others) = draw_glass(app.faces(), SIZES[0], glass_of(large))
    wide = {target.intent.verb: target.rect.w for target in near.canvas.sheet.targets if target.intent.verb != "back"}
    assert wide.pop("page") < wide["log"], "one narrow arrow leaves the room to the way back"
    assert set(wide) > {"log", "undo-list", "score"}
    assert len(set(wide.values())) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_touch_reaches_the_half_that_shows_it(app: App, size: tuple[int, int], rotation: int) -> None:
    """The far player's menu is touched where it is shown, however the display is turned."""
    pygame.display.init()
    app.stage.settings = replace(app.stage.settings, rotation_degrees=rotation)
    window = Window(app, pygame.display.set_mode(size))
    place = spot(window.shown[1], "menu")
    for kind in ("down", "up"):
        window.handle(InputEvent(kind, place))
    window.refresh()
    assert isinstance(app.seats.own["black"], MenuScene)
    assert "red" not in app.seats.own
    pygame.display.quit()


def test_both_touch_at_the_same_time_each_lit_alone(
    app: App, display: pygame.Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Window(app, display)
    intents = told(app, monkeypatch)
    near, far = spot(window.shown[0], "pass"), spot(window.shown[1], "menu")
    window.handle(InputEvent("down", near, finger=1))
    one_lit = pygame.image.tobytes(display, "RGB")
    window.handle(InputEvent("down", far, finger=2))
    assert pygame.image.tobytes(display, "RGB") != one_lit
    assert len(window.presses) == 2
    window.handle(InputEvent("up", near, finger=1))
    assert [(intent.verb, intent.seat) for intent in intents] == [("pass", "red")]
    assert list(window.presses) == [2]
    window.handle(InputEvent("up", far, finger=2))
    assert [(intent.verb, intent.seat) for intent in intents] == [("pass", "red"), ("menu", "black")]


def test_a_half_that_did_not_change_is_not_drawn_again(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    near, _far, between = window.shown
    app.touch(Intent("menu", seat="black"))
    window.refresh()
    assert window.shown[0] is near
    assert window.shown[2] is between


def test_without_a_map_the_halves_meet(app: App) -> None:
    glass = glass_of(app.stage.settings)
    faces = app.faces()._replace(middle=None)
    for size in SIZES:
        near, far = divide_glass(faces, size, (glass, glass.grain(size, True)))
        assert not near.rect_px.colliderect(far.rect_px)
        assert near.rect_px.size == pytest.approx(far.rect_px.size, abs=4)


def test_from_area_to_area_is_one_touch(app: App, display: pygame.Surface, monkeypatch: pytest.MonkeyPatch) -> None:
    window = Window(app, display)
    intents = told(app, monkeypatch)
    window.handle(InputEvent("down", spot(window.shown[2], "area", "d5"), finger=1))
    window.handle(InputEvent("up", spot(window.shown[2], "area", "c4"), finger=1))
    assert intents == [Intent("drag", "d5/c4", seat="red")]


def test_colours_and_turn_are_taken_over_while_the_window_is_open(app: App, display: pygame.Surface) -> None:
    window = Window(app, display)
    before = pygame.image.tobytes(display, "RGB")
    app.stage.settings = replace(app.stage.settings, theme="light")
    window.refresh()
    light = pygame.image.tobytes(display, "RGB")
    assert light != before
    app.stage.settings = replace(app.stage.settings, rotation_degrees=180)
    window.refresh()
    assert window.reader.rotation == 180
    assert pygame.image.tobytes(display, "RGB") == bytes(
        pygame.image.tobytes(pygame.transform.rotate(pygame.image.frombytes(light, (800, 480), "RGB"), 180), "RGB")
    )
