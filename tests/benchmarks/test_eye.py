"""The eye measured: a folder of tables with truth in, figures and a diagram out; bad input ends in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.eye import evaluate, other_light
from benchmarks.eye.evaluate import INK, calibration_error, diagram, steps_of, units_before_turn
from benchmarks.eye.other_light import TODAY, WAYS
from tests.vision.tables import four_areas, write_table
from vision.frame import picture_of

PLAN = four_areas()
PAIRS = [(0.95, True)] * 19 + [(0.95, False)] + [(0.6, True)] * 3 + [(0.6, False)] * 2


def test_a_folder_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(tmp_path / "tables" / "one")
    readings, picture = tmp_path / "readings.jsonl", tmp_path / "diagram.png"
    asked = [str(tmp_path / "tables"), "--readings", str(readings), "--list"]
    assert evaluate.main([*asked, "--diagram", str(picture), "--expect", "1"]) == 0
    assert cv2.imread(str(picture)) is not None
    said = capsys.readouterr().out
    assert "all tables: areas right: 4 of 4 (100.0%); frames right: 1 of 1" in said
    assert "expected calibration error" in said
    assert "corners within 0." in said
    line = json.loads(readings.read_text())
    assert line["frame"].endswith("frame-01.jpg")
    # "strange" is there only if something is
    always = {"frame", "units", "commanders", "confidence", "unreadable", "ms", "why", "light"}
    assert set(line) - {"strange"} == always


def test_a_folder_without_tables_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main([str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"evaluate: {tmp_path}: no table with a truth.json and no bundle in it\n")


def test_what_stood_before_a_turn_keeps_the_other_kinds_of_units() -> None:
    plan = replace(PLAN, units=(("land", ("troop", "siege")),))
    units = {"a1": {"red": {"troop": 2, "siege": 1}}}
    for seed in range(20):
        stood = units_before_turn(units, plan, 2, seed)
        assert set(stood) <= {"a1", "b1"}
        assert stood["a1"]["red"]["siege"] == 1
        assert stood["a1"]["red"]["troop"] in (1, 3)
    assert units_before_turn(units, plan, 0, 1) == units


def test_steps_tell_what_was_said_and_what_was_right() -> None:
    low, high = steps_of(PAIRS)
    assert [low.said, low.right] == pytest.approx([0.6, 0.6])
    assert [high.low, high.right] == pytest.approx([0.95, 0.95])
    assert (low.areas, high.areas) == (5, 20)
    assert calibration_error(PAIRS) == pytest.approx(0.0)
    assert calibration_error([(1.0, True), (1.0, False)]) == pytest.approx(0.5)
    assert calibration_error([]) == 0.0


def test_the_diagram_has_a_point_for_each_step() -> None:
    with_points, without = diagram(PAIRS), diagram([])
    assert with_points.shape == without.shape == (600, 600, 3)
    assert (with_points == np.array(INK)).all(axis=2).sum() > (without == np.array(INK)).all(axis=2).sum() + 100


def test_a_board_is_calibrated_and_seen_again_in_all_ways(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, light = write_table(tmp_path / "tables" / "one"), tmp_path / "light" / "one"
    light.mkdir(parents=True)
    for name in ("reference.jpg", "start.jpg"):
        dimmed = cv2.convertScaleAbs(picture_of((table / name).read_bytes(), name), alpha=0.5)
        cv2.imwrite(str(light / name), dimmed)
    assert other_light.main([str(table.parent), str(light.parent), "--list"]) == 0
    said = capsys.readouterr().out
    assert [f"{way}: areas right: 4 of 4 (100.0%)" in said for way in (*WAYS, *TODAY)] == [True] * 7
    assert other_light.main([str(table.parent), str(tmp_path)]) == 2
    told = f"other_light: {tmp_path}: no folder of a table's name with a reference.jpg in it\n"
    assert capsys.readouterr() == ("", told)
