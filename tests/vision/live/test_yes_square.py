"""The printed “Yes”: a hand that rests on it presses it, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from vision.bases.markers import marker_picture
from vision.geometry import Picture
from vision.live import yes_square
from vision.live.yes_square import LONG_S, NUMBER, REST_S, SEARCH_EVERY_S, YesSquare, find_square

STEP_S = 0.125
SIDE_PX = 96
AT = (420, 300)


def cloth() -> Picture:
    noise = np.random.default_rng(4).normal(120, 6, (480, 640, 3))
    return np.asarray(np.clip(noise, 0, 255), np.uint8)


def with_square(at: tuple[int, int] = AT, number: int = NUMBER) -> Picture:
    """Return a table with the square lying on it, its middle at a pixel."""
    picture, half, rim = cloth(), SIDE_PX // 2, 24
    x, y = at
    picture[y - half - rim : y + half + rim, x - half - rim : x + half + rim] = 230
    picture[y - half : y + half, x - half : x + half] = marker_picture(number, SIDE_PX)[..., None]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def under_a_hand(picture: Picture) -> Picture:
    return np.asarray(cv2.ellipse(picture.copy(), AT, (70, 45), 20, 0, 360, (120, 160, 210), -1), np.uint8)


class Watched:
    """A square that is watched, an eighth of a second from frame to frame."""

    def __init__(self) -> None:
        self.square = YesSquare()
        self.now_s = 50.0

    def shows(self, picture: Picture, for_s: float, still: bool = True) -> int:
        """How often it is pressed while the camera sees this."""
        pressed = 0
        for _ in range(round(for_s / STEP_S)):
            self.now_s += STEP_S
            pressed += self.square.see(picture, still, self.now_s)
        return pressed


@pytest.fixture
def watched() -> Watched:
    found = Watched()
    assert found.shows(with_square(), 1.0) == 0
    return found


def test_a_hand_that_rests_presses_it_once_when_it_is_lifted(watched: Watched) -> None:
    for _ in range(2):
        assert watched.shows(under_a_hand(with_square()), REST_S + 0.3) == 0
        assert watched.shows(with_square(), 3.0) == 1


def test_a_hand_that_passes_over_it_presses_nothing(watched: Watched) -> None:
    assert watched.shows(under_a_hand(with_square()), REST_S - 0.3) == 0
    assert watched.shows(with_square(), 3.0) == 0


@pytest.mark.parametrize("away", [cloth, lambda: with_square((200, 120))], ids=["gone", "elsewhere"])
def test_a_sheet_that_is_taken_away_presses_nothing(watched: Watched, away: Callable[[], Picture]) -> None:
    assert watched.shows(under_a_hand(with_square()), REST_S + 0.3) == 0
    assert watched.shows(away(), LONG_S + SEARCH_EVERY_S) == 0


def test_a_sheet_that_lies_elsewhere_is_found_there(watched: Watched) -> None:
    watched.shows(with_square((200, 120)), LONG_S + SEARCH_EVERY_S + 1.0)
    assert watched.shows(cloth(), REST_S + 0.3) == 0
    assert watched.shows(with_square((200, 120)), 1.0) == 1


def test_a_sheet_that_is_pushed_presses_nothing(watched: Watched) -> None:
    x, y = AT
    assert watched.shows(under_a_hand(with_square()), REST_S + 0.3) == 0
    assert watched.shows(with_square((x + SIDE_PX // 3, y)), 3.0) == 0


def test_an_arm_over_it_that_moves_pieces_presses_nothing(watched: Watched) -> None:
    assert watched.shows(under_a_hand(with_square()), 0.5) == 0
    assert watched.shows(under_a_hand(with_square()), 0.5, still=False) == 0
    assert watched.shows(under_a_hand(with_square()), 0.5) == 0
    assert watched.shows(with_square(), 3.0) == 0


def test_what_lies_on_it_for_long_is_no_hand(watched: Watched) -> None:
    assert watched.shows(under_a_hand(with_square()), LONG_S + 1.0) == 0
    assert watched.shows(with_square(), SEARCH_EVERY_S + 1.0) == 0


def test_other_markers_are_no_yes() -> None:
    watched = Watched()
    assert watched.shows(with_square(number=7), 1.0) == 0
    assert watched.shows(under_a_hand(with_square(number=7)), REST_S + 0.3) == 0
    assert watched.shows(with_square(number=7), 1.0) == 0


def test_without_one_the_picture_is_hardly_ever_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Picture] = []
    monkeypatch.setattr(yes_square, "find_square", searched.append)
    watched = Watched()
    watched.shows(cloth(), 3 * SEARCH_EVERY_S)
    assert len(searched) == 3
    watched.shows(cloth(), 3 * SEARCH_EVERY_S, still=False)
    assert len(searched) == 3


def test_one_seen_from_the_side_and_far_away_is_found() -> None:
    corners = np.array([(372, 252), (468, 252), (468, 348), (372, 348)], np.float32)
    seen = np.array([(300, 200), (342, 206), (330, 240), (284, 233)], np.float32)
    lies = cv2.getPerspectiveTransform(corners, seen)
    picture = cv2.warpPerspective(with_square(), lies, (640, 480), flags=cv2.INTER_AREA, borderValue=(120, 120, 120))
    found = find_square(np.asarray(picture, np.uint8))
    assert found is not None
    assert np.abs(found - seen).max() < 4
