"""Where windows are cut: at what is new beside the board, and nowhere else."""

from __future__ import annotations

import numpy as np

from tests.vision.tables import SIZE_MM, four_areas, pictures
from vision.dice.sites import MOST_SITES, Region, Sites
from vision.geometry import Picture, apply

BESIDE = (-25.0, 60.0)


def with_block(at_mm: tuple[float, float], side_mm: float = 12.0) -> Picture:
    """Return the reference with a pale block painted at a place of the table."""
    table = pictures().table
    picture = table.reference_bgr.copy()
    corners = np.array(at_mm) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_mm / 2
    seen = apply(np.asarray(np.linalg.inv(table.board_from_reference), np.float64), corners)
    low, high = seen.min(axis=0).astype(int), seen.max(axis=0).astype(int)
    picture[low[1] : high[1], low[0] : high[0]] = (230, 235, 240)
    return picture


def places(frame: Picture, region: Region | None = None) -> list[tuple[float, float]]:
    table = pictures().table
    sites = Sites(table, region or Region())
    return sites.places(sites.changes(frame, None), table.camera)


def test_the_reference_itself_has_nothing_new() -> None:
    assert places(pictures().table.reference_bgr) == []


def test_a_new_thing_beside_the_board_gets_a_window() -> None:
    found = places(with_block(BESIDE))
    assert len(found) == 1
    assert np.hypot(*np.subtract(found[0], BESIDE)) < 9


def test_what_is_on_the_map_gets_none() -> None:
    assert places(with_block(four_areas().areas[0].centres_mm[0])) == []


def test_outside_the_tray_nothing_counts() -> None:
    tray = Region((((160.0, 20.0), (190.0, 20.0), (190.0, 60.0), (160.0, 60.0)),))
    assert places(with_block(BESIDE), tray) == []
    assert len(places(with_block((175.0, 40.0)), tray)) == 1


def test_a_dimmer_lamp_is_nothing_new() -> None:
    table = pictures().table
    ramp = np.linspace(0.75, 0.95, table.picture_size[0])[None, :, None]
    assert places((table.reference_bgr * ramp).astype(np.uint8)) == []


def test_a_shifted_frame_is_laid_over_the_reference_first() -> None:
    table = pictures().table
    frame = np.roll(with_block(BESIDE), (4, 7), (0, 1))
    sites = Sites(table, Region())
    back = np.array([[1.0, 0, -7], [0, 1, -4], [0, 0, 1]])
    found = sites.places(sites.changes(frame, back), table.camera)
    assert len(found) == 1
    assert np.hypot(*np.subtract(found[0], BESIDE)) < 9


def test_a_large_change_is_covered_by_windows_but_not_by_endlessly_many() -> None:
    table = pictures().table
    rng = np.random.default_rng(2)
    frame = rng.integers(0, 255, table.reference_bgr.shape).astype(np.uint8)
    assert len(places(frame)) <= MOST_SITES
    wide = places(with_block((75.0, -30.0), 36.0))
    assert 1 < len(wide) < 12
    assert all(-20 < x < SIZE_MM[0] + 20 for x, _y in wide)
