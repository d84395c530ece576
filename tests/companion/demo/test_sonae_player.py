"""The demo's player of Sonae: whole battles with a winner, orders of all kinds, the same again for the same seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from companion.demo.sonae_player import FAR, SonaePlayer, middle_of, ways_to
from engine.sonae.game import apply, judge, new_game, readings
from engine.sonae.position import Due, Position
from engine.sonae.scenario import load_scenario
from engine.sonae.steps import Settle, Step
from tests.engine.sonae.case import at, battle, gridded

pytestmark = pytest.mark.long

MOST_STEPS = 2500
EVERYTHING = {"Advance", "FallBack", "Wheel", "Fire", "Rally", "Settle", "Token", "Activate", "Closing", "Roll", "Done"}
ROLLS = {"messenger", "fire", "reply", "morale", "closing-fire", "closing-morale", "melee", "shock", "rally", "strain"}


@cache
def whole(seed: int) -> tuple[tuple[Step, ...], Position, Counter[str]]:
    """Return a battle's steps, its end, and how often each thing was told."""
    return _played(new_game(load_scenario("maru-shikaku")), seed)


def _played(position: Position, seed: int) -> tuple[tuple[Step, ...], Position, Counter[str]]:
    player, steps, told = SonaePlayer(seed), list[Step](), Counter[str]()
    while (step := player.step(position)) is not None:
        assert len(steps) < MOST_STEPS
        told[position.due[0].kind if position.due else "order"] += 1
        told[type(step).__name__] += 1
        steps.append(step)
        position = apply(position, step)
    return tuple(steps), position, told


@pytest.mark.parametrize("seed", range(3))
def test_a_battle_has_a_winner_in_time(seed: int) -> None:
    steps, end, _ = whole(seed)
    assert end.reason in ("objective", "strength", "general", "army")
    assert end.turn <= end.scenario.turns
    assert 200 < len(steps) < 1200


def test_everything_comes_up() -> None:
    told = sum((whole(seed)[2] for seed in range(3)), Counter[str]())
    assert set(told) >= EVERYTHING | ROLLS


def test_the_same_seed_plays_the_same_battle() -> None:
    start = new_game(load_scenario("maru-shikaku"))
    player, position = SonaePlayer(1), start
    for step in whole(1)[0][:80]:
        assert player.step(position) == step
        position = apply(position, step)


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_it_plays_on_grids_and_by_the_other_readings(grid: str) -> None:
    others = [name for name, reading in readings().items() if reading.other]
    _, end, _ = _played(new_game(gridded(grid), others), 5)
    assert end.winner is not None


def test_without_an_objective_it_goes_for_the_enemy() -> None:
    scenario = replace(gridded("free"), objective=None, turns=0)
    player, position = SonaePlayer(3), new_game(scenario)
    while position.turn < 4 and (step := player.step(position)) is not None:
        assert judge(position, step).legal
        position = apply(position, step)
    before, after = new_game(scenario).here("ito-gun").place, position.unit("ito-gun")
    assert after is None or after.place != before


def test_a_general_leaves_the_camp_when_the_enemy_comes_near() -> None:
    far = battle(acting="", orders=0, due=(Due("settle", 0),))
    calm = SonaePlayer(1).step(far)
    assert isinstance(calm, Settle)
    assert (calm.mode, calm.messenger in ("ito-one", "ito-two")) == ("encamped", True)
    near = battle(at("oda-a", 5, 8.5, 180), acting="", orders=0, due=(Due("settle", 0),))
    assert SonaePlayer(1).step(near) == Settle("ito", "mobile")


def test_ways_go_around_what_nobody_passes() -> None:
    scenario = load_scenario("maru-shikaku")
    assert scenario.objective is not None
    ways = ways_to(scenario, (middle_of(scenario.objective),))
    assert ways.far((14.0, 5.0)) < ways.far((10.0, 5.0)) < FAR
    assert ways.far((17.6, 2.0)) == FAR
    assert ways.far((21.0, 14.0)) > 2 * ways.far((21.0, 8.0))
