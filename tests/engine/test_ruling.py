"""Citations, findings and rulings, and the edition that is cited."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.errors import Illegal
from engine.orders.board import load_board
from engine.orders.mode import Bonus, load_mode
from engine.orders.wire import position_to_json
from engine.referee import reply
from engine.ruling import EDITIONS, LEGAL, Citation, Finding, Hearing, Rule, Ruling, citing, use_edition
from tests.tables import rivers

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


# ==== Editions =================================================================================

PLACE = Citation("Land Conflicts", 18, Citation("Combates Terrestres", 20))
DIFFERING = {"a.one": Rule("a.one", PLACE, "One.", "it is so", "it is not so", "quiet", "one edition says less")}


def test_a_citation_is_printed_as_the_edition_in_use_has_it() -> None:
    assert (str(PLACE), PLACE.heading) == ("Land Conflicts, p. 18", "Land Conflicts")
    use_edition("pt")
    printed = (str(PLACE), PLACE.heading)
    use_edition()
    assert printed == ("Combates Terrestres, p. 20", "Combates Terrestres")
    assert str(PLACE) == "Land Conflicts, p. 18"


def test_an_edition_is_cited_as_long_as_it_is_asked_for() -> None:
    with citing("pt"):
        assert str(PLACE) == "Combates Terrestres, p. 20"
        with citing("en"):
            assert str(PLACE) == "Land Conflicts, p. 18"
        assert str(PLACE) == "Combates Terrestres, p. 20"
    assert str(PLACE) == "Land Conflicts, p. 18"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_book_of_one_edition_stays_as_it_is(edition: str) -> None:
    with citing(edition):
        assert str(Citation("Siege", 7)) == "Siege, p. 7"


def test_a_ruling_says_where_the_editions_differ() -> None:
    hearing = Hearing(DIFFERING)
    hearing.weigh("a.one", False)
    (finding,) = hearing.close().findings
    assert finding.message == "it is not so (reading: quiet) (the editions differ: one edition says less)"
    assert finding.differs == "one edition says less"


@pytest.mark.parametrize("edition", ["fr", "", None, 3, ["pt"], {"pt": 1}])
def test_the_referee_knows_the_editions(edition: object) -> None:
    request = {"do": "check", "position": position_to_json(rivers("e3:3")), "steps": [], "edition": edition, "id": 5}
    answered = reply(json.dumps(request))
    assert answered["error"] == {"kind": "bad_request", "message": "edition: expected one of en, pt"}
    assert answered["id"] == 5


def test_the_sengoku_book_is_cited_in_english_whatever_is_asked_for() -> None:
    request = {"do": "check", "position": position_to_json(rivers("e3:3")), "steps": [{"deploy": "siege:a1"}]}
    answers = [reply(json.dumps(request | more)) for more in ({}, {"edition": "en"}, {"edition": "pt"})]
    assert answers[0] == answers[1] == answers[2]
    assert [ruling["cite"] for ruling in answers[0]["rulings"] if not ruling["holds"]] == ["Actions, p. 12"]


def test_a_title_is_that_of_the_edition_in_use() -> None:
    ambush = replace(load_mode("sengoku-rivers").cards["ambush"], title_pt="Emboscada")
    depot = Bonus("depot", "Depot", "", "reinforce", "more", 2, title_pt="Depósito")
    assert (ambush.heading, depot.heading) == ("Ambush", "Depot")
    with citing("pt"):
        assert (ambush.heading, depot.heading) == ("Emboscada", "Depósito")
        assert load_mode("sengoku-rivers").cards["ambush"].heading == "Ambush"


@pytest.mark.parametrize(("edition", "cite"), [("en", "Advance"), ("pt", "Avançar")])
def test_a_world_war_ii_ruling_is_cited_from_the_edition_asked_for(edition: str, cite: str) -> None:
    start = reply(json.dumps({"do": "new", "board": "wwii-alpine", "initiative": "blue", "bonuses": {}}))["position"]
    (home,) = (area.name for area in load_board("wwii-alpine").areas if area.hq == "blue")
    request = {"do": "apply", "position": start, "steps": [{"deploy": f"advance:{home}"}], "edition": edition}
    error = reply(json.dumps(request))["error"]
    assert (error["rule"], error["cite"]) == ("advance.not-controlled", cite)


@pytest.mark.parametrize("mode", ["wwii-alpine", "wwii-island"])
def test_all_cards_and_bonuses_of_world_war_ii_have_their_portuguese_titles(mode: str) -> None:
    cards, bonuses = load_mode(mode).cards.values(), load_mode(mode).bonuses.values()
    assert all(card.title_pt for card in cards)
    assert all(bonus.title_pt for bonus in bonuses)


def test_an_answer_says_where_the_editions_differ() -> None:
    start = reply(json.dumps({"do": "new", "board": "wwii-alpine", "initiative": "blue", "bonuses": {}}))["position"]
    theirs = next(s for s in load_board("wwii-alpine").spaces if (s.action.name, s.faction) == ("paradrop", "yellow"))
    steps = [{"deploy": theirs.name, "target": theirs.area}]
    rulings = reply(json.dumps({"do": "check", "position": start, "steps": steps}))["rulings"]
    told = {ruling["rule"]: ruling.get("differs", "") for ruling in rulings}
    assert "we follow the English one" in told["paradrop.faction"]
    assert told["space.known"] == ""
