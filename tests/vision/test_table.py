"""The table file: written whole, read strictly, refused in one line that names it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.errors import TableError
from vision.table import Table, with_support


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


def test_the_spaces_of_the_support_board_come_back_and_old_files_have_none(saved: Path) -> None:
    assert Table.load(saved).support_px == ()
    support = (("plan:1", (610.0, 44.5)), ("reinforce:2", (598.0, 200.0)))
    with_support(pictures().table, support).save(saved)
    assert Table.load(saved).support_px == support


def test_a_table_of_another_board_is_refused(saved: Path) -> None:
    with pytest.raises(TableError, match=r"home\.table: a table set up for test-four, not chess"):
        Table.load(saved, "chess")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"none\.table: can't be read"):
        Table.load(tmp_path / "none.table")


def test_a_file_cut_off_is_refused(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:5000])
    with pytest.raises(TableError, match=r"home\.table: not a table file, or cut off"):
        Table.load(saved)


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


@pytest.mark.parametrize("name", ["reference.png", "start.png"])
def test_a_broken_picture_in_it_is_refused(saved: Path, name: str) -> None:
    put_in(saved, name, b"none")
    with pytest.raises(TableError, match="picture in it is broken"):
        Table.load(saved)


def test_pictures_of_two_sizes_are_refused(saved: Path) -> None:
    put_in(saved, "start.png", cv2.imencode(".png", np.zeros((20, 30, 3), np.uint8))[1].tobytes())
    with pytest.raises(TableError, match="differ in size"):
        Table.load(saved)


def test_a_table_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="can't write"):
        pictures().table.save(tmp_path / "no folder" / "home.table")
