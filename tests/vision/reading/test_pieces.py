"""From the network's finds to pieces, discs on discs, commanders' tops; what excludes each other shares its chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import cell_at, four_areas, nothing_found, pictures, there
from vision.geometry import Floats, Grid
from vision.reading.doubt import DOUBTS
from vision.reading.network import BRIGHTNESS, CLASSES, UP_GAIN, Detections
from vision.reading.piece_sets import SIEGE
from vision.reading.pieces import (
    FEATURES,
    NOT_AGAIN,
    UPPER,
    Candidate,
    Piece,
    candidates,
    log_odds,
    packaged_weights,
    pieces_of,
    places_of,
)
from vision.reading.setting import board_image, detect_all, prepare_table, stack_network
from vision.reading.stacks import (
    BOARD,
    CHANNELS,
    CLEAR_MM,
    DOUBTFUL,
    KNOWN,
    MOST,
    PRINTED,
    SIDE,
    SINGLE,
    SINGLE_UP,
    UP,
    StackContext,
    StackNetwork,
    is_part_of,
    look_closer,
    network_input,
    with_disc_samples,
    without_tops,
)
from vision.registration.register import register
from vision.simulation.table import Moment, PlacedPiece

PLAN = four_areas()
PLACES = places_of(PLAN, Grid(PLAN.size_mm))
LAND, WATER, SPACE = (42.0, 104.0), (42.0, 48.0), PLAN.spaces[0].at_mm
PLAIN = dict.fromkeys(("troop", "ship", "commander"), (0.0, 1.0, *[0.0] * 7)) | {
    "upper": (0.0, 1.0, 0.0, 0.0),
    "stacked": (0.06,),
}


def seen(*peaks: tuple[str, str, tuple[float, float], float], stacked: float = 1e-4) -> Detections:
    """Return detections with a peak for each class, place in mm and height given."""
    found = nothing_found(PLACES.grid, 1e-5)
    found.stacked[:] = stacked
    for faction, kind, at_mm, height in peaks:
        found.heat[(CLASSES.index((faction, kind)), *cell_at(PLACES.grid, at_mm))] = height
    return found


def test_the_place_tells_the_kind() -> None:
    found = candidates(seen(("red", "ship", LAND, 0.8), ("black", "troop", WATER, 0.7)), PLACES)
    assert sorted((candidate.faction, candidate.kind, candidate.place) for candidate in found) == [
        ("black", "ship", "a2"),
        ("red", "troop", "a1"),
    ]
    assert all(len(candidate.features) == len(FEATURES) for candidate in found)
    (away,) = candidates(seen(("red", "commander", LAND, 0.8)), PLACES)
    assert (away.kind, away.place) == ("troop", "a1"), "away from all spaces it is a unit"
    (leader,) = candidates(seen(("red", "commander", SPACE, 0.8)), PLACES)
    assert (leader.kind, leader.place) == ("commander", "advance:a1")
    assert leader.features[FEATURES.index("space")] > 0.8
    assert candidates(seen(("red", "troop", (1.0, 1.0), 0.9)), PLACES) == [], "beside the areas"
    assert pieces_of([], PLAIN) == []


def test_a_second_disc_may_lie_on_a_troop_but_on_no_ship() -> None:
    finds = seen(("red", "troop", LAND, 0.9), ("black", "ship", WATER, 0.9), stacked=0.6)
    pieces = pieces_of(candidates(finds, PLACES), PLAIN)
    lower, upper = (p.score for p in pieces if p.kind == "troop")
    assert np.allclose(pieces[0].at_mm, LAND, atol=1.2)
    assert lower == pytest.approx(0.9, abs=0.01)
    assert 0.4 < upper < lower
    assert len([p for p in pieces if p.kind == "ship"]) == 1
    found = {candidate.kind: candidate for candidate in candidates(finds, PLACES)}
    assert len(found["troop"].upper or ()) == len(UPPER)
    assert found["troop"].stacked == pytest.approx(log_odds(0.6), abs=1e-3)
    assert found["troop"].with_closer_look(4.0).upper == (*(found["troop"].upper or ())[:3], 4.0)
    assert found["ship"].stacked == NOT_AGAIN
    assert found["ship"].with_closer_look(4.0) is found["ship"]


def a_disc(stacked: float, x_mm: float) -> Candidate:
    """Return a sure disc with these log odds for a second one on it."""
    return Candidate("red", "troop", "a1", (x_mm, 0.0), (1.0, 9.0, *[0.0] * 7), (1.0, stacked, 0.0, 0.0))


def upper_chance(stacked: float, others: float) -> float:
    """Return the chance of a second disc on the first of twenty, while the models say `others` of the rest."""
    discs = [a_disc(stacked, 0.0), *(a_disc(others, 20.0 * n) for n in range(1, 20))]
    here = [p.score for p in pieces_of(discs, PLAIN) if p.at_mm[0] == 0.0]
    return min(here) if len(here) > 1 else 0.0


def test_a_doubtful_second_disc_is_likelier_where_others_are_stacked_and_less_so_where_none_is() -> None:
    assert upper_chance(0.0, -9.0) < 0.45
    assert upper_chance(0.0, 9.0) > 0.9
    assert upper_chance(-9.0, 9.0) < 0.2
    assert upper_chance(9.0, -9.0) > 0.9


def test_two_classes_in_one_place_share_one_chance() -> None:
    finds = seen(("red", "commander", SPACE, 0.8), ("red", "troop", SPACE, 0.8))
    pieces = [p for p in pieces_of(candidates(finds, PLACES), PLAIN) if p.score > 0.1]
    assert sorted(p.kind for p in pieces) == ["commander", "troop"]
    assert sum(p.score for p in pieces) == pytest.approx(1.0)
    finds = replace(seen(("red", "ship", LAND, 0.8), ("red", "troop", LAND, 0.8)), classes=SIEGE.classes)
    mixed = pieces_of(candidates(finds, MIXED_PLACES), PLAIN | {"siege": PLAIN["ship"]})
    assert sorted(p.kind for p in mixed if p.score > 0.1) == ["siege", "troop"]
    assert sum(p.score for p in mixed if p.score > 0.1) == pytest.approx(1.0)


def test_pieces_close_together_are_known_to_crowd() -> None:
    near = (LAND[0] + 12.0, LAND[1])
    found = candidates(seen(("red", "troop", LAND, 0.9), ("red", "troop", near, 0.8)), PLACES)
    crowds = [candidate.features[FEATURES.index("crowd")] for candidate in found]
    assert all(0.1 < crowd < 0.9 for crowd in crowds)
    alone = candidates(seen(("red", "troop", LAND, 0.9), ("black", "troop", near, 0.8)), PLACES)
    assert [candidate.features[FEATURES.index("crowd")] for candidate in alone] == [0.0, 0.0]


def test_the_packaged_models_have_a_weight_for_each_feature() -> None:
    weights = packaged_weights()
    assert {kind: len(values) for kind, values in weights.items()} == {
        **dict.fromkeys(("troop", "ship", "commander"), len(FEATURES)),
        "upper": len(UPPER),
        "stacked": 1,
        "area": 3 + len(DOUBTS),
    }


MIXED = replace(PLAN, units=(("land", ("troop", "siege")), ("water", ("ship",))))
MIXED_PLACES = places_of(MIXED, Grid(MIXED.size_mm))


def test_where_troops_and_siege_weapons_stand_together_the_network_tells_them_apart() -> None:
    near = (LAND[0] + 14.0, LAND[1])
    finds = seen(("red", "ship", LAND, 0.8), ("red", "troop", near, 0.7), ("black", "troop", WATER, 0.9))
    found = candidates(replace(finds, classes=SIEGE.classes), MIXED_PLACES)
    assert sorted((candidate.faction, candidate.kind, candidate.place) for candidate in found) == [
        ("black", "ship", "a2"),
        ("red", "siege", "a1"),
        ("red", "troop", "a1"),
    ]
    (figure,) = candidates(replace(seen(("red", "ship", LAND, 0.9), stacked=0.7), classes=SIEGE.classes), MIXED_PLACES)
    assert (figure.kind, figure.upper) == ("siege", None), "no troop with another on it"


GRID = Grid((60.0, 50.0))
RNG = np.random.default_rng(4)
EMPTY = RNG.integers(90, 110, (*GRID.shape, 3)).astype(np.uint8)
HEIGHT = np.full((*GRID.shape, 2), (0.1, -0.2), np.float32)


def with_square(at_mm: tuple[float, float], bright: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    board = EMPTY.copy()
    x, y = np.round(GRID.px([at_mm])[0]).astype(int)
    board[y - 4 : y + 5, x - 4 : x + 5] = bright
    return board


def disc(at_mm: tuple[float, float], stacked: float, kind: str = "troop") -> Candidate:
    upper = (1.0, stacked, 2.0, NOT_AGAIN) if kind == "troop" else None
    return Candidate("red", kind, "a1", at_mm, (1.0, 2.0, 0.0, 0.0, 0.0, 0.0), upper)


class Told(StackNetwork):
    """Answers with the number of the disc, and remembers how many it saw."""

    def __init__(self) -> None:
        self.asked = 0

    def log_odds(self, seen: Floats) -> list[float]:
        self.asked = len(seen)
        return [float(number) for number in range(len(seen))]


def test_the_network_sees_the_disc_the_empty_board_and_how_far_height_moves_things() -> None:
    ground = StackContext(EMPTY, HEIGHT, GRID)
    (seen,) = network_input(ground, with_square((30.0, 20.0), 250), [("red", (30.0, 20.0))])
    assert seen.shape == (CHANNELS, SIDE, SIDE)
    middle = slice(SIDE // 2 - 3, SIDE // 2 + 4)
    assert seen[BOARD][:, middle, middle].min() > 1.4 * BRIGHTNESS
    assert seen[PRINTED].mean() == pytest.approx(0.0, abs=0.01)
    assert np.allclose(seen[UP][:, 0, 0], np.array([0.1, -0.2]) * UP_GAIN)
    assert not seen[SINGLE].any()
    assert not seen[KNOWN].any()
    (beyond,) = network_input(ground, EMPTY, [("red", (-40.0, 900.0))])
    assert np.isfinite(beyond).all(), "beyond the edge it is seen at the edge"


def test_single_discs_are_shown_by_what_they_did_to_the_board() -> None:
    at = np.array([(15.0, 15.0)])
    ground = with_disc_samples(
        StackContext(EMPTY, HEIGHT, GRID), with_square((15.0, 15.0), 10), {"red": at, "black": at[:0]}
    )
    red, black = network_input(ground, EMPTY, [("red", (40.0, 30.0)), ("black", (40.0, 30.0))])
    assert red[SINGLE][:, SIDE // 2, SIDE // 2].max() < -0.3
    assert abs(red[SINGLE][:, 0, 0]).max() < 0.05
    assert np.allclose(red[SINGLE_UP][:, 0, 0], np.array([0.1, -0.2]) * UP_GAIN)
    assert red[KNOWN].all()
    assert not black[KNOWN].any()
    (leaning,) = network_input(replace(ground, up_field=-3 * HEIGHT), EMPTY, [("red", (40.0, 30.0))])
    assert not leaning[KNOWN].any(), "what leans another way is not compared with"
    assert not leaning[SINGLE].any()


def test_only_doubtful_discs_are_looked_at_again() -> None:
    network, ground = Told(), StackContext(EMPTY, HEIGHT, GRID)
    sure, doubtful, ship = disc((10.0, 10.0), DOUBTFUL - 1), disc((30.0, 30.0), 0.0), disc((20.0, 20.0), 0.0, "ship")
    assert look_closer([sure, ship], EMPTY, ground, network) == [sure, ship]
    assert network.asked == 0
    assert look_closer([sure, doubtful, ship], EMPTY, ground, network) == [sure, doubtful.with_closer_look(0.0), ship]


def test_of_too_many_the_likeliest_are_looked_at() -> None:
    network = Told()
    found = [disc((20.0, 20.0), DOUBTFUL + 0.1 * number) for number in range(1, MOST + 4)]
    again = look_closer(found, EMPTY, StackContext(EMPTY, HEIGHT, GRID), network)
    assert network.asked == MOST
    assert [candidate.upper[-1] if candidate.upper else None for candidate in again[:3]] == [NOT_AGAIN] * 3
    assert again[-1].upper is not None
    assert again[-1].upper[-1] == 0.0


def test_the_packaged_weights_know_a_stack() -> None:
    shots = pictures()
    setting = prepare_table(shots.table)
    assert set(setting.ground.singles) == {"red", "black"}
    at = (100.0, 104.0)
    low = PlacedPiece("troop", "red", "b1", at)
    scores = []
    for pieces in ((low,), (low, replace(low, level=1))):
        frame = shots.studio.shoot(pieces, Moment(seed=8)).picture
        found = there(register(setting.anchors, frame))
        board = board_image(shots.table, frame, found)
        (candidate,) = [candidate for candidate in detect_all(board, setting)[1] if candidate.features[1] > 0]
        (seen,) = network_input(setting.ground, board, [(candidate.faction, candidate.at_mm)])
        scores += stack_network().log_odds(seen[None])
    assert scores[1] > scores[0] + 2


BASE = (30.0, 30.0)
ASLANT = (0.0, -1.0)
"""For each mm of height a point moves up the board by one."""


@pytest.mark.parametrize(
    ("at_mm", "part"),
    [
        ((30.0, 18.5), True),
        ((31.5, 18.5), True),
        ((33.0, 18.5), False),
        ((30.0, 41.5), False),
        ((41.5, 30.0), False),
        ((30.0, 12.0), False),
        ((34.0, 35.0), True),
        ((31.0, 32.0), False),
    ],
    ids=["its top", "nearly", "beside", "before it", "abreast", "further off", "in its base", "the same piece"],
)
def test_a_top_lies_away_from_the_camera_as_far_as_a_commander_is_tall(at_mm: tuple[float, float], part: bool) -> None:
    assert is_part_of(at_mm, BASE, ASLANT) is part
    for up in ((0.0, -0.3), (0.0, 0.0)):
        assert not is_part_of((30.0, 30.0 - CLEAR_MM), BASE, up), "seen from above it hides nothing beside it"


def test_a_unit_is_as_much_less_likely_as_there_is_a_commander() -> None:
    empty = np.zeros((*GRID.shape, 3), np.uint8)
    ground = StackContext(empty, np.full((*GRID.shape, 2), ASLANT, np.float32), GRID)
    commander = Piece("red", "commander", "advance:b2", BASE, 0.75)
    top, apart = Piece("red", "troop", "b2", (30.0, 19.0), 0.8), Piece("red", "troop", "b2", (45.0, 30.0), 0.8)
    assert without_tops([commander, top, apart], ground) == [
        commander,
        Piece("red", "troop", "b2", (30.0, 19.0), 0.2),
        apart,
    ]
    assert without_tops([top, apart], ground) == [top, apart]
