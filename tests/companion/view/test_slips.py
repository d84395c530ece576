"""Verdicts, slips, chains on the map and the frame, as they are drawn."""

from __future__ import annotations

import pytest

from companion.scenes.base.map_picture import Marks, map_picture
from companion.ui import screen as scr
from companion.ui.screen import Intent, SupplyChain
from companion.view.blocks.blocks import lay
from companion.view.blocks.slips import draw_checks, draw_slip, draw_verdict
from companion.view.kit.sheet import Rect, Sheet
from companion.view.layers.map_areas import MapFrame
from companion.view.layers.overlays import draw_chains, way_through
from companion.view.page.canvas import draw
from tests.tables import rivers

PLACE = Rect(0, 0, 300, 400)


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size * (0.6 if bold else 0.5)


def sheet() -> Sheet:
    return Sheet(measure)


@pytest.mark.parametrize("holds", [True, False, None])
def test_a_verdict_is_told_by_its_mark_and_its_colour(holds: bool | None) -> None:
    drawn = sheet()
    high = draw_verdict(drawn, scr.Verdict(holds, "No. It is not.", "Advance"), PLACE)
    colour = {True: drawn.look.good, False: drawn.look.bad, None: drawn.look.accent_text}[holds]
    assert sum(colour in shape for shape in drawn.shapes) >= 2
    assert [label.text for label in drawn.labels] == ["No. It is not.", "Advance"]
    assert high > 40


def test_a_slip_is_as_high_as_a_finger_and_grows_with_its_words() -> None:
    drawn = sheet()
    short = draw_slip(drawn, scr.Slip("Supply", intent=Intent("entry", "x")), PLACE)
    assert short == drawn.touch
    assert drawn.targets[0].intent == Intent("entry", "x")
    long = draw_slip(sheet(), scr.Slip("Supply " * 30, "and more", "p. 7", Intent("entry", "x"), "no"), PLACE)
    assert long > short


def test_a_slip_without_an_intent_is_only_read() -> None:
    drawn = sheet()
    assert draw_slip(drawn, scr.Slip("Supply", mark="yes"), PLACE) < drawn.touch
    assert not drawn.targets


def test_a_heading_of_a_table_is_written_in_full_where_another_column_has_room() -> None:
    drawn = sheet()
    table = scr.Grid(("", "Vermelho", "Preto", "Descartes"), (("Cartas", "2", "1", "0"),))
    lay(drawn, table, PLACE._replace(w=262))
    assert [label.text for label in drawn.labels[:3]] == ["Vermelho", "Preto", "Descartes"]
    assert {label.size for label in drawn.labels[:3]} == {13.0}
    ends = [label.rect.right for label in drawn.labels]
    assert all(end <= start.rect.x for end, start in zip(ends[:2], drawn.labels[1:3], strict=True))
    assert max(ends) <= 262


def test_a_chosen_slip_looks_chosen() -> None:
    drawn = sheet()
    draw_slip(drawn, scr.Slip("Supply", intent=Intent("x"), chosen=True), PLACE)
    assert f'stroke="{drawn.look.buttons["chosen"][1]}"' in "".join(drawn.shapes)


def test_checks_are_lines_with_their_place_in_the_book() -> None:
    drawn = sheet()
    high = draw_checks(drawn, scr.Checks((scr.Check("It is.", "Sail"), scr.Check("So is this.", "Plan"))), PLACE)
    assert [label.text for label in drawn.labels] == ["It is. (Sail)", "So is this. (Plan)"]
    assert high < 60
    assert draw_checks(sheet(), scr.Checks(()), PLACE) == 0.0


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
        shown = scr.MapPicture(picture.board, picture.areas, picture.spaces, (chain,))
        draw_chains(drawn, MapFrame(picture.board, PLACE), shown)
    assert not any("dasharray" in shape for shape in whole.shapes)
    assert any("dasharray" in shape for shape in broken.shapes)
    assert any(broken.look.bad in shape for shape in broken.shapes)
    assert len(alone.shapes) == 1


@pytest.mark.parametrize("size_px", [(800, 480), (720, 1280)])
def test_a_frame_is_drawn_around_and_takes_nothing_from_the_map(size_px: tuple[int, int]) -> None:
    picture = map_picture(rivers("e3:3", "a3:3"), Marks(), None)
    plain = draw(scr.Screen(map=picture), size_px)
    framed = draw(scr.Screen(map=picture, frame="What if"), size_px)
    area = Intent("area", "c4")
    rects = [
        next(target.rect for target in canvas.sheet.targets if target.intent == area) for canvas in (plain, framed)
    ]
    assert rects[0] == rects[1]
    assert "What if" in [label.text for label in framed.sheet.labels]
    assert framed.paint().get_at((1, size_px[1] // 2)) != plain.paint().get_at((1, size_px[1] // 2))
    assert "What if" in [label.text for label in draw(scr.Screen(title="x", frame="What if"), size_px).sheet.labels]
