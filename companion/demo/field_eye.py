"""The simulated table of a battle: marked bases where hands have put them, on painted ground, and the eye over it.

A base that nobody touched stays where it stands, to the millimetre; hands put a base down a little off and askew.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from companion.measuring.field import Sighting
from companion.measuring.live_markers import CameraFieldEye
from companion.settings.marking import MARKINGS, marked_table
from engine.sonae.field import Place
from engine.sonae.position import Position
from engine.sonae.scenario import Scenario
from vision.geometry import Picture
from vision.simulation.camera import Lens, SimulatedCamera
from vision.simulation.marked.draw import Surface
from vision.simulation.marked.shots import Astray, BaseAt, Lamp, MarkedScene, camera_over, shoot

CAMERA = SimulatedCamera(tilt_deg=22.0, side_deg=4.0, focal=0.95, radial=-0.06, size_px=(1280, 960))
HANDS_OFF, HANDS_DEG = 0.015, 1.0
"""How far from where they mean to hands put a base down: standard deviations, in base widths and degrees."""
GROUND_BGR = {
    "hill": (62, 104, 122),
    "difficult": (48, 92, 58),
    "blocked": (150, 108, 52),
    "road": (112, 142, 164),
    "open": (78, 122, 108),
}
SIDES_BGR = ((52, 58, 150), (130, 88, 44))
TABLE_BGR = (74, 118, 104)
SHOTS_OF_A_SEED = 10_000


class SimulatedField:
    """A battle's table; the same seed puts the same bases in the same places. astray: misplaced corner markers."""

    def __init__(self, scenario: Scenario, seed: int, astray: tuple[Astray, ...] = ()) -> None:
        self.scenario = scenario
        self._rng = np.random.default_rng([seed, 21])
        self._seed, self._shots = seed, 0
        self._stands: dict[str, tuple[Place, Place]] = {}  # where each was meant to stand, and where it does
        self._moved: dict[str, Place] = {}
        table = marked_table(scenario, MARKINGS["middle"])
        patches = tuple((ground.outline, GROUND_BGR[ground.kind]) for ground in scenario.ground)
        self._scene = MarkedScene(
            table,
            camera_over(table, CAMERA, 0.97),
            Surface("felt", TABLE_BGR, seed, 0.2, patches),
            Lamp(0.75, 40.0, (0.93, 0.99, 1.04)),
            Lens(noise=2.5),
            astray=astray,
        )

    def put(self, unit: str, place: Place) -> None:
        """Move a base without telling the app."""
        self._moved[unit] = place

    def put_right(self) -> None:
        """Move all bases back to where the game has them."""
        self._moved.clear()

    def photo(self, position: Position) -> Picture:
        """Return what the camera sees, (H, W, 3) uint8 BGR: each base where `put`, or else the game, has it."""
        self._shots += 1
        scene = replace(self._scene, seed=self._seed * SHOTS_OF_A_SEED + self._shots)
        bases = [self._base(unit.name, self._moved.get(unit.name, unit.place)) for unit in position.units]
        return shoot(scene, [base for base in bases if base.number >= 0]).picture

    def _base(self, unit: str, place: Place) -> BaseAt:
        kind, stands = self.scenario.units[unit], self._place_laid(unit, place)
        return BaseAt(kind.marker, stands.x, stands.y, stands.facing_deg, stands.depth, SIDES_BGR[kind.side])

    def _place_laid(self, unit: str, place: Place) -> Place:
        """Return where a base meant for this place really stands; it stays as it was if it was meant for it before."""
        meant = self._stands.get(unit)
        if meant is None or meant[0] != place:
            off = self._rng.normal(0.0, HANDS_OFF, 2)
            turn = float(self._rng.normal(0.0, HANDS_DEG))
            laid = Place(place.x + float(off[0]), place.y + float(off[1]), (place.facing_deg + turn) % 360, place.depth)
            self._stands[unit] = (place, laid)
        return self._stands[unit][1]


class SimulatedFieldEye:
    """An eye over a simulated table, laid as the game has it except for what `put` has moved."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._field: SimulatedField | None = None
        self._photo: Picture | None = None
        self._eye = CameraFieldEye(lambda: self._photo)

    @property
    def fault(self) -> str:
        """Why the last look found nothing; "" if it found something."""
        return self._eye.fault

    def look(self, position: Position) -> Sighting | None:
        """Lay the simulated table as the position has it, and return what the eye sees."""
        if self._field is None or self._field.scenario is not position.scenario:
            self._field = SimulatedField(position.scenario, self._seed)
        self._photo = self._field.photo(position)
        return self._eye.look(position)

    def picture(self) -> bytes | None:
        """Return the JPEG of what the eye looked at last; None before the first look."""
        return self._eye.picture()

    def put(self, unit: str, place: Place) -> None:
        """Move a unit without telling the app; it stays there until `put_right`. Ignored before the first look."""
        if self._field is not None:
            self._field.put(unit, place)

    def put_right(self) -> None:
        """Move all units back to where the game has them."""
        if self._field is not None:
            self._field.put_right()
