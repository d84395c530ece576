"""Bases on marked tables measured: markers found and laid, the camera fitted, places, facings, what lies astray."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import cv2
import numpy as np
import pytest

from vision.bases.bases import Measurement, find_corner_markers, measure
from vision.bases.camera import fit_camera, project
from vision.bases.markers import (
    CORNERS,
    Grey,
    MarkedTable,
    Search,
    corner_places,
    detect_markers,
    in_whole,
    marker_picture,
    shrink_grey,
    square,
    turn_and_move,
)
from vision.bases.search import base_candidates, corner_candidates, fit_pattern, warp_of, without_shear
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.scenes import HELD_BACK, Grade, random_table
from vision.simulation.marked.shots import Astray, BaseAt, Lamp, MarkedScene, MarkedShot, camera_over, shoot

TABLE = MarkedTable(10.0, 8.0)
BASES = (
    BaseAt(3, 3.0, 5.5, 0.0),
    BaseAt(40, 5.0, 4.0, 33.0),
    BaseAt(77, 7.5, 2.2, 251.0),
    BaseAt(200, 2.5, 2.5, 180.0),
)


def scene(**changes: object) -> MarkedScene:
    table = changes.pop("table", TABLE)
    assert isinstance(table, MarkedTable)
    camera = SimulatedCamera(tilt_deg=30.0, side_deg=12.0, focal=0.9, radial=-0.08, size_px=(720, 544))
    surface, lens = Surface("wood", (60, 90, 130), 2), Lens(noise=2.5, jpeg=85)
    plain = MarkedScene(table, camera_over(table, camera), surface, Lamp(0.7, 70.0, (0.8, 0.95, 1.1)), lens)
    return replace(plain, **changes)  # type: ignore[arg-type]


def offs(shot: MarkedShot, seen: Measurement) -> dict[int, float]:
    """Return each base's error of place in base widths."""
    return {n: hypot(base.x - shot.bases[n].x, base.y - shot.bases[n].y) for n, base in seen.standing.items()}


def misses(shot: MarkedShot, seen: Measurement) -> tuple[float, float]:
    """Return the largest error of place in base widths, and of facing in degrees."""
    turns = [abs((base.facing_deg - shot.bases[n].facing_deg + 180) % 360 - 180) for n, base in seen.standing.items()]
    return max(offs(shot, seen).values()), max(turns)


def measured(seen: MarkedScene) -> tuple[MarkedShot, Measurement]:
    shot = shoot(seen, BASES)
    return shot, measure(shot.picture, TABLE)


@pytest.fixture(scope="module")
def whole() -> MarkedShot:
    return shoot(scene(), BASES)


@pytest.mark.long
def test_every_base_is_found_where_it_stands(whole: MarkedShot) -> None:
    seen = measure(whole.picture, TABLE)
    assert set(seen.standing) == {3, 40, 77, 200}
    off, turn = misses(whole, seen)
    assert off < 0.02
    assert turn < 1.0
    assert (seen.missing, seen.misplaced, seen.twice) == ((), {}, ())
    assert all(seen.standing[n].error >= off for n, off in offs(whole, seen).items())
    assert not any(base.doubtful for base in seen.standing.values())


@pytest.mark.long
@pytest.mark.parametrize(("grade", "seed"), [("usual", 1001), ("hard", 1002)])
def test_tables_that_the_eye_was_not_tuned_on(grade: Grade, seed: int) -> None:
    held_back, bases = random_table(HELD_BACK, grade, seed)
    shot = shoot(held_back, bases)
    seen = measure(shot.picture, held_back.table)
    clear = {number for number in shot.bases if shot.markers[number].clear}
    assert clear <= set(seen.standing)
    assert set(seen.standing) <= set(shot.bases)
    off, turn = misses(shot, seen)
    assert off < 0.1
    assert turn < 3.0


@pytest.mark.long
def test_a_marker_under_a_hand_is_not_seen_and_not_guessed() -> None:
    shot = shoot(scene(hands=((5.0, 4.0, 1.5),)), BASES)
    assert shot.markers[40].share < 0.7
    seen = measure(shot.picture, TABLE)
    assert 40 not in seen.standing
    assert {number for number in shot.bases if shot.markers[number].clear} == set(seen.standing)


@pytest.mark.long
def test_what_stands_higher_is_put_back_to_where_it_stands() -> None:
    high = replace(TABLE, base_height=0.4)
    shot = shoot(scene(table=high), BASES)
    off, _turn = misses(shot, measure(shot.picture, high))
    assert off < 0.02
    flat, _turn = misses(shot, measure(shot.picture, TABLE))
    assert flat > 0.1


@pytest.mark.long
def test_the_error_told_allows_for_a_height_that_is_not_known() -> None:
    steep = camera_over(TABLE, SimulatedCamera(tilt_deg=50.0, focal=0.9, size_px=(1200, 900)))
    shot = shoot(replace(scene(table=replace(TABLE, base_height=0.12)), camera=steep), BASES)
    known = measure(shot.picture, replace(TABLE, base_height=0.12))
    guessed = measure(shot.picture, replace(TABLE, height_within=0.04))
    believed = measure(shot.picture, TABLE)

    def held(seen: Measurement) -> int:
        return sum(off <= seen.standing[n].error for n, off in offs(shot, seen).items())

    assert (held(known), held(guessed), held(believed)) == (4, 4, 0)
    assert all(known.standing[n].error < guessed.standing[n].error for n in shot.bases)


@pytest.mark.long
def test_a_marker_at_the_rear_edge_tells_of_the_bases_middle() -> None:
    rear = replace(TABLE, base_side=0.45, ahead=-0.22)
    shot = shoot(scene(table=rear), [replace(base, figures=3) for base in BASES])
    seen = measure(shot.picture, rear)
    off, turn = misses(shot, seen)
    assert off < 0.03
    assert turn < 2.0


@pytest.mark.long
@pytest.mark.parametrize("without", [(246,), (246, 248), (246, 247)])
def test_with_fewer_corners_the_error_grows(whole: MarkedShot, without: tuple[int, ...]) -> None:
    shot, seen = measured(scene(without=without))
    full = measure(whole.picture, TABLE)
    assert seen.missing == without
    off, _turn = misses(shot, seen)
    assert off < max(0.1, *(base.error for base in seen.standing.values()))
    assert seen.standing[3].error > full.standing[3].error


@pytest.mark.long
def test_without_two_corners_nothing_is_measured_unless_the_camera_stood_still(whole: MarkedShot) -> None:
    shot = shoot(scene(without=(246, 247, 249)), BASES)
    alone = measure(shot.picture, TABLE)
    assert (alone.camera, alone.standing, alone.missing) == (None, {}, (246, 247, 249))
    before = measure(whole.picture, TABLE).camera
    off, _turn = misses(shot, measure(shot.picture, TABLE, before))
    assert off < 0.02
    moved = replace(scene(without=(246, 247, 249)), camera=replace(scene().camera, side_deg=20.0))
    assert measure(shoot(moved, BASES).picture, TABLE, before).camera is None


@pytest.mark.long
def test_a_corner_that_lies_astray_is_named_and_left_out() -> None:
    shot, seen = measured(scene(astray=(Astray(247, 0.3, -0.2),)))
    ((number, how),) = seen.misplaced.items()
    assert (number, how.at) == (247, None)
    assert how.off == pytest.approx(hypot(0.3, 0.2), abs=0.05)
    assert how.turned_deg == pytest.approx(0.0, abs=3.0)
    assert misses(shot, seen)[0] < 0.03


def elsewhere(number: int, at: int, turned_deg: float) -> Astray:
    """Return a corner marker that lies where another belongs."""
    places = corner_places(TABLE)
    right, far = places[at].mean(axis=0) - places[number].mean(axis=0)
    return Astray(number, float(right), float(far), turned_deg)


@pytest.mark.long
@pytest.mark.parametrize("turned_deg", [8.0, 180.0])
def test_a_corner_that_is_turned_is_named_and_left_out(turned_deg: float) -> None:
    shot, seen = measured(scene(astray=(Astray(249, turned_deg=turned_deg),)))
    ((number, how),) = seen.misplaced.items()
    assert (number, how.at, seen.clashing) == (249, None, ())
    assert abs(how.turned_deg) == pytest.approx(turned_deg, abs=2.0)
    assert how.off < 0.1
    assert misses(shot, seen)[0] < 0.03


@pytest.mark.long
@pytest.mark.parametrize(("one", "other", "turned_deg"), [(249, 248, 0.0), (246, 249, 90.0)])
def test_two_corners_that_are_swapped_are_named_and_left_out(one: int, other: int, turned_deg: float) -> None:
    swapped = (elsewhere(one, other, -turned_deg), elsewhere(other, one, turned_deg))
    shot, seen = measured(scene(astray=swapped))
    assert {number: how.at for number, how in seen.misplaced.items()} == {one: other, other: one}
    assert all(off <= seen.standing[n].error for n, off in offs(shot, seen).items())


@pytest.mark.long
@pytest.mark.parametrize(
    ("astray", "told"),
    [
        ((elsewhere(246, 248, 180.0), elsewhere(248, 246, 180.0)), TABLE),
        (
            tuple(elsewhere(corner, other, 90.0) for corner, other in zip(CORNERS, np.roll(CORNERS, -1), strict=True)),
            TABLE,
        ),
        ((), replace(TABLE, height=7.4)),
        ((), replace(TABLE, corner_side=0.75)),
    ],
    ids=["two swapped across", "each one further", "another field", "other markers"],
)
def test_where_nobody_can_tell_which_corner_lies_wrong_nothing_is_measured(
    astray: tuple[Astray, ...], told: MarkedTable
) -> None:
    seen = measure(shoot(scene(astray=astray), BASES).picture, told)
    assert (seen.camera, seen.standing, seen.misplaced) == (None, {}, {})
    assert set(seen.clashing) <= set(CORNERS)
    assert seen.clashing


@pytest.mark.long
def test_of_three_corners_the_wrong_one_is_told_too() -> None:
    _shot, seen = measured(scene(astray=(Astray(249, turned_deg=90.0),), without=(247,)))
    assert (set(seen.misplaced), seen.missing) == ({249}, (247,))
    two = measure(shoot(scene(astray=(Astray(249, turned_deg=90.0),), without=(247, 248)), BASES).picture, TABLE)
    assert (two.camera, two.clashing) == (None, (246, 249))


@pytest.mark.long
def test_corners_that_lie_a_little_astray_make_the_error_larger(whole: MarkedShot) -> None:
    shot = shoot(scene(astray=(Astray(246, 0.06, 0.05), Astray(248, -0.06, 0.05))), BASES)
    seen, full = measure(shot.picture, TABLE), measure(whole.picture, TABLE)
    assert seen.misplaced == {}
    assert seen.standing[3].error > 2 * full.standing[3].error


@pytest.mark.long
def test_a_number_that_two_bases_have_is_told_and_taken_for_neither() -> None:
    shot = shoot(scene(), (*BASES, BaseAt(3, 7.0, 5.5, 90.0)))
    seen = measure(shot.picture, TABLE)
    assert seen.twice == (3,)
    assert set(seen.standing) == {40, 77, 200}


@pytest.mark.long
def test_no_marker_is_seen_where_there_is_none() -> None:
    empty = shoot(scene(without=CORNERS, decoys=6, surface=Surface("printed", (190, 205, 210), 4)), ())
    assert find_corner_markers(np.ascontiguousarray(empty.picture[..., 1])) == {}
    assert measure(empty.picture, TABLE) == Measurement({}, CORNERS)
    dark = np.zeros((200, 300, 3), np.uint8)
    assert measure(dark, TABLE).missing == CORNERS


LARGE = MarkedTable(20.0, 12.0)
SIZE_PX = (1200, 800)
TRUE_CAMERA = np.array([np.log(0.95), -0.12, 2.6, 0.05, 0.1, -9.5, 5.0, 26.0])


def corners_seen(noise_px: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    places = np.concatenate(list(corner_places(LARGE).values()))
    noise = np.random.default_rng(3).normal(0, noise_px, (len(places), 2)) if noise_px else 0.0
    return places, project(TRUE_CAMERA, SIZE_PX, places) + noise


def test_the_fit_finds_lens_and_place() -> None:
    places, pixels = corners_seen()
    camera = fit_camera(places, pixels, SIZE_PX)
    inside = np.array([(3.0, 3.0), (10.0, 6.0), (17.0, 9.5)])
    assert camera.px(inside) == pytest.approx(project(TRUE_CAMERA, SIZE_PX, inside), abs=0.3)
    assert camera.misfit_px < 0.05
    assert camera.focal_px == pytest.approx(0.95 * SIZE_PX[0], rel=0.02)
    assert camera.centre[2] == pytest.approx(26.0, rel=0.1)


@pytest.mark.parametrize("up", [0.0, 0.5])
def test_from_the_table_to_the_picture_and_back(up: float) -> None:
    camera = fit_camera(*corners_seen(), SIZE_PX)
    inside = np.array([(1.0, 1.0), (10.0, 6.0), (19.0, 11.0)])
    assert camera.table(camera.px(inside, up), up) == pytest.approx(inside, abs=1e-4)


def test_the_error_is_about_as_large_as_it_says() -> None:
    inside = np.array([(3.0, 3.0), (10.0, 6.0), (17.0, 9.5)])
    camera = fit_camera(*corners_seen(0.25), SIZE_PX)
    off = np.linalg.norm(camera.table(project(TRUE_CAMERA, SIZE_PX, inside)) - inside, axis=1)
    told = camera.standard_error(inside, 0.0)
    assert (off < 4 * told).all()
    assert (told < 0.05).all()


def test_facings_are_clockwise_from_the_far_edge() -> None:
    front_left, *_rest = turn_and_move(square(2.0), (5.0, 5.0), 90.0)
    assert front_left == pytest.approx([6.0, 6.0])


CELL = 6.0


def sheet(number: int, turns: int = 0, paper: int = 230) -> Grey:
    """Return a 36 px marker in the middle of a 120 px sheet, turned left by quarters."""
    picture = np.full((120, 120), paper, np.uint8)
    picture[42:78, 42:78] = np.where(np.rot90(marker_picture(number, 36), turns) > 0, paper, 25)
    return picture


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_shrunk_picture_s_corners_are_those_of_the_whole_one(times: int) -> None:
    small = np.full((4, 5), 200, np.uint8)
    whole = np.asarray(np.kron(small, np.ones((times, times))), np.uint8)
    assert np.array_equal(shrink_grey(whole, times), small)
    edges = [np.array([(0, 0), (w, 0), (w, h), (0, h)]) - 0.5 for h, w in (small.shape, whole.shape)]
    assert in_whole(edges[0], times) == pytest.approx(edges[1])


@pytest.mark.parametrize("turns", range(4))
def test_found_with_its_own_top_first(turns: int) -> None:
    ((number, quad),) = detect_markers(sheet(17, turns), Search((20.0, 60.0))).markers
    first = {0: (42, 42), 1: (42, 77), 2: (77, 77), 3: (77, 42)}[turns]
    assert number == 17
    assert quad[0] == pytest.approx(first, abs=2)
    smudged = sheet(17, turns)
    smudged[54:57, 54:60] = 128
    found = base_candidates(cv2.GaussianBlur(smudged, (0, 0), 2.2).astype(np.float32), CELL)
    number, quad = [*found.sure, *(likely[0] for likely in found.likely)][0]
    assert number == 17, "it still looks like itself"
    assert quad[0] == pytest.approx(first, abs=3)


def test_numbers_of_corners_are_none_of_bases_and_the_other_why_lost() -> None:
    base = base_candidates(sheet(CORNERS[0]).astype(np.float32), CELL)
    assert not set(CORNERS) & {number for likely in (base.sure, *base.likely) for number, _quad in likely}
    large = cv2.resize(sheet(17), (840, 840), interpolation=cv2.INTER_NEAREST)
    corner = corner_candidates(np.asarray(large, np.uint8))
    assert {number for likely in (corner.sure, *corner.likely) for number, _quad in likely} <= set(CORNERS)


def test_a_whole_pattern_is_laid_finer_than_a_pixel() -> None:
    laid = fit_pattern(
        sheet(17).astype(np.float32), 17, without_shear(warp_of(_quad() + np.array([1.5, -2.0])), CELL), 1.0
    )
    assert laid is not None
    assert laid.middle == pytest.approx((59.5, 59.5), abs=0.1)
    assert laid.corners == pytest.approx(_quad(), abs=0.2)
    assert laid.like > 0.95


def test_a_pattern_that_is_not_there_is_not_laid() -> None:
    plain = np.full((120, 120), 128, np.float32)
    assert fit_pattern(plain, 17, without_shear(warp_of(_quad()), CELL), 1.0) is None
    other = fit_pattern(sheet(18).astype(np.float32), 17, without_shear(warp_of(_quad()), CELL), 1.0)
    assert other is None or other.like < 0.8
    square_alone = np.full((120, 120), 230, np.uint8)
    square_alone[42:78, 42:78] = 25
    assert base_candidates(square_alone.astype(np.float32), CELL).sure == []
    assert find_corner_markers(square_alone) == {}


def _quad() -> np.ndarray:
    return np.array([(41.5, 41.5), (77.5, 41.5), (77.5, 77.5), (41.5, 77.5)])
