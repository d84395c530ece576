"""The board's plane: from image pixels to the board's mm, to the board image, and what height does.

Frames: `image` is a picture's pixels; `board` is mm, x right, y down, origin at the board's top left
corner; `grid` is the pixels of the board image. Height is measured up from the board, towards the camera.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import CornersError

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]

# The scale of the board image. The networks were trained at this scale; 1.95 px/mm was no better and hardly faster.
PX_PER_MM = 2.0
# The margin round the board: a piece at its edge leans outwards in the picture, and should still be seen whole.
MARGIN_MM = 8.0
# Focal lengths in picture widths: 1.05 is a usual webcam or phone (51 degrees across), FOCAL_PRIOR_LOG the standard
# deviation of its logarithm among such cameras.
FALLBACK_FOCAL = 1.05
FOCAL_RANGE = (0.6, 3.0)
FOCAL_PRIOR_LOG = 0.25
# The sine of a corner's angle, its sides taken for as long as the longest: below this it is none.
STRAIGHT = 0.001
# How far off corners are that a finger has touched.
CORNER_ERROR_PX = 2.0
NO_MAP: Any = None
"""Beside a map of both coordinates, for `cv2.remap`: OpenCV 5.0 takes an empty array for a map and reads past its end.

What it reads there are places anywhere; folding one back into the picture (BORDER_REFLECT) then takes for ever.
"""


@dataclass(frozen=True, slots=True)
class Grid:
    """The board image: a constant scale in px per mm, with a margin all round the board."""

    size_mm: tuple[float, float]
    px_per_mm: float = PX_PER_MM
    margin_mm: float = MARGIN_MM

    @property
    def shape(self) -> tuple[int, int]:
        """The board image's (rows, columns)."""
        across, down = (round((side + 2 * self.margin_mm) * self.px_per_mm) for side in self.size_mm)
        return down, across

    @property
    def grid_from_board(self) -> Matrix:
        """The homography (3, 3) from the board's mm to pixels of the board image."""
        scale, shift = self.px_per_mm, self.margin_mm * self.px_per_mm
        return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]], np.float64)

    def px(self, points_mm: npt.ArrayLike) -> Matrix:
        """Return the pixels (N, 2) of the board image that show points (N, 2) of the board in mm."""
        return np.asarray((np.asarray(points_mm).reshape(-1, 2) + self.margin_mm) * self.px_per_mm, np.float64)

    def pixel(self, at_mm: tuple[float, float]) -> tuple[int, int]:
        """Return the whole pixel (x, y) of the board image that shows a point of the board in mm."""
        x, y = (round((value + self.margin_mm) * self.px_per_mm) for value in at_mm)
        return x, y

    def mm(self, points_px: npt.ArrayLike) -> Matrix:
        """Return the points (N, 2) of the board, in mm, at pixels (N, 2) of the board image."""
        return np.asarray(np.asarray(points_px).reshape(-1, 2) / self.px_per_mm - self.margin_mm, np.float64)

    def points_mm(self) -> Floats:
        """Return where the middle of each pixel lies on the board, in mm, (rows, columns, 2)."""
        rows, columns = self.shape
        across, down = np.meshgrid(np.arange(columns), np.arange(rows))
        return (np.dstack([across, down]) / self.px_per_mm - self.margin_mm).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the camera stands over the board: its centre in the board's mm (z is height) and its focal length."""

    centre_mm: tuple[float, float, float]
    focal_px: float

    def up(self, points_mm: npt.ArrayLike, height_mm: float = 0.0) -> Matrix:
        """Return how far points (N, 2), `height_mm` above the board, shift on it per mm of more height, (N, 2)."""
        x, y, z = self.centre_mm
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.asarray((points - np.array([x, y])) / (z - height_mm), np.float64)


def apply(homography: Matrix, points: npt.ArrayLike) -> Matrix:
    """Apply a homography (3, 3) to points (N, 2); return points (N, 2)."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, homography).reshape(-1, 2), np.float64)


def checked_corners(corners_px: npt.ArrayLike, picture_size: tuple[int, int]) -> Matrix:
    """Return the corners TL, TR, BR, BL as (4, 2); CornersError if they can't be a board's in such a picture."""
    corners = np.asarray(corners_px, np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CornersError("four corners x,y are needed: top left, top right, bottom right, bottom left")
    width, height = picture_size
    slack = 0.25 * max(width, height)
    if (corners < -slack).any() or (corners > np.array([width, height]) + slack).any():
        raise CornersError(f"a corner is far outside the picture of {width}x{height} pixels")
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if (turns < 0).all():
        raise CornersError("the corners run the wrong way round: give top left, top right, bottom right, bottom left")
    if (np.abs(turns) <= STRAIGHT * np.abs(sides).max() ** 2).any():
        raise CornersError("the corners don't form a proper quadrilateral: three of them lie in a line")
    if (turns < 0).sum() == 2:
        raise CornersError("the corners don't form a proper quadrilateral: lines between them cross")
    if (turns < 0).any():
        raise CornersError("the corners don't form a proper quadrilateral")
    if cv2.contourArea(corners.astype(np.float32)) < 0.02 * width * height:
        raise CornersError("the corners enclose too small a part of the picture to read a board")
    return corners


def board_corners_mm(size_mm: tuple[float, float]) -> Matrix:
    """Return a board's own corners TL, TR, BR, BL (4, 2), in mm."""
    across, down = size_mm
    return np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float64)


def board_from_image(corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> Matrix:
    """Return the homography (3, 3) from image pixels to board mm, given the corners TL, TR, BR, BL."""
    board = board_corners_mm(size_mm).astype(np.float32)  # OpenCV takes no doubles here
    found = cv2.getPerspectiveTransform(np.asarray(corners_px, np.float32), board)
    return np.asarray(found, np.float64)


def image_from_board(corners_px: npt.ArrayLike, size_mm: tuple[float, float]) -> Matrix:
    """Return the homography (3, 3) from board mm to image pixels: the inverse of `board_from_image`."""
    return np.asarray(np.linalg.inv(board_from_image(corners_px, size_mm)), np.float64)


def lens_shift(points_mm: Matrix, from_image: Matrix, picture_size: tuple[int, int], usual: float) -> Matrix:
    """Return how far a lens with a first radial term of 1 moves points (N, 2) of the board, (N, 2) mm.

    from_image: homography image -> board; picture_size: (width, height), the radius counting in half widths. The slope
    is taken at `usual`, the size of term that lenses have, as it bends with the term.
    """
    middle = (np.array(picture_size) - 1) / 2
    seen = apply(np.asarray(np.linalg.inv(from_image), np.float64), points_mm) - middle
    square = ((seen / (picture_size[0] / 2)) ** 2).sum(axis=1, keepdims=True)
    return (apply(from_image, middle + seen * (1 + usual * square)) - points_mm) / usual


def rectify(picture_bgr: Picture, from_image: Matrix, grid: Grid) -> Picture:
    """Rectify a picture to the board image, (rows, columns, 3) BGR.

    from_image: the picture's homography image -> board mm.
    """
    rows, columns = grid.shape
    grid_from_image = grid.grid_from_board @ from_image
    warped = cv2.warpPerspective(
        picture_bgr, grid_from_image, (columns, rows), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)


def rectification_maps(from_image: Matrix, grid: Grid) -> Maps:
    """Return where in the picture each pixel of the board image comes from, to be used by `rectify_by_maps` repeatedly.

    (rows, columns, 2) int16 and (rows, columns) uint16, in OpenCV's fixed point: whole pixels and 32nds of them.
    """
    rows, columns = grid.shape
    # OpenCV's fixed point (as of cv2.convertMaps): 5 bits of fraction, those of both ways in one number of 10.
    pixels = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    image_from_grid = np.asarray(np.linalg.inv(grid.grid_from_board @ from_image), np.float64)
    fixed = np.rint(apply(image_from_grid, pixels) * 32).astype(np.int32).reshape(rows, columns, 2)
    parts = fixed & 31
    return (fixed >> 5).astype(np.int16), (parts[..., 1] * 32 + parts[..., 0]).astype(np.uint16)


def rectify_by_maps(picture_bgr: Picture, maps: Maps) -> Picture:
    """Rectify a picture to the board image, (rows, columns, 3) BGR, by maps made before: twice as fast as `rectify`."""
    warped = cv2.remap(picture_bgr, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def _centred_homography(from_image: Matrix, picture_size: tuple[int, int]) -> Matrix:
    """Return the homography board -> pixels counted from the picture's middle, scaled by the picture's width."""
    width, height = picture_size
    shift = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]], np.float64)
    centred = np.diag([1 / width, 1 / width, 1.0]) @ shift @ np.linalg.inv(from_image)
    return np.asarray(centred / np.linalg.norm(centred), np.float64)


def _focal_costs(centred_from_board: Sequence[Matrix], focals: Matrix, noise: float) -> Matrix:
    """Return (N,) how badly focal lengths (N,), in picture widths, fit: minus twice their log posterior.

    Seen with the right one, the board's two axes are square and equally long (Zhang 2000, the two constraints).
    """
    costs = (np.log(focals / FALLBACK_FOCAL) / FOCAL_PRIOR_LOG) ** 2
    for centred in centred_from_board:
        axes = np.stack([centred[0, :2] / focals[:, None], centred[1, :2] / focals[:, None]], axis=1)
        axes = np.concatenate([axes, np.broadcast_to(centred[2, :2], (len(focals), 1, 2))], axis=1)
        one, two = np.linalg.norm(axes, axis=1).T
        square, equal = (axes[..., 0] * axes[..., 1]).sum(axis=1) / (one * two), np.log(one / two)
        costs = costs + (square**2 + equal**2) / noise**2
    return np.asarray(costs, np.float64)


def focal_of(from_images: Sequence[Matrix], picture_size: tuple[int, int]) -> float:
    """Return a camera's focal length in pixels: square pixels, principal point in the middle (Zhang 2000).

    from_images: how one camera sees the board, homographies image -> board mm, from one place or from several. A board
    seen from straight above says nothing of the focal length, so the two constraints are weighed (by what corners that
    are off by 2 px do to them) against what cameras usually have.
    """
    centred = [_centred_homography(from_image, picture_size) for from_image in from_images]
    noise = 2 * CORNER_ERROR_PX / picture_size[0]
    focals = np.geomspace(*FOCAL_RANGE, 120)  # steps of 1.4 %: finer than touched corners can tell
    return float(focals[int(np.argmin(_focal_costs(centred, focals, noise)))]) * picture_size[0]


def camera_of(from_image: Matrix, picture_size: tuple[int, int], *also: Matrix) -> Camera:
    """Return where the camera stands that sees the board so, and its focal length.

    from_image: the homography image -> board mm; picture_size: (width, height); also: such homographies of the same
    camera in other places, which tell of its focal length too.
    """
    focal = focal_of((from_image, *also), picture_size)
    width = picture_size[0]
    seen = np.diag([width / focal, width / focal, 1.0]) @ _centred_homography(from_image, picture_size)
    scale = math.sqrt(float(np.linalg.norm(seen[:, 0]) * np.linalg.norm(seen[:, 1])))
    seen = seen / scale * (1.0 if seen[2, 2] > 0 else -1.0)  # the board lies before the camera, not behind it
    # The nearest rotation: two columns of a homography that was measured are never quite square.
    turned, _, back = np.linalg.svd(seen[:, :2], full_matrices=False)
    axes = turned @ back
    normal = np.cross(axes[:, 0], axes[:, 1])
    rotation = np.column_stack([axes, normal])
    x, y, depth = -rotation.T @ seen[:, 2]
    return Camera((float(x), float(y), abs(float(depth))), focal)


def up_field(camera: Camera, grid: Grid) -> Floats:
    """Return the shift on the board in mm (x, y) per mm of height at each pixel, (rows, columns, 2)."""
    points = grid.points_mm()
    return camera.up(points).reshape(points.shape).astype(np.float32)
