"""The solids of traced tables: closed, the outside outside, as large as the pieces they stand for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import pi

import numpy as np
import pytest

from training.traced.meshes import (
    Mesh,
    Slab,
    View,
    box,
    capsule,
    circle,
    disc,
    join,
    lathe,
    mirror,
    move,
    on_patch,
    prism,
    sheet,
)
from training.traced.shapes import Forms, card_mesh, die_mesh, hand_meshes, mug_mesh, piece_mesh
from vision.simulation.camera import SimulatedCamera
from vision.simulation.props import reach_in
from vision.simulation.solids import PieceLook, piece_height

LOOK = PieceLook(troop_mm=12, troop_height_mm=5, ship_mm=16, ship_width_mm=6, commander_mm=12.5)
FORMS = Forms()


def volume(mesh: Mesh) -> float:
    """Return the enclosed volume by the divergence theorem; negative if the faces look inwards."""
    one, two, three = mesh.points.reshape(-1, 3, 3).transpose(1, 0, 2)
    return float((one * np.cross(two, three)).sum() / 6)


def open_edges(mesh: Mesh) -> int:
    """How many edges have no face on their other side."""
    faces = np.round(mesh.points.reshape(-1, 3, 3), 5) + 0.0
    edges: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
    for face in faces:
        corners = [tuple(corner) for corner in face]
        for i in range(3):
            edges[corners[i], corners[(i + 1) % 3]] += 1
    return sum(count != edges[end, start] for (start, end), count in edges.items())


def check_outside(mesh: Mesh) -> None:
    """Assert that normals have length 1 and lie on their faces' side."""
    faces = mesh.points.reshape(-1, 3, 3)
    across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)
    facing = (mesh.normals.reshape(-1, 3, 3) * across[:, None]).sum(axis=-1)
    assert (facing > 0).all()


SOLIDS = {
    "disc": (disc(6, 5, 0.6), pi * 36 * 5),
    "hexagon": (prism(circle(6, 6), 10, 0.5), 1.5 * 3**0.5 * 36 * 10),
    "box": (box((4, 3, 2), 0.1), 24.0),
    "capsule": (capsule((0, 0, 5, 3), (0, 8, 5, 3)), pi * 9 * 8 + 4 / 3 * pi * 27),
    "upright capsule": (capsule((0, 0, 5, 3), (0, 0, 9, 3)), pi * 9 * 4 + 4 / 3 * pi * 27),
    "die": (die_mesh(10, (0, 0), 10), 1000.0),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_as_large_as_they_should_be(name: str) -> None:
    mesh, expected = SOLIDS[name]
    assert open_edges(mesh) == 0
    check_outside(mesh)
    assert 0.93 * expected < volume(mesh) < 1.001 * expected


@pytest.mark.parametrize("ship", ["profile", "hull", "lozenge"])
@pytest.mark.parametrize("stand", [False, True])
def test_ships_stand_on_the_board_within_their_length(ship: str, stand: bool) -> None:
    look = replace(LOOK, ships_stand=stand, ship_shape=1)
    mesh = piece_mesh("ship", look, Forms(ship=ship, mast=True))
    assert open_edges(mesh) == 0
    check_outside(mesh)
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    assert low[2] == pytest.approx(0, abs=1e-9)
    assert (high - low)[0] <= look.ship_mm + 1e-6
    if ship == "profile":
        assert high[2] == pytest.approx(piece_height("ship", look), abs=1e-6)


@pytest.mark.parametrize("kind", ["siege", "aircraft"])
@pytest.mark.parametrize("shape", range(8))
@pytest.mark.parametrize("stand", [False, True])
def test_figures_stand_on_the_board_as_high_as_their_look_says(kind: str, shape: int, stand: bool) -> None:
    look = replace(LOOK, siege_shape=shape, aircraft_shape=shape, sieges_stand=stand)
    mesh = piece_mesh(kind, look, Forms())
    assert open_edges(mesh) == 0
    check_outside(mesh)
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    assert low[2] == pytest.approx(0, abs=0.25)
    assert high[2] == pytest.approx(piece_height(kind, look), abs=0.3)


@pytest.mark.parametrize(
    ("kind", "form"), [("troop", "hexagon"), *(("commander", f) for f in ("hexagon", "pawn", "drum"))]
)
def test_pieces_are_as_wide_and_high_as_their_look_says(kind: str, form: str) -> None:
    mesh = piece_mesh(kind, LOOK, Forms(commander=form))
    assert open_edges(mesh) == 0
    assert volume(mesh) > 0
    wide = LOOK.troop_mm if kind == "troop" else LOOK.commander_mm
    assert np.abs(mesh.points[:, :2]).max() == pytest.approx(wide / 2, rel=0.01)
    assert mesh.points[:, 2].min() == pytest.approx(0, abs=1e-9)
    assert mesh.points[:, 2].max() == pytest.approx(piece_height(kind, LOOK), abs=1e-6)


def test_a_dished_troop_is_lower_in_its_middle() -> None:
    plain, dished = piece_mesh("troop", LOOK, FORMS), piece_mesh("troop", LOOK, Forms(dish_mm=0.6))
    assert open_edges(dished) == 0
    check_outside(dished)
    assert volume(dished) < volume(plain)


def test_edges_break_and_curves_do_not() -> None:
    mesh = lathe([(5, 0), (5, 4)], sides=40)
    upright = np.abs(mesh.normals[:, 2])
    assert set(np.round(upright, 6)) == {0.0, 1.0}
    side = mesh.normals[upright < 0.5]
    radial = mesh.points[upright < 0.5][:, :2] / 5
    assert (np.einsum("ij,ij->i", side[:, :2], radial) > 0.999).all()


def test_moving_and_mirroring_keep_the_outside_out() -> None:
    mesh = join([piece_mesh("ship", LOOK, FORMS), move(disc(4, 2, 0.3), (20, 5, 1), 0.7)])
    assert volume(move(mesh, (3, 4, 5), 2.0)) == pytest.approx(volume(mesh))
    world = mirror(mesh)
    check_outside(world)
    assert volume(world) == pytest.approx(volume(mesh))
    assert world.points[:, 1].max() == pytest.approx(-mesh.points[:, 1].min())
    at = move(Mesh(np.array([[1.0, 0, 0]]), np.array([[1.0, 0, 0]]), np.zeros((1, 2))), (10, 20, 3), pi / 2)
    assert np.allclose(at.points, [[10, 21, 3]]), "turned as in the flat simulator"
    assert join([]).points.shape == (0, 3)


def test_things_lie_on_their_patches() -> None:
    card = card_mesh((63, 88), (100, 50))
    assert np.allclose(card.uv_mm.mean(axis=0), (100, 50), atol=1)
    assert np.ptp(card.uv_mm[:, 0]) < 63
    shifted = on_patch(card, (5, 5))
    assert np.allclose(shifted.uv_mm - card.uv_mm, 5)
    die = die_mesh(10, (100, 50), 10)
    assert die.uv_mm[:, 0].min() > 70
    assert die.uv_mm[:, 0].max() < 130


def test_a_mug_holds_its_drink_and_a_hand_has_a_sleeve() -> None:
    body, drink = mug_mesh(40, 90)
    check_outside(drink)
    assert drink.points[:, 2].max() < body.points[:, 2].max()
    assert np.hypot(*drink.points[:, :2].T).max() < 40
    skin, sleeve = hand_meshes(reach_in(np.random.default_rng(1), (50, 60), 0.0))
    assert np.allclose(np.linalg.norm(skin.normals, axis=1), 1)
    assert sleeve.points[:, 0].mean() > skin.points[:, 0].mean()
    assert skin.points[:, 2].min() > 0


def test_a_sheet_looks_up() -> None:
    mesh = sheet(np.array([0.0, 10]), np.array([0.0, 10]), np.zeros((2, 2)))
    assert np.allclose(mesh.normals, [0, 0, 1])
    assert np.allclose(mesh.uv_mm, mesh.points[:, :2])


@pytest.mark.parametrize("bow", [0.0, 2.0, -1.5])
def test_a_slab_lies_on_the_table_and_is_closed_round_its_top(bow: float) -> None:
    slab = Slab((100.0, 120.0), 2.0, bow, fold_mm=1.0)
    top, edge = slab.top(), slab.edge((3.0, 4.0))
    check_outside(top)
    check_outside(edge)
    assert (top.normals[:, 2] > 0.9).all()
    assert edge.points[:, 2].min() >= slab.table_mm - 1e-9
    assert np.allclose(edge.uv_mm, (3, 4))
    assert slab.height((50.0, 60.0)) == pytest.approx(1.0)
    assert slab.height((0.0, 120.0)) == pytest.approx(bow)
    outward = edge.points - [50, 60, 0]
    assert (np.einsum("ij,ij->i", edge.normals[:, :2], outward[:, :2]) > 0).all()


def test_a_view_sees_the_slabs_own_height() -> None:
    camera = SimulatedCamera(target_mm=(50, 60), tilt_deg=30)
    flat, bent = View(camera, Slab((100.0, 120.0))), View(camera, Slab((100.0, 120.0), bow_mm=2.0))
    assert np.allclose(flat.px([[10, 20]]), camera.px([[10, 20, 0]]))
    assert np.allclose(bent.px([[10, 120]]), camera.px([[10, 120, 2.0]]))
