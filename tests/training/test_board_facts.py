"""A board's plan from a facts file, and from a file of its own."""

from __future__ import annotations

import json
from pathlib import Path

from tests.vision.tables import START, four_areas
from training.board_facts import plan_of_facts, plan_of_file
from vision.plan import plan_text

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


def test_a_plan_comes_from_facts() -> None:
    plan = plan_of_facts(facts())
    assert (plan.areas, plan.spaces, plan.factions) == (PLAN.areas, PLAN.spaces, ("red", "black"))
    assert sorted(plan.start) == sorted(START)


def test_a_plans_own_text_is_a_plan_and_a_facts_file_too(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(plan_text(PLAN))
    (tmp_path / "facts.json").write_text(json.dumps(facts()))
    assert plan_of_file(tmp_path / "plan.json") == PLAN
    assert plan_of_file(tmp_path / "facts.json") == plan_of_facts(facts())
