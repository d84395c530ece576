"""Letters: the packaged typeface (Atkinson Hyperlegible, made to be read at a distance), measured and set.

Its figures differ in width: a 1 is 0.40 em wide, a 0 is 0.65 (regular; bold 0.45 and 0.65). So that figures stand under
one another in columns and a clock does not dance, a text of figures alone has each set in the middle of a cell as wide
as the widest.

It has Latin letters alone. Japanese, Korean, Hebrew, Arabic and emoji in people's names come from cuts of the Noto
fonts, made by `requirements/fonts.py`; each is read when the first such letter is shown.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pygame

from companion.view.kit.sheet import Label

_HEBREW = "\u0590-\u05ff"
_ARABIC = "\u0600-\u06ff"
_JAPANESE = "\u3000-\u30ff\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9f"
_HANGUL = "\uac00-\ud7a3"
_EMOJI = "\u2600-\u27bf\u2b50\U0001f300-\U0001faff"
_UNSEEN = re.compile("[\ufe0e\ufe0f\u200d\U0001f3fb-\U0001f3ff]")
"""What only changes the look of an emoji: its colour, its skin, its joining to the next."""


@dataclass(frozen=True, slots=True)
class Script:
    """Letters with a typeface of their own. file: among the fonts; code: as ISO 15924 has it; leftward: read so."""

    file: str
    code: str
    leftward: bool = False


OWN = Script("", "Latn")
HEBREW = Script("NotoSansHebrew-Names.ttf", "Hebr", leftward=True)
ARABIC = Script("NotoSansArabic-Names.ttf", "Arab", leftward=True)
JAPANESE = Script("NotoSansJP-Names.otf", "Jpan")
KOREAN = Script("NotoSansKR-Names.otf", "Kore")
EMOJI = Script("NotoEmoji-Names.ttf", "Zsye")

_OTHER = re.compile(
    "|".join(
        (
            f"(?P<hebrew>[{_HEBREW}](?:[ {_HEBREW}]*[{_HEBREW}])?)",
            f"(?P<arabic>[{_ARABIC}](?:[ {_ARABIC}]*[{_ARABIC}])?)",
            f"(?P<japanese>[{_JAPANESE}]+)",
            f"(?P<korean>[{_HANGUL}]+)",
            f"(?P<emoji>[{_EMOJI}]+)",
        )
    )
)
_SCRIPTS = {"hebrew": HEBREW, "arabic": ARABIC, "japanese": JAPANESE, "korean": KOREAN, "emoji": EMOJI}


def parts(text: str) -> Iterator[tuple[str, Script]]:
    """Yield the parts of a text in one script each, from left to right; words read leftward stay together.

    >>> [(part, script.code) for part, script in parts("Ana, さくら ☕")]
    [('Ana, ', 'Latn'), ('さくら', 'Jpan'), (' ', 'Latn'), ('☕', 'Zsye')]
    """
    if text.isascii():
        yield text, OWN
        return
    text, end = _UNSEEN.sub("", text), 0
    for found in _OTHER.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], OWN
        yield found[0], _SCRIPTS[found.lastgroup or ""]
        end = found.end()
    if end < len(text) or not text:
        yield text[end:], OWN


FONTS = Path(__file__).parents[1] / "fonts"
FILES = {False: "AtkinsonHyperlegible-Regular.ttf", True: "AtkinsonHyperlegible-Bold.ttf"}
HEADING_PT = 19.5  # from here on bold words are headings
FIGURES = re.compile(r"[0-9:.,+−±<>/% -]*[0-9][0-9:.,+−±<>/% -]*(?<![.,])")  # "49%." is the end of a sentence


@lru_cache(maxsize=8)
def _typeface(file: str) -> bytes:
    """Return the bytes of a font's file, kept: every size of a font would hold the file open."""
    return (FONTS / file).read_bytes()


@lru_cache(maxsize=96)
def _font(size_px: int, bold: bool, script: Script = OWN, face: str = "") -> pygame.font.Font:
    """Load our typeface, or pygame's own where the file is missing or broken: a plain screen beats none.

    Other scripts have one weight, which is thickened for bold. face: the file of a heading's own typeface.
    """
    if not pygame.font.get_init():
        pygame.font.init()
    try:
        font = pygame.font.Font(io.BytesIO(_typeface(script.file or face or FILES[bold])), size_px)
    except (OSError, pygame.error):
        return pygame.font.Font(None, size_px)
    if script.file:
        font.set_bold(bold)
    if script.leftward:
        font.set_direction(pygame.DIRECTION_RTL)
        font.set_script(script.code)
    return font


def _size_px(size: float, px_per_pt: float) -> int:
    return max(6, round(size * px_per_pt))


@lru_cache(maxsize=96)
def _cell_px(size_px: int, bold: bool) -> int:
    """Return the width of the widest figure, in pixels."""
    font = _font(size_px, bold)
    return max(font.size(figure)[0] for figure in "0123456789")


def _cells(text: str, size_px: int, bold: bool) -> list[tuple[str, int]] | None:
    """Return each sign of a text of figures with the width of its cell in pixels; None for any other text."""
    if not FIGURES.fullmatch(text):
        return None
    font, cell = _font(size_px, bold), _cell_px(size_px, bold)
    return [(sign, cell if sign.isdigit() else font.size(sign)[0]) for sign in text]


def _settable(text: str) -> str:
    """Return the text with a sign for what no letters can be set for, as a stranger's file may have it."""
    return text.encode("utf-8", "replace").decode().replace("\0", "?")


@lru_cache(maxsize=8192)
def _size_of(text: str, size_px: int, bold: bool, face: str = "") -> tuple[int, int]:
    """Return the width and height of a text in pixels, kept: a page is laid out several times before it is drawn."""
    text = _settable(text)
    font, cells = _font(size_px, bold, face=face), _cells(text, size_px, bold)
    if cells:
        return sum(wide for _, wide in cells), font.get_linesize()
    wide = sum(_font(size_px, bold, script, face).size(part)[0] for part, script in parts(text))
    return wide, font.size("")[1]


@lru_cache(maxsize=512)
def letters(
    text: str, size_px: int, bold: bool, colour: str, face: str = ""
) -> tuple[tuple[pygame.Surface, tuple[int, int]], ...]:
    """Draw a line of text as pictures: one for each sign if it is all figures, else one for each part in one script.

    Each has its offset (right, down) in pixels.
    """
    font, cells = _font(size_px, bold, face=face), _cells(text, size_px, bold)
    drawn, x = [], 0
    if cells is None:
        for part, script in parts(_settable(text)):
            set_in = _font(size_px, bold, script, face)
            picture = set_in.render(part, True, colour)
            drawn.append((picture, (x, font.get_ascent() - set_in.get_ascent())))
            x += picture.get_width()
        return tuple(drawn)
    for sign, wide in cells:
        picture = font.render(sign, True, colour)
        drawn.append((picture, (x + (wide - picture.get_width()) // 2, 0)))
        x += wide
    return tuple(drawn)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Measures text for a screen of so many pixels a point, and says where it is set.

    heading: the file of the typeface for large bold words; "" for the reading face.
    """

    px_per_pt: float
    heading: str = ""

    def __call__(self, text: str, size: float, bold: bool) -> float:
        """Return the width of a text in points."""
        return _size_of(text, _size_px(size, self.px_per_pt), bold, self.face(text, size, bold))[0] / self.px_per_pt

    def face(self, text: str, size: float, bold: bool) -> str:
        """Return the file of the typeface that a text is set in; "" for the reading face, as figures always are."""
        return self.heading if bold and size >= HEADING_PT and not FIGURES.fullmatch(text) else ""

    def size_px(self, label: Label) -> int:
        """Return the size in pixels that a label is set in."""
        return _size_px(label.size, self.px_per_pt)

    def place_px(self, label: Label) -> pygame.Rect:
        """Return the label's place in pixels, with the line's full height."""
        face = self.face(label.text, label.size, label.bold)
        width, height = _size_of(label.text, self.size_px(label), label.bold, face)
        k = self.px_per_pt
        left, top, wide, high = (value * k for value in label.rect)
        x = {"left": left, "centre": left + (wide - width) / 2, "right": left + wide - width}[label.align]
        return pygame.Rect(round(x), round(top + (high - height) / 2), width, height)
