"""Outlines of figures, all invented: siege weapons from the side, aircraft from above; as solids and printed symbols.

Each is a few convex outlines that touch, counter-clockwise, in lengths of the figure. Siege weapons: (along, up), their
feet at 0. Aircraft: (along, across), the nose at 0.5.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np

Point = tuple[float, float]
Outline = tuple[Point, ...]
Rng = np.random.Generator

STURDY, SLIM = 1.0, 0.45
"""How much of a siege weapon's width its parts have."""


def _round(at: Point, radius: float, corners: int = 10) -> Outline:
    turns = [2 * pi * i / corners for i in range(corners)]
    return tuple((at[0] + radius * cos(t), at[1] + radius * sin(t)) for t in turns)


def _bar(start: Point, end: Point, width: float) -> Outline:
    """Return a straight bar between two points."""
    along = np.subtract(end, start) / max(float(np.hypot(*np.subtract(end, start))), 1e-9)
    across = np.array([along[1], -along[0]]) * width / 2
    corners = (start + across, end + across, end - across, start - across)
    return tuple((float(x), float(y)) for x, y in corners)


@lru_cache(maxsize=64)
def siege_profile(shape: int) -> tuple[tuple[Outline, float], ...]:
    """Return a siege weapon from the side, made up from a number: (outline, share of its width) for each part."""
    rng = np.random.default_rng([shape, 51])
    low, high = float(rng.uniform(0.06, 0.14)), float(rng.uniform(0.2, 0.32))
    end = float(rng.uniform(0.36, 0.5))
    bed = ((-end, low), (end, low), (end, high), (-end, high))
    parts: list[tuple[Outline, float]] = [(bed, STURDY)]
    if rng.random() < 0.7:
        radius = float(rng.uniform(0.1, 0.17))
        parts += [(_round((x, radius), radius), STURDY) for x in (-end + 0.1, end - 0.1)]
    else:
        parts.append((((-end, 0.0), (end, 0.0), (end, low), (-end, low)), STURDY))
    return (*parts, *(_catapult, _catapult, _frame, _gun)[int(rng.integers(4))](rng, high))


def _catapult(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return an arm with a bowl, leaning back on a stand."""
    top = (float(rng.uniform(-0.5, -0.3)), float(rng.uniform(0.55, 0.85)))
    foot = (float(rng.uniform(0.1, 0.35)), high)
    stand = float(rng.uniform(0.4, 0.65))
    half = float(rng.uniform(0.12, 0.2))
    middle = float(rng.uniform(-0.1, 0.12))
    arm = _bar(foot, top, float(rng.uniform(0.08, 0.14)))
    bowl = _round(top, float(rng.uniform(0.09, 0.15)))
    return [(((middle - half, high), (middle + half, high), (middle, stand)), STURDY), (arm, SLIM), (bowl, SLIM + 0.2)]


def _frame(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return a tall frame with a beam across it, as a trebuchet has."""
    top = float(rng.uniform(0.6, 0.8))
    half = float(rng.uniform(0.18, 0.3))
    beam = _bar((0.42, top - 0.22), (-0.48, top + float(rng.uniform(0.0, 0.15))), float(rng.uniform(0.08, 0.13)))
    weight = _round((0.4, top - 0.24), float(rng.uniform(0.1, 0.16)), 6)
    return [(((-half, high), (half, high), (0.04, top), (-0.04, top)), STURDY), (beam, SLIM), (weight, STURDY)]


def _gun(rng: Rng, high: float) -> list[tuple[Outline, float]]:
    """Return a block with a thick barrel that points up ahead."""
    rise = float(rng.uniform(0.08, 0.3))
    block = ((-0.34, high), (0.16, high), (0.06, high + 0.22), (-0.26, high + 0.22))
    return [
        (block, STURDY),
        (_bar((-0.2, high + 0.1), (0.48, high + 0.1 + rise), float(rng.uniform(0.14, 0.22))), SLIM + 0.15),
    ]


@lru_cache(maxsize=64)
def aircraft_outlines(shape: int) -> tuple[Outline, ...]:
    """Return an aircraft from above, made up from a number: body, two wings, two halves of its tail."""
    rng = np.random.default_rng([shape, 52])
    body, nose = float(rng.uniform(0.06, 0.12)), float(rng.uniform(0.25, 0.42))
    span, chord = float(rng.uniform(0.4, 0.56)), float(rng.uniform(0.2, 0.36))
    lead, sweep = float(rng.uniform(0.08, 0.28)), float(rng.uniform(-0.04, 0.2))
    tip = chord * float(rng.uniform(0.35, 1.0))
    tail, depth = float(rng.uniform(0.16, 0.27)), float(rng.uniform(0.1, 0.18))
    thin = body * float(rng.uniform(0.4, 1.0))
    hull = ((-0.5, -thin), (nose, -body), (0.5, -body * 0.4), (0.5, body * 0.4), (nose, body), (-0.5, thin))
    wing = ((lead - chord, 0.0), (lead, 0.0), (lead - sweep, span), (lead - sweep - tip, span))
    fin = ((-0.5, 0.0), (-0.5 + depth, 0.0), (-0.5 + depth * 0.75, tail), (-0.5, tail))
    return hull, wing, _mirror(wing), fin, _mirror(fin)


def _mirror(outline: Outline) -> Outline:
    return tuple((x, -y) for x, y in reversed(outline))
