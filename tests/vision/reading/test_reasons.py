"""Why an area's confidence isn't higher, by name."""

from __future__ import annotations

import pytest

from tests.vision.tables import pictures
from vision.geometry import Picture
from vision.reading.count import CountBelief
from vision.reading.read import read
from vision.reading.reasons import CLEAR, REASONS, named_where_it_counts, reasons_for, with_light

MODEL = (0.0, 1.0, -0.2, -0.5, -2.0, -0.5, -3.0, -0.1, -1.0)
SURE, UNSURE = (CountBelief((((), chance),)) for chance in (0.9999, 0.6))


def doubts(**measures: float) -> tuple[float, ...]:
    names = ("unlike", "contrast", "light", "glare", "start", "relit")
    return tuple(measures.get(name, clear) for name, clear in zip(names, CLEAR[2:], strict=True))


def test_what_costs_most_is_named_first() -> None:
    counts = {"a1": SURE, "b1": SURE, "a2": UNSURE}
    found = reasons_for(counts, MODEL, {"a1": doubts(contrast=0.9), "b1": doubts(glare=0.6), "a2": doubts()}, {})
    assert (found["a1"][0], found["b1"][0], found["a2"][0]) == ("contrast", "glare", "belief")


def test_what_settles_it_by_itself_comes_before_all_else() -> None:
    found = reasons_for({"a1": UNSURE}, MODEL, {"a1": doubts()}, {"a1": ("line",)})
    assert found["a1"][:2] == ("line", "belief")


def test_only_what_is_not_certain_has_a_reason_and_then_always_one() -> None:
    assert named_where_it_counts({"a1": ("glare",)}, {"a1": 0.5, "b1": 0.97, "a2": 0.995}) == {
        "a1": ("glare",),
        "b1": ("belief",),
    }


def test_another_light_is_a_reason_wherever_something_can_be_read() -> None:
    told = with_light({"a1": ("belief",), "b1": ("light",), "a2": ("edge",)})
    assert told == {"a1": ("belief", "light"), "b1": ("light",), "a2": ("edge",)}


def dimmed(picture: Picture) -> Picture:
    """Return the picture with its right half in shadow."""
    half = picture.copy()
    half[:, picture.shape[1] // 2 :] //= 2
    return half


@pytest.mark.parametrize("shadow", [False, True])
def test_every_area_that_is_not_certain_says_why(shadow: bool) -> None:
    frame = pictures().later.picture
    reading = read(pictures().table, dimmed(frame) if shadow else frame)
    assert reading.is_in_other_light is shadow
    for area, sure in reading.confidence.items():
        reasons = reading.why.get(area, ())
        assert (sure >= 0.99) is not bool(reasons)
        assert set(reasons) <= set(REASONS)
        assert not shadow or sure >= 0.99 or "light" in reasons or area in reading.unreadable
