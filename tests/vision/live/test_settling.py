"""What counts as motion, when readings may be believed, and that several of one scene make the eye no surer."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.tables import four_areas, moved, pictures
from vision.live.preview import detail_of, is_still, map_lines, preview_of, stillness_of
from vision.live.settling import (
    CELL_PX,
    COVERED_S,
    FLICKER_MOST,
    FLICKER_S,
    HOLD_S,
    MOST_AVERAGED,
    Motion,
    SettledReading,
    Settling,
    StillMean,
    cells_within,
    changed_cells,
    fuse,
    is_dark,
    is_motion,
    shift_between,
    small_of,
)
from vision.reading.count import Combo, CountBelief
from vision.reading.read import Reading

Rng = np.random.Generator


def scene() -> np.ndarray:
    return pictures().start.picture


def as_taken(picture: np.ndarray, rng: Rng, noise: float = 5.0, light: np.ndarray | float = 1.0) -> np.ndarray:
    """Return the picture, made small, in another light, (rows,) or one, with a camera's noise."""
    lit = picture * np.broadcast_to(light, picture.shape[:1])[:, None, None]
    return small_of(np.clip(lit + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8))


def with_hand(picture: np.ndarray) -> np.ndarray:
    return cv2.ellipse(picture.copy(), (380, 260), (110, 60), 20, 0, 360, (120, 150, 200), -1)


BANDS = [1 + 0.07 * np.sin(np.arange(480) / 45 + phase) for phase in (0.0, 2.2)]
"""Two moments of a flickering lamp's light, row by row."""


@pytest.mark.parametrize(
    ("noise", "before", "after"),
    [
        *((noise, 1.0, 1.0) for noise in (0.0, 4.0, 12.0)),
        *((5.0, 1.0, gain) for gain in (0.6, 0.85, 1.15)),
        (5.0, *BANDS),
    ],
    ids=["none", "noise", "much noise", "darker", "a little darker", "lighter", "the bands of a flickering lamp"],
)
def test_noise_and_lamps_are_no_motion(noise: float, before: np.ndarray | float, after: np.ndarray | float) -> None:
    rng = np.random.default_rng(1)
    first, second = (as_taken(scene(), rng, noise, light) for light in (before, after))
    assert not is_motion(changed_cells(first, second))


def test_a_hand_is_motion_where_it_is() -> None:
    rng = np.random.default_rng(4)
    cells = changed_cells(as_taken(scene(), rng), as_taken(with_hand(scene()), rng))
    assert is_motion(cells)
    rows, columns = np.nonzero(cells)
    assert abs(rows.mean() * CELL_PX * 2 - 260) < 30
    assert abs(columns.mean() * CELL_PX * 2 - 380) < 40


def test_a_hand_that_creeps_is_seen_against_a_while_ago() -> None:
    motion, rng = Motion(), np.random.default_rng(5)
    hand = [moved(with_hand(scene()), (0.5 * i, 0.0))[0] for i in range(10)]
    assert is_motion(motion.moving_cells(as_taken(hand[0], rng), 0.0)), "of the first picture nothing is known"
    seen = [is_motion(motion.moving_cells(as_taken(picture, rng), 0.1 * i)) for i, picture in enumerate(hand[1:], 1)]
    assert any(seen)


def test_slow_light_is_never_motion() -> None:
    motion, rng = Motion(), np.random.default_rng(6)
    motion.moving_cells(as_taken(scene(), rng), 0.0)
    across = np.linspace(-1, 1, 640)
    for i in range(1, 60):
        lit = scene() * (1 + 0.003 * i * across)[None, :, None]  # the sun comes round
        assert not is_motion(motion.moving_cells(as_taken(lit, rng), 0.1 * i))


def test_a_picture_of_another_size_begins_anew() -> None:
    motion = Motion()
    motion.moving_cells(small_of(scene()), 0.0)
    assert is_motion(motion.moving_cells(small_of(scene()[:400]), 0.1))


def test_pictures_become_small_and_the_dark_is_seen_in_them() -> None:
    assert small_of(np.zeros((3040, 4056, 3), np.uint8)).shape == (240, 320)
    assert small_of(scene()).shape == (240, 320)
    assert is_dark(small_of((scene() * 0.02).astype(np.uint8)))
    assert not is_dark(small_of((scene() * 0.3).astype(np.uint8)))


def test_cells_on_the_board() -> None:
    outline = np.array([[0.25, 0.2], [0.75, 0.2], [0.75, 0.6], [0.25, 0.6]])
    cells = cells_within(outline, (240, 320))
    assert cells.shape == (30, 40)
    assert cells[15, 20]
    assert not cells[2, 20]
    assert not cells[15, 2]


@pytest.mark.parametrize(("across", "turn_deg"), [(3.0, 0.0), (12.0, 0.0), (0.0, 1.0), (-5.0, -0.5)])
def test_a_knock_moves_the_whole_picture(across: float, turn_deg: float) -> None:
    rng = np.random.default_rng(7)
    found = shift_between(as_taken(scene(), rng, 3.0), as_taken(moved(scene(), (across, 0.0), turn_deg)[0], rng, 3.0))
    assert found is not None
    assert found.turn_deg == pytest.approx(-turn_deg, abs=0.1)
    assert found.share > 0.9 * abs(across) / 640
    assert found.share > 0.5 * np.radians(abs(turn_deg))


def test_a_hand_is_no_knock() -> None:
    found = shift_between(small_of(scene()), small_of(with_hand(scene())))
    assert found is None or found.share < 0.001


@pytest.mark.parametrize(
    "other",
    [
        np.full((480, 640, 3), 90, np.uint8),
        np.zeros((480, 640, 3), np.uint8),
        cv2.GaussianBlur(np.random.default_rng(8).integers(0, 255, (480, 640, 3), np.uint8), (0, 0), 3),
    ],
    ids=["grey", "black", "another scene"],
)
def test_nothing_to_follow_is_no_shift(other: np.ndarray) -> None:
    assert shift_between(small_of(other), small_of(scene())) is None
    assert shift_between(small_of(scene()), small_of(other)) is None


TWO: Combo = (("red", "troop", 2),)
THREE: Combo = (("red", "troop", 3),)
NONE: Combo = ()


def reading(
    a1: dict[Combo, float] | None = None, leader: float = 0.0, hidden: tuple[str, ...] = (), b2: float = 0.98
) -> Reading:
    """Return a reading of two areas and a space.

    a1: as told; b2: the probability that b2 is empty; leader: that red's commander is on advance:a1.
    """
    beliefs = {"a1": a1 or {TWO: 0.95, THREE: 0.05}, "b2": {NONE: b2, TWO: 1 - b2}}
    counts = {
        area: CountBelief(tuple(sorted(options.items(), key=lambda option: -option[1])))
        for area, options in beliefs.items()
    }
    return Reading(
        units={"a1": {"red": {"troop": 2}}},
        commanders={"advance:a1": "red"} if leader > 0.5 else {},
        confidence={area: 0.0 if area in hidden else count.confidence for area, count in counts.items()},
        unreadable=hidden,
        ms=1.0,
        counts=counts,
        leaders={"advance:a1": {"red": leader}} if leader else {},
    )


def settle(
    readings: list[Reading], every_s: float = 0.3, usual: frozenset[str] = frozenset()
) -> tuple[float, SettledReading]:
    """When readings that come so often settle, and as what; the last one goes on coming."""
    settling = Settling()
    for i in range(100):
        held = settling.add(readings[min(i, len(readings) - 1)], i * every_s, usual)
        if held is not None:
            return i * every_s, held
    raise AssertionError("it never settles")


def test_what_holds_for_a_second_is_settled() -> None:
    when, held = settle([reading()])
    assert HOLD_S <= when < HOLD_S + 0.3
    assert held.reading.units == {"a1": {"red": {"troop": 2}}}
    assert held.areas == held.spaces == ()
    assert settle([reading()], every_s=1.0)[0] == 2.0, "two far apart are too few"


def test_a_table_that_changes_settles_on_what_it_became() -> None:
    when, held = settle([reading({THREE: 0.99}), reading({THREE: 0.99}), reading()])
    assert when >= 0.6 + HOLD_S
    assert held.reading.counts["a1"].best == TWO
    assert held.areas == (), "what was before is no doubt"


def test_motion_in_between_begins_anew() -> None:
    settling = Settling()
    assert settling.add(reading(), 0.0) is None
    assert settling.holding
    settling.clear()
    assert not settling.holding
    assert settling.add(reading(), 1.5) is None
    assert settling.add(reading(), 2.0) is None
    assert settling.add(reading(), 2.5) is not None


def test_what_flickers_is_waited_for_and_then_unsure() -> None:
    flicker = [reading(), reading({THREE: 0.97, TWO: 0.03}, leader=0.9)] * 20
    when, held = settle(flicker)
    assert when >= FLICKER_S
    assert held.areas == ("a1",)
    assert held.spaces == ("advance:a1",)
    assert held.reading.confidence["a1"] <= FLICKER_MOST
    assert held.reading.confidence["b2"] == 0.98
    assert held.reading.leaders["advance:a1"]["red"] <= FLICKER_MOST


def test_what_is_covered_is_waited_for_longer() -> None:
    when, held = settle([reading(hidden=("a1",))])
    assert when >= COVERED_S
    assert held.reading.unreadable == ("a1",)
    assert held.reading.confidence["a1"] == 0.0
    assert "a1" not in held.reading.units
    lay_there_before, _ = settle([reading(hidden=("a1",))], usual=frozenset({"a1"}))
    assert lay_there_before < COVERED_S


def test_beliefs_are_averaged_and_what_one_reading_does_not_see_is_out_of_sight() -> None:
    held = fuse([reading({TWO: 0.9, THREE: 0.1}, leader=0.6), reading({TWO: 0.7, NONE: 0.3}, leader=0.8)])
    assert dict(held.reading.counts["a1"].options) == pytest.approx({TWO: 0.8, NONE: 0.15, THREE: 0.05})
    assert held.reading.leaders["advance:a1"]["red"] == pytest.approx(0.7)
    assert held.reading.commanders == {"advance:a1": "red"}
    missed = fuse([reading(leader=0.9), reading()])
    assert missed.spaces == ("advance:a1",)
    assert missed.reading.leaders["advance:a1"]["red"] == pytest.approx(0.45), "not seen counts as not there"
    assert missed.reading.commanders == {}
    seen, covered = (replace(reading(), support=spaces) for spaces in (("plan:1", "plan:2"), ("plan:2",)))
    assert fuse([seen, seen]).reading.support == ("plan:1", "plan:2")
    assert fuse([seen, covered]).reading.support == ("plan:2",)


@given(st.lists(st.floats(0.02, 0.98), min_size=1, max_size=6))
def test_readings_together_are_never_surer_than_the_surest(chances: list[float]) -> None:
    readings = [reading({TWO: p, THREE: 1 - p}) for p in chances]
    together = fuse(readings).reading
    assert together.counts["a1"].confidence <= max(look.counts["a1"].confidence for look in readings) + 1e-9
    assert sum(p for _, p in together.counts["a1"].options) <= 1 + 1e-9


# ---- the mean of still pictures -----------------------------------------------------------------


def test_the_mean_of_pictures_has_less_noise() -> None:
    rng = np.random.default_rng(1)
    clean = np.full((60, 80, 3), 100.0)
    mean = StillMean()
    noisy = [np.round(clean + rng.normal(0, 10, clean.shape)).astype(np.uint8) for _ in "1234"]
    for picture in noisy:
        mean.add(picture)
    seen = mean.mean
    assert seen.dtype == np.uint8
    assert np.std(seen - clean) < 0.6 * np.std(noisy[0] - clean)
    assert abs(float(seen.mean()) - 100) < 0.5


def test_the_mean_begins_anew_when_told_and_with_another_size() -> None:
    mean = StillMean()
    mean.add(np.full((4, 4, 3), 10, np.uint8))
    mean.clear()
    mean.add(np.full((4, 4, 3), 90, np.uint8))
    assert mean.mean[0, 0, 0] == 90
    mean.add(np.full((2, 4, 3), 30, np.uint8))
    assert mean.mean[0, 0, 0] == 30
    mean.clear()
    for _ in range(MOST_AVERAGED):
        mean.add(np.full((2, 2, 3), 255, np.uint8))
    mean.add(np.zeros((2, 2, 3), np.uint8))
    assert mean.mean[0, 0, 0] == 255, "it has an end"


def decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))


def two_colours() -> np.ndarray:
    picture = np.full((960, 1280, 3), 120, np.uint8)
    cv2.rectangle(picture, (300, 200), (900, 800), (40, 90, 200), -1)
    return picture


def test_a_preview_is_small_and_knows_what_it_is_of() -> None:
    found = preview_of(two_colours(), 400)
    assert (found.size_px, found.of_px) == ((400, 300), (1280, 960))
    assert decoded(found.jpeg).shape == (300, 400, 3)
    assert preview_of(two_colours(), 5000).size_px == (1280, 960), "it is never enlarged"


def test_a_detail_is_enlarged_about_its_place() -> None:
    shown = decoded(detail_of(two_colours(), (300 / 1280, 200 / 960), 20.0, 160))
    assert shown.shape == (160, 160, 3)
    assert np.abs(shown[120, 120].astype(int) - (40, 90, 200)).max() < 12
    assert np.abs(shown[40, 40].astype(int) - 120).max() < 12
    beyond = decoded(detail_of(two_colours(), (0.0, 0.0), 20.0, 160))
    assert np.abs(beyond[30, 30].astype(int) - 60).max() < 12, "outside the picture it is grey"


def test_a_hand_moves_and_a_lamp_does_not() -> None:
    grain = np.random.default_rng(1)
    pictures = [
        np.clip(two_colours() + grain.normal(0, 5, two_colours().shape), 0, 255).astype(np.uint8) for _ in range(2)
    ]
    before, same = map(stillness_of, pictures)
    assert is_still(before, same)
    assert is_still(before, stillness_of(np.clip(two_colours().astype(int) + 12, 0, 255).astype(np.uint8)))
    hand = pictures[1].copy()
    cv2.ellipse(hand, (640, 900), (60, 140), 0, 0, 360, (120, 150, 210), -1)
    assert not is_still(before, stillness_of(hand))


def test_the_map_lies_between_its_corners() -> None:
    corners = [(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)]
    lines = map_lines(four_areas(), corners, (1280, 960))
    assert lines.edge == tuple(corners)
    assert set(lines.areas) == set(lines.names) == {"a1", "b1", "a2", "b2"}
    assert lines.names["a1"][0] == pytest.approx(0.25 + 0.5 * 42 / 150)
    assert lines.names["a1"][1] == pytest.approx(0.25 + 0.5 * 98 / 140)
    assert len(lines.areas["a1"]) == 6
