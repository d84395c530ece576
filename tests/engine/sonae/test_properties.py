"""Random battles: they go on to an end, replay equals play, rulings name every reading that they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import atan2, degrees
from random import Random

import pytest

from engine.ruling import Ruling
from engine.sonae.field import GRIDS, Place, distance, touches
from engine.sonae.game import apply, examine, fold, judge, new_game, options, owed, readings, rules
from engine.sonae.pools import is_general_near, pool_of
from engine.sonae.position import Due, Position, Unit
from engine.sonae.ranges import is_in_command
from engine.sonae.scenario import Scenario, add_scenario, load_scenario, remove_scenario
from engine.sonae.steps import (
    Activate,
    Advance,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.turn import dice_owed, judge_step, objective_holder, perform_step
from engine.sonae.wire import position_from_json, position_to_json, step_from_json, step_to_json
from engine.system import Judge
from tests.engine.sonae.case import at, battle, gridded, objections, owing, told
from tests.rulings import changed_without_a_name

STRIDES = (2.0, 1.5, 1.0, 0.7, 0.4)


def played(scenario: Scenario, seed: int, most: int, others: Iterable[str] = ()) -> tuple[list[Step], list[Position]]:
    """Play a battle of at most so many steps; return the steps, and the positions before and after each."""
    chance, steps, positions = Random(seed), list[Step](), [new_game(scenario, others)]
    while positions[-1].winner is None and len(steps) < most:
        steps.append(next_step(positions[-1], chance))
        positions.append(apply(positions[-1], steps[-1]))
    return steps, positions


def next_step(position: Position, chance: Random) -> Step:
    """One legal step."""
    if not position.due:
        names = position.bonus or position.scenario.divisions[position.acting].units
        units = [unit for name in names if (unit := position.unit(name)) is not None]
        chance.shuffle(units)
        wishes = (step for unit in units for step in orders(position, unit, chance))
        return next((step for step in wishes if judge(position, step).legal), Done())
    due = position.due[0]
    who = position.scenario.sides[due.by]
    if due.kind == "settle":
        divisions = [division for division in position.army(due.by).divisions if _led(position, division)]
        mode = chance.choice(("encamped", "mobile"))
        return Settle(who, mode, chance.choice(divisions) if divisions and mode == "encamped" else "")
    if due.kind == "token":
        return Token(
            chance.choice([side for side, n in zip(position.scenario.sides, position.tokens, strict=True) if n])
        )
    if due.kind == "activate":
        return Activate(chance.choice(position.divisions_to_act(due.by)))
    if due.kind in ("closing", "opportunity"):
        return Closing(who, chance.random() < 0.7)
    return Roll(tuple(chance.randint(1, 6) for _ in range(dice_owed(position, due))), who)


def _led(position: Position, division: str) -> bool:
    return position.unit(position.scenario.divisions[division].commander) is not None


def orders(position: Position, unit: Unit, chance: Random) -> Iterator[Step]:
    """Yield orders that a unit might be given, the likeliest first."""
    name, place = unit.name, unit.place
    enemies = sorted(position.enemies(name), key=lambda enemy: distance(enemy.place.at, place.at))
    nearest = enemies[0]
    if chance.random() < 0.1:
        yield Rally(name)
        yield FallBack(name, *place.moved(0, -0.7).at)
    if chance.random() < 0.6:
        yield Fire(name, nearest.name)
    for stride in STRIDES:
        if touches(place.moved(0, stride), nearest.place):
            yield Advance(name, *place.moved(0, stride).at)
    yield Wheel(name, degrees(atan2(nearest.place.x - place.x, nearest.place.y - place.y)) % 360.0, *place.at)
    for stride in STRIDES:
        yield Advance(name, *place.moved(0, stride).at)


# ==== Random battles ===========================================================================

MOST_STEPS = 1500
Whole = tuple[list[Step], list[Position]]


OTHERS = tuple(name for name, reading in readings().items() if reading.other)
BATTLES = ("default", "default-too", "all-readings", "square", "hex")


@pytest.fixture(scope="module", params=BATTLES)
def whole(request: pytest.FixtureRequest) -> Iterator[Whole]:
    scenario = gridded(request.param) if request.param in GRIDS else load_scenario("maru-shikaku")
    others = () if request.param.startswith("default") else OTHERS
    if request.param in GRIDS:
        add_scenario(scenario)
    yield played(scenario, BATTLES.index(request.param), MOST_STEPS, others)
    remove_scenario(scenario.name)


@pytest.mark.chance
def test_a_battle_comes_to_an_end(whole: Whole) -> None:
    assert whole[1][-1].reason in ("general", "army", "objective", "strength")


@pytest.mark.chance
def test_bases_never_lie_on_one_another(whole: Whole) -> None:
    for where in whole[1][::20]:
        for number, unit in enumerate(where.units):
            overlaps = where.measure.overlaps
            assert not any(overlaps(unit.place, other.place, 0.11) for other in where.units[:number])


@pytest.mark.chance
def test_what_is_offered_is_accepted_and_what_is_not_has_its_reason(whole: Whole) -> None:
    for where in [position for position in whole[1] if not position.due][::25]:
        for unit in options(where).units:
            assert all(judge(where, option.step).legal for option in unit.may)
            assert all(option.objections[0].citation.section for option in unit.orders if not option.legal)


@pytest.mark.chance
def test_replay_is_play(whole: Whole) -> None:
    steps, positions = whole
    assert fold(positions[0], [step_from_json(step_to_json(step)) for step in steps]) == positions[-1]
    for where in positions[::10]:
        assert position_from_json(position_to_json(where)) == where


@pytest.mark.chance
def test_what_is_owed_is_told_and_nothing_else_is_taken(whole: Whole) -> None:
    for where in whole[1][:-1]:
        found = owed(where)
        if found is not None:
            assert found.text
            assert not judge(where, Roll((1,) * 10, where.scenario.sides[0])).legal


@pytest.mark.chance
def test_spoiled_steps_are_refused_with_a_cited_rule(whole: Whole) -> None:
    steps, positions = whole
    for step, where in list(zip(steps, positions, strict=False))[::5]:
        for bad in spoiled(step):
            (first, *_more) = judge(where, bad).objections
            assert first.citation.section
            assert first.message


@pytest.mark.chance
def test_every_criterion_is_told_in_words(whole: Whole) -> None:
    steps, positions = whole
    for step, where in list(zip(steps, positions, strict=False))[::5]:
        ruling = examine(where, step)
        assert ruling.legal
        assert all(finding.message and "{" not in finding.message for finding in ruling.findings)


def spoiled(step: Step) -> Iterator[Step]:
    """Yield copies of the step, each with one part made wrong."""
    if isinstance(step, Settle):
        yield replace(step, mode="asleep")
        yield replace(step, by="nobody")
    elif isinstance(step, Token):
        yield Token("nobody")
    elif isinstance(step, Activate):
        yield Activate("nobody")
    elif isinstance(step, Roll):
        yield replace(step, dice=(*step.dice, 7))
        yield replace(step, by="nobody")
    elif isinstance(step, Advance | FallBack | Wheel):
        yield replace(step, unit="nobody")
        yield replace(step, x=step.x + 9)
    elif isinstance(step, Fire):
        yield replace(step, target="nobody")


# ==== A ruling names every reading that it rests on ============================================

READ_SO = {"default": (), "all": OTHERS, "some": OTHERS[::2], "square": (), "hex": OTHERS[1::2]}


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
    steps, positions = played(scenario, 3 + list(READ_SO).index(kind), 400, READ_SO[kind])
    for number, (where, step) in enumerate(list(zip(positions, steps, strict=False))[::41]):
        yield from ((where, ruling) for ruling in list(asked(where, step))[number % 7 :: 7])


def plainly(where: Position, step: Step) -> Ruling:
    """Return the ruling without trying other answers to the readings."""
    return Judge(lambda position: rules(), judge_step, perform_step).examine(where, step)


@pytest.mark.long
@pytest.mark.parametrize("kind", READ_SO)
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
