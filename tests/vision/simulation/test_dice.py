"""Simulated dice: what is said to lie on top is what a picture from above shows."""

from __future__ import annotations

from math import pi

import cv2
import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.simulation.board_art import Image
from vision.simulation.camera import SimulatedCamera
from vision.simulation.dice import Body, Lamps, add_bodies
from vision.simulation.light import Light
from vision.simulation.throws import GROUPS, Group, ThrowStudio, die_of, off_map, random_group, random_make

ABOVE = SimulatedCamera(target_mm=(0.0, 0.0), distance_mm=250.0, tilt_deg=0.0, focal=1.2, size_px=(320, 240))
LAMPS = Lamps((Light((-200.0, -150.0, 700.0), 80.0, (0.6, 0.6, 0.6)),), (0.4, 0.4, 0.4))


def die(*faces: int, turn: float = 0.3) -> Body:
    return Body(
        (0.0, 0.0, 8.0), (16.0, 16.0, 16.0), (40.0, 38.0, 36.0), faces=faces, turn_rad=turn, pip=0.09, gloss=0.0
    )


def picture_of(*bodies: Body) -> Image:
    picture = np.full((240, 320, 3), 120, np.uint8)
    add_bodies(picture, ABOVE, bodies, LAMPS, 0.0)
    return picture


def pips_seen(picture: Image) -> int:
    white = (picture.min(axis=2) > 170).astype(np.uint8)
    return int(cv2.connectedComponents(white)[0]) - 1


@pytest.mark.parametrize("top", range(7))
def test_the_first_face_is_on_top(top: int) -> None:
    rest = (0,) * 5
    assert pips_seen(picture_of(die(top, *rest))) == top


def test_a_die_covers_the_table_and_throws_a_shadow_away_from_the_lamp() -> None:
    picture = picture_of(die(0, 1, 1, 1, 1, 2)).astype(int)
    middle = ABOVE.px(np.array([0.0, 0.0, 16.0])).astype(int)
    assert picture[middle[1], middle[0]].max() < 80
    away, toward = (ABOVE.px(np.array([12.0 * s, 9.0 * s, 0.0])).astype(int) for s in (1, -1))
    assert picture[away[1], away[0]].mean() < 0.9 * picture[toward[1], toward[0]].mean()


def test_outside_the_picture_nothing_is_drawn() -> None:
    far = Body((900.0, 0.0, 8.0), (16.0, 16.0, 16.0), (0.0, 0.0, 0.0))
    assert (picture_of(far) == 120).all()


def test_a_disc_is_round() -> None:
    coin = Body((0.0, 0.0, 1.0), (20.0, 20.0, 2.0), (200.0, 200.0, 200.0), edge_mm=0.3, round=True)
    points = np.array([[10.0, 0.0, 1.0], [7.2, 7.2, 1.0], [0.0, 12.0, 1.0]])
    assert coin.gap(points) == pytest.approx([0.0, 0.18, 2.0], abs=0.02)


def test_a_body_reaches_as_far_as_its_corners() -> None:
    assert Body((50.0, 60.0, 8.0), (3.0, 4.0, 12.0), (0.0, 0.0, 0.0)).reach_mm == 6.5


@pytest.mark.parametrize("kind", GROUPS)
def test_groups_tell_what_may_be_read_of_them(kind: str) -> None:
    rng = np.random.default_rng(4)
    groups = [random_group(rng, (-30.0, 40.0), -2.0, kind) for _ in range(12)]
    told = [[die.pips for die in group.lying] for group in groups]
    if kind == "thing":
        assert not any(told)
    if kind == "other":
        assert all(pips == [None] for pips in told)
    if kind in ("cocked", "stacked"):
        assert all(None in pips for pips in told)
    if kind in ("one", "few"):
        assert {pip for pips in told for pip in pips} == {0, 1, 2}
    assert all(_bottom(group) == pytest.approx(-2.0, abs=0.9) for group in groups)


def _bottom(group: Group) -> float:
    """How deep a group's bodies reach, by probing below their middles."""
    heights = np.arange(-4.0, 6.0, 0.05)
    lows = []
    for body in group.bodies[:1]:
        x, y, z = body.middle_mm
        spots = [(x + r * np.cos(a), y + r * np.sin(a)) for r in (0, 3, 6, 9) for a in np.arange(0, 2 * pi, 0.2)]
        inside = [h for h in heights if (body.gap(np.array([(*spot, h) for spot in spots])) < 0).any()]
        lows.append(min(inside, default=z))
    return min(lows)


def test_dice_of_one_throw_do_not_run_into_each_other() -> None:
    rng = np.random.default_rng(8)
    for _ in range(20):
        group = random_group(rng, (0.0, 0.0), 0.0, "few")
        for body in group.bodies:
            others = [other for other in group.bodies if other is not body]
            assert all(other.gap(np.array([body.middle_mm]))[0] > 0.45 * body.sides_mm[0] for other in others)


def test_a_die_of_a_set_stands_on_the_ground_with_its_first_face_up() -> None:
    made = die_of(random_make(np.random.default_rng(2)), (5.0, 6.0), -2.0, (2, 1, 1, 1, 1, 0), 0.4)
    assert made.faces[0] == 2
    assert made.middle_mm[2] == pytest.approx(made.sides_mm[0] / 2 - 2.0)


def test_throws_lie_beside_the_map_apart_from_each_other() -> None:
    plan = four_areas()
    studio = ThrowStudio(3, plan)
    places = studio.places(np.random.default_rng(1), 8)
    assert len(places) >= 4
    for (x, y), ground in places:
        on_board = 0 < x < plan.size_mm[0] and 0 < y < plan.size_mm[1]
        assert ground == (0.0 if on_board else -2.0)
        assert off_map(plan, (x, y)) > 0
