"""Invented boards and simulated tables of every set of pieces, and training pictures restyled: the truth stays."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from training.boards import GAMES, random_board
from training.fit_scores import restyled_table
from training.render import GAME_SEEDS, LIGHTS, Sample, game_of, read_table, render_table
from training.restyle import Change, add_drift, add_ghosts, foreign_colour, random_ground, random_style
from training.samples import CROP, FOREIGN_CLASS, cut_off, frames_and_empty, pair_of, restyled, with_foreign
from vision.plan import BoardPlan
from vision.reading.network import CLASSES, OUTPUTS, STRIDE, THING
from vision.reading.piece_sets import set_of
from vision.simulation.camera import Lens, SimulatedCamera, camera_above, fit_in_picture
from vision.simulation.random_scenes import random_look, with_other_kinds
from vision.simulation.solids import PieceLook, footprint, piece_parts
from vision.simulation.table import Habits, Moment, Scene, Studio, place_pieces
from vision.simulation.tables import random_commanders, random_pieces, random_units, table_shots

SEEDS = range(12)
LOOKS = [
    with_other_kinds(
        random_look(np.random.default_rng(seed)), random_board(seed, GAMES["aircraft"])[0], np.random.default_rng(seed)
    )
    for seed in range(12)
]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_boards_hold_together(name: str, seed: int) -> None:
    plan, marks = random_board(seed, GAMES[name])
    names = {area.name for area in plan.areas}
    set_of(plan)
    for area in plan.areas:
        points = np.array(area.polygon_mm)
        assert (points >= 0).all()
        assert (points <= plan.size_mm).all()
    assert {space.area for space in plan.spaces} <= names
    assert {area for area, *_ in plan.start} <= names
    assert all(unit in plan.unit_kinds(plan.area(area)) for area, _, unit, _ in plan.start)
    assert {faction for _, faction, _, _ in plan.start} <= set(plan.factions)
    assert set(marks.zones) | set(marks.forts) | set(marks.headquarters) <= names


@pytest.mark.parametrize("seed", SEEDS)
def test_sections_lie_apart_from_each_other_and_the_map(seed: int) -> None:
    plan, marks = random_board(seed, GAMES["aircraft"])
    boxes = [np.array(area.polygon_mm) for area in plan.areas if area.kind == "air"]
    edge = max(x for area in plan.areas if area.kind != "air" for x, _ in area.polygon_mm)
    assert bool(boxes) == bool(marks.zones)
    for index, box in enumerate(boxes):
        assert box[:, 0].min() > edge
        for other in boxes[:index]:
            apart = np.maximum(box.min(axis=0) - other.max(axis=0), other.min(axis=0) - box.max(axis=0))
            assert apart.max() > 0
    for space in plan.spaces:
        if plan.area(space.area).kind == "air":
            assert (np.array(space.at_mm) > np.array(plan.area(space.area).polygon_mm).min(axis=0)).all()


def test_a_tables_number_tells_whose_pieces_it_has() -> None:
    assert [game_of(seed) for seed in (0, 999_999, GAME_SEEDS, 2 * GAME_SEEDS + 5)] == [
        GAMES["ships"],
        GAMES["ships"],
        GAMES["siege"],
        GAMES["aircraft"],
    ]


def plan_of(game: str, seed: int = 0) -> BoardPlan:
    return random_board(seed, GAMES[game])[0]


@pytest.mark.parametrize("kind", ["siege", "aircraft"])
@pytest.mark.parametrize("look", LOOKS)
def test_feet_lie_within_a_figures_reach(kind: str, look: PieceLook) -> None:
    points = np.concatenate([part.vertices[:, :2] for part in piece_parts(kind, look)])
    for x, y, radius in footprint(kind, look):
        assert np.hypot(x, y) + radius < np.hypot(points[:, 0], points[:, 1]).max() + 3.0
        assert radius > 0.8


@pytest.mark.parametrize("seed", range(6))
def test_planes_lie_in_their_section_and_siege_weapons_on_their_land(seed: int) -> None:
    for game, unit in (("aircraft", "aircraft"), ("siege", "siege")):
        plan = plan_of(game, seed)
        places = [area for area in plan.areas if unit in plan.unit_kinds(area)]
        for area in places[:3]:
            pieces = place_pieces(plan, {area.name: {plan.factions[0]: {unit: 4}}}, {}, np.random.default_rng(seed))
            assert len(pieces) == 4
            outline = np.asarray(area.polygon_mm, np.float32)
            assert all(cv2.pointPolygonTest(outline, piece.at_mm, True) > 0 for piece in pieces)


def test_random_positions_mix_the_kinds_an_area_can_hold() -> None:
    plan = plan_of("siege")
    rng = np.random.default_rng(1)
    kinds: set[tuple[str, ...]] = set()
    for _ in range(20):
        for name, held in random_units(plan, rng, crowded=True).items():
            kinds |= {tuple(sorted(units)) for units in held.values()}
            assert {unit for units in held.values() for unit in units} <= set(plan.unit_kinds(plan.area(name)))
    assert {("siege",), ("troop",), ("siege", "troop"), ("ship",)} == kinds


def test_a_look_has_the_colours_of_its_boards_factions() -> None:
    yellows = [dict(look.bgr)["yellow"] for look in LOOKS]
    blues = [dict(look.bgr)["blue"] for look in LOOKS]
    assert len(set(yellows)) == len(set(blues)) == len(LOOKS)
    assert all(red > 1.5 * blue for blue, _, red in yellows)
    assert all(blue > red for blue, _, red in blues)


def test_pictures_of_every_set_of_pieces_tell_the_truth() -> None:
    for game in ("siege", "aircraft"):
        plan = plan_of(game)
        camera = SimulatedCamera(size_px=(320, 240), target_mm=(plan.size_mm[0] / 2, plan.size_mm[1] / 2))
        corners = np.array([[0, 0], [plan.size_mm[0], 0], plan.size_mm, [0, plan.size_mm[1]]], float)
        scene = Scene(camera=fit_in_picture(camera, corners, 0.9), lens=Lens(noise=1.0), shadow_samples=2)
        rng = np.random.default_rng(4)
        pieces = random_pieces(plan, rng, Habits(scene.look))
        shot = Studio(plan, scene).shoot(pieces, Moment(seed=2))
        seen = {(row["faction"], row["kind"]) for row in shot.truth["pieces"]}
        assert {faction for faction, _ in seen} == set(plan.factions)
        for row in shot.truth["pieces"]:
            if row["kind"] != "commander":
                assert shot.truth["units"][row["area"]][row["faction"]][row["kind"]] > 0
        assert set(random_commanders(plan, rng).values()) <= set(plan.factions)


def test_tables_of_one_seed_are_alike() -> None:
    plan, marks = random_board(2, GAMES["aircraft"])
    one, other = (table_shots(5, plan, marks) for _ in range(2))
    assert one.studio.scene == other.studio.scene
    assert np.array_equal(one.studio.scene.look.bgr[2][1], other.studio.scene.look.bgr[2][1])


@pytest.mark.parametrize("size_mm", [(216.0, 300.0), (200.0, 262.0), (262.0, 266.0), (420.0, 297.0)])
def test_the_usual_camera_sees_the_whole_of_any_board(size_mm: tuple[float, float]) -> None:
    width, height = size_mm
    seen = camera_above(size_mm).px([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)])
    assert (seen > 5).all()
    assert (seen < np.array([1275, 955])).all()


def test_over_a_board_of_the_usual_size_it_stays_where_it_is() -> None:
    assert camera_above((260.8, 296.5)) == SimulatedCamera()


SIZE = (90, 120)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "000001.npz"
    np.savez(path, **render_table(1, 2))
    return path


@pytest.fixture(scope="module")
def samples(path: Path) -> list[Sample]:
    return read_table(path)


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
    rng, empty = np.random.default_rng(3), np.full((*SIZE, 3), 140, np.float32)
    empty[:, 60:] *= np.float32(0.5)
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
