"""Sizes in millimetres, text that is larger, and what has no room side by side or on one page."""

from __future__ import annotations

import pytest

from companion.settings.layers import Settings
from companion.ui.screen import (
    Button,
    Buttons,
    Choice,
    Columns,
    Dice,
    Intent,
    Odds,
    Option,
    Options,
    Screen,
    Share,
    Stepper,
    Steppers,
    Text,
)
from companion.view.kit.glass import Glass, Grain, glass_of
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.wrapping import wrap_text
from companion.view.page.canvas import Canvas, draw, draw_part
from tests.companion.gallery.sheet_checks import misplaced

pytestmark = pytest.mark.long

PARTS = [(232, 480), (464, 240), (440, 320), (296, 400)]
SCALES = [0.85, 1.0, 1.25, 1.5]


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


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_larger_text_overflows_nowhere(scale: float, size: tuple[int, int]) -> None:
    assert not misplaced(draw(WORDY, size, Glass(text_scale=scale)))


def test_many_dice_are_taken_back_one_by_one_from_the_last() -> None:
    canvas = part(Screen(blocks=(Dice((1, 2, 0, 1, None, None, None)),)), (232, 480))
    assert [target.intent.n for target in canvas.sheet.targets if target.intent.verb == "undie"] == [3]


def test_a_banner_lies_over_the_top_and_moves_nothing() -> None:
    screen = Screen(title="Rules", blocks=(Text("words"),), banner="The disk is full.")
    canvas = part(screen, (464, 480))
    assert any(target.intent.verb == "hush" for layer in canvas.sheet.layers() for target in layer.targets)


def test_no_word_of_a_button_s_note_is_broken() -> None:
    note = "commanders, cards"
    buttons = tuple(Button(name, Intent("b", name), note=note) for name in ("Ana", "Bo", "Round"))
    for size in PARTS:
        lines = [label.text for label in part(Screen("?", (Buttons(buttons, 3),)), size).sheet.labels]
        assert " ".join(lines).count("commanders,") == len(buttons), (size, lines)


def test_a_per_cent_sign_stays_with_its_number() -> None:
    def measure(text: str, size: float, bold: bool) -> float:
        return len(text)

    assert wrap_text(measure, "One six or more: < 1%.", (1.0, False), 20.0) == ("One six or more:", "< 1%.")
    assert wrap_text(measure, "Ana begins round 4", (1.0, False), 16.0) == ("Ana begins", "round 4"), "no lone number"
    assert wrap_text(measure, "to c5\nc4", (1.0, False), 5.0) == ("to c5", "c4")
    assert wrap_text(measure, "risk < 1% ok", (1.0, False), 9.0) == ("risk", "< 1% ok")
    assert wrap_text(measure, " two  words\n", (1.0, False), 20.0) == ("two words", "")
