"""Whether the print round each area is where a registration has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import vision.reading.read
from tests.vision.tables import four_areas, pictures
from vision.geometry import Picture
from vision.reading.count import SURE
from vision.reading.fitting import misplaced_areas
from vision.reading.read import read
from vision.registration.register import Anchors, Registration, register

SCALE = np.diag([0.5, 0.5, 1.0])  # mm from pixels
AREAS = {area.name for area in four_areas().areas}


def found_with(gap_mm: tuple[float, float]) -> Registration:
    """Return a registration whose points, a dozen round each area, are all off by so much."""
    middles = [np.mean(area.polygon_mm, axis=0) for area in four_areas().areas]
    turns = np.arange(12) * (2 * np.pi / 12)
    circle = 10 * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    at_mm = np.concatenate([middle + circle for middle in middles])
    gaps = np.hstack([at_mm, np.broadcast_to(gap_mm, at_mm.shape)]) * 2
    return Registration(np.eye(3), 0.8, 0.9, 0.3, len(gaps), still=False, gaps=gaps)


@pytest.mark.parametrize(
    ("found", "off"),
    [
        (found_with((0.3, 0.2)), set()),
        (found_with((0.6, 0.7)), AREAS),
        (replace(found_with((0.6, 0.7)), gaps=np.zeros((0, 4))), set()),
    ],
    ids=["where it should be", "beside it", "a camera that stood still"],
)
def test_print_that_is_not_where_it_should_be_is_noticed(found: Registration, off: set[str]) -> None:
    assert misplaced_areas(four_areas(), SCALE, found) == off


def test_an_area_round_which_no_print_agrees_may_lie_anywhere() -> None:
    far = found_with((0.0, 0.0))
    assert misplaced_areas(four_areas(), SCALE, replace(far, gaps=far.gaps[:3] + 9000)) == AREAS


def test_an_area_that_is_not_placed_exactly_is_never_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    def beside(anchors: Anchors, frame: Picture) -> Registration | None:
        found = register(anchors, frame)
        assert found is not None
        at = anchors.points_px
        return replace(found, gaps=np.hstack([at, np.broadcast_to((0.0, 3.0), at.shape)]))

    monkeypatch.setattr(vision.reading.read, "register", beside)
    reading = read(pictures().table, pictures().later.picture)
    assert max(reading.confidence.values()) < SURE
    assert all(reasons[0] == "place" for reasons in reading.why.values())
