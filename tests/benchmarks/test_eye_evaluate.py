"""The measuring harness: a folder of tables with truth in, figures out; bad input ends in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from benchmarks.eye_evaluate import judge_frame, main, plan_of_facts, plan_of_file, units_before_turn
from tests.vision.tables import START, four_areas, pictures
from vision.plan import plan_text
from vision.reading.read import Reading

PLAN = four_areas()


def facts() -> dict[str, object]:
    """The test board in the form of a facts file."""
    starts = {area: {"faction": faction, unit: n} for area, faction, unit, n in START}
    areas = [
        {
            "id": area.name,
            "kind": area.kind,
            "polygon_mm": area.polygon_mm,
            "hex_centres_mm": area.centres_mm,
            "start": starts.get(area.name),
        }
        for area in PLAN.areas
    ]
    spaces = {s.name: {"area": s.area, "at_mm": s.at_mm} for s in PLAN.spaces} | {"plan:1": {"area": None}}
    return {
        "board": PLAN.board,
        "size_mm": PLAN.size_mm,
        "areas": areas,
        "action_spaces": spaces,
        "action_space_hex_side_mm": 6.5,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of facts and a table with one frame."""
    shots, table = pictures(), tmp_path / "tables" / "one"
    table.mkdir(parents=True)
    (tmp_path / "facts.json").write_text(json.dumps(facts()))
    for name, shot in (("reference", shots.reference), ("start", shots.start), ("frame-01", shots.later)):
        cv2.imwrite(str(table / f"{name}.jpg"), shot.picture)
    (table / "table.json").write_text(json.dumps({"corners_px": shots.reference.truth["corners_px"]}))
    truth = {"start": shots.start.truth, "frame-01": shots.later.truth}
    (table / "truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_a_plan_comes_from_facts() -> None:
    plan = plan_of_facts(facts())
    assert (plan.areas, plan.spaces, plan.factions) == (PLAN.areas, PLAN.spaces, ("red", "black"))
    assert sorted(plan.start) == sorted(START)


def test_a_folder_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    readings = folder / "readings.jsonl"
    asked = [str(folder / "tables"), "--plan", str(folder / "facts.json"), "--readings", str(readings), "--list"]
    picture = folder / "diagram.png"
    assert main([*asked, "--diagram", str(picture), "--expect", "1"]) == 0
    assert cv2.imread(str(picture)) is not None
    said = capsys.readouterr().out
    assert "overall    areas 100.00%  frames   1/1" in said
    assert "expected calibration error" in said
    line = json.loads(readings.read_text())
    assert line["frame"].endswith("frame-01.jpg")
    assert set(line) == {"frame", "units", "commanders", "confidence", "unreadable", "ms"}


def test_missing_facts_are_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "--plan", str(folder / "none.json")]) == 2
    assert capsys.readouterr().err.startswith("evaluate: ")


def test_a_folder_without_tables_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "none").mkdir()
    assert main([str(folder / "none"), "--plan", str(folder / "facts.json")]) == 2
    assert capsys.readouterr() == ("", f"evaluate: {folder / 'none'}: no truth.json in it\n")


def reading(units: dict[str, dict[str, dict[str, int]]], sure: float, unreadable: tuple[str, ...] = ()) -> Reading:
    return Reading(units, {"advance:a1": "red"}, {"a1": sure, "b1": sure}, unreadable, 10.0)


@pytest.mark.parametrize(
    ("read", "hidden", "right", "silent"),
    [
        (reading({"a1": {"red": {"troop": 2}}}, 0.99), [], 2, 0),
        (reading({"a1": {"red": {"troop": 3}}}, 0.99), [], 1, 1),
        (reading({"a1": {"red": {"troop": 3}}}, 0.7), [], 1, 0),
        (reading({}, 0.99, ("a1",)), ["a1"], 2, 0),
        (reading({}, 0.99, ("a1",)), [], 1, 0),
    ],
)
def test_areas_are_judged_as_the_scorer_does(read: Reading, hidden: list[str], right: int, silent: int) -> None:
    truth = {"units": {"a1": {"red": {"troop": 2}}}, "commanders": {"advance:b1": "red"}, "occluded": hidden}
    tally = judge_frame(read, truth, ["a1", "b1"], "t")
    assert (tally.right, tally.silent) == (right, silent)
    assert tally.commanders == [0, 0 if hidden else 1, 1]


def test_a_plans_own_text_is_a_plan_and_a_facts_file_too(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(plan_text(PLAN))
    (tmp_path / "facts.json").write_text(json.dumps(facts()))
    assert plan_of_file(tmp_path / "plan.json") == PLAN
    assert plan_of_file(tmp_path / "facts.json") == plan_of_facts(facts())


def test_what_stood_before_a_turn_keeps_the_other_kinds_of_units() -> None:
    plan = replace(PLAN, units=(("land", ("troop", "siege")),))
    units = {"a1": {"red": {"troop": 2, "siege": 1}}}
    for seed in range(20):
        stood = units_before_turn(units, plan, 2, seed)
        assert set(stood) <= {"a1", "b1"}
        assert stood["a1"]["red"]["siege"] == 1
        assert stood["a1"]["red"]["troop"] in (1, 3)
    assert units_before_turn(units, plan, 0, 1) == units
