"""Single markers: drawn, found, read where a bit is lost, and laid as whole patterns."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.bases.corners import find_corners
from vision.bases.fit import fit_pattern, upright, warp_of
from vision.bases.markers import Grey, Search, detect_markers, in_whole, marker_cells, marker_picture, shrink_grey
from vision.bases.search import candidates, corner_candidates
from vision.bases.table import CELLS, CORNERS

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


def test_a_marker_has_a_black_frame() -> None:
    cells = np.array(marker_cells(17))
    assert cells.shape == (CELLS, CELLS)
    assert cells[0].all()
    assert cells[:, -1].all()
    assert not cells.all()


@pytest.mark.parametrize("turns", range(4))
def test_found_with_its_own_top_first(turns: int) -> None:
    ((number, quad),) = detect_markers(sheet(17, turns), Search((20.0, 60.0))).markers
    first = {0: (42, 42), 1: (42, 77), 2: (77, 77), 3: (77, 42)}[turns]
    assert number == 17
    assert quad[0] == pytest.approx(first, abs=2)


@pytest.mark.parametrize("turns", range(4))
def test_a_marker_with_a_smudge_still_looks_like_itself(turns: int) -> None:
    picture = sheet(17, turns)
    picture[54:57, 54:60] = 128
    found = candidates(cv2.GaussianBlur(picture, (0, 0), 2.2).astype(np.float32), CELL)
    number, quad = [*found.sure, *(likely[0] for likely in found.likely)][0]
    first = {0: (42, 42), 1: (42, 77), 2: (77, 77), 3: (77, 42)}[turns]
    assert number == 17
    assert quad[0] == pytest.approx(first, abs=3)


def test_numbers_of_corners_are_none_of_bases_and_the_other_why_lost() -> None:
    base = candidates(sheet(CORNERS[0]).astype(np.float32), CELL)
    assert not set(CORNERS) & {number for likely in (base.sure, *base.likely) for number, _quad in likely}
    large = cv2.resize(sheet(17), (840, 840), interpolation=cv2.INTER_NEAREST)
    corner = corner_candidates(np.asarray(large, np.uint8))
    assert {number for likely in (corner.sure, *corner.likely) for number, _quad in likely} <= set(CORNERS)


def test_a_plain_square_is_no_marker() -> None:
    picture = np.full((120, 120), 230, np.uint8)
    picture[42:78, 42:78] = 25
    assert candidates(picture.astype(np.float32), CELL).sure == []
    assert find_corners(picture) == {}


def test_a_whole_pattern_is_laid_finer_than_a_pixel() -> None:
    laid = fit_pattern(sheet(17).astype(np.float32), 17, upright(warp_of(_quad() + np.array([1.5, -2.0])), CELL), 1.0)
    assert laid is not None
    assert laid.middle == pytest.approx((59.5, 59.5), abs=0.1)
    assert laid.corners == pytest.approx(_quad(), abs=0.2)
    assert laid.like > 0.95


def test_a_pattern_that_is_not_there_is_not_laid() -> None:
    plain = np.full((120, 120), 128, np.float32)
    assert fit_pattern(plain, 17, upright(warp_of(_quad()), CELL), 1.0) is None
    other = fit_pattern(sheet(18).astype(np.float32), 17, upright(warp_of(_quad()), CELL), 1.0)
    assert other is None or other.like < 0.8


def _quad() -> np.ndarray:
    return np.array([(41.5, 41.5), (77.5, 41.5), (77.5, 77.5), (41.5, 77.5)])
