"""A recorded step that today's rules would only not allow is carried out; any other is refused as it ever was."""

from __future__ import annotations

from typing import Any

import pytest

from engine import rulebook
from engine.errors import BadTable, Illegal
from engine.rulebook import load_rules
from engine.systems import system_named

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
