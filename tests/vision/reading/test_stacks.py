"""A closer look at stacks: what is shown to the network, whom it is asked about, and that it knows a stack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.tables import pictures
from vision.geometry import Floats, Grid
from vision.reading.network import BRIGHTNESS, UP_GAIN
from vision.reading.pieces import NOT_AGAIN, Candidate
from vision.reading.read import board_image, detect_all, prepare_table
from vision.reading.setting import stack_network
from vision.reading.stacks import (
    BOARD,
    CHANNELS,
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
    look_closer,
    network_input,
    with_singles,
)
from vision.registration.register import register
from vision.simulation.table import Moment, PlacedPiece

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


def test_single_discs_are_shown_by_what_they_did_to_the_board() -> None:
    at = np.array([(15.0, 15.0)])
    ground = with_singles(
        StackContext(EMPTY, HEIGHT, GRID), with_square((15.0, 15.0), 10), {"red": at, "black": at[:0]}
    )
    red, black = network_input(ground, EMPTY, [("red", (40.0, 30.0)), ("black", (40.0, 30.0))])
    assert red[SINGLE][:, SIDE // 2, SIDE // 2].max() < -0.3
    assert abs(red[SINGLE][:, 0, 0]).max() < 0.05
    assert np.allclose(red[SINGLE_UP][:, 0, 0], np.array([0.1, -0.2]) * UP_GAIN)
    assert red[KNOWN].all()
    assert not black[KNOWN].any()


def test_single_discs_that_lean_another_way_are_not_compared_with() -> None:
    ground = with_singles(
        StackContext(EMPTY, HEIGHT, GRID), with_square((15.0, 15.0), 10), {"red": np.array([(15.0, 15.0)])}
    )
    from_elsewhere = replace(ground, up_field=-3 * HEIGHT)
    (seen,) = network_input(from_elsewhere, EMPTY, [("red", (40.0, 30.0))])
    assert not seen[KNOWN].any()
    assert not seen[SINGLE].any()


def test_a_disc_beyond_the_edge_is_seen_at_the_edge() -> None:
    (seen,) = network_input(StackContext(EMPTY, HEIGHT, GRID), EMPTY, [("red", (-40.0, 900.0))])
    assert np.isfinite(seen).all()


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
        found = register(setting.anchors, frame)
        assert found is not None
        board = board_image(shots.table, frame, found)
        (candidate,) = [candidate for candidate in detect_all(board, setting)[1] if candidate.features[1] > 0]
        (seen,) = network_input(setting.ground, board, [(candidate.faction, candidate.at_mm)])
        scores += stack_network().log_odds(seen[None])
    assert scores[1] > scores[0] + 2
