"""A board's plan from its facts file: areas with polygons, action spaces and starting units."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vision.errors import TableError
from vision.plan import BoardPlan, plan_from_data


def plan_of_file(path: Path) -> BoardPlan:
    """A board's plan from its JSON file: a plan as `vision.plan.plan_text` writes it, or a facts file.

    OSError, ValueError, TableError where it cannot be read or is none.
    """
    data = json.loads(path.read_text())
    return plan_of_facts(data) if "action_spaces" in data else plan_from_data(data)


def plan_of_facts(facts: Mapping[str, Any]) -> BoardPlan:
    """A board's plan from a facts file: areas with polygons, action spaces, starting units. TableError."""
    try:
        return plan_from_data(_plan_data(facts))
    except (KeyError, TypeError, AttributeError) as error:
        raise TableError(f"no facts of a board ({error!r})") from error


def _plan_data(facts: Mapping[str, Any]) -> dict[str, Any]:
    areas = [
        {
            "name": area["id"],
            "kind": area["kind"],
            "polygon_mm": area["polygon_mm"],
            "centres_mm": area["hex_centres_mm"],
        }
        for area in facts["areas"]
    ]
    start = [
        (area["id"], area["start"]["faction"], unit, n)
        for area in facts["areas"]
        if area["start"]
        for unit, n in area["start"].items()
        if unit != "faction"
    ]
    return {
        "board": facts["board"],
        "size_mm": facts["size_mm"],
        "areas": areas,
        "spaces": [
            {"name": name, "area": space["area"], "at_mm": space["at_mm"]}
            for name, space in facts["action_spaces"].items()
            if "at_mm" in space
        ],
        "space_side_mm": facts["action_space_hex_side_mm"],
        "factions": sorted({faction for _, faction, _, _ in start}, reverse=True),
        "units": [("land", ["troop"]), ("water", ["ship"])],
        "start": start,
        "most": [("land", 5), ("water", 3)],
        "shared": False,
    }
