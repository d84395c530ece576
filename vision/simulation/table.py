"""A table as a camera would see it: the board drawn from its plan, pieces with height, light, shadow, lens, noise.

For the demo and for tests; nothing here passes for the printed game. Pictures are (H, W, 3) uint8, blue-green-red.
Positions are board mm (x right, y down); the truth of a picture has the form that recorded tables use: counts by area,
commanders by space, the pieces' bases and the board's corners in pixels, the areas that something covers.

    studio = Studio(plan, Scene(), marks)
    shot = studio.shoot(place_pieces(plan, units, commanders, rng))
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import NO_MAP
from vision.plan import BoardPlan
from vision.simulation.board_art import ArtStyle, BoardMarks, Image, draw_board
from vision.simulation.camera import Lens, SimulatedCamera, cells_px, expose, falloff, upsample
from vision.simulation.draw import (
    GAMMA,
    Canvas,
    Colour,
    Illumination,
    Light,
    LightGrid,
    Mask,
    Solid,
    cast,
    face_light,
    paste,
    plane_light,
)
from vision.simulation.placing import Habits, PlacedPiece, Units, place_pieces, truth_of
from vision.simulation.props import (
    Cloth,
    Hand,
    card_corners,
    draw_card,
    draw_cloth,
    draw_die,
    draw_hand,
    draw_mug,
    draw_token,
)
from vision.simulation.solids import PieceLook, piece_height, piece_parts, place_part
from vision.simulation.support_board import SupportBoard, draw_support

__all__ = ["Habits", "Moment", "PlacedPiece", "Scene", "Shot", "Studio", "Units", "place_pieces"]

Floats = npt.NDArray[np.float64]
Field = npt.NDArray[np.float32]
Point = tuple[float, float]

BOARD_THICKNESS_MM = 2.0
CLOTH_MARGIN_MM = 420.0
CLOTH_PX_PER_MM = 1.6
MUG_MM = 48.0
"""Nothing that lies about is so near to the support board that it hides any of it: half of a mug's width."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table that stays: art, pieces, lights, cloth, camera, lens, what lies beside the board (from a seed).

    `bow_mm` is how high the ends of the board (its middle, if negative) lift; `gloss` mirrors the lights on the board.
    `support` is the support board beside it, which bends with it.
    """

    style: ArtStyle = field(default_factory=lambda: ArtStyle(1))
    camera: SimulatedCamera = field(default_factory=SimulatedCamera)
    look: PieceLook = field(default_factory=PieceLook)
    lights: tuple[Light, ...] = (Light(),)
    ambient: Colour = (0.4, 0.4, 0.4)
    cloth: Cloth = field(default_factory=Cloth)
    lens: Lens = field(default_factory=Lens)
    clutter_seed: int | None = 1
    bow_mm: float = 0.0
    gloss: float = 0.0
    shadow_samples: int = 8
    support: SupportBoard | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What differs from picture to picture: noise seed, camera moved, lights changed, things on and over the board."""

    seed: int = 0
    shift_mm: Point = (0.0, 0.0)
    turn_deg: float = 0.0
    light_gains: tuple[float, ...] = ()
    tokens: tuple[Point, ...] = ()
    dice: tuple[Point, ...] = ()
    cards: tuple[Point, ...] = ()
    hand: Hand | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture, what truly lies there, and the mask (H, W), 0 to 255, of what hands and cards cover."""

    picture: Image
    truth: dict[str, Any]
    covered: Mask


class Studio:
    """A scene made ready: its board drawn once, the unlit table kept for as long as the camera stands still."""

    def __init__(self, plan: BoardPlan, scene: Scene, marks: BoardMarks | None = None) -> None:
        self.plan, self.scene = plan, scene
        self.ground = LightGrid(plan.size_mm)
        camera = scene.camera
        self.art_scale = float(np.clip(camera.focal * camera.size_px[0] / camera.distance_mm * 1.2, 1.0, 6.0))
        self.art = draw_board(plan, scene.style, marks, self.art_scale)
        beside = scene.support
        self.support_art = None if beside is None else draw_support(beside, plan, scene.style, self.art_scale)
        margin = 2 * CLOTH_MARGIN_MM
        width, height = (round((side + margin) * CLOTH_PX_PER_MM) for side in plan.size_mm)
        self.cloth = draw_cloth(scene.cloth, (height, width), CLOTH_PX_PER_MM)
        self.falloff = falloff(scene.lens, camera.size_px)
        self.clutter = _clutter(plan, scene)
        self._set: _Setting | None = None

    def shoot(self, pieces: Sequence[PlacedPiece], moment: Moment | None = None) -> Shot:
        """Take the picture of these pieces at a moment, and return it with its truth."""
        moment = moment or Moment()
        setting = self._setting(moment)
        light = self._light(moment)
        rng = np.random.default_rng([moment.seed, 77])
        solids = [piece_solid(piece, self.scene, setting.lift(piece.at_mm)) for piece in pieces]
        solids += [draw_die(rng, at, setting.lift(at)) for at in moment.dice] + list(self.clutter)
        tokens = np.random.default_rng([self.scene.style.seed, 5])
        flat = [draw_token(tokens, at) for at in moment.tokens]
        cards = [card_corners(at, float(rng.uniform(0, 6)), float(rng.uniform(0.6, 7))) for at in moment.cards]
        bodies = [body for solid in (*solids, *flat) for body in solid.bodies()] + cards
        bodies += moment.hand.bodies() if moment.hand else []
        lit = setting.lit(light, bodies, self.scene)
        canvas = Canvas(lit, setting.camera)
        canvas.solids(flat, light)
        canvas.solids(solids, light)
        picture = grainy(canvas, lit, self.scene.look.grain, rng)
        covered = self._cover(picture, setting, light, (cards, moment.hand, rng))
        seen = expose(picture, self.scene.lens, self.falloff, rng)
        truth = truth_of(self.plan, pieces, setting, (covered, self.scene.look))
        if self.scene.support is not None:
            middles = {name: setting.px(at) for name, at in self.scene.support.spaces}
            truth["support_px"] = {name: np.round(at, 2).tolist() for name, at in middles.items()}
        return Shot(seen, truth, covered)

    def in_light_of(self, scene: Scene) -> Studio:
        """Return the same table in another light or before another camera; `scene` may differ in these alone."""
        other = copy(self)
        other.scene, other.falloff = scene, falloff(scene.lens, scene.camera.size_px)
        return other

    def sides(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mask:
        """Return whose piece each pixel shows, (H, W): 1 the plan's first faction, 2 its second, 0 neither."""
        setting = self._setting(moment)
        canvas = Canvas(np.zeros((*self.scene.camera.size_px[::-1], 3), np.uint8), setting.camera)
        order = self.plan.factions
        return canvas.silhouettes(
            [
                (piece_solid(piece, self.scene, setting.lift(piece.at_mm)), order.index(piece.faction) + 1)
                for piece in pieces
            ]
        )

    def camera_at(self, moment: Moment) -> SimulatedCamera:
        """Return the camera as nudged at a moment."""
        camera = self.scene.camera
        x, y = (a + b for a, b in zip(camera.target_mm, moment.shift_mm, strict=True))
        return replace(camera, target_mm=(x, y), side_deg=camera.side_deg + moment.turn_deg)

    def _setting(self, moment: Moment) -> _Setting:
        moved = self.camera_at(moment)
        if self._set is None or self._set.camera != moved:
            self._set = _Setting(self, moved)
        return self._set

    def _light(self, moment: Moment) -> Illumination:
        gains = moment.light_gains or (1.0,) * len(self.scene.lights)
        lights = [light.dimmed(gain) for light, gain in zip(self.scene.lights, gains, strict=True)]
        bones = moment.hand.bodies() if moment.hand else []
        hidden = [cast(bones, light, self.ground, 4) for light in lights] if bones else []
        return Illumination(lights, self.scene.ambient, self.ground, hidden)

    def _cover(
        self,
        picture: Image,
        setting: _Setting,
        light: Illumination,
        things: tuple[Sequence[Floats], Hand | None, np.random.Generator],
    ) -> Mask:
        cards, hand, rng = things
        covered = np.zeros(picture.shape[:2], np.uint8)
        up = np.array([[0.0, 0.0, 1.0]])
        for corners in cards:
            gain = face_light(light.lights, light.ambient, up, corners.mean(axis=0))[0] ** (1 / GAMMA)
            card = np.clip(draw_card(rng) * gain, 0, 255).astype(np.uint8)
            cv2.max(covered, paste(picture, card, setting.camera.px(corners)), covered)
        if hand is not None:
            at = np.array(hand.limbs[0][0][:3])
            gain = face_light(light.lights, light.ambient, up, at)[0] ** (1 / GAMMA)
            cv2.max(covered, draw_hand(picture, hand, setting.camera, gain), covered)
        return covered


class _Setting:
    """The table seen from one camera: for each pixel its place on the board, and the unlit picture."""

    def __init__(self, studio: Studio, camera: SimulatedCamera) -> None:
        self.camera, self.plan, self.bow_mm = camera, studio.plan, studio.scene.bow_mm
        self.ground = studio.ground
        self.coarse = self._plane_mm()
        board = upsample(self.coarse, camera.size_px)
        self.ground_map = self.ground.px(board).astype(np.float32)
        self.unlit = self._table(studio, board)

    def lift(self, at_mm: Point) -> float:
        """Return how high the bent board lies at a place, in mm."""
        return float(bow(np.array(at_mm), self.plan.size_mm, self.bow_mm))

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """Return (..., 2) pixels of (..., 2) points of the bent board."""
        points = np.asarray(points_mm, float)
        height = bow(points, self.plan.size_mm, self.bow_mm)
        return self.camera.px(np.concatenate([points, height[..., None]], axis=-1))

    def lit(self, light: Illumination, bodies: Sequence[Floats], scene: Scene) -> Image:
        """Light the table, with the shadows of bodies, (H, W, 3)."""
        field = plane_light(light.lights, light.ambient, self.ground, bodies, scene.shadow_samples)
        gain = cv2.pow(np.maximum(field, 1e-4), 1 / GAMMA)
        seen = cv2.remap(gain, self.ground_map, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        shown = cv2.multiply(self.unlit, seen, dtype=cv2.CV_8U)
        return np.asarray(cv2.add(shown, self._glare(light)) if scene.gloss else shown, np.uint8)

    def _glare(self, light: Illumination) -> Image:
        points = np.concatenate([self.coarse, np.zeros((*self.coarse.shape[:2], 1))], axis=-1)
        eye = self.camera.centre_mm
        to_eye = eye - points
        to_eye /= np.linalg.norm(to_eye, axis=-1, keepdims=True)
        total = np.zeros(points.shape)
        for lamp in light.lights:
            half = to_eye + (away := np.array(lamp.at_mm) - points) / np.linalg.norm(away, axis=-1, keepdims=True)
            level = half[..., 2] / np.linalg.norm(half, axis=-1)
            total += level[..., None] ** 250 * np.array(lamp.bgr)
        return np.asarray(np.clip(upsample(total * 255, self.camera.size_px), 0, 90), np.uint8)

    def _plane_mm(self) -> Floats:
        points = flat = self.camera.board_mm(cells_px(self.camera.size_px))
        for _ in range(3):
            height_mm = bow(points, self.plan.size_mm, self.bow_mm)[..., None]
            points = flat - self.camera.up(points) * height_mm
        return points

    def _table(self, studio: Studio, board: Field) -> Image:
        lower = board - self.camera.up(board).astype(np.float32) * np.float32(-BOARD_THICKNESS_MM)
        cloth_map = ((lower + CLOTH_MARGIN_MM) * CLOTH_PX_PER_MM).astype(np.float32)
        image = np.asarray(cv2.remap(studio.cloth, cloth_map, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))
        table = image.astype(np.uint8)
        self._cards_beside(table, studio.scene.clutter_seed)
        width, height = self.plan.size_mm
        sheets = [(studio.art, [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])]
        if studio.support_art is not None and studio.scene.support is not None:
            sheets.append((studio.support_art, studio.scene.support.corners_mm))
        for art, corners in sheets:
            self._edges(table, np.array(corners))
            art_map = (board - np.array(corners[0], np.float32)) * np.float32(studio.art_scale) - np.float32(0.5)
            cv2.remap(art, art_map, NO_MAP, cv2.INTER_LINEAR, dst=table, borderMode=cv2.BORDER_TRANSPARENT)
        return table

    def _cards_beside(self, table: Image, seed: int | None) -> None:
        if seed is None:
            return
        rng = np.random.default_rng([seed, 3])
        for _ in range(int(rng.integers(0, 5))):
            at = place_beside_board(self.plan.size_mm, rng, 62.0)
            corners = card_corners(at, float(rng.uniform(0, 6)), -BOARD_THICKNESS_MM)
            paste(table, draw_card(rng), self.camera.px(corners))

    def _edges(self, table: Image, corners: Floats) -> None:
        low = np.column_stack([corners, np.full(4, -BOARD_THICKNESS_MM)])
        for i in range(4):
            j = (i + 1) % 4
            quad = np.concatenate([self.px(corners[[i, j]]), self.camera.px(low[[j, i]])])
            cv2.fillConvexPoly(table, np.round(quad * 16).astype(np.int32), (70, 85, 95), cv2.LINE_AA, 4)


def bow(points_mm: Floats, size_mm: Point, bow_mm: float) -> Floats:
    """Return the (...,) height of a board whose two ends lift by `bow_mm`, folded across its middle."""
    along = np.clip(points_mm[..., 1] / size_mm[1] * 2 - 1, -1, 1)
    return np.asarray(bow_mm * np.abs(along) ** 1.5, np.float64)


def place_beside_board(size_mm: Point, rng: np.random.Generator, away_mm: float) -> Point:
    """Choose a place on the table, at least `away_mm` from the board."""
    width, height = size_mm
    along, out = float(rng.uniform(0, 1)), away_mm + float(rng.uniform(0, 70))
    places = (
        (width * along, -out),
        (width * along, height + out),
        (-out, height * along),
        (width + out, height * along),
    )
    return places[int(rng.integers(4))]


def _clutter(plan: BoardPlan, scene: Scene) -> tuple[Solid, ...]:
    if scene.clutter_seed is None:
        return ()
    rng = np.random.default_rng([scene.clutter_seed, 4])
    found = [
        draw_die(rng, place_beside_board(plan.size_mm, rng, 18), -BOARD_THICKNESS_MM)
        for _ in range(int(rng.integers(0, 4)))
    ]
    if rng.random() < 0.5:
        found.append(draw_mug(rng, place_beside_board(plan.size_mm, rng, 65)))
    figures = [unit for _, names in plan.units for unit in names if unit != "troop"] or ["troop"]
    for faction in [faction for faction, _ in scene.look.bgr if faction in plan.factions]:
        spot = np.array(place_beside_board(plan.size_mm, rng, 25))
        for number in range(int(rng.integers(0, 7))):
            x, y = spot + rng.normal(0, 14, 2)
            if not -12 < x < plan.size_mm[0] + 12 or not -12 < y < plan.size_mm[1] + 12:
                kind = figures[number % len(figures)] if rng.random() < 0.2 else "troop"
                unused = PlacedPiece(kind, faction, "", (float(x), float(y)))
                found.append(piece_solid(unused, scene, -BOARD_THICKNESS_MM))
    beside = scene.support
    return tuple(thing for thing in found if beside is None or not beside.has_near(thing.at_mm, MUG_MM))


def piece_solid(piece: PlacedPiece, scene: Scene, lift_mm: float) -> Solid:
    """Return the body of a piece on the board, which lies `lift_mm` high there; its hue varies a little."""
    look = scene.look
    height = lift_mm + piece.level * piece_height(piece.kind, look)
    parts = tuple(place_part(part, piece.at_mm, piece.turn_rad, height) for part in piece_parts(piece.kind, look))
    rng = np.random.default_rng([abs(round(piece.at_mm[0] * 100)), abs(round(piece.at_mm[1] * 100)), piece.level])
    plain = np.array(dict(look.bgr)[piece.faction]) * rng.normal(1, 0.05) + rng.normal(0, 3)
    blue, green, red = (float(v) for v in np.clip(plain, 0, 255))
    gloss = look.gloss * float(rng.uniform(0.2, 1.5))
    return Solid(parts, (blue, green, red), piece.at_mm, gloss, lift_mm + piece.level, sheen=look.sheen)


def grainy(canvas: Canvas, before: Image, amount: float, rng: np.random.Generator) -> Image:
    """Return the canvas's picture with wood grain on what was drawn over `before`."""
    picture = canvas.picture()
    if amount <= 0:
        return picture
    drawn = cv2.absdiff(picture, before).max(axis=2) > 3
    rows, columns = picture.shape[:2]
    noise = rng.standard_normal((rows // 2 + 1, columns // 2 + 1)).astype(np.float32)
    grain = cv2.resize(noise, (columns, rows), interpolation=cv2.INTER_LINEAR) * np.float32(amount * 1.6)
    gain = np.where(drawn, 1 + grain, 1.0).astype(np.float32)
    return np.asarray(cv2.multiply(picture, cv2.merge([gain] * 3), dtype=cv2.CV_8U), np.uint8)
