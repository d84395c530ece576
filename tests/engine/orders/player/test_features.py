"""What a position comes to in numbers: what each side can still do this round, by who stands on which space."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.player.evaluation import NAMES, measure
from tests.tables import rivers


def more(name: str, **told: Any) -> float:
    """Return how much more of this red has, who is to move, than Black."""
    return measure(rivers("e3:3 d3:4", "a3:3 b3:2", **told))[NAMES.index(name)]


@pytest.mark.parametrize(
    ("commanders", "draws"),
    [
        ({}, 0),
        ({"plan:1": "red"}, -1),
        ({"plan:2": "red"}, -1),
        ({"plan:1": "black"}, 1),
        ({"plan:1": "black", "plan:2": "black"}, 0),
        ({"plan:1": "black", "plan:2": "red"}, 0),
    ],
)
def test_cards_can_be_drawn_where_a_space_is_free_and_one_s_own_twin_of_it_too(
    commanders: dict[str, str], draws: int
) -> None:
    assert more("cards to draw", commanders=commanders) == draws


@pytest.mark.parametrize(
    ("commanders", "units"),
    [
        ({}, 0),
        ({"reinforce:1": "red"}, -5),
        ({"reinforce:1": "black"}, 5),
        ({"reinforce:1": "black", "reinforce:2": "black"}, 0),
        ({"reinforce:2": "red", "reinforce:1": "black"}, 0),
    ],
)
def test_units_can_be_brought_where_a_space_is_free(commanders: dict[str, str], units: int) -> None:
    assert more("reinforcements", commanders=commanders) == units


def test_who_has_no_commander_left_or_has_passed_brings_nothing() -> None:
    for told in ({"passed": "red"}, {"left": {"red": 0}, "standby": {"red": 5}}):
        assert more("cards to draw", **told) == -1
        assert (more("reinforcements", **told), more("other reinforcements", **told)) == (-6, -3)
