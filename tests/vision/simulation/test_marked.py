"""The simulated marked table: seeded, true to what it says of itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.bases.table import CORNERS, MarkedTable
from vision.simulation.camera import SimulatedCamera
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.scenes import GRADES, HELD_BACK, TUNING, random_table
from vision.simulation.marked.shots import BaseAt, Lamp, MarkedScene, camera_over, shoot

pytestmark = pytest.mark.long

TABLE = MarkedTable(8.0, 6.0)
SCENE = MarkedScene(TABLE, camera_over(TABLE, SimulatedCamera(tilt_deg=25.0, size_px=(480, 360))))
BASES = (BaseAt(5, 3.0, 3.0, 20.0, figures=2), BaseAt(9, 5.0, 3.0, 200.0))


def test_the_same_seed_gives_the_same_picture() -> None:
    one, same = shoot(SCENE, BASES), shoot(SCENE, BASES)
    assert np.array_equal(one.picture, same.picture)
    assert not np.array_equal(one.picture, shoot(replace(SCENE, seed=1), BASES).picture)


def test_the_whole_table_is_in_the_picture_and_its_corners_are_seen() -> None:
    shot = shoot(SCENE, BASES)
    assert all(shot.markers[number].clear for number in CORNERS)
    assert shot.markers[9].share == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    "scene",
    [
        replace(SCENE, surface=Surface(kind, (120, 130, 140), 2))
        for kind in ("wood", "felt", "weave", "plain", "grass", "paving", "printed", "snow")
    ],
)
def test_surfaces(scene: MarkedScene) -> None:
    assert shoot(scene, ()).picture.std() > 5


def test_what_is_covered_is_not_clear() -> None:
    shot = shoot(replace(SCENE, hands=((3.0, 3.0, 1.4),), lamp=Lamp(glare=(0.7, 0.5, 0.8)), decoys=2), BASES)
    assert not shot.markers[5].clear
    gone = shoot(replace(SCENE, without=(246,)), (BaseAt(5, -9.0, 3.0, 0.0),))
    assert gone.markers[246].share == 0.0
    assert not gone.markers[5].clear


def test_patches_of_ground_are_painted() -> None:
    painted = replace(SCENE, surface=Surface(patches=((((2, 2), (6, 2), (6, 4), (2, 4)), (10, 10, 200)),)))
    assert shoot(painted, ()).picture[180, 240, 2] > 2 * shoot(SCENE, ()).picture[180, 240, 2]


def test_both_casts_and_every_grade_give_tables() -> None:
    kinds = {cast.name: {kind for kind, _bgr in cast.surfaces} for cast in (TUNING, HELD_BACK)}
    assert not kinds["tuning"] & kinds["held back"]
    for cast in (TUNING, HELD_BACK):
        for grade in GRADES:
            scene, bases = random_table(cast, grade, 3)
            assert (scene, bases) == random_table(cast, grade, 3)
            assert len({base.number for base in bases}) == len(bases) > 5
