"""Drawing solids and flat things as a camera sees them, in the light of lamps and windows and the shadows they cast.

Faces are turned to the lens, far ones first, flat colours each. Lamps and windows are discs, sampled at points. Light
is linear; colours are blue-green-red floats. A plane's light is a picture on a `LightGrid` round the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image
from vision.simulation.camera import SimulatedCamera
from vision.simulation.solids import Part

Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.float32]
Colour = tuple[float, float, float]
GAMMA = 2.2


@dataclass(frozen=True, slots=True)
class Light:
    """A lamp or window: a level disc at `at_mm` (x, y, height) of `radius_mm`; `bgr`: its light at the middle."""

    at_mm: tuple[float, float, float] = (-300.0, -200.0, 900.0)
    radius_mm: float = 150.0
    bgr: Colour = (0.6, 0.6, 0.6)

    def dimmed(self, gain: float) -> Light:
        """Return the same light, `gain` times as strong."""
        blue, green, red = (value * gain for value in self.bgr)
        return replace(self, bgr=(blue, green, red))

    def samples(self, count: int) -> Floats:
        """Return (count, 3) points spread evenly over the disc, by the golden angle."""
        steps = np.arange(count) + 0.5
        reach, turn = self.radius_mm * np.sqrt(steps / count), steps * 2.39996
        around = np.stack([reach * np.cos(turn), reach * np.sin(turn), np.zeros(count)], axis=1)
        return np.asarray(around + np.array(self.at_mm), np.float64)


@dataclass(frozen=True, slots=True)
class LightGrid:
    """A grid on the board's plane that reaches `margin_mm` beyond the board, where light is computed."""

    size_mm: tuple[float, float]
    margin_mm: float = 110.0
    px_per_mm: float = 1.5

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns) of the grid."""
        width, height = (round((side + 2 * self.margin_mm) * self.px_per_mm) for side in self.size_mm)
        return height, width

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 2) board points."""
        return np.asarray((np.asarray(points_mm, float) + self.margin_mm) * self.px_per_mm - 0.5, np.float64)

    def mm(self) -> Floats:
        """Return the board points (rows // 8 + 2, columns // 8 + 2, 2) of every eighth pixel, and just beyond."""
        rows, columns = (side // 8 + 2 for side in self.shape)
        xs, ys = np.meshgrid(np.arange(columns) * 8.0, np.arange(rows) * 8.0)
        return (np.stack([xs, ys], axis=-1) + 0.5) / self.px_per_mm - self.margin_mm


def strength(light: Light, points: Floats, middle_mm: npt.ArrayLike) -> Floats:
    """Return how much of the light reaches points (..., 3) facing it, (...,), relative to the board's middle."""
    away = np.array(light.at_mm) - points
    middle = np.array(light.at_mm) - np.append(np.asarray(middle_mm, float), 0.0)
    square = (away**2).sum(axis=-1)
    return np.asarray((middle**2).sum() / square, np.float64)


def towards(light: Light, points: Floats) -> Floats:
    """Return (..., 3) unit vectors from points to the light's middle."""
    away = np.array(light.at_mm) - points
    return np.asarray(away / np.linalg.norm(away, axis=-1, keepdims=True), np.float64)


def cast(occluders: Sequence[Floats], light: Light, ground: LightGrid, count: int) -> Field:
    """Return the share of the light (rows, columns) that convex bodies of vertices (V, 3) keep from the ground."""
    hidden = np.zeros(ground.shape, np.uint8)
    layer = np.zeros(ground.shape, np.uint8)
    for sample in light.samples(count):
        layer[:] = 0
        for body in occluders:
            reach = sample[2] / np.maximum(sample[2] - np.maximum(body[:, 2:], 0.0), 1.0)
            fallen = ground.px(sample[:2] + (body[:, :2] - sample[:2]) * reach)
            fill_hull(layer, fallen, 255 // count)
        cv2.add(hidden, layer, hidden)
    return np.asarray(hidden / np.float32(255 // count * count), np.float32)


def fill_hull(
    picture: npt.NDArray[Any], points_px: Floats, value: float | Sequence[float], line: int = cv2.LINE_8
) -> None:
    """Fill the convex hull of (N, 2) points, in place."""
    hull = cv2.convexHull(np.round(points_px * 16).astype(np.int32))
    cv2.fillConvexPoly(picture, hull, value, line, 4)


def contact(occluders: Sequence[Floats], ground: LightGrid) -> Field:
    """Return how much of the open sky bodies on the board shut out close to them, (rows, columns), 0 to 1."""
    layer = np.zeros(ground.shape, np.uint8)
    for body in occluders:
        if float(body[:, 2].min()) < 1.0:
            fill_hull(layer, ground.px(body[body[:, 2] < 1.0][:, :2]), 255)
    near = cv2.GaussianBlur(layer, (0, 0), 2.2 * ground.px_per_mm)
    return np.asarray(near / np.float32(255), np.float32)


def plane_light(
    lights: Sequence[Light], ambient: Colour, ground: LightGrid, occluders: Sequence[Floats], samples: int
) -> Field:
    """Return (rows, columns, 3) linear light on the board's plane, shadows and all."""
    rows, columns = ground.shape
    middle = np.array(ground.size_mm) / 2
    flat = ground.mm()
    points = np.concatenate([flat, np.zeros((*flat.shape[:2], 1))], axis=-1)
    sky = 1 - np.float32(0.55) * contact(occluders, ground)
    total = np.asarray(sky[..., None] * np.array(ambient, np.float32), np.float32)
    for light in lights:
        level = strength(light, points, middle) * towards(light, points)[..., 2]
        level /= towards(light, np.append(middle, 0.0))[2]
        field = cv2.resize(level.astype(np.float32), (flat.shape[1] * 8, flat.shape[0] * 8))[:rows, :columns]
        seen = field * (1 - cast(occluders, light, ground, samples))
        total += seen[..., None] * np.array(light.bgr, np.float32)
    return total


def face_light(lights: Sequence[Light], ambient: Colour, normals: Floats, at: Floats) -> Floats:
    """Return (F, 3) linear light on faces with (F, 3) normals at one (3,) place; the sky is dimmer from the side."""
    total = (0.62 + 0.38 * normals[:, 2:3]) * np.array(ambient)
    for light in lights:
        way = towards(light, at)
        facing = np.maximum(normals @ way, 0.0) / max(0.2, float(way[2]))
        total = total + facing[:, None] * np.array(light.bgr)
    return np.asarray(total, np.float64)


def highlight(lights: Sequence[Light], normals: Floats, ends: tuple[Floats, Floats], sheen: float) -> Floats:
    """Return the light (F, 3) that faces mirror from a place (3,) to the eye (3,); a low sheen is wide (Blinn 1977)."""
    at, eye = ends
    to_eye = (eye - at) / float(np.linalg.norm(eye - at))
    total = np.zeros((len(normals), 3))
    for light in lights:
        half = towards(light, at) + to_eye
        half = half / np.linalg.norm(half)
        total += np.maximum(normals @ half, 0.0)[:, None] ** sheen * np.array(light.bgr)
    return total


Mask = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Decal:
    """A flat patch on top of a solid: (N, 3) points in mm and a colour."""

    points: Floats
    bgr: Colour


@dataclass(frozen=True, slots=True)
class Solid:
    """Something standing on the table: its parts, one colour (0 to 255), gloss 0 to 1 and how narrow its sheen is."""

    parts: tuple[Part, ...]
    bgr: Colour
    at_mm: tuple[float, float]
    gloss: float = 0.1
    level: float = 0.0
    decals: tuple[Decal, ...] = ()
    sheen: float = 60.0

    def bodies(self) -> list[Floats]:
        """Return (V, 3) vertices of each part, for shadows."""
        return [part.vertices for part in self.parts]


@dataclass(frozen=True, slots=True)
class Illumination:
    """The lights that fall on solids; `hidden` is the share of each that a hand keeps from the ground."""

    lights: Sequence[Light]
    ambient: Colour
    ground: LightGrid | None = None
    hidden: Sequence[Field] = ()

    def at(self, point: Floats) -> Sequence[Light]:
        """Return the lights as they fall on a point (3,) over the board."""
        if self.ground is None or not self.hidden:
            return self.lights
        reached = []
        for light, mask in zip(self.lights, self.hidden, strict=True):
            lamp = np.array(light.at_mm)
            fallen = lamp[:2] + (point[:2] - lamp[:2]) * lamp[2] / max(1.0, float(lamp[2] - point[2]))
            column, row = (round(float(v)) for v in self.ground.px(fallen))
            inside = 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1]
            reached.append(light.dimmed(1 - float(mask[row, column])) if inside else light)
        return reached


class Canvas:
    """A picture drawn at twice its size, so that edges come out smooth."""

    def __init__(self, image: Image, camera: SimulatedCamera) -> None:
        self.camera, self.eye = camera, camera.centre_mm
        self.fine: Image = np.repeat(np.repeat(image, 2, axis=0), 2, axis=1)

    def polygon(self, points: Floats, bgr: Floats) -> None:
        """Fill the convex (N, 3) points with a colour."""
        pixels = np.round((self.camera.px(points) * 2 + 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.fine, pixels, [float(v) for v in bgr], cv2.LINE_8, 4)

    def solids(self, solids: Sequence[Solid], light: Illumination) -> None:
        """Draw solids, the farthest first; of those at the very same place, the lowest first."""
        for solid in sorted(solids, key=self._nearness):
            for part in sorted(solid.parts, key=self._part_nearness):
                self._part(part, solid, light)
            at = np.array([*solid.at_mm, solid.level])
            up = np.array([[0.0, 0.0, 1.0]])
            gain = face_light(light.at(at), light.ambient, up, at) ** (1 / GAMMA)
            for decal in solid.decals:
                self.polygon(decal.points, np.clip(np.array(decal.bgr) * gain[0], 0, 255))

    def _nearness(self, solid: Solid) -> tuple[float, float]:
        return -float(np.linalg.norm(np.array(solid.at_mm) - self.eye[:2])), solid.level

    def _part_nearness(self, part: Part) -> tuple[float, float]:
        middle = part.vertices.mean(axis=0)
        return round(float(part.vertices[:, 2].min()), 2), -float(np.linalg.norm(middle - self.eye))

    def _part(self, part: Part, solid: Solid, light: Illumination) -> None:
        normals = part.normals
        firsts = part.vertices[[face[0] for face in part.faces]]
        seen = ((self.eye - firsts) * normals).sum(axis=1) > 0
        colours = face_colours(part, normals, solid, light, self.eye)
        pixels = np.round((self.camera.px(part.vertices) * 2 + 0.5) * 16).astype(np.int32)
        for face, colour, visible in zip(part.faces, colours, seen, strict=True):
            if visible:
                cv2.fillConvexPoly(self.fine, pixels[list(face)], colour, cv2.LINE_8, 4)

    def silhouettes(self, solids: Sequence[tuple[Solid, int]]) -> Mask:
        """Return the number of the solid that each pixel shows, (H, W), 0 for none; this overwrites the canvas."""
        self.fine[:] = 0
        for solid, number in sorted(solids, key=lambda numbered: self._nearness(numbered[0])):
            for part in solid.parts:
                for face in part.faces:
                    self.polygon(part.vertices[list(face)], np.full(3, float(number)))
        return np.ascontiguousarray(self.fine[::2, ::2, 0])

    def picture(self) -> Image:
        """Return the drawing at its own size, (H, W, 3)."""
        height, width = self.fine.shape[:2]
        small = cv2.resize(self.fine, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)


def face_colours(part: Part, normals: Floats, solid: Solid, light: Illumination, eye: Floats) -> list[list[float]]:
    """Return the lit colour of each face, blue, green, red from 0 to 255."""
    at = part.vertices.mean(axis=0)
    lights = light.at(at)
    linear = face_light(lights, light.ambient, normals, at) * np.array(part.tones)[:, None]
    plain = np.array(solid.bgr) * linear ** (1 / GAMMA)
    shine = highlight(lights, normals, (at, eye), solid.sheen) * solid.gloss
    mirrored = 255 * (((plain / 255) ** GAMMA + shine) ** (1 / GAMMA))
    rows: list[list[float]] = np.clip(mirrored, 0, 255).tolist()
    return rows


def paste(image: Image, patch: Image, corners_px: Floats) -> Mask:
    """Lay a flat picture onto (4, 2) corners of the image, in place; return the mask (0 to 255) of what it covers."""
    height, width = patch.shape[:2]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, np.asarray(corners_px, np.float32))
    size = (image.shape[1], image.shape[0])
    laid = cv2.warpPerspective(patch, warp, size, flags=cv2.INTER_AREA)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(corners_px * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    share = mask[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + laid * share).astype(np.uint8)
    return mask
