"""What traced tables are like: light, exposure, the bend of the lens, colours on the atlas, what is put where."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from training.boards import random_board
from training.traced.looks import Setup, Sight, random_light, random_red, random_setup
from training.traced.picture import bend, exposure, linear, tone
from training.traced.things import SIDE_PX, Atlas, Things, fibrous, wear
from vision.simulation.camera import SimulatedCamera
from vision.simulation.props import reach_in
from vision.simulation.solids import piece_height
from vision.simulation.table import Moment, PlacedPiece

PLAN, MARKS = random_board(3)
CAMERA = SimulatedCamera(tilt_deg=28, focal=0.8, radial=0.05)


@pytest.fixture(scope="module")
def setup() -> Setup:
    return random_setup(3, PLAN)


@pytest.fixture(scope="module")
def things(setup: Setup) -> Things:
    return Things(setup, PLAN)


def test_a_seed_decides_a_table_and_held_back_ones_are_others(setup: Setup) -> None:
    again, held = random_setup(3, PLAN), random_setup(3, PLAN, held=True)
    assert again.scene == setup.scene
    assert (again.finish, again.forms, again.slab) == (setup.finish, setup.forms, setup.slab)
    assert np.array_equal(again.room, setup.room)
    assert held.scene != setup.scene


def hue(bgr: tuple[float, float, float]) -> int:
    """Return the hue of a colour, -90 to 89 round red."""
    found = int(cv2.cvtColor(np.array([[bgr]], np.uint8), cv2.COLOR_BGR2HSV)[0, 0, 0])
    return found - 180 if found > 89 else found


def test_held_back_reds_are_beyond_those_of_training() -> None:
    rng = np.random.default_rng(2)
    trained = [hue(random_red(rng, held=False)) for _ in range(60)]
    held = [hue(random_red(rng, held=True)) for _ in range(60)]
    assert min(trained) >= -10
    assert max(trained) <= 8
    assert all(red <= -7 or red >= 4 for red in held)


@pytest.mark.parametrize("seed", range(12))
def test_lamps_and_room_together_light_the_board(seed: int) -> None:
    lights, room = random_light(np.random.default_rng(seed), Sight(PLAN.size_mm, CAMERA), held=False)
    up = np.maximum(np.cos(np.linspace(0, np.pi, room.shape[0])), 0) * np.sin(np.linspace(0, np.pi, room.shape[0]))
    sky = float((room.mean(axis=(1, 2)) * up).sum() / up.sum())
    assert sum(light.bgr[1] for light in lights) + sky == pytest.approx(1, abs=0.01)
    assert all(light.at_mm[2] > 200 for light in lights)
    assert room.min() >= 0


def test_some_lamps_are_mirrored_by_the_board_into_the_camera() -> None:
    rng, found = np.random.default_rng(5), 0
    for _ in range(200):
        lights, _ = random_light(rng, Sight(PLAN.size_mm, CAMERA), held=False)
        for light in lights:
            lamp, eye = np.array(light.at_mm), CAMERA.centre_mm
            share = eye[2] / (eye[2] + lamp[2])
            x, y = eye[:2] + (lamp[:2] - eye[:2]) * share
            found += light.radius_mm < 120 and 0 < x < PLAN.size_mm[0] and 0 < y < PLAN.size_mm[1]
    assert found > 30


@pytest.mark.parametrize("radial", [-0.06, 0.0, 0.05])
@pytest.mark.parametrize("part", [False, True])
def test_the_bend_brings_the_film_where_the_camera_sees_it(radial: float, part: bool) -> None:
    camera = replace(CAMERA, radial=radial)
    points = np.array([[100.0, 120, 0], [130, 148, 4], [160, 170, 0]])
    seen = camera.px(points)
    film = bend(camera, (960, 720), seen if part else None)
    pinhole = replace(camera, radial=0.0, focal=camera.focal / film.wider, size_px=film.film_px)
    wanted = pinhole.px(points) - film.window[:2]
    for (x, y), place in zip(np.round(seen).astype(int), wanted, strict=True):
        assert np.allclose((film.xs[y, x], film.ys[y, x]), place, atol=0.6)
    assert (film.window[2:] == (960, 720)) is not part
    assert part or (film.xs.min() > -1 and film.xs.max() < 960 and film.ys.min() > -1 and film.ys.max() < 720)


def test_what_is_not_drawn_goes_on_from_the_edge() -> None:
    film = bend(CAMERA, (64, 48), np.array([[640.0, 480.0]]))
    drawn = np.full((film.window[3], film.window[2], 3), 90, np.uint8)
    assert np.array_equal(np.unique(film.camera_picture(drawn)), [90])


def test_exposure_shows_the_board_as_bright_as_it_is_printed() -> None:
    printed = np.array([[0.2, 0.4, 0.3], [0.4, 0.2, 0.3]], np.float32)
    light = printed * np.array([0.1, 0.2, 0.4], np.float32)
    assert np.allclose(light * exposure(light, printed, 1.0), printed, rtol=1e-5)
    grey = exposure(light, printed, 0.0)
    assert np.allclose(grey, grey[0])


def test_tones_are_those_of_the_screen_below_the_shoulder_and_never_burn_out_early() -> None:
    levels = np.arange(0, 220, dtype=np.uint8)[:, None, None].repeat(3, 2)
    assert np.abs(tone(linear(levels)).astype(int) - levels).max() <= 1
    bright = tone(np.linspace(0, 3, 200, dtype=np.float32)[:, None, None])
    assert (np.diff(bright[:, 0, 0].astype(int)) >= 0).all()
    assert bright.max() == 255


def test_patches_do_not_overlap_and_the_atlas_can_be_full() -> None:
    atlas, rng = Atlas(), np.random.default_rng(1)
    middles = [atlas.plain((10 * i, 0, 255), 0.3, (rng, 0.0)) for i in range(25)]
    for number, (x, y) in enumerate(middles):
        at = round(y * 4), round(x * 4)
        assert tuple(atlas.picture[at]) == (10 * number, 0, 255)
        assert atlas.rough[at] == pytest.approx(0.3)
    with pytest.raises(ValueError, match="no room"):
        atlas.add(np.zeros((SIDE_PX, 10, 3), np.uint8), 0.5)


def test_wear_and_fibres_mark_a_patch() -> None:
    plain, rng = np.full((60, 60, 3), (20, 30, 190), np.uint8), np.random.default_rng(4)
    assert wear(plain, rng, 0.0) is plain
    assert fibrous(plain, rng, 0.0) is plain
    assert 0 < (wear(plain, rng, 0.05) != plain).any(axis=2).mean() < 0.3
    assert fibrous(plain, rng, 0.05).std(axis=(0, 1)).max() > 2


def test_pieces_stand_where_they_are_said_to(setup: Setup, things: Things) -> None:
    low = PlacedPiece("troop", "red", "a1", (60.0, 70.0))
    high = PlacedPiece("troop", "red", "a1", (61.0, 70.5), level=1, on_mm=low.at_mm)
    lift = float(setup.slab.height(low.at_mm))
    mesh = things.piece(high, lift)
    tall = piece_height("troop", setup.scene.look)
    assert mesh.points[:, 2].min() == pytest.approx(lift + tall, abs=1e-6)
    assert np.allclose(mesh.points[:, :2].mean(axis=0), high.at_mm, atol=0.3)
    bare = things.standing((), Moment(seed=9))
    full = things.standing((low, high), Moment(seed=9, tokens=((20.0, 20.0),), dice=((40.0, 40.0),)))
    assert len(full.points) > len(bare.points) + 2 * len(mesh.points)


def test_cards_lie_on_the_pieces_under_them_and_hands_cover(setup: Setup, things: Things) -> None:
    piece = PlacedPiece("commander", "black", "a1", (60.0, 70.0))
    moment = Moment(seed=9, cards=((64.0, 72.0),))
    on_board = things.covering((), moment).points[:, 2].min()
    on_piece = things.covering((piece,), moment).points[:, 2].min()
    assert on_piece - on_board == pytest.approx(piece_height("commander", setup.scene.look), abs=1e-6)
    assert len(things.covering((piece,), Moment(seed=9)).points) == 0
    hand = reach_in(np.random.default_rng(1), (50, 60), 0.0)
    assert things.covering((), Moment(seed=9, hand=hand)).points[:, 2].max() > 40
