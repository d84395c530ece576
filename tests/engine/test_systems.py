"""The referee over all systems of rules: which one a request is about, and what each answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.referee import answer
from engine.systems import system_named

SONAE = {"do": "new", "system": "sonae", "scenario": "maru-shikaku"}
GENERALS = {
    "do": "new",
    "system": "generals",
    "decks": {"red": "practice-cranes", "black": "practice-wolves"},
    "first": "red",
}


def asked(request: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(answer(json.dumps(request))))


@pytest.fixture
def battle() -> dict[str, Any]:
    return dict(asked(SONAE)["position"])


@pytest.fixture
def cards() -> dict[str, Any]:
    return dict(asked(GENERALS)["position"])


@pytest.mark.parametrize(
    ("begin", "step"),
    [(SONAE, {"settle": "encamped", "by": "maru", "messenger": "maru-ni"}), (GENERALS, {"end": True})],
)
def test_a_step_that_is_applied_is_one_that_is_played(begin: dict[str, Any], step: dict[str, Any]) -> None:
    system = system_named(str(begin["system"]))
    start, taken = system.new(begin), system.read_step(step)
    assert system.apply(start, taken) == system.play(start, taken)[0] != start


def test_an_unknown_system_is_answered_with_those_that_are_known() -> None:
    for system in ("chess", 3):
        assert (
            asked({"do": "new", "system": system})["error"]["message"]
            == "system: expected one of orders, sonae, generals"
        )


def test_a_position_says_which_system_it_is_of(battle: dict[str, Any]) -> None:
    found = asked({"do": "apply", "position": battle, "steps": []})
    assert found["position"] == battle
    assert found["pending"] == {
        "wants": "settle",
        "by": "maru",
        "message": "Maru chooses whether the general is Encamped or Mobile",
    }


def test_sonae_tells_a_tests_dice_with_their_reasons(battle: dict[str, Any]) -> None:
    steps: list[dict[str, Any]] = [{"settle": "encamped", "by": "maru", "messenger": "maru-ni"}]
    found = asked({"do": "apply", "position": battle, "steps": steps})["pending"]
    assert found["dice"] == 5
    assert found["pool"][1] == {"dice": 1, "why": "Authority", "cite": "Command and Control"}
    assert found["chance"] == pytest.approx(1 - (5 / 6) ** 5)
    steps = [
        {"settle": "encamped", "by": "maru"},
        {"settle": "encamped", "by": "shikaku"},
        {"token": "maru"},
        {"activate": "maru-ni"},
    ]
    rolled = asked({"do": "apply", "position": battle, "steps": steps})
    assert rolled["pending"] == {
        "wants": "orders",
        "by": "maru",
        "message": "Maru rolls one die for orders",
        "dice": 1,
    }
    steps.append({"roll": [3], "by": "maru"})
    assert asked({"do": "apply", "position": battle, "steps": steps})["pending"] is None
    refused = asked({"do": "apply", "position": battle, "steps": [{"token": "maru"}]})["error"]
    assert (refused["step"], refused["rule"]) == (0, "turn.owed")


def test_sonae_measures(battle: dict[str, Any]) -> None:
    request = {"do": "measure", "position": battle, "unit": "maru-ni-shock"}
    assert asked(request) == {"in_command": True, "general_near": False}
    found = asked({**request, "to": "shikaku-san-firing"})
    assert found["distance"] == pytest.approx(8.2)
    assert (found["in_range"], found["in_contact"]) == (False, False)
    assert found["quarter"] in ("front", "left", "right", "rear")
    assert asked({**request, "to": "nobody"})["error"]["message"] == "to: 'nobody' is no unit in the battle"
    token = asked(
        {"do": "apply", "position": battle, "steps": [{"settle": "mobile", "by": x} for x in ("maru", "shikaku")]}
    )
    assert token["pending"] == {"wants": "token", "message": "draw a token from the bag"}


def test_generals_tells_what_is_legal(cards: dict[str, Any]) -> None:
    found = asked({"do": "legal", "position": cards})
    assert found["deploy"]["crane_captain"] == 2
    assert found["attack"] == {}
    after = asked({"do": "apply", "position": cards, "steps": [{"deploy": "crane_captain"}, {"end": True}]})
    assert after["pending"] is None
    assert after["position"]["to_move"] == "black"


@pytest.mark.parametrize("step", [{"deploy": "dragon"}, {"fly": 1}])
def test_rulings_are_the_same_for_all(cards: dict[str, Any], step: dict[str, Any]) -> None:
    found = asked({"do": "check", "position": cards, "steps": [step]})
    assert not found["legal"]
    assert found["rulings"][-1]["cite"]


def test_no_book_is_cited_for_a_step_of_no_form(battle: dict[str, Any], cards: dict[str, Any]) -> None:
    for position in (battle, cards):
        for do in ("apply", "check"):
            found = asked({"do": do, "position": position, "steps": [{"jump": 1}]})
            told = found["error"] if do == "apply" else found["rulings"][-1]
            assert (told["rule"], told["cite"]) == ("step.form", "not printed")
