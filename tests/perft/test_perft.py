"""Counts of legal step sequences, kept as data: a change in any rule shows here (count.py says what is counted)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.perft.count import by_space, counts_of, position_of, sequences, steps_from
from tests.tables import rivers

pytestmark = pytest.mark.long

FILES = sorted(Path(__file__).parent.glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_there_are_as_many_ways_to_play_on_as_there_were(file: Path) -> None:
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    found = counts_of(data, len(data["counts"]))
    assert found["by_space"] == data["by_space"]
    assert found["counts"] == data["counts"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_step_is_counted_twice(file: Path) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    steps = steps_from(position_of(data), data["coarse"])
    assert len(set(steps)) == len(steps) == sum(data["by_space"].values()) == data["counts"][0]


def test_counting_by_hand() -> None:
    """Red has only e3 with two troops, so one may move; black passes or does the same."""
    position = rivers("e3:2", "a3:1", commanders={"plan:1": "red", "embark:1": "red", "reinforce:1": "red"})
    assert by_space(position) == {"pass": 1, "advance:d3": 1, "advance:e1": 1}
    assert sequences(position, 0) == 1
    assert sequences(position, 1) == 3
