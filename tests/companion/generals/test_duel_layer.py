"""The battlefield drawn: in every theme and palette, crowded or empty, high or low, from either side."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.settings.layers import PALETTES, THEMES
from companion.ui.screen import Screen
from companion.ui.table_pictures import CardSight, DuelPicture, PileSight, ZoneSight
from companion.view.kit.glass import Glass
from companion.view.kit.lettering import Lettering
from companion.view.kit.sheet import Rect, Sheet
from companion.view.kit.theme import theme
from companion.view.layers.duel import draw_duel
from companion.view.page.canvas import Canvas, lay_out
from tests.companion.gallery.sheet_checks import cut_off, faint, on_top

TITLES = ("Crane Captain", "Wolf Lord", "Extraordinarily-named", "Ox", "Mother of All the Pines")
STATES: tuple[tuple[str, ...], ...] = ((), ("fresh",), ("acted", "effect"), ("used", "effect"), ("acted", "used"))


def card(n: int, seat: str, mark: str = "") -> CardSight:
    """Return a general of some kind or other."""
    worn = (("item",), ("item", "troop"), ())[n % 3]
    return CardSight(f"one-{n}", seat, TITLES[n % 5], (n % 9, 12 - n), (n % 3 - 1, 0), worn, STATES[n % 5], mark)


def picture(outside: int, inside: int) -> DuelPicture:
    """So many generals of each side in the black side's field, and in each city."""
    field = (*(card(n, "red", "live") for n in range(outside)), *(card(n, "black", "target") for n in range(outside)))
    zones = (
        ZoneSight("black/city", "black", "city", "Inside Black's city", tuple(card(n, "black") for n in range(inside))),
        ZoneSight("black/outside", "black", "outside", "Outside Black's city", field, "live"),
        ZoneSight("red/outside", "red", "outside", "Outside Red's city", (card(1, "red", "chosen"),), "chosen"),
        ZoneSight("red/city", "red", "city", "Inside Red's city", tuple(card(n, "red") for n in range(inside))),
    )
    piles = (PileSight("resources", "Resources", 3, 4, warns=True), PileSight("hand", "Hand", 12, 4),
             PileSight("expended", "Expended", 30), PileSight("defeated", "Defeated", 0))  # fmt: skip
    return DuelPicture(zones, (piles, piles), to_move="black")


def drawn(shown: DuelPicture, size_px: tuple[int, int] = (800, 480), glass: Glass | None = None) -> Canvas:
    return lay_out(Screen(board=shown), size_px, glass or Glass())


@pytest.mark.parametrize("palette", PALETTES)
@pytest.mark.parametrize("name", THEMES)
def test_every_letter_stands_out(name: str, palette: str) -> None:
    canvas = drawn(picture(2, 3), glass=Glass(theme=name, palette=palette))
    assert faint(canvas) == []


@pytest.mark.parametrize("size_px", [(800, 480), (720, 1280), (1280, 800), (480, 800)])
@pytest.mark.parametrize("crowd", [(0, 0), (1, 2), (3, 4), (5, 6)])
def test_nothing_is_cut_off_or_lies_on_another(size_px: tuple[int, int], crowd: tuple[int, int]) -> None:
    canvas = drawn(picture(*crowd), size_px)
    assert [*cut_off(canvas), *on_top(canvas)] == []


@pytest.mark.parametrize("crowd", [(0, 0), (1, 2), (3, 3)])
def test_a_low_place_has_the_zones_side_by_side(crowd: tuple[int, int]) -> None:
    sheet = Sheet(Lettering(1.0))
    draw_duel(sheet, picture(*crowd), Rect(0, 0, 384, 186))
    zones = [target for target in sheet.targets if target.intent.verb == "zone"]
    assert [target.intent.what for target in zones] == ["red/city", "red/outside", "black/outside", "black/city"]
    assert all(min(target.rect.w, target.rect.h) >= sheet.touch for target in sheet.targets)
    assert not any(label.text.endswith("…") for label in sheet.labels)


def laid_out(shown: DuelPicture, turn: int = 0, name: str = "dark") -> Sheet:
    """Draw the battlefield in half of the smallest screen."""
    sheet = Sheet(Lettering(1.0), look=theme(name))
    draw_duel(sheet, shown, Rect(0, 0, 440, 464), turn)
    return sheet


def test_generals_are_touched_where_a_finger_fits() -> None:
    sheet = laid_out(picture(2, 1))
    generals = [target for target in sheet.targets if target.intent.verb == "general"]
    assert len(generals) == 2 * 2 + 1 + 2
    assert all(min(target.rect.w, target.rect.h) >= sheet.touch for target in generals)
    crowded = [target for target in laid_out(picture(6, 1)).targets if target.intent.verb == "general"]
    assert len(crowded) == 1 + 2  # those of the crowded zone are found by touching the zone


@pytest.mark.parametrize(("turn", "lowest"), [(0, "red/city"), (180, "black/city")])
def test_the_player_opposite_has_the_own_city_below(turn: int, lowest: str) -> None:
    zones = [target for target in laid_out(picture(1, 1), turn).targets if target.intent.verb == "zone"]
    assert max(zones, key=lambda target: target.rect.y).intent.what == lowest


def test_states_differ_by_more_than_colour() -> None:
    """What has acted or may not act yet has a sign of its own, whatever the theme's colours are."""
    shapes = {}
    for states in STATES:
        one = replace(card(2, "red"), states=states)
        zones = (ZoneSight("red/outside", "red", "outside", "Outside", (one,)),) * 4
        sheet = laid_out(replace(picture(0, 0), zones=zones), name="contrast")
        shapes[states] = "".join(sheet.shapes).count("<")
    assert len(set(shapes.values())) >= 4
