"""A board photographed again by the way: what is free is taken as it lies, the rest brought into its light."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.calibration.today import is_bare, light_of, nearest_in_light, taken_anew, taken_where_shown, unlike_start
from vision.geometry import Matrix, Picture, rectify
from vision.reading.read import Reading, read
from vision.table import Table, load_today, mark_of_table, today_path

MARK = "0123456789abcdef"


def lamp_lit(picture: Picture) -> Picture:
    """Return the same picture under a lamp at the left: brighter and warmer there, half as bright at the right."""
    across = np.linspace(1.2, 0.5, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.asarray(np.clip(picture * across ** np.array([1.4, 1.0, 0.8], np.float32), 0, 255), np.uint8)


@lru_cache(maxsize=1)
def by_lamp() -> tuple[Picture, Reading, Picture, Reading]:
    """Return the empty board and the start under a lamp, each with what is read of it."""
    shown = pictures()
    empty, start = lamp_lit(shown.reference.picture), lamp_lit(shown.start.picture)
    return empty, read(shown.table, empty), start, read(shown.table, start)


def today_of(frame: Picture, seen: Reading) -> Table:
    today = taken_anew(pictures().table, frame, seen, MARK)
    assert today is not None
    return today


def ground(table: Table) -> Matrix:
    """Return the light of a table's empty board, (rows, columns, 3)."""
    return np.asarray(rectify(table.reference_bgr, table.board_from_reference, table.grid), np.float64)


def test_a_board_is_bare_while_nothing_lies_on_it() -> None:
    _, empty, _, start = by_lamp()
    assert is_bare(empty)
    assert not is_bare(start)
    assert is_bare(replace(empty, unreadable=("a1",)))
    assert not is_bare(replace(empty, unreadable=("a1", "a2")))
    assert not is_bare(replace(empty, cut_off=("a1",)))
    assert not is_bare(replace(empty, registration=None))


def test_a_bare_board_is_taken_as_it_lies() -> None:
    frame, seen, _, _ = by_lamp()
    before = light_of(pictures().table, frame)
    today = today_of(frame, seen)
    now = light_of(today, frame)
    assert before is not None
    assert now is not None
    assert (before.is_other, now.is_other) == (True, False)
    assert today.of == MARK
    assert np.allclose(today.corners_px, pictures().table.corners_px, atol=1.0)


def test_under_pieces_the_ground_is_brought_into_todays_light() -> None:
    empty, _, frame, seen = by_lamp()
    today = today_of(frame, seen)
    assert is_bare(read(today, empty))
    lit = ground(replace(pictures().table, reference_bgr=empty))
    off, before = (np.abs(ground(table) - lit).mean() for table in (today, pictures().table))
    assert off < before / 4


def test_what_covers_an_area_is_not_taken_for_its_ground() -> None:
    frame, seen, _, _ = by_lamp()
    plan = pictures().table.plan
    a1 = np.round(pictures().table.grid.px(plan.area("a1").polygon_mm)).astype(int)
    covered = frame.copy()
    x, y = np.asarray(plan.area("a1").centres_mm[0])
    back = np.linalg.inv(pictures().table.board_from_reference)
    at = cv2.perspectiveTransform(np.array([[[x, y]]]), back)[0, 0]
    cv2.circle(covered, (round(float(at[0])), round(float(at[1]))), 40, (90, 120, 190), -1)
    today = today_of(covered, replace(seen, unreadable=("a1",)))
    middle = ground(today)[a1[:, 1].min() + 40 : a1[:, 1].max() - 40, a1[:, 0].min() + 40 : a1[:, 0].max() - 40]
    assert np.abs(middle - (90, 120, 190)).sum(axis=2).min() > 20
    glare = today_of(frame, replace(seen, unreadable=("a1",)))
    assert np.array_equal(glare.reference_bgr, today_of(frame, seen).reference_bgr), "light hides no print"


def test_a_frame_without_the_board_gives_none() -> None:
    frame, seen, _, _ = by_lamp()
    assert taken_anew(pictures().table, np.zeros_like(frame), seen, MARK) is None


def test_what_is_unlike_the_start_is_named() -> None:
    shown = pictures()
    assert unlike_start(shown.table.plan, read(shown.table, shown.start.picture)) == frozenset()
    later = unlike_start(shown.table.plan, read(shown.table, shown.later.picture))
    assert {"a1", "a2", "b1"} <= later


def test_todays_board_comes_back_from_its_file_with_its_own_calibration_alone(tmp_path: Path) -> None:
    frame, seen, _, _ = by_lamp()
    path = tmp_path / "kitchen.table"
    pictures().table.save(path)
    mark = mark_of_table(path)
    today = replace(today_of(frame, seen), of=mark)
    today.save(today_path(path))
    assert today_path(path).stat().st_size < path.stat().st_size / 2
    again = load_today(today_path(path), pictures().table, mark)
    assert again is not None
    assert (again.of, again.corners_px) == (mark, today.corners_px)
    assert np.abs(again.reference_bgr.astype(int) - today.reference_bgr).mean() < 3
    assert load_today(today_path(path), pictures().table, MARK) is None
    today_path(path).write_bytes(b"cake")
    assert load_today(today_path(path), pictures().table, mark) is None
    assert load_today(tmp_path / "none", pictures().table, mark) is None


@pytest.mark.parametrize("lamp", [False, True])
def test_the_table_nearest_in_light_is_chosen(lamp: bool) -> None:
    frame, seen, _, _ = by_lamp()
    tables = (pictures().table, today_of(frame, seen))
    later = pictures().later.picture
    assert nearest_in_light(tables, lamp_lit(later) if lamp else later) is tables[lamp]
    corners = np.asarray(pictures().table.corners_px)
    assert nearest_in_light(tables, lamp_lit(later) if lamp else later, corners + 5.0) is tables[lamp]
    assert nearest_in_light(tables[:1], np.zeros_like(later)) is tables[0]
    assert nearest_in_light(tables, np.zeros_like(later)) is tables[0]


def test_a_board_whose_corners_are_shown_is_taken_where_its_print_is() -> None:
    frame, _, _, _ = by_lamp()
    corners = np.asarray(pictures().table.corners_px)
    large = np.asarray(cv2.resize(frame, None, fx=2.0, fy=2.0), np.uint8)
    taken = taken_where_shown(pictures().table, large, 2 * corners + 9.0, MARK)
    assert taken is not None
    assert np.abs(np.asarray(taken.corners_px) - corners).max() < 1.0
    assert taken.of == MARK
    assert taken_where_shown(pictures().table, frame, corners + 60.0, MARK) is None
