"""What the referee answers of Generals Order: what is legal and pending, points with reasons, the end, the cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.referee import answer

DECKS = {"red": "practice-cranes", "black": "practice-wolves"}
NEW = {"do": "new", "system": "generals", "decks": DECKS, "first": "red"}


def asked(request: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(answer(json.dumps(request))))


@pytest.fixture
def begun() -> dict[str, Any]:
    """Red has deployed a scout and moved it."""
    steps = [{"deploy": "crane_scout"}, {"move": "crane_scout", "to": "siege"}]
    return asked({"do": "apply", "position": asked(NEW)["position"], "steps": steps})


def test_events_tell_what_came_of_it_and_pending_what_may_be_answered(begun: dict[str, Any]) -> None:
    assert begun["events"][0] == "Red: Crane Scout arrives inside its city"
    deployed = asked({"do": "apply", "position": asked(NEW)["position"], "steps": [{"deploy": "crane_scout"}]})
    assert deployed["pending"] == {
        "wants": "special",
        "by": "black",
        "cards": ["howl"],
        "message": "Black may answer with a special card",
    }
    assert asked({"do": "legal", "position": deployed["position"]})["specials"] == ["howl"]
    ended = asked({"do": "apply", "position": begun["position"], "steps": [{"end": True}]})
    assert ended["pending"] is None


def test_a_general_its_points_and_its_way(begun: dict[str, Any]) -> None:
    request = {"do": "general", "position": begun["position"], "side": "red", "general": "crane_scout"}
    found = asked(request)
    assert found["military"]["parts"][0] == {"n": 2, "why": "Crane Scout", "cite": "Game Play 14, p. 7"}
    assert found["intelligence"]["total"] == 2
    assert found["passage"] == {"enemies": [], "blockers": [], "missing": 0, "cite": "Game Play 11d, p. 6"}
    ended = asked({"do": "apply", "position": begun["position"], "steps": [{"end": True}]})["position"]
    assert "passage" not in asked({**request, "position": ended})
    for wrong in ({"side": "blue"}, {"general": "fox"}):
        assert "is not on the battlefield" in asked(request | wrong)["error"]["message"]


def test_the_end_to_come(begun: dict[str, Any]) -> None:
    assert asked({"do": "outlook", "position": begun["position"]}) == {
        "cite": "Game Play 18, p. 9",
        "red": {"upkeep": 1, "lost": False, "discard": 0},
        "black": {"upkeep": 0, "lost": False, "discard": 0},
    }


def test_the_cut() -> None:
    request = {"do": "cut", "system": "generals", "decks": DECKS}
    found = asked({**request, "cut": {"red": "crane_marshal", "black": "wolf_pup"}})
    assert found == {"decides": "red", "costs": {"red": 4, "black": 1}}
    assert asked({**request, "cut": {"red": "crane_scout", "black": "wolf_pup"}})["decides"] is None
    for cut in ({"red": "dragon"}, {"blue": "wolf_pup"}):
        assert "no card of the deck" in asked({**request, "cut": cut})["error"]["message"]
    assert asked({**request, "cut": {"red": ["x"]}})["error"]["message"] == "cut.red: expected a name, not ['x']"
    assert "a card each" in asked(request)["error"]["message"]


def test_a_cost(begun: dict[str, Any]) -> None:
    request = {"do": "cost", "position": begun["position"], "side": "red", "card": "crane_marshal"}
    found = asked(request)
    assert (found["total"], [part["n"] for part in found["parts"]]) == (3, [4, -1])
    assert asked({**request, "card": "war_fan"})["total"] == 0
    for wrong in ({"side": "blue"}, {"card": "fox"}):
        assert "is no card of" in asked(request | wrong)["error"]["message"]
