"""What lies about on and beside a board, with its colours on an atlas: dice, bonus tokens, cards, a mug, plain hues."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from training.traced.atlas import PX_PER_MM, Atlas
from training.traced.meshes import Mesh, disc, move, on_patch, turn
from training.traced.shapes import card_mesh, die_mesh, mug_mesh
from vision.simulation.board_art import Image, hexagon, star
from vision.simulation.props import CARD_MM, draw_card

Rng = np.random.Generator
Point = tuple[float, float]
Place = tuple[float, float, float]

DIE_TILE_MM = 10.0
CARDS, DICE, TOKENS, COLOURS = 5, 4, 6, 5
SKIN_BGR = np.array([130.0, 165.0, 225.0])
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
NUMBERS = (1, 6, 2, 5, 3, 4)
QUARTERS = (np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), np.array([[0, 0, 1.0], [0, 1, 0], [-1, 0, 0]]))


class Props:
    """A table's dice, tokens, cards and plain colours; each call puts one somewhere."""

    def __init__(self, atlas: Atlas, rng: Rng) -> None:
        self.cards = [atlas.add(_card(rng), float(rng.uniform(0.25, 0.7))) for _ in range(CARDS)]
        self.dice = [_die(atlas, rng) for _ in range(DICE)]
        self.tokens = [_token(atlas, rng) for _ in range(TOKENS)]
        self.card_side = atlas.plain(rng.uniform(60, 200, 3), 0.8, (rng, 0.05))
        skins = [(SKIN_BGR * tone + 15, 0.5) for tone in (0.45, 0.7, 0.95)]
        others = [(rng.uniform(15, 235, 3), float(rng.uniform(0.15, 0.95))) for _ in range(COLOURS)]
        self.plain = {atlas.plain(bgr, rough, (rng, 0.04)): bgr for bgr, rough in skins + others}

    def coloured(self, mesh: Mesh, bgr: npt.ArrayLike) -> Mesh:
        """Give the mesh whichever of the plain colours is nearest to this one."""
        middle = min(self.plain, key=lambda place: float(np.abs(self.plain[place] - np.asarray(bgr)).sum()))
        return Mesh(mesh.points, mesh.normals, np.tile(np.array(middle), (len(mesh.points), 1)))

    def token(self, number: int, rng: Rng, at: Place) -> Mesh:
        """Place the bonus token of that number."""
        return move(self.tokens[number % TOKENS], at, float(rng.uniform(0, 6)))

    def card(self, rng: Rng, at: Place) -> Mesh:
        """Place a card lying flat."""
        return move(card_mesh(CARD_MM, self.cards[int(rng.integers(CARDS))]), at, float(rng.uniform(0, 6)))

    def die(self, rng: Rng, at: Place) -> Mesh:
        """Place a thrown die, any face up."""
        mesh, side = self.dice[int(rng.integers(DICE))]
        middle = np.array([0, 0, side / 2])
        rolled = Mesh(mesh.points - middle, mesh.normals, mesh.uv_mm)
        for _ in range(int(rng.integers(0, 3))):
            rolled = turn(rolled, QUARTERS[int(rng.integers(2))])
        return move(rolled, (at[0], at[1], at[2] + side / 2), float(rng.uniform(0, 6)))

    def mug(self, rng: Rng, at: Place) -> list[Mesh]:
        """Place a mug and its dark drink."""
        body, drink = mug_mesh(float(rng.uniform(32, 45)), float(rng.uniform(60, 105)))
        turn = float(rng.uniform(0, 6))
        cup = self.coloured(body, rng.integers(0, 255, 3))
        return [move(cup, at, turn), move(self.coloured(drink, (0, 0, 0)), at, turn)]


def _die(atlas: Atlas, rng: Rng) -> tuple[Mesh, float]:
    side, tile = float(rng.uniform(8, 16)), round(DIE_TILE_MM * PX_PER_MM)
    colours = [np.array([235, 238, 238]), np.array([26, 25, 25]), rng.integers(20, 230, 3)]
    plain = rng.choice(colours, p=[0.45, 0.3, 0.25])
    ink = (25, 25, 25) if plain.sum() > 380 else (230, 230, 230)
    strip = np.full((tile, 6 * tile, 3), plain, np.uint8)
    for face in range(6):
        for x, y in PIPS[NUMBERS[face]]:
            at = (round((face + 0.5 + 0.25 * x) * tile), round((0.5 + 0.25 * y) * tile))
            cv2.circle(strip, at, round(tile * 0.1), ink, -1, cv2.LINE_AA)
    return die_mesh(side, atlas.add(strip, float(rng.uniform(0.1, 0.5))), DIE_TILE_MM), side


def _token(atlas: Atlas, rng: Rng) -> Mesh:
    radius, side = float(rng.uniform(6, 8.5)), round(19 * PX_PER_MM)
    colour = rng.integers(25, 235, 3)
    ink = (235, 240, 240) if colour.sum() < 380 else (35, 32, 32)
    patch = np.full((side, side, 3), colour, np.uint8)
    tips = int(rng.integers(3, 7))
    sign = star((0, 0), radius * 0.62, tips) if rng.random() < 0.6 else hexagon((0, 0), radius * 0.55)
    corners = np.round((np.array(sign) * PX_PER_MM + side / 2) * 16).astype(np.int32)
    cv2.fillPoly(patch, [corners], ink, cv2.LINE_AA, 4)
    cv2.circle(patch, (side // 2, side // 2), round(radius * 0.86 * PX_PER_MM), ink, 2, cv2.LINE_AA)
    mesh = disc(radius, float(rng.uniform(1.0, 2.4)), 0.25)
    flat = Mesh(mesh.points, mesh.normals, mesh.points[:, :2].copy())
    return on_patch(flat, atlas.add(patch, float(rng.uniform(0.35, 0.9))))


def _card(rng: Rng) -> Image:
    size = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
    return np.asarray(cv2.resize(draw_card(rng), size, interpolation=cv2.INTER_CUBIC), np.uint8)
