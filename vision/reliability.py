"""How far confidence can be trusted: said against true, in steps, and as a diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.geometry import Picture

STEPS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.01)
SIDE_PX, EDGE_PX = 480, 60
INK, FAINT, LINE = (60, 50, 40), (215, 210, 205), (60, 70, 190)
FONT = cv2.FONT_HERSHEY_SIMPLEX

Pairs = Sequence[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class Step:
    """The areas whose confidence lies between `low` and `high`: how many, how sure on average, what share was right."""

    low: float
    high: float
    areas: int
    said: float
    right: float


def steps_of(pairs: Pairs) -> list[Step]:
    """(confidence, right) pairs gathered in steps; empty ones are left out."""
    found = []
    for low, high in pairwise(STEPS):
        within = [pair for pair in pairs if low <= pair[0] < high]
        if within:
            said, right = (float(np.mean([pair[k] for pair in within])) for k in (0, 1))
            found.append(Step(low, min(high, 1.0), len(within), said, right))
    return found


def calibration_error(pairs: Pairs) -> float:
    """Expected calibration error over those steps (Naeini et al., 2015)."""
    return sum(abs(step.said - step.right) * step.areas for step in steps_of(pairs)) / max(len(pairs), 1)


def _px(x: float, y: float) -> tuple[int, int]:
    return round(EDGE_PX + x * SIDE_PX), round(EDGE_PX + (1 - y) * SIDE_PX)


def diagram(pairs: Pairs) -> Picture:
    """(600, 600, 3) BGR: a point for each step, with how many areas it has; the line is what should be."""
    picture = np.full((SIDE_PX + 2 * EDGE_PX, SIDE_PX + 2 * EDGE_PX, 3), 255, np.uint8)
    for tenth in range(0, 11, 2):
        share = tenth / 10
        cv2.line(picture, _px(share, 0), _px(share, 1), FAINT, 1)
        cv2.line(picture, _px(0, share), _px(1, share), FAINT, 1)
        for at, shift in ((_px(share, 0), (-12, 22)), (_px(0, share), (-38, 5))):
            place = (at[0] + shift[0], at[1] + shift[1])
            cv2.putText(picture, f"{share:.1f}", place, FONT, 0.45, INK, 1, cv2.LINE_AA)
    cv2.line(picture, _px(0, 0), _px(1, 1), LINE, 2, cv2.LINE_AA)
    for step in steps_of(pairs):
        radius = round(4 + 1.6 * np.log(step.areas))
        cv2.circle(picture, _px(step.said, step.right), radius, INK, -1, cv2.LINE_AA)
        place = (_px(step.said, step.right)[0] - radius - 40, _px(step.said, step.right)[1] + 18)
        cv2.putText(picture, str(step.areas), place, FONT, 0.4, INK, 1, cv2.LINE_AA)
    cv2.putText(picture, "said", _px(0.46, -0.1), FONT, 0.55, INK, 1, cv2.LINE_AA)
    cv2.putText(picture, "right", (8, _px(0, 1.06)[1]), FONT, 0.55, INK, 1, cv2.LINE_AA)
    return picture
