"""Other looks for rendered crops: ground, pieces, light and camera as photographs have them and renders do not.

Renders know black wood on printed maps, under one light for both pictures. Photographs know grey discs on black
squares, glare that moves, boards that are wrinkled, a phone that sharpens and lifts the shadows, an empty board with
faint rims where something lay. Domain randomisation (Tobin et al., 2017): the same ground pattern under the frame and
under the empty board, the pieces alone on the frame, light and reflections on each. All pictures are (rows, columns, 3)
float32, BGR, 0 to 255; sizes are (rows, columns).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]
Rng = np.random.Generator
Size = tuple[int, int]
Change = Callable[[Floats], Floats]

PLAIN = 0.75
"""The share of pairs that stay as they were rendered, but for light and noise."""
GHOSTS = 0.3
"""The share of empty boards with marks on them."""
GREY = np.array([0.114, 0.587, 0.299], np.float32)


@dataclass(frozen=True, slots=True)
class Style:
    """What the crops of a pair share: how each side's pieces are coloured, and what the camera does."""

    sides: tuple[Change, Change]
    camera: Change
    plain: bool


def random_style(rng: Rng, dark_second: bool) -> Style:
    """Draw a pair's style at random; dark_second: the second side's pieces are black, not blue."""
    if rng.random() < PLAIN:
        return Style((unchanged, unchanged), unchanged, True)
    second = _dark_piece(rng) if dark_second and rng.random() < 0.75 else _tinted_piece(rng)
    return Style((_tinted_piece(rng) if rng.random() < 0.6 else unchanged, second), _camera(rng), False)


def unchanged(picture: Floats) -> Floats:
    """Return the picture itself: a change that changes nothing."""
    return picture


# ---- pieces -----------------------------------------------------------------------------------------


def _dark_piece(rng: Rng) -> Change:
    """Black pieces of any darkness: from soot to the grey that lacquer shows under a window."""
    level, contrast = float(np.exp(rng.uniform(np.log(9), np.log(115)))), float(rng.uniform(0.35, 1.5))
    warmth = float(rng.normal(0, float(rng.choice([0.08, 0.25]))))
    tint = np.maximum(1 + rng.normal(0, 0.07, 3) + warmth * np.array([-1, 0, 1]), 0.3).astype(np.float32)

    def change(pixels: Floats) -> Floats:
        grey = pixels @ GREY
        return np.asarray(np.maximum((grey - grey.mean()) * contrast + level, 0)[:, None] * tint, np.float32)

    return change


def _tinted_piece(rng: Rng) -> Change:
    """Draw a change that makes pieces a little more or less colourful, bright and yellowish than rendered."""
    depth, bright = float(rng.uniform(0.5, 1.25)), float(np.exp(rng.uniform(np.log(0.5), np.log(1.35))))
    tint = (bright * (1 + rng.normal(0, 0.06, 3))).astype(np.float32)

    def change(pixels: Floats) -> Floats:
        grey = (pixels @ GREY)[:, None]
        return np.asarray((grey + (pixels - grey) * depth) * tint, np.float32)

    return change


def foreign_colour(rng: Rng, sides: tuple[str, str]) -> Change:
    """Draw by lot a colour that neither side has: green, violet, white, wood, or of another game's pieces."""
    hues = {"green": (38, 84), "violet": (128, 158)}
    if "red" in sides:
        hues |= {"yellow": (19, 32), "blue": (95, 122)}
    which = str(rng.choice([*hues, *hues, "white", "wood", "wood"]))
    if which in hues:
        hsv = [float(rng.uniform(*hues[which])), float(rng.uniform(90, 250)), float(rng.uniform(60, 235))]
    elif which == "white":
        hsv = [float(rng.uniform(0, 180)), float(rng.uniform(0, 25)), float(rng.uniform(165, 250))]
    else:
        hsv = [float(rng.uniform(11, 18)), float(rng.uniform(70, 150)), float(rng.uniform(120, 225))]
    colour = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    contrast = float(rng.uniform(0.3, 1.0))

    def change(pixels: Floats) -> Floats:
        grey = pixels @ GREY
        shade = 1 + np.clip((grey - grey.mean()) / max(float(grey.mean()), 20.0), -0.8, 1.0) * contrast
        return np.asarray(shade[:, None] * colour, np.float32)

    return change


def recolour(picture: Floats, where: Mask, change: Change) -> None:
    """Change the pixels under a mask, in place."""
    inside = where > 0
    if inside.any():
        picture[inside] = change(picture[inside])


# ---- ground -----------------------------------------------------------------------------------------


def random_ground(rng: Rng, size: Size) -> Change:
    """Draw a pattern for the printed ground to take on: squares, patches, a stain, lines, or only another depth."""
    kind = str(rng.choice(["none", "squares", "patches", "stain", "lines"], p=[0.25, 0.25, 0.2, 0.1, 0.2]))
    if kind == "none":
        return unchanged
    if kind == "squares":
        which = _squares(rng, size)
    elif kind == "lines":
        which = _lines(rng, size)
    elif kind == "patches":
        which = _patches(rng, size)
    else:
        which = np.zeros(size, np.int64)
    colours = np.array([_ground_colour(rng) for _ in range(int(which.max()) + 1)], np.float32)
    if kind == "lines" and rng.random() < 0.8:
        colours[1] *= np.float32(rng.uniform(0.05, 0.4))
        colours[0] = np.maximum(colours[0], np.float32(rng.uniform(60, 200)))
    if kind == "squares" and rng.random() < 0.7:
        colours[0] *= np.float32(rng.uniform(0.1, 0.5))
        colours[1] = np.maximum(colours[1], np.float32(rng.uniform(90, 200)))
    pattern = cv2.GaussianBlur(np.asarray(colours[which], np.float32), (0, 0), float(rng.uniform(0.4, 1.0)))
    pattern = np.asarray(pattern * _grain(rng, size)[..., None], np.float32)
    keep, sheen = float(rng.uniform(0.15, 1.0)), _sheen(rng, size)

    def change(picture: Floats) -> Floats:
        # Light and shadow stay: they are what the two pictures' ratio says, the print gives way to the pattern.
        grey = cv2.GaussianBlur(picture @ GREY, (0, 0), 0.6)
        return np.asarray(pattern * (np.maximum(grey, 2.0) / 128)[..., None] ** np.float32(keep) + sheen, np.float32)

    return change


def _ground_colour(rng: Rng) -> Floats:
    level = float(np.exp(rng.uniform(np.log(12), np.log(230))))
    return np.asarray(np.clip(level * (1 + rng.normal(0, 0.18, 3)), 3, 250), np.float32)


def _squares(rng: Rng, size: Size) -> npt.NDArray[np.int64]:
    wide, turn = float(rng.uniform(22, 66)), float(rng.normal(0, 0.05))
    ys, xs = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32)
    across = xs * np.cos(turn) - ys * np.sin(turn) + rng.uniform(0, 2 * wide)
    down = xs * np.sin(turn) + ys * np.cos(turn) + rng.uniform(0, 2 * wide)
    return np.asarray((np.floor(across / wide) + np.floor(down / wide)).astype(np.int64) % 2)


def _lines(rng: Rng, size: Size) -> npt.NDArray[np.int64]:
    """Draw a grid of lines, as on a Go board, or frames round its fields."""
    wide, turn, thick = float(rng.uniform(18, 70)), float(rng.normal(0, 0.05)), float(rng.uniform(1.0, 7.0))
    ys, xs = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32)
    across = (xs * np.cos(turn) - ys * np.sin(turn) + rng.uniform(0, wide)) % wide
    down = (xs * np.sin(turn) + ys * np.cos(turn) + rng.uniform(0, wide)) % (wide * float(rng.uniform(0.8, 1.25)))
    on = (across < thick) | (down < thick)
    if rng.random() < 0.4:  # a second line beside each, so that it is a frame
        beside = thick + float(rng.uniform(3, 8))
        on |= ((across > beside) & (across < beside + thick)) | ((down > beside) & (down < beside + thick))
    return np.asarray(on, np.int64)


def _patches(rng: Rng, size: Size) -> npt.NDArray[np.int64]:
    count = round(rng.integers(3, 12) * max(1.0, size[0] * size[1] / 65536))
    points = rng.uniform(0, 1, (count, 2)) * size
    coarse = np.moveaxis(np.mgrid[0 : size[0] : 4, 0 : size[1] : 4], 0, -1).astype(np.float32)
    nearest = ((coarse[:, :, None] - points.astype(np.float32)) ** 2).sum(axis=-1).argmin(axis=-1)
    whole = cv2.resize(nearest.astype(np.uint8), size[::-1], interpolation=cv2.INTER_NEAREST)
    return np.asarray(whole, np.int64)


def _grain(rng: Rng, size: Size) -> Floats:
    """Wood, cloth or wrinkles: streaks or clouds of a few per cent."""
    rows, columns = (int(rng.integers(4, side // 2)) for side in size)
    small = rng.standard_normal((rows, columns)).astype(np.float32) * np.float32(rng.uniform(0, 0.1))
    return np.asarray(1 + cv2.resize(small, size[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def _sheen(rng: Rng, size: Size) -> Floats:
    """Return the soft light that a dark glossy ground mirrors of the room, to be added to it."""
    small = np.maximum(rng.normal(0, float(rng.choice([0, 8, 25])), (3, 3)), 0).astype(np.float32)
    return np.asarray(cv2.resize(small, size[::-1], interpolation=cv2.INTER_CUBIC)[..., None], np.float32)


def add_ghosts(reference: Floats, places: npt.NDArray[np.float64], rng: Rng) -> None:
    """Draw faint discs and rims on the empty board, in place, some of them at pieces' places (N, 2): x, y.

    As where somebody took the pieces off for the photo and left their marks, or where pictures were put together.
    """
    rows, columns = reference.shape[:2]
    for _ in range(round(rng.integers(1, 6) * max(1.0, rows * columns / 65536))):
        at = rng.uniform(0, (columns, rows), 2)
        if len(places) and rng.random() < 0.4:
            at = places[int(rng.integers(len(places)))] + rng.normal(0, 3, 2)
        size, middle = rng.uniform(7, 17, 2) if rng.random() < 0.5 else np.full(2, rng.uniform(7, 17)), np.round(at)
        mask = np.zeros((rows, columns), np.uint8)
        line = -1 if rng.random() < 0.7 else int(rng.integers(1, 4))
        ends = [int(v) for v in (*middle, *size)]
        if rng.random() < 0.8:
            cv2.ellipse(mask, ends[:2], ends[2:], float(rng.uniform(0, 180)), 0, 360, 255, line, cv2.LINE_AA)
        else:
            cv2.rectangle(mask, (ends[0] - ends[2], ends[1] - ends[3]), (ends[0] + ends[2], ends[1] + ends[3]), 255, -1)
        share = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.4, 2.5)))[..., None] / np.float32(255)
        if rng.random() < 0.3:  # cloned from elsewhere
            other = np.roll(reference, (int(rng.integers(15, 60)), int(rng.integers(15, 60))), axis=(0, 1))
        else:
            other = reference * np.float32(np.exp(rng.normal(0, 0.45))) + np.float32(rng.normal(0, 25))
        reference += share * (other - reference)


def add_rings(board: Floats, sides: Mask, places: npt.NDArray[np.float64], rng: Rng) -> None:
    """Add turned grooves to the pieces at these places (N, 2), in place: draughts and many tokens have them."""
    depth, wide, phase = rng.normal(0, 0.16), float(rng.uniform(2.5, 7)), float(rng.uniform(0, 6))
    rows, columns = board.shape[:2]
    for x, y in places[((places > 0) & (places < (columns, rows))).all(axis=1)]:
        left, top = max(0, int(x) - 14), max(0, int(y) - 14)
        part = slice(top, min(rows, top + 28)), slice(left, min(columns, left + 28))
        ys, xs = np.mgrid[part].astype(np.float32)
        rings = np.cos(np.hypot(xs - x, ys - y) * (2 * np.pi / wide) + phase)
        gain = 1 + depth * rings * np.isin(sides[part], (1, 2))
        board[part] *= np.asarray(gain, np.float32)[..., None]


# ---- light ------------------------------------------------------------------------------------------


def add_drift(frame: Floats, reference: Floats, rng: Rng) -> None:
    """Make the light differ between the two pictures, in place: exposure, a shadow's edge, glare that came or moved."""
    size = frame.shape[0], frame.shape[1]
    if rng.random() < 0.25:
        frame[:] = 255 * (np.clip(frame, 0, 255) / 255) ** np.float32(np.exp(rng.normal(0, 0.2)))
    if rng.random() < 0.2:
        (frame if rng.random() < 0.7 else reference)[:] *= _shadow(rng, size)
    if rng.random() < 0.3:
        glare, moved = _glare(rng, size), rng.normal(0, float(rng.choice([0.5, 4, 12])), 2)
        move = np.array([[1, 0, moved[0]], [0, 1, moved[1]]], np.float32)
        frame += glare * np.float32(rng.choice([1, 1, rng.uniform(0, 1.2)]))
        reference += cv2.warpAffine(glare, move, size[::-1], borderMode=cv2.BORDER_REPLICATE)


def _shadow(rng: Rng, size: Size) -> Floats:
    ys, xs = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32)
    turn, off = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.4, 0.4)) * min(size)
    along = (ys - size[0] / 2) * np.sin(turn) + (xs - size[1] / 2) * np.cos(turn) - off
    soft = np.float32(np.exp(rng.uniform(np.log(1.0), np.log(25.0))))
    lit = 1 / (1 + np.exp(-np.clip(along / soft, -20, 20)))
    return np.asarray(1 - np.float32(rng.uniform(0.1, 0.75)) * lit[..., None], np.float32)


def _glare(rng: Rng, size: Size) -> Floats:
    total = np.zeros(size, np.float32)
    ys, xs = np.mgrid[0 : size[0], 0 : size[1]].astype(np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at, turn = rng.uniform(0, 1, 2) * size[::-1], rng.uniform(0, np.pi)
        wide, tall = np.exp(rng.uniform(np.log(6), np.log(90), 2))
        across = (xs - at[0]) * np.cos(turn) + (ys - at[1]) * np.sin(turn)
        down = -(xs - at[0]) * np.sin(turn) + (ys - at[1]) * np.cos(turn)
        spot = np.exp(-0.5 * ((across / wide) ** 2 + (down / tall) ** 2))
        total += np.asarray(spot * rng.uniform(15, 150), np.float32)
    if rng.random() < 0.6:  # wrinkles break it up
        cells = int(rng.integers(6, 40))
        broken = cv2.resize(rng.uniform(0, 2, (cells, cells)).astype(np.float32), size[::-1])
        total *= np.clip(broken * float(rng.uniform(0.6, 1.2)), 0, 2)
    return np.asarray(total[..., None] * np.ones(3, np.float32), np.float32)


# ---- camera -----------------------------------------------------------------------------------------


def _camera(rng: Rng) -> Change:
    """Draw at random what a phone makes of a picture: gamma, saturation, lifted shadows, sharpening, smearing."""
    gamma, depth = np.float32(np.exp(rng.normal(0, 0.18))), np.float32(rng.uniform(0.6, 1.4))
    lifted = float(rng.uniform(0.05, 0.35)) if rng.random() < 0.4 else 0.0
    sharp, sigma = float(rng.uniform(0.2, 1.3)) if rng.random() < 0.4 else 0.0, float(rng.uniform(0.8, 2.0))
    smeared = rng.random() < 0.2

    def change(picture: Floats) -> Floats:
        if smeared:
            picture = np.asarray(cv2.bilateralFilter(picture, 5, 18, 2), np.float32)
        if sharp:
            picture = picture + np.float32(sharp) * (picture - cv2.GaussianBlur(picture, (0, 0), sigma))
        if lifted:
            grey = np.maximum(picture @ GREY, 1)
            small = cv2.resize(grey, (32, 32), interpolation=cv2.INTER_AREA)
            around = cv2.resize(cv2.GaussianBlur(small, (0, 0), 4), grey.shape[::-1])
            gain = (float(grey.mean()) / np.maximum(around, 4)) ** lifted
            picture = picture * np.asarray(gain, np.float32)[..., None]
        picture = np.asarray(255 * (np.clip(picture, 0, 255) / 255) ** gamma, np.float32)
        grey = (picture @ GREY)[..., None]
        return np.asarray(np.clip(grey + (picture - grey) * depth, 0, 255), np.float32)

    return change
