"""What traced tables are like: light, exposure, lens, atlas and things, and what makes them nearer to photographs."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from training.boards import random_board
from training.traced.lifelike import (
    Captures,
    drift_of,
    levelled,
    lifelike,
    random_dark,
    random_paint,
    random_relief,
    tiled,
    turned,
)
from training.traced.looks import Setup, Sight, random_light, random_red, random_setup
from training.traced.picture import Phone, bend, exposure, linear, tone
from training.traced.things import SIDE_PX, Atlas, Things, fibrous, wear
from vision.simulation.camera import SimulatedCamera
from vision.simulation.draw import Light
from vision.simulation.props import reach_in
from vision.simulation.solids import piece_height
from vision.simulation.table import Moment, PlacedPiece

PLAN, _ = random_board(3)
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
    assert light_on_the_board(lights, room) == pytest.approx(1, abs=0.02)
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


ROOM = np.random.default_rng(1).random((32, 64, 3), np.float32)


def decoded(data: bytes) -> npt.NDArray[np.float32]:
    """Return a room as bright as the first byte says."""
    return ROOM * data[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight rooms, six surfaces and a relief, where packages put them."""
    hdri, boards = tmp_path / "package/hdri", tmp_path / "usr/share/pychess/boards"
    patterns = tmp_path / "usr/share/krita/patterns"
    for place in (hdri, boards, patterns):
        place.mkdir(parents=True)
    for number in range(1, 9):
        code = b64encode(bytes([number])).decode()
        (hdri / f"room{number}.exr.js").write_text(f"export default 'data:application/exr;base64,{code}'\n")
    for number in range(6):
        cv2.imwrite(str(boards / f"wood{number}.png"), np.full((40, 50, 3), 30 * number + 20, np.uint8))
    for name in ("01_canvas", "02_paper"):
        grey = np.random.default_rng(2).integers(0, 255, (40, 40, 3), np.uint8)
        cv2.imwrite(str(patterns / f"{name}.png"), grey)
    return tmp_path


def light_on_the_board(lights: Sequence[Light], room: npt.NDArray[np.float32]) -> float:
    """Return the light of lamps and room at the board's middle, averaged over colours for the room."""
    lean = (np.arange(len(room)) + 0.5) / len(room) * np.pi
    facing = np.maximum(np.cos(lean), 0) * np.sin(lean)
    return sum(light.bgr[1] for light in lights) + float((room.mean(axis=(1, 2)) * facing).sum() / facing.sum())


def test_captures_are_found_where_packages_put_them_and_held_back_ones_are_others(folder: Path) -> None:
    rng = np.random.default_rng(1)
    trained, held = Captures(folder, decoded), Captures(folder, decoded, held=True)
    assert len(trained.rooms) + len(held.rooms) == 8
    assert not set(trained.rooms) & set(held.rooms)
    room = held.room(rng)
    assert room is not None
    assert np.allclose(room, ROOM) or np.allclose(room, 6 * ROOM)
    surface, relief = trained.surface(rng), trained.relief(rng)
    assert surface is not None
    assert surface.mean() in {50, 80, 110, 140}
    assert relief is not None
    assert abs(float(relief.mean())) < 1e-3


def test_without_captures_tables_are_made_up(tmp_path: Path) -> None:
    captures, rng = Captures(tmp_path, decoded), np.random.default_rng(1)
    assert captures.room(rng) is None
    assert captures.surface(rng) is None
    assert all(lifelike(random_setup(seed, PLAN), PLAN, captures).cloth is None for seed in range(6))


def test_a_seed_decides_a_lifelike_table(folder: Path) -> None:
    captures = Captures(folder, decoded)
    first, again = (lifelike(random_setup(5, PLAN), PLAN, captures) for _ in range(2))
    assert (first.scene, first.finish, first.phone, first.drift) == (
        again.scene,
        again.finish,
        again.phone,
        again.drift,
    )
    assert np.array_equal(first.room, again.room)
    assert lifelike(random_setup(6, PLAN), PLAN, captures).scene != first.scene


@pytest.mark.parametrize("seed", range(12))
def test_lamps_and_captured_room_together_light_the_board(seed: int, folder: Path) -> None:
    setup = lifelike(random_setup(seed, PLAN), PLAN, Captures(folder, decoded))
    assert light_on_the_board(setup.scene.lights, setup.room) == pytest.approx(1, abs=0.02)
    assert all(light.at_mm[2] > 50 for light in setup.scene.lights)


@pytest.mark.long
def test_half_of_the_rooms_are_captured_and_a_quarter_of_the_lamps_low(folder: Path) -> None:
    captures = Captures(folder, decoded)
    setups = [lifelike(random_setup(seed, PLAN), PLAN, captures) for seed in range(40)]
    assert 14 < sum(len(setup.room) > 32 for setup in setups) < 34
    heights = [
        np.degrees(np.arctan2(lamp.at_mm[2], np.hypot(lamp.at_mm[0] - 150, lamp.at_mm[1] - 150)))
        for setup in setups
        if len(setup.scene.lights) == 1
        for lamp in setup.scene.lights
    ]
    assert sum(height < 40 for height in heights) > 4


def test_a_turned_room_has_its_other_side_overhead() -> None:
    room = np.zeros((64, 128, 3), np.float32)
    room[24:40, 10:20] = 1  # a window at eye's height
    level, tipped = turned(room, 1.0, 0.0, 32), turned(room, 1.0, 1.2, 32)
    assert level.shape == (32, 64, 3)
    assert level.sum() > 0
    assert np.flatnonzero(level.sum(axis=(1, 2)) > 0.1).min() != np.flatnonzero(tipped.sum(axis=(1, 2)) > 0.1).min()
    assert np.allclose(turned(room, 2 * np.pi, 0.0, 32), turned(room, 0.0, 0.0, 32), atol=1e-4)
    up = np.maximum(np.cos((np.arange(64) + 0.5) / 64 * np.pi), 0) * np.sin((np.arange(64) + 0.5) / 64 * np.pi)
    lit = levelled(room, 0.3)
    assert (lit.mean(axis=(1, 2)) * up).sum() / up.sum() == pytest.approx(0.3, rel=1e-5)


def test_a_tiled_texture_shows_no_seam() -> None:
    ramp = np.tile(np.linspace(0, 250, 50)[None, :, None], (50, 1, 3)).astype(np.float32)
    laid = tiled(ramp, (200, 300), 50, 0.3)
    assert laid.shape == (200, 300, 3)
    assert np.abs(np.diff(laid, axis=1)).max() < 15
    assert laid.max() - laid.min() > 200
    assert tiled(ramp, (60, 60), 12, 0.0).std() > 20


def test_black_pieces_are_dark_but_not_all_alike() -> None:
    rng = np.random.default_rng(3)
    shares = [float(np.mean((np.array(random_dark(rng)) / 255) ** 2.2)) for _ in range(200)]
    assert 0.01 < min(shares) < 0.03
    assert 0.12 < max(shares) < 0.24


def test_paint_darkens_parts_of_the_print(folder: Path) -> None:
    rng, captures = np.random.default_rng(4), Captures(folder, decoded)
    art = np.full((200, 260, 3), 150, np.uint8)
    paints = [paint for paint in (random_paint(rng, PLAN, captures) for _ in range(12)) if paint is not None]
    shown = [paint.over(art) for paint in paints]
    dark = [picture for picture, paint in zip(shown, paints, strict=True) if paint.gain.min() < 1]
    assert dark
    assert all((picture.max(axis=2) < 110).any() for picture in dark)
    assert any(paint.under is not None for paint in paints)


def test_wrinkles_are_shallow(folder: Path) -> None:
    rng = np.random.default_rng(5)
    for _ in range(4):
        heights = random_relief(rng, (200.0, 150.0), Captures(folder, decoded))
        assert heights.shape == (300, 400)
        slopes = np.hypot(*np.gradient(heights, 0.5))
        assert 0.002 < float(slopes.mean()) < 0.25


def test_light_drifts_between_the_empty_board_and_later(folder: Path) -> None:
    setup = replace(random_setup(5, PLAN), drift=1.0)
    lights = setup.scene.lights
    assert drift_of(setup, Moment(seed=5)).lamps(lights) == list(lights)
    later = [drift_of(setup, Moment(seed=seed)) for seed in range(100, 160)]
    assert later[0] == drift_of(setup, Moment(seed=100))
    moved = [np.linalg.norm(np.array(d.lamps(lights)[0].at_mm) - lights[0].at_mm) for d in later]
    assert 10 < np.mean(moved) < 100
    sky = 1 - sum(light.bgr[1] for light in lights)
    levels = [
        (sum(lamp.bgr[1] for lamp in d.lamps(lights)) + sky * d.room) * float(np.mean(d.exposure_bgr)) for d in later
    ]
    assert 0.3 < min(levels) < 0.75
    assert 1.3 < max(levels) < 2.6
    still = replace(setup, drift=0.0)
    as_before = drift_of(still, Moment(seed=100, light_gains=(0.5,) * len(lights)))
    assert as_before.lamps(lights) == [light.dimmed(0.5) for light in lights]
    assert as_before.exposure_bgr == (1, 1, 1)


def test_a_phone_lifts_shadows_draws_rims_and_smooths() -> None:
    picture = np.full((120, 160, 3), 120, np.uint8)
    picture[:, 80:] = 20
    plain = Phone(jpeg=100).developed(picture)
    assert np.abs(plain.astype(int) - picture).max() <= 2
    lifted = Phone(lift=0.5, jpeg=100).developed(picture)
    assert lifted[60, 150].mean() > 28
    rims = Phone(sharpen=1.0, jpeg=100).developed(picture)
    assert rims[60, 78].mean() > 125
    noisy = np.clip(picture + np.random.default_rng(1).normal(0, 5, picture.shape), 0, 255).astype(np.uint8)
    smooth = Phone(smear=20.0, jpeg=100).developed(noisy)
    assert smooth[:, :60].std() < noisy[:, :60].std() * 0.7
