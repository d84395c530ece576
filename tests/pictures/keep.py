"""Keep what is drawn now: `python -m tests.pictures.keep [--only REGEX]`, then look at the sheets."""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.companion.gallery.gallery import at_a_glance, drawn, hung, pixels_of, scenes, sheet_of
from tests.pictures.drawn import DRAWN, sheet_and_size
from tests.pictures.sheets import Pixels, small, write_sheet

SCENE_PX = (80, 48)


def _of_a_scene(name: str) -> Pixels:
    with hung(scenes()[name]) as hand:
        picture, _shown = drawn(hand, at_a_glance(name)[1])
    return pixels_of(picture)


def all_pictures() -> Iterator[tuple[Path, str, tuple[int, int], Callable[[], Pixels]]]:
    """Yield each picture's sheet, name and size, and what draws it."""
    for name in scenes():
        yield sheet_of(name), name, SCENE_PX, partial(_of_a_scene, name)
    for name, draw in DRAWN.items():
        path, size_px = sheet_and_size(name)
        yield path, name, size_px, draw


def main() -> None:
    """Write the sheets asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures.keep", description=__doc__)
    parser.add_argument("--only", default="", help="a pattern that the sheet's name has to match")
    only = parser.parse_args().only
    sheets: defaultdict[Path, dict[str, Pixels]] = defaultdict(dict)
    for path, name, size_px, draw in all_pictures():
        if re.search(only, path.name):
            sheets[path][name] = small(draw(), size_px)
    for path, pictures in sheets.items():
        write_sheet(path, pictures)


if __name__ == "__main__":
    main()
