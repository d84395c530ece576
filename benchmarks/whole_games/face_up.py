"""Cards that are played, laid face up beside a simulated board: each with the code that is printed for it."""

from __future__ import annotations

from math import dist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.bases.markers import marker_picture
from vision.geometry import Picture
from vision.live.printed import CARD_SIDE_MM, FIRST
from vision.simulation.draw import GAMMA, face_light, paste
from vision.simulation.props import card_corners, draw_card
from vision.simulation.table import BOARD_THICKNESS_MM, Studio

PX_PER_MM = 3.0
QUIET_MM = 4.0
TURN_RAD = 0.3
"""So far cards are turned from the board's edge, at most."""
FROM_BORDER_PX, TRIES = 30, 400
APART_MM, ROOM_MM, AWAY_MM = 110.0, 75.0, 58.0
"""How far cards' middles are from each other, from those of what lies beside the board, and from the board."""


class CardFaceUp(NamedTuple):
    """A card on the table: its number in the deck, where its middle is (board mm), how far it is turned."""

    number: int
    at_mm: tuple[float, float]
    turn_rad: float


class CardsFaceUp:
    """Where players lay what they play, on one table."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self._studio = studio
        self._rng = np.random.default_rng([seed, 21])

    def lay(self, number: int, cards: tuple[CardFaceUp, ...]) -> tuple[CardFaceUp, ...]:
        """Lay one more card beside those that lie there; none if the camera sees no free place."""
        width, height = self._studio.scene.camera.size_px
        for _try in range(TRIES):
            pixel = self._rng.uniform((0.0, 0.0), (width, height))
            x, y = self._studio.scene.camera.board_mm(pixel)
            card = CardFaceUp(number, (float(x), float(y)), float(self._rng.uniform(-TURN_RAD, TURN_RAD)))
            if self._is_free(card, cards):
                return (*cards, card)
        return cards

    def _is_free(self, card: CardFaceUp, cards: tuple[CardFaceUp, ...]) -> bool:
        size = np.array(self._studio.scene.camera.size_px)
        corners_px = self._studio.scene.camera.px(self._corners(card))
        (width, height), (x, y) = self._studio.plan.size_mm, card.at_mm
        is_inside = bool((corners_px > FROM_BORDER_PX).all() and (corners_px < size - FROM_BORDER_PX).all())
        return (
            is_inside
            and max(-x, x - width, -y, y - height) > AWAY_MM
            and all(dist(card.at_mm, other.at_mm) > APART_MM for other in cards)
            and all(dist(card.at_mm, solid.at_mm) > ROOM_MM for solid in self._studio.clutter)
        )

    @staticmethod
    def _corners(card: CardFaceUp) -> npt.NDArray[np.float64]:
        return card_corners(card.at_mm, card.turn_rad, -BOARD_THICKNESS_MM)

    def draw(self, picture: Picture, cards: tuple[CardFaceUp, ...]) -> None:
        """Draw cards into a picture (H, W, 3) uint8 BGR of the table, in place."""
        scene = self._studio.scene
        for card in cards:
            corners = self._corners(card)
            up = np.array([[0.0, 0.0, 1.0]])
            gain = face_light(scene.lights, scene.ambient, up, corners.mean(axis=0))[0] ** (1 / GAMMA)
            face = np.clip(face_of(card.number) * gain, 0, 255).astype(np.uint8)
            paste(picture, face, scene.camera.px(corners))


def face_of(number: int) -> Picture:
    """Return a card's face, (H, W, 3) uint8 BGR, its code in the middle of the upper half."""
    face = draw_card(np.random.default_rng([number, 22]), PX_PER_MM)
    side, quiet = round(CARD_SIDE_MM * PX_PER_MM), round(QUIET_MM * PX_PER_MM)
    code = np.pad(marker_picture(FIRST + number, side), quiet, constant_values=255)
    top, left = quiet, (face.shape[1] - len(code)) // 2
    face[top : top + len(code), left : left + len(code)] = code[..., None]
    return np.asarray(face, np.uint8)
