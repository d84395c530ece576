"""From the network's finds to pieces: the place tells the kind, and what excludes each other shares its chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.geometry import Grid
from vision.reading.doubt import DOUBTS
from vision.reading.network import CLASSES, Detections, cells_of
from vision.reading.piece_sets import SIEGE
from vision.reading.pieces import (
    FEATURES,
    NOT_AGAIN,
    UPPER,
    Candidate,
    candidates,
    log_odds,
    logistic,
    packaged_weights,
    pieces_of,
)
from vision.reading.places import places_of

PLAN = four_areas()
PLACES = places_of(PLAN, Grid(PLAN.size_mm))
LAND, WATER, SPACE = (42.0, 104.0), (42.0, 48.0), PLAN.spaces[0].at_mm
PLAIN = dict.fromkeys(("troop", "ship", "commander"), (0.0, 1.0, *[0.0] * 7)) | {
    "upper": (0.0, 1.0, 0.0, 0.0),
    "stacked": (0.06,),
}


def seen(*peaks: tuple[str, str, tuple[float, float], float], stacked: float = 1e-4) -> Detections:
    """Return detections with a peak for each class, place in mm and height given."""
    rows, columns = (-(-side // 4) for side in PLACES.grid.shape)
    heat = np.full((len(CLASSES), rows, columns), 1e-5, np.float32)
    nothing = np.zeros((rows, columns), np.float32)
    empty = Detections(heat, nothing, np.full((rows, columns), stacked, np.float32), nothing, PLACES.grid)
    for faction, kind, at_mm, height in peaks:
        row, column = np.round(cells_of([at_mm], PLACES.grid)[0]).astype(int)
        heat[CLASSES.index((faction, kind)), row, column] = height
    return empty


def test_the_place_tells_ship_from_troop() -> None:
    found = candidates(seen(("red", "ship", LAND, 0.8), ("black", "troop", WATER, 0.7)), PLACES)
    assert sorted((candidate.faction, candidate.kind, candidate.place) for candidate in found) == [
        ("black", "ship", "a2"),
        ("red", "troop", "a1"),
    ]
    assert all(len(candidate.features) == len(FEATURES) for candidate in found)


def test_a_commander_away_from_all_spaces_is_a_unit() -> None:
    (one,) = candidates(seen(("red", "commander", LAND, 0.8)), PLACES)
    assert (one.kind, one.place) == ("troop", "a1")
    (other,) = candidates(seen(("red", "commander", SPACE, 0.8)), PLACES)
    assert (other.kind, other.place) == ("commander", "advance:a1")
    assert other.features[FEATURES.index("space")] > 0.8


def test_what_lies_beside_the_areas_is_nothing() -> None:
    assert candidates(seen(("red", "troop", (1.0, 1.0), 0.9)), PLACES) == []
    assert pieces_of([], PLAIN) == []


def test_heat_becomes_a_probability() -> None:
    (piece,) = pieces_of(candidates(seen(("red", "troop", LAND, 0.8)), PLACES), PLAIN)
    assert piece.score == pytest.approx(0.8, abs=0.01)
    assert np.allclose(piece.at_mm, LAND, atol=1.2)


def test_a_second_disc_may_lie_on_a_troop_but_on_no_ship() -> None:
    finds = seen(("red", "troop", LAND, 0.9), ("black", "ship", WATER, 0.9), stacked=0.6)
    pieces = pieces_of(candidates(finds, PLACES), PLAIN)
    lower, upper = (p.score for p in pieces if p.kind == "troop")
    assert lower == pytest.approx(0.9, abs=0.01)
    assert 0.4 < upper < lower
    assert len([p for p in pieces if p.kind == "ship"]) == 1
    assert all(len(candidate.upper or UPPER) == len(UPPER) for candidate in candidates(finds, PLACES))


def test_a_closer_look_is_kept_with_a_troop_alone() -> None:
    finds = seen(("red", "troop", LAND, 0.9), ("black", "ship", WATER, 0.9), stacked=0.6)
    found = {candidate.kind: candidate for candidate in candidates(finds, PLACES)}
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


def test_log_odds_and_their_probability() -> None:
    assert logistic(log_odds(0.3)) == pytest.approx(0.3)
    assert 0 < logistic(log_odds(0.0)) < 0.001


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


def test_a_figure_is_no_troop_with_another_on_it() -> None:
    finds = replace(seen(("red", "ship", LAND, 0.9), stacked=0.7), classes=SIEGE.classes)
    (candidate,) = candidates(finds, MIXED_PLACES)
    assert (candidate.kind, candidate.upper) == ("siege", None)


def test_a_troop_and_a_siege_weapon_in_one_place_share_one_chance() -> None:
    finds = replace(seen(("red", "ship", LAND, 0.8), ("red", "troop", LAND, 0.8)), classes=SIEGE.classes)
    weights = PLAIN | {"siege": PLAIN["ship"]}
    pieces = [piece for piece in pieces_of(candidates(finds, MIXED_PLACES), weights) if piece.score > 0.1]
    assert sorted(piece.kind for piece in pieces) == ["siege", "troop"]
    assert sum(piece.score for piece in pieces) == pytest.approx(1.0)
