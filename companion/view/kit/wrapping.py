"""Words in the room there is: measured, set smaller, cut, and broken into lines. No pygame."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Protocol

from companion.view.kit.theme import LINE


class Measure(Protocol):
    """How wide a text is in points, set at a size in points."""

    def __call__(self, text: str, size: float, bold: bool, /) -> float:
        """Return the width of the text in points."""

    def __hash__(self) -> int:
        """Make it usable as a key, as what is laid out by a measure is cached."""


def fitting_size(measure: Measure, text: str, font: tuple[float, bool], width: float) -> float:
    """Return the size, made smaller (down to 0.75 of it) until the text is no wider than `width`."""
    size, bold = font
    for step in range(6):
        smaller = size * (1 - 0.05 * step)
        if measure(text, smaller, bold) <= width:
            return smaller
    return smaller


def cut_to(measure: Measure, text: str, font: tuple[float, bool], width: float) -> str:
    """Return the text, or as much of it as fits, with an ellipsis."""
    size, bold = font
    if measure(text, size, bold) <= width:
        return text
    most = bisect_right(range(1, len(text)), width, key=lambda n: measure(text[:n].rstrip() + "…", size, bold))
    return text[:most].rstrip() + "…"


@lru_cache(maxsize=4096)
def widest_word(measure: Measure, text: str, font: tuple[float, bool]) -> float:
    """Return the width of the widest word of a text, 0 if it has none."""
    return max((measure(word, *font) for word in text.split()), default=0.0)


LONE = 3  # a last line of so few letters is too short
BETWEEN = re.compile(r"(?<![<>])\s+")  # where a line may end


@lru_cache(maxsize=2048)
def wrap_text(measure: Measure, text: str, font: tuple[float, bool], width: float) -> tuple[str, ...]:
    """Break a text into lines no wider than `width`, between words, and never between "<" and its number.

    A path or a word that is too wide for a line is broken inside. A last line so short as "4" or "c5." takes the word
    before it along.
    """
    size, bold = font
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, first = "", len(lines)
        words = BETWEEN.split(paragraph.strip())
        for word in (part for whole in words for part in _parts(measure, whole, font, width)):
            longer = f"{line} {word}" if line else word
            if line and measure(longer, size, bold) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
        if len(lines) > first + 1 and 0 < len(line) <= LONE:
            *before, last = BETWEEN.split(lines[-2])
            if before and measure(f"{last} {line}", size, bold) <= width:
                lines[-2:] = " ".join(before), f"{last} {line}"
    return tuple(lines)


def _parts(measure: Measure, word: str, font: tuple[float, bool], width: float) -> list[str]:
    """Break a word into pieces no wider than `width`."""
    size, bold = font
    parts = []
    while len(word) > 1 and measure(word, size, bold) > width:
        most = 1 + bisect_right(range(2, len(word)), width, key=lambda n: measure(word[:n], size, bold))
        parts.append(word[:most])
        word = word[most:]
    return [*parts, word]


def line_height(size: float) -> float:
    """Return the height of a line of text of that size."""
    return size * LINE
