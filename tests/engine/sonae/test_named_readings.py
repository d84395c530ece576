"""A ruling names every reading that it rests on: wherever switching one changes it, in whole random battles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.ruling import Ruling
from engine.sonae.field import Place
from engine.sonae.game import examine, judge, options, readings, rules
from engine.sonae.pools import is_general_near, pool_of
from engine.sonae.position import Due, Position
from engine.sonae.ranges import is_in_command
from engine.sonae.scenario import load_scenario
from engine.sonae.steps import Advance, Done, Rally, Roll, Step, Wheel
from engine.sonae.turn import dice_owed, judge_step, objective_holder, perform_step
from engine.system import Judge
from tests.engine.sonae.case import at, battle, objections, owing, told
from tests.engine.sonae.player import played
from tests.engine.sonae.test_grid import gridded
from tests.rulings import changed_without_a_name

pytestmark = pytest.mark.long

OTHERS = tuple(name for name, reading in readings().items() if reading.other)
BATTLES = {"default": (), "all": OTHERS, "some": OTHERS[::2], "square": (), "hex": OTHERS[1::2]}


def asked(where: Position, step: Step) -> Iterator[Step]:
    """Yield the step taken and steps not taken: orders that may and may not be given, a die too many."""
    yield step
    if where.due:
        side = where.scenario.sides[max(0, where.due[0].by)]
        yield Roll((1,) * 5, side)
    for unit in options(where).units:
        yield from (option.step for option in unit.orders)
        place = where.here(unit.unit).place
        for stride in (0.93, 1.03, 1.97, 3.04):
            yield Advance(unit.unit, *place.moved(0.2, stride).at)


def rulings(kind: str) -> Iterator[tuple[Position, Step]]:
    """Of some moments of a battle, every so many of what may be asked."""
    scenario = gridded(kind) if kind in ("square", "hex") else load_scenario("maru-shikaku")
    steps, positions = played(scenario, 3 + list(BATTLES).index(kind), 400, BATTLES[kind])
    for number, (where, step) in enumerate(list(zip(positions, steps, strict=False))[::41]):
        yield from ((where, ruling) for ruling in list(asked(where, step))[number % 7 :: 7])


def plainly(where: Position, step: Step) -> Ruling:
    """Return the ruling without trying other answers to the readings."""
    return Judge(lambda position: rules(), judge_step, perform_step).examine(where, step)


@pytest.mark.parametrize("kind", BATTLES)
def test_whenever_a_reading_changes_a_ruling_the_ruling_names_it(kind: str) -> None:
    silent = {
        (name, type(step).__name__)
        for where, step in rulings(kind)
        for name in changed_without_a_name(examine(where, step), plainly, where, step, OTHERS)
    }
    assert silent == set()


def general_tested() -> Position:
    return owing(battle(modes=("mobile", "encamped")), Due("morale", 0, ("ito-general",)))


# --- each new reading ---------------------------------------------------------------------


def test_a_general_does_not_lift_its_own_morale() -> None:
    start = general_tested()
    assert told(start) == "4 standard"
    lifted = replace(start, readings=frozenset({"own-presence"}))
    assert told(lifted) == "4 standard, +1 Army General nearby"
    assert is_general_near(start, start.here("ito-lead"))
    (ruling,) = [
        objection for objection in examine(start, Roll((1,) * 5, "ito")).objections if objection.rule == "roll.dice"
    ]
    assert "own-presence" in ruling.readings
    assert ruling.message.endswith("(reading: own-presence)")


def test_the_command_radius_may_be_measured_from_edge_to_edge() -> None:
    start = battle(at("ito-a", 12.5, 6, status="wavering"))
    assert not is_in_command(start, "ito-a")
    edges = replace(start, readings=frozenset({"radius-from"}))
    assert is_in_command(edges, "ito-a")
    assert objections(start, Rally("ito-a")) == ["rally.command"]
    assert objections(edges, Rally("ito-a")) == []
    (ruling,) = [finding for finding in examine(edges, Rally("ito-a")).findings if finding.rule == "rally.command"]
    assert ruling.readings == ("radius", "radius-from")


def test_bases_a_tenth_apart_may_be_in_contact() -> None:
    start = battle(at("ito-a", 9, 8), at("oda-a", 9, 9.08, 180))
    near = replace(start, readings=frozenset({"contact"}))
    assert "order.locked" not in objections(start, Rally("ito-a"))
    assert "order.locked" in objections(near, Rally("ito-a"))
    (ruling,) = [finding for finding in examine(start, Rally("ito-a")).findings if finding.rule == "order.locked"]
    assert ruling.readings == ("locked", "contact")


UNDER = frozenset({"ground-under"})


def test_any_part_of_a_base_may_be_on_a_piece_of_ground() -> None:
    wood = battle(at("ito-a", 19.7, 25, 0), acting="ito-one")
    beside = replace(wood, readings=UNDER)
    assert objections(wood, Advance("ito-a", 19.7, 27)) == []
    assert objections(beside, Advance("ito-a", 19.7, 27)) == ["move.distance"]
    (ruling,) = [
        finding for finding in examine(wood, Advance("ito-a", 19.7, 27)).findings if finding.rule == "move.distance"
    ]
    assert ruling.readings == ("measure", "ground-under")
    road = battle(at("ito-a", 2.3, 2, 0))
    assert objections(road, Advance("ito-a", 2.3, 5)) == ["move.distance"]
    assert objections(replace(road, readings=UNDER), Advance("ito-a", 2.3, 5)) == []


def test_the_objective_a_hill_and_rough_ground_count_under_any_part_of_a_base() -> None:
    start = battle(at("ito-a", 13.7, 15), at("oda-a", 10.3, 21.5, 270), at("ito-b", 12, 21.5, 270))
    whole = replace(start, readings=UNDER)
    assert (objective_holder(start), objective_holder(whole)) == (None, 0)
    due = Due("fire", 0, ("ito-b",), ("oda-a",))
    assert pool_of(whole, due).dice == pool_of(start, due).dice - 1
    assert start.grounds(Place(19.7, 25, 0)) == {"open"}
    assert whole.grounds(Place(19.7, 25, 0)) == {"open", "difficult"}
    assert whole.grounds(Place(25, 25, 0)) == {"difficult"}
    shock = owing(whole, Due("shock", 0, ("ito-b",), ("oda-a",)))
    assert dice_owed(shock, shock.due[0]) == 5


def test_ground_that_nobody_passes_counts_under_the_middle_alone() -> None:
    lake = battle(at("ito-a", 19.7, 1, 0), readings=UNDER)
    assert objections(lake, Advance("ito-a", 19.7, 3)) == []


def test_zones_of_control_are_named_where_they_would_matter() -> None:
    start = battle(at("ito-a", 9, 9), at("oda-a", 9, 11, 180))
    step = Wheel("ito-a", 90, 10, 9)
    (ruling,) = [finding for finding in examine(start, step).findings if finding.rule == "move.zone"]
    assert (ruling.holds, ruling.reading) == (True, "zone-of-control")
    assert [
        finding.rule for finding in examine(start, Advance("ito-b", 11, 8)).findings if finding.rule == "move.zone"
    ] == []
    assert judge(start, step).legal


def test_what_rests_on_nothing_open_names_nothing() -> None:
    assert [finding.readings for finding in examine(battle(), Done()).findings] == [(), ()]


def test_a_roll_names_what_its_dice_rest_on() -> None:
    start = owing(battle(acting="", orders=0), Due("messenger", 0, against=("ito-two",)))
    (dice,) = [objection for objection in examine(start, Roll((1,), "ito")).objections if objection.rule == "roll.dice"]
    assert dice.readings == ("messenger-range",)
    behind = battle(at("ito-a", 9, 8, 180), at("oda-a", 10.8, 9.5, 0))
    fire = owing(behind, Due("fire", 0, ("ito-a",), ("oda-a",)))
    (dice,) = [objection for objection in examine(fire, Roll((1,), "ito")).objections if objection.rule == "roll.dice"]
    assert set(dice.readings) <= {"flank-fire", "half"}
    assert dice.readings
