"""Good pictures are left alone; spoiled ones are told what is wrong, and where."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.demo.table import marks_of
from companion.perception.adapters import plan_of
from engine.orders.board import load_board
from vision.calibration.faults import Fault, blur_px, faults_of, reasons_not_found, start_faults, tilt_deg
from vision.geometry import apply, board_from_image
from vision.plan import BoardPlan
from vision.reading.read import Reading
from vision.simulation.tables import table_shots

pytestmark = pytest.mark.long

Picture = np.ndarray
SEEDS = (700002, 700011)


@lru_cache(maxsize=1)
def rivers() -> BoardPlan:
    return plan_of(load_board("sengoku-rivers"))


@lru_cache(maxsize=4)
def empty(seed: int) -> tuple[Picture, np.ndarray]:
    """Return a simulated table's empty board and its corners."""
    shot = table_shots(seed, rivers(), marks_of(load_board("sengoku-rivers"))).reference()
    return shot.picture, np.asarray(shot.truth["corners_px"])


def kinds(faults: tuple[Fault, ...]) -> list[str]:
    return [fault.kind for fault in faults]


def noisy(picture: np.ndarray, seed: int = 1) -> Picture:
    """Return the picture as a sensor would give it, after something was done to it."""
    grain = np.random.default_rng(seed).normal(0, 3, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", SEEDS)
def test_good_pictures_are_left_alone(seed: int) -> None:
    picture, corners = empty(seed)
    assert faults_of(picture, rivers(), corners) == ()
    assert faults_of(picture, rivers()) == ()


def streak(picture: Picture, turned: bool) -> np.ndarray:
    """As if the camera had moved by 15 px."""
    line = np.zeros((15, 15), np.float32)
    line[7] = 1 / 15
    return cv2.filter2D(picture, -1, line.T if turned else line)


SPOILED: list[tuple[str, Callable[[Picture], np.ndarray]]] = [
    ("dark", lambda picture: picture * 0.2),
    ("dark", lambda picture: 60 + picture * 0.1),
    ("bright", lambda picture: picture * 3.5 + 80),
    ("blurred", lambda picture: cv2.GaussianBlur(picture, (0, 0), 3.2)),
    ("shaken", lambda picture: streak(picture, turned=False)),
    ("shaken", lambda picture: streak(picture, turned=True)),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("kind", "spoil"), SPOILED)
def test_spoiled_pictures_are_told(seed: int, kind: str, spoil: Callable[[Picture], np.ndarray]) -> None:
    picture, corners = empty(seed)
    found = faults_of(noisy(spoil(picture)), rivers(), corners)
    assert kinds(found) == [kind]
    assert found[0].places == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_why_a_board_is_not_found_is_told_where_it_can_be(seed: int) -> None:
    picture, _ = empty(seed)
    assert reasons_not_found(picture, rivers()) == ()
    assert kinds(reasons_not_found(noisy(picture * 0.2), rivers())) == ["dark"]
    assert kinds(reasons_not_found(noisy(streak(np.asarray(streak(picture, False), np.uint8), False)), rivers())) == [
        "shaken"
    ]
    lit = cv2.circle(picture.astype(np.float64), (1000, 300), 130, (255, 255, 255), -1)
    [shine] = reasons_not_found(np.asarray(lit, np.uint8), rivers())
    assert (shine.kind, shine.places) == ("shine", ("top right",))
    assert shine.value > shine.limit


@pytest.mark.parametrize("seed", SEEDS)
def test_glare_is_told_with_its_area(seed: int) -> None:
    picture, corners = empty(seed)
    area = rivers().area("c4")
    x, y = apply(
        np.asarray(np.linalg.inv(board_from_image(corners, rivers().size_mm)), np.float64), [area.centres_mm[0]]
    )[0]
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    lamp = 450 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * 35.0**2))
    found = faults_of(noisy(picture + lamp[..., None]), rivers(), corners)
    assert kinds(found) == ["glare"]
    assert "c4" in found[0].places
    assert not {"a1", "e3", "e1"} & set(found[0].places)
    assert found[0].value > found[0].limit


def test_a_corner_outside_the_picture_is_named() -> None:
    picture, corners = empty(SEEDS[0])
    shift = -float(corners[:, 0].min()) - 20
    moved = cv2.warpAffine(picture, np.array([[1, 0, shift], [0, 1, 0]]), (picture.shape[1], picture.shape[0]))
    moved_corners = corners + np.array([shift, 0])
    found = faults_of(np.asarray(moved, np.uint8), rivers(), moved_corners)
    assert found[0].kind == "cut-off"
    assert set(found[0].places) == {
        name
        for name, x in zip(("top left", "top right", "bottom right", "bottom left"), moved_corners[:, 0], strict=True)
        if x < 1.5
    }


def test_a_board_far_away_is_too_small_and_one_seen_from_low_down_too_steep() -> None:
    picture, corners = empty(SEEDS[0])
    far = cv2.resize(picture, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    canvas = cv2.copyMakeBorder(far, 0, 576, 0, 768, cv2.BORDER_REPLICATE)
    assert "small" in kinds(faults_of(np.asarray(canvas, np.uint8), rivers(), corners * 0.4))
    low = np.array([[420.0, 300.0], [860.0, 300.0], [1250.0, 700.0], [30.0, 700.0]])
    assert tilt_deg(low, (1280, 960), rivers()) > 50
    assert "steep" in kinds(faults_of(picture, rivers(), low))


def test_a_picture_of_few_pixels_is_told_and_a_large_one_is_judged_smaller() -> None:
    picture, corners = empty(SEEDS[0])
    small = np.asarray(cv2.resize(picture, (320, 240)), np.uint8)
    assert kinds(faults_of(small, rivers(), corners / 4)) == ["few-pixels"]
    large = np.asarray(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert faults_of(large, rivers(), corners * 3) == ()
    assert kinds(faults_of(noisy(picture * 0.2), rivers())) == ["dark"], "before the board is found"
    assert kinds(faults_of(noisy(cv2.GaussianBlur(picture, (0, 0), 4.0)), rivers())) == ["blurred"]
    assert blur_px(np.full((480, 640, 3), 99, np.uint8), np.zeros((480, 640), np.bool_)) is None, "it has no edges"


# ---- the starting position ----------------------------------------------------------------------


def reading(
    units: dict[str, dict[str, dict[str, int]]], doubts: dict[str, float] | None = None, hidden: tuple[str, ...] = ()
) -> Reading:
    sure = dict.fromkeys((area.name for area in rivers().areas), 0.99) | (doubts or {})
    return Reading(units, {}, sure, hidden, 1.0, quality=0.4)


def test_what_differs_from_the_printed_start_is_named() -> None:
    units = rivers().start_units()
    assert start_faults(rivers(), reading(units)) == start_faults(rivers(), reading(units, {"e3": 0.7})) == ()
    units["e3"]["red"]["troop"] -= 1
    assert start_faults(rivers(), reading(units, {"e3": 0.7})) == (Fault("unsure", ("e3",), 1.0),), "one is in doubt"
    units["e3"] = {"black": {"troop": 3}}
    assert start_faults(rivers(), reading(units)) == (Fault("missing", ("e3",), 3.0),), "they are the other side's"
    units = rivers().start_units()
    units["e3"]["red"]["troop"] -= 2
    units["c4"] = {"black": {"troop": 1}}
    found = start_faults(rivers(), reading(units, hidden=("b2",)))
    assert found == (
        Fault("covered", ("b2",)),
        Fault("missing", ("e3",), 2.0),
        Fault("extra", ("c4",), 1.0),
    )


def test_a_start_that_looks_like_the_empty_board_or_nothing_at_all_is_told_as_that() -> None:
    """Pieces were on it in the first photo, too, or stand nowhere yet: each of ten areas lacking its own is no help."""
    full = sorted({area for area, *_ in rivers().start})
    assert start_faults(rivers(), reading({})) == (Fault("same", tuple(full), 10.0),)
    some = {area: units for area, units in rivers().start_units().items() if area in full[:3]}
    assert kinds(start_faults(rivers(), reading(some))) != ["same"]
    names = tuple(area.name for area in rivers().areas)
    assert start_faults(rivers(), reading({}, hidden=names)) == (Fault("moved", value=0.4),)


def test_a_side_whose_pieces_are_not_seen_is_named() -> None:
    """Its areas are told once; what else is wrong is told as always."""
    units = rivers().start_units()
    for forces in units.values():
        forces.pop("black", None)
    units["e3"]["red"]["troop"] -= 2
    blind = tuple(sorted({area for area, faction, *_ in rivers().start if faction == "black"}))
    assert start_faults(rivers(), reading(units)) == (
        Fault("unseen", blind, float(len(blind)), side="black"),
        Fault("missing", ("e3",), 2.0),
    )
    assert kinds(start_faults(rivers(), reading(units), ["black"])) == ["unseen", "missing"], "named once"
    assert start_faults(rivers(), reading(rivers().start_units()), ["black"]) == (Fault("faint", side="black"),)
    half = rivers().start_units()
    for area in blind[::2]:
        del half[area]["black"]
    assert kinds(start_faults(rivers(), reading(half))) == ["missing"]
