"""The camera over a marked table: fitted to the markers in its corners, lens and all; from table to picture and back.

A pinhole with square pixels, its axis in the picture's middle, and one radial term (Hartley and Zisserman, chapters 7
and 8; Zhang 2000). With it a part of the table is laid out flat, as if seen from straight above: all markers of one
height have one size there. Lengths are in base widths, see `table`.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.bases.markers import Grey, Points
from vision.geometry import NO_MAP, Floats

USUAL_FOCAL, FOCAL_SPREAD, RADIAL_SPREAD = 1.0, 0.35, 0.15
"""What cameras usually have: focal length in picture widths, the spread of its logarithm, that of the radial term."""
CORNER_NOISE_PX = 0.25
"""How exactly a marker's corner is found."""
LAID = 0.012
"""How far, in base widths, people lay a corner marker beside its place at least: half a millimetre for 40 mm bases."""
STEPS = 25  # of Levenberg and Marquardt at most
PARAMETERS = 8
STRIDE = 8
"""Between how many px the frame's pixels are reckoned exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class TableCamera:
    """values (8,): log focal in picture widths, radial term, rotation vector, shift. spread (8, 8): covariance.

    misfit_px: how far the markers' corners are from where it sees them (root of the mean square). rival: the camera by
    all of these markers but one, without which they fit best.
    """

    values: Points
    size_px: tuple[int, int]
    spread: Points
    misfit_px: float = 0.0
    rival: TableCamera | None = None

    @property
    def focal_px(self) -> float:
        """The focal length, in pixels."""
        return float(np.exp(self.values[0])) * self.size_px[0]

    @property
    def rotation(self) -> Points:
        """The rotation (3, 3) from the table's axes to the camera's right, down and forward."""
        return np.asarray(cv2.Rodrigues(self.values[2:5])[0], np.float64)

    @property
    def centre(self) -> Points:
        """The place (3,) of the lens over the table."""
        return np.asarray(-self.rotation.T @ self.values[5:8], np.float64)

    def px(self, points: npt.ArrayLike, up: float = 0.0) -> Points:
        """Return the pixels (N, 2) that show places (N, 2) on the table at height `up`."""
        return project(self.values, self.size_px, points, up)

    def table(self, pixels: npt.ArrayLike, up: float = 0.0) -> Points:
        """Return the places (N, 2) on the table at height `up` that pixels (N, 2) show."""
        bent = (np.asarray(pixels, np.float64) - _middle(self.size_px)) / self.focal_px
        flat = bent
        for _ in range(12):  # the radial term has no inverse that can be written down: a fixed point instead
            flat = bent / (1 + self.values[1] * (flat[:, :1] ** 2 + flat[:, 1:] ** 2))
        rays = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) @ self.rotation
        centre = self.centre
        reach = (up - centre[2]) / rays[:, 2:]
        return np.asarray(centre[:2] + rays[:, :2] * reach, np.float64)

    def standard_error(self, places: Points, up: float) -> Points:
        """Return how far off, (N,), the fit may be at places (N, 2): one standard deviation along the worse axis."""
        pixels = self.px(places, up)
        others = [TableCamera(_with_step(self.values, n), self.size_px, self.spread) for n in range(PARAMETERS)]
        slopes = np.stack([other.table(pixels, up) - places for other in others], axis=2) / SLOPE
        each = np.einsum("nip,pq,niq->ni", slopes, self.spread, slopes)
        return np.asarray(np.sqrt(np.maximum(each, 0.0).max(axis=1)), np.float64)

    def rival_distance(self, places: Points, up: float) -> Points:
        """Return how far apart, (N,), this camera and its rival see places (N, 2); 0 everywhere without a rival.

        The rival is fitted without one of the markers: this is what one marker astray may have done to the places.
        """
        if self.rival is None:
            return np.zeros(len(places))
        there = self.rival.table(self.px(places, up), up)
        return np.asarray(np.linalg.norm(there - places, axis=1), np.float64)

    def parallax(self, places: Points, up: float) -> Points:
        """Return how far things at places (N, 2) and height `up` seem to move, (N,), per base width of extra height."""
        centre = self.centre
        return np.asarray(np.linalg.norm(places - centre[:2], axis=1) / (centre[2] - up), np.float64)


SLOPE = 1e-5


def _with_step(values: Points, parameter: int) -> Points:
    moved = values.copy()
    moved[parameter] += SLOPE
    return moved


def _middle(size_px: tuple[int, int]) -> Points:
    return (np.array(size_px, np.float64) - 1) / 2


def project(values: Points, size_px: tuple[int, int], points: npt.ArrayLike, up: float = 0.0) -> Points:
    """Project (N, 2) places at height `up` to (N, 2) pixels, seen with a camera of these values."""
    flat = np.asarray(points, np.float64)
    rotation = np.asarray(cv2.Rodrigues(values[2:5])[0], np.float64)
    seen = flat @ rotation[:, :2].T + (rotation[:, 2] * up + values[5:8])
    level = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6)
    bent = level * (1 + values[1] * (level**2).sum(axis=1, keepdims=True))
    return np.asarray(_middle(size_px) + np.exp(values[0]) * size_px[0] * bent, np.float64)


def fit_camera(places: Points, pixels: Points, size_px: tuple[int, int], start: Points | None = None) -> TableCamera:
    """Fit the camera that sees places (N, 2) of the table at pixels (N, 2), by damped least squares from a guess."""
    values = first_guess(places, pixels, size_px) if start is None else start
    # Levenberg and Marquardt: the damping falls while steps help, and grows where one does not.
    damping, cost = 1e-3, _cost(values, places, pixels, size_px)
    for _ in range(STEPS):
        slopes, off = _jacobian(values, places, pixels, size_px)
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), slopes.T @ off)
        tried = values - step
        better = _cost(tried, places, pixels, size_px)
        if better < cost:
            done = cost - better < 1e-9 * cost
            values, cost, damping = tried, better, damping * 0.2
            if done:
                break
        else:
            damping *= 8
    slopes, off = _jacobian(values, places, pixels, size_px)
    spread = np.linalg.inv(slopes.T @ slopes) + _placement_covariance(values, places, size_px, (slopes, off))
    misfit_px = float(np.sqrt(np.mean(off[:-2] ** 2))) * CORNER_NOISE_PX
    return TableCamera(values, size_px, np.asarray(spread, np.float64), misfit_px)


def _placement_covariance(
    values: Points, places: Points, size_px: tuple[int, int], fit: tuple[Points, Points]
) -> Points:
    """Return the (8, 8) covariance that comes of people laying markers a little beside their places.

    That is LAID, or what the misses speak for where that is more. A marker laid astray moves all its four corners
    together, and the fit bends after it: of what is astray most is not to be seen in the misses.
    """
    slopes, off = fit
    seen = project(values, size_px, places)
    moves = np.zeros((len(off), len(places) // 2))
    for n in range(moves.shape[1]):
        moved = places.copy()
        marker, axis = divmod(n, 2)
        moved[4 * marker : 4 * marker + 4, axis] += SLOPE
        moves[:-2, n] = (project(values, size_px, moved) - seen).ravel() / (SLOPE * CORNER_NOISE_PX)
    taken_in = np.linalg.pinv(slopes) @ moves
    left = moves - slopes @ taken_in
    beyond = max(0.0, float(off @ off) - len(off) + PARAMETERS)
    variance = max(LAID**2, beyond / max(1e-12, float((left**2).sum())))
    return np.asarray(taken_in @ taken_in.T * variance, np.float64)


def _residuals(values: Points, places: Points, pixels: Points, size_px: tuple[int, int]) -> Points:
    """Return the (2 N + 2,) residuals that the fit makes small.

    Misses in px by their noise, and how unusual the lens is.
    """
    off = (project(values, size_px, places) - pixels) / CORNER_NOISE_PX
    usual = [(values[0] - np.log(USUAL_FOCAL)) / FOCAL_SPREAD, values[1] / RADIAL_SPREAD]
    return np.concatenate([off.ravel(), usual])


def _cost(values: Points, places: Points, pixels: Points, size_px: tuple[int, int]) -> float:
    off = _residuals(values, places, pixels, size_px)
    return float(off @ off)


def _jacobian(values: Points, places: Points, pixels: Points, size_px: tuple[int, int]) -> tuple[Points, Points]:
    """Return the slopes (M, 8) of the residuals by the camera's values, and the residuals (M,)."""
    off = _residuals(values, places, pixels, size_px)
    moved = [(_residuals(_with_step(values, n), places, pixels, size_px) - off) / SLOPE for n in range(PARAMETERS)]
    return np.stack(moved, axis=1), off


def first_guess(places: Points, pixels: Points, size_px: tuple[int, int]) -> Points:
    """Guess camera values (8,) without lens distortion, from the homography of the plane (Zhang 2000)."""
    found, _used = cv2.findHomography(places, pixels - _middle(size_px), 0)
    image_from_table = np.asarray(found, np.float64)
    focal = _focal(image_from_table, USUAL_FOCAL * size_px[0])
    columns = np.diag([1 / focal, 1 / focal, 1.0]) @ image_from_table
    columns *= 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
    if columns[2] @ np.append(places.mean(axis=0), 1.0) < 0:  # the table lies before the camera
        columns = -columns
    right, ahead, shift = columns.T
    turned, _stretch, back = np.linalg.svd(np.stack([right, ahead, np.cross(right, ahead)], axis=1))
    rotation = cv2.Rodrigues(turned @ back)[0].ravel()
    return np.concatenate([[np.log(focal / size_px[0]), 0.0], rotation, shift])


def _focal(image_from_table: Points, usual_px: float) -> float:
    """Return the focal length in px that makes the table's axes square and equally long; the usual one if none does."""
    one, other = image_from_table[:, 0], image_from_table[:, 1]
    across = one[0] * other[0] + one[1] * other[1], one[2] * other[2]
    along = (one[0] ** 2 + one[1] ** 2) - (other[0] ** 2 + other[1] ** 2), one[2] ** 2 - other[2] ** 2
    weight = across[1] ** 2 + along[1] ** 2
    squared = -(across[0] * across[1] + along[0] * along[1]) / weight if weight > 0 else 0.0
    if not (0.5 * usual_px) ** 2 < squared < (3 * usual_px) ** 2:
        return usual_px
    return float(squared**0.5)


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """A part of the table, rectified at the height `up`.

    up, box: in base widths, `box` as left, near, right, far; scale: px per base width.
    """

    camera: TableCamera
    up: float
    scale: float
    box: tuple[float, float, float, float]

    def rectify(self, grey: Grey) -> Floats:
        """Rectify the (H, W) picture: return the flat picture (rows, columns) float32."""
        left, near, right, far = self.box
        columns, rows = round((right - left) * self.scale), round((far - near) * self.scale)
        where = self._seen_at(columns, rows)
        seen = cv2.remap(grey, where, NO_MAP, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)

    def _seen_at(self, columns: int, rows: int) -> Floats:
        """Return (rows, columns, 2) the frame's pixel of each flat pixel.

        Reckoned between the middles of small cells.
        """
        across, down = (np.arange(-1, -(-count // STRIDE) + 1) for count in (columns, rows))
        xs, ys = np.meshgrid((across + 0.5) * STRIDE - 0.5, (down + 0.5) * STRIDE - 0.5)
        coarse = self.camera.px(self.places(np.stack([xs.ravel(), ys.ravel()], axis=1)), self.up)
        size = (len(across) * STRIDE, len(down) * STRIDE)
        full = cv2.resize(coarse.reshape(*xs.shape, 2).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(full[STRIDE : STRIDE + rows, STRIDE : STRIDE + columns], np.float32)

    def places(self, pixels: npt.ArrayLike) -> Points:
        """Return the places (N, 2) on the table of pixels (N, 2) of the flat picture."""
        flat = (np.asarray(pixels, np.float64) + 0.5) / self.scale
        return np.stack([self.box[0] + flat[:, 0], self.box[3] - flat[:, 1]], axis=1)

    def px(self, places: npt.ArrayLike) -> Points:
        """Return the pixels (N, 2) of the flat picture that show places (N, 2) on the table."""
        flat = np.asarray(places, np.float64)
        return np.stack([flat[:, 0] - self.box[0], self.box[3] - flat[:, 1]], axis=1) * self.scale - 0.5

    @property
    def blur_px(self) -> float:
        """The blur of the flat picture: that of the frame, times how much the middle was enlarged."""
        left, near, right, far = self.box
        middle = np.array([[(left + right) / 2, (near + far) / 2]])
        return 0.75 * self.magnification(middle)

    def magnification(self, place: Points) -> float:
        """Return how many px of the flat picture a pixel of the frame covers at a place (1, 2)."""
        step = 0.05
        beside = np.array([(0.0, 0.0), (step, 0.0), (0.0, step)])
        here = self.camera.px(place + beside, self.up)
        across, along = here[1] - here[0], here[2] - here[0]
        area = abs(float(across[0] * along[1] - across[1] * along[0])) / step**2
        return float(self.scale / max(1e-6, area**0.5))
