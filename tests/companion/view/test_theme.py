"""The themes and palettes: letters stand out, and the factions are told apart by eyes of every kind."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from companion.settings.layers import PALETTES, THEMES
from companion.view.kit.signs import SHAPES
from companion.view.kit.theme import ERAS, Theme, theme
from tests.companion.view.colours import MACHADO, apart, contrast

TEXT = 4.5  # WCAG 2.2, 1.4.3 (AA): letters on their ground
TEXT_CONTRAST = 7.0  # 1.4.6 (AAA), asked of the high-contrast theme
SIGN = 3.0  # 1.4.11: signs, and edges that tell what a thing is
FACTIONS_APART = 40.0  # Delta E*ab; a JND is 2.3 (Mahy, Van Eycken and Oosterlinck 1994)
VERDICTS_APART = 25.0

ALL = [theme(*key) for key in itertools.product(THEMES, PALETTES, ERAS)]
EVERY = pytest.mark.parametrize("look", ALL, ids=lambda look: f"{look.name}-{look.palette}-{look.material.ground}")


def letters(look: Theme) -> Iterator[tuple[str, str]]:
    """(letters, ground) as the screens pair them."""
    grounds = (look.page, look.panel)
    yield from itertools.product((look.text, look.quiet, look.dim, look.accent_text, look.good, look.bad), grounds)
    yield from ((look.text, ground) for ground in (look.raised, look.chosen, look.danger))
    yield from ((ink, ground) for ground, _, ink in look.buttons.values())
    yield from (look.banner(tone)[::-1] for tone in ("warn", "bad", "good", "plain"))
    yield from ((side.text, side.fill) for side in look.sides.values())
    yield from ((look.ink, ground) for ground in (look.cream, look.glow.bad, look.glow.quiet, look.accent))
    yield from ((look.ink, look.board[ground]) for ground in ("land", "water", "paper", "points"))
    yield from ((colour, look.ink) for colour in (look.glow.good, look.glow.accent, *look.glow.sides.values()))


def signs(look: Theme) -> Iterator[tuple[str, str]]:
    """(sign or edge, ground) as the screens pair them."""
    yield from itertools.product((look.good, look.bad, look.accent_text), (look.page, look.panel))
    yield from ((side.line, side.fill) for side in look.sides.values())
    yield from itertools.product((side.border for side in look.sides.values()), (look.board["land"],))
    yield look.edge, look.page
    yield from itertools.product((look.board["dull"],), (look.board["paper"],))


@EVERY
def test_letters_stand_out_from_their_ground(look: Theme) -> None:
    least = TEXT_CONTRAST if look.name == "contrast" else TEXT
    assert [(pair, round(contrast(*pair), 2)) for pair in letters(look) if contrast(*pair) < least] == []


@EVERY
def test_signs_and_edges_stand_out_from_their_ground(look: Theme) -> None:
    assert [(pair, round(contrast(*pair), 2)) for pair in signs(look) if contrast(*pair) < SIGN] == []


@EVERY
def test_a_faction_shows_on_every_ground_by_its_fill_or_by_its_rim(look: Theme) -> None:
    grounds = (look.page, look.panel, look.board["land"], look.board["water"])
    for side, ground in itertools.product(look.sides.values(), grounds):
        assert max(contrast(side.fill, ground), contrast(side.line, ground)) >= SIGN, (side, ground)


@EVERY
def test_the_eyes_that_a_palette_is_for_tell_the_factions_of_a_game_apart(look: Theme) -> None:
    for pair in (("red", "black"), ("blue", "yellow")):
        one, other = (look.sides[faction] for faction in pair)
        assert apart(one.fill, other.fill, look.palette) >= FACTIONS_APART
        assert apart(one.border, other.core or other.border, look.palette) >= FACTIONS_APART


@EVERY
def test_each_faction_has_a_shape_of_its_own(look: Theme) -> None:
    assert len({side.shape for side in look.sides.values()}) == len(look.sides)
    assert {side.shape for side in look.sides.values()} <= SHAPES.keys()


@EVERY
def test_what_asks_for_a_touch_is_no_factions_colour(look: Theme) -> None:
    for pair in (("red", "black"), ("blue", "yellow")):
        asks = look.asking_colour(pair)
        assert all(
            apart(asks, look.sides[faction].core or look.sides[faction].border, look.palette) >= 25 for faction in pair
        )


@EVERY
def test_verdicts_are_told_apart(look: Theme) -> None:
    assert apart(look.good, look.bad, look.palette) >= VERDICTS_APART


def test_a_theme_is_made_once_and_an_unknown_one_is_an_error() -> None:
    assert theme("light", "protanopia") is theme("light", "protanopia")
    assert theme() is theme("dark", "standard")
    with pytest.raises(KeyError):
        theme("pink")


def test_a_share_has_its_factions_colour_or_a_step() -> None:
    look = theme()
    assert look.share_colour("red", 3) == look.sides["red"].fill
    assert look.share_colour("nobody", 0) == look.nobody
    assert [look.share_colour("", i) for i in (0, 4, 5)] == [look.steps[0], look.steps[4], look.steps[0]]


# ---- the measure itself -----------------------------------------------------------------------


def test_the_measures_agree_with_published_values() -> None:
    """Black on white is 21 to 1 (WCAG); red is at L*a*b* 53.24, 80.09, 67.20; grey stays grey for every eye."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert apart("#ff0000", "#000000") == pytest.approx((53.24**2 + 80.09**2 + 67.20**2) ** 0.5, abs=0.05)
    for sight in MACHADO:
        assert apart("#808080", "#808081", sight) < 1.0
    assert apart("#b5311a", "#4f6a00", "deuteranopia") < apart("#b5311a", "#4f6a00") / 2


@pytest.mark.parametrize("name", THEMES)
def test_rounds_are_numbered_in_the_hand_of_their_era(name: str) -> None:
    assert [theme(name, era=era).material.numerals for era in ("sengoku", "wwii")] == ["brush", "tally"]
