"""What speaks against an area's count, and why its confidence isn't higher, by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.geometry import Picture, rectify
from vision.plan import BoardPlan
from vision.reading.count import SURE, CountBelief
from vision.reading.doubt import (
    CLEAR,
    DOUBTS,
    OF_AN_AREA,
    REASONS,
    area_doubts,
    named_where_it_counts,
    never_sure,
    reasons_for,
    with_light,
)
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
MODEL = (0.0, 1.0, -0.2, -0.5, -2.0, -0.5, -3.0, -0.1, -1.0)
CERTAIN, DOUBTED = (CountBelief((((), chance),)) for chance in (0.9999, 0.6))


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


def measured(**measures: float) -> tuple[float, ...]:
    names = ("unlike", "contrast", "light", "glare", "start", "relit")
    return tuple(measures.get(name, clear) for name, clear in zip(names, CLEAR[2:], strict=True))


def test_what_costs_most_is_named_first() -> None:
    counts = {"a1": CERTAIN, "b1": CERTAIN, "a2": DOUBTED}
    found = reasons_for(counts, MODEL, {"a1": measured(contrast=0.9), "b1": measured(glare=0.6), "a2": measured()}, {})
    assert (found["a1"][0], found["b1"][0], found["a2"][0]) == ("contrast", "glare", "belief")


def test_what_settles_it_by_itself_comes_before_all_else() -> None:
    found = reasons_for({"a1": DOUBTED}, MODEL, {"a1": measured()}, {"a1": ("line",)})
    assert found["a1"][:2] == ("line", "belief")


def test_only_what_is_not_certain_has_a_reason_and_then_always_one() -> None:
    assert named_where_it_counts({"a1": ("glare",)}, {"a1": 0.5, "b1": 0.97, "a2": 0.995}) == {
        "a1": ("glare",),
        "b1": ("belief",),
    }


def test_another_light_is_a_reason_wherever_something_can_be_read() -> None:
    told = with_light({"a1": ("belief",), "b1": ("light",), "a2": ("edge",)})
    assert told == {"a1": ("belief", "light"), "b1": ("light",), "a2": ("edge",)}


def dimmed(picture: Picture) -> Picture:
    """Return the picture with its right half in shadow."""
    half = picture.copy()
    half[:, picture.shape[1] // 2 :] //= 2
    return half


@pytest.mark.parametrize("shadow", [False, True])
def test_every_area_that_is_not_certain_says_why(shadow: bool) -> None:
    frame = pictures().later.picture
    reading = read(pictures().table, dimmed(frame) if shadow else frame)
    assert reading.is_in_other_light is shadow
    for area, sure in reading.confidence.items():
        reasons = reading.why.get(area, ())
        assert (sure >= 0.99) is not bool(reasons)
        assert set(reasons) <= set(REASONS)
        assert not shadow or sure >= 0.99 or "light" in reasons or area in reading.unreadable
