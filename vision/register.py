"""Where the board lies in a frame now, found against the reference picture.

Points of the printed board are tracked from the reference to the frame (Lucas-Kanade in pyramids, on pictures
whose local brightness and contrast were evened out), and a homography is fitted that most of them agree on;
pieces, hands and cards only make some points disagree. Where tracking fails, as the board moved far,
ORB features give a first guess and tracking starts again from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Mask, Matrix, Picture, apply

POINTS = 500
POINT_DISTANCE_PX = 10
EVEN_WINDOW_PX = 31
TRACK_WINDOW = (17, 17)
TRACK_LEVELS = 4
TRACK_ERROR = 40.0
STILL_WINDOW = (13, 13)
STILL_MAJORITY = 0.5
STILL_DRIFT = 0.9
AGREE_PX = 1.5
ROUGH_AGREE_PX = 4.0
STILL_PX = 0.5
STILL_WIDTH_PX = 640
STILL_POINTS = 160
STILL_SHARE = 0.4
LEAST_POINTS = 20
LEAST_SHARE = 0.15
LEAST_SPREAD = 0.12


@dataclass(frozen=True, slots=True)
class Anchors:
    """What the reference gives to track: its evened grey picture, points on the board, and the board's outline.

    small, small_points_px: the same of a smaller picture, to see at little cost that a camera stood still.
    """

    grey: Picture
    points_px: Floats
    corners_px: Matrix
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


def evened(picture_bgr: Picture) -> Picture:
    """Grey picture (H, W) with local brightness and contrast evened out, so that lamps and shadows matter little."""
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    window = (EVEN_WINDOW_PX, EVEN_WINDOW_PX)
    mean = cv2.blur(grey, window)
    variance = cv2.blur(grey * grey, window) - mean * mean
    contrast = np.sqrt(np.maximum(variance, 0)) + 6.0
    return np.asarray(np.clip(128 + 45 * (grey - mean) / contrast, 0, 255), np.uint8)


def _smaller(picture_bgr: Picture) -> tuple[Picture, float]:
    """The picture, not wider than STILL_WIDTH_PX, and by how much it was shrunk."""
    scale = min(1.0, STILL_WIDTH_PX / picture_bgr.shape[1])
    small = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale


def anchors_of(reference_bgr: Picture, corners_px: Matrix) -> Anchors:
    """Points to track, spread over the board in the reference."""
    corners = np.asarray(corners_px, np.float64)
    grey, (little, scale) = evened(reference_bgr), _smaller(reference_bgr)
    small = evened(little)
    points = _points(grey, corners, POINTS)
    return Anchors(grey, points, corners, small, _points(small, corners * scale, STILL_POINTS))


def _points(grey: Picture, corners_px: Matrix, most: int) -> Floats:
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px).astype(np.int32), 255)
    found: Any = cv2.goodFeaturesToTrack(grey, most, 0.02, POINT_DISTANCE_PX, mask=mask, blockSize=7)
    return np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2).astype(np.float32)


def _track(anchors: Anchors, grey: Picture, guess: Matrix, levels: int) -> tuple[Floats, Floats]:
    """Points of the reference, and where they are in the frame, starting from a guess frame <- reference."""
    start = apply(guess, anchors.points_px).astype(np.float32).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    moved, found, error = cv2.calcOpticalFlowPyrLK(
        anchors.grey,
        grey,
        anchors.points_px.reshape(-1, 1, 2),
        start,
        winSize=TRACK_WINDOW,
        maxLevel=levels,
        criteria=criteria,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    kept = (found.ravel() == 1) & (error.ravel() < TRACK_ERROR)
    return anchors.points_px[kept], moved.reshape(-1, 2)[kept].astype(np.float32)


def _agreed(source: Floats, target: Floats, agree_px: float) -> tuple[Matrix, Mask] | None:
    """Homography target <- source that most pairs agree on, and which do; None without enough of them."""
    if len(source) < 8:
        return None
    cv2.setRNGSeed(7)
    fitted: tuple[Matrix | None, Mask | None] = cv2.findHomography(  # type: ignore[assignment]  # may find nothing
        source, target, cv2.USAC_MAGSAC, agree_px, maxIters=2000, confidence=0.999
    )
    homography, inliers = fitted
    if homography is None or inliers is None or int(inliers.sum()) < 8 or not _sane(homography):
        return None
    return np.asarray(homography, np.float64), inliers.ravel().astype(bool)


def _sane(homography: Matrix) -> bool:
    """Whether a homography between two pictures of one table is no mirror and no collapse."""
    size = float(np.linalg.det(homography[:2, :2] / homography[2, 2]))
    return 0.25 < size < 4.0


def _orb_guess(anchors: Anchors, grey: Picture) -> Matrix | None:
    """A first guess frame <- reference from ORB features, for a board that moved too far to be tracked."""
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
    agreed = _agreed(source, target, ROUGH_AGREE_PX)
    if agreed is None or int(agreed[1].sum()) < 15:
        return None
    return agreed[0]


def _rough_guess(anchors: Anchors, grey: Picture) -> Matrix | None:
    source, target = _track(anchors, grey, np.eye(3), TRACK_LEVELS)
    agreed = _agreed(source, target, ROUGH_AGREE_PX)
    if agreed is not None and int(agreed[1].sum()) >= max(LEAST_POINTS, 0.3 * len(anchors.points_px)):
        return agreed[0]
    far = _orb_guess(anchors, grey)
    if far is not None:
        return far
    return None if agreed is None else agreed[0]


def _measured(anchors: Anchors, source: Floats, target: Floats) -> Registration | None:
    """The registration that tracked pairs (reference, frame) amount to."""
    agreed = _agreed(source, target, AGREE_PX)
    if agreed is None:
        return None
    frame_from_reference, kept = agreed
    back = np.asarray(np.linalg.inv(frame_from_reference), np.float64)
    gaps = apply(back, target[kept]) - source[kept]
    hull = cv2.contourArea(cv2.convexHull(source[kept])) / cv2.contourArea(anchors.corners_px.astype(np.float32))
    shift = np.abs(apply(frame_from_reference, anchors.corners_px) - anchors.corners_px).max()
    error = float(np.sqrt((gaps**2).sum(axis=1).mean()))
    share = float(kept.sum()) / max(len(anchors.points_px), 1)
    return Registration(back / back[2, 2], share, float(hull), error, int(kept.sum()), bool(shift < STILL_PX))


def _still(anchors: Anchors, frame_bgr: Picture) -> Registration | None:
    """The registration of a frame from a camera that did not move, or None: most points stayed, none with another."""
    count = len(anchors.small_points_px)
    if count < LEAST_POINTS:
        return None
    (little, scale), points = _smaller(frame_bgr), anchors.small_points_px.reshape(-1, 1, 2)
    found, moved, error = _flow(anchors.small, evened(little), points)
    stayed = np.hypot(*(moved - points.reshape(-1, 2)).T) < STILL_PX * scale
    tracked = found & (error < TRACK_ERROR)
    share = float((tracked & stayed).sum()) / count
    if share < STILL_SHARE or share < STILL_MAJORITY * float(tracked.sum()) / count:
        return None
    shift = np.median((moved - points.reshape(-1, 2))[tracked & stayed], axis=0)
    if float(np.abs(shift).max()) > STILL_DRIFT * STILL_PX * scale:
        return None
    return Registration(np.eye(3), share, 1.0, float(np.abs(shift).max()), int((tracked & stayed).sum()), True)


def _flow(grey: Picture, later: Picture, points: Floats) -> tuple[Mask, Floats, Floats]:
    """Which points (N, 1, 2) were found again near their old place, where (N, 2), and by what difference (N,)."""
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
    moved, found, error = cv2.calcOpticalFlowPyrLK(
        grey, later, points, points.copy(), winSize=STILL_WINDOW, maxLevel=0, criteria=criteria,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )  # fmt: skip
    kept, apart = np.asarray(found.ravel() == 1, np.bool_), np.asarray(error.ravel(), np.float32)
    return kept, np.asarray(moved.reshape(-1, 2), np.float32), apart


def register(anchors: Anchors, frame_bgr: Picture) -> Registration | None:
    """How a frame (same size as the reference) lies to the reference; None where nothing agrees."""
    if len(anchors.points_px) < LEAST_POINTS:
        return None
    still = _still(anchors, frame_bgr)
    if still is not None:
        return still
    grey = evened(frame_bgr)
    guess = _rough_guess(anchors, grey)
    if guess is None:
        return None
    return _measured(anchors, *_track(anchors, grey, guess, 1))
