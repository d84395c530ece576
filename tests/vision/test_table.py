"""The table file, and today's photos beside it: written whole, read strictly, refused in one line that names it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile import tables
from tests.vision.tables import lamp_lit, pictures, there
from vision.calibration.calibrate import (
    areas_unlike_start,
    is_bare,
    light_of,
    nearest_in_light,
    with_new_empty_board,
    with_new_empty_board_at,
)
from vision.errors import TableError
from vision.geometry import Matrix, Picture, rectify
from vision.reading.read import Reading, read
from vision.table import Table, load_today, mark_of_table, today_path, with_support


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "home.table"
    pictures().table.save(path)
    return path


def put_in(path: Path, name: str, data: bytes) -> None:
    """Put other data in the place of a part of a table's file."""
    with zipfile.ZipFile(path) as pack:
        parts = {part: pack.read(part) for part in pack.namelist()} | {name: data}
    with zipfile.ZipFile(path, "w") as pack:
        for part, kept in parts.items():
            pack.writestr(part, kept)


def test_a_table_comes_back_as_it_was(saved: Path) -> None:
    table, again = pictures().table, Table.load(saved, "test-four")
    assert (again.plan, again.corners_px) == (table.plan, table.corners_px)
    assert np.array_equal(again.reference_bgr, table.reference_bgr)
    assert again.start_bgr is not None
    assert table.start_bgr is not None
    assert np.array_equal(again.start_bgr, table.start_bgr)
    assert list(saved.parent.iterdir()) == [saved]
    assert again.support_px == (), "as in old files"
    support = (("plan:1", (610.0, 44.5)), ("reinforce:2", (598.0, 200.0)))
    with_support(table, support).save(saved)
    assert Table.load(saved).support_px == support


def test_a_table_of_another_board_is_refused(saved: Path) -> None:
    with pytest.raises(TableError, match=r"home\.table: a table set up for test-four, not chess"):
        Table.load(saved, "chess")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 99}, "calibrate again"),
        ({"kind": "cake"}, "not a table"),
        ({"corners_px": [[0, 0]]}, "four corners"),
        ({"plan": {"board": "x"}}, "plan is broken"),
        ({"plan": 5}, "plan is broken"),
        ({"support_px": [[3, 4]]}, "an object"),
        ({"support_px": {"plan:1": [3]}}, "values to unpack"),
        ({"support_px": {"plan:1": [3, 9000]}}, "outside the picture"),
    ],
)
def test_a_broken_table_says_what_is_wrong(saved: Path, changes: dict[str, object], said: str) -> None:
    with zipfile.ZipFile(saved) as pack:
        head = json.loads(pack.read("table.json"))
    put_in(saved, "table.json", json.dumps(head | changes).encode())
    with pytest.raises(TableError, match=rf"home\.table: damaged table file .*{said}"):
        Table.load(saved)


SMALL = cv2.imencode(".png", np.zeros((20, 30, 3), np.uint8))[1].tobytes()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        *((name, b"none", "picture in it is broken") for name in ("reference.png", "start.png")),
        ("start.png", SMALL, "differ in size"),
    ],
)
def test_a_broken_picture_in_it_is_refused(saved: Path, name: str, data: bytes, said: str) -> None:
    put_in(saved, name, data)
    with pytest.raises(TableError, match=said):
        Table.load(saved)


@pytest.mark.long
@pytest.mark.parametrize("case", tables.REFUSED)
def test_a_hostile_table_is_refused(case: str, tmp_path: Path) -> None:
    make, why = tables.REFUSED[case]
    path = tmp_path / "kitchen.table"
    path.write_bytes(make())
    with pytest.raises(TableError) as refused:
        Table.load(path)
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert why in said
    assert len(said) < len(str(path)) + 300
    assert said.isprintable()


def test_the_table_that_they_are_made_from_is_an_honest_one(tmp_path: Path) -> None:
    path = tmp_path / "kitchen.table"
    path.write_bytes(tables.table())
    assert Table.load(path).picture_size == (800, 600)


def test_a_table_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="can't write"):
        pictures().table.save(tmp_path / "no folder" / "home.table")


MARK = "0123456789abcdef"


@lru_cache(maxsize=1)
def by_lamp() -> tuple[Picture, Reading, Picture, Reading]:
    """Return the empty board and the start under a lamp, each with what is read of it."""
    shown = pictures()
    empty, start = lamp_lit(shown.reference.picture), lamp_lit(shown.start.picture)
    return empty, read(shown.table, empty), start, read(shown.table, start)


def today_of(frame: Picture, seen: Reading) -> Table:
    return there(with_new_empty_board(pictures().table, frame, seen, MARK))


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
    assert with_new_empty_board(pictures().table, np.zeros_like(frame), seen, MARK) is None, "no board is there"
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


def test_a_plan_has_no_area_of_a_strange_name() -> None:
    plan = pictures().table.plan
    assert plan.area("a1").name == "a1"
    with pytest.raises(KeyError, match="a99"):
        plan.area("a99")


def test_what_is_unlike_the_start_is_named() -> None:
    shown = pictures()
    assert areas_unlike_start(shown.table.plan, read(shown.table, shown.start.picture)) == frozenset()
    later = areas_unlike_start(shown.table.plan, read(shown.table, shown.later.picture))
    assert {"a1", "a2", "b1"} <= later


def test_todays_board_comes_back_from_its_file_with_its_own_calibration_alone(tmp_path: Path) -> None:
    frame, seen, _, _ = by_lamp()
    path = tmp_path / "kitchen.table"
    pictures().table.save(path)
    mark = mark_of_table(path)
    today = replace(today_of(frame, seen), of=mark)
    today.save(today_path(path))
    assert today_path(path).stat().st_size < path.stat().st_size / 2
    again = there(load_today(today_path(path), pictures().table, mark))
    assert (again.of, again.corners_px) == (mark, today.corners_px)
    assert np.abs(again.reference_bgr.astype(int) - today.reference_bgr).mean() < 3
    assert load_today(today_path(path), pictures().table, MARK) is None
    today_path(path).write_bytes(b"cake")
    assert load_today(today_path(path), pictures().table, mark) is None
    assert load_today(tmp_path / "none", pictures().table, mark) is None


@pytest.mark.parametrize("lamp", [False, True])
def test_the_table_nearest_in_light_is_chosen(lamp: bool) -> None:
    frame, seen, _, _ = by_lamp()
    known = (pictures().table, today_of(frame, seen))
    later = pictures().later.picture
    assert nearest_in_light(known, lamp_lit(later) if lamp else later) is known[lamp]
    corners = np.asarray(pictures().table.corners_px)
    assert nearest_in_light(known, lamp_lit(later) if lamp else later, corners + 5.0) is known[lamp]
    assert nearest_in_light(known[:1], np.zeros_like(later)) is known[0]
    assert nearest_in_light(known, np.zeros_like(later)) is known[0]


def test_a_board_whose_corners_are_shown_is_taken_where_its_print_is() -> None:
    frame, _, _, _ = by_lamp()
    corners = np.asarray(pictures().table.corners_px)
    large = np.asarray(cv2.resize(frame, None, fx=2.0, fy=2.0), np.uint8)
    taken = there(with_new_empty_board_at(pictures().table, large, 2 * corners + 9.0, MARK))
    assert np.abs(np.asarray(taken.corners_px) - corners).max() < 1.0
    assert taken.of == MARK
    assert with_new_empty_board_at(pictures().table, frame, corners + 60.0, MARK) is None
