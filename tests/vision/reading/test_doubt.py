"""What speaks against an area's count from outside: strange things, ground like pieces, changed light, glare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.geometry import Picture, rectify
from vision.plan import BoardPlan
from vision.reading.count import SURE
from vision.reading.doubt import DOUBTS, OF_AN_AREA, area_doubts, never_sure
from vision.reading.network import CLASSES, THING_SEEN, Detections, cells_of, gains
from vision.reading.palette import Palette, log_colours
from vision.reading.pieces import Piece, log_odds
from vision.reading.places import places_of
from vision.reading.read import read
from vision.reading.start import Start
from vision.simulation.table import Moment, PlacedPiece, Scene, Studio

TABLE = pictures().table
PLACES = places_of(TABLE.plan, TABLE.grid)
AT = (42.0, 98.0)
STRANGER = Start(Palette({"red": np.array([9.0, 9, 9]), "black": np.array([9.0, 9, 9])}, np.ones(3)))
"""A start whose pieces' colours are like nothing on the board."""


def empty() -> Picture:
    return rectify(TABLE.reference_bgr, TABLE.board_from_reference, TABLE.grid)


def finds(thing: float = 0.0) -> Detections:
    rows, columns = (-(-side // 4) for side in PLACES.grid.shape)
    heat, nothing = np.zeros((len(CLASSES), rows, columns), np.float32), np.zeros((rows, columns), np.float32)
    found = Detections(heat, nothing, nothing, nothing.copy(), TABLE.grid)
    row, column = np.round(cells_of([AT], TABLE.grid)[0]).astype(int)
    found.thing[row, column] = thing
    return found


def doubts(board: Picture, start: Start = STRANGER, thing: float = 0.0, *pieces: Piece) -> dict[str, float]:
    found = area_doubts((board, empty()), PLACES, start, finds(thing), pieces)["a1"]
    return dict(zip(OF_AN_AREA, found, strict=True))


def test_an_empty_board_as_it_was_raises_none() -> None:
    calm = doubts(empty())
    assert calm["strange"] == pytest.approx(log_odds(THING_SEEN))
    assert calm["alike"] == calm["glare"] == 0
    assert calm["changed"] == pytest.approx(0, abs=1e-6)
    assert calm["start"] == Start().missed


def test_a_thing_is_strange_unless_a_piece_explains_it() -> None:
    piece = Piece("red", "troop", "a1", AT, 0.99)
    assert doubts(empty(), STRANGER, 0.9)["strange"] > 1
    assert doubts(empty(), STRANGER, 0.9, piece)["strange"] < -1.5
    assert doubts(empty(), STRANGER, 0.9, replace(piece, at_mm=(20.0, 98.0)))["strange"] > 1


def test_a_shadow_and_glare_are_measured_where_they_lie() -> None:
    x, y = (round(float(v)) for v in TABLE.grid.px([AT])[0])
    around = slice(y - 44, y + 44), slice(x - 44, x + 44)
    dark, bright = empty(), empty()
    dark[around] = dark[around] // 2
    bright[around] = 255
    assert doubts(dark)["changed"] > 0.4
    assert doubts(bright)["glare"] > 0.5
    other = area_doubts((dark, empty()), PLACES, STRANGER, finds(), ())["b2"]
    assert other[DOUBTS.index("changed")] < 0.1


def test_ground_that_looks_like_a_sides_pieces_hides_them() -> None:
    gain, _ = gains(empty(), empty())
    ground = np.median(log_colours(empty()[PLACES.masks["a1"]] * gain), axis=0)
    like = Start(Palette({"red": ground, "black": ground + 9}, np.array([0.3, 0.12, 0.12])))
    assert doubts(empty(), like)["alike"] > 0.5


def test_where_a_side_hardly_stands_out_ground_that_looks_like_it_is_never_sure() -> None:
    plain = dict.fromkeys(DOUBTS, 0.0) | {"strange": -2.0}
    measures = {"a1": tuple((plain | {"alike": 0.2}).values()), "b2": tuple((plain | {"alike": 0.01}).values())}
    assert never_sure(measures, Start(unseen={"black": 0.1}), ()) == {"a1": ("contrast",)}
    assert never_sure(measures, Start(unseen={"black": 0.01}), ()) == {}


def test_what_is_strange_odd_or_unlike_the_start_is_never_sure() -> None:
    measures = dict.fromkeys(("a1", "b1", "a2", "b2"), (-2.0, 0.0, 0.0, 0.0, 0.0)) | {"a1": (2.0, 0.0, 0.0, 0.0, 0.0)}
    odd = Piece("red", "troop", "b1", AT, 0.9, unlike=3.0)
    found = never_sure(measures, Start(misread=frozenset({"a2", "b1"})), [odd])
    assert found == {"a1": ("unlike",), "b1": ("unlike", "start"), "a2": ("start",)}


def chip_in(plan: BoardPlan, scene: Scene) -> Picture:
    """Return a picture of the empty board with a green chip."""
    look = replace(scene.look, bgr=(("red", (60.0, 140.0, 50.0)), ("black", (30.0, 30.0, 30.0))))
    green = Studio(plan, replace(scene, look=look))
    return green.shoot((PlacedPiece("troop", "red", "a1", AT),), Moment(seed=8)).picture


def test_a_chip_of_a_colour_that_no_side_has_is_never_counted_for_sure() -> None:
    reading = read(TABLE, chip_in(TABLE.plan, pictures().studio.scene))
    assert reading.confidence["a1"] < SURE
