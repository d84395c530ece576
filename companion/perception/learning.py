"""What a table has taught, kept beside its file: the eye's readings go through it, confirmed turns add to it."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from companion.core import storage
from companion.core.errors import reason
from companion.core.log import tell
from companion.perception.cameras import CameraSession, Watching
from companion.perception.mistaken_commanders import with_known_commanders
from engine.orders.position import Position
from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import MOST_BYTES, parse_object
from vision.errors import TableError
from vision.reading.experience import Experience, experience_of, experience_text
from vision.reading.read import Reading
from vision.table import mark_of_table

SUFFIX = ".experience.json"


def experience_path(table: Path) -> Path:
    """Return the path of the file with a table's experience, beside the table's own."""
    return table.with_name(table.name + SUFFIX)


class Learner:
    """One table's experience in use. If its file is broken or can't be written, `fault` says so; the game goes on."""

    def __init__(self, table: Path | None = None) -> None:
        self.fault: str | None = None
        self._path: Path | None = None
        self._mark = ""
        self._last: tuple[Reading, Reading] | None = None
        self._taught: Reading | None = None
        self.experience = self._load() if self._is_known(table) else Experience()

    def _is_known(self, table: Path | None) -> bool:
        """Return whether there is a table file to keep the experience beside."""
        if table is None:
            return False
        try:
            self._mark = mark_of_table(table)
        except (OSError, Unreadable) as error:
            self.fault = f"{table}: what is learned of it is not kept ({reason(error)})"
            return False
        self._path = experience_path(table)
        return True

    def _load(self) -> Experience:
        """Return the experience saved for this very calibration; an empty one if there is none."""
        if self._path is None or not os.path.lexists(self._path):
            return Experience()
        try:
            data = parse_object(read_file(self._path, MOST_BYTES))
            table, text = data.get("table"), data.get("experience")
            if not isinstance(table, str) or not isinstance(text, str):
                raise Unreadable("not the experience of a table")
            return experience_of(text) if table == self._mark else Experience()
        except (OSError, Unreadable, TableError) as error:
            self.fault = f"{self._path}: lost what was learned about the table ({reason(error)})"
        tell("warning", self.fault)
        with suppress(OSError):
            storage.set_aside(self._path)
        return Experience()

    def refine(self, reading: Reading) -> Reading:
        """Return the reading corrected by what this table has taught; the same object again for the same reading."""
        if self._last is None or self._last[0] is not reading:
            self._last = reading, self.experience.refined(reading)
        return self._last[1]

    def learn(self, position: Position) -> bool:
        """Learn that the table stood like this at the last reading, as people confirmed; return whether that was new.

        A reading teaches only once. What was learned is saved at once, a few kB, whole or not at all.
        """
        if self._last is None or self._last[0] is self._taught:
            return False
        units = {area.name: position.units_in(area.name) for area in position.board.areas}
        seen = with_known_commanders(self._last[0], position.board, position.commanders)
        wiser = self.experience.learned(seen, units)
        taught = wiser is not self.experience
        self._taught, self._last, self.experience = self._last[0], None, wiser
        if taught:
            self._save()
        return taught

    def _save(self) -> None:
        if self._path is None:
            return
        data = json.dumps({"table": self._mark, "experience": experience_text(self.experience)})
        try:
            storage.atomic_write(self._path, data.encode(), "soon")
        except OSError as error:
            self.fault = f"{self._path}: can't be written ({error.strerror})"
        else:
            self.fault = None


class LearnerInUse:
    """The learner of the table that is watched now; it changes with the table.

    kept: whether what is learned is saved beside the table's file; a simulated table has none.
    """

    def __init__(self, watched: CameraSession, *, kept: bool) -> None:
        self._watched = watched
        self._kept = kept
        self._learner = Learner(self._path())
        self._of: Watching | None = watched.current

    def _path(self) -> Path | None:
        return self._watched.setup.table if self._kept else None

    def _now(self) -> Learner:
        if self._watched.current is not self._of:
            self._of, self._learner = self._watched.current, Learner(self._path())
        return self._learner

    def refine(self, reading: Reading) -> Reading:
        """Return the reading corrected by what the table in use has taught; the same object for the same reading."""
        return self._now().refine(reading)

    def learn(self, position: Position) -> bool:
        """Learn that the table stood like this at the last reading, as people confirmed; return whether it was new."""
        return self._now().learn(position)
