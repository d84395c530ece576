"""Points of the reference followed to a frame, and what their places amount to: how the board lies there.

Points of the printed board are tracked (Lucas-Kanade in pyramids, on pictures whose local brightness and contrast were
evened out), a homography is fitted that most of them agree on, then by least squares to those that lie close to it;
pieces, hands and cards only make some points disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Matrix, Picture, apply

# Points to track on the reference, and how far apart they are at least.
POINTS = 300
POINT_DISTANCE_PX = 10
# The room round the board's outline in the reference: a nudged board is still in that part of a frame.
ROOM_PX = 64
# The side of the squares in which contrast is evened: some 10 mm of a board that fills a picture of 1280 px.
EVEN_WINDOW_PX = 31
EVEN_LEVEL = 127.5
# What is added to the deviation there, in grey levels, or else noise would be raised to a pattern on plain ground: so
# much at least and at most, and in between so many times the picture's noise.
LEAST_FLOOR, MOST_FLOOR, FLOOR_NOISES = 6.0, 20.0, 7.0
# OpenCV's error of a tracked point, the mean difference of grey levels in its window: above, it is not the same place.
TRACK_ERROR = 40.0
# MAGSAC's threshold for an inlier; then that of the least squares fits, and how many of them.
AGREE_PX = 1.5
CLOSE_PX = 0.7
CLOSER_ROUNDS = 3
# MAGSAC's threshold for a first guess.
ROUGH_AGREE_PX = 4.0
# The small picture on which a camera that stood still is recognised, its points, and what counts as still there.
STILL_PX = 0.5
STILL_WIDTH_PX = 640
STILL_POINTS = 160
# A bowed board and a lens bend what a homography says, by a smooth cubic in the board's own coordinates. Its quadratic
# terms and its cubic ones are held, as parts of all weights, so that they don't follow a few strays.
BEND_ROUNDS, BEND_STIFF = 6, (*([1e-5] * 6), *([2e-3] * 4))
# What is left then: on 32 drawn tables set up anew the board matched to within 0.5 px at three fifths of its points and
# more. Lines and hexes of a mirrored board match, too, but not so well: 0.55 px at best, at less than half of them.
MOST_ERROR_PX = ((0.6, 0.6), (0.4, 0.5), (0.0, 0.45))
# The least deviation of an evened picture's grey levels about a tracked point: on plain ground nothing can be tracked,
# and such a point seems to stay where it was looked for.
LEAST_TEXTURE = 15.0
# What a registration needs to be built on: inliers, their share, and the part of the board that their hull covers. A
# few points in one corner would fix the far corner badly.
LEAST_POINTS = 20
LEAST_SHARE = 0.15
LEAST_SPREAD = 0.12

# How much the board may shrink or grow, by area: two pictures of one table show no mirror and no collapse.
LEAST_SIZE, MOST_SIZE = 0.2, 4.0

Box = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Steps:
    """How points are tracked: the window's side, how often the picture is halved, how many steps and how fine."""

    side_px: int
    halvings: int
    most: int = 20
    finest_px: float = 0.02


HERE, NEAR, FAR, FINE = Steps(13, 0, 10, 0.03), Steps(17, 3), Steps(17, 4), Steps(17, 1)


@dataclass(frozen=True, slots=True)
class Anchors:
    """What the reference gives to track: its evened grey picture, points on the board, and the board's outline.

    box: (rows, columns) of the picture that hold the board with room around it; small, small_points_px: picture and
    points of that part made smaller, to see at little cost whether the camera stood still.
    """

    grey: Picture
    points_px: Floats
    corners_px: Matrix
    box: Box
    small: Picture
    small_points_px: Floats


@dataclass(frozen=True, slots=True)
class Registration:
    """How the frame lies to the reference: `reference_from_frame` (3, 3), and how well that is founded.

    share: part of the tracked points that agree; spread: part of the board's surface their hull covers;
    error_px: root mean square distance of the agreeing points; gaps: (N, 4), where in the reference each of these is,
    and how far from there the homography has it, in px. share, spread and error_px leave out what a bowed board and a
    lens explain; gaps don't.
    """

    reference_from_frame: Matrix
    share: float
    spread: float
    error_px: float
    points: int
    still: bool
    gaps: Matrix = field(default_factory=lambda: np.zeros((0, 4)), compare=False)

    @property
    def good(self) -> bool:
        """Whether enough points agree for the registration to be trusted."""
        return self.points >= LEAST_POINTS and self.share >= LEAST_SHARE and self.spread >= LEAST_SPREAD

    @property
    def matches(self) -> bool:
        """Whether the points agree so closely that this is the board itself, not one with the same lines and hexes."""
        return self.error_px <= next(most for share, most in MOST_ERROR_PX if self.share >= share)


def even_contrast(picture_bgr: Picture) -> Picture:
    """Return the picture in grey (H, W) with local brightness and contrast evened out.

    Lamps and shadows matter little then.
    """
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    window = EVEN_WINDOW_PX, EVEN_WINDOW_PX
    mean = np.asarray(cv2.boxFilter(grey, cv2.CV_32F, window), np.float32)
    spread = np.asarray(cv2.sqrBoxFilter(grey, cv2.CV_32F, window), np.float32)
    spread -= mean * mean
    np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
    spread += np.float32(min(max(FLOOR_NOISES * _noise(grey), LEAST_FLOOR), MOST_FLOOR))
    above = cv2.divide(cv2.subtract(grey, mean, dst=mean, dtype=cv2.CV_32F), spread, dst=mean)
    return np.asarray(cv2.addWeighted(above, 45, above, 0, EVEN_LEVEL, dtype=cv2.CV_8U), np.uint8)


def _noise(grey: Picture) -> float:
    """Return the deviation of a picture's noise in grey levels, by how much neighbours in every eighth row differ."""
    rows = grey[::8].astype(np.int16)
    rough = np.abs(2 * rows[:, 1:-1] - rows[:, :-2] - rows[:, 2:])
    return float(np.median(rough)) / 1.65  # 0.6745 times the root of 6: the second difference of even noise


def shrink_part(frame_bgr: Picture, box: Box) -> tuple[Picture, float]:
    """Shrink a part of a picture by what makes the whole STILL_WIDTH_PX wide at most; return the part and the scale."""
    scale = min(1.0, STILL_WIDTH_PX / frame_bgr.shape[1])
    small = cv2.resize(frame_bgr[box], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def _box(corners_px: Matrix, shape: tuple[int, ...]) -> Box:
    """Return the part of a picture of this (rows, columns, ...) that holds the board, with room for it to be nudged."""
    (left, top), (right, bottom) = corners_px.min(axis=0) - ROOM_PX, corners_px.max(axis=0) + ROOM_PX
    return slice(max(int(top), 0), min(int(bottom), shape[0])), slice(max(int(left), 0), min(int(right), shape[1]))


def anchors_of(reference_bgr: Picture, corners_px: Matrix) -> Anchors:
    """Return what is tracked of a reference picture: points spread over the board with these corners."""
    corners = np.asarray(corners_px, np.float64)
    box, grey = _box(corners, reference_bgr.shape), even_contrast(reference_bgr)
    little, scale = shrink_part(reference_bgr, box)
    small = even_contrast(little)
    in_small = (corners - origin_of(box)) * scale
    return Anchors(grey, _points(grey, corners, POINTS), corners, box, small, _points(small, in_small, STILL_POINTS))


def origin_of(box: Box) -> Matrix:
    """Return the pixel x, y (2,) of a box's top left corner."""
    return np.array([box[1].start, box[0].start], np.float64)


def _points(grey: Picture, corners_px: Matrix, most: int) -> Floats:
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px).astype(np.int32), 255)
    found: Any = cv2.goodFeaturesToTrack(grey, most, 0.02, POINT_DISTANCE_PX, mask=mask, blockSize=7)
    return np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2).astype(np.float32)


def flow(pictures: tuple[Picture, Picture], points: Floats, start: Floats, steps: Steps) -> tuple[Mask, Floats]:
    """Track points (N, 2) from one picture to another; return which were found, (N,) bool, and where (N, 2).

    start: where to begin to look for them (N, 2).
    """
    moved, found, error = cv2.calcOpticalFlowPyrLK(
        *pictures,
        points.reshape(-1, 1, 2),
        start.reshape(-1, 1, 2).copy(),
        winSize=(steps.side_px, steps.side_px),
        maxLevel=steps.halvings,
        criteria=(cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, steps.most, steps.finest_px),
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    kept = (found.ravel() == 1) & (error.ravel() < TRACK_ERROR)
    return np.asarray(kept, np.bool_), np.asarray(moved.reshape(-1, 2), np.float32)


def track(anchors: Anchors, grey: Picture, guess: Matrix, how: tuple[Box, Steps]) -> tuple[Floats, Floats]:
    """Track the reference's points into a frame from a guess frame <- reference; return both places of those found.

    grey: the frame's evened picture of a box; how: that box, and how to track.
    """
    box, steps = how
    origin = origin_of(box).astype(np.float32)
    start = (apply(guess, anchors.points_px) - origin).astype(np.float32)
    kept, moved = flow((anchors.grey[box], grey), anchors.points_px - origin, start, steps)
    return anchors.points_px[kept], moved[kept] + origin


def _size_at(homography: Matrix, point: Floats) -> float:
    """Return how many times larger a homography makes what lies at a point (2,), by area; negative if it mirrors it."""
    depth = float(homography[2] @ np.append(point, 1.0))
    return float(np.linalg.det(homography)) / depth**3 if depth else 0.0


def robust_homography(source: Floats, target: Floats, agree_px: float) -> tuple[Matrix, Mask] | None:
    """Return the homography target <- source that most pairs agree on, and which do; None if too few or ill-scaled."""
    if len(source) < 8:
        return None
    cv2.setRNGSeed(7)  # a sample consensus draws by chance: the same frame should give the same reading
    fitted: tuple[Matrix | None, Mask | None] = cv2.findHomography(  # type: ignore[assignment]  # may find nothing
        source, target, cv2.USAC_MAGSAC, agree_px, maxIters=2000, confidence=0.999
    )
    homography, inliers = fitted
    if homography is None or inliers is None or int(inliers.sum()) < 8:
        return None
    if not LEAST_SIZE < _size_at(homography, source[inliers.ravel() > 0].mean(axis=0)) < MOST_SIZE:
        return None
    return np.asarray(homography, np.float64), inliers.ravel().astype(bool)


def _refine_homography(homography: Matrix, source: Floats, target: Floats) -> Matrix:
    """Fit the homography by least squares to the pairs close to it, again and again; most pairs have to be close."""
    for _ in range(CLOSER_ROUNDS):
        close = np.linalg.norm(apply(homography, source) - target, axis=1) < CLOSE_PX
        if int(close.sum()) < max(LEAST_POINTS, len(source) / 2):
            return homography
        found = cv2.findHomography(source[close], target[close], 0)[0]
        if found is None:
            return homography
        homography = np.asarray(found, np.float64)
    return homography


def registration_from(anchors: Anchors, source: Floats, target: Floats) -> Registration | None:
    """Return the registration fitted to tracked pairs (reference, frame); None if they do not agree."""
    agreed = robust_homography(source, target, AGREE_PX)
    if agreed is None:
        return None
    rough, kept = agreed
    frame_from_reference = _refine_homography(rough, source[kept], target[kept])
    try:
        back = np.asarray(np.linalg.inv(frame_from_reference), np.float64)
    except np.linalg.LinAlgError:  # all points on one line: nothing that a camera sees of a board
        return None
    gaps = apply(back, target) - source
    left = np.linalg.norm(gaps - _bend(anchors, source, gaps), axis=1)
    fits = left < AGREE_PX
    if not fits.any():
        return None
    hull = cv2.contourArea(cv2.convexHull(source[fits])) / cv2.contourArea(anchors.corners_px.astype(np.float32))
    shift = np.abs(apply(frame_from_reference, anchors.corners_px) - anchors.corners_px).max()
    return Registration(
        back / back[2, 2],
        share=float(fits.sum()) / max(len(anchors.points_px), 1),
        spread=float(hull),
        error_px=float(np.sqrt((left[fits] ** 2).mean())),
        points=int(fits.sum()),
        still=bool(shift < STILL_PX),
        gaps=np.hstack([source[fits], gaps[fits]]),
    )


def _bend(anchors: Anchors, source: Floats, gaps: Matrix) -> Matrix:
    """Return (N, 2) what of the gaps (N, 2) at points (N, 2) of the reference a bowed board or a lens explains.

    It is a smooth cubic, by least squares that are weighed again and again: what is far from it hardly pulls.
    """
    half = np.linalg.norm(anchors.corners_px[2] - anchors.corners_px[0]) / 2
    x, y = ((source - anchors.corners_px.mean(axis=0)) / half).T
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=1)
    found = np.zeros((terms.shape[1], 2))
    for _ in range(BEND_ROUNDS):
        weights = 1 / (1 + ((gaps - terms @ found) ** 2).sum(axis=1, keepdims=True))
        left = (terms * weights).T @ terms + weights.sum() * np.diag(BEND_STIFF)
        found = np.linalg.solve(left, (terms * weights).T @ gaps)
    return np.asarray(terms @ found, np.float64)


def turn_deg(anchors: Anchors, frame_from_reference: Matrix) -> float:
    """Return by how many degrees a board is turned in a frame, 0 to 180, either way."""
    ends = np.stack([anchors.corners_px[[0, 3]].mean(axis=0), anchors.corners_px[[1, 2]].mean(axis=0)])
    (before,), (now,) = np.diff(ends, axis=0), np.diff(apply(frame_from_reference, ends), axis=0)
    return float(abs(np.degrees(np.arctan2(before[0] * now[1] - before[1] * now[0], before @ now))))


def warp_onto_reference(anchors: Anchors, seen: Picture, box: Box, back: Matrix) -> Picture:
    """Warp a box's evened picture onto the reference, by `back`, reference <- frame; (H, W) as large as that."""
    shift = np.array([[1, 0, box[1].start], [0, 1, box[0].start], [0, 0, 1]], np.float64)
    rows, columns = anchors.grey.shape
    return np.asarray(cv2.warpPerspective(seen, back @ shift, (columns, rows), borderValue=EVEN_LEVEL), np.uint8)


def register_straightened(anchors: Anchors, seen: Picture, box: Box, back: Matrix) -> Registration | None:
    """Register by tracking in the picture once it is warped onto the reference by a guess `back`, reference <- frame.

    None if too few points are found again, or agree, for it to be the board.
    """
    straight = warp_onto_reference(anchors, seen, box, back)
    kept, moved = flow((anchors.grey, straight), anchors.points_px, anchors.points_px, FINE)
    texture = cv2.sqrBoxFilter(straight, cv2.CV_32F, (FINE.side_px, FINE.side_px))
    texture -= np.square(cv2.boxFilter(straight, cv2.CV_32F, (FINE.side_px, FINE.side_px)))
    rows, columns = straight.shape
    at = np.clip(np.round(moved).astype(int), 0, [columns - 1, rows - 1])
    kept &= texture[at[:, 1], at[:, 0]] > LEAST_TEXTURE**2
    if int(kept.sum()) < LEAST_POINTS:
        return None
    target = apply(np.asarray(np.linalg.inv(back), np.float64), moved[kept]).astype(np.float32)
    return registration_from(anchors, anchors.points_px[kept], target)
