"""Reading throws beside a simulated board: found, read, or said not to be readable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi

import numpy as np
import pytest

from tests.vision.tables import four_areas
from vision.calibration.calibrate import calibrate
from vision.dice.reader import DiceReader, DiceReading, Region, confidence_of
from vision.errors import PictureError
from vision.simulation.board_art import Image
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.dice import Body
from vision.simulation.table import Moment, Scene
from vision.simulation.throws import Group, Make, ThrowStudio, die_of
from vision.table import Table

SIZE_PX = (960, 720)
SIDES = (1, 1, 1, 1)
BLACK = Make(15.0, 1.2, (44, 42, 40), (240, 242, 242), 0.12, 0.24, 0.4, 0.2)
WHITE = Make(16.0, 2.0, (222, 232, 234), (30, 28, 28), 0.11, 0.24, 0.0, 0.1)
RIM = (75.0, 14.0)
PLACES = ((-45.0, 20.0), (-40.0, 75.0), (-50.0, 125.0), (200.0, 30.0), (190.0, 110.0))


@dataclass(frozen=True)
class Setup:
    """A simulated table, its bare picture, and the table calibrated from it."""

    studio: ThrowStudio
    bare: Image
    table: Table


@lru_cache(maxsize=4)
def setup(tilt_deg: float = 25.0, side_deg: float = 8.0) -> Setup:
    camera = SimulatedCamera((75.0, 70.0), 420.0, tilt_deg, side_deg, size_px=SIZE_PX)
    scene = Scene(camera=camera, lens=Lens(noise=1.5), clutter_seed=None, shadow_samples=2)
    studio = ThrowStudio(1, four_areas(), scene=scene)
    bare = studio.bare()
    corners = camera.px(np.array([[0.0, 0, 0], [150, 0, 0], [150, 140, 0], [0, 140, 0]]))
    return Setup(studio, bare, calibrate(studio.seen(bare, []), four_areas(), corners))


def thrown(*dice: Body) -> list[Group]:
    """Each die as a group of its own, on the table."""
    return [Group((die,), (), -2.0, die.middle_mm[:2]) for die in dice]


def game_die(top: int, at: tuple[float, float], make: Make = BLACK, turn: float = 0.5) -> Body:
    return die_of(make, at, -2.0, (top, 1, *SIDES), turn)


def faces(reading: DiceReading) -> list[int]:
    """Return the pips of all dice that were read, smallest first."""
    return sorted(die.pips for die in reading.dice)


@pytest.mark.parametrize("make", [BLACK, WHITE], ids=["black", "white"])
def test_faces_are_read_where_the_dice_lie(make: Make) -> None:
    here = setup()
    tops = (0, 1, 2, 1, 2)
    dice = [game_die(top, at, make, turn) for turn, (top, at) in enumerate(zip(tops, PLACES, strict=True))]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert reading.seen
    assert reading.unreadable == ()
    assert [die.pips for die in sorted(reading.dice, key=lambda die: _nearest(die.at_mm))] == list(tops)
    for die in reading.dice:
        assert np.hypot(*np.subtract(die.at_mm, PLACES[_nearest(die.at_mm)])) < 3.0


def _nearest(at: tuple[float, float]) -> int:
    return int(np.argmin([np.hypot(at[0] - x, at[1] - y) for x, y in PLACES]))


def test_touching_dice_are_told_apart() -> None:
    here = setup()
    dice = [game_die(top, (-45.0, 40.0 + 15.3 * i), turn=0.0) for i, top in enumerate((1, 2, 0))]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert [die.pips for die in sorted(reading.dice, key=lambda die: die.at_mm[1])] == [1, 2, 0]


def test_an_empty_table_has_no_dice() -> None:
    here = setup()
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, [], Moment(seed=9)))
    assert (reading.dice, reading.unreadable, reading.seen) == ((), (), True)


def test_dice_that_lay_there_at_calibration_are_of_no_account() -> None:
    here = setup()
    old = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0])))
    table = calibrate(old, four_areas(), here.table.corners_px)
    both = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0]), game_die(2, PLACES[3])), Moment(seed=5))
    assert faces(DiceReader(table).read(both)) == [2]


def test_dice_of_other_games_are_not_read() -> None:
    here = setup()
    dice = [die_of(WHITE, at, -2.0, (top, 1, 2, 5, 3, 4), 0.4) for top, at in zip((5, 6), PLACES[:2], strict=True)]
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(*dice)))
    assert (len(reading.dice), len(reading.unreadable)) == (0, 2)


def test_a_die_cut_off_by_the_picture_is_not_read() -> None:
    here = setup()
    camera = here.studio.camera
    x, y = camera.board_mm((6.0, 360.0), 13.0)
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(game_die(1, (float(x), float(y))))))
    assert reading.dice == ()


def test_only_the_tray_counts_where_there_is_one() -> None:
    here = setup()
    tray = Region((((-70.0, 0.0), (-20.0, 0.0), (-20.0, 90.0), (-70.0, 90.0)),))
    frame = here.studio.seen(here.bare, thrown(game_die(1, PLACES[0]), game_die(2, PLACES[3])))
    assert faces(DiceReader(here.table, tray).read(frame)) == [1]


def test_dice_on_the_map_are_clutter_and_those_on_the_rim_count() -> None:
    here = setup()
    on_map = die_of(WHITE, four_areas().areas[0].centres_mm[0], 0.0, (1, 1, *SIDES), 0.3)
    on_rim = die_of(BLACK, RIM, 0.0, (2, 1, *SIDES), 0.3)
    region = Region()
    assert not region.holds(on_map.middle_mm[:2], four_areas())
    assert region.holds(RIM, four_areas())
    frame = here.studio.seen(here.bare, [Group((die,), (), 0.0, die.middle_mm[:2]) for die in (on_map, on_rim)])
    reading = DiceReader(here.table).read(frame)
    assert faces(reading) == [2]


@pytest.mark.parametrize("side_deg", [97.0, 188.0])
def test_the_top_is_told_from_the_sides_from_any_side(side_deg: float) -> None:
    here = setup(35.0, side_deg)
    blank = die_of(WHITE, (-25.0, 70.0), -2.0, (0, 1, 2, 1, 1, 1), pi / 4)
    reading = DiceReader(here.table).read(here.studio.seen(here.bare, thrown(blank)))
    assert faces(reading) == [0]


def test_a_nudged_camera_changes_nothing() -> None:
    here = setup()
    moment = Moment(seed=3, shift_mm=(5.0, -3.0), turn_deg=1.0)
    bare = here.studio.bare((), moment)
    frame = here.studio.seen(bare, thrown(game_die(1, PLACES[1]), game_die(2, PLACES[4])), moment)
    reading = DiceReader(here.table).read(frame)
    assert faces(reading) == [1, 2]
    assert len(reading.unreadable) == 0


def test_a_frame_without_the_board_tells_nothing() -> None:
    here = setup()
    grey = np.full((SIZE_PX[1], SIZE_PX[0], 3), 90, np.uint8)
    reading = DiceReader(here.table).read(grey)
    assert (reading.dice, reading.unreadable, reading.seen) == ((), (), False)


def test_a_frame_of_another_shape_is_refused() -> None:
    with pytest.raises(PictureError, match="calibrated"):
        DiceReader(setup().table).read(np.zeros((480, 960, 3), np.uint8))


def test_confidence_grows_with_sureness_and_never_reaches_certainty() -> None:
    said = [confidence_of(raw) for raw in (0.0, 0.3, 0.6, 0.85, 0.95, 1.0)]
    assert said == sorted(said)
    assert said[-1] < 1.0
    assert confidence_of(0.5) < 0.5
