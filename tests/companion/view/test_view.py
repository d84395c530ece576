"""How screens are drawn: banners, plates, rows and pages, sizes in millimetres. The gallery checks whole scenes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from companion.drawing.polygons import path
from companion.settings.layers import Settings
from companion.ui.screen import (
    Button,
    Buttons,
    Choice,
    Columns,
    Dice,
    Intent,
    Log,
    Odds,
    Option,
    Options,
    Prompt,
    Screen,
    Share,
    Spot,
    Stepper,
    Steppers,
    Text,
)
from companion.view.kit.glass import Glass, Grain, glass_of
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.signs import LEAST_RIMMED_PT, SHADOWS_PT, plate
from companion.view.kit.theme import CLOSE_PT, GAP_PT, theme
from companion.view.layers.map import use_board_colours
from companion.view.page.canvas import Canvas, draw, draw_part
from companion.view.page.on_top import draw_veil
from tests.companion.gallery.sheet_checks import crossing, cut_off, misplaced
from tests.companion.touching import Hand


def meant(canvas: Canvas, place_px: tuple[float, float]) -> Intent | None:
    """Return what a touch there means."""
    target = canvas.target_at(place_px)
    return None if target is None else target.intent


def test_a_banner_lies_over_the_map_and_moves_nothing(hand: Hand) -> None:
    table = hand.start().press("Pass", "Pass").board_table
    plain = draw(hand.screen, (800, 480)).sheet
    table.banner = "The last line was cut off; opened up to step 41"
    canvas = draw(hand.screen, (800, 480))
    assert (canvas.sheet.shapes, canvas.sheet.labels) == (plain.shapes, plain.labels)
    assert meant(canvas, (150, 20)) == Intent("hush")
    assert meant(canvas, (760, 30)) == Intent("menu"), "the menu stays in reach"
    hand.app.touch(Intent("hush"))
    assert draw(hand.screen, (800, 480)).sheet.over is None


def test_a_banner_on_a_page_stands_above_it(hand: Hand) -> None:
    hand.start().app.touch(Intent("menu"))
    hand.app.fault = "The disk is full"
    canvas = draw(hand.screen, (800, 480))
    assert cut_off(canvas) == []
    assert meant(canvas, (600, 20)) == Intent("hush")


def test_the_dice_of_a_fight_are_on_the_first_page_whatever_may_be_played_before(hand: Hand) -> None:
    hand.start().area("c4").press("Deploy").area("c5").press("Deploy")
    hand.press("Plan 2", "Deploy", "Plan 1", "Deploy").area("b5").press("Deploy")
    assert "Black may play Ambush first" in hand.text()
    verbs = [target.intent.verb for target in draw(hand.screen, (800, 480)).sheet.targets]
    assert verbs.count("die") == 3
    assert "page" not in verbs


def test_the_board_takes_the_colours_of_its_owner(hand: Hand) -> None:
    use_board_colours({"water": "#123456"})
    ground = "".join(draw(hand.screen, (800, 480)).sheet.stills)
    use_board_colours({})
    assert "#123456" in ground
    assert "#123456" not in "".join(draw(hand.screen, (800, 480)).sheet.stills)


# ---- small parts ------------------------------------------------------------------------------


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size


def test_the_later_target_gets_the_touch() -> None:
    sheet = Sheet(measure)
    sheet.target(Rect(0, 0, 100, 100), Intent("area"), ((0, 0), (100, 0), (0, 100)))
    sheet.target(Rect(0, 0, 10, 10), Intent("space"))
    assert [t and t.intent.verb for t in map(sheet.hit, [(5, 5), (20, 20), (90, 90)])] == ["space", "area", None]


@pytest.mark.parametrize("size_pt", [(200.0, 100.0), (200.0, 12.0), (12.0, 200.0)])
def test_a_plates_corners_are_cut_off_by_a_quarter_of_a_side_at_most(size_pt: tuple[float, float]) -> None:
    sheet = Sheet(measure, look=theme("dark", era="sengoku"))
    cut_pt = min(sheet.look.material.cut_pt, *(side / 4 for side in size_pt))
    plate(sheet, Rect(50, 60, *size_pt), "#804020")
    first, last = (re.findall(r'd="M([0-9.]+) ([0-9.]+)L', shape)[0] for shape in (sheet.shapes[0], sheet.shapes[-1]))
    assert 0 < float(last[0]) - 50 == pytest.approx(cut_pt)
    assert (first[0], float(last[1])) == (last[0], 60), "the shadow has the same shape, and lies below"
    assert float(first[1]) > 60
    for shape in sheet.shapes:
        for x, y in re.findall(r"[ML]([0-9.]+) ([0-9.]+)", shape):
            assert 50 <= float(x) <= 50 + size_pt[0]
            assert 60 <= float(y) <= 60 + size_pt[1] + SHADOWS_PT[-1][0]


@pytest.mark.parametrize(("high_pt", "studs"), [(LEAST_RIMMED_PT - 1, 0), (LEAST_RIMMED_PT, 4)])
def test_a_high_plate_has_a_hair_line_and_a_stud_in_each_corner(high_pt: float, studs: int) -> None:
    sheet = Sheet(measure, look=theme("dark", era="sengoku"))
    plate(sheet, Rect(50, 60, 200, high_pt), "#804020", "#ffcc00")
    told = "".join(sheet.shapes)
    found = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([0-9.]+)" cy="([0-9.]+)"', told)]
    assert len(found) == studs
    assert told.count('fill="none"') == (studs > 0)
    for x, y in found:
        assert min(abs(x - 50), abs(x - 250), abs(y - 60), abs(y - 60 - high_pt)) < sheet.look.material.cut_pt
        assert (300 - x, 120 + high_pt - y) in found, "they lie alike in all corners"


@pytest.mark.parametrize(("fill", "name"), [("none", "dark"), ("#804020", "contrast")])
def test_a_plate_of_no_material_is_a_box(fill: str, name: str) -> None:
    sheet = Sheet(measure, look=theme(name, era="sengoku"))
    plate(sheet, Rect(50, 60, 200, 100), fill)
    assert [shape.partition(" ")[0] for shape in sheet.shapes] == ["<rect"]


def test_a_lesson_frames_what_is_to_be_touched_by_its_own_outline() -> None:
    sheet = Sheet(measure)
    triangle = ((300.0, 100.0), (400.0, 100.0), (300.0, 200.0))
    sheet.target(Rect(300, 100, 100, 100), Intent("area", "c4"), triangle)
    sheet.target(Rect(10, 20, 90, 40), Intent("pass"))
    sheet.target(Rect(700, 20, 90, 40), Intent("page", n=1))
    framed = {}
    for asked in (Intent("area", "c4"), Intent("pass"), Intent("card", "on the next page"), None):
        draw_veil(sheet, Spot(asked), (800, 480))
        assert sheet.over is not None
        veil, *framed[asked and asked.verb] = sheet.over.shapes
        assert veil.startswith('<path d="M0 0H800.0V480.0H0Z')
        assert (path(triangle) in veil) == (asked == Intent("area", "c4")), "the hole has the same outline"
        assert [rect for _shapes, rect in sheet.over.groups] == [Rect(0, 0, 800, 480)]
        sheet.over = None
    assert path(triangle) in framed["area"][0]
    assert framed["pass"][0].startswith('<rect x="9.00')
    assert framed["card"][0].startswith('<rect x="699.00'), "the way to it"
    assert [len(frames) for frames in framed.values()] == [1, 1, 1, 0]


def test_dice_that_fit_beside_a_lower_bar_lie_on_no_action(hand: Hand) -> None:
    """Four long actions take two rows alone and one beside the room of a pager: then all is on one page."""
    hand.start()
    actions = (("Desfazer", ""), ("Perguntar", "scales"), ("Rolar de novo por uma carta", "hand"), ("Confirmar", ""))
    crowded = replace(
        hand.screen,
        blocks=(Prompt("red", "Vermelho rola 2 dados por c2", "3 ao todo"), Dice((2, 1)), Log(("um", "dois"))),
        actions=tuple(Button(label, Intent(label), sign=sign) for label, sign in actions),
    )
    for size_px in ((800, 480), (1280, 720), (720, 1280)):
        assert crossing(draw(crowded, size_px)) == []


def rows(many: int, columns: int) -> Screen:
    """Return a page of buttons under its title, over one action."""
    buttons = tuple(Button(f"Way {n}", Intent("way", str(n))) for n in range(many))
    return Screen("Ways", (Buttons(buttons, columns),), (Button("Back", Intent("back"), "primary"),))


def placed(screen: Screen, size_px: tuple[int, int]) -> dict[str, list[Rect]]:
    """Where the targets of a screen are, by the verb of their intent."""
    found: dict[str, list[Rect]] = {}
    for target in draw(screen, size_px).sheet.targets:
        found.setdefault(target.intent.verb, []).append(target.rect)
    return found


@pytest.mark.parametrize("size_px", [(800, 480), (1024, 600), (1280, 720)])
def test_rows_stand_closer_where_that_saves_a_page(size_px: tuple[int, int]) -> None:
    for many in (8, 9):
        found = placed(rows(many, 2), size_px)
        assert "page" not in found
        assert len(found["way"]) == many


def test_rows_stand_apart_where_it_saves_none() -> None:
    apart = [ways[-1].y - ways[-3].bottom for ways in (placed(rows(n, 2), (1280, 720))["way"] for n in (8, 10))]
    assert apart == pytest.approx([GAP_PT, CLOSE_PT])


def test_buttons_stand_in_one_column_more_where_that_saves_a_page() -> None:
    assert [len({rect.x for rect in placed(rows(many, 2), (800, 480))["way"]}) for many in (8, 10, 11)] == [2, 2, 3]
    assert "page" in placed(rows(40, 2), (800, 480))


def test_a_heading_goes_on_to_the_page_of_its_things() -> None:
    for many in range(1, 20):
        lines = tuple(Text(f"Line {n}.") for n in range(many))
        long = Screen("All", (*lines, Text("More", "strong"), *rows(2, 1).blocks, *lines), rows(1, 1).actions)
        page = {text.text: n for n in (1, 0) for text in draw(replace(long, page=n), (800, 480)).sheet.labels}
        assert page["More"] == page["Way 0"]


# ---- sizes in millimetres, and what has no room on one page ----------------------------------------

PARTS = [(232, 480), (464, 240), (440, 320), (296, 400)]


def part(screen: Screen, size: tuple[int, int]) -> Canvas:
    """Return a screen in a part of the 7 inch panel."""
    return draw_part(screen, size, (Glass(), Grain(1.0, 63.0)))


def test_twelve_millimetres_follow_from_the_diagonal() -> None:
    grain = Glass(diagonal_inches=7.0).grain((800, 480))
    assert grain.px_per_pt == 1.0
    assert grain.touch_pt == pytest.approx(12 * 933 / (7 * 25.4), abs=0.05)
    large = Glass(diagonal_inches=10.1).grain((1280, 720))
    assert large.touch_pt < 48
    assert large.touch_pt * large.px_per_pt == pytest.approx(12 * 1468.6 / (10.1 * 25.4), abs=0.1)


def test_larger_text_leaves_fingers_as_large_as_before() -> None:
    usual, larger = (Glass(text_scale=scale).grain((800, 480)) for scale in (1.0, 1.5))
    assert larger.px_per_pt == 1.5 * usual.px_per_pt
    assert larger.touch_pt * larger.px_per_pt == pytest.approx(usual.touch_pt * usual.px_per_pt)
    halved = Glass(text_scale=1.5).grain((800, 480), halved=True)
    assert usual.px_per_pt < halved.px_per_pt < larger.px_per_pt


def test_the_settings_say_what_the_glass_is_like() -> None:
    glass = glass_of(Settings(text_scale=1.2, theme="light", rotation_degrees=90))
    assert (glass.text_scale, glass.rotation_degrees) == (1.2, 90)
    assert glass.look.name == "light"


def sheet_with(*rects: Rect) -> Sheet:
    sheet = Sheet(lambda text, size, bold: size * len(text) / 2)
    for i, rect in enumerate(rects):
        sheet.target(rect, Intent("touch", str(i)))
    return sheet


def test_a_touch_beside_a_target_is_meant_for_the_nearest() -> None:
    sheet = sheet_with(Rect(0, 0, 70, 70), Rect(100, 0, 70, 70))
    for x, wanted in ((80, "0"), (90, "1"), (195, "1")):
        target = sheet.hit((x, 35))
        assert target is not None
        assert target.intent.what == wanted
    assert sheet.hit((250, 35)) is None


def test_an_outline_is_as_far_as_its_nearest_side() -> None:
    sheet = sheet_with()
    sheet.target(Rect(0, 0, 100, 100), Intent("area", "a"), ((0, 0), (100, 0), (0, 100)))
    sheet.drag(Rect(200, 0, 50, 50), Intent("corner"))
    assert sheet.hit((60, 60)) is not None, "7 mm beside the slanted side would be too far, this is not"
    assert sheet.hit((99, 99)) is None
    assert sheet.hit((190, 10)) is None, "what is dragged has to be met"


WORDY = Screen(
    title="A page of everything there is to touch",
    blocks=(
        Buttons(
            tuple(Button(f"Reinforce {n}", Intent("b", str(n)), sign="reinforce", note="6 troops") for n in range(6)), 3
        ),
        Choice("One of these", tuple(Button(word, Intent("c", word)) for word in ("Dark", "Light", "High contrast"))),
        Options(
            "Answers",
            tuple(Option("A whole sentence to be touched by a player", Intent("o", str(n))) for n in range(2)),
        ),
        Steppers(tuple(Stepper("troops from d5", n, 4, "s", str(n)) for n in range(5))),
        Dice((1, None, 2)),
        Dice((1, 2, 0, 1, None, None, None)),
        Odds("Who holds c4", tuple(Share("red", "Red 50%", 0.5) for _ in range(2))),
        Columns((Text("left " * 30),), (Text("right " * 30),)),
        Text("long " * 900),
    ),
    actions=(Button("Back to the table", Intent("back")), Button("Deploy", Intent("go"), "primary")),
)


@pytest.mark.long
@pytest.mark.parametrize("size", PARTS)
def test_everything_can_be_touched_on_some_page_and_nothing_overlaps(size: tuple[int, int]) -> None:
    title = WORDY.title if size[1] > 240 else ""
    reached: set[Intent] = set()
    for page in range(40):
        canvas = part(Screen(title, WORDY.blocks, WORDY.actions, page=page), size)
        targets = canvas.sheet.targets
        if {target.intent for target in targets} & reached and page > 30:
            break
        reached |= {target.intent for target in targets}
        assert not misplaced(canvas), f"page {page}"
        assert all(min(target.rect.w, target.rect.h) >= 62.9 for target in targets)
    verbs = {(intent.verb, intent.what) for intent in reached}
    wanted = (
        {("b", str(n)) for n in range(6)} | {("s", str(n)) for n in range(5)} | {("o", "0"), ("o", "1"), ("die", "")}
    )
    assert wanted <= verbs


@pytest.mark.long
@pytest.mark.parametrize("scale", [0.85, 1.0, 1.25, 1.5])
@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_larger_text_overflows_nowhere(scale: float, size: tuple[int, int]) -> None:
    assert not misplaced(draw(WORDY, size, Glass(text_scale=scale)))


def test_many_dice_are_taken_back_one_by_one_from_the_last() -> None:
    canvas = part(Screen(blocks=(Dice((1, 2, 0, 1, None, None, None)),)), (232, 480))
    assert [target.intent.n for target in canvas.sheet.targets if target.intent.verb == "undie"] == [3]


def test_no_word_of_a_button_s_note_is_broken() -> None:
    note = "commanders, cards"
    buttons = tuple(Button(name, Intent("b", name), note=note) for name in ("Ana", "Bo", "Round"))
    for size in PARTS:
        lines = [label.text for label in part(Screen("?", (Buttons(buttons, 3),)), size).sheet.labels]
        assert " ".join(lines).count("commanders,") == len(buttons), (size, lines)
