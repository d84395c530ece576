"""Pictures as they were when somebody last looked at them, small, on sheets that are kept beside the tests.

A sheet is a PNG: a grid of small pictures, whose names are in its text. What is drawn now is laid over what is kept;
a difference that no rounding explains is a fault, or a change to be looked at and kept anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.PngImagePlugin import PngInfo

SMALL_PX = (80, 48)  # width, height
ROW = 10  # pictures in a row of a sheet
STEP = 4
"""Grey levels that are kept apart: fewer make a sheet smaller."""
MOST_APART = STEP // 2 + 2
"""Grey levels by which a picture may differ from the one that is kept: another machine may round otherwise."""

Pixels = NDArray[np.uint8]


def small(picture_rgb: Pixels) -> Pixels:
    """Return a picture, of height × width × 3, shrunk to what is kept of it: every pixel counts in it."""
    return np.asarray(cv2.resize(picture_rgb, SMALL_PX, interpolation=cv2.INTER_AREA), np.uint8)


def write_sheet(path: Path, pictures: Mapping[str, Pixels]) -> None:
    """Keep small pictures by name."""
    width, height = SMALL_PX
    sheet = Image.new("RGB", (ROW * width, ceil(len(pictures) / ROW) * height))
    for number, picture in enumerate(pictures.values()):
        coarse = np.minimum(np.round(picture / STEP) * STEP, 255).astype(np.uint8)
        sheet.paste(Image.fromarray(coarse), (number % ROW * width, number // ROW * height))
    names = PngInfo()
    names.add_text("names", json.dumps(list(pictures)))
    sheet.save(path, pnginfo=names, optimize=True)


@lru_cache(maxsize=64)
def read_sheet(path: Path) -> Mapping[str, Pixels]:
    """Return {name: the small picture that is kept}; nothing where there is no sheet yet."""
    if not path.exists():
        return {}
    with Image.open(path) as sheet:
        names, pixels = json.loads(sheet.info["names"]), np.asarray(sheet.convert("RGB"))
    width, height = SMALL_PX
    cells = pixels.reshape(-1, height, ROW, width, 3).swapaxes(1, 2).reshape(-1, height, width, 3)
    return dict(zip(names, cells, strict=False))  # the last row may have empty cells


def changes(path: Path, name: str, picture_rgb: Pixels) -> list[str]:
    """Return what a picture has that its sheet doesn't: nothing, or one line that says where it differs most."""
    kept = read_sheet(path).get(name)
    if kept is None:
        return [f"{name} isn't on {path.name} yet"]
    apart = np.abs(small(picture_rgb).astype(int) - kept).max(axis=2)
    y, x = np.unravel_index(apart.argmax(), apart.shape)
    if apart[y, x] <= MOST_APART:
        return []
    across, down = (round(100 * float(at) / of) for at, of in zip((x, y), SMALL_PX, strict=True))
    return [f"{name} isn't what {path.name} keeps: {across} % across and {down} % down it differs by {apart[y, x]}"]
