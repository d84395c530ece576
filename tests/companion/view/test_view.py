"""How screens are drawn: banners, colours, letters, the small parts of a sheet. The gallery checks whole scenes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.drawing.polygons import path
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Button, Buttons, Dice, Intent, Log, Prompt, Screen, Spot, Text
from companion.view.kit import lettering as letters
from companion.view.kit.lettering import Lettering
from companion.view.kit.plates import LEAST_RIMMED_PT, SHADOWS_PT, plate
from companion.view.kit.sheet import Label, Rect, Sheet
from companion.view.kit.theme import CLOSE_PT, GAP_PT, theme
from companion.view.kit.wrapping import cut_to, wrap_text
from companion.view.layers.map import use_board_colours
from companion.view.page.canvas import draw
from companion.view.page.marks import Ground, paint, words_of
from companion.view.page.on_top import draw_veil
from companion.view.page.pictures import save_screen
from tests.companion.gallery.rooms.table import attack, idle, menu
from tests.companion.gallery.sheet_checks import crossing, cut_off
from tests.companion.touching import Hand

RED, BLACK = (theme().sides[faction].fill for faction in ("red", "black"))


def test_factions_differ_in_shape_and_not_in_colour_alone(hand: Hand) -> None:
    hand.start()
    shapes = "".join(draw(hand.screen, (800, 480)).sheet.shapes)
    assert '<circle cx="' in shapes
    assert f'fill="{RED}"' in shapes
    assert f'fill="{BLACK}"' in shapes


def test_a_banner_lies_over_the_map_and_moves_nothing(hand: Hand) -> None:
    idle(hand)
    plain = draw(hand.screen, (800, 480)).sheet
    assert isinstance(hand.app.scene, BoardTable)
    hand.app.scene.banner = "The last line was cut off; opened up to step 41"
    canvas = draw(hand.screen, (800, 480))
    assert (canvas.sheet.shapes, canvas.sheet.labels) == (plain.shapes, plain.labels)
    touched = canvas.target_at((150, 20))
    assert touched is not None
    assert touched.intent == Intent("hush")
    menu = canvas.target_at((760, 30))
    assert menu is not None
    assert menu.intent == Intent("menu"), "the menu stays in reach"
    hand.app.touch(touched.intent)
    assert draw(hand.screen, (800, 480)).sheet.over is None


def test_a_banner_on_a_page_stands_above_it(hand: Hand) -> None:
    menu(hand)
    hand.app.fault = "The disk is full"
    canvas = draw(hand.screen, (800, 480))
    assert cut_off(canvas) == []
    touched = canvas.target_at((600, 20))
    assert touched is not None
    assert touched.intent == Intent("hush")


def test_the_dice_of_a_fight_are_on_the_first_page_whatever_may_be_played_before(hand: Hand) -> None:
    hand.start().area("c4").press("Deploy").area("c5").press("Deploy")
    hand.press("Plan 2", "Deploy", "Plan 1", "Deploy").area("b5").press("Deploy")
    assert "Black may play Ambush first" in hand.text()
    verbs = [target.intent.verb for target in draw(hand.screen, (800, 480)).sheet.targets]
    assert verbs.count("die") == 3
    assert "page" not in verbs


def test_the_faction_that_acts_is_named_in_its_colour(hand: Hand) -> None:
    hand.start()
    red = "".join(draw(hand.screen, (800, 480)).sheet.shapes).count(RED)
    hand.press("Pass")
    labels = [label.text for label in draw(hand.screen, (800, 480)).sheet.labels]
    black = "".join(draw(hand.screen, (800, 480)).sheet.shapes).count(RED)
    assert "Black to move" in labels
    assert black < red


def test_the_same_screen_gives_the_same_picture(hand: Hand) -> None:
    attack(hand)
    first, second = (pygame.image.tobytes(draw(hand.screen, (800, 480)).paint(), "RGB") for _ in range(2))
    assert first == second


def test_the_board_takes_the_colours_of_its_owner(hand: Hand) -> None:
    use_board_colours({"water": "#123456"})
    ground = "".join(draw(hand.screen, (800, 480)).sheet.stills)
    use_board_colours({})
    assert "#123456" in ground
    assert "#123456" not in "".join(draw(hand.screen, (800, 480)).sheet.stills)


def test_a_picture_is_saved_as_png(hand: Hand, tmp_path: Path) -> None:
    idle(hand)
    save_screen(hand.app, tmp_path / "table.png", (800, 480))
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
    assert pygame.image.load(tmp_path / "table.png").get_size() == (800, 480)


# ---- small parts ------------------------------------------------------------------------------


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size


def test_text_is_wrapped_between_words() -> None:
    assert wrap_text(measure, "one two three\nfour", (1, False), 8) == ("one two", "three", "four")
    assert wrap_text(measure, "overlong word", (1, False), 4) == ("over", "long", "word")
    assert wrap_text(measure, "ab", (9, False), 4) == ("a", "b"), "a letter is never too wide for its line"


def test_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    assert cut_to(measure, "abcdef", (1, False), 4) == "abc…"
    assert cut_to(measure, "abc", (1, False), 4) == "abc"


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


def test_letters_have_portuguese_accents() -> None:
    lettering = Lettering(2.0)
    for accented, plain in zip("áçãõéêíóúÁÇ", "acaoeeiouAC", strict=True):
        assert lettering(accented, 20, False) > 0
        font = pygame.font.Font(
            str(Path(letters.__file__).parents[1] / "fonts" / "AtkinsonHyperlegible-Regular.ttf"), 20
        )
        assert font.metrics(accented)[0] is not None, accented
        assert pygame.image.tobytes(font.render(accented, True, "white"), "RGBA") != pygame.image.tobytes(
            font.render(plain, True, "white"), "RGBA"
        )


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("size", [12.0, 15.5, 18.0, 36.0])
def test_figures_stand_under_one_another(size: float, bold: bool) -> None:
    """The typeface's own figures do not: a 1 is narrower than a 0."""
    lettering = Lettering(1.0)
    assert len({lettering(f"{n}{n}:{n}%", size, bold) for n in range(10)}) == 1
    assert lettering("a1", size, bold) < lettering("a0", size, bold), "within words they keep their own widths"


def test_the_end_of_a_sentence_is_set_as_its_beginning() -> None:
    lettering = Lettering(1.0, heading="KaiseiTokumin-Headings.ttf")
    assert lettering.face("wins 60% of the time, not", 20, True) == lettering.face("49%.", 20, True) != ""
    assert lettering.face("49%", 20, True) == ""


def set_words(size_px: tuple[int, int], label: Label, px_per_pt: float) -> pygame.Surface:
    """Draw a label on black."""
    surface, words = pygame.Surface(size_px), words_of(label, px_per_pt)
    ground = Ground("", size_px, px_per_pt, "#000000")
    paint(surface, ground, [] if words is None else [words], surface.get_rect())
    return surface


def test_figures_are_set_where_they_are_measured() -> None:
    lettering = Lettering(2.0)
    for text in ("11", "4:31", "−3", "1%"):
        label = Label(Rect(0, 0, 100, 40), text, 20, True, "#ffffff", "right")
        surface = set_words((200, 80), label, 2.0)
        inked = pygame.mask.from_threshold(surface, (255, 255, 255), (90, 90, 90)).get_bounding_rects()
        whole = inked[0].unionall(inked[1:])
        assert lettering.place_px(label).inflate(2, 2).contains(whole), text
        assert whole.w > 4


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


def test_letters_are_set_for_any_text() -> None:
    for text in ("\ud83d", "\0", "A\u202e"):
        assert Lettering(1.0)(text, 12, False) > 0
        set_words((80, 20), Label(Rect(0, 0, 80, 20), text, 12, False, "#ffffff", "left"), 1.0)


@pytest.mark.parametrize("text", ["\ufeff", "\ufeff\u200b", ""])
def test_letters_that_cannot_be_seen_take_no_place(text: str) -> None:
    assert Lettering(1.0)(text, 12, False) == 0
    surface = set_words((80, 20), Label(Rect(0, 0, 80, 20), text, 12, False, "#ffffff", "left"), 1.0)
    assert pygame.mask.from_threshold(surface, (255, 255, 255), (9, 9, 9)).count() == 0


def test_a_word_without_end_is_cut_and_wrapped_at_once() -> None:
    measured: list[str] = []

    def measure(text: str, size: float, bold: bool) -> float:
        measured.append(text)
        return len(text) * size

    assert cut_to(measure, "W" * 5000, (10.0, False), 55.0) == "WWWW…"
    assert wrap_text(measure, "W" * 5000, (10.0, False), 55.0) == ("WWWWW",) * 1000
    assert len(measured) < 20_000
