"""Citations, findings, rulings, and how they are gathered."""

from __future__ import annotations

import pytest

from engine.errors import Illegal
from engine.ruling import LEGAL, Citation, Finding, Hearing, Rule, Ruling

RULES = {
    "a.one": Rule("a.one", Citation("One", 7), "One.", "{n} is enough", "{n} is too few"),
    "a.two": Rule("a.two", Citation("Two"), "Two.", "so it is", "it is not so", reading="quiet"),
}


def test_a_citation_has_a_page_as_far_as_it_is_known() -> None:
    assert str(Citation("Conflicts", 29)) == "Conflicts, p. 29"
    assert str(Citation("Advance")) == "Advance"


def test_an_objection_carries_rule_citation_and_facts() -> None:
    hearing = Hearing(RULES)
    assert not hearing.weigh("a.one", False, n=2)
    assert hearing.close().objections == (Finding("a.one", False, Citation("One", 7), "2 is too few"),)


def test_a_reading_is_named_where_a_rule_rests_on_it() -> None:
    hearing = Hearing(RULES, thorough=True)
    hearing.weigh("a.two", True)
    hearing.weigh("a.two", False)
    assert [(f.message, f.reading) for f in hearing.close().findings] == [
        ("so it is (reading: quiet)", "quiet"),
        ("it is not so (reading: quiet)", "quiet"),
    ]


def test_what_holds_is_kept_only_by_a_thorough_hearing() -> None:
    quick, thorough = Hearing(RULES), Hearing(RULES, thorough=True)
    assert quick.weigh("a.one", True, n=9)
    assert thorough.weigh("a.one", True, n=9)
    assert quick.close() is LEGAL
    assert [finding.message for finding in thorough.close().findings] == ["9 is enough"]
    assert thorough.close().legal


def test_a_ruling_is_legal_where_nothing_objects() -> None:
    holds, fails = (Finding("a.one", holds, Citation("One"), "") for holds in (True, False))
    assert Ruling((holds,)).legal
    assert not Ruling((holds, fails)).legal
    assert Ruling((holds, fails)).objections == (fails,)


def test_illegal_carries_its_ruling_and_says_the_first_objection() -> None:
    ruling = Ruling((Finding("a.one", True, Citation("One"), "fine"), Finding("a.one", False, Citation("One"), "bad")))
    with pytest.raises(Illegal, match=r"^bad$") as caught:
        raise Illegal(ruling)
    assert caught.value.ruling is ruling
