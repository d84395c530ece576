"""What the eye measured in the words of the rules: places, moves and their rulings, grids, corners that are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from companion.measuring.field import Sighting, as_seen, on_grid, sighting_of
from companion.measuring.live_markers import CameraFieldEye
from companion.settings.marking import MARKINGS, marked_table
from engine.sonae.field import Measure, Place
from engine.sonae.game import judge
from engine.sonae.position import Position
from engine.sonae.steps import Advance, FallBack, Wheel
from tests.engine.sonae.case import at, battle
from vision.bases.bases import BasePose, Measurement, MisplacedCorner
from vision.bases.camera import TableCamera
from vision.geometry import Picture


def marked(position: Position) -> Position:
    """Return the same battle with a marker on every base, 1 and on."""
    scenario = position.scenario
    units = {name: replace(kind, marker=n) for n, (name, kind) in enumerate(scenario.units.items(), start=1)}
    return replace(position, scenario=replace(scenario, units=units))


def seen(position: Position, moved: Mapping[str, Place] | None = None, **changes: Any) -> Measurement:
    """All units seen where they are recorded, but those that were moved; changes: of the whole, or `hidden` units."""
    hidden = changes.pop("hidden", ())
    error = changes.pop("error", 0.02)
    camera: Any = SimpleNamespace()
    standing = {}
    for unit in position.units:
        place = (moved or {}).get(unit.name, unit.place)
        number = position.scenario.units[unit.name].marker
        if unit.name not in hidden:
            standing[number] = BasePose(number, place.x, place.y, place.facing_deg, error)
    return replace(Measurement(standing, camera=camera), **changes)


def orders(*pieces: Any, left: int = 2) -> Position:
    """Return a battle in the middle of an activation."""
    return marked(battle(*pieces, orders=left))


def look(position: Position, moved: Mapping[str, Place] | None = None, **changes: Any) -> Sighting:
    return sighting_of(position, seen(position, moved, **changes))


def shifted(position: Position, unit: str, dx: float, dy: float, turn: float = 0.0) -> dict[str, Place]:
    place = position.here(unit).place
    return {unit: replace(place, x=place.x + dx, y=place.y + dy, facing_deg=(place.facing_deg + turn) % 360)}


def test_a_table_as_recorded_is_in_sync() -> None:
    position = orders()
    sighting = look(position)
    assert sighting.in_sync
    assert sighting.places["ito-a"] == position.here("ito-a").place
    brushed = look(position, shifted(position, "ito-a", 0.08, -0.05, 6.0))
    assert brushed.in_sync


@pytest.mark.parametrize(
    ("dx", "dy", "turn", "kind"),
    [(0.0, 1.9, 2.0, Advance), (0.0, -0.9, 0.0, FallBack), (0.9, 0.05, 91.0, Wheel), (0.05, 0.1, 88.0, Wheel)],
)
def test_a_move_is_the_order_that_explains_it(dx: float, dy: float, turn: float, kind: type) -> None:
    position = orders(at("ito-b", 28, 12), at("ito-gun", 26, 12))
    (moved,) = look(position, shifted(position, "ito-a", dx, dy, turn)).moved
    assert isinstance(moved.step, kind)
    assert moved.legal
    assert judge(position, moved.step).legal


def test_as_far_as_it_may_and_a_hand_s_breadth_more_is_no_offence() -> None:
    position = orders(at("ito-b", 28, 12), at("ito-gun", 26, 12))
    (moved,) = look(position, shifted(position, "ito-a", 0.0, 2.08)).moved
    assert moved.legal


def test_a_move_too_far_is_named_with_its_citation() -> None:
    position = orders(at("ito-b", 28, 12), at("ito-gun", 26, 12), left=1)
    sighting = look(position, shifted(position, "ito-a", 0.0, 2.6))
    (moved,) = sighting.illegal
    assert moved.gone == pytest.approx(2.6)
    assert moved.why_not == ("ito-a would move 2.6 Movements; the limit is 2 (reading: measure): Movement",)
    assert not sighting.in_sync


@pytest.mark.parametrize(("dx", "dy", "turn"), [(0.0, 3.6, 0.0), (1.8, 0.0, 90.0), (0.0, 1.8, 180.0)])
def test_two_orders_may_explain_what_one_does_not(dx: float, dy: float, turn: float) -> None:
    position = orders(at("ito-b", 28, 12), at("ito-gun", 26, 12), left=2)
    sighting = look(position, shifted(position, "ito-a", dx, dy, turn))
    (moved,) = sighting.moved
    assert not moved.legal
    assert len(moved.orders) == 2
    assert sighting.illegal == ()


def test_a_move_of_a_unit_that_may_not_be_ordered_is_named_besides() -> None:
    position = orders(left=1)
    (moved,) = look(position, shifted(position, "oda-a", 0.0, -5.0)).illegal
    assert {objection.rule for objection in moved.ruling.objections} >= {"order.unit", "move.distance"}


def test_moves_that_are_allowed_are_taken_first() -> None:
    position = orders(at("ito-b", 28, 12), at("ito-gun", 26, 12), left=2)
    both = shifted(position, "oda-a", 0.0, -5.0) | shifted(position, "ito-a", 0.0, 1.0)
    assert [move.unit for move in look(position, both).moved] == ["ito-a", "oda-a"]


def test_what_is_not_seen_is_said_and_not_guessed() -> None:
    position = orders()
    sighting = look(position, hidden=("ito-a",), missing=(246,), misplaced={247: MisplacedCorner(0.3)}, twice=(9,))
    assert sighting.unseen == ("ito-a",)
    assert "ito-a" not in sighting.places
    assert (sighting.missing, sighting.misplaced, sighting.twice) == ((246,), {247: MisplacedCorner(0.3)}, (9,))
    assert not sighting.in_sync


def test_what_is_doubtful_is_no_move() -> None:
    position = orders()
    sighting = look(position, shifted(position, "ito-a", 0.0, 1.0), error=0.3)
    assert "ito-a" in sighting.doubtful
    assert sighting.moved == ()


def test_who_has_left_the_battle_and_markers_of_nobody() -> None:
    position = orders()
    whole = seen(position)
    after = replace(position, units=tuple(unit for unit in position.units if unit.name != "oda-b"))
    more = replace(whole, standing={**whole.standing, 200: BasePose(200, 1.0, 1.0, 0.0)})
    sighting = sighting_of(after, more)
    assert (sighting.left, sighting.strangers) == (("oda-b",), (200,))


def test_without_corners_there_is_a_sentence_that_says_which() -> None:
    sighting = sighting_of(orders(), Measurement({}, (246, 248, 249)))
    assert "far left, near right, near left" in sighting.fault
    assert not sighting.in_sync


def test_corners_that_do_not_fit_together_are_named_in_a_sentence() -> None:
    sighting = sighting_of(orders(), Measurement({}, clashing=(248,)))
    wide, high = orders().scenario.size
    assert f"don't match a {wide:g} × {high:g} Movement field" in sighting.fault
    assert sighting.fault.endswith("not turned: near right.")


def test_the_ruler_is_laid_on_what_is_seen() -> None:
    position = orders()
    sighting = look(position, shifted(position, "ito-a", 0.0, 1.0))
    assert as_seen(position, sighting).here("ito-a").place.y == position.here("ito-a").place.y + 1.0


# ---- grids -------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_a_base_in_the_middle_of_its_cell_is_clear(grid: str) -> None:
    measure = Measure(grid)
    place = measure.snapped(Place(5.3, 4.4, 95.0))
    found = on_grid(measure, place, 0.03)
    assert found.clear
    assert (found.off, found.off_deg, found.cell) == (0.0, 0.0, measure.cell(place.at))


def test_between_two_cells_both_are_named() -> None:
    found = on_grid(Measure("square"), Place(5.97, 4.5, 3.0), 0.02)
    assert (found.cell, found.others) == ((5, 4), ((6, 4),))
    assert found.off == pytest.approx(0.47)
    assert not found.clear


def test_between_two_facings() -> None:
    assert not on_grid(Measure("hex"), Place(0.5, 0.5, 28.0)).clear_facing
    assert on_grid(Measure("hex"), Place(0.5, 0.5, 12.0)).clear_facing


def test_a_battle_on_a_grid_moves_in_cells() -> None:
    free = orders(at("ito-a", 9.5, 6.5), at("ito-b", 28.5, 12.5), at("ito-gun", 26.5, 12.5))
    position = replace(free, scenario=replace(free.scenario, grid="square"))
    same = look(position, {"ito-a": Place(9.6, 6.4, 8.0)})
    assert "ito-a" not in {move.unit for move in same.moved}
    (moved,) = [move for move in look(position, {"ito-a": Place(9.6, 8.4, 8.0)}).moved if move.unit == "ito-a"]
    assert moved.now.at == (9.5, 8.5)
    assert moved.legal
    assert same.grid["ito-a"].cell == (9, 6)


def test_the_table_that_the_eye_is_told_of() -> None:
    table = marked_table(battle().scenario, MARKINGS["rear"])
    assert (table.width, table.height, table.base_side, table.ahead) == (30.0, 30.0, 0.45, -0.22)


def test_the_camera_of_an_earlier_look_serves_that_battle_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    befores: list[object] = []
    now = [Measurement({})]

    def measured(_frame: object, _table: object, before: object) -> Measurement:
        befores.append(before)
        return now[0]

    monkeypatch.setattr("vision.bases.bases.measure", measured)
    frame, position = np.zeros((8, 8, 3), np.uint8), orders()
    other = replace(position, scenario=replace(position.scenario, name="another"))
    eye, camera = CameraFieldEye(lambda: frame), cast(TableCamera, SimpleNamespace())
    for found, at_table in (
        (Measurement({}), position),  # it has no camera
        (Measurement({}, (246,), camera), position),  # nor one that is sure
        (Measurement({}, (), camera), position),
        (Measurement({}), other),
        (Measurement({}), position),
    ):
        now[0] = found
        assert eye.look(at_table) is not None
        assert bool(eye.fault) == (found.camera is None)
    assert befores == [None, None, None, None, camera]


def test_a_look_that_has_no_picture_says_so_and_keeps_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    frames: list[Picture | None] = [None]
    position = orders()
    monkeypatch.setattr("vision.bases.bases.measure", lambda _frame, _table, _before: seen(position))
    eye = CameraFieldEye(lambda: frames[-1])
    assert (eye.fault, eye.picture()) == ("", None)
    frames.append(np.zeros((8, 8, 3), np.uint8))
    assert eye.look(position) is not None
    photo = eye.picture()
    assert photo is not None
    assert photo.startswith(b"\xff\xd8")
    frames.append(None)
    assert eye.look(position) is None
    assert (eye.fault, eye.picture()) == ("no picture from the camera right now", photo)
