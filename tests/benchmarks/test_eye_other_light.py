"""A board calibrated in one light and read in another: one set of figures for each way."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from benchmarks.eye.other_light import TODAY, WAYS, main
from tests.vision.table_folder import write_table
from vision.frame import picture_of


def test_a_board_is_calibrated_and_seen_again_in_all_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, light = write_table(tmp_path / "tables" / "one"), tmp_path / "light" / "one"
    light.mkdir(parents=True)
    for name in ("reference.jpg", "start.jpg"):
        dimmed = cv2.convertScaleAbs(picture_of((table / name).read_bytes(), name), alpha=0.5)
        cv2.imwrite(str(light / name), dimmed)
    assert main([str(table.parent), str(light.parent), "--list"]) == 0
    said = capsys.readouterr().out
    assert [f"{way}: areas right: 4 of 4 (100.0%)" in said for way in (*WAYS, *TODAY)] == [True] * 7


def test_without_photos_in_another_light_it_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = write_table(tmp_path / "tables" / "one")
    assert main([str(table.parent), str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"other_light: {tmp_path}: no folder of a table's name with a reference.jpg in it\n"
