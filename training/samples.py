"""Training samples: pairs of crops of rendered tables, turned, scaled, with other light; the heat maps wanted.

Both crops of a pair come from one table, so that each can tell the other how the pieces look there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from training.render import Sample
from training.restyle import (
    GHOSTS,
    Change,
    Style,
    add_drift,
    add_ghosts,
    add_rings,
    foreign_colour,
    random_ground,
    random_style,
    recolour,
    unchanged,
)
from vision.geometry import Grid
from vision.reading.network import BRIGHTNESS, CLASSES, COVERED, OUTPUTS, STACKED, STRIDE, THING, UP_GAIN
from vision.reading.piece_sets import KINDS_OF_A_SIDE

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Rng = np.random.Generator

SPREAD = 1.15
CROP = 256
SCALES = (0.85, 1.1)
SAME_LIGHT = 0.7
"""The share of pairs whose frames and empty board were taken in one light; the rest as it comes."""
CUT_OFF = 0.08
"""The share of crops that the picture's edge cuts off."""
FOREIGN = 0.15
"""The share of crops in which some pieces have a colour that belongs to neither side."""
FOREIGN_CLASS = 99
"""Stands for the class of pieces whose colour belongs to neither side."""


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """What the network gets and should answer.

    frame (3, CROP, CROP), printed (5, CROP, CROP), target and weight (9, CROP / 4, CROP / 4);
    shown (N, 3): row and column in cells, class of the pieces that show how single pieces look on this table.
    """

    frame: Floats
    printed: Floats
    target: Floats
    weight: Floats
    shown: Doubles


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The part of a picture that a crop shows: its first row and column in pixels, and crop pixels per pixel."""

    top: int
    left: int
    scale: float

    @property
    def side(self) -> int:
        """The crop's width in pixels of the picture."""
        return round(CROP / self.scale / STRIDE) * STRIDE

    def px(self, points: Doubles) -> Doubles:
        """Return x and y in the crop, (N, 2), of points of the picture."""
        exact = CROP / self.side
        return np.asarray((points - [self.left, self.top] + 0.5) * exact - 0.5)


def pair_of(table: list[Sample], rng: Rng) -> tuple[Crop, Crop]:
    """Return two random crops of one table, at one scale, beside one photo of its empty board.

    Many pairs have frames and empty board in different lights, as when a board was photographed on another day.
    """
    scale = float(rng.uniform(*SCALES))
    balance = np.exp(float(rng.normal(0, float(rng.choice([0.03, 0.2])))) * np.array([-1, 0, 1]))
    light = (balance * rng.normal(1, 0.08, 3) * rng.normal(1, 0.12)).astype(np.float32)
    style = random_style(rng, table[0].colours[1] == "black")
    empty, frames = frames_and_empty(table, rng)
    one, two = (crop_of(replace(frame, reference=empty), (scale, light, style), rng) for frame in frames)
    return one, two


def frames_and_empty(table: list[Sample], rng: Rng) -> tuple[npt.NDArray[np.uint8], list[Sample]]:
    """Return a photo of the empty board, and two frames, or one twice where there is no other."""
    first = table[int(rng.integers(len(table)))]
    same = rng.random() < SAME_LIGHT
    others = [frame for frame in table if frame is not first and (frame.light == first.light or not same)]
    second = others[int(rng.integers(len(others)))] if others else first
    empties = first.empties or (first.reference,)
    return empties[first.light if same else int(rng.integers(len(empties)))], [first, second]


def crop_of(sample: Sample, manner: tuple[float, Floats, Style], rng: Rng) -> Crop:
    """Cut a random crop at a scale to the grid, with the light and the style of its pair."""
    scale, light, style = manner
    window = _window(sample.board.shape, scale, rng)
    board = _cut_window(sample.board, window).astype(np.float32)
    reference = _cut_window(sample.reference, window).astype(np.float32)
    sides = _cut_window(sample.sides, window, interpolation=cv2.INTER_NEAREST)
    pieces = sample.pieces
    if rng.random() < FOREIGN:
        pieces = with_foreign((board, sides), pieces, window.px(pieces[:, :2]), sample.colours, rng)
    if not style.plain:
        board, reference = _restyled((board, reference, sides), style, window.px(pieces[:, :2]), rng)
    board, reference = _relit(*_evened(board, reference, sides), light, rng)
    seen = cut_off(board, rng) if rng.random() < CUT_OFF else None
    camera = sample.camera * np.array([1, 1, rng.uniform(0.88, 1.14)])
    up = up_of(window, camera) * np.float32(UP_GAIN)
    image = np.concatenate([board, reference, up], axis=2).transpose(2, 0, 1)
    target, weight = targets_of(sample.cover, pieces, window)
    shown = _single_pieces(pieces, window, rng)
    if seen is not None:
        weight *= seen
        at = np.clip(np.round(shown[:, :2]).astype(int), 0, len(seen) - 1)
        shown = shown[seen[at[:, 0], at[:, 1]] > 0]
    return _turn(image, target, weight, shown, rng)


def cut_off(board: Floats, rng: Rng) -> Floats:
    """Overwrite the board beyond a random picture's edge, in place: the edge's colours go on, as in a board image.

    Return (h, w) 1 where cells are in the picture, 0 beyond.
    """
    kept, turns = int(rng.integers(CROP // 2 // STRIDE, CROP // STRIDE - 1)), int(rng.integers(4))
    seen = np.ones((CROP // STRIDE, CROP // STRIDE), np.float32)
    turned, turned_cells = np.rot90(board, turns), np.rot90(seen, turns)  # views of both
    turned[kept * STRIDE :] = turned[kept * STRIDE - 1]
    turned_cells[kept:] = 0
    return seen


def with_foreign(
    picture: tuple[Floats, npt.NDArray[np.uint8]], rows: Doubles, points: Doubles, colours: tuple[str, str], rng: Rng
) -> Doubles:
    """Recolour some of a side's pieces in a colour of neither side, in place; their rows then say FOREIGN_CLASS.

    picture: the frame and whose piece each of its pixels shows; rows: (N, 5) pieces, with their points (N, 2) in it.
    """
    board, sides = picture
    side, pieces = int(rng.integers(2)), rows.copy()
    mine = np.flatnonzero(pieces[:, 2] // KINDS_OF_A_SIDE == side)
    ys, xs = np.nonzero(sides == side + 1)
    if not len(mine) or not len(ys):
        return pieces
    # A pixel belongs to the nearest base of its side; both discs of a stack have one base.
    span = np.column_stack([xs, ys]).astype(np.float32)
    nearest = mine[((span[:, None] - points[mine].astype(np.float32)) ** 2).sum(axis=-1).argmin(axis=1)]
    bases, which = np.unique(points[mine].round(1), axis=0, return_inverse=True)
    chosen = np.zeros(len(pieces), bool)
    chosen[mine] = (rng.random(len(bases)) < rng.choice([0.25, 0.6, 1.0]))[which.ravel()]
    mask = np.zeros(sides.shape, np.uint8)
    mask[ys[chosen[nearest]], xs[chosen[nearest]]] = 1
    recolour(board, mask, foreign_colour(rng, colours))
    sides[mask > 0] = 3
    pieces[chosen, 2] = FOREIGN_CLASS
    return pieces


def _restyled(
    pictures: tuple[Floats, Floats, npt.NDArray[np.uint8]], style: Style, places: Doubles, rng: Rng
) -> tuple[Floats, Floats]:
    """Frame and empty board with another ground, other pieces, drifting light, and what the camera makes of it."""
    board, reference, sides = pictures
    ground = random_ground(rng, (CROP, CROP))
    board, reference = composed(board, sides, (style, ground), places, rng), ground(reference)
    if rng.random() < GHOSTS:
        add_ghosts(reference, places, rng)
    add_drift(board, reference, rng)
    return style.camera(board), style.camera(reference)


def restyled(samples: list[Sample], rng: Rng, foreign_from: int | None = None) -> list[Sample]:
    """Return a table's samples restyled as one camera sees one copy; the light drifts from frame to frame.

    From the sample numbered `foreign_from` on, some have pieces of neither side.
    """
    style, size = random_style(rng, samples[0].colours[1] == "black"), samples[0].board.shape[:2]
    ground = unchanged if style.plain else random_ground(rng, (size[0], size[1]))
    reference = ground(samples[0].reference.astype(np.float32))
    if not style.plain and rng.random() < GHOSTS:
        add_ghosts(reference, samples[0].pieces[:, :2], rng)
    empty, found = _picture(style.camera(reference)), []
    for number, sample in enumerate(samples):
        board, sides, rows = sample.board.astype(np.float32), sample.sides.copy(), sample.pieces
        if foreign_from is not None and number >= foreign_from and rng.random() < FOREIGN:
            rows = with_foreign((board, sides), rows, rows[:, :2], sample.colours, rng)
        if not style.plain:
            board = composed(board, sides, (style, ground), rows[:, :2], rng)
            add_drift(board, reference.copy(), rng)
        found.append(replace(sample, board=_picture(style.camera(board)), reference=empty, sides=sides, pieces=rows))
    return found


def _picture(light: Floats) -> npt.NDArray[np.uint8]:
    """Grey levels, rounded and clipped."""
    return np.asarray(np.clip(light + 0.5, 0, 255), np.uint8)


def composed(
    board: Floats, sides: npt.NDArray[np.uint8], how: tuple[Style, Change], places: Doubles, rng: Rng
) -> Floats:
    """Return the frame with another ground under its pieces, and with the style's pieces."""
    style, ground = how
    if rng.random() < 0.3:
        add_rings(board, sides, places, rng)
    share = cv2.GaussianBlur((sides > 0).astype(np.float32), (0, 0), 0.7)[..., None]
    shown = board.copy()
    for number, change in enumerate(style.sides, 1):
        recolour(shown, np.asarray(sides == number, np.uint8), change)
    return np.asarray(ground(board) * (1 - share) + shown * share, np.float32)


def _evened(board: Floats, reference: Floats, sides: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Match the light of the crops, as `vision.reading.network.gains` does for whole boards."""
    free = sides == 0
    if free.mean() < 0.1:
        free = np.ones_like(free)
    ratio = np.median((reference[free] + 8) / (board[free] + 8), axis=0).astype(np.float32)
    gain = np.float32(BRIGHTNESS / max(4.0, float(reference.mean())))
    return board * (ratio * gain), reference * gain


def _window(shape: tuple[int, ...], scale: float, rng: Rng) -> Window:
    side = Window(0, 0, scale).side
    top = int(rng.integers(0, max(0, shape[0] - side) // STRIDE + 1)) * STRIDE
    left = int(rng.integers(0, max(0, shape[1] - side) // STRIDE + 1)) * STRIDE
    return Window(top, left, scale)


def _cut_window(
    picture: npt.NDArray[np.uint8], window: Window, parts: int = 1, interpolation: int = cv2.INTER_LINEAR
) -> npt.NDArray[np.uint8]:
    """Cut the window out of a picture that is `parts` times smaller than the grid; black beyond its edges."""
    top, left, side = window.top // parts, window.left // parts, window.side // parts
    part = picture[top : top + side, left : left + side]
    missing = side - part.shape[0], side - part.shape[1]
    if max(missing) > 0:
        wider = cv2.copyMakeBorder(part, 0, missing[0], 0, missing[1], cv2.BORDER_CONSTANT)
        part = np.asarray(wider, np.uint8)
    wanted_side = CROP // parts
    return np.asarray(cv2.resize(part, (wanted_side, wanted_side), interpolation=interpolation), np.uint8)


def up_of(window: Window, camera: Doubles) -> Floats:
    """Return the up field (CROP, CROP, 2) on a window of the grid for a camera at (x, y, z) mm."""
    grid, exact = Grid((1.0, 1.0)), CROP / window.side
    across = np.arange(CROP) / exact
    xs = ((across + window.left) / grid.px_per_mm - grid.margin_mm - camera[0]) / camera[2]
    ys = ((across + window.top) / grid.px_per_mm - grid.margin_mm - camera[1]) / camera[2]
    return np.stack(np.meshgrid(xs, ys), axis=-1).astype(np.float32)


def _stacks(pieces: Doubles) -> set[tuple[float, float]]:
    return {(x, y) for x, y, _, level, _ in pieces.round(2).tolist() if level}


def _single_pieces(pieces: Doubles, window: Window, rng: Rng) -> Doubles:
    """Return row and column in cells, and class, (N, 3), of single pieces in sight, found about as well as in use."""
    stacks, found = _stacks(pieces), []
    for x, y, which, level, hidden in pieces.tolist():
        at = _cells(window, x, y)
        inside = min(at) > 2 and max(at) < CROP // STRIDE - 3
        if inside and not level and not hidden and which != FOREIGN_CLASS and (round(x, 2), round(y, 2)) not in stacks:
            found.append((at[0] + rng.normal(0, 0.4), at[1] + rng.normal(0, 0.4), which))
    return np.array(found, np.float64).reshape(-1, 3)


def _cells(window: Window, x: float, y: float) -> tuple[float, float]:
    """Row and column in cells of a point of the grid in pixels."""
    across, down = window.px(np.array([[x, y]]))[0].tolist()
    return (down - 1.5) / STRIDE, (across - 1.5) / STRIDE


def targets_of(cover: npt.NDArray[np.uint8], pieces: Doubles, window: Window) -> tuple[Floats, Floats]:
    """Return the targets (9, h, w) and weights (9, h, w) of a crop at the network's stride."""
    size = CROP // STRIDE
    target = np.zeros((OUTPUTS, size, size), np.float32)
    weight = np.ones_like(target)
    weight[STACKED] = 0
    target[COVERED] = _cut_window(cover, window, STRIDE) / np.float32(255)
    stacks = _stacks(pieces)
    for x, y, which, level, hidden in pieces.tolist():
        if not level:
            stacked = (round(x, 2), round(y, 2)) in stacks
            _mark(target, weight, _cells(window, x, y), (-1 if hidden else int(which), stacked))
    return target, weight


def _mark(target: Floats, weight: Floats, at: tuple[float, float], what: tuple[int, bool]) -> None:
    """Draw one piece's peak; a hidden one (class -1) only takes the weight away."""
    size, reach = target.shape[1], 6
    rows = slice(max(0, round(at[0]) - reach), min(size, round(at[0]) + reach + 1))
    columns = slice(max(0, round(at[1]) - reach), min(size, round(at[1]) + reach + 1))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    ys, xs = np.ogrid[rows, columns]
    square = ((xs - at[1]) ** 2 + (ys - at[0]) ** 2).astype(np.float32)
    which, stacked = what
    if which < 0:
        for layer in (*range(len(CLASSES)), THING):
            weight[layer, rows, columns][square < 16] = 0
        return
    peak = np.exp(-square / np.float32(2 * SPREAD**2))
    peak[(ys == round(at[0])) & (xs == round(at[1]))] = 1.0
    for layer in (THING,) if which == FOREIGN_CLASS else (which, THING):
        target[layer, rows, columns] = np.maximum(target[layer, rows, columns], peak)
    weight[STACKED, rows, columns][square < 2.2] = 1
    target[STACKED, rows, columns][square < 2.2] = float(stacked)


def _turn(seen: Floats, target: Floats, weight: Floats, shown: Doubles, rng: Rng) -> Crop:
    """One of the eight ways to lay a square; the up field's directions follow."""
    last = target.shape[1] - 1
    seen, shown = seen.copy(), shown.copy()
    if rng.random() < 0.5:
        seen, target, weight = seen[:, :, ::-1].copy(), target[:, :, ::-1], weight[:, :, ::-1]
        seen[6] *= -1
        shown[:, 1] = last - shown[:, 1]
    if rng.random() < 0.5:
        seen, target, weight = seen[:, ::-1].copy(), target[:, ::-1], weight[:, ::-1]
        seen[7] *= -1
        shown[:, 0] = last - shown[:, 0]
    if rng.random() < 0.5:
        seen, target, weight = (plane.transpose(0, 2, 1) for plane in (seen, target, weight))
        seen = seen[[0, 1, 2, 3, 4, 5, 7, 6]]
        shown = shown[:, [1, 0, 2]]
    whole = [np.ascontiguousarray(part) for part in (seen[:3], seen[3:], target, weight)]
    return Crop(whole[0], whole[1], whole[2], whole[3], shown)


def _relit(board: Floats, reference: Floats, light: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Other exposure, balance and noise than rendered, the same for both, and a little apart; drifting light."""
    apart = rng.normal(1, 0.03, 3) * rng.normal(1, 0.03)
    cells = int(rng.choice([3, 3, 6]))
    patches = rng.normal(1, float(rng.choice([rng.uniform(0, 0.06), rng.uniform(0, 0.14)])), (cells, cells))
    shade = cv2.resize(patches.astype(np.float32), (board.shape[1], board.shape[0]), interpolation=cv2.INTER_CUBIC)
    board = board * (light * apart).astype(np.float32) * shade[..., None] - np.float32(BRIGHTNESS)
    reference = reference * light - np.float32(BRIGHTNESS)
    if rng.random() < 0.5:
        strength = np.float32(rng.uniform(0, 0.04))
        board += _noise(board.shape, rng) * strength
        reference += _noise(board.shape, rng) * strength
    return board, reference


NOISE = np.random.default_rng(1).standard_normal((CROP * 2, CROP * 2, 3), np.float32)


def _noise(shape: tuple[int, ...], rng: Rng) -> Floats:
    """Return a random part of one sheet of noise: new noise for each crop would cost more than all else."""
    row, column = (int(v) for v in rng.integers(0, CROP, 2))
    return NOISE[row : row + shape[0], column : column + shape[1]]
