"""Known pieces of the start: found though their colour is doubted, and never of the other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import START, four_areas, pictures
from vision.geometry import Grid
from vision.reading.network import CLASSES, Detections, cells_of
from vision.reading.piece_sets import VARIED
from vision.reading.pieces import candidates
from vision.reading.places import places_of
from vision.reading.read import CLEARLY_BETTER, chosen, prepare_table
from vision.reading.setting import PreparedTable
from vision.reading.start import USUAL_STACKED, lifts_of, start_pieces, tallness, unseen_chance

PLACES = places_of(four_areas(), Grid(four_areas().size_mm))
A1 = [(32.0, 100.0), (45.0, 108.0), (50.0, 92.0), (36.0, 86.0)]


def seen(*things: tuple[tuple[float, float], float, dict[tuple[str, str], float]]) -> Detections:
    """Things at places in mm with their heat, and the heat of classes there."""
    rows, columns = (-(-side // 4) for side in PLACES.grid.shape)
    heat, nothing = np.full((len(CLASSES), rows, columns), 1e-4, np.float32), np.zeros((rows, columns), np.float32)
    found = Detections(heat, nothing, nothing.copy(), nothing.copy(), PLACES.grid)
    for at_mm, thing, classes in things:
        row, column = np.round(cells_of([at_mm], PLACES.grid)[0]).astype(int)
        found.thing[row, column] = thing
        for which, value in classes.items():
            heat[CLASSES.index(which), row, column] = value
    return found


def test_as_many_of_the_likeliest_things_as_stand_there_are_its_pieces() -> None:
    doubted = {("black", "troop"): 0.2, ("red", "troop"): 0.3}
    things = [(at, thing, doubted) for at, thing in zip(A1, (0.9, 0.8, 0.3, 0.2), strict=True)]
    found = start_pieces(seen(*things), PLACES)
    assert {piece.faction for piece in found} == {"black"}
    assert len(found) == 3
    assert all(min(np.hypot(*np.subtract(piece.at_mm, at)) for at in A1[:3]) < 2 for piece in found)


def test_a_piece_that_is_clearly_the_other_sides_is_not_taken() -> None:
    red = {("black", "troop"): 0.01, ("red", "troop"): 0.95}
    assert start_pieces(seen((A1[0], 0.9, red)), PLACES) == []


def test_nothing_is_a_piece_where_the_start_has_none() -> None:
    assert start_pieces(seen(((4.0, 4.0), 0.9, {("black", "troop"): 0.9})), PLACES) == []
    assert start_pieces(seen(), PLACES) == []


def test_what_most_pieces_of_a_side_lack_of_the_usual_odds_lifts_that_side_alone() -> None:
    rows = [("black", -1.0, True)] * 6 + [("black", -6.0, False)] * 10
    rows += [("red", 5.0, True)] * 6 + [("red", -6.0, False)] * 10
    lifts = lifts_of(rows)
    assert 1.0 < lifts["black"] < 5.0
    assert lifts["red"] == 0


def test_a_few_hidden_pieces_lift_nothing() -> None:
    assert lifts_of([("red", 5.0, True)] * 9 + [("red", -4.0, True)] * 3) == {"red": 0.0}


def test_no_side_is_lifted_so_far_that_nothing_becomes_a_piece() -> None:
    rows = [("black", -1.0, True)] * 6
    assert lifts_of([*rows, ("black", -0.5, False)]) == {"black": 0.5}
    assert lifts_of([*rows, ("black", 0.5, False)]) == {"black": 0.0}
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


def test_discs_that_look_flat_make_nobody_readier_to_see_stacks() -> None:
    finds = seen((A1[0], 0.95, {("black", "troop"): 0.95}))
    finds.stacked[:] = 1e-4
    assert tallness(candidates(finds, PLACES), PLACES.plan) == 0
    assert tallness([], PLACES.plan) == 0


def test_a_clear_start_changes_little_and_teaches_both_sides_colours() -> None:
    start = prepare_table(pictures().table).start
    assert start.palette is not None
    assert set(start.palette.means) == {piece[1] for piece in START}
    assert max(abs(lift) for lift in start.lifts.values()) < 2.0
    assert start.missed < np.log(0.5)
    assert prepare_table(pictures().table).looks.any()


def test_known_pieces_that_were_hard_to_see_say_that_others_are_overlooked() -> None:
    assert unseen_chance([5.0, 4.0, 5.5, 4.5], 0.0) < 1e-3
    faint = [1.5, 0.1, -0.6, -1.0, -1.9, -5.0]
    assert 0.05 < unseen_chance(faint, 3.0) < unseen_chance(faint, 0.0)


def explaining(fit: float) -> PreparedTable:
    setting = prepare_table(pictures().table)
    return replace(setting, start=replace(setting.start, fit=fit))


def test_the_first_network_reads_the_table_unless_the_start_speaks_clearly_for_the_other() -> None:
    first, alike, better = (explaining(fit) for fit in (-0.1, -0.1 + CLEARLY_BETTER / 2, -0.1 + 2 * CLEARLY_BETTER))
    assert chosen([first, alike]) is first
    assert chosen([first, better]) is better
    assert chosen([better, first]) is better
    assert chosen([first]) is first


def test_without_a_start_the_network_that_knows_any_colours_reads_the_table() -> None:
    assert prepare_table(replace(pictures().table, start_bgr=None)).known.network == VARIED


def test_a_start_that_is_misread_is_explained_worse() -> None:
    shown = pictures()
    laid_otherwise = replace(shown.table, start_bgr=shown.later.picture)
    assert prepare_table(laid_otherwise).start.fit < prepare_table(shown.table).start.fit < 0
