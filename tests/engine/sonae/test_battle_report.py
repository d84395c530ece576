"""Battle Report: how a battle ends."""

from __future__ import annotations

from dataclasses import replace

from engine.sonae.game import apply
from engine.sonae.outcomes import lose_unit
from engine.sonae.steps import Done
from tests.engine.sonae.case import at, battle, messages, objections, without


def test_the_battle_follows_the_army_general() -> None:
    after = lose_unit(battle(), "oda-general")
    assert (after.winner_name, after.reason) == ("ito", "general")
    assert objections(after, Done()) == ["game.over"]
    assert messages(after, Done()) == ["the battle is over (the enemy Army General fell)"]


def test_and_the_last_unit() -> None:
    few = without(battle(), "oda-general", "oda-lead", "oda-a", "oda-b", "oda-second")
    after = lose_unit(few, "oda-gun")
    assert (after.winner_name, after.reason) == ("ito", "army")


def test_the_objective_decides_at_the_end() -> None:
    last = battle(at("oda-gun", 15, 15), acting="oda-two", acted=("ito-one", "ito-two", "oda-one"), turn=3)
    after = apply(last, Done())
    assert (after.winner_name, after.reason) == ("oda", "objective")
    fewer = apply(without(replace(last, units=battle().units), "oda-gun"), Done())
    assert (fewer.winner_name, fewer.reason) == ("ito", "strength")
    even = apply(replace(last, units=battle().units), Done())
    assert (even.winner_name, even.turn) == (None, 4)
