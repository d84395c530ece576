"""Every rule of Sonae is raised by some test here, is cited and has words."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.sonae.game import readings, rules

TESTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))}
SWITCHED = [name for name, reading in readings().items() if reading.other]


@pytest.mark.parametrize("rule", rules())
def test_it_is_tested_under_its_heading(rule: str) -> None:
    heading = rules()[rule].citation.section.lower().replace(" ", "_")
    assert f'"{rule}"' in TESTS[f"test_{heading}"]


@pytest.mark.parametrize("reading", SWITCHED)
def test_every_other_answer_is_tried(reading: str) -> None:
    assert any(f'"{reading}"' in text for text in TESTS.values())


def test_rules_are_cited_and_lean_on_readings_that_are_there() -> None:
    for rule in rules().values():
        assert rule.citation.section
        assert rule.text
        assert rule.reading is None or rule.reading in readings()


def test_readings_ask_and_answer() -> None:
    for reading in readings().values():
        assert reading.question.endswith("?")
        assert reading.default
