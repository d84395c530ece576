"""Every scene drawn at several sizes: nothing cut off, nothing on top of another, everything large enough to touch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest

from companion.app import App
from companion.board_sight import Crops
from companion.scenes import screen as scr
from companion.scenes.menu import MenuScene
from companion.scenes.ruling import RulingScene
from companion.scenes.screen import Intent, Screen
from companion.scenes.stage import House
from companion.scenes.table import TableScene
from companion.understanding import Glimpse, Question
from companion.view import theme
from companion.view.canvas import Canvas, draw
from companion.view.lettering import Lettering
from companion.view.map_layer import use_board_colours
from companion.view.pictures import save_screen
from companion.view.sheet import Label, Rect, Sheet, cut_to, wrapped
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.steps import Agreed, Deploy, Pass
from tests.companion.sample_games import BOARD, played
from tests.companion.seeing import reading_of
from tests.companion.touching import Hand
from tests.tables import rivers
from vision.geometry import Grid
from vision.read import Reading

SHAPE = (*Grid(load_board(BOARD).size_mm).shape, 3)
SIZES = [(800, 480), (1280, 720), (1024, 600), (1920, 1080)]
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))


def glimpsed(hand: Hand, glimpse: Glimpse) -> None:
    """What the watch has, long enough for it to be said."""
    assert hand.app.table is not None
    assert hand.app.stage.understanding is not None
    for now_s in (0.0, 60.0):
        hand.app.stage.understanding.update(hand.app.table.match, glimpse, now_s)


def watched(hand: Hand, reading: Reading) -> None:
    glimpsed(hand, Glimpse("settled", reading))


def proposal(hand: Hand) -> None:
    """Seen from afar: nobody looked which space was used, so several turns fit."""
    hand.start()
    after = game.apply(hand.position, ADVANCE)
    watched(hand, reading_of(after))
    understanding = hand.app.stage.understanding
    assert understanding is not None
    first = understanding.sense.explanations[0]
    turns = tuple(replace(first, likelihood=0.25) for _ in range(4))
    understanding.sense = replace(understanding.sense, explanations=turns)


def alternatives(hand: Hand) -> None:
    proposal(hand)
    hand.press("2 more that fit")


def asked(hand: Hand) -> None:
    proposal(hand)
    understanding = hand.app.stage.understanding
    assert understanding is not None
    answers = tuple((("red", "troop", n),) for n in (2, 3, 1))
    understanding.sense = replace(understanding.sense, question=Question("c4", answers))


def counted(hand: Hand) -> None:
    asked(hand)
    hand.press("Something else")


def out_of_sync(hand: Hand) -> None:
    hand.start()
    wrong = Agreed(
        areas=(("b3", (("black", "troop", 3),)), ("d5", (("red", "troop", 1),)), ("e4", ())),
        spaces=(("advance:c4", ("red",)),),
        to_move="red",
    )
    watched(hand, reading_of(game.apply(hand.position, wrong), covered=("a1",), picture=True))


def said_out_of_sync(hand: Hand) -> None:
    out_of_sync(hand)
    assert hand.app.table is not None
    hand.app.table.say_out_of_sync()


def repair(hand: Hand) -> None:
    out_of_sync(hand)
    hand.press("Put it right")


def correction(hand: Hand) -> None:
    repair(hand)
    hand.press("All as on the board")


def diagnosis(hand: Hand) -> None:
    out_of_sync(hand)
    hand.app.touch(Intent("live"))


def diagnosed_area(hand: Hand) -> None:
    hand.start()
    doubt = {"c4": (((("red", "troop", 2),), 0.6), ((("red", "troop", 1),), 0.3), ((), 0.1))}
    watched(hand, reading_of(hand.position, doubt, picture=True))
    crops = Crops(hand.position.board)
    hand.app.stage.picture = lambda area: crops.area(np.full(SHAPE, 90, np.uint8), area)
    hand.app.touch(Intent("live"))
    hand.app.touch(Intent("area", "e3"))


def no_board_found(hand: Hand) -> None:
    hand.start()
    watched(hand, replace(reading_of(hand.position), quality=0.1))
    hand.app.touch(Intent("live"))


def at_home(hand: Hand) -> None:
    assert hand.screen.title == "Gunbai"


def new_game(hand: Hand) -> None:
    hand.press("New game", "Red")
    hand.app.touch(Intent("token", "sun/barracks"))


def house_rules(hand: Hand) -> None:
    new_game(hand)
    hand.press("House rules")
    hand.app.touch(Intent("answer", "empty-deck/other"))


def named_players(hand: Hand) -> None:
    hand.app.stage.house = House(players={"red": "Ana", "black": "Takeshi"})
    idle(hand)


def idle(hand: Hand) -> None:
    hand.start()
    hand.press("Pass", "Pass")


def area(hand: Hand) -> None:
    hand.start().area("c5")


def doubted_area(hand: Hand) -> None:
    hand.start()
    watched(hand, reading_of(hand.position, {"e3": (((("red", "troop", 2),), 0.5), ((), 0.5))}))
    hand.area("e3")


def advance(hand: Hand) -> None:
    hand.start().area("c4").press("Advance to c4").area("d5", "d5")


def attack(hand: Hand) -> None:
    advance(hand)
    hand.press("Deploy", "Pass").area("b5").press("Advance to b5").area("c4")


def dice(hand: Hand) -> None:
    attack(hand)
    hand.press("Deploy").dice(2)


def shell(hand: Hand) -> None:
    hand.start().area("d5").press("Shell from d5", "d4")


def reinforce(hand: Hand) -> None:
    hand.start().press("Reinforce 1").count("e1", 2).area("d3")


def plan(hand: Hand) -> None:
    hand.start().press("Plan 1")


def named_plan(hand: Hand) -> None:
    plan(hand)
    hand.press("Name them", "Counterattack")


def ruling(hand: Hand) -> None:
    hand.start().area("c2").press("Sail to c2")


def last_page(hand: Hand) -> None:
    ruling(hand)
    hand.app.touch(Intent("page", "", -1))


def menu(hand: Hand) -> None:
    hand.start()
    hand.app.touch(Intent("menu"))


def readings(hand: Hand) -> None:
    menu(hand)
    hand.press("Open questions of the rules")


def score(hand: Hand) -> None:
    menu(hand)
    hand.press("Score now")


def cut_off_areas(hand: Hand) -> None:
    hand.start()
    assert hand.screen.map is not None
    position = rivers("e3:3 b1:2 e4:1 c6:2", "a3:3 d1:1 c2:2", bonuses={"sun": "barracks", "moon": "war_room"})
    hand.app.scene = RulingScene(game.examine(position, Pass()), (position, Pass()), hand.app.scene)


def demonstration(hand: Hand) -> None:
    hand.start()
    hand.app.stage.demo_on = True


def camera_fault(hand: Hand) -> None:
    hand.start()
    glimpsed(hand, Glimpse("lost", fault="/dev/video0: no picture"))


def banner(hand: Hand) -> None:
    hand.start()
    assert isinstance(hand.app.scene, TableScene)
    hand.app.scene.banner = "Not saved, so not played: the disk is full. " * 3


def window(hand: Hand) -> None:
    hand.start().press("Plan 2", "Deploy", "Pass").area("d5").press("Shell from d5", "d4", "Deploy")
    hand.dice(1, 1).press("Confirm roll")


def spend(hand: Hand) -> None:
    window(hand)
    hand.press("Spend a card to roll again")


def strike(hand: Hand) -> None:
    window(hand)
    hand.press("No card", "Ship Strike", "c6")


SCENES: list[Callable[[Hand], None]] = [
    *(
        at_home,
        new_game,
        house_rules,
        named_players,
        idle,
        area,
        doubted_area,
        proposal,
        alternatives,
        asked,
        counted,
        advance,
        attack,
        dice,
        shell,
        reinforce,
        plan,
        named_plan,
    ),
    *(
        out_of_sync,
        said_out_of_sync,
        repair,
        correction,
        diagnosis,
        diagnosed_area,
        no_board_found,
    ),
    *(
        ruling,
        last_page,
        menu,
        readings,
        score,
        banner,
        cut_off_areas,
        camera_fault,
        demonstration,
        window,
        spend,
        strike,
    ),
]


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hand:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    monkeypatch.setattr("companion.app.today", lambda: "game")
    return Hand(App())


def faults(screen: Screen, size_px: tuple[int, int]) -> list[str]:
    """What is wrong with a drawn screen, in words."""
    canvas = draw(screen, size_px)
    layers = [replace(canvas, sheet=sheet) for sheet in canvas.sheet.layers()]
    checks = (lambda one: cut_off(one, size_px), lambda one: on_top(one, screen), too_small, crossing)
    return [fault for layer in layers for check in checks for fault in check(layer)]


def ink(canvas: Canvas, label: Label) -> pygame.Rect:
    """Where a label's letters are, without the empty edges of their line."""
    place = Lettering(canvas.px_per_pt).place_px(label)
    return place.inflate(-2, -round(place.h * 0.4))


def cut_off(canvas: Canvas, size_px: tuple[int, int]) -> list[str]:
    whole = pygame.Rect(0, 0, *size_px)
    found = []
    for label in canvas.sheet.labels:
        box = pygame.Rect(*(round(value * canvas.px_per_pt) for value in label.rect)).inflate(2, 4)
        place = Lettering(canvas.px_per_pt).place_px(label)
        if not box.contains(ink(canvas, label)) or not whole.contains(place):
            found.append(f"{label.text!r} does not fit its box")
        if label.text.endswith("…") or label.size < 8:
            found.append(f"{label.text!r} was cut or set too small")
    return found


def on_top(canvas: Canvas, screen: Screen) -> list[str]:
    """Labels over one another; on the map, where two sides fight in one area, that is left to the eye."""
    crowded = screen.map is not None and any(len(area.stacks) > 1 for area in screen.map.areas)
    free_of = 345 * canvas.px_per_pt if crowded else 0
    places = [(label, ink(canvas, label)) for label in canvas.sheet.labels]
    return [
        f"{one.text!r} lies on {other.text!r}"
        for (one, place), (other, other_place) in itertools.combinations(places, 2)
        if place.colliderect(other_place) and place.left >= free_of
    ]


def too_small(canvas: Canvas) -> list[str]:
    return [
        f"{target.intent} is only {target.rect.w:.0f} by {target.rect.h:.0f}"
        for target in canvas.sheet.targets
        if min(target.rect.w, target.rect.h) * canvas.px_per_pt < theme.TOUCH_PT - 0.5
    ]


def crossing(canvas: Canvas) -> list[str]:
    """Targets over one another, off the map: there the nearer space lies over its area on purpose."""
    flat = [target for target in canvas.sheet.targets if not target.outline]
    found = []
    for one, other in itertools.combinations(flat, 2):
        first, second = (pygame.Rect(*map(round, target.rect)).inflate(-2, -2) for target in (one, other))
        if first.colliderect(second):
            found.append(f"{one.intent} lies on {other.intent}")
    return found


@pytest.mark.parametrize("size_px", SIZES, ids=str)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_scene_fits(hand: Hand, scene: Callable[[Hand], None], size_px: tuple[int, int]) -> None:
    scene(hand)
    assert faults(hand.screen, size_px) == []


@pytest.mark.parametrize("size_px", SIZES[:2], ids=str)
def test_a_game_that_is_played_fits_at_every_step(hand: Hand, size_px: tuple[int, int]) -> None:
    hand.start()
    table = hand.app.scene
    assert isinstance(table, TableScene)
    steps, _ = played()
    for n, step in enumerate(steps[:-1]):
        if not table.match.offer(step).legal:
            break
        if n % 5 == 0 or game.owed(table.match.position):
            assert faults(hand.screen, size_px) == [], step
    hand.app.scene = MenuScene(hand.app.stage, table)
    hand.press("All steps so far")
    assert faults(hand.screen, size_px) == []


def test_the_check_sees_what_is_wrong() -> None:
    wide = Screen("Too long a title to fit", (scr.Text("a"),))
    canvas = draw(wide, (800, 480))
    label = canvas.sheet.labels[0]
    canvas.sheet.labels.append(Label(label.rect._replace(w=20), "much too long for this", 16, False, "#fff", "left"))
    canvas.sheet.labels.append(label)
    canvas.sheet.target(Rect(0, 0, 20, 50), Intent("small"))
    canvas.sheet.target(Rect(0, 0, 60, 60), Intent("large"))
    assert cut_off(canvas, (800, 480))
    assert on_top(canvas, wide)
    assert too_small(canvas)
    assert crossing(canvas)


def test_factions_differ_in_shape_and_not_in_colour_alone(hand: Hand) -> None:
    hand.start()
    shapes = "".join(draw(hand.screen, (800, 480)).sheet.shapes)
    assert '<circle cx="' in shapes
    assert f'fill="{theme.RED_DEEP}"' in shapes
    assert f'fill="{theme.BLACK}"' in shapes


def test_all_house_rules_are_on_one_page(hand: Hand) -> None:
    house_rules(hand)
    assert not [target for target in draw(hand.screen, (800, 480)).sheet.targets if target.intent.verb == "page"]


def test_a_banner_lies_over_the_map_and_moves_nothing(hand: Hand) -> None:
    idle(hand)
    plain = draw(hand.screen, (800, 480)).sheet
    assert isinstance(hand.app.scene, TableScene)
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
    assert faults(hand.screen, (800, 480)) == []
    touched = canvas.target_at((150, 20))
    assert touched is not None
    assert touched.intent == Intent("hush")


def test_the_faction_that_acts_is_named_in_its_colour(hand: Hand) -> None:
    hand.start()
    red = "".join(draw(hand.screen, (800, 480)).sheet.shapes).count(theme.RED_DEEP)
    hand.press("Pass")
    labels = [label.text for label in draw(hand.screen, (800, 480)).sheet.labels]
    black = "".join(draw(hand.screen, (800, 480)).sheet.shapes).count(theme.RED_DEEP)
    assert "Black to move" in labels
    assert black < red


def test_the_same_screen_gives_the_same_picture(hand: Hand) -> None:
    attack(hand)
    first, second = (pygame.image.tobytes(draw(hand.screen, (800, 480)).surface, "RGB") for _ in range(2))
    assert first == second


def test_the_board_takes_the_colours_of_its_owner(hand: Hand) -> None:
    use_board_colours({"water": "#123456"})
    shapes = "".join(draw(hand.screen, (800, 480)).sheet.shapes)
    use_board_colours({})
    assert "#123456" in shapes
    assert "#123456" not in "".join(draw(hand.screen, (800, 480)).sheet.shapes)


def test_a_picture_is_saved_as_png(hand: Hand, tmp_path: Path) -> None:
    idle(hand)
    save_screen(hand.app, tmp_path / "table.png", (800, 480))
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")
    assert pygame.image.load(tmp_path / "table.png").get_size() == (800, 480)


# ---- small parts ------------------------------------------------------------------------------


def measure(text: str, size: float, bold: bool) -> float:
    return len(text) * size


def test_text_is_wrapped_between_words() -> None:
    assert wrapped(measure, "one two three\nfour", (1, False), 8) == ["one two", "three", "four"]
    assert wrapped(measure, "overlong word", (1, False), 4) == ["over", "long", "word"]
    assert wrapped(measure, "ab", (9, False), 4) == ["a", "b"], "a letter is never too wide for its line"


def test_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    assert cut_to(measure, "abcdef", (1, False), 4) == "abc…"
    assert cut_to(measure, "abc", (1, False), 4) == "abc"


def test_the_later_target_gets_the_touch() -> None:
    sheet = Sheet(measure)
    sheet.target(Rect(0, 0, 100, 100), Intent("area"), ((0, 0), (100, 0), (0, 100)))
    sheet.target(Rect(0, 0, 10, 10), Intent("space"))
    assert [t and t.intent.verb for t in map(sheet.hit, [(5, 5), (20, 20), (90, 90)])] == ["space", "area", None]


def test_letters_have_portuguese_accents() -> None:
    lettering = Lettering(2.0)
    for accented, plain in zip("áçãõéêíóúÁÇ", "acaoeeiouAC", strict=True):
        assert lettering(accented, 20, False) > 0
        font = pygame.font.Font(str(Path(theme.__file__).parent / "fonts" / "AtkinsonHyperlegible-Regular.ttf"), 20)
        assert font.metrics(accented)[0] is not None, accented
        assert pygame.image.tobytes(font.render(accented, True, "white"), "RGBA") != pygame.image.tobytes(
            font.render(plain, True, "white"), "RGBA"
        )


@pytest.mark.parametrize(
    ("front", "back"),
    [
        *((theme.TEXT, back) for back in (theme.PAGE, theme.RAISED, theme.RED_DEEP, theme.BLACK)),
        *((front, theme.PAGE) for front in (theme.QUIET, theme.GOOD, theme.BAD, theme.GOLD, theme.DIM)),
        *((theme.INK, back) for back in (theme.GOLD, theme.BAD, theme.CREAM)),
    ],
)
def test_text_stands_out_from_its_ground(front: str, back: str) -> None:
    """At least 4.5 to 1, the contrast that WCAG 2 asks of text at level AA."""
    bright, dark = sorted((luminance(front), luminance(back)), reverse=True)
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
