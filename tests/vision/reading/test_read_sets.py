"""Reading a simulated table of every set of pieces: siege weapons among troops, aircraft, yellow and blue."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.tables import CAMERA, four_areas
from vision.calibration.calibrate import calibrate
from vision.plan import AreaPlan, BoardPlan
from vision.reading.piece_sets import AIRCRAFT, SETS, SIEGE
from vision.reading.read import Reading, prepare_table, read
from vision.simulation.camera import Lens
from vision.simulation.table import Habits, Moment, Scene, Studio, Units, place_pieces
from vision.table import Table


def section(name: str, at_mm: tuple[float, float]) -> AreaPlan:
    x, y = at_mm
    box = ((x - 26, y - 24), (x + 26, y - 24), (x + 26, y + 24), (x - 26, y + 24))
    return AreaPlan(name, "air", box, (at_mm,))


FORTRESS = replace(
    four_areas(),
    units=(("land", ("troop", "siege")), ("water", ("ship",))),
    start=(
        ("a1", "black", "troop", 2),
        ("a1", "black", "siege", 1),
        ("a2", "black", "ship", 2),
        ("b1", "red", "troop", 2),
        ("b1", "red", "siege", 1),
        ("b2", "red", "ship", 2),
    ),
)
ISLAND = replace(
    four_areas(),
    areas=(*four_areas().areas[:2], section("zone-green", (42.0, 40.0)), section("zone-orange", (108.0, 40.0))),
    spaces=four_areas().spaces[:2],
    factions=("blue", "yellow"),
    units=(("air", ("aircraft",)), ("land", ("troop",))),
    start=(
        ("a1", "yellow", "troop", 3),
        ("b1", "blue", "troop", 3),
        ("zone-green", "yellow", "aircraft", 2),
        ("zone-orange", "blue", "aircraft", 2),
    ),
)
LATER: dict[str, Units] = {
    "siege": {
        "a1": {"red": {"troop": 1, "siege": 2}},
        "b1": {"black": {"troop": 3}},
        "b2": {"black": {"ship": 1}},
    },
    "aircraft": {
        "a1": {"blue": {"troop": 2}},
        "b1": {"yellow": {"troop": 4}},
        "zone-green": {"blue": {"aircraft": 3}},
        "zone-orange": {"yellow": {"aircraft": 1}},
    },
}
PLANS = {"siege": FORTRESS, "aircraft": ISLAND}


def start_of(plan: BoardPlan) -> Units:
    units: dict[str, dict[str, dict[str, int]]] = {}
    for area, faction, unit, count in plan.start:
        units.setdefault(area, {}).setdefault(faction, {})[unit] = count
    return units


@cache
def looked_at(name: str) -> tuple[Table, Reading]:
    """Return the table of a board and the reading of its later picture."""
    plan = PLANS[name]
    scene = Scene(camera=CAMERA, lens=Lens(noise=1.0), clutter_seed=None, shadow_samples=2)
    studio = Studio(plan, scene)
    habits = Habits(scene.look, together=0.0, on_symbols=0.0)
    empty = studio.shoot((), Moment(seed=1))
    start = studio.shoot(place_pieces(plan, start_of(plan), {}, np.random.default_rng(3), habits), Moment(seed=2))
    leader = {plan.spaces[0].name: plan.factions[0]}
    later = studio.shoot(place_pieces(plan, LATER[name], leader, np.random.default_rng(5), habits), Moment(seed=3))
    table = calibrate(empty.picture, plan, empty.truth["corners_px"], start.picture)
    return table, read(table, later.picture)


@pytest.mark.parametrize("name", PLANS)
def test_every_set_of_pieces_is_read(name: str) -> None:
    _, reading = looked_at(name)
    assert reading.units == LATER[name]
    assert reading.commanders == {PLANS[name].spaces[0].name: PLANS[name].factions[0]}
    assert reading.unreadable == ()


@pytest.mark.parametrize("name", PLANS)
def test_the_start_shows_how_pieces_of_both_sides_look(name: str) -> None:
    table, _ = looked_at(name)
    setting = prepare_table(table)
    assert setting.known is {"siege": SIEGE, "aircraft": AIRCRAFT}[name]
    told = setting.looks.reshape(4, -1)[:, -1]
    assert told.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert set(setting.ground.singles) == set(PLANS[name].factions)


def test_each_set_has_weights_of_its_own() -> None:
    assert len({known.scores for known in SETS}) == len(SETS)
