"""Restyled training pictures: the truth stays, ground and pieces change apart, and a seed decides all of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from training.fit_scores import restyled_table
from training.render import LIGHTS, render_table
from training.restyle import Change, Floats, add_drift, add_ghosts, foreign_colour, random_ground, random_style
from training.samples import (
    CROP,
    FOREIGN_CLASS,
    Sample,
    cut_off,
    frames_and_empty,
    pair_of,
    read_table,
    restyled,
    with_foreign,
)
from vision.reading.network import CLASSES, OUTPUTS, STRIDE, THING

SIZE = (90, 120)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "000001.npz"
    np.savez(path, **render_table(1, 2))
    return path


@pytest.fixture(scope="module")
def samples(path: Path) -> list[Sample]:
    return read_table(path)


def shaded() -> Floats:
    picture = np.full((*SIZE, 3), 140, np.float32)
    picture[:, 60:] *= np.float32(0.5)
    return picture


@pytest.mark.long
def test_masks_tell_whose_piece_a_pixel_shows(samples: list[Sample]) -> None:
    sample = samples[0]
    for side, first in ((1, 0), (2, 3)):
        rows = sample.pieces[(sample.pieces[:, 2] == first) & (sample.pieces[:, 4] == 0)]
        at = np.round(rows[:, :2]).astype(int)
        hits = [side in sample.sides[y - 4 : y + 5, x - 4 : x + 5] for x, y in at.tolist()]
        assert len(hits) > 3
        assert np.mean(hits) > 0.9


@pytest.mark.parametrize("seed", range(6))
def test_a_ground_keeps_the_shadows_that_lie_on_it(seed: int) -> None:
    ground = random_ground(np.random.default_rng(seed), SIZE)
    light, shadow = ground(np.full((*SIZE, 3), 140, np.float32)), ground(np.full((*SIZE, 3), 70, np.float32))
    assert (shadow <= light + 1e-3).all()
    assert shadow.mean() < light.mean()


@pytest.mark.long
def test_a_pair_of_crops_has_a_peak_and_a_thing_for_each_piece(samples: list[Sample]) -> None:
    rng = np.random.default_rng(4)
    for crop in pair_of(samples, rng):
        assert crop.frame.shape == (3, CROP, CROP)
        assert crop.target.shape == (OUTPUTS, CROP // STRIDE, CROP // STRIDE)
        peaks, things = (crop.target[: len(CLASSES)] >= 1).any(axis=0), crop.target[THING] >= 1
        assert things.any()
        assert (things | ~peaks).all()


@pytest.mark.long
def test_a_table_is_photographed_in_several_lights_and_its_frames_take_turns_in_them(samples: list[Sample]) -> None:
    assert [sample.light for sample in samples] == [0, 1]
    for sample in samples:
        assert len(sample.empties) == LIGHTS
        assert sample.reference is sample.empties[sample.light]
    own, other = (empty.astype(float) for empty in samples[0].empties[:2])
    assert np.abs(own - other).mean() > 3


@pytest.mark.long
def test_some_pairs_have_their_empty_board_in_another_light(samples: list[Sample]) -> None:
    lights = []
    for seed in range(40):
        empty, frames = frames_and_empty(samples, np.random.default_rng(seed))
        lights.append([empty is frame.reference for frame in frames])
    apart = np.mean([not all(same) for same in lights])
    assert 0.1 < apart < 0.4


def test_beyond_the_pictures_edge_its_colours_go_on_and_nothing_is_asked() -> None:
    for seed in range(8):
        board = np.random.default_rng(0).uniform(0, 1, (CROP, CROP, 3)).astype(np.float32)
        plain = board.copy()
        seen = cut_off(board, np.random.default_rng(seed)) > 0
        shown = np.kron(seen, np.ones((STRIDE, STRIDE))) > 0
        assert 0.4 < seen.mean() < 1
        assert (board[shown] == plain[shown]).all()
        changed = (board != plain).any(axis=2)
        assert changed.any()
        assert not changed[shown].any()


@pytest.mark.long
def test_a_foreign_piece_is_a_thing_of_no_class(samples: list[Sample]) -> None:
    sample, rng = samples[0], np.random.default_rng(2)
    board, sides = sample.board.astype(np.float32), sample.sides.copy()
    rows = with_foreign((board, sides), sample.pieces, sample.pieces[:, :2], sample.colours, rng)
    foreign = rows[:, 2] == FOREIGN_CLASS
    assert foreign.any()
    changed = np.abs(board - sample.board).max(axis=2) > 5
    assert changed.any()
    assert set(np.unique(sample.sides[changed])) <= {1, 2}
    assert (rows[~foreign] == sample.pieces[~foreign]).all()


@pytest.mark.long
def test_a_style_changes_the_pictures_of_a_table_alike_and_follows_from_its_seed(samples: list[Sample]) -> None:
    one, two = (restyled(samples, np.random.default_rng(11)) for _ in range(2))
    for first, second, plain in zip(one, two, samples, strict=True):
        assert (first.board == second.board).all()
        assert (first.reference == one[0].reference).all()
        assert (first.pieces == plain.pieces).all()
    styles = [restyled(samples, np.random.default_rng(seed))[0].board for seed in range(6)]
    assert any(np.abs(style.astype(int) - samples[0].board).mean() > 15 for style in styles)


def test_marks_lie_on_the_empty_board_and_drift_on_both() -> None:
    rng, empty = np.random.default_rng(3), shaded()
    marked = empty.copy()
    add_ghosts(marked, np.array([(30.0, 40.0)]), rng)
    assert 0 < (np.abs(marked - empty).max(axis=2) > 2).mean() < 0.5
    drifted = []
    for seed in range(20):
        frame, reference = empty.copy(), empty.copy()
        add_drift(frame, reference, np.random.default_rng(seed))
        drifted.append(np.abs(frame - reference).mean())
    assert min(drifted) == 0
    assert max(drifted) > 5


@pytest.mark.parametrize("dark", [True, False])
def test_pieces_take_many_colours_and_foreign_ones_none_of_a_sides(dark: bool) -> None:
    pixels = np.random.default_rng(0).uniform(20, 60, (50, 3)).astype(np.float32)

    def level(change: Change) -> float:
        return float(change(pixels).mean())

    styles = [random_style(np.random.default_rng(seed), dark) for seed in range(80)]
    levels = [level(style.sides[1]) for style in styles if not style.plain]
    assert max(levels) > 2 * min(levels)
    for seed in range(20):
        blue, green, red = foreign_colour(np.random.default_rng(seed), ("red", "black"))(pixels).mean(axis=0)
        assert not (red > 1.6 * green and red > 1.6 * blue)
        assert max(blue, green, red) > 40


def test_a_restyled_table_is_read_as_its_first_frame_shows_it(path: Path) -> None:
    ((setting, frame),) = restyled_table(path, 0, second_alone=True)
    assert setting.places.plan.start
    assert frame.board.shape == setting.ground.image_bgr.shape
    assert frame.clear <= {area.name for area in setting.places.plan.areas}
    assert {piece.area for piece in frame.pieces} <= {area.name for area in setting.places.plan.areas}
