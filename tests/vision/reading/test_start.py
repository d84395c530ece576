"""Colours and light: what the start's known pieces teach, and another light than the empty board's, evened out."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.tables import START, cell_at, four_areas, lamp_lit, nothing_found, pictures, there
from vision.geometry import Grid, Picture
from vision.reading.colours import (
    LEAST_COLOUR_SPREAD,
    OTHER_LIGHT,
    colours_at,
    light_between,
    log_colours,
    palette_of,
    with_tone_of,
)
from vision.reading.network import CLASSES, Detections
from vision.reading.piece_sets import VARIED
from vision.reading.pieces import candidates, places_of
from vision.reading.read import read
from vision.reading.setting import CLEARLY_BETTER, choose_setting, prepare_for_other_light, prepare_table
from vision.reading.start import USUAL_STACKED, lifts_of, start_pieces, tallness, unseen_chance

PLACES = places_of(four_areas(), Grid(four_areas().size_mm))
A1 = [(32.0, 100.0), (45.0, 108.0), (50.0, 92.0), (36.0, 86.0)]


def seen(*things: tuple[tuple[float, float], float, dict[tuple[str, str], float]]) -> Detections:
    """Things at places in mm with their heat, and the heat of classes there."""
    found = nothing_found(PLACES.grid, 1e-4)
    for at_mm, thing, classes in things:
        cell = cell_at(PLACES.grid, at_mm)
        found.thing[cell] = thing
        for which, value in classes.items():
            found.heat[(CLASSES.index(which), *cell)] = value
    return found


def test_as_many_of_the_likeliest_things_as_stand_there_are_its_pieces() -> None:
    doubted = {("black", "troop"): 0.2, ("red", "troop"): 0.3}
    things = [(at, thing, doubted) for at, thing in zip(A1, (0.9, 0.8, 0.3, 0.2), strict=True)]
    found = start_pieces(seen(*things), PLACES)
    assert {piece.faction for piece in found} == {"black"}
    assert len(found) == 3
    assert all(min(np.hypot(*np.subtract(piece.at_mm, at)) for at in A1[:3]) < 2 for piece in found)
    red = {("black", "troop"): 0.01, ("red", "troop"): 0.95}
    assert start_pieces(seen((A1[0], 0.9, red)), PLACES) == [], "clearly the other side's"
    assert start_pieces(seen(((4.0, 4.0), 0.9, {("black", "troop"): 0.9})), PLACES) == [], "the start has none there"
    assert start_pieces(seen(), PLACES) == []


def test_what_most_pieces_of_a_side_lack_of_the_usual_odds_lifts_that_side_alone() -> None:
    rows = [("black", -1.0, True)] * 6 + [("black", -6.0, False)] * 10
    rows += [("red", 5.0, True)] * 6 + [("red", -6.0, False)] * 10
    lifts = lifts_of(rows)
    assert 1.0 < lifts["black"] < 5.0
    assert lifts["red"] == 0
    assert lifts_of([("red", 5.0, True)] * 9 + [("red", -4.0, True)] * 3) == {"red": 0.0}, "a few are hidden"
    faint = [("black", -1.0, True)] * 6
    assert lifts_of([*faint, ("black", -0.5, False)]) == {"black": 0.5}, "not so far that nothing becomes a piece"
    assert lifts_of([*faint, ("black", 0.5, False)]) == {"black": 0.0}
    assert lifts_of([]) == {}


@pytest.mark.parametrize("stacked", [0.5, 0.97])
def test_single_discs_that_look_stacked_at_the_start_look_so_on_this_table(stacked: float) -> None:
    black = {("black", "troop"): 0.95}
    finds = seen(*((at, 0.95, black) for at in A1[:3]))
    finds.stacked[:] = stacked
    found = candidates(finds, PLACES)
    tall = tallness(found, PLACES.plan)
    assert tall == pytest.approx(found[0].stacked - USUAL_STACKED)
    assert max(candidate.stacked for candidate in candidates(finds, PLACES, tall=tall)) < 0
    finds.stacked[:] = 1e-4
    assert tallness(candidates(finds, PLACES), PLACES.plan) == tallness([], PLACES.plan) == 0, "they look flat"


def test_a_clear_start_changes_little_and_teaches_both_sides_colours() -> None:
    start = prepare_table(pictures().table).start
    assert start.palette is not None
    assert set(start.palette.means) == {piece[1] for piece in START}
    assert max(abs(lift) for lift in start.lifts.values()) < 2.0
    assert start.missed < np.log(0.5)
    assert prepare_table(pictures().table).looks.any()
    shown = pictures()
    laid_otherwise = replace(shown.table, start_bgr=shown.later.picture)
    assert prepare_table(laid_otherwise).start.fit < prepare_table(shown.table).start.fit < 0


def test_known_pieces_that_were_hard_to_see_say_that_others_are_overlooked() -> None:
    assert unseen_chance([5.0, 4.0, 5.5, 4.5], 0.0) < 1e-3
    faint = [1.5, 0.1, -0.6, -1.0, -1.9, -5.0]
    assert 0.05 < unseen_chance(faint, 3.0) < unseen_chance(faint, 0.0)


def test_the_first_network_reads_the_table_unless_the_start_speaks_clearly_for_the_other() -> None:
    setting, fits = prepare_table(pictures().table), (-0.1, -0.1 + CLEARLY_BETTER / 2, -0.1 + 2 * CLEARLY_BETTER)
    first, alike, better = (replace(setting, start=replace(setting.start, fit=fit)) for fit in fits)
    assert choose_setting([first, alike]) is first
    assert choose_setting([first, better]) is better
    assert choose_setting([better, first]) is better
    assert choose_setting([first]) is first
    assert prepare_table(replace(pictures().table, start_bgr=None)).known.network == VARIED, "it knows any colours"


EMPTY = np.full((60, 120, 3), 150, np.uint8)
LEVEL = np.zeros((60, 120, 2), np.float32)
AT = np.array([(30.0, 30.0), (80.0, 30.0)])
RED, BROWN, GREEN = (40, 30, 150), (30, 35, 45), (50, 110, 40)


def board(*colours: tuple[int, int, int]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    shown = EMPTY.copy()
    for (x, y), colour in zip(AT.astype(int), colours, strict=False):
        shown[y - 8 : y + 9, x - 8 : x + 9] = colour
    return shown


def test_what_stands_there_is_looked_at_where_its_top_appears() -> None:
    up = np.zeros((60, 120, 2), np.float32)
    up[..., 0] = 1.0  # 3.5 mm of height appear 7 px further right
    flat, tall = (colours_at(board(RED), EMPTY, field, AT[:1] - [shift, 0]) for field, shift in ((LEVEL, 0), (up, 7)))
    assert tall == pytest.approx(flat)
    grey, red = log_colours(np.array([[0.4, 0.4, 0.4], [0.1, 0.1, 0.7]]))
    assert grey[1:] == pytest.approx((0.0, 0.0))
    assert red[2] > 1.0
    assert red[1] == pytest.approx(0.0)


def test_pieces_are_like_their_side_and_a_strange_colour_is_like_neither() -> None:
    known = np.concatenate([colours_at(board(RED, BROWN), EMPTY, LEVEL, AT)] * 3)
    palette = there(palette_of(known, ["red", "black"] * 3))
    assert np.allclose(palette.spread, LEAST_COLOUR_SPREAD)
    # A dimmer, warmer lamp: the same pieces on the same board.
    lamp = np.array([0.6, 0.7, 0.8])
    dim = np.asarray(board(RED, BROWN) * lamp, np.uint8)
    far = palette.distances(colours_at(dim, EMPTY, LEVEL, AT))
    assert far["red"][0].max() < 1 < far["black"][0].min()
    assert far["black"][1].max() < 1 < far["red"][1].min()
    chip = palette.distances(colours_at(board(GREEN), EMPTY, LEVEL, AT[:1]))
    assert min(chip["red"].min(), chip["black"].min()) > 3


def test_glare_on_part_of_a_top_leaves_spots_that_show_its_colour() -> None:
    known = colours_at(board(RED, BROWN), EMPTY, LEVEL, AT)
    palette = there(palette_of(known, ["red", "black"]))
    shown = board(RED, BROWN)
    shown[22:32, 22:39] = 250
    far = palette.distances(colours_at(shown, EMPTY, LEVEL, AT[:1]))
    assert far["red"][0][0] > 2
    assert far["red"][0].min() < 1


def test_one_mistaken_piece_neither_moves_nor_widens_a_side() -> None:
    rng = np.random.default_rng(1)
    known = rng.normal(0, 0.02, (9, 5, 3)) + np.repeat([[[0.0, 0, 0]], [[2.0, 0, 1]]], [4, 5], axis=0)
    known[0] = (2.0, 0, 1)
    palette = there(palette_of(known, ["black"] * 4 + ["red"] * 5))
    assert np.allclose(palette.means["black"], 0, atol=0.1)
    assert np.allclose(palette.spread, LEAST_COLOUR_SPREAD)
    assert palette_of(np.zeros((2, 5, 3)), ["red", "red"]) is None, "one side alone tells nothing"
    assert palette_of(np.zeros((0, 5, 3)), []) is None
    assert colours_at(EMPTY, EMPTY, LEVEL, np.zeros((0, 2))).shape == (0, 5, 3)


SIZE = (320, 400)


def printed() -> Picture:
    """Return a board of many colours."""
    small = np.random.default_rng(3).uniform(40, 200, (20, 25, 3)).astype(np.float32)
    return np.asarray(cv2.resize(small, SIZE[::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def with_pieces(picture: Picture) -> Picture:
    """With dark discs on a fifth of it."""
    shown = picture.copy()
    for x, y in np.random.default_rng(5).uniform(0, (SIZE[1], SIZE[0]), (60, 2)).astype(int).tolist():
        cv2.circle(shown, (x, y), 12, (25, 22, 20), -1)
    return shown


def test_the_same_light_is_known_with_pieces_on_the_board_and_whatever_the_exposure() -> None:
    empty = printed()
    for frame in (empty, with_pieces(empty), with_pieces((empty * 0.7).astype(np.uint8))):
        light = light_between(frame, empty)
        assert light.change < OTHER_LIGHT / 2
        assert light.relight(frame) is frame


def test_a_lamp_is_evened_out_round_the_pieces() -> None:
    empty = printed()
    frame = with_pieces(lamp_lit(empty))
    light = light_between(frame, empty)
    assert light.is_other
    ground = frame.astype(int).sum(axis=2) != 67
    ratio = np.log((empty + 8.0) / (light.relight(frame) + 8.0))[ground]
    before = np.log((empty + 8.0) / (frame + 8.0))[ground]
    assert ratio.std(axis=0).max() < before.std(axis=0).max() / 2
    assert light.relight(frame)[~ground].max() < 60


def test_a_table_photographed_under_a_lamp_is_read_by_day() -> None:
    table = pictures().table
    lamp = replace(
        table,
        reference_bgr=lamp_lit(table.reference_bgr),
        start_bgr=None if table.start_bgr is None else lamp_lit(table.start_bgr),
    )
    seen, usual = read(lamp, pictures().later.picture), read(table, pictures().later.picture)
    assert seen.units == usual.units
    assert seen.unreadable == usual.unreadable


@pytest.mark.parametrize("start", [True, False])
def test_another_light_is_read_by_the_network_that_knows_any_colours(start: bool) -> None:
    table = pictures().table if start else replace(pictures().table, start_bgr=None)
    setting = prepare_for_other_light(table)
    assert setting.known.network == VARIED
    assert (setting is prepare_table(table)) is (prepare_table(table).known.network == VARIED)
    assert (setting.start.palette is not None) is start


# ---- cameras that change their contrast ---------------------------------------------------------


def tiled() -> Picture:
    rng = np.random.default_rng(3)
    tiles = np.repeat(np.repeat(rng.integers(30, 220, (12, 16, 3)), 20, axis=0), 20, axis=1)
    return np.asarray(tiles + rng.integers(-4, 5, tiles.shape), np.uint8)


@pytest.mark.parametrize("power", [0.72, 1.45])
def test_another_contrast_is_taken_back_though_pieces_stand_there(power: float) -> None:
    empty = tiled()
    full = empty.copy()
    full[20:120, 30:200] = (25, 25, 25)
    frame = np.asarray(255 * (full / 255) ** power, np.uint8)
    back = with_tone_of(frame, empty).astype(float)
    free = np.ones(empty.shape[:2], bool)
    free[20:120, 30:200] = False
    assert np.abs(back - empty)[free].mean() < 0.25 * np.abs(frame.astype(float) - empty)[free].mean()


def test_the_same_tone_and_a_dimmer_lamp_are_left_alone() -> None:
    empty = tiled()
    assert with_tone_of(empty, empty) is empty
    dim = np.asarray(empty * 0.7, np.uint8)
    assert np.abs(with_tone_of(dim, empty).astype(float) - dim).mean() < 12
    flat = np.full((100, 100, 3), 90, np.uint8)
    assert with_tone_of(flat, empty[:100, :100]) is flat
