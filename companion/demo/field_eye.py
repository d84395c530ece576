"""The eye over a battle on the simulated table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.measuring.field import Sighting
from companion.measuring.live_markers import CameraFieldEye
from engine.sonae.field import Place
from engine.sonae.position import Position

if TYPE_CHECKING:
    from companion.demo.field_table import SimulatedField
    from vision.geometry import Picture


class SimulatedFieldEye:
    """Looks at a simulated table that hands lay as the game has it, as far as `put` does not say otherwise."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._field: SimulatedField | None = None
        self._eye = CameraFieldEye(lambda: self._photo)
        self._photo: Picture | None = None

    @property
    def fault(self) -> str:
        """Why the last look had nothing."""
        return self._eye.fault

    def look(self, position: Position) -> Sighting | None:
        """Return what the eye sees of a simulated table laid as the position has it."""
        from companion.demo.field_table import SimulatedField

        if self._field is None or self._field.scenario is not position.scenario:
            self._field = SimulatedField(position.scenario, self._seed)
        self._photo = self._field.photo(position)
        return self._eye.look(position)

    def picture(self) -> bytes | None:
        """Return the JPEG of what the eye looked at last."""
        return self._eye.picture()

    def put(self, unit: str, place: Place) -> None:
        """Move one unit without telling the app, as hands do; it stays there until `put_right`. Only after a look."""
        if self._field is not None:
            self._field.put(unit, place)

    def put_right(self) -> None:
        """Lay the table as the game has it."""
        if self._field is not None:
            self._field.put_right()
