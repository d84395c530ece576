"""The screens that the pages of the help show: drawn by the gallery, in each page's own language.

python -m tests.companion.gallery.docs_pictures docs/pictures
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
from PIL import Image

from companion.content.help_pages import DOCS, PAGES
from tests.companion.gallery.gallery import LANGUAGES, Variant, drawn, hung, scenes

SIZE_PX = (800, 480)
COLOURS = 64
PICTURE = re.compile(r"pictures/(?:en|pt)/([a-z-]+)\.png")


def folder_of(language: str) -> str:
    """Return the name of the folder of a language's pictures, and of its pages."""
    return language.partition("_")[0]


def page_of(name: str, language: str) -> Path:
    """Return where a page of the help lies."""
    return (DOCS if language == "en" else DOCS / folder_of(language)) / f"{name}.md"


def shown_on(language: str) -> list[str]:
    """Return the names of the screens that the pages of a language show."""
    text = "".join(page_of(name, language).read_text(encoding="utf-8") for name in PAGES)
    return sorted(set(PICTURE.findall(text)))


def screens(language: str) -> Iterator[tuple[str, Image.Image]]:
    """Yield each screen that the pages of a language show, drawn anew, by its name."""
    for name in shown_on(language):
        with hung(scenes()[name.replace("-", "_")], language) as hand:
            surface, _panes = drawn(hand, Variant(SIZE_PX, language=language))
        yield name, Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def save_screens(folder: Path) -> None:
    """Write the screens of all languages, each in its language's folder."""
    for language in LANGUAGES:
        place = folder / folder_of(language)
        place.mkdir(parents=True, exist_ok=True)
        for name, picture in screens(language):
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(place / f"{name}.png", optimize=True)


if __name__ == "__main__":
    save_screens(Path(sys.argv[1]))
