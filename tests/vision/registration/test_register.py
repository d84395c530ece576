"""Finding again where the board lies: still, nudged, set up anew, covered in part, not there at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import CAMERA, four_areas, laid, moved, pictures, there, units_at_start
from vision.geometry import apply
from vision.registration import register as register_module
from vision.registration.register import Anchors, anchors_of, register, register_at, why_lost
from vision.registration.tracking import Registration, even_contrast
from vision.simulation.board_art import BoardMarks
from vision.simulation.table import Moment, Studio


def darkened(picture: np.ndarray, gain: float, noise: float) -> np.ndarray:
    grain = np.random.default_rng(5).normal(0, noise, picture.shape)
    return np.asarray(np.clip(picture * gain + grain, 0, 255), np.uint8)


def anchors() -> Anchors:
    table = pictures().table
    return anchors_of(table.reference_bgr, np.array(table.corners_px))


def error_px(frame: np.ndarray, how: np.ndarray) -> float:
    table = pictures().table
    corners = np.array(table.corners_px)
    found = there(register(anchors_of(table.reference_bgr, corners), frame))
    assert found.good
    return float(np.linalg.norm(apply(found.reference_from_frame, apply(how, corners)) - corners, axis=1).max())


def test_a_still_camera_is_noticed() -> None:
    table = pictures().table
    found = there(register(anchors_of(table.reference_bgr, np.array(table.corners_px)), pictures().start.picture))
    assert found.still
    assert found.error_px < 0.6


@pytest.mark.parametrize(
    ("shift", "turn", "scale", "most_px"),
    [
        *(((6.0, -3.0), 0.0, 1.0, 0.6), ((-14.0, 9.0), 1.5, 1.0, 0.6), ((3.0, 17.0), -2.0, 1.0, 0.6)),
        *(((4.0, 2.0), turn, 1.0, 1.0) for turn in (8.0, 20.0, 30.0)),
        ((40.0, -25.0), 16.0, 0.9, 2.5),
    ],
)
def test_a_board_that_was_nudged_turned_or_moved_far_is_followed(
    shift: tuple[float, float], turn: float, scale: float, most_px: float
) -> None:
    assert error_px(*moved(pictures().later.picture, shift, turn, scale)) < most_px


def test_a_nudged_board_in_a_dark_noisy_picture_is_followed_without_looking_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where noise is taken for print, too few points agree, and the whole picture is searched."""
    monkeypatch.setattr(register_module, "fitting_places", lambda *_: pytest.fail("looked for everywhere"))
    table = pictures().table

    corners = np.array(table.corners_px)
    frame, how = moved(pictures().later.picture, (5.0, -4.0), 1.0)
    found = there(register(anchors_of(darkened(table.reference_bgr, 0.3, 3), corners), darkened(frame, 0.3, 3)))
    assert found.good
    assert np.linalg.norm(apply(found.reference_from_frame, apply(how, corners)) - corners, axis=1).max() < 1.5


@pytest.mark.parametrize(("shift_px", "still"), [(0.0, True), (2.5, False)])
def test_a_camera_that_stands_still_in_the_dark_is_noticed(shift_px: float, still: bool) -> None:
    """Noise then moves single points, and all of them together show that nothing has moved."""
    table = pictures().table

    frame, _ = moved(pictures().later.picture, (shift_px, 0.0), 0.0)
    found = register(
        anchors_of(darkened(table.reference_bgr, 0.1, 3), np.array(table.corners_px)), darkened(frame, 0.1, 3)
    )
    assert found is not None
    assert found.good
    assert found.still is still


@pytest.mark.parametrize(("axes", "is_board"), [((), True), ((0,), False), ((0, 1), False)])
def test_in_the_dark_the_whole_picture_has_to_be_like_the_reference(axes: tuple[int, ...], is_board: bool) -> None:
    """Noise excuses points that don't quite agree; of a board upside down hexes may lie on hexes."""
    table = pictures().table

    anchors = anchors_of(darkened(table.reference_bgr, 0.2, 2), np.array(table.corners_px))
    seen = even_contrast(darkened(np.flip(pictures().later.picture, axes), 0.2, 2)[anchors.box])
    inexact = Registration(np.eye(3), share=0.5, spread=0.5, error_px=0.6, points=150, still=False)
    found = register_module._registered_in_the_dark(anchors, seen, anchors.box, inexact)
    assert (found is not None) is is_board


def test_light_matters_little_and_half_a_board_is_enough() -> None:
    frame, how = moved(pictures().later.picture, (5.0, 4.0), 0.5)
    dim = np.clip(frame * np.linspace(0.35, 0.8, frame.shape[1])[None, :, None], 0, 255).astype(np.uint8)
    assert error_px(dim, how) < 0.5
    frame[:, 330:] = (60, 90, 150)
    assert error_px(frame, how) < 1.0


@pytest.mark.parametrize(("turn_deg", "scale"), [(60.0, 0.6), (90.0, 1.0), (135.0, 1.3), (180.0, 1.0), (-88.0, 0.8)])
def test_a_board_set_up_anew_is_found_however_it_is_turned(turn_deg: float, scale: float) -> None:
    frame, how = moved(pictures().start.picture, (5.0, -8.0), turn_deg, scale)
    light = np.linspace(0.4, 0.9, frame.shape[0])[:, None, None] * np.array([0.7, 0.9, 1.0])
    assert error_px(np.asarray(np.clip(frame * light, 0, 255), np.uint8), how) < 2.0


@pytest.mark.parametrize("first", range(4))
def test_a_board_is_found_where_its_corners_are_shown_whichever_comes_first(first: int) -> None:
    frame, how = moved(pictures().start.picture, (5.0, -8.0), 60.0, 0.6)
    corners = np.array(pictures().table.corners_px)
    shown = apply(how, corners) + np.array([(7.0, -5.0), (-6.0, -6.0), (8.0, 3.0), (-2.0, 9.0)])
    found = there(register_at(anchors(), frame, np.roll(shown, first, axis=0)))
    assert np.linalg.norm(apply(found.reference_from_frame, apply(how, corners)) - corners, axis=1).max() < 2.0
    assert register_at(anchors(), frame, shown + 60.0) is None, "the print isn't there"
    assert register_at(anchors(), np.asarray(frame[:, ::-1]), shown * (-1, 1) + (639, 0)) is None, "mirrored"


@pytest.mark.parametrize(
    "corners",
    [((0, 0),) * 4, ((60, 50), (120, 100), (180, 150), (240, 200)), ((0, 480), (0, 0), (0, 0), (0, 0))],
    ids=["one-place", "a-line", "on-one-another"],
)
def test_corners_that_span_no_board_show_none(corners: tuple[tuple[int, int], ...]) -> None:
    assert register_at(anchors(), pictures().start.picture, np.array(corners, np.float64)) is None


def test_a_bowed_board_is_found_from_another_side() -> None:
    """No homography brings all of its points to their places."""
    before = replace(pictures().studio.scene, bow_mm=4.0, camera=replace(CAMERA, tilt_deg=12.0))
    studio = Studio(four_areas(), before, BoardMarks(points={}, headquarters={}, ports={}, slots={}))
    empty = studio.shoot((), Moment(seed=1))
    now = studio.in_light_of(replace(before, camera=replace(CAMERA, side_deg=150.0, tilt_deg=27.0)))
    shot = now.shoot(laid(now, units_at_start(), {}, 3), Moment(seed=2))
    corners = np.array(empty.truth["corners_px"])
    found = there(register(anchors_of(empty.picture, corners), shot.picture))
    assert found.good
    assert np.linalg.norm(found.gaps[:, 2:], axis=1).max() > 1.5
    assert np.linalg.norm(apply(found.reference_from_frame, shot.truth["corners_px"]) - corners, axis=1).max() < 12


@pytest.mark.parametrize("flip", [0, 1], ids=["upside down", "left to right"])
@pytest.mark.parametrize("turn_deg", [0.0, 100.0])
def test_a_mirrored_board_is_not_taken_but_recognised(flip: int, turn_deg: float) -> None:
    frame = np.asarray(cv2.flip(moved(pictures().start.picture, (4.0, 0.0), turn_deg)[0], flip), np.uint8)
    found = register(anchors(), frame)
    assert found is None or not found.good
    assert why_lost(anchors(), frame) == "mirrored"


def chequered(squares: int = 8, side: int = 40) -> np.ndarray:
    """Return a board (480, 480, 3) of even squares, alike from all four sides, with room round it."""
    rows, columns = np.indices((squares * side, squares * side)) // side
    board = np.where((rows + columns) % 2, 70, 190).astype(np.uint8)
    framed = cv2.copyMakeBorder(board, 80, 80, 80, 80, cv2.BORDER_CONSTANT, value=130)
    return np.asarray(cv2.cvtColor(framed, cv2.COLOR_GRAY2BGR), np.uint8)


def test_a_board_that_fits_in_several_places_is_in_none_of_them() -> None:
    picture = chequered()
    even = anchors_of(picture, np.array([[80, 80], [400, 80], [400, 400], [80, 400]], np.float64))
    frame, _ = moved(picture, (3.0, 5.0), 67.0, 0.9)
    assert register(even, frame) is None
    assert why_lost(even, frame) == "twofold"


@pytest.mark.parametrize("change", [lambda picture: np.full_like(picture, 130), np.asarray], ids=["blank", "as it was"])
def test_nothing_is_said_of_a_picture_without_a_board_or_of_one_where_it_is(
    change: Callable[[np.ndarray], np.ndarray],
) -> None:
    assert why_lost(anchors(), np.asarray(change(pictures().start.picture), np.uint8)) is None


def test_no_board_is_no_registration() -> None:
    table = pictures().table
    blank = anchors_of(np.full_like(table.reference_bgr, 120), np.array(table.corners_px))
    assert register(blank, pictures().start.picture) is None
    noise = np.random.default_rng(3).integers(0, 255, table.reference_bgr.shape, np.uint8)
    found = register(anchors_of(table.reference_bgr, np.array(table.corners_px)), noise)
    assert found is None or not found.good
