"""Areas whose contents are known: what they hold is told by what has changed, whatever the eye makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.perception.known_areas import KnownAreas
from engine.orders.board import Point, load_board
from engine.orders.position import Position
from tests.companion.perception.seeing import reading_of
from tests.companion.sample_games import played
from vision.geometry import Grid, Picture
from vision.reading.count import Combo, CountBelief
from vision.reading.pieces import Piece
from vision.reading.read import Reading

STEPS, POSITIONS = played()
BEFORE, AFTER = POSITIONS[18], POSITIONS[20]
"""Red, with one troop in d3, shells c3 from there and hits."""
SPACE, AREA = "shell:d3", "d3"
ONE: Combo = (("red", "troop", 1),)
TWO: Combo = (("red", "troop", 2),)
GRID = Grid(BEFORE.board.size_mm)
HERE: Point = BEFORE.board.area(AREA).centres_mm[0]
BESIDE: Point = (HERE[0] + 12.0, HERE[1] + 9.0)


def picture(*pieces: Point) -> Picture:
    image = np.full((*GRID.shape, 3), 90, np.uint8)
    for at_mm in pieces:
        cv2.circle(image, GRID.pixel(at_mm), 14, (30, 30, 200), -1)
    return image


def seen(position: Position, image: Picture, options: dict[Combo, float], troops: Iterable[Point] = (HERE,)) -> Reading:
    """Return what the eye makes of a position, with these options for d3."""
    reading = reading_of(position, {AREA: tuple(options.items())})
    others = tuple(piece for piece in reading.pieces if piece.place != AREA)
    here = tuple(Piece("red", "troop", AREA, at_mm, 0.97) for at_mm in troops)
    return replace(reading, board_image=image, pieces=others + here)


def known(image: Picture, options: dict[Combo, float], troops: Iterable[Point] = (HERE,)) -> KnownAreas:
    return KnownAreas().confirm(BEFORE, seen(BEFORE, image, options, troops), BEFORE.commanders)


def count(reading: Reading) -> CountBelief:
    return reading.counts[AREA]


def test_an_area_that_nobody_touched_holds_what_it_held() -> None:
    image = picture(HERE)
    areas, misread = known(image, {ONE: 0.8, TWO: 0.2}), seen(BEFORE, image, {TWO: 0.89, ONE: 0.11}, (HERE, BESIDE))
    told = areas.recount(misread, BEFORE.board)
    assert count(told).best == ONE
    assert told.units[AREA] == {"red": {"troop": 1}}
    assert told.confidence[AREA] > 0.9


def test_what_has_come_is_added_to_what_was_known_though_the_eye_saw_something_else_then() -> None:
    areas = known(picture(HERE), {TWO: 0.8, ONE: 0.2}, (HERE, (HERE[0] - 12.0, HERE[1])))
    now = picture(HERE, BESIDE)
    told = areas.recount(seen(BEFORE, now, {TWO: 0.85, ONE: 0.15}, (HERE, BESIDE)), BEFORE.board)
    assert count(told).best == TWO
    assert told.confidence[AREA] < 0.9, "the eye itself isn't sure"


def test_sure_of_another_count_is_only_what_the_eye_is_sure_of_itself() -> None:
    areas = known(picture(HERE), {ONE: 0.99})
    told = areas.recount(seen(BEFORE, picture(HERE, BESIDE), {TWO: 0.99}, (HERE, BESIDE)), BEFORE.board)
    assert count(told).best == TWO
    assert told.confidence[AREA] > 0.9


def test_a_piece_that_has_come_to_stand_on_a_border_leaves_its_area_unsure() -> None:
    image = picture(HERE, BESIDE)
    beside = replace(seen(BEFORE, image, {TWO: 0.8999}, (HERE, BESIDE)), at_a_line=(AREA,))
    assert known(picture(HERE), {ONE: 0.99}).recount(beside, BEFORE.board).confidence[AREA] < 0.9
    there = replace(seen(BEFORE, image, {ONE: 0.8999}, (HERE, BESIDE)), at_a_line=(AREA,))
    areas = KnownAreas()
    areas = areas.confirm(BEFORE, there, BEFORE.commanders)
    assert areas.recount(there, BEFORE.board).confidence[AREA] > 0.9, "people have said whose it is"


def test_an_area_that_the_eye_insists_on_is_not_known() -> None:
    areas = known(picture(HERE), {TWO: 0.99})
    misread = seen(BEFORE, picture(HERE), {TWO: 0.99})
    assert count(areas.recount(misread, BEFORE.board)) == count(misread)


@pytest.mark.parametrize("touched", [True, False])
def test_a_commander_comes_where_something_has_changed(touched: bool) -> None:
    at_mm = BEFORE.board.space(SPACE).at_mm
    assert at_mm is not None
    areas = known(picture(HERE), {ONE: 0.99})
    now = seen(AFTER, picture(HERE, at_mm) if touched else picture(HERE), {ONE: 0.99})
    told = areas.recount(replace(now, leaders={**now.leaders, SPACE: {"red": 0.6}}), BEFORE.board)
    assert (told.leaders[SPACE]["red"] > 0.9) is touched
    assert (told.commanders.get(SPACE) == "red") is touched


def test_a_commander_that_has_yet_to_go_home_stays_where_nobody_touched_it() -> None:
    areas, image = KnownAreas(), picture(HERE)
    home = replace(AFTER, commanders=(0, 0))
    areas = areas.confirm(home, seen(AFTER, image, {ONE: 0.99}), AFTER.commanders)
    now = seen(AFTER, image, {ONE: 0.99})
    told = areas.recount(replace(now, leaders={}, commanders={}), home.board)
    assert told.commanders[SPACE] == "red"


def test_a_commander_that_went_home_with_the_last_turn_is_not_missed() -> None:
    areas, image = KnownAreas(), picture(HERE)
    home = replace(AFTER, commanders=(0, 0))
    cleared = replace(seen(AFTER, image, {ONE: 0.99}), leaders={}, commanders={})
    areas = areas.confirm(home, cleared, AFTER.commanders)
    assert areas.recount(cleared, home.board).commanders == {}


def test_what_is_covered_is_known_by_the_last_look_before() -> None:
    image = picture(HERE)
    areas = known(image, {ONE: 0.99})
    areas = areas.confirm(BEFORE, replace(seen(BEFORE, picture(), {ONE: 0.5}), unreadable=(AREA,)), BEFORE.commanders)
    misread = seen(BEFORE, image, {TWO: 0.85, ONE: 0.15}, (HERE, BESIDE))
    assert count(areas.recount(misread, BEFORE.board)).best == ONE
    hidden = replace(misread, unreadable=(AREA,))
    assert areas.recount(hidden, BEFORE.board).counts[AREA] == misread.counts[AREA]


def test_a_lamp_that_is_switched_on_leaves_what_is_known() -> None:
    areas, lit = known(picture(HERE), {ONE: 0.99}), picture(HERE)
    lit = np.asarray(lit * np.linspace(1.2, 0.6, lit.shape[1])[None, :, None], np.uint8)
    misread = seen(BEFORE, lit, {TWO: 0.85, ONE: 0.15})
    assert count(areas.recount(misread, BEFORE.board)).best == ONE


def test_where_the_board_looks_quite_otherwise_nothing_is_known() -> None:
    areas = known(picture(HERE), {ONE: 0.99})
    noise = np.random.default_rng(1).integers(0, 255, (*picture().shape[:2], 1), np.uint8)
    other = cv2.resize(noise[::40, ::40], picture().shape[1::-1], interpolation=cv2.INTER_NEAREST)[..., None]
    misread = seen(BEFORE, np.repeat(other, 3, axis=2), {TWO: 0.85, ONE: 0.15})
    assert areas.recount(misread, BEFORE.board).counts == misread.counts


def test_without_a_picture_or_of_another_board_nothing_is_known() -> None:
    areas, misread = known(picture(HERE), {ONE: 0.99}), seen(BEFORE, picture(HERE), {TWO: 0.85, ONE: 0.15})
    blind = replace(misread, board_image=None)
    assert areas.recount(blind, BEFORE.board) is blind
    assert areas.recount(misread, load_board("wwii-alpine")) is misread
    areas = KnownAreas()
    assert areas.recount(misread, BEFORE.board).counts == misread.counts
