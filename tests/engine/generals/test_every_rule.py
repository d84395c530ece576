"""Every rule of the card game is raised by some test here, is cited and has words."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.generals.game import readings, rules

TESTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py")))


@pytest.mark.parametrize("rule", rules())
def test_some_test_names_it(rule: str) -> None:
    assert f'"{rule}"' in TESTS


def test_rules_are_cited_and_lean_on_readings_that_are_there() -> None:
    for rule in rules().values():
        assert rule.citation.section
        assert rule.text
        assert rule.reading is None or rule.reading in readings()


def test_readings_ask_and_answer() -> None:
    for reading in readings().values():
        assert reading.question.endswith("?")
        assert reading.default


@pytest.mark.parametrize("reading", [name for name, reading in readings().items() if reading.other])
def test_some_test_plays_by_its_other_answer(reading: str) -> None:
    assert f'frozenset({{"{reading}"}})' in TESTS
