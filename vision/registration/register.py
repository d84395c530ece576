"""Where the board lies in a frame now, found against the reference picture.

Points of the printed board are tracked from the reference to the frame, first on a small picture, then on the whole
one (`tracking`). Where that fails, as the board or the camera was set up anew, it is looked for everywhere: at any
turn, smaller or larger, from another side, in another light, with pieces on it.

Each pair of features that look alike in the reference and in the frame says how far the board would be turned, how
large it would be and where its middle would lie (a generalised Hough transform; Lowe 2004, section 7.1). The places for
which most pairs speak are tried: the frame is laid over the reference as each has it, and points of the print are
tracked. The place at which most of them agree is the board's, unless the print agrees almost as well elsewhere.

Why a board isn't found: it fits in two places alike, or the picture is mirrored; features are recognised however they
are turned, but never mirrored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Floats, Mask, Matrix, Picture, apply
from vision.registration.tracking import (
    FAR,
    FINE,
    HERE,
    LEAST_POINTS,
    NEAR,
    ROUGH_AGREE_PX,
    STILL_PX,
    Anchors,
    Box,
    Registration,
    anchors_of,
    even_contrast,
    flow,
    origin_of,
    register_straightened,
    registration_from,
    robust_homography,
    shrink_part,
    track,
    turn_deg,
    warp_onto_reference,
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
    """Return every place at which the print matches a picture evened by `even_contrast` (H, W), the best first."""
    for features in FEATURES:
        fits = fits_at(anchors, grey, likely_places(anchors, grey, features))
        if fits:
            return fits
    return []


def fits_at(anchors: Anchors, grey: Picture, places: Iterable[Matrix]) -> list[Registration]:
    """Register an evened picture (H, W) at each of these places; return those at which the print matches, best first.

    places: homographies frame <- reference.
    """
    whole = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    fits: list[Registration] = []
    for place in places:
        back = np.asarray(np.linalg.inv(place), np.float64)
        found = register_straightened(anchors, grey, whole, back)
        if found is None or not found.good:
            continue
        found = register_straightened(anchors, grey, whole, found.reference_from_frame) or found
        if found.good and found.matches and not any(_is_same(anchors, found, other) for other in fits):
            fits.append(found)
    return sorted(fits, key=lambda found: -found.share)


def leading_place(fits: Sequence[Registration]) -> Registration | None:
    """Return the best of some places, sorted from the best down; None if another is almost as good, or none is good."""
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
    """Yield where the board may lie in an evened picture, the likeliest first, as homographies frame <- reference.

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
    which = np.array([(pair.trainIdx, pair.queryIdx) for pairs in likest for pair in pairs])
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
    """Return "twofold" if the print fits a frame in two places alike, "mirrored" if only mirrored; None otherwise."""
    grey = even_contrast(frame_bgr)
    fits = fitting_places(anchors, grey)
    if fits and fits[0].share >= LEAST_SHARE:
        return "twofold" if leading_place(fits) is None else None
    mirrored = fitting_places(anchors, np.asarray(cv2.flip(grey, 1), np.uint8))
    return None if leading_place(mirrored) is None else "mirrored"


__all__ = ["Anchors", "Registration", "anchors_of", "register", "register_at"]
# The share of points that have to agree on a first guess.
ROUGH_SHARE = 0.3
# A camera that stood still: of all points of the small picture, and of those that were found again, so many lie where
# they lay. Their median drift may be 0.9 of what counts as still for one point.
STILL_SHARE = 0.4
STILL_MAJORITY = 0.5
STILL_DRIFT = 0.9
# Of a board that is turned further, or that matches worse, points are tracked again on a picture turned as the
# reference is: windows turned to one another match badly.
STRAIGHT_DEG, ROUGH_ERROR_PX = 3.0, 0.5
DARK_LEVEL = 48.0
"""A picture darker than this, as a mean of its grey levels: its noise, and what JPEG makes of it, blur the print."""
DARK_ERROR_PX, DARK_SHARE, ALIKE = 0.7, 0.3, 0.5
"""What points of a dark picture have to agree on, and how like the reference it is then, as a correlation.

Of mirrored boards in such pictures none agrees so well; in brighter ones hexes that lie on hexes do.
"""
UNMOVED_PX = 0.7
"""Where a dark picture's corners lie so near to where they lay, the camera stood still."""
LIKENESS_PX = 3.0
"""How far pictures are blurred before they are compared."""
# Where fewer points agree near where the board lay, or not as exactly, it is looked for everywhere as well: hexes lie
# on hexes there. A board laid a hex beside itself, or mirrored, matches to within 0.5 px at best.
CLEAR_SHARE, CLEAR_ERROR_PX, LEAST_CLEAR_SHARE = 0.5, 0.42, 0.35
# Points aren't tracked any further round than this: what they agree on then isn't the board.
MOST_TURN_DEG = 45.0


def _near_guess(anchors: Anchors, small: Picture, scale: float) -> Matrix | None:
    """Guess frame <- reference by the small pictures; None if too few points agree."""
    points = anchors.small_points_px
    kept, moved = flow((anchors.small, small), points, points, NEAR)
    agreed = robust_homography(points[kept], moved[kept], ROUGH_AGREE_PX * scale)
    if agreed is None or int(agreed[1].sum()) < max(LEAST_POINTS, ROUGH_SHARE * len(points)):
        return None
    x, y = origin_of(anchors.box)
    small_from_whole = np.array([[scale, 0, -x * scale], [0, scale, -y * scale], [0, 0, 1]])
    return np.asarray(np.linalg.inv(small_from_whole) @ agreed[0] @ small_from_whole, np.float64)


def _far_guess(anchors: Anchors, grey: Picture) -> Matrix | None:
    """Guess frame <- reference by points tracked in the whole evened picture; None if too few agree."""
    whole = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    agreed = robust_homography(*track(anchors, grey, np.eye(3), (whole, FAR)), ROUGH_AGREE_PX)
    if agreed is None or int(agreed[1].sum()) < max(LEAST_POINTS, ROUGH_SHARE * len(anchors.points_px)):
        return None
    return agreed[0]


def _registered(anchors: Anchors, seen: Picture, box: Box, guess: Matrix, is_dark: bool) -> Registration | None:
    """Register from a guess frame <- reference; None if it isn't the board, or is turned too far.

    seen: the frame's evened picture of a box; is_dark: whether the frame is one that noise blurs.
    """
    if turn_deg(anchors, guess) > MOST_TURN_DEG:
        return None
    found = registration_from(anchors, *track(anchors, seen, guess, (box, FINE)))
    if found is None:
        return None
    if not found.matches or found.error_px > ROUGH_ERROR_PX or turn_deg(anchors, guess) > STRAIGHT_DEG:
        straight = register_straightened(anchors, seen, box, found.reference_from_frame)
        if straight is None or not straight.matches:
            return _registered_in_the_dark(anchors, seen, box, straight or found) if is_dark else None
        return straight
    return found


def _registered_in_the_dark(anchors: Anchors, seen: Picture, box: Box, found: Registration) -> Registration | None:
    """Return a registration that noise keeps from matching exactly, or the camera's old place; None if it's no board.

    The whole picture says what single points can't.
    """
    if not found.good or found.share < DARK_SHARE or found.error_px > DARK_ERROR_PX:
        return None
    corners = np.asarray(anchors.corners_px, np.float64)
    off = np.linalg.norm(apply(found.reference_from_frame, corners) - corners, axis=1)
    if float(off.max()) <= UNMOVED_PX:
        found = replace(found, reference_from_frame=np.eye(3), still=True)
    there = warp_onto_reference(anchors, seen, box, found.reference_from_frame)
    return found if _likeness(anchors.grey[anchors.box], there[anchors.box]) >= ALIKE else None


def _likeness(one: Picture, other: Picture) -> float:
    """Return the correlation of two evened pictures (H, W), blurred so that noise counts little."""
    first, second = (cv2.GaussianBlur(picture, (0, 0), LIKENESS_PX).ravel() for picture in (one, other))
    return float(np.corrcoef(first, second)[0, 1])


def _is_clear(found: Registration) -> bool:
    """Return whether the print agrees so well that the board needn't be looked for elsewhere."""
    exact = found.error_px <= CLEAR_ERROR_PX and found.share >= LEAST_CLEAR_SHARE
    return found.good and (exact or found.share >= CLEAR_SHARE)


def _still(anchors: Anchors, small: Picture, scale: float) -> Registration | None:
    """Register a frame from a camera that did not move; None unless most points stayed where they were."""
    points = anchors.small_points_px
    count = len(points)
    if count < LEAST_POINTS:
        return None
    tracked, moved = flow((anchors.small, small), points, points, HERE)
    stayed = tracked & (np.hypot(*(moved - points).T) < STILL_PX * scale)
    share = float(stayed.sum()) / count
    if share < STILL_SHARE or share < STILL_MAJORITY * float(tracked.sum()) / count:
        return None
    shift = np.median((moved - points)[stayed], axis=0)
    if float(np.abs(shift).max()) > STILL_DRIFT * STILL_PX * scale:
        return None
    return Registration(np.eye(3), share, 1.0, float(np.abs(shift).max()), int(stayed.sum()), True)


def register(anchors: Anchors, frame_bgr: Picture) -> Registration | None:
    """Return how a frame (same size as the reference) lies to the reference; None if the board isn't found."""
    if len(anchors.points_px) < LEAST_POINTS:
        return None
    little, scale = shrink_part(frame_bgr, anchors.box)
    small = even_contrast(little)
    still = _still(anchors, small, scale)
    if still is not None:
        return still
    guess, is_dark = _near_guess(anchors, small, scale), float(little.mean()) < DARK_LEVEL
    near = None
    if guess is not None:
        near = _registered(anchors, even_contrast(frame_bgr[anchors.box]), anchors.box, guess, is_dark)
        if near is not None and (_is_clear(near) or (is_dark and near.still)):
            return near
    seen, whole = even_contrast(frame_bgr), (slice(0, frame_bgr.shape[0]), slice(0, frame_bgr.shape[1]))
    guess = _far_guess(anchors, seen)
    far = None if guess is None else _registered(anchors, seen, whole, guess, is_dark)
    best = _better(near, far)
    if best is not None and _is_clear(best):
        return best
    return _better(best, leading_place(fitting_places(anchors, seen)))


def register_at(anchors: Anchors, frame_bgr: Picture, corners_px: Matrix) -> Registration | None:
    """Return how a frame lies to the reference if the board's corners (4, 2) are where somebody has shown, clockwise.

    Any corner may be the first; the print has the last word. None where it doesn't agree there, or the corners lie
    in a line.
    """
    seen = even_contrast(frame_bgr)
    own = anchors.corners_px.astype(np.float32)
    shown = [np.roll(corners_px, turn, axis=0).astype(np.float32) for turn in range(4)]
    guesses = [np.asarray(cv2.getPerspectiveTransform(own, corners), np.float64) for corners in shown]
    return leading_place(fits_at(anchors, seen, [guess for guess in guesses if np.linalg.matrix_rank(guess) == 3]))


def _better(one: Registration | None, other: Registration | None) -> Registration | None:
    """Return which of two registrations more points agree on; the first of equals."""
    if one is None or other is None:
        return one or other
    return other if other.share > one.share else one
