"""The map by itself: what is laid over it, and where its areas and spaces can be touched."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from companion.drawing.icons import ICONS
from companion.scenes.base.map_picture import Marks, Overlay, map_picture, start_picture
from companion.ui.screen import MapPicture, Trace
from companion.ui.table_pictures import Stack
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import piece
from companion.view.kit.theme import theme
from companion.view.layers.map import PAIR_MM, SPACES_APART_MM, draw_map, map_width
from companion.view.layers.map_areas import MapFrame, map_frame
from engine.orders.board import load_board
from engine.orders.game import new_game
from engine.orders.position import Position
from tests.tables import rivers

CROWDED = rivers(
    "e3:3 b1:2 e4:1 c6:2 c4:2 d5:1 d2:3 e1:2 d3:10",
    "a3:3 d1:1 c2:2 b5:4 a4:4 d4:1 b3:2",
    bonuses={"sun": "barracks", "moon": "war_room", "star": "shipyard"},
)
TRACES = (
    Trace("move", "red", "d5", "c4", 2),
    Trace("move", "red", "e4", "c3", 1),
    Trace("fire", "black", "b5", "c5", 1),
    Trace("more", "red", "", "d2", 2),
    Trace("less", "red", "", "d4", 1),
    Trace("less", "black", "", "d4", 2),
)


def drawn(picture: MapPicture, high: float = 464.0, turn: int = 0) -> Sheet:
    sheet = Sheet(Lettering(1.0), 1.0)
    draw_map(sheet, picture, Rect(0, 0, map_width(picture.board, high), high), turn)
    return sheet


def pictured(position: Position = CROWDED, **overlay: object) -> MapPicture:
    return map_picture(position, Marks(), None, Overlay(**overlay))  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("high", [464.0, 380.0])
@pytest.mark.parametrize("traces", [TRACES, ()])
def test_no_letters_on_the_map_lie_on_others(high: float, turn: int, traces: tuple[Trace, ...]) -> None:
    changes = {(area.name, "troop" if area.kind == "land" else "ship"): 2 for area in CROWDED.board.areas}
    marks = Marks() if traces else Marks(changes=changes)
    picture = map_picture(CROWDED, marks, None, Overlay(supply=True, points=True, traces=traces))
    sheet, lettering = drawn(picture, high, turn), Lettering(1.0)
    places = [(label.text, lettering.place_px(label)) for label in sheet.labels]
    inked = [(text, place.inflate(-2, -round(place.h * 0.4))) for text, place in places]
    clashes = [(a, b) for (a, box), (b, other) in itertools.combinations(inked, 2) if box.colliderect(other)]
    assert clashes == []


def test_what_a_turn_changed_is_told_in_numbers() -> None:
    before = [label.text for label in drawn(pictured()).labels]
    after = [label.text for label in drawn(pictured(traces=TRACES)).labels]
    for text in before:
        after.remove(text)
    assert sorted(after) == sorted(["2", "1", "−1", "+2", "−1", "−2"])


def test_an_arrow_without_room_for_its_number_is_drawn_all_the_same() -> None:
    crowd = tuple(Trace("move", "red", "d4", to, 9) for to in ("d3", "c3", "c4", "d5", "e4", "e3") for _ in range(3))
    sheet = drawn(pictured(traces=crowd), 240.0)
    assert sum(label.text == "9" for label in sheet.labels) < len(crowd)
    border = sheet.look.sides["red"].border
    assert sum(f'stroke="{border}"' in shape and 'fill="none"' in shape for shape in sheet.shapes) >= len(crowd)


def test_a_cut_chain_ends_in_a_sign_and_every_link_is_drawn_once() -> None:
    position = rivers("e3:3 e4:1 c6:2 b1:2", "a3:3")
    plain, lined = drawn(pictured(position)), drawn(pictured(position, supply=True))
    before, after = ("".join(sheet.shapes) for sheet in (plain, lined))
    assert after.count(ICONS["cut"].line) == 1
    links = after.count(theme().cream) - before.count(theme().cream)
    assert links == 2 + 2, "two links, the stump, and the ground of its sign"


def test_names_can_be_left_out() -> None:
    names = {area.name for area in CROWDED.board.areas}
    assert names <= {label.text for label in drawn(pictured()).labels}
    assert not names & {label.text for label in drawn(pictured(names=False)).labels}


def test_flags_tell_doubt_supply_and_what_was_set_by_hand_by_their_signs() -> None:
    plain = pictured()
    flags = {"d3": {"check": "differs"}, "e4": {"check": "hidden"}, "d2": {"change": "gained"}, "c3": {"change": "cut"}}
    flags |= {"c2": {"by_hand": True}}  # type: ignore[dict-item]
    areas = tuple(replace(area, **flags.get(area.name, {})) for area in plain.areas)  # type: ignore[arg-type]
    sheet = drawn(replace(plain, areas=areas))
    told = [label.text for label in sheet.labels]
    assert (told.count("!"), told.count("?")) == (1, 1)
    drawn_signs = "".join(sheet.shapes)
    for name in ("supply", "cut", "pencil"):
        icon = ICONS[name]
        assert drawn_signs.count(icon.fill or icon.line) == 1, name


def test_every_kind_of_unit_has_an_outline_of_its_own() -> None:
    drawings = set()
    for faction in ("red", "black"):
        for unit in ("troop", "ship", "siege"):
            sheet = Sheet(Lettering(1.0), 1.0)
            piece(sheet, faction, unit, ((20.0, 20.0), 10.0))
            drawings.add("".join(sheet.shapes))
    assert len(drawings) == 6


@pytest.mark.parametrize("turn", [0, 180])
def test_what_would_be_cut_off_is_flagged_beside_its_pieces(turn: int) -> None:
    castle = load_board("sengoku-fortress")
    bonuses = dict(zip(castle.slots, castle.mode.tokens, strict=False))
    begun = map_picture(new_game(castle.name, "red", bonuses), Marks(), None)
    area = next(area for area in begun.areas if area.bonus and castle.area(area.name).vp)
    besieged = replace(area, stacks=(Stack("red", "troop", 3), Stack("red", "siege", 1)), change="cut")
    told = drawn(replace(begun, areas=(besieged,)), turn=turn).abouts
    pieces = [about.rect for about in told if about.key == f"area:{area.name}" and about.rect.w < 30]
    flags = [about.rect for about in told if about.key == "supply-cut"]
    assert (len(pieces), len(flags)) == (2, 1)
    assert not any(flags[0].overlaps(piece) for piece in pieces)


# ---- what is touched -----------------------------------------------------------------------------

BOARD = load_board("sengoku-rivers")
PICTURE = start_picture(BOARD)
ON_MAP = {space.name for space in BOARD.spaces if space.at_mm is not None and space.area is not None}


def place(high: float) -> Rect:
    return Rect(0, 0, map_width(BOARD, high), high)


def framed(picture: MapPicture = PICTURE, high: float = 600.0) -> tuple[Sheet, MapFrame]:
    return drawn(picture, high), map_frame(BOARD, place(high), 0)


def touched(sheet: Sheet, verb: str) -> dict[str, Rect]:
    return {target.intent.what: target.rect for target in sheet.targets if target.intent.verb == verb}


def with_space(name: str, **more: object) -> MapPicture:
    spaces = tuple(replace(old, **more) if old.name == name else old for old in PICTURE.spaces)  # type: ignore[arg-type]
    return replace(PICTURE, spaces=spaces)


def test_a_map_is_as_broad_as_its_board_is() -> None:
    assert map_width(BOARD, 300.0) * 2 == pytest.approx(map_width(BOARD, 600.0))


def test_each_area_can_be_touched_within_the_map() -> None:
    sheet, _frame = framed()
    areas = touched(sheet, "area")
    assert set(areas) == {area.name for area in BOARD.areas}
    assert all(box.x >= -1 and box.right <= place(600).w + 1 and box.bottom <= 601 for box in areas.values())


@pytest.mark.parametrize(("part", "found"), [(1.01, ON_MAP), (0.99, set())])
def test_spaces_can_be_touched_by_themselves_where_they_are_large_enough(part: float, found: set[str]) -> None:
    sheet, frame = framed()
    enough = sheet.touch / (SPACES_APART_MM * frame.unit)
    assert set(touched(framed(high=600.0 * enough * part)[0], "space")) == found


def test_a_touch_on_a_space_goes_before_its_area() -> None:
    sheet, frame = framed(high=1200.0)
    space = next(spot for spot in BOARD.spaces if spot.name == "advance:c4")
    assert space.at_mm is not None
    x, y = frame.at(space.at_mm)
    hit = [target.intent for target in sheet.targets if target.hit((x, y))][-1]
    assert (hit.verb, hit.what) == ("space", "advance:c4")


@pytest.mark.parametrize("chosen", [True, False])
def test_a_space_that_may_be_touched_stands_out(chosen: bool) -> None:
    plain, _frame = framed()
    sheet, _frame = framed(with_space("advance:c4", live=not chosen, chosen=chosen))
    before, after = ("".join(page.shapes).count(f'"{page.look.accent}"') for page in (plain, sheet))
    assert after - before == (2 if chosen else 1), "its rim asks, and what is chosen is filled as well"


def test_two_commanders_stand_beside_one_another() -> None:
    for held in (("red",), ("red", "black")):
        sheet, frame = framed(with_space("advance:c4", held_by=held))
        places = [about.rect for about in sheet.abouts if about.key == "space:advance:c4"]
        middles = sorted({round(box.centre[0], 3) for box in places})
        assert len(middles) == len(held)
        assert middles[-1] - middles[0] == pytest.approx((len(held) - 1) * 2 * PAIR_MM * frame.unit, abs=0.01)
