"""Pixels' votes: light is taken out, shadow stays board, a piece's colours are a piece, strange things are foreign."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.cover import cover_of, covered_shares
from vision.evidence import board_log, evidence_of, gain_of, ground_of, normalised, print_of
from vision.geometry import Grid
from vision.learn import usual_looks
from vision.places import places_of

LOOKS = usual_looks(("red", "black"))
PLACES = places_of(four_areas(), Grid(four_areas().size_mm))


def board() -> np.ndarray:
    """A board image with a pattern on it."""
    rng = np.random.default_rng(2)
    rows, columns = PLACES.grid.shape
    coarse = rng.integers(0, 60, (rows // 6 + 1, columns // 6 + 1, 1))
    pattern = np.repeat(np.repeat(coarse, 6, axis=0), 6, axis=1)[:rows, :columns]
    return (np.array([120, 150, 160]) - pattern).astype(np.uint8)


def test_gain_is_found_in_spite_of_things_on_the_board() -> None:
    reference = board()
    lamp = np.linspace(0.6, 1.1, reference.shape[1])[None, :, None] * np.array([0.9, 1.0, 1.05])
    frame = np.clip(reference * lamp, 0, 255).astype(np.uint8)
    frame[60:150, 60:150] = (40, 35, 180)
    normal = normalised(frame, gain_of(frame, reference))
    clear = np.ones(reference.shape[:2], bool)
    clear[50:160, 50:160] = False
    assert np.abs(normal - reference)[clear].mean() < 5


def test_shadow_stays_board_and_a_black_piece_does_not() -> None:
    reference = board()
    ground = ground_of(reference, LOOKS)
    assert board_log(reference * np.float32(0.6), ground).min() > -6
    assert np.median(board_log(np.full(reference.shape, 30, np.float32), ground)) < -6


@pytest.mark.parametrize(("colour", "faction"), [((45, 40, 185), "red"), ((40, 40, 40), "black")])
def test_a_pieces_colour_votes_for_it(colour: tuple[int, int, int], faction: str) -> None:
    frame = board()
    frame[100:130, 100:130] = colour
    found = evidence_of(frame, print_of(board(), LOOKS))
    assert found.votes[faction][105:125, 105:125].mean() > 2
    assert found.votes[faction][20:80, 20:80].mean() < -2


def test_a_token_known_from_the_start_is_board() -> None:
    dressed = board()
    dressed[100:130, 100:130] = (40, 40, 40)
    found = evidence_of(dressed, print_of(board(), LOOKS, dressed))
    assert found.votes["black"][105:125, 105:125].max() <= 0.5


def test_a_hand_covers_and_a_die_does_not() -> None:
    frame = board()
    frame[150:, 40:130] = (120, 160, 215)
    frame[90:108, 230:248] = (235, 240, 240)
    cover = cover_of(evidence_of(frame, print_of(board(), LOOKS)), PLACES, LOOKS)
    shares = covered_shares(cover, PLACES)
    assert shares["a1"] > 0.4
    assert shares["b2"] == 0


def test_a_clear_board_is_not_covered() -> None:
    found = evidence_of(board(), print_of(board(), LOOKS))
    assert not cover_of(found, PLACES, LOOKS).any()
