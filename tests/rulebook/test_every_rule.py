"""Every rule that the engine knows is seen to object and to hold, each with its citation and the facts in words."""

from __future__ import annotations

import string

import pytest

from engine.orders.game import examine, judge
from engine.orders.mode import load_mode, mode_names, rules_of
from tests.rulebook import cases_sengoku, cases_wwii

CASES = {"sengoku": cases_sengoku.CASES, "wwii": cases_wwii.CASES}
RULES = {book: rules_of(book) for book in CASES}
EVERY_RULE = [(book, rule) for book, rules in RULES.items() for rule, entry in rules.items() if entry.fails]
KEPT = [(book, rule) for book, rule in EVERY_RULE if rule not in CASES[book] or CASES[book][rule].sound]
SAY_IT_ALL = {"roll.owed", "reroll.owed", "accept.window", "game.over", "paradrop.units", "counterattack.space"}
"""Rules whose objection needs no further facts."""


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_mode_is_played_by_a_book_that_is_proved_here() -> None:
    assert {load_mode(name).rulebook for name in mode_names()} == set(CASES)


@pytest.mark.parametrize("book", CASES)
def test_there_is_a_case_for_every_rule_and_no_rule_is_made_up(book: str) -> None:
    assert set(CASES[book]) == {rule for rule, entry in RULES[book].items() if entry.fails}


@pytest.mark.parametrize(("book", "rule"), EVERY_RULE)
def test_the_rule_objects(book: str, rule: str) -> None:
    case, written = CASES[book][rule], RULES[book][rule]
    objections = {finding.rule: finding for finding in judge(case.position, case.spoiled).objections}
    assert rule in objections
    finding = objections[rule]
    assert case.words in finding.message
    assert finding.citation in written.citations
    assert (finding.reading, finding.differs) == (written.reading, written.differs)


@pytest.mark.parametrize(("book", "rule"), KEPT)
def test_the_rule_holds_where_it_is_kept(book: str, rule: str) -> None:
    case = CASES[book][rule]
    assert case.sound is not None
    ruling = examine(case.instead or case.position, case.sound)
    assert ruling.legal, ruling.objections
    assert rule in {finding.rule for finding in ruling.findings}


def test_only_what_never_comes_up_in_a_book_is_never_kept() -> None:
    once_lost = {(book, rule) for book in CASES for rule in ("game.headquarters", "game.both-hqs")}
    assert set(EVERY_RULE) - set(KEPT) == once_lost | {("wwii", "limit.added")} | {
        ("wwii", "remove.owed"),
        ("sengoku", "return.owed"),
    }


@pytest.mark.parametrize(("book", "rule"), EVERY_RULE)
def test_the_rule_cites_a_section_and_says_the_deciding_facts(book: str, rule: str) -> None:
    written = RULES[book][rule]
    assert all(map(str, written.citations))
    assert written.text.endswith(("?", ".") if written.reading else ".")
    assert fields_of(written.fails) or rule in SAY_IT_ALL


@pytest.mark.parametrize(("book", "rule"), EVERY_RULE)
def test_looking_at_a_step_changes_nothing_and_judging_agrees_with_examining(book: str, rule: str) -> None:
    case = CASES[book][rule]
    before = hash(case.position)
    assert judge(case.position, case.spoiled).objections == examine(case.position, case.spoiled).objections
    assert hash(case.position) == before


def test_rules_that_only_tell_what_follows_rest_on_a_reading_or_are_the_limits_of_the_book() -> None:
    told = {
        (book, criterion.id)
        for book, rules in RULES.items()
        for criterion in rules.values()
        if not (criterion.fails or criterion.reading)
    }
    assert told == {("sengoku", "limit.end")}
