"""Pictures on a page: shown in proportion, marked from above, and never the end of the app."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.ui import screen as scr
from companion.view.page.canvas import draw

SIZE_PX = (800, 480)


def picture(extension: str) -> bytes:
    """Return a wide picture, all of one green."""
    done, data = cv2.imencode(extension, np.full((50, 100, 3), (0, 200, 0), np.uint8))
    assert done
    return data.tobytes()


@pytest.mark.parametrize("extension", [".jpg", ".png"])
def test_a_photo_keeps_its_proportions_and_is_really_shown(extension: str) -> None:
    photo = scr.Photo(picture(extension), (100, 50), "Before and after", 200.0)
    canvas = draw(scr.Screen(blocks=(photo,)), SIZE_PX)
    (shown,) = canvas.sheet.photos
    assert shown.rect.w == pytest.approx(2 * shown.rect.h)
    assert shown.rect.h == pytest.approx(200.0)
    red, green, blue, _ = canvas.paint().get_at([round(value * canvas.px_per_pt) for value in shown.rect.centre])
    assert green > 180
    assert max(red, blue) < 20
    assert [label.text for label in canvas.sheet.labels] == ["Before and after"]


def test_a_photo_is_no_wider_than_its_place() -> None:
    canvas = draw(scr.Screen(blocks=(scr.Photo(picture(".jpg"), (1000, 50)),)), SIZE_PX)
    assert canvas.sheet.photos[0].rect.right * canvas.px_per_pt <= SIZE_PX[0]


@pytest.mark.parametrize("caption", ["", "what the camera sees"])
def test_a_photo_above_the_words_stands_in_the_middle(caption: str) -> None:
    shown = scr.PhotoPicture(picture(".jpg"), (500, 500), caption=caption)
    sheet = draw(scr.Screen("Areas", (scr.Text("One."),), photo=shown), (720, 1280)).sheet
    left, right = sheet.photos[0].rect.x, 720 / 1.5 - sheet.photos[0].rect.right
    assert left == pytest.approx(right)
    assert left > 20


def test_broken_data_leaves_the_place_dark() -> None:
    canvas = draw(scr.Screen(blocks=(scr.Photo(b"no picture", (100, 50)),)), SIZE_PX)
    place = [round(value * canvas.px_per_pt) for value in canvas.sheet.photos[0].rect.centre]
    assert max(canvas.paint().get_at(place)[:3]) < 60


def test_shapes_lie_over_photos() -> None:
    canvas = draw(scr.Screen(blocks=(scr.Photo(picture(".png"), (100, 50)),)), SIZE_PX)
    rect = canvas.sheet.photos[0].rect
    corner = [round(rect.x * canvas.px_per_pt), round(rect.y * canvas.px_per_pt)]
    assert canvas.paint().get_at(corner)[1] < 150, "its frame is drawn after it"
