"""A simulated table's camera while it is calibrated: the table shows at once what people are asked to put there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from companion.core.background import Errand
from companion.demo.table import SimulatedTable
from companion.perception.calibration import Calibration
from engine.orders.board import Board
from vision.geometry import Picture
from vision.table import Table

FRAMES = 3
GRAIN = 1.5


class SimulatedPictures:
    """Live pictures of a simulated table; drawn in a thread of their own, as that takes a moment."""

    fault: str | None = None

    def __init__(self, board: Board, seed: int) -> None:
        table = SimulatedTable(board, seed)
        self._shows: Mapping[str, Callable[[], Picture]] = {
            "empty": lambda: table.empty_shot().picture,
            "start": table.start_photo,
        }
        self._drawing: Errand[list[Picture]] = Errand("simulated-camera")
        self._frames: list[Picture] = []
        self._given = 0

    def ask(self, what: str) -> None:
        """Show the table "empty" or at its "start" from now on."""
        self._frames = []
        show = self._shows[what]
        self._drawing.begin(lambda: _frames(show()))

    def latest(self) -> Picture | None:
        """Return the next frame; None while the table is being drawn."""
        self._frames = self._drawing.fetch() or self._frames
        self._given += 1
        return self._frames[self._given % FRAMES] if self._frames else None

    def close(self) -> None:
        """Draw nothing more."""
        self._drawing.close()


class DemoCameras:
    """The one camera of a simulated table."""

    def __init__(self, board: Board, seed: int, path: Path, on_saved: Callable[[Table], None]) -> None:
        self._board, self._seed = board, seed
        self._path = path
        self._on_saved = on_saved

    @property
    def ready(self) -> bool:
        """Whether it was calibrated."""
        return self._path.exists()

    def names(self) -> Mapping[str, str]:
        """Return the simulated camera's name."""
        return {"simulated": "simulated"}

    def begin(self, _camera: str) -> Calibration:
        """Begin a calibration of the simulated table."""
        return Calibration(self._board, SimulatedPictures(self._board, self._seed), self._path, self._on_saved)


def _frames(picture: Picture) -> list[Picture]:
    """Return a few frames of one view, each with grain of its own."""
    rng = np.random.default_rng(5)
    grains = [rng.normal(0, GRAIN, picture.shape).astype(np.float32) for _ in range(FRAMES)]
    return [np.clip(picture + grain, 0, 255).astype(np.uint8) for grain in grains]
