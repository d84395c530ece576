"""What an area holds by what has changed in it since its contents were known, and what is painted on it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from tests.vision.tables import pictures, there
from vision.geometry import Grid, Picture
from vision.reading.count import Combo, CountBelief, UsualForce
from vision.reading.crops import COVERED_BGR, evidence_of, is_same_sight, paint_evidence
from vision.reading.network import Detections
from vision.reading.pieces import Piece
from vision.reading.read import read
from vision.reading.setting import network, prepare_table
from vision.reading.since import Change, Changes, belief_since, commander_since, group_into_sites, site_chances

GRID = Grid((80.0, 60.0))
A, B, C = (15.0, 20.0), (40.0, 20.0), (62.0, 40.0)
ONE, TWO, THREE = ((("red", "troop", n),) for n in (1, 2, 3))
NOTHING: Combo = ()


def board(*discs: tuple[float, float], stacked: tuple[float, float] | None = None) -> Picture:
    """Return a board image with discs.

    One disc on another shows beside it, as its top lies elsewhere in a picture taken aslant.
    """
    image = np.full((*GRID.shape, 3), 90, np.uint8)
    for at_mm in discs:
        cv2.circle(image, GRID.pixel(at_mm), 15, (30, 30, 200), -1)
    if stacked is not None:
        cv2.circle(image, GRID.pixel((stacked[0] + 3, stacked[1])), 15, (30, 30, 200), -1)
    return image


def troop(at_mm: tuple[float, float], *scores: float, who: str = "red", kind: str = "troop") -> list[Piece]:
    return [Piece(who, kind, "b2", at_mm, score) for score in scores]


class Sight(NamedTuple):
    pieces: list[Piece]
    board_bgr: Picture


def since(known: Combo, before: Sight, now: Sight, usual: UsualForce) -> CountBelief | None:
    return belief_since(known, before.pieces, now.pieces, Changes(before.board_bgr, now.board_bgr, GRID), usual)


def found(known: Combo, before: Sight, now: Sight) -> CountBelief:
    belief = there(since(known, before, now, UsualForce()))
    assert sum(chance for _, chance in belief.options) == pytest.approx(1, abs=0.01)
    return belief


def test_what_nobody_touched_still_stands_there_whatever_is_read() -> None:
    picture = board(A, B)
    before = Sight([*troop(A, 0.99, 0.3), *troop(B, 0.99)], picture)
    now = Sight([*troop(A, 0.99, 0.05), *troop(B, 0.99)], picture)
    assert found(THREE, before, now).best == THREE
    assert found(THREE, before, now).confidence > 0.9
    assert found(TWO, before, now).best == TWO


def test_a_print_that_is_taken_for_a_piece_stays_a_print() -> None:
    before, now = Sight(troop(A, 0.99) + troop(C, 0.8), board(A)), Sight(troop(A, 0.99) + troop(C, 0.95), board(A))
    assert found(ONE, before, now).best == ONE
    one_more = Sight([*now.pieces, *troop(B, 0.99)], board(A, B))
    assert found(ONE, before, one_more).best == TWO


def test_what_has_come_and_gone_is_added_and_taken_away() -> None:
    before = Sight(troop(A, 0.99) + troop(B, 0.99), board(A, B))
    assert found(TWO, before, Sight(troop(A, 0.99), board(A))).best == ONE
    assert found(TWO, before, Sight([*before.pieces, *troop(C, 0.97)], board(A, B, C))).best == THREE
    moved = Sight(troop(A, 0.99) + troop(C, 0.97), board(A, C))
    assert found(TWO, before, moved).best == TWO
    assert found(TWO, before, Sight([], board())).best == NOTHING
    unchanged = Sight([*before.pieces, *troop(C, 0.9)], board(A, B))
    assert found(TWO, before, unchanged).best == TWO, "a piece that comes changes the picture"
    assert since((("red", "troop", 5),), before, before, UsualForce()) is None, "more than was ever found"


def test_a_stack_that_grows_shows_beside_it_only() -> None:
    before = Sight(troop(A, 0.99, 0.05), board(A))
    seen = troop(A, 0.99, 0.9)
    assert found(ONE, before, Sight(seen, board(A, stacked=A))).best == TWO
    assert found(ONE, before, Sight(seen, board(A))).best == ONE


def test_a_unit_that_was_overlooked_stays_with_those_that_nobody_touched_and_in_a_neighbours_shadow() -> None:
    before = Sight(troop(A, 0.999), board(A, B))
    assert found(TWO, before, before).best == TWO
    assert found(TWO, before, Sight(troop(A, 0.999) + troop(C, 0.99), board(A, B, C))).best == THREE
    gone = found(TWO, before, Sight([], board()))
    assert gone.best == NOTHING, "it has gone with the one that was seen"
    before = Sight(troop(A, 0.999), board(A))
    now = Sight(troop(A, 0.999) + troop(C, 0.99), board(A, C, stacked=A))
    assert found(TWO, before, now).best == THREE


def test_what_is_unusual_is_as_much_less_likely() -> None:
    before = Sight(troop(A, 0.99), board(A))
    now = Sight(troop(A, 0.99) + troop(B, 0.7, who="black"), board(A, B))
    usual = there(since(ONE, before, now, UsualForce(shared=False)))
    assert dict(usual.options)[ONE] > dict(found(ONE, before, now).options)[ONE]


def test_finds_in_one_place_are_of_one_site_and_of_two_kinds_one_is_there() -> None:
    site, *more = group_into_sites([], troop(A, 0.7, 0.1) + troop((A[0] + 2, A[1]), 0.2, kind="siege"))
    assert not more
    assert site_chances(site.now) == pytest.approx(
        {(): 0.1, (("red", "troop", 1),): 0.6, (("red", "troop", 2),): 0.1, (("red", "siege", 1),): 0.2}
    )
    sites = group_into_sites(troop(A, 0.9), troop((A[0] + 1, A[1]), 0.8) + troop(B, 0.7))
    assert [site.at_mm for site in sites] == [A, B]
    assert (sites[0].before, sites[0].now) == ({("red", "troop"): [0.9]}, {("red", "troop"): [0.8]})
    assert sites[1].best == 0.7


def test_a_lamp_that_is_switched_on_at_one_side_touches_nothing() -> None:
    grid, stays, comes = Grid((240.0, 180.0)), (90.0, 80.0), (150.0, 110.0)
    before = np.full((*grid.shape, 3), 90, np.uint8)
    cv2.circle(before, grid.pixel(stays), 15, (30, 30, 200), -1)
    after = before.copy()
    cv2.circle(after, grid.pixel(comes), 15, (30, 30, 200), -1)
    across = np.linspace(1.5, 0.6, before.shape[1])[None, :, None] * np.array([0.9, 1.0, 1.1])
    lit = Changes(before, np.asarray(np.clip(after * across, 0, 255), np.uint8), grid)
    assert lit.comparable
    assert lit.at(stays).untouched > 0.9
    assert lit.at((60.0, 110.0)).untouched > 0.9
    assert lit.at(comes).middle > 0.9


def test_where_most_of_the_board_looks_otherwise_pictures_cannot_be_compared() -> None:
    third = board().shape[1] // 3
    shadow = board(A)
    shadow[:, :third] //= 3
    shadow[:, third : 2 * third] //= 2
    assert not Changes(board(A), shadow, GRID).comparable
    assert Changes(board(A), board(B, C), GRID).comparable
    assert Changes(board(A), np.asarray(board(A) * 1.2, np.uint8), GRID).at(A).untouched > 0.9, "another light"
    assert Changes(board(A), board(), GRID).at(A).middle > 0.99


@pytest.mark.parametrize("corner", [(-7.0, -7.0), (87.0, 67.0)])
def test_a_site_at_the_edge_of_the_picture_is_looked_at_as_far_as_there_is_one(corner: tuple[float, float]) -> None:
    assert Changes(board(), board(), GRID).at(corner).untouched > 0.99
    assert Changes(board(), board(corner), GRID).at(corner).middle > 0.99


def test_a_commander_has_come_only_where_something_has() -> None:
    touched, untouched = Change(1.0, 1.0), Change(0.0, 0.0)
    assert commander_since(0.5, 0.5, False, touched) > 0.9
    assert commander_since(0.01, 0.0, False, touched) < 0.2
    assert commander_since(0.8, 0.0, False, untouched) == 0
    assert commander_since(1.0, 0.0, False, untouched) == 0
    assert commander_since(0.1, 0.9, True, untouched) == 1
    assert commander_since(0.1, 0.9, True, touched) == pytest.approx(0.1)


def test_a_commander_on_a_unit_of_its_colour_has_come_where_the_eye_sees_what_it_did_not_see_before() -> None:
    """Only what is round it looks otherwise, as it does where a neighbour has come."""
    beside = Change(0.1, 1.0)
    assert commander_since(0.87, 0.06, False, beside) > 0.75
    assert commander_since(0.87, 0.8, False, beside) < 0.3
    assert commander_since(0.1, 0.06, False, beside) < 0.2


def area(*discs: tuple[int, int, int]) -> Picture:
    """Return a dark picture of an area at 2 px/mm with single discs, given as (across, down, grey)."""
    picture = np.random.default_rng(1).integers(20, 28, (130, 150, 3)).astype(np.uint8)
    for across, down, grey in discs:
        cv2.circle(picture, (across, down), 14, (grey, grey, grey), -1)
    return picture


def test_what_nobody_touched_is_the_same_sight_in_a_little_more_light_and_noise() -> None:
    one = area((60, 60, 45))
    noise = np.random.default_rng(2).normal(0.0, 6.0, (130, 150, 3))
    for seen in (one, one * 1.2, np.clip(one + noise, 0, 255)):
        assert is_same_sight(one, seen.astype(np.uint8))
    assert not is_same_sight(one, area((66, 60, 45))), (
        "a second disc on it lies 3 mm further out, seen from nearly above"
    )


@lru_cache(maxsize=1)
def board_seen() -> Picture:
    return there(read(pictures().table, pictures().start.picture).board_image)


@lru_cache(maxsize=1)
def finds() -> Detections:
    return evidence_of(pictures().table, board_seen())


def test_every_piece_glows_where_it_stands_and_nothing_else_does() -> None:
    shown = paint_evidence(board_seen(), finds())
    assert shown.shape == board_seen().shape
    grid = pictures().table.grid
    for piece in read(pictures().table, pictures().start.picture).pieces:
        if piece.score > 0.9:
            x, y = (round(float(value)) for value in grid.px([piece.at_mm])[0])
            blue, green, red = (int(value) for value in shown[y, x])
            assert red > 140
            assert (red - max(blue, green) > 60) is (piece.faction == "red")
    coloured = np.ptp(shown.astype(int), axis=2) > 40
    assert 0.002 < float(coloured.mean()) < 0.1


def test_what_is_covered_is_violet_and_the_rest_of_the_board_grey() -> None:
    cover, none = np.ones_like(finds().covered), np.zeros_like(finds().covered)
    hidden, bare = (
        paint_evidence(
            board_seen(), replace(finds(), heat=np.zeros_like(finds().heat), covered=covered, stacked=none, thing=none)
        )
        for covered in (cover, none)
    )
    assert np.abs(hidden.reshape(-1, 3).mean(axis=0) - np.array(COVERED_BGR) * 0.9).max() < 40
    assert np.ptp(bare.astype(int), axis=2).max() == 0


def test_it_shows_what_both_eyes_take_for_a_piece() -> None:
    each = [
        network(eye.known).find(board_seen(), eye.printed, eye.looks) for eye in prepare_table(pictures().table).eyes
    ]
    shown = evidence_of(pictures().table, board_seen()).heat
    assert np.abs(each[0].heat - each[1].heat).max() > 0.01
    assert (shown <= np.maximum(each[0].heat, each[1].heat) + 0.01).all()
    assert np.abs(shown - each[0].heat).max() > 0.005
