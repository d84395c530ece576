"""Names in Japanese, Korean, Hebrew, Arabic and emoji are set in letters that have them, each in its own direction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame
import pytest

from companion.view.kit import lettering
from companion.view.kit.lettering import ARABIC, EMOJI, FONTS, HEBREW, JAPANESE, KOREAN, OWN, Lettering, letters, parts

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
    "name", [*"さクラ健太郎織田信長翔", *"김이박최정강조윤장임민준서연힝", *"דנהכןץ", *"ليأحمد", *"😀🎲❤☕⚔🐉"]
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
