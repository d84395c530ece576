"""Pictures on a page, and a photo with corners to drag: in proportion, marked, and told where a finger is."""

from __future__ import annotations

import cv2
import numpy as np
import pygame
import pytest

from companion.ui.screen import Intent, Photo, PhotoPicture, Screen, Text
from companion.view.page.canvas import draw
from companion.view.window.input import InputEvent, Reader
from companion.view.window.window import Window
from tests.companion.view.window.test_keys import Told, opened

SIZE = (800, 480)
CORNERS = ((0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8))


def picture(extension: str) -> bytes:
    """Return a wide picture, all of one green."""
    return cv2.imencode(extension, np.full((50, 100, 3), (0, 200, 0), np.uint8))[1].tobytes()


@pytest.mark.parametrize("extension", [".jpg", ".png"])
def test_a_photo_keeps_its_proportions_and_is_really_shown(extension: str) -> None:
    photo = Photo(picture(extension), (100, 50), "Before and after", 200.0)
    canvas = draw(Screen(blocks=(photo,)), SIZE)
    (shown,) = canvas.sheet.photos
    assert shown.rect.w == pytest.approx(2 * shown.rect.h)
    assert shown.rect.h == pytest.approx(200.0)
    red, green, blue, _ = canvas.paint().get_at([round(value * canvas.px_per_pt) for value in shown.rect.centre])
    assert green > 180
    assert max(red, blue) < 20
    assert [label.text for label in canvas.sheet.labels] == ["Before and after"]


def test_a_photo_is_no_wider_than_its_place() -> None:
    canvas = draw(Screen(blocks=(Photo(picture(".jpg"), (1000, 50)),)), SIZE)
    assert canvas.sheet.photos[0].rect.right * canvas.px_per_pt <= SIZE[0]


@pytest.mark.parametrize("caption", ["", "what the camera sees"])
def test_a_photo_above_the_words_stands_in_the_middle(caption: str) -> None:
    shown = PhotoPicture(picture(".jpg"), (500, 500), caption=caption)
    sheet = draw(Screen("Areas", (Text("One."),), photo=shown), (720, 1280)).sheet
    left, right = sheet.photos[0].rect.x, 720 / 1.5 - sheet.photos[0].rect.right
    assert left == pytest.approx(right)
    assert left > 20


def test_broken_data_leaves_the_place_dark() -> None:
    canvas = draw(Screen(blocks=(Photo(b"no picture", (100, 50)),)), SIZE)
    place = [round(value * canvas.px_per_pt) for value in canvas.sheet.photos[0].rect.centre]
    assert max(canvas.paint().get_at(place)[:3]) < 60


def test_shapes_lie_over_photos() -> None:
    canvas = draw(Screen(blocks=(Photo(picture(".png"), (100, 50)),)), SIZE)
    rect = canvas.sheet.photos[0].rect
    corner = [round(rect.x * canvas.px_per_pt), round(rect.y * canvas.px_per_pt)]
    assert canvas.paint().get_at(corner)[1] < 150, "its frame is drawn after it"


# ---- corners to drag ------------------------------------------------------------------------------


def photo(**more: object) -> PhotoPicture:
    fields: dict[str, object] = {
        "corners": CORNERS,
        "outlines": (CORNERS,),
        "names": (("c4", (0.5, 0.5), ""), ("a3", (0.3, 0.5), "black")),
        **more,
    }
    return PhotoPicture(picture(".jpg"), (128, 96), **fields)  # type: ignore[arg-type]


def dragging(shown: PhotoPicture | None, display: pygame.Surface) -> tuple[Window, Told]:
    return opened(Screen(title="Corners", blocks=(Text("Drag them."),), photo=shown), display)


def test_a_finger_that_drags_says_where_it_is(display: pygame.Surface) -> None:
    window, scene = dragging(photo(), display)
    rect = window.canvas.sheet.photos[0].rect
    places = [(rect.x + rect.w / 4, rect.y + rect.h / 2), (rect.x + rect.w / 2, rect.y), (rect.x - 50, rect.bottom + 9)]
    for kind, place in zip(("down", "move", "up"), places, strict=True):
        window.handle(InputEvent(kind, place))  # type: ignore[arg-type]
        window.refresh()
    assert [intent.n for intent in scene.told] == [0, 1, 2]
    assert [intent.at for intent in scene.told] == [pytest.approx((0.25, 0.5)), pytest.approx((0.5, 0.0)), (0.0, 1.0)]
    window.handle(InputEvent("move", places[0]))
    assert len(scene.told) == 3, "a finger that has left says nothing"


def test_arrow_keys_are_told_only_where_something_can_be_dragged(display: pygame.Surface) -> None:
    for shown, told in ((None, []), (photo(), [Intent("key", "left")])):
        window, scene = dragging(shown, display)
        window.handle(InputEvent("key", key="left"))
        assert scene.told == told


def test_moves_of_finger_and_held_mouse_are_read_on_a_turned_screen_too() -> None:
    reader = Reader((480, 800), 90)
    finger = pygame.event.Event(pygame.FINGERMOTION, x=0.25, y=0.5, finger_id=1)
    assert reader.read(finger) == InputEvent("move", (400, 360), finger=1)
    held = pygame.event.Event(pygame.MOUSEMOTION, pos=(120, 400), buttons=(1, 0, 0))
    assert reader.read(held) == InputEvent("move", (400, 360))
    assert reader.read(pygame.event.Event(pygame.MOUSEMOTION, pos=(9, 9), buttons=(0, 0, 0))) is None
    assert reader.read(pygame.event.Event(pygame.MOUSEMOTION, pos=(9, 9), buttons=(1, 0, 0), touch=True)) is None
    assert reader.read(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_UP)) == InputEvent("key", key="up")


@pytest.mark.parametrize("size_px", [(800, 480), (1280, 720)])
def test_lines_and_names_lie_where_they_belong(size_px: tuple[int, int]) -> None:
    canvas = draw(Screen(title="Corners", photo=photo(caption="All well.")), size_px)
    rect = canvas.sheet.photos[0].rect
    name = next(label for label in canvas.sheet.labels if label.text == "c4")
    assert name.rect.centre == pytest.approx(rect.centre)
    x, y = rect.x + 0.2 * rect.w, rect.y + 0.5 * rect.h
    red, green, blue, _ = canvas.paint().get_at((round(x * canvas.px_per_pt), round(y * canvas.px_per_pt)))
    assert red > blue + 60, f"the board's edge is gold, not {(red, green, blue)}"
    caption = next(label for label in canvas.sheet.labels if label.text == "All well.")
    assert caption.rect.y >= rect.bottom


@pytest.mark.parametrize("held", range(4))
def test_the_loupe_is_where_the_finger_is_not(held: int) -> None:
    canvas = draw(Screen(photo=photo(held=held, loupe=photo().data)), SIZE)
    assert canvas.sheet.over is not None
    (shown,) = canvas.sheet.over.photos
    rect = canvas.sheet.photos[0].rect
    at = rect.x + CORNERS[held][0] * rect.w
    assert not shown.rect.x <= at <= shown.rect.right


def test_a_banner_lies_over_the_loupe() -> None:
    canvas = draw(Screen(photo=photo(held=0, loupe=photo().data), banner="The camera is gone."), SIZE)
    assert canvas.sheet.over is not None
    assert len(canvas.sheet.over.photos) == 1
    touched = canvas.target_at((150, 20))
    assert touched is not None
    assert touched.intent == Intent("hush")
