"""Throws beside a simulated board: windows cut at what is new, tops found in them, faces read or said not to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi

import cv2
import numpy as np
import pytest

from tests.vision.tables import SIZE_MM, four_areas, pictures
from vision.calibration.calibrate import calibrate
from vision.dice.network import (
    CELLS,
    CENTRE_PX,
    CLASSES,
    PX_PER_MM,
    STRIDE,
    TOP_MM,
    UNREADABLE,
    WINDOW_PX,
    DiceNetwork,
    blob,
    cut_window,
    tops_of,
    window_at,
)
from vision.dice.reader import MOST_SITES, DiceReader, DiceReading, Region, Sites, confidence_of
from vision.errors import PictureError
from vision.geometry import Camera, Matrix, Picture, apply
from vision.simulation.board_art import Image
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.dice import Body
from vision.simulation.table import Moment, Scene
from vision.simulation.throws import Group, Make, ThrowStudio, die_of
from vision.table import Table

SIZE_PX = (960, 720)
SIDES = (1, 1, 1, 1)
BLACK = Make(15.0, 1.2, (44, 42, 40), (240, 242, 242), 0.12, 0.24, 0.4, 0.2)
WHITE = Make(16.0, 2.0, (222, 232, 234), (30, 28, 28), 0.11, 0.24, 0.0, 0.1)
RIM = (75.0, 14.0)
PLACES = ((-45.0, 20.0), (-40.0, 75.0), (-50.0, 125.0), (200.0, 30.0), (190.0, 110.0))


@dataclass(frozen=True)
class Setup:
    """A simulated table, its bare picture, and the table calibrated from it."""

    studio: ThrowStudio
    bare: Image
    table: Table


@lru_cache(maxsize=4)
def setup(tilt_deg: float = 25.0, side_deg: float = 8.0) -> Setup:
    camera = SimulatedCamera((75.0, 70.0), 420.0, tilt_deg, side_deg, size_px=SIZE_PX)
    scene = Scene(camera=camera, lens=Lens(noise=1.5), clutter_seed=None, shadow_samples=2)
    studio = ThrowStudio(1, four_areas(), scene=scene)
    bare = studio.bare()
    corners = camera.px(np.array([[0.0, 0, 0], [150, 0, 0], [150, 140, 0], [0, 140, 0]]))
    return Setup(studio, bare, calibrate(studio.seen(bare, []), four_areas(), corners))


def thrown(*dice: Body) -> list[Group]:
    """Each die as a group of its own, on the table."""
    return [Group((die,), (), -2.0, die.middle_mm[:2]) for die in dice]


def game_die(top: int, at: tuple[float, float], make: Make = BLACK, turn: float = 0.5) -> Body:
    return die_of(make, at, -2.0, (top, 1, *SIDES), turn)


def faces(reading: DiceReading) -> list[int]:
    """Return the pips of all dice that were read, smallest first."""
    return sorted(die.pips for die in reading.dice)


@pytest.mark.parametrize("make", [BLACK, WHITE], ids=["black", "white"])
def test_faces_are_read_where_the_dice_lie(make: Make) -> None:
    here = setup()
    tops = (0, 1, 2, 1, 2)
    dice = [game_die(top, at, make, turn) for turn, (top, at) in enumerate(zip(tops, PLACES, strict=True))]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert reading.seen
    assert reading.unreadable == ()
    assert [die.pips for die in sorted(reading.dice, key=lambda die: _nearest(die.at_mm))] == list(tops)
    for die in reading.dice:
        assert np.hypot(*np.subtract(die.at_mm, PLACES[_nearest(die.at_mm)])) < 3.0


def _nearest(at: tuple[float, float]) -> int:
    return int(np.argmin([np.hypot(at[0] - x, at[1] - y) for x, y in PLACES]))


def test_touching_dice_are_told_apart() -> None:
    here = setup()
    dice = [game_die(top, (-45.0, 40.0 + 15.3 * i), turn=0.0) for i, top in enumerate((1, 2, 0))]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert [die.pips for die in sorted(reading.dice, key=lambda die: die.at_mm[1])] == [1, 2, 0]


def test_an_empty_table_has_no_dice_and_what_is_no_table_tells_nothing() -> None:
    here = setup()
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, [], Moment(seed=9)))
    assert (reading.dice, reading.unreadable, reading.seen) == ((), (), True)
    grey = DiceReader(here.table).read(np.full((SIZE_PX[1], SIZE_PX[0], 3), 90, np.uint8))
    assert (grey.dice, grey.unreadable, grey.seen) == ((), (), False)
    with pytest.raises(PictureError, match="calibrated"):
        DiceReader(here.table).read(np.zeros((480, 960, 3), np.uint8))


def test_dice_that_lay_there_at_calibration_are_of_no_account() -> None:
    here = setup()
    old = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0])))
    table = calibrate(old, four_areas(), here.table.corners_px)
    both = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0]), game_die(2, PLACES[3])), Moment(seed=5))
    assert faces(DiceReader(table).read(both)) == [2]


def test_dice_of_other_games_are_not_read() -> None:
    here = setup()
    dice = [die_of(WHITE, at, -2.0, (top, 1, 2, 5, 3, 4), 0.4) for top, at in zip((5, 6), PLACES[:2], strict=True)]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert (len(reading.dice), len(reading.unreadable)) == (0, 2)


def test_a_die_cut_off_by_the_picture_is_not_read() -> None:
    here = setup()
    camera = here.studio.camera
    x, y = camera.board_mm((6.0, 360.0), 13.0)
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(game_die(1, (float(x), float(y))))))
    assert reading.dice == ()


def test_only_the_tray_counts_where_there_is_one() -> None:
    here = setup()
    tray = Region((((-70.0, 0.0), (-20.0, 0.0), (-20.0, 90.0), (-70.0, 90.0)),))
    frame = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0]), game_die(2, PLACES[3])))
    assert faces(DiceReader(here.table, tray).read(frame)) == [1]


def test_dice_on_the_map_are_clutter_and_those_on_the_rim_count() -> None:
    here = setup()
    on_map = die_of(WHITE, four_areas().areas[0].centres_mm[0], 0.0, (1, 1, *SIDES), 0.3)
    on_rim = die_of(BLACK, RIM, 0.0, (2, 1, *SIDES), 0.3)
    region = Region()
    assert not region.holds(on_map.middle_mm[:2], four_areas())
    assert region.holds(RIM, four_areas())
    frame = here.studio.seen(here.bare, [Group((die,), (), 0.0, die.middle_mm[:2]) for die in (on_map, on_rim)])
    reading = DiceReader(here.table).read(frame)
    assert faces(reading) == [2]


@pytest.mark.parametrize("side_deg", [97.0, 188.0])
def test_the_top_is_told_from_the_sides_from_any_side(side_deg: float) -> None:
    here = setup(35.0, side_deg)
    blank = die_of(WHITE, (-25.0, 70.0), -2.0, (0, 1, 2, 1, 1, 1), pi / 4)
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(blank)))
    assert faces(reading) == [0]


def test_a_nudged_camera_changes_nothing() -> None:
    here = setup()
    moment = Moment(seed=3, shift_mm=(5.0, -3.0), turn_deg=1.0)
    bare = here.studio.bare((), moment)
    frame = here.studio.seen(bare, thrown(game_die(1, PLACES[1]), game_die(2, PLACES[4])), moment)
    reading = DiceReader(here.table).read(frame)
    assert faces(reading) == [1, 2]
    assert len(reading.unreadable) == 0


def test_confidence_grows_with_sureness_and_never_reaches_certainty() -> None:
    said = [confidence_of(raw) for raw in (0.0, 0.3, 0.6, 0.85, 0.95, 1.0)]
    assert said == sorted(said)
    assert said[-1] < 1.0
    assert confidence_of(0.5) < 0.5


BOARD = np.array([[0.0, 0, 0], [150, 0, 0], [150, 140, 0], [0, 140, 0]])
WINDOWS_AT = [(-30.0, 20.0), (180.0, 30.0), (70.0, 170.0)]


def seen_by(camera: SimulatedCamera) -> tuple[Camera, Matrix]:
    """Return the eye's camera and the matrix image <- board of a simulated one."""
    x, y, z = camera.centre_mm
    warp = cv2.getPerspectiveTransform(BOARD[:, :2].astype(np.float32), camera.px(BOARD).astype(np.float32))
    return Camera((float(x), float(y), float(z)), camera.focal * camera.size_px[0]), np.asarray(warp, np.float64)


@pytest.mark.parametrize("side", [0, 100, 215])
@pytest.mark.parametrize("at", WINDOWS_AT)
def test_a_top_is_in_the_middle_and_higher_is_further_up(side: float, at: tuple[float, float]) -> None:
    camera = SimulatedCamera(target_mm=(75, 70), distance_mm=400, tilt_deg=30, side_deg=side, size_px=(640, 480))
    window = window_at(at, *seen_by(camera))
    back = np.asarray(np.linalg.inv(window.image_from_window), np.float64)
    points = np.array([[*at, TOP_MM], [*at, TOP_MM + 10], [at[0] + 6, at[1], TOP_MM]])
    top, higher, beside = apply(back, camera.px(points))
    assert top == pytest.approx([CENTRE_PX, CENTRE_PX], abs=0.3)
    assert abs(higher[0] - top[0]) < 1.0
    assert higher[1] - top[1] == pytest.approx(-10 * PX_PER_MM * window.lean, rel=0.1)
    assert np.hypot(*(beside - top)) == pytest.approx(6 * PX_PER_MM, rel=0.02)
    assert window.mm([beside])[0] == pytest.approx([at[0] + 6, at[1]], abs=0.2)
    assert np.linalg.det(window.image_from_window[:2, :2]) > 0, "it is not mirrored"


def fine_picture(scale: int) -> Picture:
    """Return a pattern that is wide in mm, as a camera of this many pixels sees it."""
    rows, columns = np.mgrid[: 480 * scale, : 640 * scale] / scale
    waves = 128 + 60 * np.sin(columns / 9) + 50 * np.cos(rows / 7)
    return np.repeat(waves[..., None], 3, axis=2).astype(np.uint8)


def test_a_finer_picture_gives_the_same_window_and_beyond_it_its_border_goes_on() -> None:
    cuts = []
    for scale in (1, 5):
        camera = SimulatedCamera(target_mm=(75, 70), tilt_deg=20, size_px=(640 * scale, 480 * scale))
        cuts.append(cut_window(fine_picture(scale), window_at((60.0, 80.0), *seen_by(camera))).astype(int))
    assert cuts[0].shape == (WINDOW_PX, WINDOW_PX, 3)
    assert np.abs(cuts[0] - cuts[1]).mean() < 3
    camera = SimulatedCamera(target_mm=(75, 70), tilt_deg=0, size_px=(3200, 2400))
    picture = np.full((2400, 3200, 3), 77, np.uint8)
    assert (cut_window(picture, window_at((-900.0, 70.0), *seen_by(camera))) == 77).all()


def raw(*peaks: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """Scores with a peak of a class at each (row, column, class)."""
    scores = np.full((2 + UNREADABLE, CELLS, CELLS), -8.0, np.float32)
    for row, column, kind in peaks:
        scores[0, row, column] = 3.0
        scores[1 + kind, row, column] = 4.0
    return scores


def test_each_peak_is_a_top_with_its_class() -> None:
    found = tops_of(raw((8, 9, 1), (14, 15, UNREADABLE)), 0.5)
    assert len(found) == 2
    by_place = {round(top.px[0]): top for top in found}
    top = by_place[round(9 * STRIDE + 1.5)]
    assert top.px == pytest.approx((9 * STRIDE + 1.5, 8 * STRIDE + 1.5), abs=0.1)
    assert CLASSES[int(np.argmax(top.chances))] == 1
    assert sum(top.chances) == pytest.approx(1)
    assert top.score == pytest.approx(0.953, abs=0.001)


def test_a_peak_is_placed_between_cells_and_left_out_where_weak_or_at_the_edge() -> None:
    scores = raw((10, 10, 0))
    scores[0, 10, 11] = 2.5
    (top,) = tops_of(scores, 0.5)
    assert 10 * STRIDE + 1.5 < top.px[0] < 11 * STRIDE + 1.5
    assert tops_of(raw((1, 12, 1), (12, CELLS - 1, 1)), 0.5) == []
    assert tops_of(raw((12, 12, 1)), 0.99) == []


def test_input_is_even_in_light() -> None:
    rng = np.random.default_rng(1)
    window = rng.integers(60, 120, (WINDOW_PX, WINDOW_PX, 3)).astype(np.uint8)
    lighter = (window.astype(int) + 90).astype(np.uint8)
    full = blob([window, lighter], [0.1, 0.6])
    assert full.shape == (2, 4, WINDOW_PX, WINDOW_PX)
    assert np.abs(full[0, :3] - full[1, :3]).max() < 0.01
    assert full[:, 3, 0, 0] == pytest.approx([0.1, 0.6])


def test_the_packaged_weights_answer_for_any_number_of_windows() -> None:
    network = DiceNetwork()
    blank = np.full((WINDOW_PX, WINDOW_PX, 3), 120, np.uint8)
    assert network.find([blank] * 3, [0.2] * 3, 0.3) == [[], [], []]
    assert network.find([blank], [0.2], 0.3) == [[]]
    assert network.find([], [], 0.5) == []


BESIDE = (-25.0, 60.0)


def with_block(at_mm: tuple[float, float], side_mm: float = 12.0) -> Picture:
    """Return the reference with a pale block painted at a place of the table."""
    table = pictures().table
    picture = table.reference_bgr.copy()
    corners = np.array(at_mm) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_mm / 2
    seen = apply(np.asarray(np.linalg.inv(table.board_from_reference), np.float64), corners)
    low, high = seen.min(axis=0).astype(int), seen.max(axis=0).astype(int)
    picture[low[1] : high[1], low[0] : high[0]] = (230, 235, 240)
    return picture


def sites_in(frame: Picture, region: Region | None = None) -> list[tuple[float, float]]:
    table = pictures().table
    sites = Sites(table, region or Region())
    return sites.places(sites.changes(frame, None), table.camera)


def test_a_new_thing_beside_the_board_gets_a_window_and_nothing_else() -> None:
    reference = pictures().table.reference_bgr
    dimmer = reference * np.linspace(0.75, 0.95, reference.shape[1])[None, :, None]
    on_map = with_block(four_areas().areas[0].centres_mm[0])
    assert [sites_in(frame) for frame in (reference, dimmer.astype(np.uint8), on_map)] == [[], [], []]
    found = sites_in(with_block(BESIDE))
    assert len(found) == 1
    assert np.hypot(*np.subtract(found[0], BESIDE)) < 9
    tray = Region((((160.0, 20.0), (190.0, 20.0), (190.0, 60.0), (160.0, 60.0)),))
    assert sites_in(with_block(BESIDE), tray) == []
    assert len(sites_in(with_block((175.0, 40.0)), tray)) == 1


def test_a_shifted_frame_is_laid_over_the_reference_first() -> None:
    table = pictures().table
    frame = np.roll(with_block(BESIDE), (4, 7), (0, 1))
    sites = Sites(table, Region())
    back = np.array([[1.0, 0, -7], [0, 1, -4], [0, 0, 1]])
    found = sites.places(sites.changes(frame, back), table.camera)
    assert len(found) == 1
    assert np.hypot(*np.subtract(found[0], BESIDE)) < 9


def test_a_large_change_is_covered_by_windows_but_not_by_endlessly_many() -> None:
    table = pictures().table
    rng = np.random.default_rng(2)
    frame = rng.integers(0, 255, table.reference_bgr.shape).astype(np.uint8)
    assert len(sites_in(frame)) <= MOST_SITES
    wide = sites_in(with_block((75.0, -30.0), 36.0))
    assert 1 < len(wide) < 12
    assert all(-20 < x < SIZE_MM[0] + 20 for x, _y in wide)
