"""The referee over all systems of rules: what each answers, the texts brought along, steps recorded before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import rulebook
from engine.errors import BadTable, Illegal
from engine.referee import answer, reply
from engine.rulebook import load_rules
from engine.systems import system_named
from tests.engine.generals.case import deck_text
from tests.engine.sonae.case import scenario_text

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


# ==== Battles and decks of a stranger's own, brought along =====================================

Json = dict[str, Any]
COMMON = ("new", "apply", "check")
STARTS: dict[str, Json] = {
    "sonae": {"scenario": "ford", "texts": {"ford": scenario_text()}},
    "generals": {
        "decks": {"red": "hills", "black": "practice-wolves"},
        "first": "red",
        "texts": {"hills": deck_text()},
    },
}
BESIDES: dict[str, Json] = {
    "apply": {"steps": []},
    "check": {"steps": []},
    "measure": {"unit": "ito-a", "to": "oda-a"},
    "general": {"side": "red", "general": "fox"},
    "cost": {"side": "red", "card": "fox"},
    "cut": {
        "decks": {"red": "hills", "black": "hills"},
        "cut": {"red": "fox", "black": "horse"},
        "texts": {"hills": deck_text()},
    },
}
"""What a request has besides its system and its position."""
EVERY = [(system, do) for system in STARTS for do in (*COMMON, *system_named(system).requests)]
STEPS: dict[str, Json] = {"sonae": {"settle": "mobile", "by": "ito"}, "generals": {"deploy": "boar"}}


def answered(**request: Any) -> Json:
    """Return the referee's answer to a request, having checked that it is no error."""
    answer = reply(json.dumps(request))
    assert "error" not in answer, answer
    return answer


def start(system: str) -> Json:
    """Return the position that `new` returns."""
    return dict(answered(do="new", system=system, **STARTS[system])["position"])


def with_a_general(position: Json) -> Json:
    """Red's Fox stands in its city, where a request asks about a general."""
    red = position["sides"]["red"]
    there = {**red, "resources": red["resources"] - 1, "generals": {"fox": {"zone": "city"}}}
    return {**position, "sides": {**position["sides"], "red": there}}


def request_of(system: str, do: str, position: Json) -> Json:
    """Return a request of the given kind, about that position if the kind takes one."""
    if do == "new":
        return {"do": do, "system": system, **STARTS[system]}
    about = with_a_general(position) if do == "general" else position
    return {"do": do, "system": system, "position": about, **BESIDES.get(do, {})}


@pytest.mark.parametrize(("system", "do"), EVERY)
def test_every_request_takes_what_new_returned(system: str, do: str) -> None:
    assert answered(**request_of(system, do, start(system)))


@pytest.mark.parametrize(("system", "do"), [request for request in EVERY if request[1] != "cut"])
def test_every_request_may_bring_the_texts_itself(system: str, do: str) -> None:
    position = start(system)
    texts = position.pop("texts")
    assert "error" in reply(json.dumps({"do": "apply", "position": position, "steps": []}))
    with_position = answered(**request_of(system, do, {**position, "texts": texts}))
    assert answered(**request_of(system, do, position), **({} if do == "new" else {"texts": texts})) == with_position


@pytest.mark.parametrize("system", STARTS)
def test_the_texts_go_along_with_every_position_that_is_answered(system: str) -> None:
    position = start(system)
    after = answered(do="apply", position=position, steps=[STEPS[system]])["position"]
    assert after["texts"] == position["texts"] == STARTS[system]["texts"]
    assert answered(do="check", position=after, steps=[])["legal"] is True


@pytest.mark.parametrize("system", STARTS)
def test_the_position_s_own_text_counts_before_the_request_s(system: str) -> None:
    position = start(system)
    other = dict.fromkeys(position["texts"], "title = 3")
    assert answered(do="apply", position=position, texts=other, steps=[])["position"] == position


def test_what_comes_with_gunbai_brings_no_text() -> None:
    assert "texts" not in answered(do="new", system="sonae", scenario="maru-shikaku")["position"]
    decks = {"red": "practice-cranes", "black": "practice-wolves"}
    assert "texts" not in answered(do="new", system="generals", decks=decks, first="red")["position"]


@pytest.mark.parametrize("system", STARTS)
@pytest.mark.parametrize("texts", [3, [], "text"])
def test_texts_badly_written_are_named(system: str, texts: object) -> None:
    position = start(system)
    for request in ({"position": position, "texts": texts}, {"position": {**position, "texts": texts}, "texts": {}}):
        error = reply(json.dumps({"do": "apply", "steps": [], **request}))["error"]
        assert error["kind"] == "bad_request"
        assert "texts: expected an object, not" in error["message"]


def test_a_battle_on_another_grid_keeps_its_text() -> None:
    position = answered(do="new", system="sonae", grid="hex", **STARTS["sonae"])["position"]
    assert position["grid"] == "hex"
    assert answered(do="apply", position=position, steps=[])["position"] == position


def test_texts_are_nothing_to_general_orders() -> None:
    request = {"do": "new", "board": "sengoku-rivers", "initiative": "red", "texts": {"ford": ""}}
    position = answered(**request)["position"]
    assert answered(do="legal", position=position, texts={"ford": ""})["pass"] is True


# ==== A recorded step that today's rules would only not allow is carried out ===================

KEPT: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "orders": (
        {"do": "new", "board": "sengoku-rivers", "initiative": "red"},
        {"deploy": "reinforce:2", "place": {"e3": {"troop": 6}}},
        {"deploy": "reinforce:9", "place": {"e3": {"troop": 6}}},
    ),
    "sonae": (
        {"do": "new", "system": "sonae", "scenario": "maru-shikaku"},
        {"settle": "mobile", "by": "maru", "messenger": "maru-ni"},
        {"rally": "maru_guns"},
    ),
    "generals": (
        {
            "do": "new",
            "system": "generals",
            "decks": {"red": "practice-cranes", "black": "practice-wolves"},
            "first": "red",
        },
        {"deploy": "reed_guard", "zone": "siege"},
        {"move": "reed_guard", "to": "city"},
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_a_recorded_step_is_carried_out_where_it_is_only_not_allowed(name: str) -> None:
    request, kept, refused = KEPT[name]
    system = system_named(name)
    start = system.new(request)
    assert not system.judge(start, system.read_step(kept)).legal
    after, happened = system.play_recorded(start, system.read_step(kept))
    assert after != start
    assert isinstance(happened, tuple)
    with pytest.raises(Illegal):
        system.play(start, system.read_step(kept))
    with pytest.raises(Illegal):
        system.play_recorded(start, system.read_step(refused))


def test_only_rules_of_the_book_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "read_table", lambda *_: {"kept": ["a.b"], "rules": {}})
    with pytest.raises(BadTable, match=r"rules/sengoku\.toml: kept: no rule a\.b"):
        load_rules("sengoku")
