"""Battles and decks of a stranger's own in the protocol: every request of both systems takes what `new` returned."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.referee import reply
from engine.systems import system_named
from tests.engine.generals.case import deck_text
from tests.engine.sonae.case import scenario_text

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


def asked(**request: Any) -> Json:
    """Return the referee's answer to a request, having checked that it is no error."""
    answer = reply(json.dumps(request))
    assert "error" not in answer, answer
    return answer


def start(system: str) -> Json:
    """Return the position that `new` returns."""
    return dict(asked(do="new", system=system, **STARTS[system])["position"])


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
    assert asked(**request_of(system, do, start(system)))


@pytest.mark.parametrize(("system", "do"), [request for request in EVERY if request[1] != "cut"])
def test_every_request_may_bring_the_texts_itself(system: str, do: str) -> None:
    position = start(system)
    texts = position.pop("texts")
    assert "error" in reply(json.dumps({"do": "apply", "position": position, "steps": []}))
    with_position = asked(**request_of(system, do, {**position, "texts": texts}))
    assert asked(**request_of(system, do, position), **({} if do == "new" else {"texts": texts})) == with_position


@pytest.mark.parametrize("system", STARTS)
def test_the_texts_go_along_with_every_position_that_is_answered(system: str) -> None:
    position = start(system)
    after = asked(do="apply", position=position, steps=[STEPS[system]])["position"]
    assert after["texts"] == position["texts"] == STARTS[system]["texts"]
    assert asked(do="check", position=after, steps=[])["legal"] is True


@pytest.mark.parametrize("system", STARTS)
def test_the_position_s_own_text_counts_before_the_request_s(system: str) -> None:
    position = start(system)
    other = dict.fromkeys(position["texts"], "title = 3")
    assert asked(do="apply", position=position, texts=other, steps=[])["position"] == position


def test_what_comes_with_gunbai_brings_no_text() -> None:
    assert "texts" not in asked(do="new", system="sonae", scenario="maru-shikaku")["position"]
    decks = {"red": "practice-cranes", "black": "practice-wolves"}
    assert "texts" not in asked(do="new", system="generals", decks=decks, first="red")["position"]


@pytest.mark.parametrize("system", STARTS)
@pytest.mark.parametrize("texts", [3, [], "text"])
def test_texts_badly_written_are_named(system: str, texts: object) -> None:
    position = start(system)
    for request in ({"position": position, "texts": texts}, {"position": {**position, "texts": texts}, "texts": {}}):
        error = reply(json.dumps({"do": "apply", "steps": [], **request}))["error"]
        assert error["kind"] == "bad_request"
        assert "texts: expected an object, not" in error["message"]


def test_a_battle_on_another_grid_keeps_its_text() -> None:
    position = asked(do="new", system="sonae", grid="hex", **STARTS["sonae"])["position"]
    assert position["grid"] == "hex"
    assert asked(do="apply", position=position, steps=[])["position"] == position


def test_texts_are_nothing_to_general_orders() -> None:
    request = {"do": "new", "board": "sengoku-rivers", "initiative": "red", "texts": {"ford": ""}}
    position = asked(**request)["position"]
    assert asked(do="legal", position=position, texts={"ford": ""})["pass"] is True
