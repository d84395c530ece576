"""Straight lines of a print: how strongly a board image shows a line or a step along each of a grid's three directions.

Lines and steps both count (Morrone and Owens, 1987: the local energy), summed along the line before its size is taken,
so that texture cancels out and long straight edges stay.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.geometry import Floats, Matrix
from vision.registration.align import EVEN

# For the search: how much of a line's length is summed, and how far round a place the usual energy is taken.
ALONG_MM = 11.0
AROUND_MM = 18.0
# Keeps plain ground, where there is no energy at all, from being evened into a pattern.
FLOOR = 2.0


def directions(flat: bool, turn_rad: float = 0.0) -> Matrix:
    """Return (3, 2) unit normals of a grid's sides, in the order of the first three neighbours."""
    first = 30.0 if flat else 120.0
    turns = np.radians(first + 60.0 * np.arange(3)) + turn_rad
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def line_energy(lab: Floats, normal: Matrix, blur_px: float, along_px: float) -> Floats:
    """Return (H, W) energy of lines and steps at right angles to `normal`."""
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
    """Return (H, W) an energy over what is usual round each place, 0 to 1.

    A faint print counts as much as a strong one.
    """
    size = 2 * round(around_px) + 1
    usual = cv2.blur(energy, (size, size), borderType=cv2.BORDER_REFLECT)
    return np.asarray(energy / (energy + 1.5 * usual + FLOOR), np.float32)


def grid_energies(lab: Floats, flat: bool, px_per_mm: float, blur_mm: float) -> list[Floats]:
    """Return three (H, W) evened energies, one for each direction of a grid's sides."""
    return [
        even_energy(line_energy(lab, normal, blur_mm * px_per_mm, ALONG_MM * px_per_mm), AROUND_MM * px_per_mm)
        for normal in directions(flat)
    ]
