"""What stands on a table that is recorded."""

from __future__ import annotations

import cv2
import numpy as np

from companion.evidence.pictures import folder_of
from companion.evidence.recorder import units_of
from companion.games.match import Match
from engine.orders.steps import Pass
from engine.orders.wire import step_from_json
from tests.companion.sample_games import OPENING
from vision.geometry import Grid, Picture
from vision.reading.read import Reading

PASS = Pass()


def board_image(match: Match, level: int) -> Picture:
    rows, columns = Grid(match.board.size_mm).shape
    return np.full((rows, columns, 3), level, np.uint8)


def sight(match: Match, level: int = 100, hidden: tuple[str, ...] = ()) -> Reading:
    """Return the table as the game says, on a board of one grey."""
    units = {area: force for area, force in units_of(match.position).items() if area not in hidden}
    sure = {area.name: float(area.name not in hidden) for area in match.board.areas}
    return Reading(units, {}, sure, hidden, 1.0, board_image=board_image(match, level))


def played(match: Match) -> None:
    assert match.offer(step_from_json(OPENING)).legal


def names(match: Match) -> list[str]:
    return sorted(path.name for path in folder_of(match.path).glob("*"))


def brightness(data: bytes) -> list[int]:
    """Return the greys that fill much of a picture."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    found, counts = np.unique(picture, return_counts=True)
    return [int(level) for level, n in zip(found, counts, strict=True) if n > 800 and level > 60]
