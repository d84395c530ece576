"""What goes along with the watch: what is learned of the table in use, and bug reports of what was seen on it."""

from __future__ import annotations

from pathlib import Path

from companion.core.errors import MatchError
from companion.evidence.bundle import ReportChoices, export_report
from companion.evidence.recorder import Recorder
from companion.games.match import Match
from companion.perception.cameras import CameraSession, Watching
from companion.perception.learning import Learner
from engine.orders.position import Position
from vision.reading.read import Reading


class LearnerInUse:
    """The learner of the table that is watched now: another one as soon as another table is.

    kept: whether what is learned is kept beside the table's file; a simulated table has none.
    """

    def __init__(self, watched: CameraSession, *, kept: bool) -> None:
        self._watched = watched
        self._kept = kept
        self._learner = Learner(self._path())
        self._of: Watching | None = watched.now

    def _path(self) -> Path | None:
        return self._watched.setup.table if self._kept else None

    def _now(self) -> Learner:
        if self._watched.now is not self._of:
            self._of, self._learner = self._watched.now, Learner(self._path())
        return self._learner

    def refined(self, reading: Reading) -> Reading:
        """The reading as this table's record has it; the same object again for the same reading."""
        return self._now().refined(reading)

    def confirmed(self, position: Position) -> bool:
        """People said that the table stood so in the last reading; whether that taught anything."""
        return self._now().confirmed(position)


class Reports:
    """Writes bug reports of a game that is being played."""

    def __init__(self, watched: CameraSession, recorder: Recorder) -> None:
        self._watched = watched
        self._recorder = recorder

    def __call__(self, match: Match, stands: bool, *, names: bool = False) -> str:
        """Write one; stands: the table stands as the game says; names: the players' go with it.

        Where it is, as a sentence. CompanionError.
        """
        table = self._watched.table
        if table is None:
            raise MatchError("there is no table to report of: set up the camera first")
        return export_report(table, match.path, self._recorder.latest(match), ReportChoices(stands, names))
