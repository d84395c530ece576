"""A board set up anew: found at any turn, smaller or larger, from another side, in another light, with pieces on it.

Each pair of features that look alike in the reference and in the frame says how far the board would be turned, how
large it would be and where its middle would lie (a generalised Hough transform; Lowe 2004, section 7.1). The places for
which most pairs speak are tried: the frame is laid over the reference as each has it, and points of the print are
tracked. The place at which most of them agree is the board's, unless the print agrees almost as well elsewhere.

Why a board isn't found: it fits in two places alike, or the picture is mirrored; features are recognised however they
are turned, but never mirrored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Mask, Matrix, Picture, apply
from vision.registration.tracking import (
    ROUGH_AGREE_PX,
    Anchors,
    Registration,
    even_contrast,
    registered_straight,
    robust_homography,
)

FEATURES = 2500, 6000
"""So many are looked for, and so many where the first show no place: on a Go board most are crossings, all alike."""
LIKE = 2
"""Each feature of the frame votes with so many of the reference that are most like it: a hex looks like another."""
TURN_STEPS, SIZE_STEP, PLACE_SHARE = 24, 1.5, 0.06
"""Votes are gathered in bins: so many for a whole turn, so many times in size, a part of the picture's width."""
PLACES, LEAST_VOTES = 6, 10
"""So many places are tried at most, and so many features have to agree on each."""
LEAST_SHARE = 0.28
"""Of the tracked points, so many have to agree: on a board laid a hex beside itself 0.23 of them did."""
LEAD = 1.5
"""So many times more points have to agree on a place than on any other."""
APART = 0.05
"""Places whose corners lie nearer than this part of the board's diagonal are one."""

Votes = npt.NDArray[np.float64]
WhyLost = Literal["mirrored", "twofold"]


class Pairs(NamedTuple):
    """Features that look alike: where they are in the reference and in the frame (N, 2), and what each says (N, 4).

    That is the board's turn in rounds, the logarithm of its size, and where its middle would be.
    """

    source: Floats
    target: Floats
    says: Votes


def fitting_places(anchors: Anchors, grey: Picture) -> list[Registration]:
    """Return every place at which the print agrees with an evened picture (H, W), the best first."""
    for features in FEATURES:
        fits = fits_at(anchors, grey, likely_places(anchors, grey, features))
        if fits:
            return fits
    return []


def fits_at(anchors: Anchors, grey: Picture, places: Iterable[Matrix]) -> list[Registration]:
    """Return registrations of those places, homographies frame <- reference, at which the print agrees, the best first.

    grey: the frame's evened picture (H, W).
    """
    whole = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    fits: list[Registration] = []
    for place in places:
        back = np.asarray(np.linalg.inv(place), np.float64)
        found = registered_straight(anchors, grey, whole, back)
        if found is None or not found.good:
            continue
        found = registered_straight(anchors, grey, whole, found.reference_from_frame) or found
        if found.good and found.matches and not any(_is_same(anchors, found, other) for other in fits):
            fits.append(found)
    return sorted(fits, key=lambda found: -found.share)


def leading_place(fits: Sequence[Registration]) -> Registration | None:
    """Return the first of some places, the best first; None where the print fits another almost as well."""
    if not fits or fits[0].share < LEAST_SHARE:
        return None
    best, *others = fits
    return best if all(best.share >= LEAD * other.share for other in others) else None


def _is_same(anchors: Anchors, one: Registration, other: Registration) -> bool:
    """Return whether two registrations have the board lie in one place."""
    places = (np.asarray(np.linalg.inv(found.reference_from_frame), np.float64) for found in (one, other))
    first, second = (apply(place, anchors.corners_px) for place in places)
    diagonal = float(np.linalg.norm(first[2] - first[0]))
    return float(np.linalg.norm(first - second, axis=1).max()) < APART * diagonal


def likely_places(anchors: Anchors, grey: Picture, features: int) -> Iterator[Matrix]:
    """Yield where the board may lie in an evened picture, as homographies frame <- reference, the likeliest first.

    features: how many are looked for in either picture.
    """
    pairs = _pairs(anchors, grey, features)
    if pairs is None:
        return
    free = np.ones(len(pairs.source), np.bool_)
    bins = _bins(pairs.says, grey.shape[1])
    for _ in range(PLACES):
        chosen = _fullest(bins, free)
        if int(chosen.sum()) < LEAST_VOTES:
            return
        agreed = robust_homography(pairs.source[chosen], pairs.target[chosen], ROUGH_AGREE_PX)
        if agreed is None or int(agreed[1].sum()) < LEAST_VOTES:
            free &= ~chosen
            continue
        place, _ = agreed
        off = np.linalg.norm(apply(place, pairs.source) - pairs.target, axis=1)
        free &= ~(chosen | (off < 2 * ROUGH_AGREE_PX))
        yield place


def _pairs(anchors: Anchors, grey: Picture, features: int) -> Pairs | None:
    """Return the pairs of features of the reference's board and an evened picture; None where there are few."""
    orb = cv2.ORB.create(nfeatures=features)
    mask = np.zeros(anchors.grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(anchors.corners_px).astype(np.int32), 255)
    found: Any = orb.detectAndCompute(anchors.grey, mask), orb.detectAndCompute(grey, None)
    (keys, words), (frame_keys, frame_words) = found
    if words is None or frame_words is None or min(len(keys), len(frame_keys)) < LEAST_VOTES:
        return None
    likest = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(frame_words, words, k=LIKE)
    which = np.array([(pair.trainIdx, pair.queryIdx) for pair in (one for some in likest for one in some)])
    here, there = (_described(every) for every in (keys, frame_keys))
    source, target = here[which[:, 0]], there[which[:, 1]]
    turn = np.mod(target[:, 2] - source[:, 2], 360.0)
    size = target[:, 3] / source[:, 3]
    middle = anchors.corners_px.mean(axis=0) - source[:, :2]
    cosine, sine = np.cos(np.radians(turn)) * size, np.sin(np.radians(turn)) * size
    x = target[:, 0] + cosine * middle[:, 0] - sine * middle[:, 1]
    y = target[:, 1] + sine * middle[:, 0] + cosine * middle[:, 1]
    says = np.stack([turn / 360.0, np.log(size), x, y], axis=1)
    return Pairs(source[:, :2].astype(np.float32), target[:, :2].astype(np.float32), says)


def _described(keys: Any) -> Votes:
    """Return (N, 4): the x, y, angle in degrees and size of features."""
    return np.array([(*key.pt, key.angle, key.size) for key in keys], np.float64)


def _bins(says: Votes, width: int) -> npt.NDArray[np.int64]:
    """Return (N, 16) the bins of each pair: two neighbouring ones of each of its four values."""
    steps = np.array([1 / TURN_STEPS, np.log(SIZE_STEP), PLACE_SHARE * width, PLACE_SHARE * width])
    low = np.floor(says / steps - 0.5).astype(np.int64)
    corners = np.stack(np.meshgrid(*[(0, 1)] * 4, indexing="ij"), axis=-1).reshape(16, 4)
    every = low[:, None, :] + corners
    every[..., 0] %= TURN_STEPS
    every[..., 1:] = np.clip(every[..., 1:] + 64, 0, 127)
    return np.asarray(every @ np.array([1 << 21, 1 << 14, 1 << 7, 1]), np.int64)


def _fullest(bins: npt.NDArray[np.int64], free: Mask) -> Mask:
    """Return (N,) which of the free pairs are in the bin that holds most of them."""
    if not free.any():
        return free
    names, counts = np.unique(bins[free], return_counts=True)
    return np.asarray(free & (bins == names[counts.argmax()]).any(axis=1), np.bool_)


def why_lost(anchors: Anchors, frame_bgr: Picture) -> WhyLost | None:
    """Return why the board isn't found in a frame of the reference's size; None where it isn't seen at all."""
    grey = even_contrast(frame_bgr)
    fits = fitting_places(anchors, grey)
    if fits and fits[0].share >= LEAST_SHARE:
        return "twofold" if leading_place(fits) is None else None
    mirrored = fitting_places(anchors, np.asarray(cv2.flip(grey, 1), np.uint8))
    return None if leading_place(mirrored) is None else "mirrored"
