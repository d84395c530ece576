"""The demo's pictures as photographs of a table, so that the eye's commands can be tried without a board.

Beside the pictures is a folder as docs/photographs.md has it, with the truth; beside the game are its last whole
frames, as the app keeps them for bug reports.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.outputs import make_folder, write_output
from companion.demo.game_demo import PHOTOGRAPHS
from companion.demo.player import TableLook
from companion.evidence import pictures
from companion.evidence.recorder import units_of
from companion.games.match import Match
from companion.perception.adapters import reading_json
from engine.orders.position import Position
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.table import Table

OWN_TABLE = "kitchen.table"
"""What people may call the table that they calibrate on the photographs."""
QUALITY = 92


class DemoPhotographs:
    """Keeps photographs of one game: of the empty board and the start at once, then a frame for each look."""

    def __init__(self, folder: Path, table: Table, match: Match) -> None:
        """Write the first two, and throw away what an earlier demo has left. OutputError."""
        self._folder = make_folder(folder / PHOTOGRAPHS)
        self._match = match
        self._truth: dict[str, Any] = {}
        for path in self._folder.glob("frame-*.jpg"):
            path.unlink()
        pictures.drop(path for path, _name in pictures.picture_files(pictures.folder_of(match.path)))
        self._put("reference", table.reference_bgr)
        if table.start_bgr is not None:
            self._put("start", table.start_bgr)
        corners = [[round(x, 1), round(y, 1)] for x, y in table.corners_px]
        head = {"board": table.plan.board, "corners_px": corners}
        write_output(self._folder / "table.json", json.dumps(head).encode() + b"\n")

    def add(self, look: TableLook) -> None:
        """Add a frame of the table as it lies now, with what is on it. OutputError."""
        position, name = self._match.position, f"frame-{len(self._truth) + 1:02}"
        jpeg = self._put(name, look.picture)
        self._truth[name] = truth_of(position)
        rows = ",\n ".join(f"{json.dumps(frame)}: {json.dumps(truth)}" for frame, truth in self._truth.items())
        write_output(self._folder / "truth.json", f"{{{rows}}}\n".encode())
        if look.reading is not None:
            steps, folder = len(self._match.steps), pictures.folder_of(self._match.path)
            about = {"reading": reading_json("", look.reading), "units": units_of(position)}
            pictures.keep(folder, pictures.Name("frame", steps, self._match.mark(steps)), jpeg, about)
            pictures.drop(path for path, _name in pictures.picture_files(folder)[pictures.MOST_FRAMES :])

    def exercises(self, folder: Path) -> Iterator[str]:
        """Yield the command lines that this set may be tried with, in the order of a first evening."""
        photos, table, game = self._folder, folder / OWN_TABLE, self._match.path
        last = photos / f"{next(reversed(self._truth))}.jpg"
        board = self._match.board.name
        for words in (
            ("calibrate", photos / "reference.jpg", "--board", board, "--start", photos / "start.jpg", "-o", table),
            ("read", "--table", table, last),
            ("score", "--table", table, last, "--game", game),
            ("bench", photos),
            ("replay", game),
            ("review", game),
            ("bundle", game, "--table", table, "-o", folder / "report.zip"),
            ("play", "--game", game),
        ):
            yield shlex.join(["gunbai", *(word.as_posix() if isinstance(word, Path) else word for word in words)])

    def _put(self, name: str, picture: Picture) -> bytes:
        jpeg = jpeg_of(picture, QUALITY)
        write_output(self._folder / f"{name}.jpg", jpeg)
        return jpeg


def truth_of(position: Position) -> dict[str, Any]:
    """Return what is on the map in a position, as a truth.json has it of a frame."""
    spaces = [space.name for space in position.board.spaces if space.area is not None]
    commanders = {space: held[0] for space in spaces if (held := position.commanders_on(space))}
    return {"units": units_of(position), "commanders": commanders, "occluded": []}
