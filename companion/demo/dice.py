"""The game's dice beside the simulated table: thrown by its hands, drawn into its pictures."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, pi

import numpy as np

from vision.simulation.board_art import Image
from vision.simulation.dice import GAME_FACES, Body, Lamps, add_bodies
from vision.simulation.table import BOARD_THICKNESS_MM, Studio
from vision.simulation.throws import Make, die_of

BLACK = Make(15.0, 1.2, (44.0, 42.0, 40.0), (238.0, 242.0, 242.0), 0.12, 0.24, 0.4, 0.2)
IN_THE_BOX = 4
AWAY_MM = 22.0
APART_MM = 24.0
ROOM_MM = 50.0
FROM_BORDER_PX = 60
TRIES = 200


class SimulatedDice:
    """Up to four dice beside a board; those that are not thrown stay where they lie."""

    def __init__(self, studio: Studio, seed: int) -> None:
        self._studio = studio
        self._rng = np.random.default_rng([seed, 6])
        self.lying: tuple[Body, ...] = ()

    def roll(self, faces: Sequence[int], count: int) -> tuple[int, ...]:
        """So many dice with these faces are thrown, at most as many as the box holds: what they show."""
        shown = tuple(int(face) for face in self._rng.choice(faces, min(count, IN_THE_BOX)))
        self.throw(shown)
        return shown

    def throw(self, shown: Sequence[int]) -> None:
        """Dice that show this come to lie beside the board, where there is room."""
        self.lying = self.lying[len(shown) :][: IN_THE_BOX - len(shown)]
        for face in shown:
            rest = list(GAME_FACES)
            if face in rest:
                rest.remove(face)
            around = [int(other) for other in self._rng.permutation(rest)][:5]
            turn = float(self._rng.uniform(0, 2 * pi))
            self.lying += (die_of(BLACK, self._place(), -BOARD_THICKNESS_MM, (face, *around), turn),)

    def _place(self) -> tuple[float, float]:
        """A free place beside the board in the camera's sight; the last one tried where there is none."""
        width, height = self._studio.scene.camera.size_px
        low, high = (FROM_BORDER_PX, FROM_BORDER_PX), (width - FROM_BORDER_PX, height - FROM_BORDER_PX)
        for _ in range(TRIES):
            x, y = self._studio.scene.camera.board_mm(self._rng.uniform(low, high))
            at = (float(x), float(y))
            if self._free(at):
                break
        return at

    def _free(self, at_mm: tuple[float, float]) -> bool:
        width, height = self._studio.plan.size_mm
        x, y = at_mm
        beside = max(-x, x - width, -y, y - height) > AWAY_MM
        apart = all(dist(at_mm, die.middle_mm[:2]) > APART_MM for die in self.lying)
        return beside and apart and all(dist(at_mm, solid.at_mm) > ROOM_MM for solid in self._studio.clutter)

    def draw(self, picture: Image) -> None:
        """Draw the dice into a picture (H, W, 3) BGR of the table, in place."""
        scene = self._studio.scene
        for die in self.lying:
            add_bodies(picture, scene.camera, [die], Lamps(scene.lights, scene.ambient), -BOARD_THICKNESS_MM)
