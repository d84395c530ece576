"""What a table has taught, kept beside its file: the eye's readings go through it, confirmed turns add to it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from companion import storage
from engine.orders.position import Position
from vision.errors import TableError
from vision.read import Reading
from vision.refine import Experience, experience_of, experience_text

SUFFIX = ".experience.json"
MARK_DIGITS = 16


def experience_path(table: Path) -> Path:
    """Where the experience with a table lies: beside its file."""
    return table.with_name(table.name + SUFFIX)


def mark_of_table(table: Path) -> str:
    """A short name for a calibration: another for every other one. OSError where the file cannot be read."""
    return hashlib.sha256(table.read_bytes()).hexdigest()[:MARK_DIGITS]


class Learner:
    """One table's experience in use. Where the disk refuses or its file is broken it is lost, not the game: `fault`."""

    def __init__(self, table: Path | None = None) -> None:
        self.fault: str | None = None
        self._path: Path | None = None
        self._mark = ""
        self._last: tuple[Reading, Reading] | None = None
        self._taught: Reading | None = None
        self.experience = self._opened() if self._is_known(table) else Experience()

    def _is_known(self, table: Path | None) -> bool:
        """Whether there is a table file to keep the experience beside."""
        if table is None:
            return False
        try:
            self._mark = mark_of_table(table)
        except OSError as error:
            self.fault = f"{table}: what is learned of it is not kept ({error.strerror})"
            return False
        self._path = experience_path(table)
        return True

    def _opened(self) -> Experience:
        """What is on the disk for this very calibration, or nothing yet."""
        if self._path is None or not self._path.exists():
            return Experience()
        try:
            data = json.loads(self._path.read_bytes())
            if data["table"] != self._mark:
                return Experience()
            return experience_of(data["experience"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError, TableError) as error:
            self.fault = f"{self._path}: what was learned of the table is lost ({error})"
            return Experience()

    def refined(self, reading: Reading) -> Reading:
        """The eye's reading as this table's record has it; the same object again for the same reading."""
        if self._last is None or self._last[0] is not reading:
            self._last = reading, self.experience.refined(reading)
        return self._last[1]

    def confirmed(self, position: Position) -> bool:
        """People confirmed that the table stood like this when the last reading was taken: did that teach anything?

        A reading teaches once. What was learned is written at once, a few kB, whole or not at all.
        """
        if self._last is None or self._last[0] is self._taught:
            return False
        units = {area.name: position.units_in(area.name) for area in position.board.areas}
        wiser = self.experience.learned(self._last[0], units)
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
            self.fault = f"{self._path}: cannot be written ({error.strerror})"
        else:
            self.fault = None
