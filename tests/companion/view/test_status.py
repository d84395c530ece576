"""The status: everything public at a glance, in a wide place and in a narrow one, and what a touch on it means."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from companion.drawing.icons import ICONS
from companion.scenes.base.map_picture import status
from companion.settings.layers import THEMES
from companion.ui.screen import Intent, Status
from companion.view.blocks.status import LEAST_SIDE_PT, SEAL_PT, SIDE_PT, SMALL_SIDE_PT, WIDE_PT, draw_status
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import GAP_PT, theme
from tests.tables import rivers

WIDE, NARROW, SCALED = 444.0, 218.0, 145.0
POSITION = rivers(
    "e3:3 c4:2 d5:1",
    "a3:3 b5:4",
    commanders={"advance:c4": "red"},
    standby={"red": 1},
    hands={"red": "ambush counterattack", "black": 3},
    discard="mobilise",
)
SHOWN = status(POSITION, {"red": "Ana", "black": "Takeshi"})


def drawn(shown: Status, width: float = WIDE, name: str = "dark") -> tuple[Sheet, float]:
    sheet = Sheet(Lettering(1.0), 1.0, theme(name))
    return sheet, draw_status(sheet, shown, Rect(0, 0, width, 464))


def texts(sheet: Sheet) -> list[str]:
    return [label.text for label in sheet.labels]


def icons(sheet: Sheet, name: str) -> int:
    icon = ICONS[name]
    return "".join(sheet.shapes).count(icon.fill or icon.line)


def test_a_position_tells_who_is_ahead_and_what_lies_where() -> None:
    red, black = SHOWN.sides
    assert (SHOWN.deck, SHOWN.discard) == (18, 1)
    assert (red.ahead, black.ahead) == (True, False)
    assert (red.player, red.label) == ("Ana", "Red · Ana")
    tied = status(rivers("e3:3", "a3:3", initiative="black"), {})
    assert [side.ahead for side in tied.sides] == [False, True], "a tie goes to the initiative"
    lost = status(rivers("e4:3 c4:2", "a3:3"), {})
    assert [side.ahead for side in lost.sides] == [False, True], "an empty headquarters loses at once"


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_menu_that_is_not_at_hand_leaves_its_room_to_the_words(width: float) -> None:
    sheet, _high = drawn(replace(SHOWN, menu=False, live="out", live_text="Board is different"), width)
    assert not {"menu", "lock"} & {target.intent.verb for target in sheet.targets}
    assert max(target.rect.right for target in sheet.targets) <= width
    assert {"menu"} <= {target.intent.verb for target in drawn(SHOWN, width)[0].targets}


def test_on_a_bar_the_words_the_sides_and_the_menu_stand_in_one_row() -> None:
    sheet, high = drawn(replace(SHOWN, live="sync", live_text="Board matches"), 1500.0)
    assert high == max(sheet.touch, SIDE_PT)
    targets = sorted((target.rect.x, target.intent.verb) for target in sheet.targets)
    assert [verb for _x, verb in targets] == ["round", "live", "side", "side", "lock", "menu"]
    rects = sorted((target.rect for target in sheet.targets), key=lambda rect: rect.x)
    assert all(left.right <= right.x for left, right in pairwise(rects))


def test_a_round_that_has_no_room_beside_the_piles_has_its_own_line() -> None:
    sheet, high = drawn(replace(SHOWN, menu=False), 120.0)
    assert texts(sheet)[0].startswith("Round 2")
    assert not [text for text in texts(sheet) if text.endswith("…")]
    assert high == drawn(SHOWN, 120.0)[1]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_round_and_the_piles_share_a_line_where_nothing_beside_them_is_touched(width: float) -> None:
    sheet, high = drawn(replace(SHOWN, menu=False), width)
    assert {"18", "1"} <= set(texts(sheet))
    assert [target.intent.verb for target in sheet.targets] == ["side", "side"]
    assert high <= drawn(SHOWN, width)[1] - sheet.touch / 2


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("width", [WIDE, NARROW, SCALED])
def test_everything_public_is_told_at_any_width(width: float, name: str) -> None:
    sheet, high = drawn(SHOWN, width, name)
    told = texts(sheet)
    assert any(text.startswith("Round 2") for text in told)
    assert {"2", "3", "0", "18"} <= set(told), "points, hands, the deck"
    assert not [text for text in told if text.endswith("…")]
    assert max(label.rect.bottom for label in sheet.labels) <= high
    assert icons(sheet, "initiative") == 1
    assert icons(sheet, "points") == 1
    assert icons(sheet, "standby") == 1


def test_a_touch_on_a_side_or_the_round_asks_for_more() -> None:
    for width in (WIDE, NARROW, SCALED):
        sheet, _ = drawn(SHOWN, width)
        intents = [target.intent for target in sheet.targets]
        assert {Intent("side", "red"), Intent("side", "black"), Intent("menu"), Intent("round")} <= set(intents)
        assert (Intent("lock") in intents) == (width == WIDE)
        assert all(min(target.rect.w, target.rect.h) >= sheet.touch - 0.5 for target in sheet.targets)


def test_with_a_clock_the_round_is_its_button() -> None:
    sheet, _ = drawn(replace(SHOWN, clock="paused"))
    intents = [target.intent for target in sheet.targets]
    assert Intent("clock") in intents
    assert Intent("round") not in intents
    timed = replace(SHOWN.sides[0], clock="0:42", clock_low=True)
    assert "! 0:42" in texts(drawn(replace(SHOWN, clock="runs", sides=(timed, SHOWN.sides[1])))[0])


def test_what_was_set_by_hand_has_a_pencil() -> None:
    own = frozenset({"points", "left", "standby", "hand", "initiative"})
    assert icons(drawn(SHOWN)[0], "pencil") == 0
    side = replace(SHOWN.sides[0], by_hand=own)
    for width in (WIDE, NARROW):
        assert icons(drawn(replace(SHOWN, sides=(side, SHOWN.sides[1])), width)[0], "pencil") == len(own)


def test_a_long_name_stands_without_its_faction_where_there_is_little_room() -> None:
    named = status(POSITION, {"red": "Takeshi", "black": "Bo"})
    assert "Takeshi" in texts(drawn(named, NARROW)[0])
    assert "Black · Bo" in texts(drawn(named)[0])


@pytest.mark.parametrize("width", [WIDE, NARROW, SCALED])
@pytest.mark.parametrize("live", ["sync", "unsure", "proposal", "behind", "out", "lost", "ignored", "waiting"])
def test_the_camera_has_a_sign_and_its_words(live: str, width: float) -> None:
    words = "Board differs: b3 d5 e4 c4"
    sheet, high = drawn(replace(SHOWN, live=live, live_text=words), width)
    told = " ".join(texts(sheet))
    assert all(word in told for word in words.split())
    assert Intent("live") in [target.intent for target in sheet.targets]
    marks = {"unsure": "?", "proposal": "?", "behind": "!", "out": "!", "lost": "×", "ignored": "–", "waiting": "…"}
    assert icons(sheet, "tick") == 1 if live == "sync" else marks[live] in texts(sheet)
    assert max(target.rect.bottom for target in sheet.targets) <= high + 1


@pytest.mark.parametrize(
    ("width", "rows", "side_pt"),
    [
        (WIDE_PT, 1, SIDE_PT),
        (WIDE_PT - 1, 1, SMALL_SIDE_PT),
        (2 * LEAST_SIDE_PT, 1, SMALL_SIDE_PT),
        (2 * LEAST_SIDE_PT - 1, 2, SMALL_SIDE_PT),
    ],
)
def test_sides_stand_beside_one_another_as_far_as_there_is_room(width: float, rows: int, side_pt: float) -> None:
    sheet, high = drawn(SHOWN, width)
    cards = [target.rect for target in sheet.targets if target.intent.verb == "side"]
    assert len({card.y for card in cards}) == rows
    assert [card.h for card in cards] == [max(sheet.touch, side_pt)] * 2
    assert high == pytest.approx(sheet.touch + rows * (cards[0].h + GAP_PT))
    assert max(card.right for card in cards) == pytest.approx(width)
    first, second = cards
    assert (first.right + GAP_PT, first.y) == (second.x, second.y) if rows == 1 else first.bottom + GAP_PT == second.y


@pytest.mark.parametrize("rounds", [3, 4, 5])
def test_the_round_that_is_played_has_the_accent_on_its_seal(rounds: int) -> None:
    sheet, _high = drawn(replace(SHOWN, rounds=rounds, round=2))
    boxes = re.findall(r"<rect [^>]*>", "".join(sheet.shapes))
    seals = [box for box in boxes if f'width="{2 * SEAL_PT:.1f}' in box]
    assert len(seals) == rounds
    assert [sheet.look.accent in seal for seal in seals] == [number == 2 for number in range(1, rounds + 1)]
