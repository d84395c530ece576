"""Switches, the ruler, the ring, crosses, slips, the keyboard: drawn so that a finger and an eye can use them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.app.app import App
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.typing import Typed
from companion.scenes.home.start import BrokenScene
from companion.settings.layers import Broken
from companion.ui.screen import (
    Coach,
    Crosses,
    Grid,
    Hold,
    Intent,
    MapPicture,
    Ruler,
    Screen,
    Slip,
    StatusRow,
    SupplyChain,
    Switch,
    TextLine,
)
from companion.view.blocks import controls
from companion.view.blocks.blocks import lay
from companion.view.blocks.controls import draw_keys, draw_text_line
from companion.view.blocks.slips import draw_coach, draw_slip
from companion.view.kit.sheet import Rect, Sheet
from companion.view.layers.map_areas import MapFrame
from companion.view.layers.overlays import draw_chains, way_through
from companion.view.page.canvas import draw
from tests.companion.touching import Hand
from tests.tables import rivers

PLACE = Rect(10, 20, 440, 300)


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size * (0.6 if bold else 0.5)


def sheet(touch: float = 60.0) -> Sheet:
    return Sheet(measure, touch=touch)


def labels(sheet: Sheet) -> list[str]:
    return [label.text for label in sheet.labels]


def test_a_switch_tells_by_its_shape_how_it_stands() -> None:
    on, off = sheet(), sheet()
    for drawn in (on, off):
        switch = Switch("Dice", "Dice that the camera reads.", drawn is on, Intent("flip", "dice"))
        controls.draw_switch(drawn, switch, PLACE)
    assert len(on.shapes) > len(off.shapes)  # a tick, not a colour alone
    assert labels(on) == labels(off)
    (target,) = on.targets
    assert target.intent == Intent("flip", "dice")
    assert target.rect.h >= 60
    assert target.rect.w == PLACE.w


def test_things_differ_in_more_than_colour() -> None:
    looks = []
    for state in ("ok", "note", "bad"):
        drawn = sheet()
        controls.draw_thing(drawn, StatusRow(state, "Disk", "much room", "Do it."), PLACE)
        looks.append(tuple(labels(drawn)))
    assert len(set(looks)) == 3


def test_a_slip_is_as_high_as_a_finger_where_it_is_touched_and_grows_with_its_words() -> None:
    drawn, read = sheet(), sheet()
    assert draw_slip(drawn, Slip("Supply", intent=Intent("entry", "x")), PLACE) == drawn.touch
    assert [target.intent for target in drawn.targets] == [Intent("entry", "x")]
    assert draw_slip(sheet(), Slip("Supply " * 30, "and more", "p. 7", Intent("entry", "x"), "no"), PLACE) > drawn.touch
    assert draw_slip(read, Slip("Supply", mark="yes"), PLACE) < read.touch
    assert not read.targets


@pytest.mark.parametrize("touch", [60.0, 30.0])
def test_the_ruler_has_a_centimetre_as_long_as_the_screen_makes_it(touch: float) -> None:
    drawn = sheet(touch)
    controls.draw_ruler(drawn, Ruler("Hold a ruler."), PLACE)
    centimetre = touch / 12 * 10
    numbers = [label for label in drawn.labels if label.text.isdigit()]
    assert len(numbers) == int((PLACE.w - 12) / centimetre) + 1
    first, second, third = (label.rect.centre[0] for label in numbers[:3])
    assert third - second == pytest.approx(centimetre)
    assert first < second


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 1.0])
def test_the_ring_is_held_and_fills(part: float) -> None:
    drawn = sheet()
    controls.draw_hold(drawn, Hold("Hold to unlock", Intent("unlock"), part), PLACE)
    (target,) = drawn.targets
    assert target.drag
    assert min(target.rect.w, target.rect.h) >= 60
    arcs = [shape for shape in drawn.shapes if " A " in shape]
    assert bool(arcs) == (0 < part < 1)
    assert all((" 1 1 " in arc) == (part > 0.5) for arc in arcs)


def test_crosses_stand_in_the_corners_and_the_middle() -> None:
    drawn = sheet()
    controls.draw_crosses(drawn, Crosses("cross", (True, False, False, False, False)), PLACE)
    assert [target.intent for target in drawn.targets] == [Intent("cross", "", n) for n in range(5)]
    assert drawn.targets[0].rect[:2] == PLACE[:2]
    assert (drawn.targets[3].rect.right, drawn.targets[3].rect.bottom) == (PLACE.right, PLACE.bottom)
    assert drawn.targets[4].rect.centre == PLACE.centre


# ---- files that cannot be set aside ---------------------------------------------------------------


def test_a_file_that_cannot_be_set_aside_is_told_once_more(tmp_path: Path) -> None:
    good = tmp_path / "settings.toml"
    good.write_text("language = 3")
    app = App()
    home = app.scene
    app.scene = BrokenScene((Broken(good, "one"), Broken(tmp_path / "gone.toml", "two"), Broken(None, "three")), home)
    hand = Hand(app).press("Set it aside")
    assert not good.exists()
    assert "The file can't be set aside." in hand.text()
    assert [button.label for button in hand.all_buttons()] == ["Details", "Continue without it"]
    assert "gone.toml: can't be set aside" in hand.press("Details").text()
    hand.press("Back")
    app.touch(Intent("page", "", 1))
    hand.press("Continue without it")
    assert app.scene is home


# ---- the keyboard --------------------------------------------------------------------------------


@pytest.mark.parametrize(("wide", "begins"), [(784, "qwertyuiop"), (464, "abcdef")])
def test_a_wide_place_has_the_letters_of_a_typewriter_and_a_narrow_one_in_their_order(wide: float, begins: str) -> None:
    drawn = sheet()
    high = draw_keys(drawn, Typed().keys(), Rect(0, 0, wide, 500))
    assert "".join(labels(drawn)).startswith(begins)
    assert all(min(target.rect.w, target.rect.h) >= drawn.touch for target in drawn.targets)
    rows = {target.rect.y for target in drawn.targets}
    assert high == len(rows) * max(drawn.touch, 56.0)
    first, second = drawn.targets[0].rect, drawn.targets[1].rect
    assert first.right == second.x, "every key is touched without a gap"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (TextLine("a name that is much too long for it"), r".+ too long for it"),
        (TextLine("", "Ana vs Bia"), "Ana vs Bia"),
    ],
)
def test_a_long_line_shows_its_end_and_an_empty_one_what_belongs_there(line: TextLine, shown: str) -> None:
    drawn = sheet()
    draw_text_line(drawn, line, Rect(0, 0, 270, 60))
    (label,) = drawn.labels
    assert re.fullmatch(shown, label.text)
    assert measure(label.text, label.size, label.bold) <= 270


def test_the_coach_speaks_as_large_as_there_is_room() -> None:
    block = Coach("1/16 · Advance", "A turn is one commander on one action space. " * 3, large=True)
    sizes, fits = [], []
    for high in (400.0, 130.0, 60.0):
        sheet = Sheet(measure)
        fits.append(draw_coach(sheet, block, Rect(0, 0, 400, high)) <= high)
        sizes.append(sheet.labels[-1].size)
    assert fits == [True, True, False], "smaller than the smallest letters it does not become"
    assert sizes[0] > sizes[1] > sizes[2]


# ---- tables, chains, frames ---------------------------------------------------------------------


def test_a_heading_of_a_table_is_written_in_full_where_another_column_has_room() -> None:
    drawn = sheet()
    table = Grid(("", "Vermelho", "Preto", "Descartes"), (("Cartas", "2", "1", "0"),))
    lay(drawn, table, Rect(0, 0, 262, 400))
    assert [label.text for label in drawn.labels[:3]] == ["Vermelho", "Preto", "Descartes"]
    assert {label.size for label in drawn.labels[:3]} == {13.0}
    ends = [label.rect.right for label in drawn.labels]
    assert all(end <= start.rect.x for end, start in zip(ends[:2], drawn.labels[1:3], strict=True))
    assert max(ends) <= 262


def test_a_chain_goes_through_the_borders_and_is_crossed_out_at_its_gap() -> None:
    board = rivers("e3:3").board
    assert len(way_through(board, ("d2", "d3", "e3"))) == 5
    assert len(way_through(board, ("a1", "e3"))) == 3, "areas that do not touch are joined straight"
    picture = map_picture(rivers("e3:3", "a3:3"), Marks(), None)
    whole, broken, alone = sheet(), sheet(), sheet()
    for drawn, chain in (
        (whole, SupplyChain("red", ("d3", "e3"))),
        (broken, SupplyChain("red", ("d2", "d3"), "d3")),
        (alone, SupplyChain("red", ("e3",))),
    ):
        shown = MapPicture(picture.board, picture.areas, picture.spaces, (chain,))
        draw_chains(drawn, MapFrame(picture.board, PLACE), shown)
    assert not any("dasharray" in shape for shape in whole.shapes)
    assert any("dasharray" in shape for shape in broken.shapes)
    assert any(broken.look.bad in shape for shape in broken.shapes)
    assert len(alone.shapes) == 1


@pytest.mark.parametrize("size_px", [(800, 480), (720, 1280)])
def test_a_frame_is_drawn_around_and_takes_nothing_from_the_map(size_px: tuple[int, int]) -> None:
    picture = map_picture(rivers("e3:3", "a3:3"), Marks(), None)
    plain = draw(Screen(map=picture), size_px)
    framed = draw(Screen(map=picture, frame="What if"), size_px)
    area = Intent("area", "c4")
    rects = [
        next(target.rect for target in canvas.sheet.targets if target.intent == area) for canvas in (plain, framed)
    ]
    assert rects[0] == rects[1]
    assert "What if" in [label.text for label in framed.sheet.labels]
    assert framed.paint().get_at((1, size_px[1] // 2)) != plain.paint().get_at((1, size_px[1] // 2))
    assert "What if" in [label.text for label in draw(Screen(title="x", frame="What if"), size_px).sheet.labels]
