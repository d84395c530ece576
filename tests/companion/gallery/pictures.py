"""Pictures of the whole gallery to look at, and what the checks find in them.

python -m tests.companion.gallery.pictures FOLDER [--only REGEX] [--sizes 800x480,720x1280] [--layouts one,two]
    [--themes dark,light,contrast] [--languages en,pt_BR] [--grounds FOLDER]
"""

from __future__ import annotations

import argparse
import re
from itertools import product
from pathlib import Path

import pygame

from companion.grounds.store import NO_GROUNDS, WaitingGrounds
from tests.companion.gallery.gallery import Variant, drawn, hung, scenes
from tests.companion.gallery.sheet_checks import faint, faults_on


def _named(text: str) -> list[str]:
    return text.split(",")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.companion.gallery.pictures", description="PNGs of all scenes"
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern that the scene's name has to match")
    parser.add_argument("--sizes", type=_named, default=["800x480"])
    parser.add_argument("--layouts", type=_named, default=["one"])
    parser.add_argument("--themes", type=_named, default=["dark"])
    parser.add_argument("--languages", type=_named, default=["en"])
    parser.add_argument("--grounds", type=Path, help="a folder for the painted grounds of maps: draws them too")
    return parser.parse_args()


def _wanted(options: argparse.Namespace) -> list[Variant]:
    sizes = [(int(width), int(height)) for width, height in (size.split("x") for size in options.sizes)]
    return [Variant(*choice) for choice in product(sizes, options.layouts, options.themes, options.languages)]


def _pictured(name: str, options: argparse.Namespace) -> int:
    """Write a scene's pictures, and print what is wrong with them; how many things."""
    found = 0
    for spoken in options.languages:
        with hung(scenes()[name], spoken) as hand:
            for variant in (variant for variant in _wanted(options) if variant.language == spoken):
                picture, shown = drawn(
                    hand, variant, WaitingGrounds(options.grounds) if options.grounds else NO_GROUNDS
                )
                pygame.image.save(picture, options.folder / f"{name}-{variant}.png")
                for fault in (
                    fault for shown_pane in shown for fault in (*faults_on(shown_pane), *faint(shown_pane.canvas))
                ):
                    found += 1
                    print(f"{name} {variant}: {fault}")
    return found


def main() -> int:
    """Write the pictures, and print what the checks find; 1 where they find anything."""
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    found = 0
    for name in scenes():
        if re.search(options.only, name):
            try:
                found += _pictured(name, options)
            except (AssertionError, StopIteration) as error:
                print(f"{name}: cannot be made: {error}")
                found += 1
    print(f"{found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
