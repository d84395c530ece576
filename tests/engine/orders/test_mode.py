"""Modes as data: Rivers' numbers, and every name that leads nowhere at once."""

from __future__ import annotations

import copy
import tomllib
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from engine.errors import BadTable
from engine.orders.mode import Card, load_mode, mode_from


def rivers_data() -> dict[str, Any]:
    file = resources.files("engine") / "data" / "modes" / "sengoku-rivers.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def faults(**changes: Any) -> list[str]:
    data = copy.deepcopy(rivers_data()) | changes
    with pytest.raises(BadTable) as caught:
        mode_from("practice", data)
    return [fault.removeprefix("mode practice: ") for fault in str(caught.value).split("; ")]


def test_a_mode_is_read_once_and_by_its_name() -> None:
    assert load_mode("sengoku-rivers") is load_mode("sengoku-rivers")
    with pytest.raises(BadTable, match=r"no mode named 'no-such-mode'; there is .*sengoku-rivers"):
        load_mode("no-such-mode")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"factions": ["red"]}, "factions: there are two"),
        ({"factions": ["red", "black", "white"]}, "factions: there are two"),
        ({"bonuses": ["barracks", "dojo"]}, "bonuses: no token named dojo"),
        ({"support": {"fly:1": {"amount": 1}}}, "support.fly:1: no such action"),
    ],
)
def test_a_name_that_leads_nowhere_is_named(changes: dict[str, Any], fault: str) -> None:
    assert faults(**changes) == [fault]


def test_a_unit_to_count_dice_by_must_be_one_of_the_mode() -> None:
    actions = rivers_data()["actions"]
    actions["bombard"]["dice_per"] = "siege"
    assert faults(actions=actions) == ["actions.bombard.dice_per: no unit named siege"]


def test_cards_and_tokens_go_with_actions_and_units_of_the_mode() -> None:
    data = rivers_data()
    del data["units"]["ship"], data["actions"]["shell"]
    found = faults(units=data["units"], actions=data["actions"])
    assert "card ship_strike: no action named shell" in found
    assert "card commandeer: no unit named ship" in found
    assert "bonus shipyard: no unit named ship" in found
    assert "actions.bombard.dice_per: no unit named ship" in found


def test_a_card_of_no_action_of_its_own_waits_in_every_window() -> None:
    mode = load_mode("wwii-island")
    omen = Card("omen", 1, "Omen", "?", "?", "mover", "", "join", "join", 1, "troop")
    anywhere = replace(mode, cards={"omen": omen})
    assert {action for moment, action in anywhere.windows if moment == "join"} == set(mode.actions)


def test_bonuses_that_are_only_printed_are_no_tokens() -> None:
    mode = load_mode("wwii-island")
    assert set(mode.bonuses) - set(mode.tokens) == {"town_centre"}
    assert mode.bonus_verbs == {"more", "join", "commander", "defence"}
    assert {card.verb for card in mode.table_cards} == {"table"}
    assert not load_mode("sengoku-rivers").table_cards
