"""How well chances are calibrated: what was said against how often it came true, in a number and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Floats = npt.NDArray[np.float64]
BINS = 10
SIDE, MARGIN, LEFT, TOP = 220, 56, 34, 26
GROUND, INK, GRID, LINE, BARS = (250, 247, 240), (40, 40, 40), (215, 210, 200), (178, 58, 46), (222, 200, 180)


def by_bin(chance: Floats, won: Floats) -> Iterator[tuple[float, float, int]]:
    """For each of BINS equal ranges with any: the mean of what was said, how often it came true, and how many."""
    place = np.minimum((chance * BINS).astype(int), BINS - 1)
    for number in range(BINS):
        here = place == number
        if here.any():
            yield float(chance[here].mean()), float(won[here].mean()), int(here.sum())


def calibration_error(chance: Floats, won: Floats) -> float:
    """Return the expected calibration error.

    It is how far what was said is from what came true, bin by bin, weighted by the bins' sizes.
    """
    return sum(abs(said - true) * n for said, true, n in by_bin(chance, won)) / len(chance)


def log_loss(chance: Floats, won: Floats) -> float:
    """Return the mean logarithm of how unlikely the outcomes were said to be; 0.693 is what knowing nothing costs."""
    said = np.clip(np.where(won > 0, chance, 1 - chance), 1e-9, 1.0)
    return float(-np.log(said).mean())


def brier_score(chance: Floats, won: Floats) -> float:
    """Return the mean square of how far what was said is from what came true; 0.25 is what knowing nothing costs."""
    return float(((chance - won) ** 2).mean())


def draw(path: Path, panels: Mapping[str, tuple[Floats, Floats]]) -> None:
    """Draw a panel for each title: the share that came true over what was said, bars for how often it was said."""
    image = Image.new("RGB", (2 * (SIDE + MARGIN) + LEFT, (len(panels) + 1) // 2 * (SIDE + MARGIN) + TOP), GROUND)
    pen = ImageDraw.Draw(image)
    for at, (title, (chance, won)) in enumerate(panels.items()):
        corner = (LEFT + at % 2 * (SIDE + MARGIN), TOP + at // 2 * (SIDE + MARGIN))
        _panel(pen, corner, list(by_bin(chance, won)))
        pen.text((corner[0], corner[1] - 16), f"{title}: {calibration_error(chance, won):.3f}", fill=INK)
    image.save(path, optimize=True)


def _panel(pen: ImageDraw.ImageDraw, corner: tuple[int, int], bins: list[tuple[float, float, int]]) -> None:
    left, top = corner

    def place(x: float, y: float) -> tuple[float, float]:
        return left + SIDE * x, top + SIDE * (1 - y)

    most = max(n for _, _, n in bins)
    for said, _, n in bins:
        low = int(said * BINS) / BINS
        pen.rectangle([place(low + 0.01, 0.25 * n / most), place(low + 0.09, 0)], fill=BARS)
    for tick in range(0, 11, 2):
        share = tick / 10
        pen.line([place(share, 0), place(share, 1)], fill=GRID)
        pen.line([place(0, share), place(1, share)], fill=GRID)
        pen.text(place(share - 0.03, -0.02), f"{share:.1f}", fill=INK)
        pen.text((left - 24, place(0, share)[1] - 6), f"{share:.1f}", fill=INK)
    pen.line([place(0, 0), place(1, 1)], fill=INK)
    pen.line([place(said, true) for said, true, _ in bins], fill=LINE, width=2)
    for said, true, _ in bins:
        x, y = place(said, true)
        pen.ellipse([x - 4, y - 4, x + 4, y + 4], fill=LINE)
