"""The painter: the same picture for the same job, in the colours that were asked for, and text stays readable on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.grounds.brushes import Mask, wave_scales
from companion.grounds.job import STYLES, job_from_text
from companion.grounds.painter import _draw_clouds, paint
from tests.companion.grounds.jobs import small_job

EVERY_STYLE = pytest.mark.parametrize("style", STYLES)


@EVERY_STYLE
def test_a_job_is_painted_the_same_each_time(style: str) -> None:
    first, second = paint(small_job(style)), paint(small_job(style))
    assert first.shape == (48, 64, 3)
    assert np.array_equal(first, second)


@EVERY_STYLE
@pytest.mark.parametrize("scenery", ["", "woods", "mountains", "sea"])
def test_land_and_water_keep_the_colours_that_were_asked_for(style: str, scenery: str) -> None:
    picture = paint(small_job(style, scenery))
    land, water = picture[8:16, 8:16].mean(axis=(0, 1)), picture[30:40, 44:56].mean(axis=(0, 1))
    assert land[0] > land[2]
    assert water[2] > water[0]


def test_other_colours_give_another_picture_and_another_name() -> None:
    job, other = small_job(), replace(small_job(), land_colour="#405060")
    assert job.name != other.name
    assert paint(other)[10:40, 8:26].mean() < paint(job)[10:40, 8:26].mean() - 40


def test_a_job_survives_its_way_to_the_painter() -> None:
    assert job_from_text(small_job().as_text()) == small_job()


def test_clouds_come_in_from_both_sides_where_there_is_no_map() -> None:
    free = np.ones((72, 200), np.float32)
    free[:, 150:] = 0
    picture = np.zeros((72, 200, 3), np.float32)
    _draw_clouds(picture, free)
    inked = picture.max(axis=2) > 0
    assert inked[:12, :20].any()
    assert not inked[20:50].any()
    assert not inked[:, 150:].any(), "there lies the map"
    assert picture.max() <= 255
    other = np.zeros((72, 200, 3), np.float32)
    _draw_clouds(other, free[:, ::-1])
    assert other[:, -20:].any()
    assert not other[:, :50].any()


def test_a_scale_of_the_waves_hides_what_lies_behind_it() -> None:
    radius = 40.0
    lines = wave_scales((160, 160), radius)
    turns = np.radians(np.arange(-40, 41))

    def seen(share: float) -> Mask:
        """Return what is drawn so far from a scale's middle, in parts of its radius, on its upper side."""
        across, down = radius + share * radius * np.sin(turns), 1.5 * radius - share * radius * np.cos(turns)
        return np.asarray(lines[np.round(down).astype(int), np.round(across).astype(int)])

    assert (seen(0.97) > 0.5).all()
    assert (seen(0.8) == 0).all()
