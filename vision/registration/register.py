"""Where the board lies in a frame now, found against the reference picture.

Points of the printed board are tracked from the reference to the frame (Lucas-Kanade in pyramids, on pictures
whose local brightness and contrast were evened out), first on a small picture, then on the whole one. A homography
is fitted that most of them agree on, then by least squares to those that lie close to it; pieces, hands and cards only
make some points disagree. Where tracking fails, as the board moved far, ORB features give a first guess and tracking
starts again from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Matrix, Picture, apply

# Points to track on the reference, and how far apart they are at least.
POINTS = 300
POINT_DISTANCE_PX = 10
# Round the board's outline in the reference: a nudged board is still in that part of a frame.
ROOM_PX = 64
# Of the square whose brightness and contrast are evened: some 10 mm of a board that fills a picture of 1280 px.
EVEN_WINDOW_PX = 31
EVEN_LEVEL = 127.5
# OpenCV's error of a tracked point, the mean difference of grey levels in its window: above, it is not the same place.
TRACK_ERROR = 40.0
# MAGSAC's threshold for an inlier; then that of the least squares fits, and how many of them.
AGREE_PX = 1.5
CLOSE_PX = 0.7
CLOSER_ROUNDS = 3
# The same for a first guess, and the share of points that have to be inliers of it.
ROUGH_AGREE_PX = 4.0
ROUGH_SHARE = 0.3
# A camera that stood still: on a small picture so many points are tracked, and of all of them, and of those that were
# found again, so many lie where they lay. Their median drift may be 0.9 of what counts as still for one point.
STILL_PX = 0.5
STILL_WIDTH_PX = 640
STILL_POINTS = 160
STILL_SHARE = 0.4
STILL_MAJORITY = 0.5
STILL_DRIFT = 0.9
# Of a board that is turned further, or that matches worse, points are tracked again on a picture turned as the
# reference is: windows turned to one another match badly. The board then matches to within 0.3 px, a wrinkled or bowed
# one to within 0.45, at half of its points in sight at least. Lines and hexes of a mirrored board or of another one
# match, too, but not so well: 0.66 px at best, at a third of the points, or 0.74 where all lines are alike.
STRAIGHT_DEG, ROUGH_ERROR_PX = 3.0, 0.5
MOST_ERROR_PX, FEW_ERROR_PX, FEW = 0.65, 0.55, 0.4
# Of an evened picture's grey levels about a point, their deviation there: on plain ground nothing can be tracked, but
# what isn't tracked stays where it was looked for.
LEAST_TEXTURE = 15.0
# Where fewer points agree near where the board lay, it is looked for everywhere as well: hexes lie on hexes there.
CLEAR_SHARE = 0.5
# A board that is turned further isn't read: its pieces are seen from another side than those of the start.
MOST_TURN_DEG = 45.0
# What a registration needs to be built on: inliers, their share, and the part of the board that their hull covers. A
# few points in one corner would fix the far corner badly.
LEAST_POINTS = 20
LEAST_SHARE = 0.15
LEAST_SPREAD = 0.12

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
    error_px: root mean square distance of the agreeing points.
    """

    reference_from_frame: Matrix
    share: float
    spread: float
    error_px: float
    points: int
    still: bool

    @property
    def good(self) -> bool:
        """Whether the registration can be built on."""
        return self.points >= LEAST_POINTS and self.share >= LEAST_SHARE and self.spread >= LEAST_SPREAD


def even_contrast(picture_bgr: Picture) -> Picture:
    """Return a grey picture (H, W) with local brightness and contrast evened out.

    Lamps and shadows matter little then.
    """
    grey, window = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), (EVEN_WINDOW_PX, EVEN_WINDOW_PX)
    mean = np.asarray(cv2.boxFilter(grey, cv2.CV_32F, window), np.float32)
    spread = np.asarray(cv2.sqrBoxFilter(grey, cv2.CV_32F, window), np.float32)
    spread -= mean * mean
    np.sqrt(np.maximum(spread, 0, out=spread), out=spread)
    spread += np.float32(6)  # grey levels: on plain ground noise would be raised to a pattern otherwise
    above = cv2.divide(cv2.subtract(grey, mean, dst=mean, dtype=cv2.CV_32F), spread, dst=mean)
    return np.asarray(cv2.addWeighted(above, 45, above, 0, EVEN_LEVEL, dtype=cv2.CV_8U), np.uint8)


def _smaller(frame_bgr: Picture, box: Box) -> tuple[Picture, float]:
    """Shrink a part of a picture as if the whole were to be STILL_WIDTH_PX wide at most; return it and its scale."""
    scale = min(1.0, STILL_WIDTH_PX / frame_bgr.shape[1])
    small = cv2.resize(frame_bgr[box], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def _box(corners_px: Matrix, shape: tuple[int, ...]) -> Box:
    """Return the part of a picture of this (rows, columns, ...) that holds the board, with room for it to be nudged."""
    (left, top), (right, bottom) = corners_px.min(axis=0) - ROOM_PX, corners_px.max(axis=0) + ROOM_PX
    return slice(max(int(top), 0), min(int(bottom), shape[0])), slice(max(int(left), 0), min(int(right), shape[1]))


def anchors_of(reference_bgr: Picture, corners_px: Matrix) -> Anchors:
    """Choose points to track, spread over the board in the reference."""
    corners = np.asarray(corners_px, np.float64)
    box, grey = _box(corners, reference_bgr.shape), even_contrast(reference_bgr)
    little, scale = _smaller(reference_bgr, box)
    small = even_contrast(little)
    in_small = (corners - _origin(box)) * scale
    return Anchors(grey, _points(grey, corners, POINTS), corners, box, small, _points(small, in_small, STILL_POINTS))


def _origin(box: Box) -> Matrix:
    """Return (2,) pixel x, y of a box's top left corner."""
    return np.array([box[1].start, box[0].start], np.float64)


def _points(grey: Picture, corners_px: Matrix, most: int) -> Floats:
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px).astype(np.int32), 255)
    found: Any = cv2.goodFeaturesToTrack(grey, most, 0.02, POINT_DISTANCE_PX, mask=mask, blockSize=7)
    return np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2).astype(np.float32)


def _flow(pictures: tuple[Picture, Picture], points: Floats, start: Floats, steps: Steps) -> tuple[Mask, Floats]:
    """Return which points (N, 2) of the first picture are found in the second, and where (N, 2).

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


def _track(anchors: Anchors, grey: Picture, guess: Matrix, how: tuple[Box, Steps]) -> tuple[Floats, Floats]:
    """Return points of the reference, and where they are in the frame, starting from a guess frame <- reference.

    grey: the frame's evened picture of a box; how: that box, and how to track.
    """
    box, steps = how
    origin = _origin(box).astype(np.float32)
    start = (apply(guess, anchors.points_px) - origin).astype(np.float32)
    kept, moved = _flow((anchors.grey[box], grey), anchors.points_px - origin, start, steps)
    return anchors.points_px[kept], moved[kept] + origin


def _robust_homography(source: Floats, target: Floats, agree_px: float) -> tuple[Matrix, Mask] | None:
    """Return the homography target <- source that most pairs agree on, and which do; None without enough of them."""
    if len(source) < 8:
        return None
    cv2.setRNGSeed(7)  # a sample consensus draws by chance: the same frame should give the same reading
    fitted: tuple[Matrix | None, Mask | None] = cv2.findHomography(  # type: ignore[assignment]  # may find nothing
        source, target, cv2.USAC_MAGSAC, agree_px, maxIters=2000, confidence=0.999
    )
    homography, inliers = fitted
    if homography is None or inliers is None or int(inliers.sum()) < 8:
        return None
    size = float(np.linalg.det(homography[:2, :2] / homography[2, 2]))
    if not 0.25 < size < 4.0:  # between two pictures of one table: no mirror and no collapse
        return None
    return np.asarray(homography, np.float64), inliers.ravel().astype(bool)


def guess_by_features(anchors: Anchors, grey: Picture) -> Matrix | None:
    """Guess frame <- reference by ORB features, for a board that moved too far to be tracked."""
    orb = cv2.ORB.create(nfeatures=2500)
    mask = np.zeros(anchors.grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(anchors.corners_px).astype(np.int32), 255)
    found: Any = orb.detectAndCompute(anchors.grey, mask), orb.detectAndCompute(grey, None)
    (keys, words), (frame_keys, frame_words) = found
    if words is None or frame_words is None or len(frame_keys) < 8:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words, frame_words)
    source = np.array([keys[pair.queryIdx].pt for pair in pairs], np.float32).reshape(-1, 2)
    target = np.array([frame_keys[pair.trainIdx].pt for pair in pairs], np.float32).reshape(-1, 2)
    agreed = _robust_homography(source, target, ROUGH_AGREE_PX)
    if agreed is None or int(agreed[1].sum()) < 15:
        return None
    return agreed[0]


def _near_guess(anchors: Anchors, small: Picture, scale: float) -> Matrix | None:
    """Guess frame <- reference by the small pictures; None if too few points agree."""
    points = anchors.small_points_px
    kept, moved = _flow((anchors.small, small), points, points, NEAR)
    agreed = _robust_homography(points[kept], moved[kept], ROUGH_AGREE_PX * scale)
    if agreed is None or int(agreed[1].sum()) < max(LEAST_POINTS, ROUGH_SHARE * len(points)):
        return None
    x, y = _origin(anchors.box)
    small_from_whole = np.array([[scale, 0, -x * scale], [0, scale, -y * scale], [0, 0, 1]])
    return np.asarray(np.linalg.inv(small_from_whole) @ agreed[0] @ small_from_whole, np.float64)


def _far_guess(anchors: Anchors, grey: Picture) -> Matrix | None:
    """Guess frame <- reference by points tracked in the whole evened picture; None if too few agree."""
    whole = slice(0, grey.shape[0]), slice(0, grey.shape[1])
    agreed = _robust_homography(*_track(anchors, grey, np.eye(3), (whole, FAR)), ROUGH_AGREE_PX)
    if agreed is None or int(agreed[1].sum()) < max(LEAST_POINTS, ROUGH_SHARE * len(anchors.points_px)):
        return None
    return agreed[0]


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


def _registration_from(anchors: Anchors, source: Floats, target: Floats) -> Registration | None:
    """Return the registration that tracked pairs (reference, frame) amount to; None if they do not agree."""
    agreed = _robust_homography(source, target, AGREE_PX)
    if agreed is None:
        return None
    rough, kept = agreed
    frame_from_reference = _refine_homography(rough, source[kept], target[kept])
    try:
        back = np.asarray(np.linalg.inv(frame_from_reference), np.float64)
    except np.linalg.LinAlgError:  # all points on one line: nothing that a camera sees of a board
        return None
    gaps = apply(back, target[kept]) - source[kept]
    hull = cv2.contourArea(cv2.convexHull(source[kept])) / cv2.contourArea(anchors.corners_px.astype(np.float32))
    shift = np.abs(apply(frame_from_reference, anchors.corners_px) - anchors.corners_px).max()
    error = float(np.sqrt((gaps**2).sum(axis=1).mean()))
    share = float(kept.sum()) / max(len(anchors.points_px), 1)
    return Registration(back / back[2, 2], share, float(hull), error, int(kept.sum()), bool(shift < STILL_PX))


def turn_deg(anchors: Anchors, frame_from_reference: Matrix) -> float:
    """Return by how much a board is turned in a frame, 0 to 180 degrees."""
    ends = np.stack([anchors.corners_px[[0, 3]].mean(axis=0), anchors.corners_px[[1, 2]].mean(axis=0)])
    (before,), (now,) = np.diff(ends, axis=0), np.diff(apply(frame_from_reference, ends), axis=0)
    return float(abs(np.degrees(np.arctan2(before[0] * now[1] - before[1] * now[0], before @ now))))


def _registered(anchors: Anchors, seen: Picture, box: Box, guess: Matrix) -> Registration | None:
    """Register from a guess frame <- reference; None if it isn't the board, or is turned too far.

    seen: the frame's evened picture of a box.
    """
    if turn_deg(anchors, guess) > MOST_TURN_DEG:
        return None
    found = _registration_from(anchors, *_track(anchors, seen, guess, (box, FINE)))
    if found is None or (found.error_px <= ROUGH_ERROR_PX and turn_deg(anchors, guess) < STRAIGHT_DEG):
        return found
    return registered_straight(anchors, seen, box, found.reference_from_frame)


def registered_straight(anchors: Anchors, seen: Picture, box: Box, back: Matrix) -> Registration | None:
    """Register by tracking on the picture laid over the reference by a guess reference <- frame, `back`.

    None where so much is amiss then that it isn't the board.
    """
    shift = np.array([[1, 0, box[1].start], [0, 1, box[0].start], [0, 0, 1]], np.float64)
    rows, columns = anchors.grey.shape
    straight = np.asarray(cv2.warpPerspective(seen, back @ shift, (columns, rows), borderValue=EVEN_LEVEL), np.uint8)
    kept, moved = _flow((anchors.grey, straight), anchors.points_px, anchors.points_px, FINE)
    texture = cv2.sqrBoxFilter(straight, cv2.CV_32F, (FINE.side_px, FINE.side_px))
    texture -= np.square(cv2.boxFilter(straight, cv2.CV_32F, (FINE.side_px, FINE.side_px)))
    at = np.clip(np.round(moved).astype(int), 0, [columns - 1, rows - 1])
    kept &= texture[at[:, 1], at[:, 0]] > LEAST_TEXTURE**2
    if int(kept.sum()) < LEAST_POINTS:
        return None
    target = apply(np.asarray(np.linalg.inv(back), np.float64), moved[kept]).astype(np.float32)
    found = _registration_from(anchors, anchors.points_px[kept], target)
    if found is None or found.error_px > (MOST_ERROR_PX if found.share > FEW else FEW_ERROR_PX):
        return None
    return found


def _still(anchors: Anchors, small: Picture, scale: float) -> Registration | None:
    """Register a frame from a camera that did not move; None unless most points stayed where they were."""
    points = anchors.small_points_px
    count = len(points)
    if count < LEAST_POINTS:
        return None
    tracked, moved = _flow((anchors.small, small), points, points, HERE)
    stayed = tracked & (np.hypot(*(moved - points).T) < STILL_PX * scale)
    share = float(stayed.sum()) / count
    if share < STILL_SHARE or share < STILL_MAJORITY * float(tracked.sum()) / count:
        return None
    shift = np.median((moved - points)[stayed], axis=0)
    if float(np.abs(shift).max()) > STILL_DRIFT * STILL_PX * scale:
        return None
    return Registration(np.eye(3), share, 1.0, float(np.abs(shift).max()), int(stayed.sum()), True)


def register(anchors: Anchors, frame_bgr: Picture) -> Registration | None:
    """Return how a frame (same size as the reference) lies to the reference; None if nothing agrees."""
    if len(anchors.points_px) < LEAST_POINTS:
        return None
    little, scale = _smaller(frame_bgr, anchors.box)
    small = even_contrast(little)
    still = _still(anchors, small, scale)
    if still is not None:
        return still
    guess = _near_guess(anchors, small, scale)
    near = None if guess is None else _registered(anchors, even_contrast(frame_bgr[anchors.box]), anchors.box, guess)
    if near is not None and near.share >= CLEAR_SHARE:
        return near
    seen, whole = even_contrast(frame_bgr), (slice(0, frame_bgr.shape[0]), slice(0, frame_bgr.shape[1]))
    best = near
    for guessed in (_far_guess, guess_by_features):
        guess = guessed(anchors, seen)
        found = None if guess is None else _registered(anchors, seen, whole, guess)
        best = max((one for one in (best, found) if one is not None), key=lambda one: one.share, default=None)
        if best is not None and best.share >= CLEAR_SHARE:
            break
    return best
