"""The simulated table, with pieces or with markers: what is drawn, where it stands, and that its truth is true."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tables import there
from vision.bases.markers import CORNERS, MarkedTable
from vision.errors import VisionError
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.simulation.board_art import ArtStyle, BoardMarks, draw_board, hexagon, random_style
from vision.simulation.camera import Lens, SimulatedCamera, fit_in_picture
from vision.simulation.draw import Light, LightGrid, cast, plane_light
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.scenes import GRADES, HELD_BACK, TUNING, random_table
from vision.simulation.marked.shots import BaseAt, Lamp, MarkedScene, camera_over, shoot
from vision.simulation.placing import Placer
from vision.simulation.props import Cloth, draw_cloth, reach_in
from vision.simulation.random_scenes import random_scene
from vision.simulation.solids import SHIP_PROFILES, PieceLook, footprint, piece_height, piece_parts, place_part
from vision.simulation.table import Habits, Moment, PlacedPiece, Scene, Studio, place_pieces
from vision.simulation.tables import make_table, random_pieces, table_shots

pytestmark = pytest.mark.long

SIZE_MM = (120.0, 120.0)
UNITS = {"a1": {"red": {"troop": 3}}, "b1": {"black": {"ship": 2}}}
MARKS = BoardMarks(
    points={"a1": 2, "b1": 1}, headquarters={"a1": "red"}, ports={"a1": ("b1",)}, slots={"sun": (60.0, 20.0)}
)
QUIET = Lens(blur_px=0.0, vignetting=0.0, noise=0.0, sharpen=0.0, jpeg=98)
SMALL = SimulatedCamera(target_mm=(60.0, 60.0), distance_mm=260.0, tilt_deg=20.0, size_px=(320, 240))


def two_areas() -> BoardPlan:
    return BoardPlan(
        board="test-two",
        size_mm=SIZE_MM,
        areas=(
            AreaPlan("a1", "land", tuple(hexagon((32.0, 60.0), 26.0)), ((32.0, 60.0),)),
            AreaPlan("b1", "water", tuple(hexagon((86.0, 60.0), 26.0)), ((86.0, 60.0),)),
        ),
        spaces=(SpacePlan("advance:a1", "a1", (22.0, 44.0)), SpacePlan("sail:b1", "b1", (76.0, 44.0))),
        space_side_mm=6.5,
        factions=("red", "black"),
        units=(("land", ("troop",)), ("water", ("ship",))),
        start=(("a1", "red", "troop", 2), ("b1", "black", "ship", 1)),
    )


def plain_scene(**changes: object) -> Scene:
    scene = Scene(camera=SMALL, lens=QUIET, clutter_seed=None, look=PieceLook(grain=0.0), shadow_samples=2)
    return replace(scene, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def studio() -> Studio:
    return Studio(two_areas(), plain_scene(), MARKS)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_the_board_is_drawn_at_its_scale_from_a_seed_and_in_the_factions_colours() -> None:
    one = draw_board(two_areas(), ArtStyle(3), MARKS, 2.0)
    assert one.shape == (240, 240, 3)
    assert one.dtype == np.uint8
    assert np.array_equal(one, draw_board(two_areas(), ArtStyle(3), MARKS, 2.0))
    assert not np.array_equal(one, draw_board(two_areas(), ArtStyle(4), MARKS, 2.0))
    assert random_style(5) == random_style(5)
    assert len({random_style(seed).margin_bgr for seed in range(12)}) > 8
    assert random_scene(3, two_areas()) == random_scene(3, two_areas()) != random_scene(4, two_areas())
    assert place_pieces(two_areas(), UNITS, {}, rng(4)) == place_pieces(two_areas(), UNITS, {}, rng(4))
    style = ArtStyle(3, print_bgr={"red": (0, 0, 255), "black": (0, 0, 0)}, symbol_shift_mm=3.0, folds=0)
    board = draw_board(two_areas(), style, None, 2.0)
    assert board[120, 64].tolist() == [0, 0, 255]


@pytest.mark.parametrize("border", ["solid", "stitched", "double"])
@pytest.mark.parametrize("waves", ["waves", "rings", "lines", "none"])
def test_every_border_and_water_is_a_different_drawing(border: str, waves: str) -> None:
    plain = draw_board(two_areas(), ArtStyle(3, decoration=0), None, 2.0)
    other = draw_board(two_areas(), ArtStyle(3, border=border, waves=waves, symbols="each", folds=2), MARKS, 2.0)
    assert np.abs(plain.astype(int) - other).mean() > 1


@pytest.mark.parametrize("seed", range(8))
def test_pieces_stand_inside_their_areas_and_never_overlap(seed: int) -> None:
    plan, look = two_areas(), PieceLook()
    units = {"a1": {"red": {"troop": 5}}, "b1": {"black": {"ship": 3}}}
    pieces = place_pieces(plan, units, {"advance:a1": "black"}, rng(seed), Habits(look=look))
    assert sorted(piece.kind for piece in pieces) == ["commander"] + ["ship"] * 3 + ["troop"] * 5
    for piece in pieces:
        outline = np.asarray(plan.area(piece.area).polygon_mm, np.float32)
        inside = cv2.pointPolygonTest(outline, piece.at_mm, True)
        assert inside >= (0 if piece.kind == "commander" else look.troop_mm / 2 - 4)
    for i, piece in enumerate(pieces):
        for other in pieces[:i]:
            gap = np.hypot(piece.at_mm[0] - other.at_mm[0], piece.at_mm[1] - other.at_mm[1])
            assert gap >= 0.45 * (_across(piece, look) + _across(other, look))


def _across(piece: PlacedPiece, look: PieceLook) -> float:
    return 2 * min(radius for _, _, radius in footprint(piece.kind, look))


def test_stacks_stand_on_a_piece_of_their_own_faction() -> None:
    pieces = place_pieces(two_areas(), {"a1": {"red": {"troop": 5}}}, {}, rng(2), Habits(stacks=1.0))
    low = {piece.at_mm for piece in pieces if piece.level == 0}
    high = [piece.on_mm for piece in pieces if piece.level == 1]
    assert high
    assert len(set(high)) == len(high)
    assert set(high) <= low


def test_a_full_area_a_wrong_area_and_a_wrong_space_are_said() -> None:
    with pytest.raises(VisionError, match="a1 has no room for 40 pieces"):
        place_pieces(two_areas(), {"a1": {"red": {"troop": 40}}}, {}, rng())
    with pytest.raises(VisionError, match="no area 'z9'"):
        place_pieces(two_areas(), {"z9": {"red": {"troop": 1}}}, {}, rng())
    with pytest.raises(VisionError, match="no action space 'fly:z9'"):
        place_pieces(two_areas(), {}, {"fly:z9": "red"}, rng())


def test_pieces_that_lie_there_are_kept_clear_of() -> None:
    placer = Placer(two_areas(), rng(3), Habits())
    placer.keep(PlacedPiece("troop", "red", "a1", (32.0, 60.0)))
    placer.area("a1", [("black", "troop")] * 3)
    assert all(np.hypot(p.at_mm[0] - 32, p.at_mm[1] - 60) >= 12 for p in placer.pieces[1:])


def test_the_camera_sees_where_its_pixels_look() -> None:
    camera = replace(SMALL, side_deg=40.0, roll_deg=5.0, radial=-0.05)
    points = np.array([[10.0, 20.0, 0.0], [100.0, 90.0, 0.0], [60.0, 60.0, 0.0]])
    assert np.allclose(camera.board_mm(camera.px(points)), points[:, :2], atol=0.01)
    high = points + np.array([0.0, 0.0, 8.0])
    shift = camera.board_mm(camera.px(high)) - points[:, :2]
    assert np.allclose(shift, 8 * camera.up(points[:, :2]), atol=0.4)
    corners = np.array([[0, 0], [120, 0], [120, 120], [0, 120.0]])
    seen = fit_in_picture(SMALL, corners, 0.8).px(np.column_stack([corners, np.zeros(4)]))
    reach = (np.abs(seen - np.array([159.5, 119.5])) / np.array([160, 120])).max()
    assert reach == pytest.approx(0.8, abs=0.01), "it is fitted to the board"


def test_a_raised_body_casts_its_shadow_away_from_the_light() -> None:
    ground = LightGrid(SIZE_MM, 20.0, 1.0)
    body = place_part(piece_parts("commander", PieceLook())[0], (60.0, 60.0), 0.0).vertices
    hidden = cast([body], Light((-400.0, 60.0, 400.0), 5.0), ground, 4)
    assert hidden[80, 80 + 10] == pytest.approx(1.0, abs=0.02)
    assert hidden[80, 80 - 10] == 0
    lit = plane_light([Light()], (0.4, 0.4, 0.4), ground, [body], 4)
    assert lit.shape == (*ground.shape, 3)
    assert lit[80, 88].mean() < lit[80, 60].mean()


@pytest.mark.parametrize("shape", range(len(SHIP_PROFILES) + 6))
@pytest.mark.parametrize("stand", [False, True])
@pytest.mark.parametrize("kind", ["ship", "siege", "aircraft"])
def test_figures_are_closed_bodies_with_their_faces_outwards(kind: str, shape: int, stand: bool) -> None:
    look = PieceLook(ships_stand=stand, sieges_stand=stand, ship_shape=shape)
    look = replace(look, siege_shape=shape, aircraft_shape=shape)
    for part in piece_parts(kind, look):
        middle = part.vertices.mean(axis=0)
        faces = np.array([part.vertices[list(face)].mean(axis=0) for face in part.faces])
        assert (((faces - middle) * part.normals).sum(axis=1) > 0).all()
        assert part.vertices[:, 2].max() <= piece_height(kind, look) + 0.01
        assert part.vertices[:, 2].min() >= -0.35


def test_a_shot_is_a_picture_with_its_truth(studio: Studio) -> None:
    pieces = place_pieces(two_areas(), UNITS, {"sail:b1": "red"}, rng(5))
    shot = studio.shoot(pieces, Moment(seed=1))
    assert shot.picture.shape == (240, 320, 3)
    assert shot.truth["units"] == UNITS
    assert shot.truth["commanders"] == {"sail:b1": "red"}
    assert shot.truth["occluded"] == []
    corners = np.array([[0, 0, 0], [120, 0, 0], [120, 120, 0], [0, 120, 0.0]])
    assert np.allclose(shot.truth["corners_px"], SMALL.px(corners), atol=0.01)


def test_a_red_piece_shows_red_where_the_truth_says(studio: Studio) -> None:
    empty = studio.shoot((), Moment(seed=1)).picture.astype(int)
    shot = studio.shoot((PlacedPiece("troop", "red", "a1", (20.0, 72.0)),), Moment(seed=1))
    x, y = (round(v) for v in shot.truth["pieces"][0]["px"])
    blue, green, red = shot.picture[y, x].tolist()
    assert red > 2 * max(blue, green)
    far = np.abs(shot.picture.astype(int) - empty)[:, 200:]
    assert far.mean() < 1
    stack = (PlacedPiece("troop", "red", "a1", (32.0, 60.0)), PlacedPiece("troop", "red", "a1", (32.0, 60.0), level=1))
    assert [row.get("stacked") for row in studio.shoot(stack).truth["pieces"]] == [None, True]


def test_the_same_moment_gives_the_same_picture(studio: Studio) -> None:
    pieces = place_pieces(two_areas(), UNITS, {}, rng(6))
    moment = Moment(seed=9, tokens=((60.0, 20.0),), dice=((60.0, 100.0),))
    assert np.array_equal(studio.shoot(pieces, moment).picture, studio.shoot(pieces, moment).picture)
    still, moved = studio.shoot(()), studio.shoot((), Moment(shift_mm=(3.0, 0.0), turn_deg=1.0))
    gap = np.array(still.truth["corners_px"]) - np.array(moved.truth["corners_px"])
    assert np.abs(gap).max() > 2, "a nudge moves the corners"
    dim = studio.shoot((), Moment(light_gains=(0.5,)))
    assert dim.picture.mean() < 0.9 * still.picture.mean()


def test_a_card_and_a_hand_cover_areas_and_hide_pieces(studio: Studio) -> None:
    piece = PlacedPiece("troop", "black", "a1", (32.0, 60.0))
    card = studio.shoot((piece,), Moment(seed=2, cards=((32.0, 60.0),)))
    assert "a1" in card.truth["occluded"]
    assert card.truth["coverage"]["a1"] > 0.5
    assert card.truth["pieces"][0]["hidden"]
    arm = reach_in(rng(1), (86.0, 60.0), 0.0)
    assert "b1" in studio.shoot((piece,), Moment(seed=2, hand=arm)).truth["occluded"]
    assert all(body.shape == (16, 3) for body in arm.bodies()), "it casts a shadow from its bones"


def test_a_bent_board_lifts_its_ends() -> None:
    flat = Studio(two_areas(), plain_scene()).shoot(())
    bent = Studio(two_areas(), plain_scene(bow_mm=6.0)).shoot(())
    gap = np.abs(np.array(flat.truth["corners_px"]) - np.array(bent.truth["corners_px"]))
    assert gap.max() > 1
    assert not np.array_equal(flat.picture, bent.picture)


def test_gloss_grain_clutter_and_a_noisy_lens_only_change_the_picture() -> None:
    pieces = place_pieces(two_areas(), UNITS, {}, rng(6))
    rough = Lens(noise=6.0, noise_px=0.8, contrast=0.4, jpeg=60)
    busy = plain_scene(gloss=1.0, look=PieceLook(grain=0.05, ships_stand=True), lens=rough, clutter_seed=3)
    shot, plain = (Studio(two_areas(), scene).shoot(pieces) for scene in (busy, plain_scene()))
    assert shot.truth["units"] == plain.truth["units"]
    assert not np.array_equal(shot.picture, plain.picture)


@pytest.mark.parametrize("kind", ["wood", "felt", "plain"])
def test_cloths_keep_their_colour(kind: str) -> None:
    cloth = draw_cloth(Cloth(1, kind, (40, 80, 120)), (200, 200), 1.0)
    assert np.abs(cloth.mean(axis=(0, 1)) - np.array([40, 80, 120])).max() < 25


def test_random_positions_keep_the_boxs_limits() -> None:
    plan = two_areas()
    for seed in range(10):
        shots = table_shots(seed, plan, MARKS)
        pieces = random_pieces(plan, rng(seed), shots.manner.habits)
        for area, most in (("a1", 5), ("b1", 3)):
            assert sum(piece.area == area and piece.kind != "commander" for piece in pieces) <= most


def test_a_table_is_written_as_recorded_tables_are(tmp_path: Path) -> None:
    folder = make_table(5, two_areas(), tmp_path / "table", MARKS, frames=2)
    head, truth = (json.loads((folder / name).read_text(encoding="utf-8")) for name in ("table.json", "truth.json"))
    assert head["board"] == "test-two"
    assert np.shape(head["corners_px"]) == (4, 2)
    assert sorted(truth) == ["frame-01", "frame-02", "start"]
    assert truth["start"]["units"] == {"a1": {"red": {"troop": 2}}, "b1": {"black": {"ship": 1}}}
    for name in ("reference", "start", "frame-01", "frame-02"):
        picture = there(cv2.imread(str(folder / f"{name}.jpg")))
        assert picture.shape == (960, 1280, 3)


MARKED_TABLE = MarkedTable(8.0, 6.0)
SCENE = MarkedScene(MARKED_TABLE, camera_over(MARKED_TABLE, SimulatedCamera(tilt_deg=25.0, size_px=(480, 360))))
BASES = (BaseAt(5, 3.0, 3.0, 20.0, figures=2), BaseAt(9, 5.0, 3.0, 200.0))


def test_the_same_seed_gives_the_same_picture_of_the_whole_table() -> None:
    one, same = shoot(SCENE, BASES), shoot(SCENE, BASES)
    assert np.array_equal(one.picture, same.picture)
    assert not np.array_equal(one.picture, shoot(replace(SCENE, seed=1), BASES).picture)
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
    patched = replace(scene.surface, patches=((((2, 2), (6, 2), (6, 4), (2, 4)), (10, 10, 200)),))
    shown = shoot(replace(scene, surface=patched), ()).picture[180, 240].tolist()
    assert shown[2] > 2 * max(shown[:2])


def test_what_is_covered_is_not_clear() -> None:
    shot = shoot(replace(SCENE, hands=((3.0, 3.0, 1.4),), lamp=Lamp(glare=(0.7, 0.5, 0.8)), decoys=2), BASES)
    assert not shot.markers[5].clear
    gone = shoot(replace(SCENE, without=(246,)), (BaseAt(5, -9.0, 3.0, 0.0),))
    assert gone.markers[246].share == 0.0
    assert not gone.markers[5].clear


def test_both_casts_and_every_grade_give_tables() -> None:
    kinds = {chosen.name: {kind for kind, _bgr in chosen.surfaces} for chosen in (TUNING, HELD_BACK)}
    assert not kinds["tuning"] & kinds["held back"]
    for chosen in (TUNING, HELD_BACK):
        for grade in GRADES:
            scene, bases = random_table(chosen, grade, 3)
            assert (scene, bases) == random_table(chosen, grade, 3)
            assert len({base.number for base in bases}) == len(bases) > 5
