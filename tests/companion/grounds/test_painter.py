"""The painter: the same picture for the same job, in the colours that were asked for, and text stays readable on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.grounds.job import STYLES, job_from_text
from companion.grounds.painter import paint
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
