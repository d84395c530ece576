"""Which set of pieces a board needs follows from its plan; a simulated table of every set is read."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.vision.tables import CAMERA, four_areas, pictures
from vision.calibration.calibrate import calibrate
from vision.errors import UnknownPieces, VisionError
from vision.plan import AreaPlan
from vision.reading.network import CLASSES
from vision.reading.piece_sets import AIRCRAFT, SETS, SHIPS, SIEGE, learnt_sets, set_of
from vision.reading.read import Reading, read
from vision.reading.setting import prepare_table
from vision.simulation.camera import Lens
from vision.simulation.table import Habits, Moment, Scene, Studio, Units, place_pieces
from vision.table import Table

SIEGE_PLAN = replace(four_areas(), units=(("land", ("troop", "siege")), ("water", ("ship",))), board="other-name")
AIRCRAFT_PLAN = replace(
    four_areas(), factions=("blue", "yellow"), units=(("air", ("aircraft",)), ("land", ("troop",))), start=()
)


def test_the_plan_alone_chooses_the_set() -> None:
    assert set_of(four_areas()) is SHIPS
    assert set_of(replace(four_areas(), board="another")) is SHIPS
    assert set_of(SIEGE_PLAN) is SIEGE
    assert set_of(AIRCRAFT_PLAN) is AIRCRAFT
    assert set_of(replace(AIRCRAFT_PLAN, units=(("land", ("troop",)),))) is AIRCRAFT


@pytest.mark.parametrize(
    "strange",
    [
        replace(four_areas(), factions=("green", "red")),
        replace(four_areas(), units=(("land", ("troop", "tank")),)),
        replace(four_areas(), factions=("yellow", "black")),
    ],
)
def test_strange_pieces_are_refused_in_one_sentence(strange: object) -> None:
    with pytest.raises(UnknownPieces, match="has not learnt pieces of") as told:
        set_of(strange)  # type: ignore[arg-type]
    assert isinstance(told.value, VisionError)
    assert "\n" not in str(told.value)
    with pytest.raises(UnknownPieces, match="has not learnt pieces of"):
        calibrate(pictures().reference.picture, strange, None)  # type: ignore[arg-type]


def test_a_set_without_weights_in_the_package_is_not_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = replace(SHIPS, scores="elsewhere.json")
    monkeypatch.setattr("vision.reading.piece_sets.SETS", (unread,))
    assert set_of(four_areas()) is unread
    with pytest.raises(UnknownPieces, match="red and black"):
        learnt_sets(four_areas())


def test_every_answer_of_a_network_is_somebodys_piece() -> None:
    for known in SETS:
        assert len(known.classes) == len(CLASSES)
        assert [other.scores for other in SETS].count(known.scores) == 1
        for number, (faction, kind) in enumerate(known.classes):
            assert known.index_of(faction, kind) == number
    assert SIEGE.index_of("black", "ship") == SIEGE.index_of("black", "siege") == 4
    with pytest.raises(ValueError, match="tuple"):
        SHIPS.index_of("green", "troop")


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
LATER_OF: dict[str, Units] = {
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


@cache
def looked_at(name: str) -> tuple[Table, Reading]:
    """Return the table of a board and the reading of its later picture."""
    plan = PLANS[name]
    scene = Scene(camera=CAMERA, lens=Lens(noise=1.0), clutter_seed=None, shadow_samples=2)
    studio = Studio(plan, scene)
    habits = Habits(scene.look, together=0.0, on_symbols=0.0)
    empty = studio.shoot((), Moment(seed=1))
    start = studio.shoot(place_pieces(plan, plan.start_units(), {}, np.random.default_rng(3), habits), Moment(seed=2))
    leader = {plan.spaces[0].name: plan.factions[0]}
    later = studio.shoot(place_pieces(plan, LATER_OF[name], leader, np.random.default_rng(5), habits), Moment(seed=3))
    table = calibrate(empty.picture, plan, empty.truth["corners_px"], start.picture)
    return table, read(table, later.picture)


@pytest.mark.parametrize("name", PLANS)
def test_every_set_of_pieces_is_read(name: str) -> None:
    table, reading = looked_at(name)
    assert reading.units == LATER_OF[name]
    assert reading.commanders == {PLANS[name].spaces[0].name: PLANS[name].factions[0]}
    assert reading.unreadable == ()
    setting = prepare_table(table)
    assert setting.known is {"siege": SIEGE, "aircraft": AIRCRAFT}[name]
    assert setting.looks.reshape(4, -1)[:, -1].tolist() == [1.0] * 4, "the start shows how both sides' pieces look"
    assert set(setting.ground.singles) == set(PLANS[name].factions)
