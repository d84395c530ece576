"""The pictures of the README and the docs that show the app and the stand, all drawn anew.

python -m tests.companion.gallery.docs_pictures docs/pictures [--only help,stills,gallery,tracing,photos,stand,demo]

help: the screens of the help's pages, in each page's own language; stills: tables of each system; gallery: scenes of
the gallery; tracing: a simulated owner's board; photos: how to take photographs; demo: the animation.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest import mock

import pygame
from PIL import Image

from companion.cli import main as gunbai
from companion.content.help_pages import DOCS, PAGES
from companion.demo.player import SimulatedEye
from companion.demo.table import SimulatedTable
from companion.grounds.store import NO_GROUNDS, Grounds, WaitingGrounds
from companion.scenes.trace.trace import TraceScene
from companion.tracing.work import TraceWork, new_draft
from companion.view.page.canvas import painted_grounds
from engine.orders.board import load_board
from tests.companion.demo.stills import BOARD, SEED, save_board_stills, save_other_stills, save_photo_stills
from tests.companion.gallery.gallery import LANGUAGES, Variant, drawn, hung, scenes
from tests.companion.printing.stand_picture import stand_picture
from tests.companion.touching import Hand

SIZE_PX, LARGE_PX = (800, 480), (1280, 720)
COLOURS = 64
PICTURE = re.compile(r"pictures/(?:en|pt)/([a-z-]+)\.png")
OF_GALLERY = {"opponent": "app_announces", "review": "review_point_better"}
"""Pictures by name, with the scenes that they show."""
GAME_SEED, GAME_TURNS = 7, 10


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
            yield name, _picture(hand, Variant(SIZE_PX, language=language), NO_GROUNDS)


def _picture(hand: Hand, variant: Variant, grounds: Grounds) -> Image.Image:
    surface, _panes = drawn(hand, variant, grounds)
    return Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))


def save_help(folder: Path) -> None:
    """Write the screens of all languages, each in its language's folder."""
    for language in LANGUAGES:
        place = folder / folder_of(language)
        place.mkdir(parents=True, exist_ok=True)
        for name, picture in screens(language):
            picture.quantize(COLOURS, dither=Image.Dither.NONE).save(place / f"{name}.png", optimize=True)


def save_stills(folder: Path) -> None:
    """Write what the demos show."""
    save_board_stills(folder, SimulatedEye(SEED), LARGE_PX, painted_grounds())
    save_other_stills(folder, LARGE_PX)


def save_gallery(folder: Path) -> None:
    """Write the scenes of the gallery."""
    with tempfile.TemporaryDirectory() as kept:
        for name, scene in OF_GALLERY.items():
            with hung(scenes()[scene]) as hand:
                _picture(hand, Variant(LARGE_PX), WaitingGrounds(Path(kept))).save(folder / f"{name}.png")


def save_tracing(folder: Path) -> None:
    """Write the page of the action spaces, over the photo of a drawn board on which the eye has found its own."""
    board = load_board(BOARD)
    shot = SimulatedTable(board, SEED).empty_shot()
    height, width = shot.picture.shape[:2]
    with hung(scenes()["trace_spaces"]) as hand:
        work = TraceWork(new_draft(BOARD, "ana", board.size_mm), shot.picture)
        corners = [(x / width, y / height) for x, y in shot.truth["corners_px"]]
        work.put_corners(corners)
        work.find_grid(corners)
        work.wait()
        work.fetch()
        work.take_proposal()
        hand.app.scene = tracing = TraceScene(work, hand.app.home, hand.app.home)
        tracing._go("spaces")
        _picture(hand, Variant(SIZE_PX), NO_GROUNDS).save(folder / "tracing.png")
        work.close()


def save_stand(folder: Path) -> None:
    """Write the stand beside a board."""
    stand_picture().quantize(COLOURS, dither=Image.Dither.NONE).save(folder / "stand.png", optimize=True)


def save_demo(folder: Path) -> None:
    """Write the animation of a game of the demo."""
    with tempfile.TemporaryDirectory() as place, mock.patch.dict(os.environ, GUNBAI_DATA=place):
        game = f"--seed {GAME_SEED} --turns {GAME_TURNS} --pictures {place}/shots"
        gunbai(["demo", "--headless", *game.split()])
        gunbai(["replay", f"{place}/shots/game.jsonl", "--gif", str(folder / "demo.gif")])


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "help": save_help,
    "stills": save_stills,
    "gallery": save_gallery,
    "tracing": save_tracing,
    "photos": save_photo_stills,
    "stand": save_stand,
    "demo": save_demo,
}


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(prog="python -m tests.companion.gallery.docs_pictures", description="the docs")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(MAKERS), metavar=",".join(MAKERS))
    options = parser.parse_args()
    for name in options.only:
        MAKERS[name](options.folder)


if __name__ == "__main__":
    main()
