"""The hex grid searched for in a board image, by the straight lines of its print: side, place, and how hexes lie.

A board is cut into lattice cells of a tried size that are laid over one another; where the size is right, the printed
sides come to lie on the same places, and the outline of one hex stands out of the sum.

Lines and steps both count (Morrone and Owens, 1987: the local energy), summed along each of a grid's three directions
before their size is taken, so that texture cancels out and long straight edges stay.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Matrix
from vision.registration.align import EVEN, log_lab
from vision.tracing.sheet import ROOT3, HexGrid, Sheet, regular_grid

# For the search: how much of a line's length is summed, and how far round a place the usual energy is taken.
ALONG_MM = 11.0
AROUND_MM = 18.0
# Keeps plain ground, where there is no energy at all, from being evened into a pattern.
FLOOR = 2.0


def directions(flat: bool, turn_rad: float = 0.0) -> Matrix:
    """Return the unit normals (3, 2) of a grid's sides, in the order of the first three neighbours."""
    first = 30.0 if flat else 120.0
    turns = np.radians(first + 60.0 * np.arange(3)) + turn_rad
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def line_energy(lab: Floats, normal: Matrix, blur_px: float, along_px: float) -> Floats:
    """Return how much of a line or step at right angles to `normal` there is, (H, W)."""
    odd, even = _kernels(normal, blur_px, along_px)
    steps = cv2.filter2D(lab, cv2.CV_32F, odd)
    lines = cv2.filter2D(lab, cv2.CV_32F, even)
    squares = cv2.transform(steps * steps + EVEN * lines * lines, np.ones((1, 3), np.float32))
    return np.asarray(np.sqrt(squares), np.float32)


def _kernels(normal: Matrix, blur_px: float, along_px: float) -> tuple[Floats, Floats]:
    """Return the first and second derivative of a Gaussian across a line, a smooth box along it."""
    reach = math.ceil(max(3 * blur_px, along_px / 2 + 1))
    x, y = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    across, along = x * normal[0] + y * normal[1], -x * normal[1] + y * normal[0]
    bell = np.exp(-(across**2) / (2 * blur_px**2)) * np.clip(along_px / 2 + 0.5 - np.abs(along), 0, 1)
    bell /= bell.sum()
    odd = across / blur_px * bell
    even = (1 - across**2 / blur_px**2) * bell
    even -= bell * even.sum()  # no answer to plain ground, whatever the sampling has left over
    return odd.astype(np.float32), even.astype(np.float32)


def even_energy(energy: Floats, around_px: float) -> Floats:
    """Return an energy (H, W) relative to what is usual round each place, 0 to 1.

    A faint print counts as much as a strong one.
    """
    size = 2 * round(around_px) + 1
    usual = cv2.blur(energy, (size, size), borderType=cv2.BORDER_REFLECT)
    return np.asarray(energy / (energy + 1.5 * usual + FLOOR), np.float32)


def grid_energies(lab: Floats, flat: bool, px_per_mm: float, blur_mm: float) -> list[Floats]:
    """Return the evened energy (H, W) for each of the three directions of a grid's sides."""
    return [
        even_energy(line_energy(lab, normal, blur_mm * px_per_mm, ALONG_MM * px_per_mm), AROUND_MM * px_per_mm)
        for normal in directions(flat)
    ]


PX_PER_MM = 0.75
BLUR_MM = 1.6
SIDES_A_BOARD = (4.5, 22.0)  # how many sides of a hex the shorter side of a board may be
# The ratio of one tried side to the next; the bins of a folded lattice cell each way; the points along a hex's side.
STEP = 1.01
BINS = 28
SAMPLES = 24
# Grids of one kind whose sides differ by less (as a logarithm) are one guess.
ALIKE_LOG = 0.06


@dataclass(frozen=True, slots=True)
class Guess:
    """A grid that may be the printed one, and by how much its sides stand out."""

    grid: HexGrid
    score: float


def search(sheet: Sheet, most: int = 6) -> list[Guess]:
    """Return up to `most` of the likeliest grids, best first, no two nearly alike."""
    lab = log_lab(sheet.flat(PX_PER_MM))
    found: list[Guess] = []
    for flat in (True, False):
        energies = grid_energies(lab, flat, PX_PER_MM, BLUR_MM)
        found += [_fold(energies, side, flat) for side in _sides(sheet)]
    return _apart(found)[:most]


def _sides(sheet: Sheet) -> list[float]:
    short = min(sheet.size_mm)
    low, high = short / SIDES_A_BOARD[1], short / SIDES_A_BOARD[0]
    count = int(math.log(high / low) / math.log(STEP)) + 1
    return [float(side) for side in np.geomspace(low, high, count)]


def _apart(guesses: Sequence[Guess]) -> list[Guess]:
    kept: list[Guess] = []
    for guess in sorted(guesses, key=lambda guess: -guess.score):
        mine = guess.grid
        others = [fit.grid for fit in kept if fit.grid.flat == mine.flat]
        if all(abs(math.log(mine.side_mm / other.side_mm)) > ALIKE_LOG for other in others):
            kept.append(guess)
    return kept


def _lattice(side: float, flat: bool) -> Matrix:
    """Return (2, 2) two steps from a hex to neighbours, as rows, in mm."""
    short, half, long = 1.5 * side, ROOT3 / 2 * side, ROOT3 * side
    return np.array([[short, half], [0, long]] if flat else [[long, 0], [half, short]])


def _fold(energies: Sequence[Floats], side: float, flat: bool) -> Guess:
    """Return the best place of a grid of this side, by all lattice cells laid over one another."""
    lattice = _lattice(side, flat)
    sums = np.zeros((BINS, BINS))
    bins = _bins(energies[0].shape, lattice)
    counts = np.maximum(np.bincount(bins, minlength=BINS * BINS), 1)
    for number, energy in enumerate(energies):
        mean = np.bincount(bins, energy.ravel(), BINS * BINS) / counts
        # A circular correlation with the outline of one hex, for all places at once, as the lattice repeats.
        field = np.fft.rfft2((mean - mean.mean()).reshape(BINS, BINS))
        sums += np.fft.irfft2(field * np.conj(np.fft.rfft2(_template(side, flat, number))), (BINS, BINS))
    best = int(sums.argmax())
    u, v = (best // BINS + 0.5) / BINS, (best % BINS + 0.5) / BINS
    x, y = (np.array([u, v]) @ lattice).tolist()
    return Guess(regular_grid((x, y), side, flat), float(sums.max()) / 3)


def _bins(shape: tuple[int, ...], lattice: Matrix) -> np.ndarray:
    """Return the (H * W,) lattice bin of each pixel."""
    rows, columns = shape
    back = np.linalg.inv(lattice)
    xs, ys = (np.arange(columns) + 0.5) / PX_PER_MM, (np.arange(rows) + 0.5) / PX_PER_MM
    u = (xs[None, :] * back[0, 0] + ys[:, None] * back[1, 0]) % 1.0
    v = (xs[None, :] * back[0, 1] + ys[:, None] * back[1, 1]) % 1.0
    both = (u * BINS).astype(np.int32) % BINS * BINS + (v * BINS).astype(np.int32) % BINS
    return np.asarray(both.ravel())


def _template(side: float, flat: bool, number: int) -> Matrix:
    """Return (BINS, BINS) where a hex's side in one direction lies; sums to 1.

    The hex has its middle in bin (0, 0).
    """
    grid = regular_grid((0.0, 0.0), side, flat)
    start, end = grid.corners((0, 0))[[number, (number + 1) % 6]]
    points = start + (end - start) * np.linspace(0.1, 0.9, SAMPLES)[:, None]
    places = (points @ np.linalg.inv(_lattice(side, flat)) % 1.0) * BINS
    template = np.zeros((BINS, BINS))
    low = np.floor(places).astype(int)
    part = places - low
    for i in (0, 1):
        for j in (0, 1):
            weight = np.abs(1 - i - part[:, 0]) * np.abs(1 - j - part[:, 1])
            np.add.at(template, ((low[:, 0] + i) % BINS, (low[:, 1] + j) % BINS), weight)
    return template / SAMPLES
