"""The values that settings may have: each reader takes a value as a TOML file has it; UsageError where it is none."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from companion.core.errors import UsageError
from companion.core.language import code_of
from companion.drawing.board_svg import COLOURS
from engine.codec import brief

ROTATIONS = (0, 90, 180, 270)
SIZE_FORM = re.compile(r"(\d{2,5})[x×](\d{2,5})")
SMALLEST_PX = (320, 240)
LARGEST_PX = 8192
COLOUR_FORM = re.compile(r"#[0-9a-fA-F]{6}")
ANSWERS = ("default", "other")
SIDES = ("one", "two", "")
MOST_PIN = 27  # of a Pi's header, in BCM numbers
MOST_CHARACTERS = 1000
MOST_SHOWN = 60


def size_px(text: str) -> tuple[int, int]:
    """Parse "800x480" into (width, height); UsageError for anything else, or a screen too small to use.

    >>> size_px("800x480")
    (800, 480)
    """
    form = SIZE_FORM.fullmatch(text.strip())
    if not form:
        raise UsageError(f"expected WIDTHxHEIGHT in pixels, such as 800x480, not {brief(text)}")
    width, height = int(form[1]), int(form[2])
    if width < SMALLEST_PX[0] or height < SMALLEST_PX[1]:
        raise UsageError(f"a screen of {text} is too small: at least {SMALLEST_PX[0]}x{SMALLEST_PX[1]}")
    if max(width, height) > LARGEST_PX:
        raise UsageError(f"a screen of {text} is too large: at most {LARGEST_PX} pixels across")
    return width, height


def size(value: object) -> tuple[int, int]:
    """Read "800x480" as (width, height) in pixels."""
    return size_px(text(value))


def text(value: object) -> str:
    """Read a text of 1 to `MOST_CHARACTERS` characters without NUL."""
    if not isinstance(value, str) or not value or "\0" in value:
        raise UsageError(f"expected a text, not {brief(value)}")
    if len(value) > MOST_CHARACTERS:
        raise UsageError("expected a shorter text")
    return value


def language(value: object) -> str:
    """Read a language's code and return it as the catalogues write it (pt_BR for pt-BR); an unknown one unchanged."""
    given = text(value)
    return code_of(given) or given


def rotation(value: object) -> int:
    """Read a rotation of the screen, one of ROTATIONS, in degrees."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in ROTATIONS:
        raise UsageError(f"expected one of {', '.join(map(str, ROTATIONS))}, not {brief(value)}")
    return value


def switch(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise UsageError(f"expected true or false, not {brief(value)}")
    return value


def one_of(*names: str) -> Callable[[object], str]:
    """Make a reader that accepts one of these names."""

    def read(value: object) -> str:
        if value not in names:
            raise UsageError(f"expected one of {', '.join(names)}, not {brief(value)}")
        return str(value)

    return read


def number(least: float, most: float) -> Callable[[object], float]:
    """Make a reader that accepts a number from `least` to `most`, both included."""

    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise UsageError(f"expected a number from {least:g} to {most:g}, not {brief(value)}")
        return float(value)

    return read


def whole(most: int) -> Callable[[object], int]:
    """Make a reader that accepts a whole number from 0 to `most`."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise UsageError(f"expected a whole number from 0 to {most}, not {brief(value)}")
        return value

    return read


def path(value: object) -> Path:
    """Read a path, with ~ expanded to the user's home."""
    try:
        return Path(text(value)).expanduser()
    except RuntimeError as error:  # ~ of an unknown user
        raise UsageError(f"expected a path, not {brief(value)}") from error


def texts(value: object) -> dict[str, str]:
    """Read {name: text}, where no text may be empty."""
    if not isinstance(value, dict):
        raise UsageError(f"expected a section of names and texts, not {brief(value)}")
    return {name: text(item) for name, item in value.items()}


def names(value: object) -> dict[str, str]:
    """Read {faction or device: text}, where "" stands for none."""
    if not isinstance(value, dict):
        return texts(value)
    return {who: name if name == "" else text(name) for who, name in value.items()}


def colours(value: object) -> dict[str, str]:
    """Read {name of a colour of the drawn board: "#rrggbb"}."""
    colours = texts(value)
    for name, colour in colours.items():
        if name not in COLOURS:
            raise UsageError(f"the drawn board has no {brief(name)}; its colours are {', '.join(COLOURS)}")
        if not COLOUR_FORM.fullmatch(colour):
            raise UsageError(f'{name} must be "#rrggbb", not {brief(colour)}')
    return colours


def answers(value: object) -> dict[str, str]:
    """Read {reading: "default" or "other"}."""
    answers = texts(value)
    for name, answer in answers.items():
        if answer not in ANSWERS:
            raise UsageError(f'{name[:MOST_SHOWN]} must be "default" or "other", not {brief(answer)}')
    return answers


def maybe(value: object) -> str:
    """Read a text that may be empty."""
    return "" if value == "" else text(value)


def text_list(most: int) -> Callable[[object], tuple[str, ...]]:
    """Make a reader that accepts a list of at most `most` different texts."""

    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise UsageError(f"expected a list of at most {most} texts, not {brief(value)}")
        found = tuple(map(text, value))
        if len(set(found)) < len(found):
            raise UsageError(f"each may appear only once: {brief(value)}")
        return found

    return read


def sides(value: object) -> dict[str, str]:
    """Read {device: whose side of the table it is on}: "one", "two", or "" for both."""
    named = names(value)
    for device, side in named.items():
        if side not in SIDES:
            raise UsageError(f'{device[:MOST_SHOWN]} must be on side "one" or "two", or "" for both, not {brief(side)}')
    return named


def pins(value: object) -> dict[str, int]:
    """Read {name of a button or lamp: its pin as a BCM number, 0 if not wired}."""
    if not isinstance(value, dict):
        raise UsageError(f"expected a section of names and pins, not {brief(value)}")
    number = whole(MOST_PIN)
    return {name: number(pin) for name, pin in value.items()}
