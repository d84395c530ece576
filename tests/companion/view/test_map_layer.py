"""The map by itself: where its areas and spaces can be touched, and who is drawn on a space."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scenes.base.map_picture import start_picture
from companion.ui.screen import MapPicture
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.layers.map import PAIR_MM, SPACES_APART_MM, draw_map, map_width
from companion.view.layers.map_frame import MapFrame, map_frame
from engine.orders.board import load_board

BOARD = load_board("sengoku-rivers")
PICTURE = start_picture(BOARD)
ON_MAP = {space.name for space in BOARD.spaces if space.at_mm is not None and space.area is not None}


def place(high: float) -> Rect:
    return Rect(0, 0, map_width(BOARD, high), high)


def drawn(picture: MapPicture = PICTURE, high: float = 600.0) -> tuple[Sheet, MapFrame]:
    sheet = Sheet(Lettering(1.0), 1.0, theme("dark"))
    draw_map(sheet, picture, place(high))
    return sheet, map_frame(BOARD, place(high), 0)


def touched(sheet: Sheet, verb: str) -> dict[str, Rect]:
    return {target.intent.what: target.rect for target in sheet.targets if target.intent.verb == verb}


def with_space(name: str, **more: object) -> MapPicture:
    spaces = tuple(replace(old, **more) if old.name == name else old for old in PICTURE.spaces)  # type: ignore[arg-type]
    return replace(PICTURE, spaces=spaces)


def test_a_map_is_as_broad_as_its_board_is() -> None:
    assert map_width(BOARD, 300.0) * 2 == pytest.approx(map_width(BOARD, 600.0))


def test_each_area_can_be_touched_within_the_map() -> None:
    sheet, _frame = drawn()
    areas = touched(sheet, "area")
    assert set(areas) == {area.name for area in BOARD.areas}
    assert all(box.x >= -1 and box.right <= place(600).w + 1 and box.bottom <= 601 for box in areas.values())


@pytest.mark.parametrize(("part", "found"), [(1.01, ON_MAP), (0.99, set())])
def test_spaces_can_be_touched_by_themselves_where_they_are_large_enough(part: float, found: set[str]) -> None:
    sheet, frame = drawn()
    enough = sheet.touch / (SPACES_APART_MM * frame.unit)
    assert set(touched(drawn(high=600.0 * enough * part)[0], "space")) == found


def test_a_touch_on_a_space_goes_before_its_area() -> None:
    sheet, frame = drawn(high=1200.0)
    space = next(spot for spot in BOARD.spaces if spot.name == "advance:c4")
    assert space.at_mm is not None
    x, y = frame.at(space.at_mm)
    hit = [target.intent for target in sheet.targets if target.hit((x, y))][-1]
    assert (hit.verb, hit.what) == ("space", "advance:c4")


@pytest.mark.parametrize("chosen", [True, False])
def test_a_space_that_may_be_touched_stands_out(chosen: bool) -> None:
    plain, _frame = drawn()
    sheet, _frame = drawn(with_space("advance:c4", live=not chosen, chosen=chosen))
    before, after = ("".join(page.shapes).count(f'"{page.look.accent}"') for page in (plain, sheet))
    assert after - before == (2 if chosen else 1), "its rim asks, and what is chosen is filled as well"


def test_two_commanders_stand_beside_one_another() -> None:
    for held in (("red",), ("red", "black")):
        sheet, frame = drawn(with_space("advance:c4", held_by=held))
        places = [about.rect for about in sheet.abouts if about.key == "space:advance:c4"]
        middles = sorted({round(box.centre[0], 3) for box in places})
        assert len(middles) == len(held)
        assert middles[-1] - middles[0] == pytest.approx((len(held) - 1) * 2 * PAIR_MM * frame.unit, abs=0.01)
