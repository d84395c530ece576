"""The guess of all pieces, on votes made by hand: alone, touching, among shadows of doubt, and a stack."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.geometry import Camera, Grid
from vision.learn import usual_looks
from vision.pieces import risen
from vision.places import places_of, sites_of
from vision.scene import Placed, Scene
from vision.search import explain
from vision.shapes import Stamps, ship, troop

LOOKS = usual_looks(("red", "black"))
CAMERA = Camera((75.0, 260.0, 330.0), 700.0)
PLACES = places_of(four_areas(), Grid(four_areas().size_mm))


def scene_of(*pieces: Placed) -> Scene:
    """A scene whose votes are those of these pieces, perfectly seen."""
    stamps = Stamps(CAMERA, PLACES.grid)
    votes = {faction: np.full(PLACES.grid.shape, -4, np.float32) for faction in ("red", "black")}
    scene = Scene(votes, stamps)
    for piece in pieces:
        seen = scene.seen(piece)
        assert seen is not None
        votes[piece.faction][seen[1]][seen[0].mask > 0] = 4
    return scene


def at(x: float, y: float) -> tuple[int, int]:
    px, py = np.round(PLACES.grid.px([[x, y]])[0]).astype(int)
    return int(px), int(py)


def disc(x: float, y: float, faction: str = "red") -> Placed:
    return Placed(troop(LOOKS), faction, at(x, y), 0.0)


def found(scene: Scene) -> list[tuple[str, str, str]]:
    explain(scene, sites_of(PLACES, LOOKS))
    return sorted((piece.shape.unit, piece.faction, piece.place) for piece in scene.pieces)


def test_one_disc() -> None:
    scene = scene_of(disc(42, 100))
    assert found(scene) == [("troop", "red", "a1")]
    assert np.abs(np.subtract(scene.pieces[0].at_px, at(42, 100))).max() <= 1


def test_five_discs_that_touch() -> None:
    places = [(33, 100), (45, 100), (57, 100), (39, 110.4), (51, 110.4)]
    assert found(scene_of(*(disc(x, y) for x, y in places))) == [("troop", "red", "a1")] * 5


def test_red_beside_black() -> None:
    scene = scene_of(disc(40, 100), disc(52.5, 100, "black"))
    assert found(scene) == [("troop", "black", "a1"), ("troop", "red", "a1")]


@pytest.mark.parametrize("turn", [0.0, 0.8, 1.9])
def test_a_ship_turned_anyhow(turn: float) -> None:
    assert found(scene_of(Placed(ship(LOOKS), "black", at(108, 46), turn))) == [("ship", "black", "b2")]


def test_nothing_is_seen_on_an_empty_board() -> None:
    assert found(scene_of()) == []


def test_a_second_disc_on_top_shows() -> None:
    single, double = disc(108, 100), Placed(troop(LOOKS, 2), "red", at(42, 100), 0.0)
    scene = scene_of(single, double)
    explain(scene, sites_of(PLACES, LOOKS)[:1])
    rises = {piece.place: risen(scene, piece, troop(LOOKS, 2)) for piece in list(scene.pieces)}
    alone, stacked = rises["b1"], rises["a1"]
    assert alone is not None
    assert stacked is not None
    assert stacked > alone + 0.8


def test_pieces_cannot_stand_in_one_another() -> None:
    scene = scene_of(disc(42, 100))
    scene.add(disc(42, 100))
    assert not scene.free(disc(46, 100))
    assert scene.gain(disc(46, 100)) == -np.inf
    assert scene.clashing(disc(46, 100)) == scene.pieces


def test_taking_a_piece_away_undoes_it() -> None:
    scene = scene_of(disc(42, 100), disc(53, 100))
    scene.add(disc(42, 100))
    before = scene.worth()
    scene.add(disc(53, 100))
    scene.remove(scene.pieces[-1])
    assert scene.worth() == pytest.approx(before)
