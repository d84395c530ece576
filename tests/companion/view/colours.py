"""What eyes make of colours: contrast, and how far two colours lie apart for those who see fewer of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

Triple = tuple[float, float, float]

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
# IEEE Transactions on Visualization and Computer Graphics 15(6), 2009: matrices for severity 1.0, on linear RGB.
MACHADO: Mapping[str, tuple[Triple, Triple, Triple]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


@lru_cache(maxsize=65536)
def linear(colour: str) -> Triple:
    """Linear red, green and blue, 0 to 1, of a colour "#rrggbb" in sRGB (IEC 61966-2-1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2 (1.4.3), 1 to 21."""
    dark, bright = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (bright + 0.05) / (dark + 0.05)


def seen(colour: str, sight: str) -> Triple:
    """Linear RGB of what a colour looks like to that sight ("standard", or one of MACHADO)."""
    rgb = linear(colour)
    if sight == "standard":
        return rgb
    red, green, blue = (min(max(sum(k * v for k, v in zip(row, rgb, strict=True)), 0.0), 1.0) for row in MACHADO[sight])
    return red, green, blue


def lab(rgb: Sequence[float]) -> Triple:
    """CIE 1976 L*a*b* of linear sRGB, white D65."""
    red, green, blue = rgb
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    fx, fy, fz = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def apart(one: str, other: str, sight: str = "standard") -> float:
    """Distance of two colours for that sight: Delta E*ab of CIE 1976; 2.3 can just be told apart."""
    return math.dist(lab(seen(one, sight)), lab(seen(other, sight)))
