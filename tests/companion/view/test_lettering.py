"""Letters: of any script, each in its own direction; figures under one another; words wrapped, cut and measured."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pygame
import pytest

from companion.view.kit import lettering
from companion.view.kit.lettering import ARABIC, EMOJI, FONTS, HEBREW, JAPANESE, KOREAN, OWN, Lettering, letters, parts
from companion.view.kit.sheet import Label, Rect
from companion.view.kit.wrapping import cut_to, wrap_text
from companion.view.page.marks import Ground, paint, words_of

SIZE_PX = 30
MOST_KB = 1600
"""What all letters for names may take together."""


def drawn(text: str, bold: bool = False) -> list[Any]:
    """Return the letters of a text as pictures, from left to right."""
    return [pygame.surfarray.array_alpha(picture) for picture, _place in letters(text, SIZE_PX, bold, "white")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ana", [("Ana", OWN)]),
        ("", [("", OWN)]),
        ("Zoë – 3", [("Zoë – 3", OWN)]),
        ("さくら wins", [("さくら", JAPANESE), (" wins", OWN)]),
        ("織田 信長", [("織田", JAPANESE), (" ", OWN), ("信長", JAPANESE)]),
        ("김 민준 vs 織田", [("김", KOREAN), (" ", OWN), ("민준", KOREAN), (" vs ", OWN), ("織田", JAPANESE)]),
        ("to דנה כהן.", [("to ", OWN), ("דנה כהן", HEBREW), (".", OWN)]),
        ("ليلى أحمد", [("ليلى أحمد", ARABIC)]),
        ("Bo ❤️👨🏽‍🚀", [("Bo ", OWN), ("❤👨🚀", EMOJI)]),
    ],
)
def test_each_part_has_its_script(text: str, found: list[tuple[str, object]]) -> None:
    assert list(parts(text)) == found


@pytest.mark.parametrize(
    "name",
    [*"さクラ健太郎織田信長翔", *"김이박최정강조윤장임민준서연힝", *"דנהכןץ", *"ليأحمد", *"😀🎲❤☕⚔🐉áçãõéêíóúÁÇ"],
)
def test_no_letter_of_a_name_is_a_box(name: str) -> None:
    picture, box = drawn(name)[0], drawn("\ue123")[0]
    script = next(parts(name))[1]
    own_box = pygame.surfarray.array_alpha(lettering._font(SIZE_PX, False, script).render("\ue123", True, "white"))
    assert picture.any()
    assert not any(np.array_equal(picture, empty) for empty in (box, own_box))


def test_hebrew_and_arabic_run_from_right_to_left() -> None:
    (aleph,), (both,) = drawn("א"), drawn("אי")
    assert both.shape[0] > aleph.shape[0]
    assert both[: both.shape[0] // 3].sum() < both[both.shape[0] // 3 :].sum(), "the broad aleph, read first, is right"


def test_arabic_letters_are_joined() -> None:
    assert drawn("ليلى")[0].shape[0] < sum(drawn(letter)[0].shape[0] for letter in "ليلى")


def test_a_line_is_as_wide_as_its_parts_and_as_high_as_ours() -> None:
    line = Lettering(1.0)
    assert line("Ana さくら", 30, False) == sum(picture.shape[0] for picture in drawn("Ana さくら"))
    assert lettering._size_of("さくら", SIZE_PX, False)[1] == lettering._size_of("Ana", SIZE_PX, False)[1]
    assert line("さくら", 30, True) >= line("さくら", 30, False)


def test_the_letters_for_names_are_small() -> None:
    assert sum(file.stat().st_size for file in FONTS.glob("Noto*-Names.*")) < MOST_KB * 1000


# ---- words ----------------------------------------------------------------------------------------


def measure(text: str, size: float, _bold: bool) -> float:
    return len(text) * size


def test_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    assert cut_to(measure, "abcdef", (1, False), 4) == "abc…"
    assert cut_to(measure, "abc", (1, False), 4) == "abc"


def test_letters_have_portuguese_accents() -> None:
    for accented, plain in zip("áçãõéêíóúÁÇ", "acaoeeiouAC", strict=True):
        assert not np.array_equal(drawn(accented)[0], drawn(plain)[0]), accented


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
    counting = mock.Mock(wraps=measure)
    assert cut_to(counting, "W" * 5000, (10.0, False), 55.0) == "WWWW…"
    assert wrap_text(counting, "W" * 5000, (10.0, False), 55.0) == ("WWWWW",) * 1000
    assert counting.call_count < 20_000


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("One six or more: < 1%.", 20.0, ("One six or more:", "< 1%.")),
        ("Ana begins round 4", 16.0, ("Ana begins", "round 4")),  # no lone number
        ("to c5\nc4", 5.0, ("to c5", "c4")),
        ("risk < 1% ok", 9.0, ("risk", "< 1% ok")),
        (" two  words\n", 20.0, ("two words", "")),
        ("one two three\nfour", 8.0, ("one two", "three", "four")),
        ("overlong word", 4.0, ("over", "long", "word")),
        ("ab", 0.5, ("a", "b")),  # a letter is never too wide for its line
    ],
)
def test_text_is_wrapped_between_words_and_a_per_cent_sign_stays_with_its_number(
    text: str, width: float, lines: tuple[str, ...]
) -> None:
    assert wrap_text(measure, text, (1.0, False), width) == lines
