"""Drawing solids and flat things as a camera sees them: faces turned to the lens, far ones first, flat colours each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.simulation.board_art import Image
from vision.simulation.camera import SimulatedCamera
from vision.simulation.light import GAMMA, Colour, Field, Light, LightGrid, face_light, highlight
from vision.simulation.solids import Part

Floats = npt.NDArray[np.float64]
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
        """Return the lights as they reach a (3,) point over the board."""
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
        """Draw solids, those far from the lens first, stacked ones after what they stand on."""
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
        """Return (H, W) the number of the solid that each pixel shows, 0 for none; the canvas is drawn over."""
        self.fine[:] = 0
        for solid, number in sorted(solids, key=lambda numbered: self._nearness(numbered[0])):
            for part in solid.parts:
                for face in part.faces:
                    self.polygon(part.vertices[list(face)], np.full(3, float(number)))
        return np.ascontiguousarray(self.fine[::2, ::2, 0])

    def picture(self) -> Image:
        """Return (H, W, 3) the drawing at its own size."""
        height, width = self.fine.shape[:2]
        small = cv2.resize(self.fine, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)


def face_colours(part: Part, normals: Floats, solid: Solid, light: Illumination, eye: Floats) -> list[list[float]]:
    """Return blue, green, red 0 to 255 of each face, lit."""
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
