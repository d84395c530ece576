"""Printed markers on the table: cards that lie face up are told by theirs; a hand that rests on “Yes” presses it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.vision.live.room import Room
from tests.vision.tables import pictures, there
from vision.bases.markers import marker_picture
from vision.geometry import Matrix, Picture
from vision.live import printed
from vision.live.printed import (
    ALERT_S,
    CARD_SIDE_MM,
    FIRST,
    IDLE_S,
    LAST,
    LONG_S,
    NUMBER,
    REST_S,
    SEARCH_EVERY_S,
    FaceUp,
    LaidCard,
    YesSquare,
    find_cards,
    find_square,
)

QUIET_MM = 4.0
BESIDE = (-20.0, 30.0)
AGAIN = (-20.0, 90.0)


@lru_cache(maxsize=1)
def board_from_frame() -> Matrix:
    return pictures().table.board_from_reference


def with_card(picture: Picture, number: int, at_mm: tuple[float, float], side_mm: float = CARD_SIDE_MM) -> Picture:
    """Return the small table with a marker laid on it, its middle at a place in mm of the board."""
    cell, quiet = 12, round(QUIET_MM / side_mm * 6 * 12)
    paper = np.pad(marker_picture(number, 6 * cell), quiet, constant_values=255)
    half = side_mm / 2 + QUIET_MM
    mm_from_paper = np.array(
        [[2 * half / len(paper), 0, at_mm[0] - half], [0, 2 * half / len(paper), at_mm[1] - half], [0, 0, 1]]
    )
    frame_from_paper = np.linalg.inv(board_from_frame()) @ mm_from_paper
    size = picture.shape[1::-1]
    ink = cv2.warpPerspective(paper, frame_from_paper, size, flags=cv2.INTER_AREA)[..., None]
    there = cv2.warpPerspective(np.ones_like(paper), frame_from_paper, size)[..., None]
    # ink in the light of a room, with the grain of a camera
    grain = np.random.default_rng(number).normal(0, 3, picture.shape)
    return np.where(there > 0, np.clip(40 + 0.6 * ink + grain, 0, 255).astype(np.uint8), picture)


def on_the_table(*cards: tuple[int, tuple[float, float]]) -> Picture:
    picture = pictures().start.picture
    for number, at_mm in cards:
        picture = with_card(picture, FIRST + number, at_mm)
    return picture


def test_a_card_beside_the_board_is_told_with_its_place() -> None:
    found = find_cards(on_the_table((3, BESIDE), (0, AGAIN)), board_from_frame())
    assert [card.number for card in found] == [0, 3]
    assert found[0].at_mm == pytest.approx(AGAIN, abs=1.0)
    assert found[1].at_mm == pytest.approx(BESIDE, abs=1.0)


@pytest.mark.parametrize("number", [FIRST - 1, LAST + 1, 249, 0])
def test_markers_that_are_for_something_else_are_no_cards(number: int) -> None:
    assert find_cards(with_card(pictures().start.picture, number, BESIDE), board_from_frame()) == ()
    assert find_cards(pictures().start.picture, board_from_frame()) == ()


def test_a_card_that_leans_or_is_held_up_is_not_told_nor_a_crowded_picture_searched() -> None:
    leaning = board_from_frame() @ np.diag([1.0, 1 / 0.8, 1.0])
    lying = on_the_table((0, BESIDE))
    assert len(find_cards(lying, board_from_frame())) == 1
    squeezed = np.asarray(cv2.warpPerspective(lying, np.diag([1.0, 0.8, 1.0]), lying.shape[1::-1]), np.uint8)
    assert len(find_cards(squeezed, leaning)) == 1, "the marker itself is found"
    assert find_cards(squeezed, board_from_frame()) == ()
    in_a_hand = with_card(pictures().start.picture, FIRST, BESIDE, side_mm=1.16 * CARD_SIDE_MM)
    assert find_cards(in_a_hand, board_from_frame()) == (), "nearer to the camera it looks larger"
    noise = np.random.default_rng(1).integers(0, 255, (1500, 2000, 3), np.uint8)
    assert find_cards(noise, board_from_frame()) == ()


def test_it_is_looked_for_now_and_then_and_more_often_once_there_was_one(monkeypatch: pytest.MonkeyPatch) -> None:
    card = (LaidCard(2, BESIDE),)
    lie: list[tuple[LaidCard, ...]] = [()]
    looks: list[float] = []

    def find(frame: Picture, place: Matrix) -> tuple[LaidCard, ...]:
        looks.append(now_s)
        return lie[0]

    monkeypatch.setattr(printed, "find_cards", find)
    cards, frame = FaceUp(), np.zeros((2, 2, 3), np.uint8)
    for tick in range(round(2 * IDLE_S / 0.5)):
        now_s = tick * 0.5
        assert not cards.see(frame, np.eye(3), now_s)
    assert looks == [0.0, IDLE_S]
    lie[0] = card
    now_s = 2 * IDLE_S - 0.25
    assert cards.see(frame, np.eye(3), now_s, now=True), "at rest, it is looked for at once"
    assert cards.cards == card
    assert not cards.see(frame, np.eye(3), now_s + ALERT_S / 2)
    lie[0] = (LaidCard(2, (BESIDE[0] + 2.0, BESIDE[1])),)
    assert not cards.see(frame, np.eye(3), now_s + ALERT_S), "a hair's breadth is no news"
    lie[0] = ()
    assert cards.see(frame, np.eye(3), now_s + 2 * ALERT_S)


def test_the_watch_tells_cards_no_later_than_the_reading() -> None:
    room = Room()
    seen = room.show(on_the_table((5, BESIDE)), 2.0)
    [told] = [at for at, update in enumerate(seen) if update.cards is not None]
    [settled] = [at for at, update in enumerate(seen) if update.settled is not None]
    assert told <= settled
    later = [
        update.cards for update in room.show(on_the_table((5, BESIDE), (1, AGAIN)), 6.0) if update.cards is not None
    ]
    assert [[card.number for card in cards] for cards in later] == [[1, 5]]


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


@pytest.mark.parametrize(
    "covers",
    [[(REST_S - 0.3, True)], [(0.5, True), (0.5, False), (0.5, True)], [(LONG_S + 1.0, True)]],
    ids=["a hand that passes over it", "an arm that moves pieces", "what lies on it for long"],
)
def test_what_is_no_hand_that_rests_presses_nothing(watched: Watched, covers: list[tuple[float, bool]]) -> None:
    for for_s, still in covers:
        assert watched.shows(under_a_hand(with_square()), for_s, still) == 0
    assert watched.shows(with_square(), 3.0 + SEARCH_EVERY_S) == 0


@pytest.mark.parametrize(
    "away",
    [cloth, lambda: with_square((200, 120)), lambda: with_square((AT[0] + SIDE_PX // 3, AT[1]))],
    ids=["gone", "elsewhere", "pushed"],
)
def test_a_sheet_that_is_taken_away_presses_nothing(watched: Watched, away: Callable[[], Picture]) -> None:
    assert watched.shows(under_a_hand(with_square()), REST_S + 0.3) == 0
    assert watched.shows(away(), LONG_S + SEARCH_EVERY_S) == 0


def test_a_sheet_that_lies_elsewhere_is_found_there(watched: Watched) -> None:
    watched.shows(with_square((200, 120)), LONG_S + SEARCH_EVERY_S + 1.0)
    assert watched.shows(cloth(), REST_S + 0.3) == 0
    assert watched.shows(with_square((200, 120)), 1.0) == 1


def test_other_markers_are_no_yes() -> None:
    watched = Watched()
    assert watched.shows(with_square(number=7), 1.0) == 0
    assert watched.shows(under_a_hand(with_square(number=7)), REST_S + 0.3) == 0
    assert watched.shows(with_square(number=7), 1.0) == 0


def test_without_one_the_picture_is_hardly_ever_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[Picture] = []
    monkeypatch.setattr(printed, "find_square", searched.append)
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
    found = there(find_square(np.asarray(picture, np.uint8)))
    assert np.abs(found - seen).max() < 4
