"""Sheets of small pictures, each a PNG: a grid, and in its text the size and the names of the pictures."""

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

ROW = 10  # pictures in a row of a sheet
STEP = 4
"""Grey levels that are kept apart: fewer make a sheet smaller."""
MOST_APART = STEP // 2 + 2
"""Grey levels by which a picture may differ from the one that is kept: another machine may round otherwise."""

Pixels = NDArray[np.uint8]


def small(picture: Pixels, size_px: tuple[int, int]) -> Pixels:
    """Return a picture, height × width × 3, shrunk to a size (width, height): every pixel counts in it."""
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def write_sheet(path: Path, pictures: Mapping[str, Pixels]) -> None:
    """Keep small pictures, RGB and all of one size, by name."""
    height, width = next(iter(pictures.values())).shape[:2]
    sheet = Image.new("RGB", (ROW * width, ceil(len(pictures) / ROW) * height))
    for number, picture in enumerate(pictures.values()):
        coarse = np.minimum(np.round(picture / STEP) * STEP, 255).astype(np.uint8)
        sheet.paste(Image.fromarray(coarse), (number % ROW * width, number // ROW * height))
    about = PngInfo()
    about.add_text("size", json.dumps([width, height]))
    about.add_text("names", json.dumps(list(pictures)))
    sheet.save(path, pnginfo=about, optimize=True)


@lru_cache(maxsize=64)
def read_sheet(path: Path) -> Mapping[str, Pixels]:
    """Return {name: the small picture that is kept}; nothing where there is no sheet yet."""
    if not path.exists():
        return {}
    with Image.open(path) as sheet:
        (width, height), names = json.loads(sheet.info["size"]), json.loads(sheet.info["names"])
        pixels = np.asarray(sheet.convert("RGB"))
    cells = pixels.reshape(-1, height, ROW, width, 3).swapaxes(1, 2).reshape(-1, height, width, 3)
    return dict(zip(names, cells, strict=False))  # the last row may have empty cells


def changes(path: Path, name: str, picture: Pixels) -> list[str]:
    """Return what a picture, RGB, has that its sheet doesn't: nothing, or a line that says where it differs most."""
    kept = read_sheet(path).get(name)
    if kept is None:
        return [f"{name} isn't on {path.name} yet"]
    height, width = kept.shape[:2]
    apart = np.abs(small(picture, (width, height)).astype(int) - kept).max(axis=2)
    y, x = divmod(int(apart.argmax()), width)
    if apart[y, x] <= MOST_APART:
        return []
    where = f"{100 * x // width} % across and {100 * y // height} % down"
    return [f"{name} isn't what {path.name} keeps: {where} it differs by {apart[y, x]}"]
