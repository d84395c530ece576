"""Outlines of figures: convex, counter-clockwise, within their length, and different from number to number."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.simulation.solids import Outline, aircraft_outlines, siege_profile

SHAPES = range(60)


def turns(outline: Outline) -> npt.NDArray[np.float64]:
    """Return the cross products at the corners, which are above 0 where the outline turns left."""
    sides = np.roll(np.array(outline), -1, axis=0) - np.array(outline)
    after = np.roll(sides, -1, axis=0)
    return np.asarray(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0])


@pytest.mark.parametrize("shape", SHAPES)
def test_parts_are_convex_and_counter_clockwise(shape: int) -> None:
    for outline in (*aircraft_outlines(shape), *(part for part, _ in siege_profile(shape))):
        assert (turns(outline) > -1e-9).all()
        assert turns(outline).sum() > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_siege_weapons_stand_on_their_feet(shape: int) -> None:
    points = np.concatenate([np.array(part) for part, _ in siege_profile(shape)])
    assert points[:, 1].min() == pytest.approx(0, abs=0.02)
    assert 0.35 < points[:, 1].max() < 1.1
    assert np.abs(points[:, 0]).max() < 0.75
    assert all(0 < share <= 1 for _, share in siege_profile(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_aircraft_are_the_same_on_both_sides(shape: int) -> None:
    points = np.concatenate([np.array(part) for part in aircraft_outlines(shape)])
    assert points[:, 1].max() == pytest.approx(-points[:, 1].min())
    assert (points[:, 0].min(), points[:, 0].max()) == pytest.approx((-0.5, 0.5), abs=0.1)


def test_numbers_give_different_forms() -> None:
    assert len({aircraft_outlines(shape) for shape in SHAPES}) == len(SHAPES)
    assert len({siege_profile(shape) for shape in SHAPES}) == len(SHAPES)
