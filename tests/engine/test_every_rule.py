"""Every rule of Sonae and of Generals Order is raised by some test of theirs, is cited and has words."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.generals import game as generals
from engine.sonae import game as sonae

BOOKS = {name: (book.rules(), book.readings()) for name, book in (("sonae", sonae), ("generals", generals))}
TESTS = {
    name: "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / name).glob("test_*.py"))
    )
    for name in BOOKS
}


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, (rules, _) in BOOKS.items() for rule in rules])
def test_some_test_names_it(name: str, rule: str) -> None:
    assert f'"{rule}"' in TESTS[name]


@pytest.mark.parametrize("name", BOOKS)
def test_every_other_answer_to_a_reading_is_tried(name: str) -> None:
    others = [reading for reading, entry in BOOKS[name][1].items() if entry.other]
    assert [reading for reading in others if f'"{reading}"' not in TESTS[name]] == []


@pytest.mark.parametrize("name", BOOKS)
def test_rules_are_cited_and_lean_on_readings_that_ask_and_answer(name: str) -> None:
    rules, readings = BOOKS[name]
    assert all(rule.citation.section and rule.text for rule in rules.values())
    assert {rule.reading for rule in rules.values()} - {None} <= set(readings)
    assert all(reading.question.endswith("?") and reading.default for reading in readings.values())
