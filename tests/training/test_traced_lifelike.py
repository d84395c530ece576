"""Tables nearer to photographs: what is found in a folder of captures, and what light, paint and phones do."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from training.boards import random_board
from training.traced.captured import Captures, levelled, tiled, turned
from training.traced.lifelike import drift_of, lifelike, random_dark, random_paint, random_relief
from training.traced.looks import Setup, random_setup
from training.traced.picture import Phone
from vision.simulation.table import Moment

PLAN, _ = random_board(3)
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


def light_on_the_board(setup: Setup) -> float:
    """Return the light of lamps and room at the board's middle, averaged over colours for the room."""
    lean = (np.arange(len(setup.room)) + 0.5) / len(setup.room) * np.pi
    facing = np.maximum(np.cos(lean), 0) * np.sin(lean)
    sky = float((setup.room.mean(axis=(1, 2)) * facing).sum() / facing.sum())
    return sum(light.bgr[1] for light in setup.scene.lights) + sky


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
    assert light_on_the_board(setup) == pytest.approx(1, abs=0.02)
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
